// The output ends in copies that differ by a number or a word each (docs/detectors.md).
#include <algorithm>
#include <cstdlib>

#include "quality/features.h"
#include "text/special_tokens.h"

namespace vaa {
namespace {

struct Least {
  size_t copies, cover;
};
bool wide(const NearLoop& loop, const Least& least) { return loop.count >= least.copies && loop.cover() >= least.cover; }
constexpr Least kNumbers{8, 200}, kNumbersUnknown{8, 400}, kWords{12, 300}, kWordsUnknown{16, 1000};

bool in_code(const TextPart& part, size_t at) {
  return std::any_of(part.markup.code.begin(), part.markup.code.end(), [&](const Place& code) { return code.at <= at && at < code.at + code.size; });
}

// Words rather than signs and numbers ("6. The Return" has as many of both): not a table, a log, code.
bool is_language(const NearLoop& loop) { return loop.others <= 2 * loop.words; }
// Sentences whose words stay: not a list of names.
bool keeps_words(const NearLoop& loop) { return loop.kept >= 3 * (loop.count - 1) && 10 * loop.kept >= 6 * loop.words && 2 * loop.others <= loop.words; }

bool asked(const Features& features, size_t count) {
  const std::vector<int32_t>& numbers = features.prompt().numbers();
  return std::any_of(numbers.begin(), numbers.end(), [&](int32_t n) { return std::abs(n - static_cast<double>(count)) <= 1.5; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const Ending& ending = features.ending();
  if (ending.by_itself) return State::kNo;
  const TextPart& part = features.last_part();
  const bool looping = std::any_of(features.loops().begin(), features.loops().end(), [](const Loop& loop) { return loop.tail && loop.severity >= Severity::kWarn; });
  const std::string_view text = part.text.substr(0, stripped_size(part.text));
  if (looping || part.decoded) return State::kNo;
  const NearLoops near = find_near_loops(text, &features.near_loops());
  const bool unknown = ending.cut == Ending::Cut::kUnknown, numbers = wide(near.numbers, unknown ? kNumbersUnknown : kNumbers);
  const NearLoop& loop = numbers ? near.numbers : near.words;
  const Least& least = numbers ? (unknown ? kNumbersUnknown : kNumbers) : unknown ? kWordsUnknown : kWords;
  if (!wide(loop, least)) return State::kNo;
  const Unit unit = read_unit(text.substr(loop.last_copy, loop.end - loop.last_copy));
  if (!unit.words || unit.weak || !is_language(loop)) return State::kNo;
  if (!numbers && (!keeps_words(loop) || in_code(part, loop.last_copy))) return State::kNo;
  Finding finding = features.place(part, loop.begin, text.size() - loop.begin);
  finding.count = static_cast<int64_t>(loop.count);
  finding.severity = Severity::kWarn;
  finding.confidence = numbers && !unknown ? Confidence::kCertain : Confidence::kSuspected;
  finding.reason = numbers ? "numbers" : "words";
  finding.measure = static_cast<double>(loop.count);
  finding.threshold = static_cast<double>(least.copies);
  const bool eos = features.sample().integer(IntField::kIgnoreEos, 0) != 0;
  if (eos || (unknown && asked(features, loop.count))) {
    finding.severity = Severity::kInfo;
    finding.reason = eos ? "ignore_eos" : "asked";
  }
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kCounterLoop = {
    "counter_loop", Severity::kWarn, 1.0, 3, detect,
    {"looping with a counter", "带计数的循环"},
    {"The output ends in copies of one piece that differ by a number or a word each.", "输出末尾是同一段内容的一再重复，每次只换一个数字或一个词。"}};

}  // namespace vaa
