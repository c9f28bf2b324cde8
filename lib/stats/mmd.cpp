#include "stats/mmd.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/random.h"
#include "stats/arguments.h"

namespace vaa::stats {
namespace {

__extension__ using Wide = __int128;
using Ids = std::span<const int32_t>;

constexpr int64_t kMostPairs = int64_t{1} << 24;
constexpr int64_t kMostPermutations = 1'000'000;
// Of pairs times the longest answer, and of pairs times splits: minutes.
constexpr int64_t kMostWork = 100'000'000'000;

// Positions at which two answers differ; past one's end they do.
int64_t mismatches(Ids a, Ids b) {
  const size_t both = std::min(a.size(), b.size());
  int64_t count = static_cast<int64_t>(std::max(a.size(), b.size()) - both);
  for (size_t i = 0; i < both; ++i) count += a[i] != b[i];
  return count;
}

// Sums of mismatches over the pairs within the first part, within the second and across.
struct Sums {
  int64_t first = 0, second = 0, across = 0;
  Sums operator+(const Sums& o) const { return {first + o.first, second + o.second, across + o.across}; }
};

// The answers to one prompt, the reference's first.
class Prompt {
 public:
  void add(bool of_target, Ids ids) {
    answers_.push_back(ids);
    if (!of_target) ++firsts_;
  }
  int64_t firsts() const { return static_cast<int64_t>(firsts_); }
  int64_t seconds() const { return static_cast<int64_t>(answers_.size()) - firsts(); }

  void compare() {
    side_.assign(answers_.size(), 1);
    std::fill_n(side_.begin(), firsts_, uint8_t{0});
    for (size_t i = 1; i < answers_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) distances_.push_back(mismatches(answers_[i], answers_[j]));
    }
  }

  Sums sums() const {
    Sums result;
    int64_t* const by_side[] = {&result.first, &result.across, &result.second};
    size_t at = 0;
    for (size_t i = 1; i < side_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) *by_side[side_[i] + side_[j]] += distances_[at++];
    }
    return result;
  }

  void shuffle(Random* random) {
    for (size_t i = side_.size(); i > 1; --i) std::swap(side_[i - 1], side_[random->below(i)]);
  }

  std::vector<Sums> all_splits() {
    std::vector<Sums> result;
    std::sort(side_.begin(), side_.end());
    do {
      result.push_back(sums());
    } while (std::next_permutation(side_.begin(), side_.end()));
    return result;
  }

  // How many splits there are, counted up to `most` + 1.
  int64_t splits(int64_t most) const {
    int64_t count = 1;
    for (int64_t i = 1; i <= std::min(firsts(), seconds()); ++i) {
      const Wide next = static_cast<Wide>(count) * (firsts() + seconds() + 1 - i) / i;
      if (next > most) return most + 1;
      count = static_cast<int64_t>(next);
    }
    return count;
  }

 private:
  std::vector<Ids> answers_;
  std::vector<uint8_t> side_;       // 0 for the first part of the split
  std::vector<int64_t> distances_;  // below the diagonal, row by row
  size_t firsts_ = 0;
};

class Mmd {
 public:
  Mmd(const Answers& reference, const Answers& target) {
    add(reference, false, "reference");
    add(target, true, "target");
    for (const auto& [id, place] : places_) {
      const Prompt& prompt = prompts_[place];
      if (prompt.firsts() == 0 || prompt.seconds() == 0)
        fail(VAA_ERROR_ARGUMENT, "mmd_test: prompt " + std::to_string(id) + " has no answer in " + (prompt.firsts() == 0 ? "reference" : "target"));
      within_first_ += prompt.firsts() * (prompt.firsts() - 1) / 2;
      within_second_ += prompt.seconds() * (prompt.seconds() - 1) / 2;
      across_ += prompt.firsts() * prompt.seconds();
    }
    check_count("mmd_test", "the number of pairs within reference", within_first_, 1);
    check_count("mmd_test", "the number of pairs within target", within_second_, 1);
    const int64_t pairs = within_first_ + within_second_ + across_;
    check_count("mmd_test", "the number of pairs of one prompt", pairs, 1, kMostPairs);
    check_count("mmd_test", "the length of the longest answer", longest_, 0, kMostWork / pairs);
    for (Prompt& prompt : prompts_) prompt.compare();
  }

  TwoSample test(int64_t permutations, uint64_t seed) {
    check_count("mmd_test", "permutations", permutations, 1, std::min(kMostPermutations, kMostWork / (within_first_ + within_second_ + across_)));
    Sums observed;
    int64_t splits = 1;
    for (const Prompt& prompt : prompts_) {
      observed = observed + prompt.sums();
      if (splits <= permutations) {
        const Wide all = static_cast<Wide>(splits) * prompt.splits(permutations);
        splits = all > permutations ? permutations + 1 : static_cast<int64_t>(all);
      }
    }
    TwoSample result;
    const double length = static_cast<double>(std::max<int64_t>(1, longest_));
    const auto mean = [&](int64_t sum, int64_t pairs) { return static_cast<double>(sum) / static_cast<double>(pairs) / length; };
    result.mmd2 = 2 * mean(observed.across, across_) - mean(observed.first, within_first_) - mean(observed.second, within_second_);
    const Wide limit = rank(observed);
    result.exact = splits <= permutations;
    if (result.exact) {
      std::vector<std::vector<Sums>> all;
      for (Prompt& prompt : prompts_) all.push_back(prompt.all_splits());
      result.at_least = count_from(all, 0, {}, limit);
      result.permutations = splits;
    } else {
      Random random(seed);
      result.at_least = 1;
      for (int64_t round = 0; round < permutations; ++round) {
        Sums sums;
        for (Prompt& prompt : prompts_) {
          prompt.shuffle(&random);
          sums = sums + prompt.sums();
        }
        if (rank(sums) >= limit) ++result.at_least;
      }
      result.permutations = permutations + 1;
    }
    result.p = static_cast<double>(result.at_least) / static_cast<double>(result.permutations);
    return result;
  }

 private:
  void add(const Answers& answers, bool of_target, const std::string& side) {
    const std::string prompts = side + "_prompts", lengths = side + "_lengths";
    check_some("mmd_test", prompts, answers.prompts.size());
    check_same_size("mmd_test", lengths, answers.lengths.size(), answers.prompts.size());
    size_t at = 0;
    for (size_t i = 0; i < answers.prompts.size(); ++i) {
      const size_t left = answers.ids.size() - at;
      check_count("mmd_test", element(lengths, i), answers.lengths[i], 0, static_cast<int64_t>(left));
      const auto [place, is_new] = places_.try_emplace(answers.prompts[i], prompts_.size());
      if (is_new) prompts_.emplace_back();
      const size_t length = static_cast<size_t>(answers.lengths[i]);
      prompts_[place->second].add(of_target, answers.ids.subspan(at, length));
      longest_ = std::max(longest_, answers.lengths[i]);
      at += length;
    }
    if (at != answers.ids.size())
      fail(VAA_ERROR_ARGUMENT, "mmd_test: the sum of " + lengths + " is " + std::to_string(at) + ", must be the size of " + side + "_ids, " +
                                   std::to_string(answers.ids.size()));
  }

  // mmd2 times its denominators: a whole number, so that equal splits are equal.
  Wide rank(const Sums& sums) const {
    return 2 * static_cast<Wide>(sums.across) * within_first_ * within_second_ - static_cast<Wide>(sums.first) * across_ * within_second_ -
           static_cast<Wide>(sums.second) * across_ * within_first_;
  }

  int64_t count_from(const std::vector<std::vector<Sums>>& all, size_t prompt, const Sums& so_far, Wide limit) const {
    if (prompt == all.size()) return rank(so_far) >= limit;
    int64_t count = 0;
    for (const Sums& sums : all[prompt]) count += count_from(all, prompt + 1, so_far + sums, limit);
    return count;
  }

  std::map<int64_t, size_t> places_;
  std::vector<Prompt> prompts_;
  int64_t longest_ = 0;
  int64_t within_first_ = 0, within_second_ = 0, across_ = 0;  // pairs
};

}  // namespace

TwoSample mmd_test(const Answers& reference, const Answers& target, int64_t permutations, uint64_t seed) {
  return Mmd(reference, target).test(permutations, seed);
}

}  // namespace vaa::stats
