// The monitor on streams, symbol by symbol as servers push them, beside the rule that engines check by brute force: at each token, is the tail min_count copies of a pattern of
// 4 to 128 tokens? Both over the same streams, turn by turn. Then how the monitor grows on hostile streams.
//   monitor_bench [--million N]    N million symbols a stream (default 10)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "quality/monitor.h"

namespace {

// Distinct words of 1 to 9 letters, drawn by Zipf's law as in text: the ids are their ranks.
std::vector<int32_t> zipf_ids(size_t n) {
  std::mt19937_64 random(1);
  std::vector<int32_t> out(n);
  for (int32_t& id : out) id = static_cast<int32_t>(std::exp2(static_cast<double>(random() % 65536) / 65536 * 16) - 1);  // density 1/x up to 65,535
  return out;
}
std::string words_of(const std::vector<int32_t>& ids, size_t size) {
  std::string out;
  for (size_t i = 0; out.size() < size; i = (i + 1) % ids.size()) {
    for (int32_t id = ids[i] + 1; id > 0; id /= 19) out.push_back(static_cast<char>('a' + id % 19));
    out.push_back(' ');
  }
  return out;
}
template <class Symbol>
std::vector<Symbol> one_symbol(size_t n) {
  return std::vector<Symbol>(n, 'a');
}
template <class Symbol>
std::vector<Symbol> fibonacci(size_t n) {
  std::vector<Symbol> a = {'a'}, b = {'a', 'b'};
  while (b.size() < n) {
    std::vector<Symbol> c = b;
    c.insert(c.end(), a.begin(), a.end());
    a = std::move(b);
    b = std::move(c);
  }
  b.resize(n);
  return b;
}
// A unit of 1,000 with one symbol changed in each copy.
template <class Symbol>
std::vector<Symbol> near_periodic(size_t n) {
  std::mt19937_64 random(2);
  std::vector<Symbol> unit(1000), out;
  for (Symbol& s : unit) s = static_cast<Symbol>('a' + random() % 20);
  while (out.size() < n) {
    out.insert(out.end(), unit.begin(), unit.end());
    out[out.size() - 1 - random() % unit.size()] = 'z';
  }
  out.resize(n);
  return out;
}
// Windows of 20 that are all different (x^20 + x^3 + 1).
template <class Symbol>
std::vector<Symbol> de_bruijn(size_t n) {
  std::vector<Symbol> out(n);
  uint32_t state = 1;
  for (Symbol& s : out) {
    s = static_cast<Symbol>('a' + (state & 1));
    state = (state >> 1) | (((state ^ (state >> 3)) & 1) << 19);
  }
  return out;
}

// True where the last min_count * p tokens are min_count copies of the last p, for a p of 4 to 128.
bool brute_force(std::span<const int32_t> ids, size_t min_count) {
  for (size_t p = 4; p <= 128; ++p) {
    if (p * min_count > ids.size()) return false;
    const std::span<const int32_t> tail = ids.last(p * min_count);
    size_t i = p;
    while (i < tail.size() && tail[tail.size() - 1 - i] == tail[tail.size() - 1 - i + p]) ++i;
    if (i == tail.size()) return true;
  }
  return false;
}

// Of this process: other work beside does not count.
double seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

vaa::MonitorState state_after(std::span<const int32_t> ids, size_t chunk) {
  vaa::Monitor monitor(vaa::monitor_options(""), nullptr);
  for (size_t at = 0; at < ids.size(); at += chunk) monitor.push_ids(ids.subspan(at, std::min(chunk, ids.size() - at)));
  return monitor.state();
}
vaa::MonitorState state_after(std::string_view text, size_t chunk) {
  vaa::Monitor monitor(vaa::monitor_options(""), nullptr);
  for (size_t at = 0; at < text.size(); at += chunk) monitor.push_text(text.substr(at, chunk));
  return monitor.state();
}

std::string_view text_of(const std::vector<uint8_t>& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <class Stream>
void grow(const char* name, const Stream& stream) {
  std::printf("%-24s", name);
  double last = 0;
  for (const size_t part : {16, 4, 1}) {
    const auto piece = Stream(stream.data(), stream.size() / part);
    last = 1e9;
    for (int round = 0; round < 2; ++round) last = std::min(last, seconds([&] { state_after(piece, 64); }) * 1e9 / static_cast<double>(piece.size()));
    std::printf(" %10.1f", last);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  size_t million = 10;
  if (argc == 3 && std::strcmp(argv[1], "--million") == 0) million = static_cast<size_t>(std::max(1, std::atoi(argv[2])));
  else if (argc != 1) return std::fprintf(stderr, "usage: monitor_bench [--million N]\n"), 2;
  const size_t n = million * 1000000;

  const std::vector<int32_t> ids = zipf_ids(n);
  const std::string text = words_of(ids, n);
  const std::span<const int32_t> some(ids.data(), n / 10);
  double one = 1e9, many = 1e9, peer = 1e9, bytes = 1e9, pieces = 1e9;
  size_t alarms = 0;
  for (int round = 0; round < 3; ++round) {
    one = std::min(one, seconds([&] { state_after(std::span<const int32_t>(ids), 1); }) / static_cast<double>(n));
    many = std::min(many, seconds([&] { state_after(std::span<const int32_t>(ids), 64); }) / static_cast<double>(n));
    bytes = std::min(bytes, seconds([&] { state_after(text, 4); }) / static_cast<double>(text.size()));
    pieces = std::min(pieces, seconds([&] { state_after(text, 4096); }) / static_cast<double>(text.size()));
    peer = std::min(peer, seconds([&] {
                      for (size_t i = 1; i <= some.size(); ++i) alarms += brute_force(some.first(i), 4);
                    }) / static_cast<double>(some.size()));
  }
  std::printf("ids, one a push          %8.1f million/s   %5.1f ns each\n", 1e-6 / one, one * 1e9);
  std::printf("ids, 64 a push           %8.1f million/s   %5.1f ns each\n", 1e-6 / many, many * 1e9);
  std::printf("text, 4 bytes a push     %8.1f MB/s\n", 1e-6 / bytes);
  std::printf("text, 4 KiB a push       %8.1f MB/s\n", 1e-6 / pieces);
  std::printf("brute force, 4..128 x 4  %8.1f million/s   %5.1f ns each   the monitor is %.1fx as fast (%zu alarms)\n\n", 1e-6 / peer, peer * 1e9, peer / one, alarms);

  std::printf("%-24s %10s %10s %10s   (ns a symbol at a sixteenth, a quarter and all of %zu million)\n", "hostile", "1/16", "1/4", "all", million);
  grow<std::span<const int32_t>>("ids, one symbol", one_symbol<int32_t>(n));
  grow<std::span<const int32_t>>("ids, Fibonacci", fibonacci<int32_t>(n));
  grow<std::span<const int32_t>>("ids, near-periodic", near_periodic<int32_t>(n));
  grow<std::span<const int32_t>>("ids, de Bruijn", de_bruijn<int32_t>(n));
  const std::vector<std::pair<const char*, std::vector<uint8_t>>> texts = {
      {"text, one symbol", one_symbol<uint8_t>(n)}, {"text, Fibonacci", fibonacci<uint8_t>(n)}, {"text, near-periodic", near_periodic<uint8_t>(n)}, {"text, de Bruijn", de_bruijn<uint8_t>(n)}};
  for (const auto& [name, stream] : texts) grow<std::string_view>(name, text_of(stream));
  return 0;
}
