// Runs of ids that no model writes: NaN logits pick the same id at each step (docs/detectors.md).
#include <algorithm>

#include "quality/features.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "text/vocab.h"

namespace vaa {
namespace {

constexpr size_t kLeast = 8;         // equal ids in a row
constexpr size_t kCertain = 16;      // without a vocabulary or a text that shows what they are

// White space, digits, rules and dot leaders come in rows of one token by right.
bool is_plain(std::string_view token) {
  for (size_t at = 0; at < token.size();) {
    const Utf8Step step = utf8_step(token, at);
    const bool rule = step.code < 0x80 && step.code > ' ' && !is_letter(step.code) && step.code != '!' && step.code != '?';
    if (!step.valid || !(is_white_space(step.code) || rule || (step.code >= 0x2500 && step.code <= 0x28FF))) return false;
    at += step.size;
  }
  return !token.empty();
}

struct Suspect {
  TokenStretch run;
  const char* reason = "";
  Confidence confidence = Confidence::kCertain;
};

// A run at the end that the text does not show is padding behind an answer that ended.
bool is_padding(const Features& features, const TokenStretch& run) {
  if (run.at == 0 || run.at + run.size < features.ids().size() || features.ending().cut == Ending::Cut::kCertain || features.answer_blank()) return false;
  const int32_t id = features.ids()[run.at];
  if (features.vocab()) return features.vocab()->special(id) || features.vocab()->token(id).empty();
  const std::string_view text = features.text().text;
  if (!features.text().known || text.size() < kLeast) return false;
  const auto tail = [](const Loop& loop) { return loop.tail && !loop.tokens; };
  return text.find_last_not_of(text.back()) + kLeast >= text.size() && std::none_of(features.loops().begin(), features.loops().end(), tail);
}

// Id 0 or the vocabulary's last in a row.
bool suspect_edge(const Features& features, const TokenStretch& run, Suspect* out) {
  if (run.size < kLeast) return false;
  const int32_t id = features.ids()[run.at];
  const Vocab* const vocab = features.vocab();
  if (vocab && is_plain(vocab->token(id))) return false;
  *out = {run, id == 0 ? "id_0" : "last_id", Confidence::kCertain};
  if (is_padding(features, run)) *out = {run, "padding", Confidence::kSuspected};
  else if (!vocab && run.size < kCertain) out->confidence = Confidence::kSuspected;
  return true;
}

// The output is one id over and over, and too short for a loop.
bool suspect_whole(const Features& features, const TokenStretch& run, Suspect* out) {
  const size_t size = features.ids().size();
  if (!features.loops().empty() || run.size < kLeast || run.size + 1 + size / 16 < size) return false;
  const Vocab* const vocab = features.vocab();
  const std::string_view text = features.text().text;
  if (vocab ? is_plain(vocab->token(features.ids()[run.at])) : features.text().known && is_plain(text)) return false;
  *out = {run, "one_id", vocab || run.size >= kCertain ? Confidence::kCertain : Confidence::kSuspected};
  return true;
}

bool was_asked(const Features& features, size_t count) {
  if (features.sample().integer(IntField::kIgnoreEos, 0) != 0) return false;
  const std::vector<int32_t>& numbers = features.prompt().numbers();
  const auto near = [&](int32_t n) { return n + 2 >= static_cast<int64_t>(count) && n <= static_cast<int64_t>(count) + 2; };
  return features.prompt().asks_repetition() && std::any_of(numbers.begin(), numbers.end(), near);
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.ids_known()) return State::kUnknown;
  const TokenSigns& signs = features.signs();
  const size_t before = findings->size();
  const auto add = [&](size_t at, size_t size, int64_t count, const char* reason, Confidence confidence) -> Finding& {
    Finding finding;
    finding.part = Part::kSample;
    finding.onset_token = static_cast<int64_t>(at);
    finding.length_tokens = static_cast<int64_t>(size);
    finding.count = count;
    finding.reason = reason;
    finding.confidence = confidence;
    return findings->emplace_back(finding);
  };
  if (signs.negative.count > 0) add(signs.negative.first, 1, signs.negative.count, "negative_id", Confidence::kCertain);
  if (signs.outside.count > 0) add(signs.outside.first, 1, signs.outside.count, "outside_vocabulary", Confidence::kSuspected);
  Suspect suspect;
  bool found = suspect_edge(features, signs.edge_run, &suspect) || suspect_whole(features, signs.longest_run, &suspect);
  if (!found && signs.blank_run.size >= kLeast) {
    suspect = {signs.blank_run, "no_bytes", Confidence::kCertain};
    found = true;
  }
  if (found) {
    const size_t size = suspect.run.size;
    Finding& finding = add(suspect.run.at, size, static_cast<int64_t>(size), suspect.reason, suspect.confidence);
    finding.measure = static_cast<double>(size);
    finding.threshold = static_cast<double>(kLeast);
    if (suspect.reason == std::string_view("padding")) finding.severity = Severity::kWarn;
    if (was_asked(features, size)) {
      finding.severity = Severity::kInfo;
      finding.reason = "asked";
    }
  }
  return findings->size() > before ? State::kFound : State::kNo;
}

}  // namespace

extern const Detector kTokenIdRun = {
    "token_id_run", Severity::kFail, 0.001, 5, detect,
    {"run of one token id", "同一 token id 连续出现"},
    {"The same token id comes at each step, as NaN logits choose it, or ids are there that no vocabulary has.", "每一步都是同一个 token id（logits 为 NaN 时如此），或出现词表中不存在的 id。"}};

}  // namespace vaa
