#include "quality/run/trail.h"

#include <algorithm>

#include "base/text_hash.h"
#include "quality/excerpt.h"
#include "quality/without_text.h"
#include "text/utf8.h"

namespace vaa {
namespace {

int32_t capped(int64_t n) { return static_cast<int32_t>(std::clamp<int64_t>(n, -1, std::numeric_limits<int32_t>::max())); }

// Where the least rotation of a text begins, so that a loop's unit is the same wherever the loop is entered. Linear.
size_t least_rotation(std::string_view text) {
  size_t i = 0, j = 1, k = 0;
  const size_t n = text.size();
  while (i < n && j < n && k < n) {
    const auto a = static_cast<unsigned char>(text[(i + k) % n]), b = static_cast<unsigned char>(text[(j + k) % n]);
    if (a == b) {
      ++k;
      continue;
    }
    (a > b ? i : j) += k + 1;
    if (i == j) ++j;
    k = 0;
  }
  return std::min(i, j);
}

void set_prompt_size(const Sample& sample, KeptTrace* kept) {
  const bool ids = sample.has(IdsField::kPromptTokenIds);
  if (sample.has(IntField::kPromptTokens) || ids) {
    kept->prompt_size = capped(sample.integer(IntField::kPromptTokens, ids ? static_cast<int64_t>(sample.ids.get(IdsField::kPromptTokenIds).size()) : -1));
    kept->bits |= KeptTrace::kPromptInTokens;
  } else if (sample.has(TextField::kPromptText) || sample.has(TextField::kPromptMessages)) {
    kept->prompt_size = capped(static_cast<int64_t>(sample.text(TextField::kPromptText).size() + sample.text(TextField::kPromptMessages).size()));
  }
}

void set_onset(const Judgement& judgement, KeptTrace* kept) {
  for (const Finding& f : judgement.findings) {
    if (f.severity < Severity::kWarn) continue;
    const bool tokens = f.onset_char < 0;
    const int64_t onset = tokens ? f.onset_token : f.onset_char;
    if (onset < 0 || (kept->onset >= 0 && (tokens != kept->is(KeptTrace::kOnsetInTokens) ? tokens : onset >= kept->onset))) continue;
    kept->onset = capped(onset);
    kept->bits = static_cast<uint16_t>(tokens ? kept->bits | KeptTrace::kOnsetInTokens : kept->bits & ~KeptTrace::kOnsetInTokens);
  }
}

}  // namespace

uint16_t Interned::number(std::string_view name) {
  const uint64_t hash = hash_bytes(5, name);
  const auto found = numbers_.find(hash);
  if (found != numbers_.end()) return found->second;
  if (names_.size() >= kMost) return kOthers;
  names_.push_back(bounded(name, kMostBytes));
  const auto number = static_cast<uint16_t>(names_.size() - 1);
  numbers_.emplace(hash, number);
  return number;
}

uint32_t Trail::keep(const std::vector<uint32_t>& terms, std::vector<uint32_t>* pool, std::vector<Terms>* list) {
  list->push_back(uint64_t{pool->size()} << 8 | terms.size());
  pool->insert(pool->end(), terms.begin(), terms.end());
  return static_cast<uint32_t>(list->size() - 1);
}

uint32_t Trail::prompt_of(const Trace& trace) {
  if (trace.prompt == 0) return KeptTrace::kNone;
  const auto [at, added] = prompt_numbers_.try_emplace(trace.prompt, static_cast<uint32_t>(prompts_.size()));
  if (added) keep(trace.prompt_terms, &prompt_pool_, &prompts_);
  return at->second;
}

// The unit of the first loop in a text.
uint16_t Trail::unit_of(const Sample& sample, const Judgement& judgement) {
  for (const Finding& f : judgement.findings) {
    if (f.period_bytes <= 0 || f.onset_byte < 0 || f.severity < Severity::kWarn) continue;
    const std::string_view text = sample.text(f.part == Part::kReasoning ? TextField::kOutputReasoning : TextField::kOutputText);
    const auto at = static_cast<size_t>(f.onset_byte), size = static_cast<size_t>(f.period_bytes);
    if (at > text.size() || size > text.size() - at) continue;
    const std::string_view unit = text.substr(at, size);
    const size_t first = least_rotation(unit);
    unit_.assign(unit.substr(first)).append(unit.substr(0, first));
    if (!with_text_) unit_ = std::to_string(hash_bytes(6, unit_));
    return units_.number(unit_);
  }
  return Interned::kNone;
}

void Trail::add(const Sample& sample, const Judgement& judgement) {
  const Trace& trace = judgement.trace;
  KeptTrace kept;
  kept.answer = trace.answer;
  kept.used = trace.used;
  kept.bits = static_cast<uint16_t>(trace.bits | (trace.odd_opening ? KeptTrace::kOddOpening : 0));
  kept.opening = trace.opening;
  kept.prompt = prompt_of(trace);
  if (!trace.answer_terms.empty()) kept.answer_terms = keep(trace.answer_terms, &answer_pool_, &answers_);
  if (sample.has(TextField::kId)) {
    const std::string_view text = sample.text(TextField::kId), id = text.substr(0, utf8_floor(text, kMostId));
    kept.id = uint64_t{ids_.size()} << 8 | id.size();
    ids_ += id;
  }
  kept.start = sample.real(RealField::kStartS, kept.start);
  kept.end = sample.real(RealField::kEndS, kept.end);
  set_prompt_size(sample, &kept);
  set_onset(judgement, &kept);
  kept.line = capped(sample.integer(IntField::kSourceLine, -1));
  const auto name_of = [&](TextField field) { return sample.has(field) ? names_.number(sample.text(field)) : Interned::kNone; };
  kept.endpoint = name_of(TextField::kEndpoint);
  kept.replica = name_of(TextField::kReplica);
  const std::string_view file = sample.text(TextField::kSourceFile);
  if (!file.empty()) kept.file = names_.number(with_text_ ? file : base_name(file));
  if (sample.has(IntField::kRank)) kept.rank = names_.number(std::to_string(sample.integer(IntField::kRank, 0)));
  if (sample.has(IntField::kCachedTokens)) kept.bits |= sample.integer(IntField::kCachedTokens, 0) > 0 ? KeptTrace::kCached : KeptTrace::kNotCached;
  if (sample.has(IntField::kRepeat)) kept.bits |= KeptTrace::kRepeat;
  kept.unit = unit_of(sample, judgement);
  kept_.push(kept);
}

}  // namespace vaa
