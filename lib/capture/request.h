// Requests: read from OpenAI batch lines or made from the samples of a run, and given the fields that a purpose needs.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/dialect.h"
#include "capture/owned.h"

namespace vaa::capture {

// One thing to ask, before it is fitted to a server.
struct Request {
  std::string id, dataset;      // as the records will say
  int64_t repeat = 0;
  std::string path;             // "/v1/chat/completions", "/v1/completions"
  std::string body;             // JSON object
  std::string source_file;
  int64_t source_line = 0;
};
inline bool is_chat(std::string_view path) { return path == "/v1/chat/completions"; }

// What is asked for instead of what the input says.
struct RequestChanges {
  std::optional<int64_t> max_tokens, top_k, seed;
  std::optional<double> temperature, top_p;
  int top_logprobs = -1;        // -1: as the purpose has it
  bool stream = true;
};

// What records are asked for decides what requests carry: a row of purpose_table() (purpose.cpp).
struct Purpose {
  const char* name;             // quality, compare, spec, cache
  bool ids, greedy;
  int top_logprobs;             // 0: none are asked for
  bool refuse_against_speculation;  // requests with members that would switch speculation off are refused by their names, never changed
  int times;                    // each request is sent so often, one after another
  const char *why, *why_zh;     // one line, for reports
};
std::span<const Purpose> purpose_table();
const Purpose& find_purpose(std::string_view name);  // throws Failure (VAA_ERROR_OPTION) that names them all

// The body as it is sent: the input's members but those that are set here, then those that the server, the purpose and the changes ask for. Exact: numbers and texts that are
// not changed are the input's bytes. *notes gets, once each, what the server cannot be asked for ("token ids: MindIE returns none") and what asking does to the path under test.
// Throws Failure: VAA_ERROR_FORMAT, the body is no JSON object; VAA_ERROR_ARGUMENT, the purpose refuses a member, with its name.
std::string fitted_body(const Request& request, const Server& server, const Purpose& purpose, const RequestChanges& changes, std::vector<Both>* notes);
// Members of the body that keep a request out of speculative decoding on this server ("logprobs", "min_p"), or are not applied there. One with its neutral value (min_p 0) is none.
std::vector<std::string> against_speculation(std::string_view body, const Server& server);
// What makes two requests the same question: hash of path and body without the model's name and what only decides how the answer is recorded (streaming, ids, logprobs), whatever the
// order of the members, white space and escapes; 32 hex digits. Throws Failure (VAA_ERROR_FORMAT).
std::string request_hash(std::string_view path, std::string_view body);

// What an answer is asked to bring with it.
struct Recording {
  bool stream = true, ids = true, usage = true;
  bool logprobs = false;        // of the token that was taken
  int top_logprobs = 0;         // and of that many of the best
};
// The members that ask for it, name and JSON value; "" : the member goes.
std::vector<std::pair<std::string, std::string>> recording_members(bool chat, const Recording& recording, const Dialect& dialect);

// A stream of requests out of a file or a run.
struct SourceOptions {
  std::string flag;             // only samples with this flag; "any": of severity fail; "" : all
  std::vector<std::string> ids; // only these ("17" or "gsm8k/17"); empty: all
  int64_t sample = 0;           // that many, drawn without order by `seed`, the same questions of any two runs; 0: all
  uint64_t seed = 1;
  int64_t repeat = 1;
};
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  virtual bool next(Request* request) = 0;       // false: the end. In input order, the repeats of one question one after another
  virtual int64_t total() const = 0;             // how many next() gives in all, known from the beginning
  virtual int64_t skipped() const = 0;           // lines that were no requests, samples without a prompt
  virtual const std::vector<std::string>& problems() const = 0;  // "file:line: what is wrong", the first 20
};
// Found by content (docs/ask.md): a file of request lines, or a run that vaa_records_open reads. Reads the input once to choose and count, and once more as it is asked. A custom_id
// that stands again is a repeat. Memory: some 40 bytes a request line, and 8 for each sample that is chosen by flag, ids or sample. Throws Failure.
std::unique_ptr<RequestSource> open_requests(const std::string& path, const SourceOptions& options, const vaa_task* task);
// One batch line, or a bare body ({"messages"|"prompt", …}; its id is left empty). Throws Failure (VAA_ERROR_FORMAT).
Request parse_request_line(std::string_view line);
// The prompt of a sample as a request; false where it has none.
bool request_from_sample(const vaa_sample* sample, Request* out);

}  // namespace vaa::capture
