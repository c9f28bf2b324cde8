// How sampled answers begin: their first tokens, and the lists of likeliest tokens there where they are recorded.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "records/sample.h"
#include "sampler/calibration/legal_set.h"
#include "sampler/calibration/temperature_fit.h"

namespace vaa {

constexpr size_t kOpening = 8;  // tokens

struct Opening {
  std::array<int32_t, kOpening> ids{};
  std::array<int32_t, kOpening> lists{};  // of the law that each token was drawn from; -1: none
  uint8_t length = 0;                     // ids; below kOpening the answer ended there
  uint64_t seed = 0;                      // hash; 0: none
  float temperature = std::nanf(""), top_p = 1, min_p = 0;  // temperature NaN: not recorded
  int32_t top_k = 0;                      // 0: off
  // The token at place i; of an answer that ended before it, none of any vocabulary.
  int32_t at(size_t i) const { return i < length ? ids[i] : -1; }
  bool begins_like(const Opening& other, size_t tokens) const;
};

// Of one side. Per answer 100 bytes, and the lists of prefixes that no answer of the question had before it; bounded.
class Openings {
 public:
  // Answers at a temperature above 0, or not recorded, with ids. An answer whose seed another one of its question has is no draw of its own, and left out. `question`: index in its own side.
  void add(const Sample& sample, int32_t question);
  std::span<const Opening> of(int32_t question) const { return static_cast<size_t>(question) < questions_.size() ? std::span<const Opening>(questions_[static_cast<size_t>(question)]) : std::span<const Opening>(); }
  // Adds each token of `opening` to the fit that the answers to the question have a list for here: drawn after the same ids, from the law that the list shows.
  void add_to_fit(int32_t question, const Opening& opening, uint64_t answer, sampler::TemperatureFit* fit) const;
  bool any_lists() const { return !ends_.empty(); }
  int64_t same_seed() const { return same_seed_; }  // answers that were left out
  // Over a twentieth of the answers have the seed of an answer to another question: they draw the same numbers, and what chance does to one question it does to many.
  bool shares_seeds() const { return 20 * shared_seed_ > answers_; }

 private:
  int32_t list_after(std::span<const Opening> answers, const Opening& opening, size_t tokens) const;  // -1: none
  void add_lists(const Sample& sample, std::span<const Opening> before, Opening* opening);
  std::vector<std::vector<Opening>> questions_;
  std::vector<size_t> ends_;        // list i is [ends_[i - 1], ends_[i]) of the two columns below
  std::vector<uint8_t> processed_;  // of each list: it holds temperature and cuts already
  std::vector<int32_t> list_ids_;
  std::vector<float> list_logprobs_;
  std::unordered_map<uint64_t, int32_t> seeded_;  // of each seed the question that had it first
  int64_t same_seed_ = 0, shared_seed_ = 0, answers_ = 0;
};

}  // namespace vaa
