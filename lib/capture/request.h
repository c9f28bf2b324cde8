// Requests: read from OpenAI batch lines or made from the samples of a run, and given the fields that a purpose needs.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/dialect.h"
#include "capture/owned.h"

namespace vaa {

// One thing to ask, before it is fitted to a server.
struct Request {
  std::string id, dataset;      // as the records will say
  int64_t repeat = 0;
  std::string path;             // "/v1/chat/completions", "/v1/completions"
  std::string body;             // JSON object
  std::string source_file;
  int64_t source_line = 0;
};

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
  bool strip_against_speculation;  // members that would switch speculation off are refused by name, not dropped
  int times;                    // each request is sent so often, one after another
  const char* why;              // one line, for --help and docs
};
const Purpose& find_purpose(std::string_view name);  // throws Failure (VAA_ERROR_OPTION) that names them all

// The body as it is sent: the input's members but those that are set here, then those that the server, the purpose and the changes ask for. Exact: numbers and texts that are
// not changed are the input's bytes. *left_out names what the server cannot be asked for ("token ids: mindie returns none").
std::string fitted_body(const Request& request, const Server& server, const Purpose& purpose, const RequestChanges& changes, std::vector<std::string>* left_out);
// Members of the body that keep a request out of speculative decoding on this server ("logprobs", "min_p").
std::vector<std::string> against_speculation(std::string_view body, const Server& server);
// What makes two requests the same question: hash of path and body without the model's name, 32 hex digits.
std::string request_hash(std::string_view path, std::string_view body);

// A stream of requests out of a file or a run.
struct SourceOptions {
  std::string flag;             // only samples with this flag; "any": of severity fail; "" : all
  std::vector<std::string> ids; // only these; empty: all
  int64_t sample = 0;           // that many, drawn without order by `seed`; 0: all
  uint64_t seed = 1;
  int64_t repeat = 1;
};
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  virtual bool next(Request* request) = 0;       // false: the end
  virtual int64_t total() const = 0;             // -1: not known
  virtual int64_t skipped() const = 0;           // lines that were no requests, samples without a prompt
  virtual const std::vector<std::string>& problems() const = 0;  // "file:line: what is wrong", the first 20
};
// Found by content: the first line that is no request makes it a run. Throws Failure.
std::unique_ptr<RequestSource> open_requests(const std::string& path, const SourceOptions& options, const vaa_task* task);
// One batch line. Throws Failure (VAA_ERROR_FORMAT).
Request parse_request_line(std::string_view line);
// The prompt of a sample as a request; false where it has none.
bool request_from_sample(const vaa_sample* sample, Request* out);

}  // namespace vaa
