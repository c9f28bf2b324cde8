#include "sampler/calibration/listed_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/figures.h"
#include "base/math.h"

namespace vaa::sampler {
namespace {

constexpr double kMostMass = 1 + 1e-3;  // of listed probabilities

}  // namespace

double ListedRow::chosen_logprob() const { return masked ? -std::numeric_limits<double>::infinity() : logprobs[chosen]; }

bool find_lists(const Sample& sample, const std::string& name, AnswerLists* out, ListFaults* faults) {
  const bool forced = sample.forced();
  const auto ids = forced ? IdsField::kPromptTokenIds : IdsField::kOutputTokenIds, top = forced ? IdsField::kPromptTopIds : IdsField::kOutputTopIds;
  const auto own = forced ? RealsField::kPromptLogprobs : RealsField::kOutputLogprobs, logprobs = forced ? RealsField::kPromptTopLogprobs : RealsField::kOutputTopLogprobs;
  const auto ends = forced ? IntsField::kPromptTopEnds : IntsField::kOutputTopEnds;
  const auto skip = [&](int64_t* count, const char* words) {
    *count += 1;
    if (faults->first.empty() && words[0] != '\0') faults->first = name + ": " + words;
    return false;
  };
  if (!sample.has(ids) || sample.ids.get(ids).empty()) return skip(&faults->answers_without_ids, "");
  if (sample.text(TextField::kLogprobsMode).ends_with("logits")) return skip(&faults->answers_of_logits, "");
  if (!sample.has(top) || !sample.has(logprobs) || !sample.has(ends) || sample.ids.get(top).empty()) return skip(&faults->answers_without_lists, "");
  const auto& all = sample.ids.get(ids);
  const auto& e = sample.int_lists.get(ends);
  const size_t entries = sample.ids.get(top).size();
  if (e.size() != all.size() || sample.real_lists.get(logprobs).size() != entries || !std::is_sorted(e.begin(), e.end()) || e.front() < 0 || static_cast<size_t>(e.back()) > entries)
    return skip(&faults->answers_not_fitting, "lists that do not fit its ids");
  const int64_t from = forced ? sample.integer(IntField::kForcedFrom, 0) : 0;
  if (from < 0 || static_cast<size_t>(from) >= all.size()) return skip(&faults->answers_not_fitting, "forced.from lies outside its ids");
  *out = {std::span(all).subspan(static_cast<size_t>(from)), {}, sample.ids.get(top), sample.real_lists.get(logprobs), e, static_cast<size_t>(from)};
  if (sample.has(own) && sample.real_lists.get(own).size() == all.size()) out->own = std::span(sample.real_lists.get(own)).subspan(out->from);
  return true;
}

RowReader::RowReader(const AnswerLists& lists, const std::string& name, ListFaults* faults) : lists_(lists), name_(name), faults_(faults), asked_(asked_for()) {}

RowReader::List RowReader::list(size_t i) const {
  const size_t at = lists_.from + i, begin = at == 0 ? 0 : static_cast<size_t>(lists_.ends[at - 1]), end = static_cast<size_t>(lists_.ends[at]);
  return {lists_.ids.subspan(begin, end - begin), lists_.logprobs.subspan(begin, end - begin)};
}

// A list is the asked-for likeliest tokens and the chosen one, so it has one more where that is not among them.
size_t RowReader::asked_for() const {
  size_t asked = 0;
  for (size_t i = 0; i < size(); ++i) {
    const List list = this->list(i);
    const auto chosen = static_cast<size_t>(std::find(list.ids.begin(), list.ids.end(), lists_.chosen[i]) - list.ids.begin());
    const bool likeliest = chosen == list.ids.size() || std::none_of(list.logprobs.begin(), list.logprobs.end(), [&](double l) { return l > list.logprobs[chosen]; });
    if (likeliest) asked = std::max(asked, list.ids.size());
  }
  return asked;
}

bool RowReader::fault(int64_t* count, size_t i, const std::string& words) {
  *count += 1;
  if (faults_->first.empty()) faults_->first = name_ + ", token " + std::to_string(i) + ": " + words;
  return false;
}

bool RowReader::read(size_t i, ListedRow* row) {
  const List list = this->list(i);
  if (list.ids.empty()) return faults_->without_list += 1, false;
  for (const double l : list.logprobs) {
    if (std::isnan(l)) return fault(&faults_->not_a_number, i, "logprob NaN");
    if (l > 0) return fault(&faults_->positive, i, "logprob " + exact_number(l));
  }
  order_.resize(list.ids.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) { return list.logprobs[a] != list.logprobs[b] ? list.logprobs[a] > list.logprobs[b] : list.ids[a] < list.ids[b]; });
  row->ids.clear(), row->logprobs.clear();
  row->masked = false, row->entries = list.ids.size(), row->mass = 0, row->chosen = list.ids.size(), row->chosen_id = lists_.chosen[i];
  for (const size_t k : order_) {
    if (std::isinf(list.logprobs[k])) {
      row->masked = row->masked || list.ids[k] == lists_.chosen[i];
      continue;
    }
    if (list.ids[k] == lists_.chosen[i] && row->chosen == list.ids.size()) row->chosen = row->ids.size();
    row->ids.push_back(list.ids[k]);
    row->logprobs.push_back(list.logprobs[k]);
  }
  std::vector<size_t>& by_id = order_;
  std::sort(by_id.begin(), by_id.end(), [&](size_t a, size_t b) { return list.ids[a] < list.ids[b]; });
  if (std::adjacent_find(by_id.begin(), by_id.end(), [&](size_t a, size_t b) { return list.ids[a] == list.ids[b]; }) != by_id.end()) return fault(&faults_->twice, i, "a list names an id twice");
  if (row->ids.empty()) return fault(&faults_->not_a_number, i, "a list of nothing but -infinity");
  row->listed = std::min(row->ids.size(), asked_);
  if (row->masked) {
    row->chosen = row->ids.size();
  } else if (row->chosen == list.ids.size()) {  // not listed
    faults_->chosen_missing += 1;
    const double own = lists_.own.empty() ? std::nan("") : lists_.own[i], last = row->logprobs.back();
    row->listed = row->chosen = row->ids.size();
    row->ids.push_back(lists_.chosen[i]);
    row->logprobs.push_back(own <= last && std::isfinite(own) ? own : last);
  }
  for (size_t k = 0; k < row->listed; ++k) row->mass += math::exp(row->logprobs[k]);
  if (row->mass > kMostMass) return fault(&faults_->mass, i, "listed probabilities add to " + exact_number(row->mass));
  return true;
}

}  // namespace vaa::sampler
