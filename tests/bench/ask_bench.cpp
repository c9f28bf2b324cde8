// The client side of vaa_capture over streams from the loopback: CPU time of a token and of a request, and memory as streams go by. ask_vs_aiohttp.py runs it beside its peers.
//   ask_bench serve [--tokens N] [--pace MS] [--whole]         a server; prints its port
//   ask_bench ask URL [--at-once N] [--requests N]             prints requests, tokens, CPU seconds, resident KiB at each quarter
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "capture/session.h"
#include "cpu_clock.h"
#include "token_server.h"

namespace {

long resident_kib() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

double option(int argc, char** argv, const char* name, double fallback) {
  for (int i = 2; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return std::atof(argv[i + 1]);
  return fallback;
}

int ask(const std::string& url, int at_once, int64_t requests) {
  using namespace vaa;
  using namespace vaa::capture;
  Server server;
  server.url = server.endpoint = url;
  server.dialect = find_dialect("vllm");
  SessionOptions options;
  options.connection.concurrency = at_once;
  Session session(options, {server});
  int64_t asked = 0, answered = 0, failed = 0, tokens = 0;
  std::string memory;
  const double before = cpu_seconds();
  Answer answer;
  while (answered < requests) {
    while (asked < requests && session.busy() < static_cast<size_t>(at_once)) session.ask({asked++, 0, "/v1/chat/completions", R"({"model": "toy", "messages": [{"role": "user", "content": "hi"}], "stream": true})"});
    if (!session.next(&answer, 1, nullptr)) continue;
    failed += answer.failed;
    tokens += answer.tokens;
    session.recycle(&answer);
    if ((answered + 1) * 4 / requests != answered * 4 / requests) memory += " " + std::to_string(resident_kib());
    ++answered;
  }
  std::printf("%lld %lld %lld %.6f%s\n", static_cast<long long>(answered), static_cast<long long>(failed), static_cast<long long>(tokens), cpu_seconds() - before, memory.c_str());
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && std::strcmp(argv[1], "serve") == 0) {
    TokenServer options;
    options.tokens = static_cast<int>(option(argc, argv, "--tokens", 1000));
    options.pace_s = option(argc, argv, "--pace", 0) / 1000;
    for (int i = 2; i < argc; ++i) options.stream = options.stream && std::strcmp(argv[i], "--whole") != 0;
    return serve_tokens(options);
  }
  if (argc >= 3 && std::strcmp(argv[1], "ask") == 0) return ask(argv[2], static_cast<int>(option(argc, argv, "--at-once", 64)), static_cast<int64_t>(option(argc, argv, "--requests", 64)));
  std::fprintf(stderr, "ask_bench serve [--tokens N] [--pace MS] [--whole] | ask_bench ask URL [--at-once N] [--requests N]\n");
  return 2;
}
