// Time a symbol on hostile input of growing size, all detectors on: linear means that the last column stays near 1.
//   growth [--max 10000000] [--only WORDS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cpu_clock.h"
#include "hostile.h"
#include "quality/checker.h"

namespace {

constexpr size_t kLeast = 100'000;

// Nanoseconds a symbol: the best of as many rounds as make about 10 M symbols, at least one after the first, which warms up.
double judged(const vaa::Sample& sample, size_t symbols) {
  const vaa::Checker checker("", nullptr);
  const auto scratch = checker.new_scratch();
  vaa::Judgement judgement;
  double best = 1e18;
  for (size_t round = 0; round < 2 + std::min<size_t>(8, 2'000'000 / symbols); ++round) {
    const double start = cpu_seconds();
    checker.judge(sample, scratch.get(), &judgement);
    best = std::min(best, 1e9 * (cpu_seconds() - start));
  }
  return best / static_cast<double>(symbols);
}

void print(const char* name, size_t most, double (*measure)(const void* input, size_t size), const void* input) {
  std::printf("| %s |", name);
  double first = 0, last = 0;
  for (size_t size = kLeast; size <= most; size *= 10) {
    last = measure(input, size);
    if (size == kLeast) first = last;
    std::printf(" %.2f |", last);
    std::fflush(stdout);
  }
  std::printf(" %.2f |%s\n", last / first, last > 3 * first ? " <-- grows" : "");
}

double of_text(const void* input, size_t size) {
  vaa::Sample sample;
  const std::string text = static_cast<const HostileText*>(input)->make(size);
  sample.set(vaa::TextField::kOutputText, text);
  sample.set(vaa::TextField::kFinishReason, "length");
  return judged(sample, text.size());
}

// The text is its own prompt too.
double of_prompt(const void* input, size_t size) {
  vaa::Sample sample;
  const std::string text = static_cast<const HostileText*>(input)->make(size);
  sample.set(vaa::TextField::kOutputText, text);
  sample.set(vaa::TextField::kPromptText, text);
  return judged(sample, text.size());
}

double of_ids(const void* input, size_t size) {
  vaa::Sample sample;
  sample.ids.put(vaa::IdsField::kOutputTokenIds) = static_cast<const HostileIds*>(input)->make(size);
  sample.set(vaa::TextField::kFinishReason, "length");
  return judged(sample, size);
}

void head(const char* what, size_t most) {
  std::printf("\n| %s |", what);
  for (size_t size = kLeast; size <= most; size *= 10) std::printf(" %zu |", size);
  std::printf(" growth |\n|---|");
  for (size_t size = kLeast; size <= most; size *= 10) std::printf("---:|");
  std::printf("---:|\n");
}

}  // namespace

int main(int argc, char** argv) {
  size_t most = 10'000'000;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--max" && i + 1 < argc) most = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--only" && i + 1 < argc) only = argv[++i];
    else return std::fprintf(stderr, "usage: growth [--max SYMBOLS] [--only WORDS]\n"), 2;
  }
  const auto wanted = [&](const char* name) { return std::string(name).find(only) != std::string::npos; };
  head("text, ns a byte", most);
  for (const HostileText& text : hostile_texts())
    if (wanted(text.name)) print(text.name, most, of_text, &text);
  head("text that is its prompt too, ns a byte", most);
  for (const HostileText& text : hostile_texts())
    if (wanted(text.name)) print(text.name, most, of_prompt, &text);
  head("ids, ns an id", most);
  for (const HostileIds& ids : hostile_ids())
    if (wanted(ids.name)) print(ids.name, most, of_ids, &ids);
  return 0;
}
