// Answers that a resumed file holds, and the marks that this library puts on every answer.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/owned.h"
#include "capture/record_log.h"

namespace vaa::capture {

// Sets members of `extra`, name and JSON value; the others stay.
void mark(vaa_sample* sample, const std::vector<std::pair<std::string, std::string>>& members);
// {"key": key}, for mark(): how a log knows the answer.
std::string ask_mark(std::string_view key);
// Throws Failure (VAA_ERROR_ARGUMENT) where a resumed file was begun by another command: its header has no extra.`command`.
void check_resumed_of(std::string_view command, const std::string& path, const RecordLog& log);
// Hands out each answer of the log's file that counts as there, with its key. Throws Failure.
void each_stored(const std::string& path, RecordLog* log, const std::function<void(const std::string& key, const vaa_sample* sample)>& use);

}  // namespace vaa::capture
