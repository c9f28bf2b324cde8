// One pass over the requests that an input holds, in its order.
#pragma once
#include <memory>
#include <string>

#include "capture/request.h"

namespace vaa::capture {

class RequestPass {
 public:
  enum class Item : uint8_t { kRequest, kProblem, kPassedOver, kEnd };  // kPassedOver: a sample without the flag
  virtual ~RequestPass() = default;
  virtual Item next(Request* request, std::string* problem) = 0;  // throws Failure (VAA_ERROR_IO)
};

std::unique_ptr<RequestPass> open_line_pass(const std::string& path);
// Samples with `flag` ("any": of severity fail; "" : all). Throws Failure.
std::unique_ptr<RequestPass> open_run_pass(const std::string& path, const std::string& flag);

constexpr size_t kMaxRequestLine = 268435456;  // bytes, as vaa_records_open's max_line
// True where one of the first lines of the file is a batch line ({"body": {…}}), or, with `bare`, a bare body.
bool holds_requests(const std::string& path, bool bare);

}  // namespace vaa::capture
