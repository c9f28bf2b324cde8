#include "compare/noise_profile.h"

#include <algorithm>
#include <map>

#include "base/json_writer.h"
#include "compare/recorded_settings.h"
#include "compare/swing_rule.h"
#include "report/document.h"
#include "stats/quantiles.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr size_t kMostVaried = 5, kMostBytes = 80;

// Texts and numbers of a node, one after another: "vllm 0.9.1".
void append_words(const Document& node, std::string* out) {
  const auto word = [&](std::string_view text) {
    if (!text.empty()) *out += (out->empty() ? "" : " ") + std::string(text);
  };
  if (node.kind() == JsonKind::kString) word(node.text());
  if (node.kind() == JsonKind::kNumber) {
    std::string text;
    append_number(&text, node.number());
    word(text);
  }
  for (const auto& [name, value] : node.members()) append_words(value, out);
  for (const Document& item : node.items()) append_words(item, out);
}
std::string words_of(const Document& node) {
  std::string out;
  append_words(node, &out);
  return out;
}

struct Owner {
  std::string model, engine, hardware, logprobs_mode;
};
Owner owner_of(const RunSide& run) {
  if (run.header.empty()) return {};
  const Document header = Document::parse(run.header);
  std::string engine = words_of(header.at("engine", "name"));
  append_words(header.at("engine", "version"), &engine);
  return {words_of(header.at("model", "name")), engine, words_of(header["hardware"]), words_of(header["logprobs_mode"])};
}

std::string varied_between(const RunSide& run, const RunSide& again) {
  const auto a = recorded_settings(run, false), b = recorded_settings(again, false);
  std::string out;
  size_t n = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second == value || ++n > kMostVaried) continue;
    out += (out.empty() ? "" : "; ") + bounded(name, kMostBytes) + " " + bounded(value, kMostBytes) + " and " + bounded(other->second, kMostBytes);
  }
  return out;
}

void add_row(const TokenEvidence& evidence, const TokenPair& pair, size_t i, DriftCluster* cluster) {
  const TokenRows& rows = evidence.rows;
  if (const double change = static_cast<double>(rows.target_logprob[i]) - static_cast<double>(rows.reference_logprob[i]); std::isfinite(change)) {
    cluster->n += 1;
    cluster->absolute += std::fabs(change);
    cluster->square += change * change;
  }
  if (std::isnan(rows.kl[i])) return;
  cluster->lists += 1;
  cluster->kl += rows.kl[i];
  cluster->other_top += pair.greedy && rows.flip[i];
}

void measure_drift(const TokenEvidence& evidence, NoiseProfile* noise) {
  std::map<int32_t, DriftCluster> questions;
  std::vector<double> kl;
  for (const TokenPair& pair : evidence.pairs) {
    if (pair.prompt != PromptClass::kSame || pair.rows == 0) continue;
    for (int32_t k = 0; k < pair.rows; ++k) {
      const auto i = static_cast<size_t>(pair.first_row + k);
      add_row(evidence, pair, i, &questions[pair.question]);
      if (pair.start >= 0) add_row(evidence, pair, i, &noise->by_position[position_bucket(pair.start + k)]);
      if (!std::isnan(evidence.rows.kl[i])) kl.push_back(evidence.rows.kl[i]);
    }
  }
  for (const auto& [question, cluster] : questions) noise->drift.push_back(cluster);
  if (kl.empty()) return;
  const double shares[] = {0.99, 0.999};
  const auto at = stats::quantiles(kl, shares);
  noise->kl_99 = at[0];
  noise->kl_999 = at[1];
}

// No token parts, and no number beside it differs.
bool nothing_differs(const TokenEvidence& evidence) {
  const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  };
  const TokenRows& rows = evidence.rows;
  const bool together = std::all_of(evidence.pairs.begin(), evidence.pairs.end(), [](const TokenPair& pair) { return pair.first_divergence < 0 && !pair.length_only; });
  return together && std::none_of(rows.flip.begin(), rows.flip.end(), [](uint8_t flip) { return flip != 0; }) && same(rows.reference_logprob, rows.target_logprob) && same(rows.gap, rows.target_gap);
}

}  // namespace

size_t position_bucket(int64_t position) {
  size_t bucket = 0;
  while (position > 1 && bucket + 1 < kPositionBuckets) position >>= 1, bucket += 1;
  return bucket;
}

NoiseProfile measure_noise(const TokenEvidence& evidence, const RunSide& run, const RunSide& again) {
  NoiseProfile noise;
  Owner owner = owner_of(run);
  noise.model = std::move(owner.model);
  noise.engine = std::move(owner.engine);
  noise.hardware = std::move(owner.hardware);
  noise.logprobs_mode = std::move(owner.logprobs_mode);
  noise.varied = varied_between(run, again);
  for (const TokenPair& pair : evidence.pairs) {
    if (!pair.greedy || pair.kind == PairKind::kForced || pair.prompt != PromptClass::kSame) continue;
    noise.pairs += 1;
    noise.diverged += parts(pair);
  }
  noise.identical = evidence.any() && nothing_differs(evidence);
  noise.divergences = divergences_of(evidence, Draws::kGreedy);
  noise.seeded = divergences_of(evidence, Draws::kKeyed);
  noise.sigma = token_scale(evidence);
  noise.tau = self_tau(gap_changes(evidence));
  const double tau = std::isnan(noise.tau) ? choose_tau(evidence, nullptr).value : noise.tau;
  noise.suspects = count_parts(evidence, tau).suspects;
  const FirstTokens first = first_tokens(evidence, tau);
  noise.first_suspects = first.suspects;
  noise.first_other = first.other;
  measure_drift(evidence, &noise);
  noise.list_size = std::min(evidence.reference.list_size, evidence.target.list_size);
  return noise;
}

std::string noise_misfit(const NoiseProfile& noise, const RunSide& reference, int64_t list_size) {
  const Owner owner = owner_of(reference);
  const std::pair<const char*, std::pair<const std::string&, const std::string&>> parts[] = {
      {"model", {noise.model, owner.model}}, {"engine", {noise.engine, owner.engine}}, {"hardware", {noise.hardware, owner.hardware}}, {"logprobs_mode", {noise.logprobs_mode, owner.logprobs_mode}}};
  for (const auto& [name, both] : parts) {
    const auto& [saved, own] = both;
    if (!saved.empty() && !own.empty() && saved != own) return std::string(name) + " is " + bounded(saved, kMostBytes) + " in the noise file, " + bounded(own, kMostBytes) + " in the reference";
  }
  if (noise.list_size > 0 && list_size > 0 && noise.list_size != list_size) return "list_size is " + std::to_string(noise.list_size) + " logprobs a token in the noise file, " + std::to_string(list_size) + " in the runs";
  return {};
}

}  // namespace vaa
