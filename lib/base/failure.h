// A fault that the caller must hear of: a status and one line for a person. Thrown anywhere, caught in capi/guard.h and base/parallel.h only.
#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "vaa/base.h"

namespace vaa {

class Failure : public std::exception {
 public:
  Failure(vaa_status status, std::string message) : status_(status), message_(std::move(message)) {}
  vaa_status status() const { return status_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  vaa_status status_;
  std::string message_;
};

[[noreturn]] inline void fail(vaa_status status, std::string message) { throw Failure(status, std::move(message)); }

// `text` in quotation marks for a message: control characters and invalid UTF-8 escaped, cut at `max` bytes.
std::string quoted(std::string_view text, size_t max = 80);

}  // namespace vaa
