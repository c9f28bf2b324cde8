// Chunks of chat and completion streams put together to samples. One stream is open at a time: it ends at [DONE], where a chunk with another id begins, and at the end of
// the file. Memory: what the open stream has brought. Time: linear in the chunks.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"
#include "records/readers/openai_body.h"

namespace vaa {

class ChatStream {
 public:
  ChatStream(const char* format, const FileContext& context) : format_(format), context_(context) {}

  // One event: a chunk, an error or the end mark. False: it is none of them, with *why; what had arrived stays.
  bool event(std::string_view data, std::string_view type, int64_t line, SampleQueue* out, std::string* why);
  // An event was lost or stopped short: where no finish reason follows, that is where the stream was cut.
  void broken() { broken_ = true; }
  // The end of the file.
  void finish(SampleQueue* out) { close(false, out); }
  bool open() const { return open_; }

 private:
  struct ToolCall {
    std::string id, name, arguments;
  };
  struct Choice {
    Sample sample;
    TokenLogprobs logprobs;
    std::map<int64_t, ToolCall> calls;
    bool message = false;
    std::string prompt_logprobs;
  };

  void begin(int64_t line);
  void close(bool end_mark, SampleQueue* out);
  bool apply(SampleQueue* out, int64_t line, std::string* why);
  bool add_piece(ChoicePart* part, std::string* why);
  bool add_calls(const std::string& json, Choice* choice, std::string* why);
  void finish_sample(Choice* choice, bool end_mark, Sample* sample);

  const char* format_;
  FileContext context_;
  OpenaiBody body_;
  JsonReader json_{std::string_view()};
  std::map<int64_t, Choice> choices_;  // by index
  Sample common_;
  bool open_ = false, broken_ = false;
  int64_t place_ = 0;  // of the stream in the file, from 1
  int64_t line_ = 0;   // where it began
};

}  // namespace vaa
