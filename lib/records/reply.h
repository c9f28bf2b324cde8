// One response at a time, made into samples while its bytes arrive (include/vaa/reply.h). What it holds is told by its first bytes, and by the content type where those leave it
// open: an event stream, or a whole body. The parsers are those of files.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "records/readers/any_body.h"
#include "records/readers/sse_stream.h"

namespace vaa {

class Reply {
 public:
  // max_event: bytes of one event or of a whole body.
  explicit Reply(int64_t max_event);
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  // Throw Failure (VAA_ERROR_ARGUMENT) where a call comes out of turn.
  void begin(std::string_view request, double start_s);
  void head(int32_t status, std::string_view content_type);
  void push(std::string_view bytes, double time_s);
  void end(double end_s, std::string_view fault);
  bool next(Sample* sample);  // false: none is left
  int64_t tokens() const { return stream_.chat().tokens(); }

 private:
  enum class State : uint8_t { kNew, kBegun, kBody, kEnded };
  enum class Kind : uint8_t { kUnknown, kStream, kWhole };
  void must_be_open(const char* call) const;
  void decide(bool more);
  void take(std::string_view bytes);
  void read_body(std::string_view fault);
  std::string failure(std::string_view body, std::string_view fault) const;
  void settle(std::string_view fault, double end_s, Sample* sample);
  void add_failure(std::string_view message);
  void add_problems(Sample* sample) const;

  static constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
  OpenOptions options_;
  Problems problems_;
  SseStream stream_;
  AnyBody any_;
  SampleQueue queue_;
  Sample request_;
  std::string body_;      // whole, or the first bytes of a response whose kind is not known yet
  std::string beginning_; // of a stream, for a message
  State state_ = State::kNew;
  Kind kind_ = Kind::kUnknown;
  bool events_ = false;    // the content type is that of an event stream
  bool too_long_ = false;  // the whole body is, and was not kept
  bool whole_ = false;     // the body was read to its end
  int32_t status_ = 0;
  double start_s_ = kNever;
};

}  // namespace vaa
