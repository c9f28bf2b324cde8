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
constexpr size_t kCutCount = 4, kStoppedCount = 8, kInsideCount = 10, kSymbolCount = 20;

struct Measured {
  size_t count, cover;
  size_t rest;     // what comes after it
  bool tail;       // it lasts to the end, or to a few symbols before it
  bool last;       // nothing follows it
  bool words, weak, reasoning;
  bool data = false, brief = false;
};

struct Ruling {
  bool loop = false;
  Severity severity = Severity::kFail;
  const char* reason = "";
};

Ruling rule_words(const Measured& m, const Thresholds& least, const Ending& ending) {
  const bool cut = ending.cut == Ending::Cut::kCertain;
  if (m.tail && !ending.by_itself) {
    if (m.count >= kCutCount && m.cover >= least.cut) {
      const bool known = ending.cut != Ending::Cut::kUnknown;
      return {true, known || (m.cover >= least.stopped && !m.data) ? Severity::kFail : Severity::kWarn, known ? "" : "finish_unknown"};
    }
    return {};
  }
  if (m.weak || m.data || (m.brief && m.cover < least.inside_wide)) return {};
  if (m.tail && m.count >= kStoppedCount && m.cover >= least.stopped) return {true, Severity::kFail, ""};
  if (m.count >= kInsideCount && m.cover >= least.inside_many) return {true, Severity::kFail, ""};
  if (m.count < kCutCount || m.cover < least.inside_wide) return {};
  // Long thoughts restate a passage some times and go on: odd, and no failure while more came.
  if ((m.reasoning && !cut) || m.rest >= least.stopped) return {true, Severity::kWarn, "restated"};
  return {true, Severity::kFail, ""};
}

Ruling rule_symbols(const Measured& m, const Thresholds& least, const Ending& ending) {
  const bool cut = ending.cut == Ending::Cut::kCertain;
  // A table of numbers, or a drawing, that something closes has an end.
  if (!(cut ? m.tail : m.last) || m.count < kSymbolCount || m.cover < (cut ? least.cut : least.inside_many)) return {};
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

bool is_name_byte(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ':' || c == '.'; }

// A run that ends a few symbols early still counts as the tail.
bool reaches(const Run& run, size_t end) { return run.end + std::max<size_t>(8, std::min<size_t>(run.period, 64)) >= end; }

// The largest text that is searched; what is behind it in a longer one is not.
constexpr size_t kMaxSymbols = size_t{1} << 30;

}  // namespace

namespace {

// "NUMBER_ERROR, NUMBER_ERROR,", "ge::FORMAT_ND, ", "T_INPUT | T_LABEL,": constants of a program and commas.
bool lists_constant(std::string_view unit) {
  std::string_view constant;
  bool comma = false, named = false, capitals = true, several = false;
  for (size_t at = 0; at < unit.size();) {
    size_t end = at;
    while (end < unit.size() && is_name_byte(unit[end])) ++end;
    if (end == at) {
      const auto c = static_cast<unsigned char>(unit[at]);
      if (c != ',' && c != '|' && c > ' ') return false;
      comma |= c == ',';
      ++at;
      continue;
    }
    const std::string_view word = unit.substr(at, end - at);
    // The unit may begin within the constant, and then ends within it.
    const bool part = at == 0 || end == unit.size();
    if (!part) {
      several |= !constant.empty() && word != constant;
      constant = word;
    }
    for (const char c : word) {
      named |= c == '_' || c == ':';
      capitals &= !(c >= 'a' && c <= 'z');
    }
    at = end;
  }
  return comma && (several ? named && capitals : named || capitals);
}

}  // namespace

namespace {

bool is_letter_byte(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool is_record(std::string_view unit) {
  size_t signs = 0, all = 0, separators = 0, blanks = 0, braces = 0, quotes = 0;
  for (const char c : unit) {
    blanks += c == ' ';
    all += c > ' ' || c < 0;
    signs += c > ' ' && !is_letter_byte(c) && !(c >= '0' && c <= '9');
    separators += c == ',' || c == ';' || c == '|' || c == '\t';
    braces += c == '{' || c == '}' || c == '[' || c == ']';
    quotes += c == '"';
  }
  return (braces >= 2 && quotes >= 2 && 4 * signs >= all) || (separators > 0 && blanks == 0 && signs == separators && unit.find('\n') != std::string_view::npos);
}

// One short word, however often; the unit may begin and end within it.
bool is_brief(std::string_view unit) {
  std::string_view word;
  for (size_t at = 0; at < unit.size();) {
    size_t end = at;
    while (end < unit.size() && is_letter_byte(unit[end])) ++end;
    const std::string_view found = unit.substr(at, end - at);
    if (found.size() > 3 || unit[at] < 0) return false;
    const bool part = at == 0 || end == unit.size();
    if (!found.empty() && !part && !word.empty() && found != word) return false;
    if (!found.empty() && !part) word = found;
    at = std::max(end, at + 1);
  }
  return unit.size() > 3 || word.empty();
}

}  // namespace

Unit read_unit(std::string_view unit) {
  Unit out;
  size_t characters = 0, letters = 0, digits = 0;
  char letter = 0;
  bool several = false, blank = false, pictures = false, beyond_hex = false, control = false;
  for (size_t at = 0; at < unit.size();) {
    const Utf8Step step = utf8_step(unit, at);
    const CodeProperties properties = code_properties(step.code);
    at += step.size;
    const bool was_blank = blank;
    blank = step.valid && properties.white_space;
    if (blank && was_blank) continue;
    ++characters;
    out.squeezed += blank ? 1 : step.size;
    if (!step.valid) continue;
    const bool mark = properties.category >= Category::kNonspacingMark && properties.category <= Category::kSpacingMark;
    if (is_letter(step.code) || mark) {
      ++letters;
      const char low = step.code < 0x80 ? static_cast<char>(step.code | 0x20) : 0;
      several |= low == 0 || (letter != 0 && letter != low);
      beyond_hex |= low == 0 || (low > 'f' && low != 'x' && low != 'u' && low != 'l');
      letter = low;
    } else if (step.code == 0xFFFD || (properties.emoji && step.code >= 0x80)) {
      pictures = true;
    } else if (properties.category == Category::kDecimalDigit) {
      ++digits;
    }
    control |= properties.category == Category::kControl && !properties.white_space;
  }
  // "0xff, 0x00, ": numbers, whatever letters they are written with.
  const bool hexadecimal = digits > 0 && !beyond_hex;
  out.words = pictures || (letters > 0 && letters * 5 >= characters && !hexadecimal && !control);
  out.data = out.words && !pictures && is_record(unit);
  out.brief = out.words && !pictures && is_brief(unit);
  out.weak = !pictures && (!several || lists_constant(unit));
  return out;
}

namespace {

// Copies to the end that differ in white space: by the rules of words, the cover without white space.
void find_squeezed_loop(std::string_view text, const LoopPlace& place, const LoopContext& context, RunScratch* scratch, std::vector<Loop>* out) {
  const SqueezedTail tail = find_squeezed_tail(text, scratch);
  if (tail.count == 0) return;
  size_t begin = tail.begin;
  while (begin < tail.end && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  Run run{begin, tail.end, (tail.end - begin) / tail.count};
  const Unit unit = read_unit(text.substr(utf8_floor(text, run.end - run.period), run.period));
  if (!unit.words || unit.weak) return;
  const bool reasoning = place.part == Part::kReasoning || run.end <= place.reasoning_end;
  const Ruling ruling = rule_words({tail.count, tail.cover, 0, true, true, true, false, reasoning, unit.data, unit.brief}, kBytes, context.ending);
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
    const Run tail = find_tail_run(bytes_of(end), scratch);
    if (tail.period != 0) runs->push_back(tail);
    if (text.size() == stripped.size()) break;
  }
  bool repeats = false;  // exactly, to the end
  for (Run run : *runs) {
    // Whole characters: a run of bytes may begin and end within one that its neighbour shares.
    while (run.begin < run.end && (static_cast<unsigned char>(text[run.begin]) & 0xC0) == 0x80) ++run.begin;
    run.end = utf8_floor(text, run.end);
    if (run.end < run.begin + run.period * RunLimits<uint8_t>::kMinCount) continue;
    const Unit unit = read_unit(text.substr(run.begin, run.period));
    Measured m{};
    m.count = run.count();
    m.rest = text.size() - run.end;
    m.cover = std::min(run.cover(), unit.squeezed * (m.count + 1));
    m.tail = place.ends_output && reaches(run, stripped.size());
    m.last = place.ends_output && run.end >= stripped.size();
    m.words = unit.words;
    m.weak = unit.weak;
    m.data = unit.data;
    m.brief = unit.brief;
    m.reasoning = place.part == Part::kReasoning || run.end <= place.reasoning_end;
    repeats |= m.tail;
    const Ruling ruling = m.words ? rule_words(m, kBytes, context.ending) : rule_symbols(m, kBytes, context.ending);
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
    Measured m{run.count(), run.cover(), ids.size() - run.end, reaches(run, ids.size()), run.end + 1 >= ids.size(), true, false, false};
    if (vocab) {
      memory->clear();
      for (size_t i = 0; i < run.period; ++i) memory->append(vocab->token(ids[run.begin + i]));
      const Unit unit = read_unit(*memory);
      m.words = unit.words;
      m.weak = unit.weak;
      m.data = unit.data;
      m.brief = unit.brief;
    }
    const Ruling ruling = m.words ? rule_words(m, kTokens, context.ending) : rule_symbols(m, kTokens, context.ending);
    if (!ruling.loop) continue;
    Loop loop{run, Part::kSample, true, m.tail, ruling.severity, vocab ? Confidence::kCertain : Confidence::kSuspected, ruling.reason, {}, 0};
    const bool cut = context.ending.cut == Ending::Cut::kCertain;
    excuse(&loop, !cut && near(m.count, context.prompt->numbers()), false, context);
    out->push_back(loop);
  }
  drop_overlaps(first, out);
}

}  // namespace vaa
