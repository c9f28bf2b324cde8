#include "quality/loops.h"

#include <algorithm>
#include <cstdlib>

#include "quality/odd_characters.h"
#include "quality/squeezed_tail.h"
#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "text/vocab.h"

namespace vaa {
namespace {

// docs/detectors.md, for text in bytes and for ids in tokens.
struct Thresholds {
  size_t cut, stopped, inside_many, inside_wide;
};
constexpr Thresholds kBytes{100, 300, 600, 1500}, kTokens{24, 72, 150, 400};
constexpr size_t kCutCount = 4, kStoppedCount = 8, kInsideCount = 10, kSymbolCount = 20, kPatternCount = 128;
constexpr size_t kWhole = 40;     // bytes of an answer that was cut and is one run from its first byte on
constexpr size_t kPattern = 200;  // bytes or tokens; a line drawn across a page has fewer

struct Measured {
  size_t count, cover;
  size_t rest;     // what comes after it
  bool tail;       // it lasts to the end, or to a few symbols before it
  bool last;       // nothing follows it
  bool reasoning;
  LoopUnit unit;
  bool whole = false;  // nothing stands before it
};

struct Ruling {
  bool loop = false;
  Severity severity = Severity::kFail;
  const char* reason = "";
};

Ruling rule_words(const Measured& m, const Thresholds& least, const Ending& ending) {
  const bool cut = ending.cut == Ending::Cut::kCertain, known = ending.cut != Ending::Cut::kUnknown;
  if (m.tail && !ending.by_itself) {
    const bool whole = cut && m.whole && !m.unit.weak && m.cover >= kWhole;
    if (m.count < kCutCount || (m.cover < least.cut && !whole)) return {};
    // Rows of a program or of a table come alike, wherever they are cut.
    if (m.unit.code && m.cover < least.inside_many) return {true, Severity::kWarn, "code"};
    const bool sure = known || (m.cover >= least.stopped && !m.unit.data && !m.unit.code);
    return {true, sure ? Severity::kFail : Severity::kWarn, known ? "" : "finish_unknown"};
  }
  if (m.unit.weak || m.unit.data || (m.unit.brief && m.cover < least.inside_wide)) return {};
  const Severity most = m.unit.code ? Severity::kWarn : Severity::kFail;
  const char* const reason = m.unit.code ? "code" : "";
  if (m.tail && m.count >= kStoppedCount && m.cover >= least.stopped) return {true, most, reason};
  if (m.count >= kInsideCount && m.cover >= least.inside_many) return {true, most, reason};
  if (m.count < kCutCount || m.cover < least.inside_wide) return {};
  // Long thoughts restate a passage some times and go on: odd, and no failure while more came.
  if ((m.reasoning && !cut) || m.rest >= least.stopped) return {true, Severity::kWarn, "restated"};
  return {true, most, reason};
}

Ruling rule_symbols(const Measured& m, const Thresholds& least, const Ending& ending) {
  const bool cut = ending.cut == Ending::Cut::kCertain;
  // A table of numbers, or a drawing, that something closes has an end; one that does not may be cut in the middle of a line of it.
  const size_t count = m.unit.pattern ? kPatternCount : kSymbolCount, cover = !cut ? least.inside_many : m.unit.pattern ? std::max(least.cut, kPattern) : least.cut;
  if (!(cut ? m.tail : m.last) || m.count < count || m.cover < cover) return {};
  return {true, cut ? Severity::kFail : Severity::kWarn, "symbols"};
}

bool has_letter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (step.valid && is_letter(step.code)) return true;
    at += step.size;
  }
  return false;
}

bool near(size_t count, const std::vector<int32_t>& numbers) {
  const auto fits = [&](int32_t n) { return std::abs(static_cast<double>(n) - static_cast<double>(count)) <= 1.5; };
  return std::any_of(numbers.begin(), numbers.end(), fits);
}

// The repetition was asked for: a number of the prompt is its count, and it ended with a whole copy. (A loop that a limit cut ends within one.)
bool asked(std::string_view text, const Run& run, const LoopContext& context) {
  if (context.ending.cut == Ending::Cut::kCertain) return false;
  const size_t rest = run.cover() % run.period;
  const bool whole = !has_letter(text.substr(run.end - rest, rest)) || !has_letter(text.substr(run.end - run.period, run.period - rest));
  if (!context.ending.by_itself && !whole) return false;
  // A word may be asked for in many ways, a passage in few; numbers are in every prompt.
  constexpr size_t kPassage = 64;
  if (run.period >= kPassage && !context.prompt->asks_repetition()) return false;
  return near(run.count(), context.prompt->numbers());
}

// Severity less what excuses a loop.
void excuse(Loop* loop, bool was_asked, bool in_prompt, const LoopContext& context) {
  const char* reason = context.ignore_eos ? "ignore_eos" : was_asked ? "asked" : in_prompt ? "in_prompt" : nullptr;
  if (!reason) return;
  loop->severity = Severity::kInfo;
  loop->reason = reason;
}

// Of loops that overlap the more severe, then the wider stays.
void drop_overlaps(size_t first, std::vector<Loop>* loops) {
  const auto begin = loops->begin() + static_cast<ptrdiff_t>(first);
  std::sort(begin, loops->end(), [](const Loop& a, const Loop& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    if (a.run.cover() != b.run.cover()) return a.run.cover() > b.run.cover();
    return a.run.begin != b.run.begin ? a.run.begin < b.run.begin : a.run.period < b.run.period;
  });
  size_t kept = first;
  for (size_t i = first; i < loops->size(); ++i) {
    const Run& run = (*loops)[i].run;
    bool covered = false;
    for (size_t k = first; k < kept && !covered; ++k) {
      const Run& other = (*loops)[k].run;
      const size_t from = std::max(run.begin, other.begin), to = std::min(run.end, other.end);
      covered = to > from && 2 * (to - from) > run.cover();
    }
    if (!covered) (*loops)[kept++] = (*loops)[i];
  }
  loops->resize(kept);
  std::sort(loops->begin() + static_cast<ptrdiff_t>(first), loops->end(), [](const Loop& a, const Loop& b) { return a.run.begin < b.run.begin; });
}

std::span<const uint8_t> bytes_of(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

// A run that ends a few symbols early still counts as the tail.
bool reaches(const Run& run, size_t end) { return run.end + std::max<size_t>(8, std::min<size_t>(run.period, 64)) >= end; }

// The whole of a text that is too short for find_tail_run.
Run run_of_all(std::string_view text) {
  if (text.size() < kWhole || text.size() >= RunLimits<uint8_t>::kMinCover) return {};
  for (size_t period = 1; period * RunLimits<uint8_t>::kMinCount <= text.size(); ++period)
    if (text.substr(period) == text.substr(0, text.size() - period)) return {0, text.size(), period};
  return {};
}

// The largest text that is searched; what is behind it in a longer one is not.
constexpr size_t kMaxSymbols = size_t{1} << 30;

// Copies to the end that differ in white space: by the rules of words, the cover without white space.
void find_squeezed_loop(std::string_view text, const LoopPlace& place, const LoopContext& context, RunScratch* scratch, std::vector<Loop>* out) {
  const SqueezedTail tail = find_squeezed_tail(text, scratch);
  if (tail.count == 0) return;
  size_t begin = tail.begin;
  while (begin < tail.end && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  Run run{begin, tail.end, (tail.end - begin) / tail.count};
  const LoopUnit unit = read_unit(text.substr(utf8_floor(text, run.end - run.period), run.period));
  if (!unit.words || unit.weak) return;
  const bool reasoning = place.part == Part::kReasoning || run.end <= place.reasoning_end;
  const Ruling ruling = rule_words({tail.count, tail.cover, 0, true, true, reasoning, unit}, kBytes, context.ending);
  if (!ruling.loop) return;
  Loop loop{run, place.part, false, true, ruling.severity, Confidence::kCertain, ruling.reason, {}, tail.count};
  excuse(&loop, !reasoning && context.ending.cut != Ending::Cut::kCertain && near(tail.count, context.prompt->numbers()), false, context);
  out->push_back(loop);
}

}  // namespace

void find_text_loops(std::string_view text, const LoopPlace& place, const LoopContext& context, RunScratch* scratch, std::vector<Run>* runs, std::vector<Loop>* out) {
  const size_t first = out->size();
  text = text.substr(0, kMaxSymbols);
  runs->clear();
  find_runs(bytes_of(text), scratch, runs);
  // The tail as it is, and without what an engine may put behind a loop: white space, special tokens, a cut character.
  std::string_view stripped = text.substr(0, stripped_size(text));
  if (stripped.size() >= 3 && stripped.size() == text.size() && stripped.substr(stripped.size() - 3) == "\xEF\xBF\xBD") stripped.remove_suffix(3);
  stripped.remove_suffix(unfinished_bytes(stripped));
  for (const std::string_view end : {text, stripped}) {
    for (const Run& tail : {find_tail_run(bytes_of(end), scratch), run_of_all(end)})
      if (tail.period != 0) runs->push_back(tail);
    if (text.size() == stripped.size()) break;
  }
  bool repeats = false;  // exactly, to the end
  for (Run run : *runs) {
    // Whole characters: a run of bytes may begin and end within one that its neighbour shares.
    while (run.begin < run.end && (static_cast<unsigned char>(text[run.begin]) & 0xC0) == 0x80) ++run.begin;
    run.end = utf8_floor(text, run.end);
    if (run.end < run.begin + run.period * RunLimits<uint8_t>::kMinCount) continue;
    Measured m{};
    m.unit = read_unit(text.substr(run.begin, run.period));
    m.count = run.count();
    m.rest = text.size() - run.end;
    m.cover = std::min(run.cover(), m.unit.squeezed * (m.count + 1));
    m.tail = place.ends_output && reaches(run, stripped.size());
    m.last = place.ends_output && run.end >= stripped.size();
    m.whole = m.last && run.begin == 0;
    m.reasoning = place.part == Part::kReasoning || run.end <= place.reasoning_end;
    repeats |= m.tail;
    const Ruling ruling = m.unit.words ? rule_words(m, kBytes, context.ending) : rule_symbols(m, kBytes, context.ending);
    if (!ruling.loop) continue;
    Loop loop{run, place.part, false, m.tail, ruling.severity, Confidence::kCertain, ruling.reason, {}, 0};
    const bool cut = context.ending.cut == Ending::Cut::kCertain;
    const bool quoted = !cut && context.prompt->contains(text.substr(run.begin, run.period * RunLimits<uint8_t>::kMinCount));
    excuse(&loop, !m.reasoning && asked(text, run, context), quoted, context);
    out->push_back(loop);
  }
  if (place.ends_output && !repeats) find_squeezed_loop(stripped, place, context, scratch, out);
  drop_overlaps(first, out);
}

void find_token_loops(std::span<const int32_t> ids, const Vocab* vocab, const LoopContext& context, RunScratch* scratch, std::vector<Run>* runs, std::string* memory,
                      std::vector<Loop>* out) {
  const size_t first = out->size();
  ids = ids.first(std::min(ids.size(), kMaxSymbols));
  runs->clear();
  find_runs(ids, scratch, runs);
  // The stop token stands behind a loop that ended.
  for (size_t stop = 0; stop <= 1 && stop < ids.size(); ++stop) {
    const Run tail = find_tail_run(ids.first(ids.size() - stop), scratch);
    if (tail.period != 0) runs->push_back(tail);
  }
  for (const Run& run : *runs) {
    Measured m{run.count(), run.cover(), ids.size() - run.end, reaches(run, ids.size()), run.end + 1 >= ids.size(), false, {}};
    m.unit.words = true;
    if (vocab) {
      memory->clear();
      for (size_t i = 0; i < run.period; ++i) memory->append(vocab->token(ids[run.begin + i]));
      m.unit = read_unit(*memory);
    }
    const Ruling ruling = m.unit.words ? rule_words(m, kTokens, context.ending) : rule_symbols(m, kTokens, context.ending);
    if (!ruling.loop) continue;
    Loop loop{run, Part::kSample, true, m.tail, ruling.severity, vocab ? Confidence::kCertain : Confidence::kSuspected, ruling.reason, {}, 0};
    const bool cut = context.ending.cut == Ending::Cut::kCertain;
    excuse(&loop, !cut && near(m.count, context.prompt->numbers()), false, context);
    out->push_back(loop);
  }
  drop_overlaps(first, out);
}

}  // namespace vaa
