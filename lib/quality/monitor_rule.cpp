#include "quality/monitor_rule.h"

#include <algorithm>

#include "base/options.h"
#include "quality/prompt.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kFewCopies = 4, kSymbolCopies = 20, kManySymbolCopies = 100;
constexpr size_t kCounterCopies = 8, kCounterCover = 200, kManyCounterCopies = 40, kWideCounterCover = 3000;

constexpr OptionSpec kOptions[] = {
    {"min_count", OptionSpec::Type::kInt, 4, 1e6, "", "10", "copies of the unit that make a loop"},
    {"min_cover", OptionSpec::Type::kInt, 24, 1e6, "", "", "and how long they are together: 600 bytes or 150 tokens"},
    {"long_cover", OptionSpec::Type::kInt, 24, 1e6, "", "", "length from which four copies make a loop: 4000 bytes or 1000 tokens"},
    {"symbols_cover", OptionSpec::Type::kInt, 24, 1e6, "", "", "length from which 100 copies of rules, numbers or white space make a loop: 4096 bytes or 1024 tokens"},
    {"max_period", OptionSpec::Type::kInt, 128, 16384, "", "16384", "bytes or tokens of the longest unit that is looked for"},
    {"prompt", OptionSpec::Type::kText, 0, 0, "", "\"\"", "what the stream answers: a repetition that it asks for, or holds itself, is no loop"},
    {"counters", OptionSpec::Type::kBool, 0, 0, "", "false", "also loops whose numbers change; text only"},
};

// The least cover of a run with `count` copies and `cover` symbols, of which squeezed * (copies + 1) count.
size_t least_cover(size_t count, size_t cover, size_t period, size_t squeezed) {
  const size_t copies = (cover + squeezed - 1) / std::max<size_t>(squeezed, 1);
  return std::max({count * period, cover, (copies - std::min<size_t>(copies, 1)) * period});
}

// Letters, and few signs among them: not a row of a table, of JSON, of code, whose numbers change by right.
bool is_prose(std::string_view text) {
  constexpr size_t kLetters = 12, kLettersASign = 5;
  size_t letters = 0, signs = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    const CodeProperties properties = code_properties(step.code);
    at += step.size;
    const bool mark = properties.category >= Category::kNonspacingMark && properties.category <= Category::kSpacingMark;
    if (step.valid && (is_letter(step.code) || mark)) ++letters;
    else if (!properties.white_space && properties.category != Category::kDecimalDigit) ++signs;
  }
  return letters >= kLetters && letters >= kLettersASign * signs;
}

}  // namespace

MonitorOptions monitor_options(std::string_view json) {
  const Options given(json, kOptions, "vaa_monitor_new");
  const auto size = [&](std::string_view name) { return given.has(name) ? static_cast<size_t>(given.integer(name)) : 0; };
  return {size("min_count"), size("min_cover"), size("long_cover"), size("symbols_cover"), size("max_period"), given.boolean("counters"), given.text("prompt")};
}

LoopCovers loop_covers(const LoopUnit& unit, size_t period, const MonitorOptions& options, const RuleCovers& defaults) {
  const auto least = [&](size_t count, size_t cover) { return least_cover(count, cover, period, unit.squeezed); };
  const auto or_default = [](size_t option, size_t value) { return option != 0 ? option : value; };
  LoopCovers out;
  out.suspected = least(unit.words ? kFewCopies : kSymbolCopies, defaults.cut);
  if (!unit.words || unit.weak || unit.data) out.loop = least(kManySymbolCopies, or_default(options.symbols_cover, defaults.symbols));
  else out.loop = std::min(least(options.min_count, or_default(options.min_cover, unit.brief ? defaults.brief : defaults.many)),
                           least(kFewCopies, or_default(options.long_cover, defaults.wide)));
  out.suspected = std::min(out.suspected, out.loop);
  return out;
}

LoopCovers counter_covers(std::string_view text) {
  const LoopUnit unit = read_unit(text);
  if (!unit.words || unit.weak || !is_prose(text)) return {SIZE_MAX, SIZE_MAX};
  return {least_cover(kCounterCopies, kCounterCover, text.size(), unit.squeezed), least_cover(kManyCounterCopies, kWideCounterCover, text.size(), unit.squeezed)};
}

size_t asked_copies(std::string_view prompt) {
  constexpr size_t kBefore = 32;  // bytes before the word in which its number stands
  size_t most = 0;
  std::vector<int32_t> numbers;
  for (const std::string_view word : {"times", "lines", "copies", "rows", "遍", "次", "行"}) {
    for (size_t at = prompt.find(word); at != std::string_view::npos; at = prompt.find(word, at + word.size())) {
      const size_t from = at - std::min(at, kBefore);
      find_numbers(prompt.substr(from, at - from), 64, &numbers);
    }
  }
  for (const int32_t number : numbers) most = std::max(most, static_cast<size_t>(std::max(number, 0)));
  return most;
}

}  // namespace vaa
