#include "capture/late_read.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>

namespace vaa::capture {
namespace {

constexpr double kLongestS = 0.25;
constexpr double kShareOfAge = 1.0 / 16;
constexpr size_t kBuffer = size_t{16} << 10;  // what libcurl reads at once

}  // namespace

double may_wait(double age_s, size_t bytes, double period_s) {
  if (bytes >= kBuffer) return 0;
  double wait = std::min(kLongestS, age_s * kShareOfAge);
  if (bytes > 0) wait = std::min(wait, period_s * static_cast<double>(kBuffer / 2) / static_cast<double>(bytes));
  return wait < kLookS ? 0 : wait;
}

double quiet_s(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < offsetof(tcp_info, tcpi_last_data_recv) + sizeof info.tcpi_last_data_recv) return 0;
  return static_cast<double>(info.tcpi_last_data_recv) / 1000;
}

}  // namespace vaa::capture
