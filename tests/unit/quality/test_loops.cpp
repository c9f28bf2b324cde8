// Runs: against a search by definition, and on sequences that are hard for searches of repetitions.
#include <algorithm>
#include <chrono>
#include <random>

#include "catch.h"
#include "quality/loops.h"
#include "quality/runs.h"

using namespace vaa;

namespace {

template <class Symbol>
std::span<const Symbol> view(const std::vector<Symbol>& v) {
  return v;
}
std::vector<uint8_t> bytes(std::string_view s) { return {s.begin(), s.end()}; }

// By definition: every period, the longest suffix with it; the widest, then the shortest period.
template <class Symbol>
Run tail_by_definition(const std::vector<Symbol>& s) {
  Run best;
  const size_t n = s.size();
  for (size_t p = 1; p * RunLimits<Symbol>::kMinCount <= n; ++p) {
    size_t begin = n - p;
    while (begin > 0 && s[begin - 1] == s[begin - 1 + p]) --begin;
    const Run run{begin, n, p};
    if (run.cover() >= RunLimits<Symbol>::kMinCover && run.count() >= RunLimits<Symbol>::kMinCount && run.cover() > best.cover()) best = run;
  }
  return best;
}

template <class Symbol>
std::vector<Symbol> repeated(const std::vector<Symbol>& before, const std::vector<Symbol>& unit, size_t length, const std::vector<Symbol>& after) {
  std::vector<Symbol> out = before;
  for (size_t i = 0; i < length; ++i) out.push_back(unit[i % unit.size()]);
  out.insert(out.end(), after.begin(), after.end());
  return out;
}

template <class Symbol>
std::vector<Symbol> noise(std::mt19937& random, size_t n, int symbols) {
  std::vector<Symbol> out(n);
  for (Symbol& s : out) s = static_cast<Symbol>(random() % static_cast<unsigned>(symbols));
  return out;
}

std::string fibonacci(size_t n) {
  std::string a = "a", b = "ab";
  while (b.size() < n) {
    std::string c = b + a;
    a = std::move(b);
    b = std::move(c);
  }
  return b.substr(0, n);
}
std::string thue_morse(size_t n) {
  std::string out(n, 'a');
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<char>('a' + __builtin_popcountll(i) % 2);
  return out;
}
// Windows of `order` letters that are all different, by a shift register (x^20 + x^3 + 1).
std::string de_bruijn(size_t n) {
  std::string out(n, 'a');
  uint32_t state = 1;
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<char>('a' + (state & 1));
    state = (state >> 1) | (((state ^ (state >> 3)) & 1) << 19);
  }
  return out;
}
// Copies that differ in one symbol each.
std::string nearly_periodic(size_t n, size_t period) {
  std::string out(n, 'x');
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<char>('a' + (i % period) * 7 % 26);
  for (size_t i = period / 2, k = 0; i < n; i += period, ++k) out[i] = static_cast<char>('A' + k % 23);
  return out;
}

double seconds_of(const std::string& text) {
  RunScratch scratch;
  std::vector<Run> runs;
  const std::span<const uint8_t> s(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    runs.clear();
    const auto start = std::chrono::steady_clock::now();
    find_runs(s, &scratch, &runs);
    find_tail_run(s, &scratch);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

TEMPLATE_TEST_CASE("runs: the tail test is the one by definition", "[quality]", uint8_t, int32_t) {
  std::mt19937 random(7);
  RunScratch scratch;
  size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    const int symbols = 1 + static_cast<int>(random() % 3);
    const auto unit = noise<TestType>(random, 1 + random() % 40, symbols);
    auto s = repeated(noise<TestType>(random, random() % 200, symbols), unit, random() % 400, noise<TestType>(random, random() % 3 ? 0 : random() % 30, symbols));
    if (s.empty()) continue;
    const Run want = tail_by_definition(s), got = find_tail_run(view(s), &scratch);
    INFO("round " << round << " n " << s.size());
    CHECK(got.period == want.period);
    CHECK(got.begin == want.begin);
    found += want.period != 0;
  }
  CHECK(found > 1000);
}

TEMPLATE_TEST_CASE("runs: one inside is found whole, with its primitive period", "[quality]", uint8_t, int32_t) {
  std::mt19937 random(11);
  RunScratch scratch;
  for (int round = 0; round < 2000; ++round) {
    const size_t period = 1 + random() % 300;
    auto unit = noise<TestType>(random, period, 200);
    const size_t length = period * (5 + random() % 20) + random() % period + RunLimits<TestType>::kMinCover;
    auto before = noise<TestType>(random, 50 + random() % 400, 200), after = noise<TestType>(random, 50 + random() % 400, 200);
    before.back() = static_cast<TestType>(unit[period - 1] ^ 1);
    after.front() = static_cast<TestType>(unit[length % period] ^ 1);
    const auto s = repeated(before, unit, length, after);
    std::vector<Run> runs;
    find_runs(view(s), &scratch, &runs);
    INFO("round " << round << " period " << period);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].begin == before.size());
    CHECK(runs[0].end == before.size() + length);
    // 200 symbols at random: a unit is primitive but for the chance of one of a few symbols.
    CHECK(period % runs[0].period == 0);
  }
}

TEST_CASE("runs: several are found, each by itself", "[quality]") {
  RunScratch scratch;
  std::vector<Run> runs;
  std::string text = "A first sentence that is not said again. ";
  const size_t first = text.size();
  for (int i = 0; i < 60; ++i) text += "and so on, ";
  text += "Then something else comes, and after that: ";
  const size_t second = text.size();
  for (int i = 0; i < 40; ++i) text += "the same thing twice over. ";
  text += "End.";
  find_runs(view(bytes(text)), &scratch, &runs);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].period == 11);
  CHECK(std::max(runs[0].begin, first) - std::min(runs[0].begin, first) < 11);
  CHECK(runs[1].period == 27);
  CHECK(std::max(runs[1].begin, second) - std::min(runs[1].begin, second) < 27);
}

TEST_CASE("runs: a loop whose unit repeats pieces of itself is found inside a text", "[quality]") {
  const std::string wait = "Wait, let me check that again. ", hmm = "Hmm, that is not right. ", so = "So the answer is 4. ";
  const std::string after = "Now I write the final answer, which is a sentence of its own that goes on until nothing of what was said before is anywhere near.";
  for (const std::string& unit : {wait + hmm + wait + hmm + hmm + hmm + hmm, hmm + hmm + hmm + wait + wait + wait + wait + hmm + wait, so + so + so + hmm + so + hmm,
                                  so + wait + wait + wait + so + wait + so + wait}) {
    for (const size_t copies : {size_t{4}, size_t{7}, size_t{12}}) {
      std::string text = "First we read the question. ";
      for (size_t i = 0; i < copies; ++i) text += unit;
      const std::vector<uint8_t> s = bytes(text + after);
      RunScratch scratch;
      std::vector<Run> runs;
      find_runs(view(s), &scratch, &runs);
      INFO(copies << " of " << unit);
      CHECK(std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return run.period == unit.size() && run.count() >= copies; }));
    }
  }
}

TEST_CASE("runs: a short loop behind one long repetition is found", "[quality]") {
  // The whole has a period, too, of two copies only: no loop, and it must not hide the short one.
  RunScratch scratch;
  std::mt19937 random(3);
  auto part = noise<uint8_t>(random, 3000, 90);
  for (int i = 0; i < 150; ++i) part.push_back(static_cast<uint8_t>(i % 3 + 200));
  std::vector<uint8_t> s = part;
  s.insert(s.end(), part.begin(), part.end());
  const Run run = find_tail_run(view(s), &scratch);
  CHECK(run.period == 3);
  CHECK(run.cover() == 150);
}

TEST_CASE("runs: what is shorter than the least or has under four copies is none", "[quality]") {
  RunScratch scratch;
  std::vector<Run> runs;
  std::mt19937 random(5);
  const auto unit = noise<uint8_t>(random, 500, 250);
  std::vector<uint8_t> three = repeated<uint8_t>({}, unit, 1999, {});
  CHECK(find_tail_run(view(three), &scratch).period == 0);
  find_runs(view(three), &scratch, &runs);
  CHECK(runs.empty());
  CHECK(find_tail_run(view(bytes(std::string(99, '-'))), &scratch).period == 0);
  CHECK(find_tail_run(view(bytes(std::string(100, '-'))), &scratch).period == 1);
  CHECK(find_tail_run(std::span<const int32_t>(), &scratch).period == 0);
}

TEST_CASE("runs: a scratch that was used gives the same as a new one", "[quality]") {
  RunScratch used;
  std::vector<Run> runs;
  const std::string loop = std::string(200, 'q') + "abc";
  for (int i = 0; i < 50; ++i) {
    std::string text = fibonacci(100 + 37 * static_cast<size_t>(i)) + loop;
    RunScratch fresh;
    std::vector<Run> again;
    runs.clear();
    find_runs(view(bytes(text)), &used, &runs);
    find_runs(view(bytes(text)), &fresh, &again);
    REQUIRE(runs.size() == again.size());
    for (size_t k = 0; k < runs.size(); ++k) CHECK((runs[k].begin == again[k].begin && runs[k].end == again[k].end && runs[k].period == again[k].period));
  }
}

TEST_CASE("runs: time is linear on hostile sequences", "[quality]") {
  const std::vector<std::pair<const char*, std::string (*)(size_t)>> kinds = {
      {"one symbol", [](size_t n) { return std::string(n, '!'); }},
      {"NUL", [](size_t n) { return std::string(n, '\0'); }},
      {"Fibonacci", fibonacci},
      {"Thue-Morse", thue_morse},
      {"de Bruijn", de_bruijn},
      {"nearly periodic, short", [](size_t n) { return nearly_periodic(n, 40); }},
      {"nearly periodic, long", [](size_t n) { return nearly_periodic(n, 5000); }},
      {"blocks of one symbol", [](size_t n) { std::string s; for (size_t k = 1; s.size() < n; ++k) s += std::string(k % 300, 'a') + "b"; return s.substr(0, n); }},
  };
  for (const auto& [name, make] : kinds) {
    constexpr size_t kSmall = 1 << 18, kFactor = 16;
    const double small = seconds_of(make(kSmall)), large = seconds_of(make(kSmall * kFactor));
    INFO(name << ": " << small << " s, " << large << " s");
    CHECK(large < 8 * kFactor * (small + 1e-4));  // quadratic would be 16 times that
  }
}

TEST_CASE("loops: what counts as words", "[quality]") {
  CHECK(read_unit("and so on, ").words);
  CHECK(read_unit("需要注意的是，").words);
  CHECK(read_unit("🎈").words);
  CHECK(read_unit("\xEF\xBF\xBD").words);
  CHECK(read_unit("ตลาดน้ำ ").words);
  CHECK(read_unit("क्षत्रिय ").words);
  CHECK_FALSE(read_unit("-").words);
  CHECK_FALSE(read_unit("0, ").words);
  CHECK_FALSE(read_unit("|      ").words);
  CHECK_FALSE(read_unit("⣿").words);
  CHECK_FALSE(read_unit("0x0F, ").words);
  CHECK(read_unit("A").weak);
  CHECK(read_unit("ff ff ").weak);
  CHECK(read_unit("NUMBER_ERROR, ").weak);
  CHECK(read_unit("ORMAT_ND, ge::F").weak);
  CHECK_FALSE(read_unit("好的").weak);
  CHECK_FALSE(read_unit("and so on, ").weak);
  CHECK(read_unit("a   \n  b").squeezed == 3);
}

TEST_CASE("loops: the nature of a unit is one wherever in it the run begins", "[quality]") {
  struct Nature {
    const char* unit;
    bool brief, code, pattern;
  };
  for (const Nature& want : {Nature{"na ", true, false, false}, Nature{"na na na na\n", true, false, false}, Nature{"na, no, ", false, false, false}, Nature{", ml", true, false, false},
                             Nature{"then ", false, false, false}, Nature{"\tMOVL\t(SI), CX\n", false, true, false}, Nature{"so it is 1=1;\n", false, false, false},
                             Nature{"x = f(x);\n", false, true, false}, Nature{", typename _Tp ", false, false, false}, Nature{"ge::FORMAT_ND, ", false, true, false}, Nature{", 50", true, false, true}, Nature{"  ", true, false, true}}) {
    std::string unit = want.unit;
    for (size_t i = 0; i < unit.size(); ++i) {
      std::rotate(unit.begin(), unit.begin() + 1, unit.end());
      CAPTURE(unit);
      const LoopUnit got = read_unit(unit);
      CHECK(got.brief == (want.brief && got.words));
      CHECK(got.code == want.code);
      CHECK(got.pattern == want.pattern);
    }
  }
}
