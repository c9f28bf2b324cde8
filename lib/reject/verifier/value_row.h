// Rows of probabilities as they come (floats), or as a pipeline or a law holds them (doubles).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace vaa {

struct ValueRow {
  const float* floats = nullptr;
  const double* doubles = nullptr;  // where floats is null
  size_t size = 0;                  // 0: there is none
  double total = 1;                 // what doubles are shares of

  ValueRow() = default;
  explicit ValueRow(std::span<const float> values) : floats(values.data()), size(values.size()) {}
  explicit ValueRow(std::span<const double> values, double of = 1) : doubles(values.data()), size(values.size()), total(of) {}
  double at(size_t i) const { return floats ? static_cast<double>(floats[i]) : doubles[i] / total; }
};

// A row of the target: the law of the next token.
struct TargetRow {
  ValueRow p;
  bool greedy = false;   // argmax alone counts
  int32_t argmax = -1;   // of a greedy row
  double entropy = 0;    // of the row before the pipeline, where the method asks for it

  double of(int32_t id) const { return greedy ? static_cast<double>(id == argmax) : p.at(static_cast<size_t>(id)); }
};

// What is known of the law that a draft was drawn from.
struct DraftLaw {
  enum class Form : uint8_t { kOneHot, kValue, kRow };
  Form form = Form::kOneHot;
  double value = 1;  // q of the draft, where form is kValue
  ValueRow row;

  double of(int32_t draft) const { return form == Form::kRow ? row.at(static_cast<size_t>(draft)) : form == Form::kValue ? value : 1; }
};

// What is left for a token to be drawn from: max(scale * p - q, 0), without some ids.
struct Residual {
  ValueRow p;
  double scale = 1;
  ValueRow q;                        // none: nothing is taken off
  std::span<const int32_t> without;  // ascending

  double at(size_t i) const {
    const double left = scale * p.at(i) - (q.size ? q.at(i) : 0);
    return left > 0 ? left : 0;
  }
};

}  // namespace vaa
