#include "base/failure.h"
#include "capture/secrets.h"
#include "capture/transport.h"

namespace vaa::capture {
namespace {

class WholeBody final : public HttpSink {
 public:
  explicit WholeBody(size_t max_bytes) : max_bytes_(max_bytes) {}
  void header(std::string_view, std::string_view) override {}
  void head(int, std::string_view content_type, double) override { response.content_type = content_type; }
  void bytes(std::string_view bytes, double) override {
    if (bytes.size() > max_bytes_ - response.body.size()) fail(VAA_ERROR_CAPACITY, "the answer goes over " + std::to_string(max_bytes_) + " bytes");
    response.body.append(bytes);
  }
  void end(const HttpEnd& end, double) override { response.end = end; }
  HttpResponse response;

 private:
  size_t max_bytes_;
};

}  // namespace

HttpResponse fetch(const ConnectionOptions& options, const HttpRequest& request, size_t max_bytes, const vaa_task* task) {
  ConnectionOptions one = options;
  one.concurrency = 1;
  WholeBody sink(max_bytes);
  Transport transport(one);
  transport.start(request.url, request.body, &sink);
  while (transport.in_flight() > 0) transport.run(1000, task);
  if (sink.response.end.kind == HttpEnd::Kind::kCancelled) fail(VAA_ERROR_CANCELLED, "cancelled");
  sink.response.body = without_keys(std::move(sink.response.body), options.secrets);
  return std::move(sink.response);
}

}  // namespace vaa::capture
