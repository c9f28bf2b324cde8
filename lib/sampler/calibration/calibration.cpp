#include "sampler/calibration/calibration.h"

#include <algorithm>

#include "base/failure.h"
#include "base/math.h"
#include "base/text_hash.h"
#include "engines/engine.h"
#include "stats/multiplicity.h"
#include "text/bounded.h"

namespace vaa::sampler {
namespace {

constexpr double kGateLevel = 0.05;
constexpr double kMostTemperature = 1000;
constexpr size_t kMostWaiting = 1000;
constexpr double kScoredSlack = 0.5;  // nats by which another engine's logprobs of two tokens may be the other way round

constexpr OptionSpec kTable[] = {
    {"temperature", OptionSpec::Type::kReal, 0, 100, "", "", "the temperature that was asked for, whatever samples record"},
    {"top_p", OptionSpec::Type::kReal, 0, 1, "", "", "the same of top-p; 1: off"},
    {"top_k", OptionSpec::Type::kInt, -1, 1 << 30, "", "", "the same of top-k; 0 and -1: off"},
    {"min_p", OptionSpec::Type::kReal, 0, 1, "", "", "the same of min-p; 0: off"},
    {"logprobs", OptionSpec::Type::kChoice, 0, 0, "auto|raw|processed", "\"auto\"", "what logprobs are of; auto: as recorded, else by the lists"},
    {"engine", OptionSpec::Type::kText, 1, 1 << 16, "", "", "a name or the rules of vaa_engine_new: when the temperature is applied, and what is greedy"},
    {"scored", OptionSpec::Type::kBool, 0, 0, "", "false", "the lists are those of forced samples, of another engine"},
    {"vocab_size", OptionSpec::Type::kInt, 1, 1 << 24, "", "", "ids of the model"},
    {"bos_id", OptionSpec::Type::kInt, 0, 1 << 24, "", "", "the id of BOS"},
    {"temperature_margin", OptionSpec::Type::kReal, 0.01, 1, "", "0.1", "by which share a temperature may be off"},
    {"seed", OptionSpec::Type::kInt, 0, 0, "", "0", "of the randomised PIT"},
    {"max_positions", OptionSpec::Type::kInt, 1000, 100'000'000, "", "200000", "positions of a group that temperature and PIT are of"},
    {"max_groups", OptionSpec::Type::kInt, 1, 1000, "", "16", "groups of samples by sampling parameters"},
};

Law law_of(const Request& request, const CalibrationOptions& options, LogprobKind kind) {
  Law law;
  Engine engine;
  engine.greedy_below = options.greedy_below, engine.temperature_floor = options.temperature_floor;
  const double asked = std::isnan(request.temperature) ? 1 : request.temperature;
  const Resolved resolved = asked == 0 ? Resolved{true, 1} : resolve_temperature(engine, asked);
  law.greedy = resolved.greedy;
  law.slack = options.scored ? kScoredSlack : law.slack;
  law.near_tie = options.near_tie;
  law.vocabulary = options.vocabulary > 0 ? static_cast<double>(options.vocabulary) : law.vocabulary;
  law.place = options.place;
  if (law.greedy || kind == LogprobKind::kProcessed) return law;
  law.temperature = resolved.temperature;
  law.top_p = std::isnan(request.top_p) ? 1 : request.top_p;
  law.min_p = std::isnan(request.min_p) ? 0 : request.min_p;
  law.top_k = std::max<int64_t>(0, request.top_k);
  return law;
}

bool penalised(const Sample& sample) {
  return sample.real(RealField::kRepetitionPenalty, 1) != 1 || sample.real(RealField::kPresencePenalty, 0) != 0 || sample.real(RealField::kFrequencyPenalty, 0) != 0;
}

LogprobKind recorded_kind(const Sample& sample) {
  const std::string_view mode = sample.text(TextField::kLogprobsMode);
  return mode == "raw_logprobs" ? LogprobKind::kRaw : mode == "processed_logprobs" ? LogprobKind::kProcessed : LogprobKind::kUnknown;
}

std::string key_of(const Sample& sample, TextField id) { return std::string(sample.text(TextField::kDataset)) + '\0' + std::string(sample.text(id)); }

}  // namespace

std::span<const OptionSpec> calibration_option_table() { return kTable; }

CalibrationOptions calibration_options(const Options& options) {
  CalibrationOptions out;
  if (options.given("temperature")) out.declared.temperature = options.real("temperature");
  if (options.given("top_p")) out.declared.top_p = options.real("top_p");
  if (options.given("min_p")) out.declared.min_p = options.real("min_p");
  if (options.given("top_k")) out.declared.top_k = std::max<int64_t>(0, options.integer("top_k"));
  if (options.given("top_p") && !(out.declared.top_p > 0)) fail(VAA_ERROR_OPTION, "top_p: 0 is out of range, allowed are numbers above 0, at most 1");
  const std::string& kind = options.text("logprobs");
  out.declared.kind = kind == "raw" ? LogprobKind::kRaw : kind == "processed" ? LogprobKind::kProcessed : LogprobKind::kUnknown;
  out.scored = options.boolean("scored");
  if (options.given("vocab_size")) out.vocabulary = options.integer("vocab_size");
  if (options.given("bos_id")) out.bos = options.integer("bos_id");
  out.temperature_margin = options.real("temperature_margin");
  out.seed = options.integer("seed");
  out.max_positions = options.integer("max_positions");
  out.max_groups = options.integer("max_groups");
  if (options.given("engine")) take_engine(options.text("engine"), &out);
  return out;
}

void take_engine(std::string_view name, CalibrationOptions* options) {
  const Engine engine = make_engine(name, {"allowed_ids", "bad_words", "min_tokens", "logit_bias", "penalties", "temperature", "min_p", "top_k", "top_p", "typical_p"});
  options->engine = engine.name;
  options->greedy_below = engine.greedy_below, options->temperature_floor = engine.temperature_floor;
  const auto at = [&](std::string_view stage) { return std::find(engine.order.begin(), engine.order.end(), stage) - engine.order.begin(); };
  const auto end = static_cast<std::ptrdiff_t>(engine.order.size()), temperature = at("temperature");
  bool before = true, after = true;  // the cuts that look at probabilities; top-k is the same either way
  for (const char* cut : {"top_p", "min_p"}) {
    if (at(cut) == end) continue;
    before = before && temperature < at(cut), after = after && at(cut) < temperature;
  }
  options->place = temperature == end ? TemperaturePlace::kUnknown : before ? TemperaturePlace::kFirst : after ? TemperaturePlace::kLast : TemperaturePlace::kUnknown;
}

std::string Calibration::name_of(const Sample& sample) const {
  const std::string dataset(sample.text(TextField::kDataset)), id(sample.text(sample.has(TextField::kForcedOf) ? TextField::kForcedOf : TextField::kId));
  return bounded((dataset.empty() ? "" : dataset + "/") + (id.empty() ? "sample " + std::to_string(samples_) : id), 64);
}

bool Calibration::request_of(const Sample& sample, Request* out) {
  const Request &declared = options_.declared, &otherwise = options_.otherwise;
  const auto real = [&](double given, RealField field, double fallback) { return !std::isnan(given) ? given : sample.has(field) ? sample.real(field, 0) : fallback; };
  out->temperature = real(declared.temperature, RealField::kTemperature, otherwise.temperature);
  out->top_p = real(declared.top_p, RealField::kTopP, otherwise.top_p);
  out->min_p = real(declared.min_p, RealField::kMinP, otherwise.min_p);
  out->top_k = declared.top_k >= 0 ? declared.top_k : sample.has(IntField::kTopK) ? std::max<int64_t>(0, sample.integer(IntField::kTopK, 0)) : otherwise.top_k;
  const LogprobKind recorded = recorded_kind(sample);
  out->kind = declared.kind != LogprobKind::kUnknown ? declared.kind : recorded != LogprobKind::kUnknown ? recorded : otherwise.kind;
  const auto bad = [&](const char* what, double value) {
    left_out_.bad_request += 1;
    if (left_out_.first_bad.empty()) {
      left_out_.first_bad = name_of(sample) + ": " + what + " is ";
      append_number(&left_out_.first_bad, value);
    }
    return false;
  };
  if (!std::isnan(out->temperature) && !(out->temperature >= 0 && out->temperature <= kMostTemperature)) return bad("temperature", out->temperature);
  if (!std::isnan(out->top_p) && !(out->top_p > 0 && out->top_p <= 1)) return bad("top_p", out->top_p);
  if (!std::isnan(out->min_p) && !(out->min_p >= 0 && out->min_p <= 1)) return bad("min_p", out->min_p);
  if (out->temperature == 0) out->top_p = 1, out->min_p = 0, out->top_k = 0;
  return true;
}

Group* Calibration::group_of(const Request& request) {
  for (const auto& group : groups_)
    if (group->request.same(request)) return group.get();
  if (static_cast<int64_t>(groups_.size()) >= options_.max_groups) return nullptr;
  groups_.push_back(std::make_unique<Group>());
  Group& group = *groups_.back();
  group.request = request;
  group.raw.law = law_of(request, options_, LogprobKind::kRaw);
  group.processed.law = law_of(request, options_, LogprobKind::kProcessed);
  for (Reading* reading : {&group.raw, &group.processed})
    reading->single = {{{"token 0", 0}, {"the last id", options_.vocabulary > 0 ? static_cast<int32_t>(options_.vocabulary - 1) : -1}, {"BOS", static_cast<int32_t>(options_.bos)}}};
  return &group;
}

void Calibration::add(const Sample& sample) {
  samples_ += 1;
  if (sample.failed()) {
    left_out_.failed += 1;
    return;
  }
  Request request;
  if (sample.forced()) {
    const auto source = sources_.find(key_of(sample, TextField::kForcedOf));
    if (!options_.scored) left_out_.forced += 1;
    else if (source == sources_.end()) left_out_.without_source += 1;
    else {
      request = source->second.request;
      if (const LogprobKind kind = recorded_kind(sample); request.kind == LogprobKind::kUnknown) request.kind = kind == LogprobKind::kUnknown ? LogprobKind::kRaw : kind;
      count(sample, request, source->second.seed);
    }
    return;
  }
  const bool recorded = sample.has(RealField::kRepetitionPenalty);
  left_out_.penalty_unknown += !recorded && !options_.penalties_known;
  if (penalised(sample) || (!recorded && options_.penalised)) {
    left_out_.penalised += 1;
    return;
  }
  if (!request_of(sample, &request)) return;
  const uint64_t seed = sample.has(TextField::kSeed) ? hash_bytes(0x73656564, sample.text(TextField::kSeed)) | 1 : 0;
  if (options_.scored) {
    request.kind = options_.declared.kind;  // of the forced samples
    sources_[key_of(sample, TextField::kId)] = {request, seed};
    return;
  }
  count(sample, request, seed);
}

void Calibration::count(const Sample& sample, const Request& request, uint64_t seed) {
  if (options_.max_tokens > 0 && tokens_ >= options_.max_tokens) {
    left_out_.many_tokens += 1;
    return;
  }
  const std::string name = name_of(sample);
  AnswerLists lists;
  if (!find_lists(sample, name, &lists, &faults_)) return;
  Group* group = group_of(request);
  if (!group) {
    left_out_.many_groups += 1;
    return;
  }
  RowReader rows(lists, name, &faults_);
  if (rows.asked() == 0 && group->shape.asked == 0) {
    if (waiting_.size() < kMostWaiting) waiting_.push_back({sample, group, seed});
    else left_out_.unknown_lists += 1;
    return;
  }
  if (rows.asked() == 0) rows.set_asked(group->shape.asked);
  count_rows(sample, &rows, name, lists, seed, group);
  if (!waiting_.empty() && group->shape.asked > 0) count_waiting(group);
}

// Those that came before an answer of their group told how many tokens were asked for.
void Calibration::count_waiting(Group* group) {
  std::vector<Waiting> left;
  for (Waiting& one : waiting_) {
    AnswerLists lists;
    const std::string name = name_of(one.sample);
    if (one.group != group) left.push_back(std::move(one));
    else if (find_lists(one.sample, name, &lists, &faults_)) {
      RowReader rows(lists, name, &faults_);
      rows.set_asked(group->shape.asked);
      count_rows(one.sample, &rows, name, lists, one.seed, group);
    }
  }
  waiting_ = std::move(left);
}

void Calibration::count_rows(const Sample& sample, RowReader* rows, const std::string& name, const AnswerLists& lists, uint64_t seed, Group* group) {
  const CountRules rules{options_.max_positions, 10};
  const LogprobKind kind = group->request.kind;
  DrawnAnswer answer{seed, {lists.chosen.begin(), lists.chosen.end()}, std::vector<float>(rows->size(), 0), std::vector<float>(rows->size(), -1), {}};
  const Law& law = kind == LogprobKind::kProcessed ? group->processed.law : group->raw.law;
  const bool seeds = options_.seeds && !law.greedy && sample.has(TextField::kId);
  for (size_t i = 0; i < rows->size(); ++i) {
    const bool keep_law = seeds && !options_.scored && i < SeedPairs::kLawPositions, readable = rows->read(i, &row_);
    if (keep_law) readable ? answer.laws.add(row_, law) : answer.laws.add_unknown();
    if (!readable) continue;
    note_shape(row_, rows->asked(), group->request, &group->shape);
    const TokenPlace place{name, static_cast<int64_t>(i), group->answers, seed == 0 ? 0 : mixed(seed + i) | 1};
    if (kind != LogprobKind::kProcessed) count_row(row_, place, rules, &group->raw);
    if (kind != LogprobKind::kRaw) count_row(row_, place, rules, &group->processed);
    if (!seeds) continue;
    const DrawChance chance = draw_chance(row_, law);
    answer.logprob[i] = static_cast<float>(chance.logprob), answer.agree[i] = static_cast<float>(chance.agree);
  }
  group->answers += 1;
  group->tokens += static_cast<int64_t>(rows->size());
  tokens_ += static_cast<int64_t>(rows->size());
  if (!seeds) return;
  group->seeds.speculated += sample.integer(IntField::kSpecDraftTokens, 0) > 0;
  for (const Parting& parting : group->seeds.add(key_of(sample, sample.forced() ? TextField::kForcedOf : TextField::kId), std::move(answer))) {
    if (!rows->read(parting.at, &row_)) continue;
    const auto other = std::find(row_.ids.begin(), row_.ids.end(), parting.other);
    if (other != row_.ids.end() && !row_.masked) group->seeds.note_gap(std::fabs(row_.logprobs[static_cast<size_t>(other - row_.ids.begin())] - row_.chosen_logprob()));
  }
}

std::vector<JudgedCheck> judge(const Calibration& calibration) {
  std::vector<JudgedCheck> out;
  std::vector<double> p;
  std::vector<size_t> tested;
  for (const auto& group : calibration.groups()) {
    GroupView view{*group, group->reading(), group->kind(), calibration.options().temperature_margin, calibration.options().scored, static_cast<uint64_t>(calibration.options().seed), std::nan(""), false};
    bool mislabelled = false;
    for (const CalibrationCheck* check : calibration_checks()) {
      JudgedCheck judged{check, group.get(), mislabelled ? no_check({"the logprobs are not of the kind that is recorded", "对数概率与所记录的类型不符"}) : check->run(view)};
      const CheckResult& r = judged.result;
      const std::string_view name = check->name;
      if (name == "logprob_kind") mislabelled = r.applies && r.p_beyond < kGateLevel;
      if (name == "temperature" && r.applies) view.fitted = r.effect, view.fit_off = r.p_beyond < kGateLevel;
      if (r.applies && !std::isnan(r.p_beyond)) tested.push_back(out.size()), p.push_back(r.p_beyond);
      out.push_back(std::move(judged));
    }
  }
  const std::vector<double> together = stats::holm(p);
  for (size_t i = 0; i < tested.size(); ++i) out[tested[i]].p_adjusted = together[i];
  for (JudgedCheck& judged : out) {
    const CheckResult& r = judged.result;
    judged.status = !r.applies ? "not_applicable" : judged.p_adjusted < kGateLevel ? (r.unsure ? "undecided" : "fail") : r.inside ? "pass" : "undecided";
  }
  return out;
}

Report Calibration::report() const { return report_from_json(report_json(calibration_report(*this, judge(*this)))); }

}  // namespace vaa::sampler
