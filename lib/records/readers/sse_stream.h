// An event stream from its lines or from its bytes as they arrive: lines to events, events to a ChatStream. Files and live responses share it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "records/readers/chat_stream.h"
#include "records/readers/sse_events.h"

namespace vaa {

class SseStream {
 public:
  // max_event: bytes of one event's data; a longer one is a problem and stays out.
  SseStream(const FileContext& context, size_t max_event, ChatStream::Source source);

  // A line without its end. `number` counts from 1. A bad event goes to the context's problems: the samples of its line belong to streams that were whole.
  void line(std::string_view line, int64_t number, SampleQueue* out);
  // Bytes cut anywhere. Lines end in LF, CRLF or CR, also where the two of CRLF come apart. Linear in the bytes.
  void push(std::string_view bytes, SampleQueue* out);
  // The end of the file or response.
  void finish(SampleQueue* out);
  void clear();  // another response; memory is kept

  ChatStream& chat() { return chat_; }
  const ChatStream& chat() const { return chat_; }

 private:
  void keep(std::string_view piece);
  void end_line(std::string_view rest, SampleQueue* out);
  void take_event(SampleQueue* out);
  bool by_lines(SampleQueue* out);

  FileContext context_;
  size_t max_event_;
  SseEvents events_;
  ChatStream chat_;
  std::string partial_;      // of a line that has not ended
  std::string why_;
  int64_t lines_ = 0;        // ended so far
  bool too_long_ = false;    // the line is: it is not kept
  bool after_cr_ = false;    // a line feed that comes next belongs to the last line's end
};

}  // namespace vaa
