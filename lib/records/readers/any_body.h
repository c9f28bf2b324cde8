// A whole response of any server that is read here, told apart by the first key that only one kind of body has.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "records/readers/openai_body.h"

namespace vaa {

enum class BodyKind : uint8_t { kOpenai, kSglang, kLlamacpp, kMindie };
// kOpenai where no key tells.
BodyKind body_kind(std::string_view body);

class AnyBody {
 public:
  AnyBody();
  // Adds the samples of a JSON object or list. False: it is malformed or of no kind that is read, with *why, and adds nothing.
  bool read(std::string_view body, SampleQueue* out, Problems* problems, std::string* why);
  const char* format() const { return format_; }  // of the last body

 private:
  static constexpr size_t kKinds = 4;
  std::array<std::unique_ptr<BodyReader>, kKinds> readers_;
  const char* format_ = "";
};

// What the HTTP status says of a response's sample: from 400 on it failed, and a failure has a status, below 400 the one in its body where there is one. 0: not known.
void apply_status(int64_t status, Sample* sample);

}  // namespace vaa
