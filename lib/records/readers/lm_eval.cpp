// Lines of lm-eval's samples_<task>_<date>.jsonl (docs/formats.md): each text once, by its first filter.
#include "records/readers/lm_eval.h"

#include <cmath>

#include "base/json_writer.h"
#include "records/folder_input.h"
#include "records/id_index.h"
#include "records/readers/aisbench_lines.h"
#include "records/readers/lm_eval_request.h"
#include "records/readers/lm_eval_scores.h"

namespace vaa {
namespace {

class LmEvalParser final : public UnitParser {
 public:
  LmEvalParser(const FileContext& context, bool in_run) : context_(context), task_(lm_eval_name(context.stem).task), in_run_(in_run), others_(context) {}

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    json_.reset(unit.bytes);
    if (json_.peek() != JsonKind::kObject) {
      if (json_.peek() == JsonKind::kInvalid) return json_.skip() || bad_json(json_, why);
      *why = wrong_kind("line", json_.peek(), "an object");
      return false;
    }
    start_ = out->size();
    Sample& sample = out->add();
    reset();
    json_.object();
    std::string_view key;
    while (json_.key(&key))
      if (!read_member(key, &sample, out, why)) return false;
    if (!json_.finish()) return bad_json(json_, why);
    if (!has_resps_) {
      *why = "resps: is missing";
      return false;
    }
    if (known_filter_ && filter_ != first_filter_) {  // a text that was read before
      while (out->size() > start_) out->drop_last();
      return true;
    }
    first_filter_ = filter_;
    known_filter_ = true;
    if (!late_resps_.empty()) {
      JsonReader late(late_resps_);
      if (!request_.known()) request_.guess(late_resps_);
      if (!read_resps(&late, &sample, out, why)) return false;
    }
    complete(unit, &sample, out);
    return true;
  }

 private:
  void reset() {
    filter_.clear();
    values_.clear();
    metric_.clear();
    late_resps_ = filtered_ = {};
    request_.clear();
    has_resps_ = false;
  }

  bool read_member(std::string_view key, Sample* sample, SampleQueue* out, std::string* why) {
    const JsonKind kind = json_.peek();
    if (key == "arguments") return request_.read(&json_, sample, why);
    if (key == "resps") {
      has_resps_ = true;
      // What was asked says whether the answers are texts; lm-eval writes it before.
      if (request_.known()) return read_resps(&json_, sample, out, why);
      return json_.raw(&late_resps_) || bad_json(json_, why);
    }
    if (key == "doc_id") return read_id(&json_, "doc_id", sample, TextField::kId, why);
    if (key == "target") return read_any_text(&json_, sample, TextField::kScoreGold, why);
    if (key == "filtered_resps") return json_.raw(&filtered_) || bad_json(json_, why);
    if (key == "filter" && kind == JsonKind::kString) return json_.string(&filter_) || bad_json(json_, why);
    if (key == "metrics" && kind == JsonKind::kArray) return read_metrics(why);
    if (key == "doc" || (kind != JsonKind::kNumber && kind != JsonKind::kBool)) return json_.skip() || bad_json(json_, why);
    return read_value(key, kind, why);
  }

  // The first of the metrics' names; each is a member with its value.
  bool read_metrics(std::string* why) {
    json_.array();
    while (json_.element()) {
      std::string_view name;
      if (metric_.empty() && json_.peek() == JsonKind::kString ? !json_.string(&name) : !json_.skip()) break;
      if (metric_.empty()) metric_.assign(name);
    }
    return !json_.failed() || bad_json(json_, why);
  }

  bool read_value(std::string_view key, JsonKind kind, std::string* why) {
    std::string name(key);
    double value = 0;
    bool truth = false;
    const bool read = kind == JsonKind::kBool ? json_.boolean(&truth) : json_.real(&value);
    if (!read) return bad_json(json_, why);
    values_.emplace_back(std::move(name), kind == JsonKind::kBool ? static_cast<double>(truth) : value);
    return true;
  }

  // [[text, text2], …] of generations: a sample each; [[["-1.23", "False"]], …] of a ranking: none.
  bool read_resps(JsonReader* json, Sample* sample, SampleQueue* out, std::string* why) {
    if (!request_.generates()) return request_.read_choices(json, sample, why);
    if (json->peek() != JsonKind::kArray) {
      *why = wrong_kind("resps", json->peek(), "a list of lists of texts");
      return json->failed() ? bad_json(*json, why) : false;
    }
    size_t texts = 0;
    json->array();
    while (json->element()) {
      if (json->peek() == JsonKind::kString) {  // older releases: one text a request
        if (!read_text_of(json, texts++, sample, out, why)) return false;
        continue;
      }
      if (json->peek() != JsonKind::kArray) {
        *why = wrong_kind("resps[]", json->peek(), "a list of texts");
        return json->failed() ? bad_json(*json, why) : false;
      }
      json->array();
      while (json->element())
        if (!read_text_of(json, texts++, sample, out, why)) return false;
      if (json->failed()) break;
    }
    return !json->failed() || bad_json(*json, why);
  }

  bool read_text_of(JsonReader* json, size_t place, Sample* sample, SampleQueue* out, std::string* why) {
    Sample& to = place == 0 ? *sample : out->add();
    return read_text(json, "resps[][]", &to, TextField::kOutputText, why);
  }

  std::string metric_name(const std::string& metric) const {
    if (filter_.empty() || (filter_ == "none" && !in_run_)) return metric;
    return metric + "," + filter_;
  }

  void set_scores(Sample* sample) {
    if (metric_.empty() && !values_.empty()) metric_ = values_[0].first;
    std::string others;
    bool scored = false;
    for (const auto& [name, value] : values_) {
      if (name == metric_ && !scored) {
        scored = true;
        sample->set(TextField::kScoreMetric, metric_name(name));
        sample->set(RealField::kScoreValue, value);
        if (value == 0 || value == 1) sample->set(IntField::kScoreCorrect, value == 1 ? 1 : 0);
        continue;
      }
      if (!std::isfinite(value)) continue;
      if (!others.empty()) others += ',';
      append_json_string(&others, metric_name(name));
      others += ':';
      append_number(&others, value);
    }
    others_.append(sample->text(TextField::kId), &others);
    if (!others.empty()) add_extra(sample, "scores", "{" + others + "}");
  }

  // What the filter left of the first text. The text as it is means that nothing was looked for in it.
  void set_extraction(Sample* sample) {
    if (!sample->has(TextField::kOutputText) || filtered_.empty()) return;
    JsonReader json(filtered_);
    if (json.peek() != JsonKind::kArray || !json.array() || !json.element()) return;
    std::string unused;
    read_any_text(&json, sample, TextField::kScoreExtracted, &unused);
    const std::string_view taken = sample->text(TextField::kScoreExtracted);
    const bool recorded = sample->has(TextField::kScoreExtracted);
    const bool looked = !recorded || taken != sample->text(TextField::kOutputText);
    const bool none = !recorded || taken == "[invalid]" || taken.empty();
    if (looked) sample->set(IntField::kScoreExtractionFailed, none ? 1 : 0);
    if (!looked || none) sample->texts.unset(TextField::kScoreExtracted);
  }

  void complete(const UnitView& unit, Sample* sample, SampleQueue* out) {
    if (!sample->has(TextField::kId)) sample->set(TextField::kId, std::to_string(unit.number));
    sample->set(TextField::kDataset, task_);
    const uint32_t seen = seen_.add(hash_text(sample->text(TextField::kId)));
    if (seen > 0) context_.problems->note(context_.path + ": doc_id " + std::string(sample->text(TextField::kId)) + " stands on several lines of one filter");
    trim_worked_gold(sample);
    set_extraction(sample);
    set_scores(sample);
    const size_t count = out->size() - start_;
    share_with_repeats(*sample, count, out);
    for (size_t i = 0; i < count; ++i) {
      Sample& each = (*out)[start_ + i];
      each.set(IntField::kRepeat, static_cast<int64_t>(seen * count + i));
      split_reasoning(&each, false);
      set_source(&each, "lm_eval", context_, unit.number);
    }
  }

  // The repeats of a question have all of the first but its text and its score: take_first scores the first.
  void share_with_repeats(const Sample& first, size_t count, SampleQueue* out) {
    constexpr size_t kMaxShared = size_t{64} << 20;  // bytes that the copies of a prompt may take
    const bool prompts = (first.text(TextField::kPromptText).size() + first.text(TextField::kPromptMessages).size()) * count <= kMaxShared;
    if (!prompts && count > 1) context_.problems->note("prompts are kept with the first of very many repeats only");
    for (size_t i = 1; i < count; ++i) {
      Sample& each = (*out)[start_ + i];
      for (const TextField f : {TextField::kId, TextField::kDataset, TextField::kScoreGold, TextField::kSeed, TextField::kPromptText, TextField::kPromptMessages})
        if (first.has(f) && (prompts || (f != TextField::kPromptText && f != TextField::kPromptMessages))) each.set(f, first.text(f));
      each.reals = first.reals;
      each.reals.unset(RealField::kScoreValue);
      each.ints = first.ints;
      each.ints.unset(IntField::kScoreCorrect);
      each.ints.unset(IntField::kScoreExtractionFailed);
    }
  }

  const FileContext& context_;
  std::string task_;
  bool in_run_;
  LmEvalScores others_;
  JsonReader json_{std::string_view()};
  LmEvalRequest request_;
  IdCounts seen_;
  std::string first_filter_, filter_, metric_;
  bool known_filter_ = false, has_resps_ = false;
  std::vector<std::pair<std::string, double>> values_;
  std::string_view late_resps_, filtered_;
  size_t start_ = 0;
};

bool digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

bool recognise(const Probe& probe) { return probe.has("doc_id") && probe.has("resps"); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<LmEvalParser>(context, false); }
std::unique_ptr<UnitParser> parser_in_run(const FileContext& context) { return std::make_unique<LmEvalParser>(context, true); }

constexpr FormatInfo kInfo = {"lm_eval", "lm-evaluation-harness", "a run folder (results_*.json and samples_*.jsonl of --log_samples), samples_*.jsonl",
                              "doc_id and resps; a folder with both files of one date"};

}  // namespace

std::string_view lm_eval_date(std::string_view stem) {
  // 2026-08-20T10-15-02.114233, the fraction may be missing
  const size_t mark = stem.rfind('_');
  if (mark == std::string_view::npos) return {};
  const std::string_view date = stem.substr(mark + 1);
  const bool good = date.size() >= 19 && digits(date.substr(0, 4)) && date[4] == '-' && digits(date.substr(5, 2)) && date[7] == '-' && digits(date.substr(8, 2)) && date[10] == 'T' &&
                    digits(date.substr(11, 2)) && date[13] == '-' && digits(date.substr(14, 2)) && date[16] == '-' && digits(date.substr(17, 2));
  return good ? date : std::string_view();
}

LmEvalName lm_eval_name(std::string_view stem) {
  const std::string_view date = lm_eval_date(stem);
  constexpr std::string_view kMark = "samples_";
  const size_t mark = stem.find(kMark);  // a copy may have something before it
  if (date.empty() || mark == std::string_view::npos || mark + kMark.size() + date.size() + 1 > stem.size()) return {std::string(stem), std::string(date)};
  const size_t start = mark + kMark.size();
  return {std::string(stem.substr(start, stem.size() - start - date.size() - 1)), std::string(date)};
}

const Format kLmEval = {kInfo, Unit::kLines, recognise, parser};
const Format kLmEvalInRun = {kInfo, Unit::kLines, recognise, parser_in_run};

}  // namespace vaa
