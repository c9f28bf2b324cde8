// The trial request: asks for all that records can hold, and for less where the server refuses. Pure: no network.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capture/dialect.h"
#include "capture/request.h"
#include "capture/transport.h"

namespace vaa::capture {

// What one trial asks for.
struct Trial {
  bool chat = true;
  Recording asked;
};
Trial first_trial(const Dialect& dialect);

const char* trial_path(const Trial& trial);
// 2 greedy tokens after a short prompt.
std::string trial_body(const Trial& trial, const Server& server);
// The same after a text at /v1/completions, nothing more asked for.
std::string text_trial_body(const Server& server);
// One token after these ids as a prompt of /v1/completions.
std::string ids_trial_body(const std::vector<int32_t>& ids, const Server& server);

enum class TrialEnd : uint8_t { kTaken, kRefused, kFailed };  // kFailed: with less it would not go better
TrialEnd trial_end(const HttpResponse& answer);
// What a server that refused said, with its status, or the error that its 200 brought.
Both refusal_words(const HttpResponse& answer);
// What a taken trial proves, into *server; what was asked and did not come becomes a problem in words.
void read_trial(const Trial& asked, const HttpResponse& answer, Server* server);
// The same trial without a stream, after one whose stream brought no token ids: whether the whole answer has them.
void read_whole_trial(const Trial& trial, const HttpResponse& answer, Server* server);
// Leaves out what the refusal names, else what is least often known, at last the chat, and says what; "" : nothing is left to leave out.
std::string ask_less(Trial* trial, const HttpResponse& refusal, const Dialect& dialect);

// The body of POST tokenize_path.
std::string tokenize_body(std::string_view text, const Server& server);
// Ids of the answer to it; false where there are none.
bool read_tokenized(const HttpResponse& answer, std::vector<int32_t>* ids);
// Whether a prompt of `ids` ids was taken as ids: it was answered, and the server counts that many prompt tokens. *problem: where it counts others.
bool read_ids_trial(const HttpResponse& answer, size_t ids, Both* problem);

}  // namespace vaa::capture
