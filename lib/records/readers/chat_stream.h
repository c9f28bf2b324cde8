// Chunks of chat and completion streams, and of the own streams of SGLang and llama.cpp, put together to samples. Of a file one stream is open at a time: it ends at [DONE], where a chunk with another id begins, and at the
// end of the file. A response is one stream, whatever its chunks say. Memory: what the open stream has brought. Time: linear in the chunks.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"
#include "records/readers/any_body.h"
#include "records/readers/sglang_body.h"

namespace vaa {

class ChatStream {
 public:
  enum class Source : uint8_t {
    kFile,      // samples are named by place and line where the chunks have no id
    kResponse,  // they say what arrived when and in which portions: ttft_s, extra.chunk_tokens
  };
  ChatStream(const char* format, const FileContext& context, Source source) : format_(format), context_(context), source_(source) {}

  // One event: a chunk, an error or the end mark. False: it is none of them, with *why; what had arrived stays.
  bool event(std::string_view data, std::string_view type, int64_t line, SampleQueue* out, std::string* why);
  // An event was lost or stopped short: where no finish reason follows, that is where the stream was cut.
  void broken() { broken_ = true; }
  // The end of the file or response.
  void finish(SampleQueue* out) { close(end_mark_, out); }
  void clear();  // as new

  // Of a response: seconds since it was asked for, of the events from now on; NaN: not known.
  void at(double seconds) { now_ = seconds; }
  int64_t tokens() const { return ids_ > 0 ? ids_ : pieces_; }  // output that arrived: ids where there are any, else chunks
  bool open() const { return open_; }
  bool end_mark() const { return end_mark_; }

 private:
  struct ToolCall {
    std::string id, name, arguments;
  };
  struct Portion {
    int64_t tokens, chunks;  // that many tokens came with each of so many chunks in a row
  };
  struct Choice {
    double first = std::numeric_limits<double>::quiet_NaN();  // when the first output came
    std::vector<Portion> portions;
    int64_t ids = 0;
    Sample sample;
    TokenLogprobs logprobs;
    std::map<int64_t, ToolCall> calls;
    bool message = false;
    std::string prompt_logprobs;
  };

  void begin(int64_t line);
  void close(bool end_mark, SampleQueue* out);
  bool read_chunk(std::string_view data, std::string* why);
  void take_so_far(ChoicePart* part, Choice* choice);
  bool apply(SampleQueue* out, int64_t line, std::string* why);
  bool add_piece(ChoicePart* part, std::string* why);
  void count(const ChoicePart& part, size_t entries, Choice* choice);
  void record_arrival(const Choice& choice, Sample* sample) const;
  bool add_calls(const std::string& json, Choice* choice, std::string* why);
  void finish_sample(Choice* choice, bool end_mark, Sample* sample);

  const char* format_;
  FileContext context_;
  Source source_;
  OpenaiBody body_;
  SglangBody sglang_;
  BodyKind kind_ = BodyKind::kOpenai;  // of the chunks
  bool kind_known_ = false;
  JsonReader json_{std::string_view()};
  std::map<int64_t, Choice> choices_;  // by index
  Sample common_;
  bool open_ = false, broken_ = false, end_mark_ = false;
  double now_ = std::numeric_limits<double>::quiet_NaN();
  int64_t ids_ = 0, pieces_ = 0;  // output over all choices
  int64_t other_ids_ = 0;         // chunks of a response that have another id than its first
  int64_t place_ = 0;  // of the stream in the file, from 1
  int64_t line_ = 0;   // where it began
};

}  // namespace vaa
