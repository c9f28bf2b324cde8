// A body of an OpenAI-compatible server: a chat or completion response, one chunk of a stream, or an error. Read into pieces, from which responses and streams make samples.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"
#include "records/readers/token_logprobs.h"

namespace vaa {

// One element of choices: whole in a response, a piece in a stream.
struct ChoicePart {
  int64_t index = 0;
  bool message = false;             // there was a message or delta
  bool so_far = false;              // of a stream: all of the answer up to here, not a piece of it
  Sample fields;                    // text, reasoning, ids, finish and stop reason
  TokenLogprobs logprobs;
  std::string tool_calls;           // a JSON list; "" : none
  std::string_view prompt_logprobs; // JSON, in the body's bytes; "" : none
  void clear();
};

// One body. Memory is kept from one to the next.
struct OpenaiBody {
  static constexpr size_t kMaxChoices = 16384;  // vLLM's own limit of n

  Sample common;                     // id, model, usage, timing, error: what belongs to all choices
  Sample flat_error;                 // message, type and code at the top, as in an older error body
  std::string object;
  std::string_view prompt_logprobs;  // JSON, in the body's bytes; "" : none
  bool has_choices = false;
  void clear();
  size_t size() const { return count_; }
  ChoicePart& operator[](size_t i) { return *parts_[i]; }
  ChoicePart& add();

 private:
  std::vector<std::unique_ptr<ChoicePart>> parts_;
  size_t count_ = 0;
};

// False where the body is malformed, of wrong kinds, or neither a response nor an error. The body's bytes must stay while *out is used.
bool read_openai_body(JsonReader* json, OpenaiBody* out, std::string* why);
// llama.cpp's own body, or a chunk of its stream, as the one choice of *out.
bool read_llamacpp_body(JsonReader* json, OpenaiBody* out, std::string* why);
// Brings what a choice gathered into its sample's normal form: message, tool calls, logprobs, where the ids come from, reasoning.
void finish_choice(bool streamed, bool message, const std::string& tool_calls, const TokenLogprobs& logprobs, Sample* sample, Problems* problems);
// Where a request failed before anything arrived: that is no empty answer.
void unset_empty_output(Sample* sample);
// A sample for each choice, one without output where there is none. Takes the fields of *body.
bool emit_openai_body(OpenaiBody* body, SampleQueue* out, Problems* problems, std::string* why);

// State of a reader of whole bodies of one kind.
class BodyReader {
 public:
  virtual ~BodyReader() = default;
  // Adds the body's samples; id and repeat may be left for the caller.
  virtual bool read(JsonReader* json, SampleQueue* out, Problems* problems, std::string* why) = 0;
};
std::unique_ptr<BodyReader> openai_reader();
std::unique_ptr<BodyReader> sglang_reader();
std::unique_ptr<BodyReader> llamacpp_reader();
std::unique_ptr<BodyReader> mindie_reader();

// A parser of files in which each unit is one body: adds what is the same everywhere (id from the line, repeat 0, source).
std::unique_ptr<UnitParser> body_parser(std::unique_ptr<BodyReader> reader, const char* format, const FileContext& context);

}  // namespace vaa
