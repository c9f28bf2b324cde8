// One row on its way through the stages: the tokens that are left, their logits, and their weights. Memory is kept from row to row.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace vaa {

// How numbers are held between steps.
enum class Rounding : uint8_t { kExact, kFp32, kBf16 };
double rounded(double value, Rounding rounding);

struct LogitRow {
  size_t size = 0;         // candidates
  size_t vocabulary = 0;
  bool greedy = false;     // the likeliest is taken, of equals the lowest id
  bool cut = false;        // some were taken away: ids() are no longer 0, 1, 2 …
  int64_t number = 0;      // for messages
  Rounding rounding = Rounding::kExact;
  double max = 0;          // the largest logit, or more

  // Of each candidate, in ascending order of ids.
  std::vector<int32_t> ids;      // valid where cut
  std::vector<double> z;         // logits; -infinity: masked, and gone after drop_masked()
  std::vector<double> weights;   // exact: exp(z - max) or the probabilities that came in; rounded: probabilities. Valid where weighed
  double total = 0;              // what the weights are shares of
  double reference = 0;          // the logit of a weight of 1
  bool weighed = false;

  // Logits have changed.
  void change() { weighed = as_loaded_ = false; }

  int32_t id(size_t i) const { return cut ? ids[i] : static_cast<int32_t>(i); }
  double probability(size_t i) const { return weights[i] / total; }
  double log_probability(size_t i) const;
  double log_mass() const;  // log of the sum of exp z of the candidates; the row is weighed
  double round(double value) const { return rounding == Rounding::kExact ? value : rounded(value, rounding); }

  // A row of logits, or of probabilities (`probs`). Failures name the row and the id.
  void load(std::span<const float> values, bool probs, int64_t row_number, Rounding how);
  // After logits have changed: the largest, and none that are -infinity. A row without any is a failure that names `stage`.
  void drop_masked(const char* stage);
  // weights and total of the candidates as they are; nothing where they are there.
  void weigh();
  // Keeps the candidates for which keep(i) holds. Their weights stay, as shares of what is left (or of the old total); rounded ones are computed anew.
  template <class Keep>
  void keep_if(Keep&& keep, bool same_total = false) {
    size_t kept = 0;
    if (!cut) ids.resize(vocabulary);
    for (size_t i = 0; i < size; ++i) {
      if (!keep(i)) continue;
      ids[kept] = id(i);
      z[kept] = z[i];
      if (weighed) weights[kept] = weights[i];
      ++kept;
    }
    after_cut(kept, same_total);
  }
  // The weights as shares of what is left, where a cut left the old total.
  void share_anew() {
    if (of_more_) after_cut(size, false);
  }
  // The places of the candidates in this order, which has no equals. Borrowed until the next call.
  template <class Before>
  std::span<const uint32_t> sorted(Before&& before) {
    places.resize(std::max(places.size(), size));
    std::iota(places.begin(), places.begin() + static_cast<ptrdiff_t>(size), 0u);
    std::sort(places.begin(), places.begin() + static_cast<ptrdiff_t>(size), before);
    return {places.data(), size};
  }
  // From the likeliest to the least likely, of equals the lower id first. The row is weighed.
  std::span<const uint32_t> by_probability() {
    return sorted([this](uint32_t a, uint32_t b) { return weights[a] > weights[b] || (weights[a] == weights[b] && a < b); });
  }
  // "row 3: ": for messages.
  std::string where() const { return "row " + std::to_string(number) + ": "; }

  // Scratch of the stages.
  std::vector<double> reals;
  std::vector<uint32_t> places, open;
  std::vector<int32_t> counts, marks;  // by id; 0 between stages

 private:
  void after_cut(size_t kept, bool same_total);
  bool of_more_ = false;  // the total is of more than is left
  bool as_loaded_ = false, masked_ = false;  // nothing has changed since load; it had a masked one
  std::vector<float> floats_in_, floats_out_;
};

}  // namespace vaa
