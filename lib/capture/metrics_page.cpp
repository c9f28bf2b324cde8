#include "capture/metrics_page.h"

#include "base/failure.h"
#include "capture/base_url.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxPage = size_t{64} << 20;
constexpr double kTimeoutS = 10;

}  // namespace

std::string metrics_page(const AskerOptions& options, int64_t index, const vaa_task* task) {
  if (index < 0 || static_cast<size_t>(index) >= options.urls.size()) fail(VAA_ERROR_ARGUMENT, "index: is " + std::to_string(index) + ", there are " + std::to_string(options.urls.size()) + " URLs");
  const BaseUrl base = parse_base_url(options.urls[static_cast<size_t>(index)], "urls");
  ConnectionOptions connection = options.session.connection;
  connection.timeout_s = kTimeoutS;
  HttpResponse answer = fetch(connection, {base.url + "/metrics", ""}, kMaxPage, task);
  const std::string why = answer.end.kind != HttpEnd::Kind::kWhole ? answer.end.fault : answer.end.status != 200 ? "HTTP status " + std::to_string(answer.end.status) : "";
  if (!why.empty()) fail(VAA_ERROR_IO, base.shown + "/metrics: " + why);
  return std::move(answer.body);
}

}  // namespace vaa::capture
