#include "capture/stored_answers.h"

#include "base/json_writer.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

// extra.ask.key; "" : none.
std::string key_of(const vaa_sample* sample) {
  const std::string extra = text_field(sample, VAA_FIELD_EXTRA);
  if (extra.empty()) return "";
  const auto members = json_members(extra);
  const std::string_view ask = member_value(members, "ask");
  std::string key;
  if (!ask.empty() && ask.front() == '{') json_text(member_value(json_members(ask), "key"), &key);
  return key;
}

}  // namespace

void mark(vaa_sample* sample, const std::vector<std::pair<std::string, std::string>>& members) {
  const std::string extra = text_field(sample, VAA_FIELD_EXTRA);
  set_text(sample, VAA_FIELD_EXTRA, with_members(json_members(extra.empty() ? "{}" : extra), members));
}

std::string ask_mark(std::string_view key) {
  std::string ask;
  JsonWriter(&ask).begin_object().member("key", key).end_object();
  return ask;
}

void check_resumed_of(std::string_view command, const std::string& path, const RecordLog& log) {
  if (log.header().empty()) return;
  const auto header = json_members(log.header());
  const std::string_view extra = member_value(header, "extra");
  if (!extra.empty() && extra.front() == '{' && !member_value(json_members(extra), command).empty()) return;
  fail(VAA_ERROR_ARGUMENT, quoted(path, 400) + ": holds answers to other questions than those of " + std::string(command) + "; go on with it as it was begun, or write to another file");
}

void each_stored(const std::string& path, RecordLog* log, const std::function<void(const std::string& key, const vaa_sample* sample)>& use) {
  if (log->resumed() == 0) return;
  log->flush();
  vaa_records* records = nullptr;
  must([&](vaa_error** err) { return vaa_records_open(border(path), vaa_str{"", 0}, &records, err); });
  const OwnedRecords own_records(records);
  vaa_cursor* cursor = nullptr;
  must([&](vaa_error** err) { return vaa_cursor_new(records, &cursor, err); });
  const OwnedCursor own_cursor(cursor);
  const OwnedSample sample = new_sample();
  for (int32_t more = 1;;) {
    must([&](vaa_error** err) { return vaa_cursor_next(cursor, sample.get(), &more, err); });
    if (!more) return;
    const std::string key = key_of(sample.get());
    if (!key.empty() && log->has(key)) use(key, sample.get());
  }
}

}  // namespace vaa::capture
