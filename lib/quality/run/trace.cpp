#include "quality/run/trace.h"

#include <algorithm>
#include <cmath>

#include "base/text_hash.h"
#include "quality/features.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kLongLine = 40;   // bytes of a last line that prose, and no title, list or result, leaves
constexpr size_t kRead = 8192;     // bytes of each part in which an answer that speaks of its prompt does so
constexpr size_t kLongWord = 32;   // bytes of an opening that count

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

uint64_t hash_or_one(uint64_t h) { return h == 0 ? 1 : h; }

// Letters of any script, and the marks that a sentence goes on after.
bool goes_on(uint32_t code) {
  constexpr uint32_t kMarks[] = {',', ';', ':', '(', 0xFF0C, 0x3001, 0xFF1B, 0xFF1A, 0xFF08};
  return is_letter(code) || std::find(std::begin(kMarks), std::end(kMarks), code) != std::end(kMarks);
}

bool ends_open(std::string_view text) {
  if (text.size() < 2 * kLongLine) return false;
  const size_t line = text.rfind('\n');
  if (line != text.npos && text.size() - line - 1 < kLongLine) return false;
  size_t last = utf8_floor(text, text.size() - 1);
  return goes_on(utf8_step(text, last).code);
}

// The first word with its case, or the first sign.
std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < std::min(text.size(), kLongWord)) {
    const Utf8Step step = utf8_step(text, end);
    const bool word = is_letter(step.code) || (step.code - unsigned{'0'} < 10);
    if (!word && end > 0) break;
    end += step.size;
    if (!word || code_properties(step.code).ideographic) break;
  }
  return text.substr(0, end);
}

bool is_odd(std::string_view word) {
  constexpr std::string_view kMarkup = "#*-_`~>|<[({\"'$\\+=/.@&%:^";
  if (word.empty()) return false;
  const Utf8Step step = utf8_step(word, 0);
  if (!step.valid || step.code == 0xFFFD) return true;
  const CodeProperties properties = code_properties(step.code);
  if (is_letter(step.code) || step.code - unsigned{'0'} < 10 || properties.emoji) return false;
  return step.code < 0x80 ? kMarkup.find(static_cast<char>(step.code)) == kMarkup.npos : properties.category == Category::kControl || properties.category == Category::kPrivate || properties.category == Category::kUnassigned;
}

// Which terms of the prompt the answer uses: all of them, or so many that it speaks of its own prompt.
void read_use(const Features& features, TraceMemory* memory, Trace* out) {
  memory->prompt.read_last(features.prompt().text(), Trace::kPromptTerms);
  const std::vector<uint32_t>& own = memory->prompt.terms();
  out->prompt_terms.assign(own.begin(), own.end());
  if (own.empty()) return;
  const int enough = std::max(3, static_cast<int>(own.size() / 4 + 1));
  for (const TextPart* part : {&features.reasoning(), &features.text()})
    if (memory->prompt.mark(part->text.substr(0, kRead), enough, &out->used)) return;
  memory->answer.clear();
  for (const TextPart* part : {&features.reasoning(), &features.text()}) memory->answer.read_first(part->text.substr(0, kRead), Trace::kAnswerTerms);
  out->answer_terms.assign(memory->answer.terms().begin(), memory->answer.terms().end());
}

}  // namespace

void Trace::clear() {
  bits = 0;
  answer = prompt = used = 0;
  opening = 0;
  odd_opening = false;
  prompt_terms.clear();
  answer_terms.clear();
}

void read_trace(const Features& features, TraceMemory* memory, Trace* out) {
  const Sample& sample = features.sample();
  const double temperature = sample.real(RealField::kTemperature, std::nan(""));
  if (temperature > 0) out->bits |= Trace::kSampled;
  if (temperature == 0) out->bits |= Trace::kGreedy;
  if (features.ending().cut == Ending::Cut::kUnknown) out->bits |= Trace::kCutUnknown;
  const std::string_view text = trimmed(features.text().text), reasoning = trimmed(features.reasoning().text);
  if (text.empty() && reasoning.empty()) return;
  const Markup& markup = features.text().markup;
  out->bits |= Trace::kText;
  if (!reasoning.empty() || markup.closed > 0 || markup.orphans > 0 || markup.open_at != Markup::kNone) out->bits |= Trace::kThought;
  if (ends_open(text.empty() ? reasoning : text)) out->bits |= Trace::kOpenEnd;
  out->answer = hash_or_one(hash_bytes(hash_bytes(2, features.reasoning().text), features.text().text));
  const std::string_view word = first_word(text.empty() ? reasoning : text);
  const uint64_t opening = hash_bytes(3, word);
  out->opening = static_cast<uint32_t>(hash_or_one(opening ^ opening >> 32) & 0xffffffff);
  out->odd_opening = is_odd(word);
  if (!features.prompt().recorded()) return;
  out->prompt = hash_or_one(hash_bytes(hash_bytes(4, sample.text(TextField::kPromptText)), sample.text(TextField::kPromptMessages)));
  read_use(features, memory, out);
}

}  // namespace vaa
