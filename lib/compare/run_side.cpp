#include "compare/run_side.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/json_writer.h"
#include "base/text_hash.h"
#include "quality/ending.h"
#include "quality/tally_counts.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kMaxValues = 8;   // of one setting; more are no setting
constexpr size_t kMaxFinish = 32;
constexpr int32_t kLongAnswer = 200;  // characters: sampled answers of that length are not alike by chance
constexpr double kLargestScore = 1e100;  // a larger one is no score: squares of it are not finite

uint64_t hashed(std::string_view text) { return hash_bytes(0x636d7031, text) | 1; }
template <class Number>
uint64_t hashed_ids(std::span<const Number> ids) {
  return hashed({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(Number)});
}

// Without what separates two ways to write one answer: case and white space.
uint64_t hashed_answer(std::string_view text) {
  std::string bare;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    bare += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return hashed(bare);
}

int32_t capped(int64_t n) { return static_cast<int32_t>(std::clamp<int64_t>(n, -1, std::numeric_limits<int32_t>::max())); }

std::string key_of(std::string_view dataset, std::string_view id) {
  std::string key(dataset);
  key += '\0';
  return key += id;
}

std::string name_of(std::string_view dataset, std::string_view id) { return bounded((dataset.empty() ? "" : std::string(dataset) + "/") + std::string(id), kMaxName); }

// What is said to what, but for the number of the repeat.
uint64_t answer_of(const std::string& key, const RunRow& row) {
  uint64_t h = hashed(key) ^ mixed(row.output);
  h = mixed(h) ^ row.seed;
  for (const uint64_t prompt : row.prompt) h = mixed(h) ^ prompt;
  return h;
}

std::array<uint64_t, kPromptForms> prompt_of(const Sample& sample) {
  std::array<uint64_t, kPromptForms> out{};
  if (sample.has(TextField::kPromptMessages)) out[kPromptMessages] = hashed(sample.text(TextField::kPromptMessages));
  if (sample.has(TextField::kPromptText)) out[kPromptText] = hashed(sample.text(TextField::kPromptText));
  if (sample.has(IdsField::kPromptTokenIds)) {
    const auto& ids = sample.ids.get(IdsField::kPromptTokenIds);
    const auto end = static_cast<size_t>(std::clamp<int64_t>(sample.integer(IntField::kForcedFrom, static_cast<int64_t>(ids.size())), 0, static_cast<int64_t>(ids.size())));
    out[kPromptIds] = hashed_ids<int32_t>(std::span(ids).first(end));  // of a forced answer what stands before the answer that it scores
  }
  return out;
}

uint64_t output_of(const Sample& sample) {
  uint64_t h = hashed(sample.text(TextField::kOutputText)) ^ mixed(hashed(sample.text(TextField::kOutputReasoning)));
  if (sample.has(IdsField::kOutputTokenIds)) h ^= mixed(hashed_ids<int32_t>(sample.ids.get(IdsField::kOutputTokenIds)) + 1);
  return h | 1;
}

// 1: it reached its token limit, 0: it did not, -1: not known.
int8_t reached_limit(const Sample& sample) {
  const std::string_view finish = sample.text(TextField::kFinishReason);
  if (finish == "length") return 1;
  const int64_t most = sample.integer(IntField::kMaxTokens, -1), tokens = completion_tokens(sample);
  if (most > 0 && tokens >= 0) return tokens >= most;
  return finish.empty() || finish == "unknown" ? -1 : 0;
}

struct RealSetting {
  RealField field;
  const char* name;
};
constexpr RealSetting kReals[] = {{RealField::kTemperature, "temperature"}, {RealField::kTopP, "top_p"}, {RealField::kMinP, "min_p"}, {RealField::kRepetitionPenalty, "repetition_penalty"},
                                  {RealField::kPresencePenalty, "presence_penalty"}, {RealField::kFrequencyPenalty, "frequency_penalty"}};
struct IntSetting {
  IntField field;
  const char* name;
};
constexpr IntSetting kInts[] = {{IntField::kTopK, "top_k"}, {IntField::kMaxTokens, "max_tokens"}, {IntField::kIgnoreEos, "ignore_eos"}};

}  // namespace

RunSide::RunSide(const Checker& checker) : bits_(PlaceBits::of(detector_table())) {
  const auto table = detector_table();
  for (size_t i = 0; i < table.size(); ++i) {
    severity_.push_back(table[i]->severity);
    if (checker.enabled(static_cast<int>(i))) enabled_ |= uint64_t{1} << i;
  }
}

bool RunSide::add(const Sample& sample, const Judgement& judgement) {
  RunRow row;
  row.prompt = prompt_of(sample);
  if (sample.has(TextField::kScoreExtracted)) row.extracted = hashed_answer(sample.text(TextField::kScoreExtracted));
  row.has_output = sample.has_output();
  row.failed = sample.failed();
  row.forced = sample.forced();
  row.has_ids = !row.failed && sample.has(IdsField::kOutputTokenIds);
  if (row.has_output) row.output = output_of(sample);
  if (sample.has(TextField::kSeed)) row.seed = hashed(sample.text(TextField::kSeed));
  row.counted = counted_flags(judgement, severity_) & enabled_;
  row.testable = row.has_output ? enabled_ & ~judgement.unknown : 0;
  double value = 0;
  const uint8_t scored = score_bits(sample, &value);
  if ((scored & KeptSample::kScored) && std::abs(value) <= kLargestScore) row.score = value;
  row.right = scored & KeptSample::kRight ? 1 : scored & KeptSample::kWrong ? 0 : -1;
  row.tokens = capped(judgement.output_tokens);
  row.chars = capped(judgement.output_chars);
  if (sample.has(IdsField::kOutputTokenIds) && !sample.ids.get(IdsField::kOutputTokenIds).empty()) row.first_token = sample.ids.get(IdsField::kOutputTokenIds)[0];
  row.repeat = capped(sample.integer(IntField::kRepeat, 0));
  row.place = static_cast<uint8_t>(place_of(sample, judgement, bits_));
  if (row.has_output) row.at_limit = reached_limit(sample);
  row.broken = row.has_output && fails_for_certain(judgement);
  if (sample.has(TextField::kFinishReason)) {
    const std::string finish(sample.text(TextField::kFinishReason));
    size_t at = static_cast<size_t>(std::find(finish_reasons.begin(), finish_reasons.end(), finish) - finish_reasons.begin());
    if (at == finish_reasons.size() && at < kMaxFinish) finish_reasons.push_back(finish);
    row.finish = static_cast<uint8_t>(std::min(at, kMaxFinish - 1) + 1);
  }
  const std::string_view dataset = sample.text(TextField::kDataset), id = sample.text(row.forced && sample.has(TextField::kForcedOf) ? TextField::kForcedOf : TextField::kId);
  if (sample.has(TextField::kId) && row.has_output) {
    const std::string key = key_of(dataset, id);
    const uint64_t answer = answer_of(key, row);
    if (!answers_.insert(mixed(answer) + static_cast<uint64_t>(row.repeat)).second) {
      copies += 1;
      if (first_copy.empty()) first_copy = name_of(dataset, id);
      return false;
    }
    if (!said_.insert(answer).second && row.chars >= kLongAnswer && sample.real(RealField::kTemperature, 1) != 0) {
      alike += 1;
      if (first_alike.empty()) first_alike = name_of(dataset, id);
    }
  }
  sampled += !(sample.real(RealField::kTemperature, 1) == 0);
  speculated += sample.integer(IntField::kSpecSteps, 0) > 0 || sample.integer(IntField::kSpecDraftTokens, 0) > 0;
  const auto set = [&](const char* name, std::string shown) {
    auto& values = settings[name];
    if (values.size() < kMaxValues || values.count(shown)) values[std::move(shown)] += 1;
  };
  for (const RealSetting& s : kReals) {
    if (!sample.has(s.field)) continue;
    std::string shown;
    append_number(&shown, sample.real(s.field, 0));
    set(s.name, std::move(shown));
  }
  for (const IntSetting& s : kInts) {
    if (sample.has(s.field)) set(s.name, std::to_string(sample.integer(s.field, 0)));
  }
  if (!sample.text(TextField::kOutputReasoning).empty()) set("reasoning", "apart from the text");
  if (!sample.has(TextField::kId)) {
    without_id += 1;
  } else {
    const auto [place, fresh] = index_.try_emplace(key_of(dataset, id), static_cast<int32_t>(questions_.size()));
    if (fresh) questions_.push_back({std::string(dataset), std::string(id), {}});
    row.question = place->second;
    questions_[static_cast<size_t>(place->second)].rows.push_back(static_cast<int32_t>(rows_.size()));
  }
  rows_.push_back(row);
  return true;
}

void RunSide::finish() {
  const std::string_view name = format;
  if (name.substr(0, 8) != "aisbench" && name.substr(0, 11) != "opencompass") return;
  if (count([](const RunRow& r) { return !r.failed && r.right >= 0; }) == 0) return;
  for (RunRow& row : rows_) {
    if (!row.failed || !std::isnan(row.score)) continue;
    row.score = 0;
    row.right = 0;
  }
}

int64_t RunSide::again(const Question& question) const {
  int64_t n = 0;
  std::set<int32_t> repeats;
  for (const int32_t r : question.rows) n += !row(r).forced && !repeats.insert(row(r).repeat).second;
  return n;
}

int64_t RunSide::duplicates() const {
  int64_t n = copies;
  for (const Question& question : questions_) n += again(question);
  return n;
}

std::vector<int32_t> RunSide::given_again() const {
  std::vector<int32_t> out;
  for (size_t i = 0; i < questions_.size(); ++i) {
    if (again(questions_[i]) > 0) out.push_back(static_cast<int32_t>(i));
  }
  return out;
}

int32_t RunSide::find(const Question& question) const {
  const auto found = index_.find(key_of(question.dataset, question.id));
  return found == index_.end() ? -1 : found->second;
}

int64_t RunSide::count(bool (*of)(const RunRow&)) const { return std::count_if(rows_.begin(), rows_.end(), of); }

}  // namespace vaa
