// What a tally keeps of each sample for the checks of the run and for grouping: 80 bytes a sample, its id (of up to 64 bytes), and for each different prompt up to 256 bytes of terms and
// 40 of their index. Only answers that may be another prompt's keep up to 512 bytes more.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "quality/checker.h"
#include "quality/run/pieces.h"
#include "records/sample.h"

namespace vaa {

// Names that many samples share, as small numbers. Past kMost all further ones are one, kOthers.
class Interned {
 public:
  static constexpr uint16_t kNone = 0, kOthers = 1;
  uint16_t number(std::string_view name);
  const std::string& name(uint16_t number) const { return names_[number]; }

 private:
  static constexpr size_t kMost = 4000, kMostBytes = 120;
  std::vector<std::string> names_{"", "(others)"};
  std::unordered_map<uint64_t, uint16_t> numbers_;
};

struct KeptTrace {
  enum Bits : uint16_t { kOnsetInTokens = 1 << 8, kPromptInTokens = 1 << 9, kCached = 1 << 10, kNotCached = 1 << 11, kOddOpening = 1 << 12, kRepeat = 1 << 13 };  // beside Trace::Bits
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint64_t answer = 0;  // as in Trace
  uint64_t used = 0;
  uint64_t id = 0;      // in the names: place << 8 | size
  double start = std::numeric_limits<double>::quiet_NaN(), end = start;  // seconds; NaN: not recorded
  uint32_t prompt = kNone;        // of Trail::prompt_terms
  uint32_t answer_terms = kNone;  // of Trail::answer_terms
  uint32_t opening = 0;
  int32_t onset = -1;             // of the first finding of severity fail or warn: characters, or tokens
  int32_t prompt_size = -1;       // tokens, or bytes
  int32_t line = -1;
  uint16_t bits = 0;
  uint16_t endpoint = 0, replica = 0, rank = 0, file = 0, unit = 0;  // of the interned names
  bool is(unsigned bit) const { return (bits & bit) != 0; }
};
static_assert(sizeof(KeptTrace) == 80);

class Trail {
 public:
  explicit Trail(bool with_text) : with_text_(with_text) {}
  void add(const Sample& sample, const Judgement& judgement);
  size_t size() const { return kept_.size(); }
  const KeptTrace& operator[](size_t i) const { return kept_[i]; }
  size_t prompts() const { return prompts_.size(); }
  std::span<const uint32_t> prompt_terms(uint32_t prompt) const { return of(prompts_[prompt], prompt_pool_); }
  std::span<const uint32_t> answer_terms(uint32_t answer) const { return of(answers_[answer], answer_pool_); }
  std::string_view id(const KeptTrace& kept) const { return std::string_view(ids_).substr(kept.id >> 8, kept.id & 0xff); }
  const Interned& names() const { return names_; }
  const Interned& units() const { return units_; }

 private:
  static constexpr size_t kMostId = 64;
  using Terms = uint64_t;  // in a pool: place << 8 | size
  static std::span<const uint32_t> of(Terms terms, const std::vector<uint32_t>& pool) { return std::span(pool).subspan(terms >> 8, terms & 0xff); }
  static uint32_t keep(const std::vector<uint32_t>& terms, std::vector<uint32_t>* pool, std::vector<Terms>* list);
  uint32_t prompt_of(const Trace& trace);
  uint16_t unit_of(const Sample& sample, const Judgement& judgement);

  bool with_text_;
  Pieces<KeptTrace> kept_;
  std::string ids_;
  std::vector<Terms> prompts_, answers_;
  std::vector<uint32_t> prompt_pool_, answer_pool_;
  std::unordered_map<uint64_t, uint32_t> prompt_numbers_;
  Interned names_, units_;
  std::string unit_;
};

}  // namespace vaa
