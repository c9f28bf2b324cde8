#include "quality/shown.h"

#include <algorithm>
#include <tuple>

#include "quality/excerpt.h"
#include "quality/without_text.h"

namespace vaa {
namespace {

auto rank(const ShownFinding& f) { return std::make_tuple(-static_cast<int>(f.finding.severity), -static_cast<int>(f.finding.confidence), f.order, f.finding.flag); }
bool worse(const ShownFinding& a, const ShownFinding& b) { return rank(a) < rank(b); }

ShownFinding describe(const Sample& sample, const Finding& finding, int64_t order, size_t max_excerpt, bool with_text) {
  ShownFinding shown;
  shown.order = order;
  shown.finding = finding;
  shown.has_id = sample.has(TextField::kId);
  shown.id = bounded(sample.text(TextField::kId), kMaxName);
  shown.has_dataset = sample.has(TextField::kDataset);
  shown.dataset = bounded(sample.text(TextField::kDataset), kMaxName);
  const std::string_view file = sample.text(TextField::kSourceFile);
  shown.file = bounded(with_text ? file : base_name(file), 2 * kMaxName);
  shown.repeat = sample.integer(IntField::kRepeat, 0);
  shown.line = sample.integer(IntField::kSourceLine, -1);
  if (with_text) shown.excerpt = excerpt_of(sample, finding, max_excerpt);
  shown.has_excerpt = !shown.excerpt.empty();
  return shown;
}

}  // namespace

void Shown::offer(const Sample& sample, const Finding& finding, int64_t order, size_t max_excerpt, bool with_text) {
  const auto flag = static_cast<size_t>(finding.flag);
  if (by_flag_.size() <= flag) by_flag_.resize(flag + 1);
  std::vector<ShownFinding>& list = by_flag_[flag];
  ShownFinding key;
  key.order = order;
  key.finding = finding;
  if (list.size() == kOfOneFlag && !worse(key, list.back())) return;
  const auto at = std::upper_bound(list.begin(), list.end(), key, worse);
  list.insert(at, describe(sample, finding, order, max_excerpt, with_text));
  if (list.size() > kOfOneFlag) list.pop_back();
}

std::vector<const ShownFinding*> Shown::worst() const {
  std::vector<const ShownFinding*> out;
  for (size_t place = 0; place < kOfOneFlag && out.size() < kAll; ++place) {
    for (const auto& list : by_flag_) {
      if (place < list.size() && out.size() < kAll) out.push_back(&list[place]);
    }
  }
  std::sort(out.begin(), out.end(), [](const ShownFinding* a, const ShownFinding* b) { return worse(*a, *b); });
  return out;
}

}  // namespace vaa
