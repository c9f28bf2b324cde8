#include "sampler/replay/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/math.h"
#include "sampler/replay/difr.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kMostPositions = 65536;
constexpr char kWhat[] = "vaa_replay_new";

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all = pipeline_options();
    for (const OptionSpec& one : noise_options()) all.push_back(one);
    all.push_back({"precision", Type::kChoice, 0, 0, "exact|fp32|fp16|bf16", "\"fp32\""});
    all.push_back({"logits_precision", Type::kChoice, 0, 0, "exact|fp32|fp16|bf16", "\"exact\""});
    all.push_back({"tolerance", Type::kReal, 0, 100, "", "0"});
    all.push_back({"clip", Type::kReal, 1e-6, 1e6, "", "0.5"});
    all.push_back({"max_departed", Type::kReal, 1e-6, 0.5, "", "0.005"});
    all.push_back({"max_illegal", Type::kReal, 1e-6, 0.5, "", "0.0005"});
    all.push_back({"max_rows", Type::kInt, 0, 10000000, "", "10000"});
    all.push_back({"vocabulary", Type::kInt, 1, 1 << 24});
    all.push_back({"noise_position", Type::kInt, -1e9, 1e9, "", "0"});
    return all;
  }();
  return table;
}

double unit_of(const std::string& name) { return name == "exact" ? 0 : name == "fp32" ? kFp32 : name == "fp16" ? kFp16 : kBf16; }

Precision precision_of(const Options& options) {
  const std::string& math = options.text("precision");
  Precision out;
  out.logits = unit_of(options.text("logits_precision"));
  out.math = unit_of(math);
  out.smallest = math == "fp16" ? kSmallestFp16 : 0;
  out.tolerance = options.real("tolerance");
  return out;
}

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  std::string out;
  append_number(&out, value);
  return out;
}

[[noreturn]] void refuse(const std::string& message) { fail(VAA_ERROR_ARGUMENT, message); }

}  // namespace

Replay::Replay(const Engine& engine, std::string_view options) : Replay(engine, Options(options, option_table().data(), option_table().size(), kWhat)) {}

Replay::Replay(const Engine& engine, const Options& options)
    : pipeline_(engine, options, kWhat),
      limits_{options.real("clip"), options.real("max_departed"), options.real("max_illegal"), static_cast<size_t>(options.integer("max_rows")),
              options.given("vocabulary") ? static_cast<size_t>(options.integer("vocabulary")) : 0, options.integer("noise_position")},
      source_(engine, options),
      judge_(pipeline_, precision_of(options)),
      causes_(pipeline_, options, source_) {
  if (options.given("generator")) noise_words_ = options.text("generator") + (options.given("seed") ? ", seed " + unquoted(options.text("seed")) : "");
  place_.step = -1;
}

void Replay::begin(std::string_view seed, std::span<const int32_t> prompt) {
  for (size_t i = 0; i < prompt.size(); ++i)
    if (prompt[i] < 0) refuse("prompt[" + std::to_string(i) + "]: id " + std::to_string(prompt[i]) + " is below 0");
  if (begun_ || !seed.empty()) source_.begin(seed);
  causes_.begin(seed);
  if (begun_ || tally_.rows > 0) ++place_.sequence;
  begun_ = true;
  prompt_.assign(prompt.begin(), prompt.end());
  output_.clear();
  columns_ = 0;
  draws_ = 0;
  place_.step = -1;
  ++tally_.sequences;
  tally_.difr_of_sequences.emplace_back();
}

// The columns of a sequence's rows are one vocabulary, which holds all of its ids.
void Replay::check_token(int32_t token, size_t columns) {
  if (columns == 0) refuse("logits: have no columns");
  if (columns > INT32_MAX) refuse("logits: have " + std::to_string(columns) + " columns, more than there are token ids");
  if (token < 0 || static_cast<size_t>(token) >= columns) refuse("token " + std::to_string(token) + " is outside the vocabulary of " + std::to_string(columns));
  if (columns == columns_) return;
  if (!output_.empty()) refuse("logits: have " + std::to_string(columns) + " columns, the rows before had " + std::to_string(columns_) + ": a sequence has one vocabulary");
  for (size_t i = 0; i < prompt_.size(); ++i)
    if (static_cast<size_t>(prompt_[i]) >= columns) refuse("prompt[" + std::to_string(i) + "]: id " + std::to_string(prompt_[i]) + " is outside the vocabulary of " + std::to_string(columns));
  columns_ = columns;
}

const RowResult& Replay::push(std::span<const float> logits, int32_t token, std::span<const double> noise) { return take(logits, token, noise, {}); }

void Replay::check_list(std::span<const int32_t> ids, std::span<const double> logprobs) const {
  if (limits_.vocabulary == 0) fail(VAA_ERROR_OPTION, std::string(kWhat) + ": vocabulary: is not given, and rows of logprobs need it");
  const Params& p = pipeline_.params();
  if (p[Param::kRepetitionPenalty] < 1 || p[Param::kFrequencyPenalty] < 0 || p[Param::kPresencePenalty] < 0 || pipeline_.biased())
    fail(VAA_ERROR_UNSUPPORTED, "logprobs: a penalty or bias may lift tokens that are not listed: rows of logits are needed");
  if (ids.size() != logprobs.size()) refuse("logprobs: are " + std::to_string(logprobs.size()) + ", must be " + std::to_string(ids.size()) + " as there are ids");
  if (ids.empty()) refuse("ids: are none");
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string where = "[" + std::to_string(i) + "]: is ";
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= limits_.vocabulary) refuse("ids" + where + std::to_string(ids[i]) + ", outside the vocabulary of " + std::to_string(limits_.vocabulary));
    if (!(logprobs[i] <= 1e-4)) refuse("logprobs" + where + shown(logprobs[i]) + ", must be at most 0");
  }
}

const RowResult& Replay::push_top(std::span<const int32_t> ids, std::span<const double> logprobs, int32_t token, std::span<const double> noise) {
  check_list(ids, logprobs);
  dense_.assign(limits_.vocabulary, -std::numeric_limits<float>::infinity());
  Unlisted unlisted{ids.size() < limits_.vocabulary, kInfinity, 1};
  double claimed = kInfinity;  // a list may have the engine's token behind its likeliest, and then says nothing of what lies between
  for (size_t i = 0; i < ids.size(); ++i) {
    float& to = dense_[static_cast<size_t>(ids[i])];
    if (to > -std::numeric_limits<float>::infinity()) refuse("ids[" + std::to_string(i) + "]: " + std::to_string(ids[i]) + " stands there twice");
    to = static_cast<float>(logprobs[i]);
    double& least = ids[i] == token ? claimed : unlisted.most;
    least = std::min(least, logprobs[i]);
    unlisted.mass -= math::exp(logprobs[i]);
  }
  if (unlisted.mass < -1e-3) refuse("logprobs: their probabilities add up to " + shown(1 - unlisted.mass) + ", must be at most 1");
  unlisted.mass = std::max(unlisted.mass, 0.0);
  if (claimed < kInfinity && claimed >= unlisted.most) unlisted.most = std::min(unlisted.most, claimed);
  unlisted.most = std::min(unlisted.most, math::log(unlisted.mass));
  return take(dense_, token, noise, unlisted);
}

const RowResult& Replay::take(std::span<const float> logits, int32_t token, std::span<const double> noise, const Unlisted& unlisted) {
  const std::string where = "row " + std::to_string(tally_.rows) + ": ";
  const size_t columns = logits.size();
  if (!begun_) begin("", {});
  try {
    check_token(token, columns);
  } catch (const Failure& failure) {
    fail(failure.status(), where + failure.message());
  }
  RowPlace place = place_;
  ++place.step;
  place.draw = draws_;
  place.position = static_cast<int64_t>(prompt_.size()) + place.step;
  place.noise_position = place.position - 1 + limits_.noise_position;
  JudgeInput input{{logits, prompt_, output_, nullptr, tally_.rows}, token, nullptr, unlisted};
  judge_.prepare(input);
  const bool drawn = judge_.draws() && (source_.draws_for_one() || !judge_.one_is_left());
  if (!noise.empty() && source_.has_generator()) refuse(where + "noise: is given beside generator of the options");
  if (drawn && source_.has_generator()) input.noise = source_.at(place.draw, place.noise_position, 0, columns);
  if (drawn && !noise.empty()) {
    take_noise(pipeline_.engine(), noise, columns, where, &captured_);
    input.noise = &captured_;
  }
  result_ = judge_.judge(input);
  draws_ += drawn;
  place_ = place;
  count(input);
  output_.push_back(token);
  return result_;
}

void Replay::count_position(int64_t position, bool departed) {
  const size_t bucket = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(position)));
  if (tally_.rows_by_bucket.size() <= bucket) {
    tally_.rows_by_bucket.resize(bucket + 1);
    tally_.departed_by_bucket.resize(bucket + 1);
  }
  ++tally_.rows_by_bucket[bucket];
  if (!departed) return;
  ++tally_.departed_by_bucket[bucket];
  if (tally_.positions.size() < kMostPositions || tally_.positions.count(position)) ++tally_.positions[position];
  else ++tally_.other_positions;
}

void Replay::count(const JudgeInput& input) {
  const RowResult& r = result_;
  ++tally_.rows;
  ++tally_.states[static_cast<size_t>(r.state)];
  const bool departed = r.state == RowState::kDeparted;
  tally_.illegal += departed && !r.legal;
  tally_.tied += r.tied;
  tally_.tied_otherwise += r.tied && r.margin == 0 && r.state != RowState::kSame;
  if (!r.greedy && r.could_differ && r.token >= 0 && r.state != RowState::kUnknown) {
    ++tally_.drawn;
    tally_.agreed += r.token == input.token;
    tally_.expected += r.collision;
    tally_.variance += r.collision * (1 - r.collision);
  }
  if (!std::isnan(r.difr)) {
    const double clipped = difr_clipped(r.difr, limits_.clip);
    tally_.difr.add(clipped);
    tally_.difr_of_sequences.back().sum += clipped;
    ++tally_.difr_of_sequences.back().rows;
  }
  count_position(place_.position, departed);
  if (r.state != RowState::kSame && kept_.size() < limits_.rows) kept_.push_back({place_, input.token, r});
  if (departed || r.state == RowState::kSame) causes_.look(departed, input, place_, &judge_, &source_);
}

}  // namespace vaa
