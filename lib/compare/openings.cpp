#include "compare/openings.h"

#include <algorithm>

#include "base/math.h"
#include "base/text_hash.h"
#include "sampler/calibration/listed_row.h"

namespace vaa {
namespace {

constexpr size_t kMostAnswers = 256;             // of a question: more tell little more
constexpr size_t kMostLists = size_t{1} << 17;   // of a side

// Whether tokens were drawn here by a law: neither greedy, nor scored, nor the end of another answer.
bool is_drawn(const Sample& sample) {
  if (sample.failed() || sample.forced() || !sample.has(IdsField::kOutputTokenIds) || sample.ids.get(IdsField::kOutputTokenIds).empty()) return false;
  return sample.real(RealField::kTemperature, 1) > 0 && sample.text(TextField::kExtra).find("\"rung\"") == std::string_view::npos;
}

Opening opening_of(const Sample& sample) {
  Opening out;
  out.lists.fill(-1);
  const auto& ids = sample.ids.get(IdsField::kOutputTokenIds);
  out.length = static_cast<uint8_t>(std::min(ids.size(), kOpening));
  std::copy_n(ids.begin(), out.length, out.ids.begin());
  if (sample.has(TextField::kSeed)) out.seed = hash_bytes(0x6f70656e, sample.text(TextField::kSeed)) | 1;
  if (sample.has(RealField::kTemperature)) out.temperature = static_cast<float>(sample.real(RealField::kTemperature, 1));
  out.top_p = static_cast<float>(sample.real(RealField::kTopP, 1));
  out.min_p = static_cast<float>(sample.real(RealField::kMinP, 0));
  out.top_k = static_cast<int32_t>(std::clamp<int64_t>(sample.integer(IntField::kTopK, 0), 0, 1 << 30));
  return out;
}

}  // namespace

bool Opening::begins_like(const Opening& other, size_t tokens) const { return length >= tokens && other.length >= tokens && std::equal(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(tokens), other.ids.begin()); }

int32_t Openings::list_after(std::span<const Opening> answers, const Opening& opening, size_t tokens) const {
  for (const Opening& other : answers) {
    if (other.lists[tokens] >= 0 && other.begins_like(opening, tokens)) return other.lists[tokens];
  }
  return -1;
}

void Openings::add_lists(const Sample& sample, std::span<const Opening> before, Opening* opening) {
  const std::string name;
  sampler::ListFaults faults;
  sampler::AnswerLists lists;
  if (!sampler::find_lists(sample, name, &lists, &faults)) return;
  const std::string_view mode = sample.text(TextField::kLogprobsMode);
  sampler::RowReader rows(lists, name, &faults);
  sampler::ListedRow row;
  for (size_t i = 0; i < std::min<size_t>(opening->length, rows.size()); ++i) {
    opening->lists[i] = list_after(before, *opening, i);
    if (opening->lists[i] >= 0 || ends_.size() >= kMostLists || !rows.read(i, &row) || row.listed < 2) continue;
    list_ids_.insert(list_ids_.end(), row.ids.begin(), row.ids.begin() + static_cast<std::ptrdiff_t>(row.listed));
    for (size_t k = 0; k < row.listed; ++k) list_logprobs_.push_back(static_cast<float>(row.logprobs[k]));
    ends_.push_back(list_ids_.size());
    processed_.push_back(mode == "processed_logprobs");
    opening->lists[i] = static_cast<int32_t>(ends_.size() - 1);
  }
}

void Openings::add(const Sample& sample, int32_t question) {
  if (question < 0 || !is_drawn(sample)) return;
  if (questions_.size() <= static_cast<size_t>(question)) questions_.resize(static_cast<size_t>(question) + 1);
  std::vector<Opening>& answers = questions_[static_cast<size_t>(question)];
  if (answers.size() >= kMostAnswers) return;
  Opening opening = opening_of(sample);
  if (opening.seed != 0 && std::any_of(answers.begin(), answers.end(), [&](const Opening& other) { return other.seed == opening.seed; })) {
    same_seed_ += 1;
    return;
  }
  add_lists(sample, answers, &opening);
  answers.push_back(opening);
  answers_ += 1;
  shared_seed_ += opening.seed != 0 && seeded_.emplace(opening.seed, question).first->second != question;
}

void Openings::add_to_fit(int32_t question, const Opening& opening, uint64_t answer, sampler::TemperatureFit* fit) const {
  const auto answers = of(question);
  for (size_t i = 0; i < opening.length; ++i) {
    const int32_t list = list_after(answers, opening, i);
    if (list < 0) continue;
    const auto at = static_cast<size_t>(list);
    const size_t begin = at == 0 ? 0 : ends_[at - 1], size = ends_[at] - begin;
    const auto ids = std::span(list_ids_).subspan(begin, size);
    const auto found = std::find(ids.begin(), ids.end(), opening.ids[i]);
    if (found == ids.end()) continue;
    sampler::ListedRow row;
    row.ids.assign(ids.begin(), ids.end());
    row.logprobs.assign(list_logprobs_.begin() + static_cast<std::ptrdiff_t>(begin), list_logprobs_.begin() + static_cast<std::ptrdiff_t>(begin + size));
    row.listed = row.entries = size;
    row.chosen = static_cast<size_t>(found - ids.begin());
    for (const double l : row.logprobs) row.mass += math::exp(l);
    sampler::Law law;
    if (!processed_[at]) law = {.temperature = std::isnan(opening.temperature) ? 1.0 : double{opening.temperature}, .greedy = false, .top_p = opening.top_p, .min_p = opening.min_p, .top_k = opening.top_k};
    const size_t surely = sampler::legal_bounds(row, law).surely;
    if (row.chosen < surely && surely >= 2) fit->add(std::span(row.logprobs).first(surely), row.chosen, answer);
  }
}

}  // namespace vaa
