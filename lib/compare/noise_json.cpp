// vaa.noise/1: written, and read without trust.
#include <algorithm>
#include <limits>
#include <set>

#include "base/failure.h"
#include "base/json_writer.h"
#include "compare/noise_profile.h"
#include "report/document.h"

namespace vaa {
namespace {

constexpr const char* kSchema = "vaa.noise/1";
constexpr double kMostCount = 9007199254740992;  // 2^53
constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void wrong(const std::string& member, const std::string& why) { fail(VAA_ERROR_FORMAT, "noise: " + member + ": " + why); }

// The columns of clusters, by name.
struct CountColumn {
  const char* name;
  int64_t DriftCluster::*of;
};
struct RealColumn {
  const char* name;
  double DriftCluster::*of;
};
constexpr CountColumn kCounts[] = {{"n", &DriftCluster::n}, {"lists", &DriftCluster::lists}, {"other_top", &DriftCluster::other_top}};
constexpr RealColumn kReals[] = {{"absolute", &DriftCluster::absolute}, {"square", &DriftCluster::square}, {"kl", &DriftCluster::kl}};

template <class Clusters>
void write_clusters(JsonWriter* json, const char* name, const Clusters& clusters) {
  json->key(name).begin_object();
  for (const CountColumn& c : kCounts) {
    json->key(c.name).begin_array();
    for (const DriftCluster& d : clusters) json->integer(d.*c.of);
    json->end_array();
  }
  for (const RealColumn& c : kReals) {
    json->key(c.name).begin_array();
    for (const DriftCluster& d : clusters) json->real(d.*c.of);
    json->end_array();
  }
  json->end_object();
}

void write_divergences(JsonWriter* json, const char* name, const Divergences& d) {
  json->key(name).begin_object().key("entries").begin_array();
  for (const double x : d.entries) json->real(x);
  json->end_array().key("exits").begin_array();
  for (const double x : d.exits) json->real(x);
  json->end_array().key("events").begin_array();
  for (const uint8_t x : d.events) json->integer(x);
  json->end_array().key("questions").begin_array();
  for (const int32_t x : d.questions) json->integer(x);
  json->end_array().end_object();
}

void write_rate(JsonWriter* json, const char* name, const ClusteredRate& rate) {
  json->key(name).begin_object().member("k", rate.k).member("n", rate.n).member("design", rate.design).end_object();
}

std::string number_text(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

// A node with the way to it, for messages.
class Member {
 public:
  Member(const Document& node, std::string path) : node_(node), path_(std::move(path)) {}

  // An object of these members, each once and no others.
  void object(std::initializer_list<std::string_view> names) const {
    kind(JsonKind::kObject);
    std::set<std::string_view> seen;
    for (const auto& [name, value] : node_.members()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) wrong(path_of(quoted(name)), std::string("no member of ") + kSchema);
      if (!seen.insert(name).second) wrong(path_of(name), "given twice");
    }
    for (const std::string_view name : names) {
      if (!seen.count(name)) wrong(path_of(std::string(name)), "missing");
    }
  }
  Member operator[](const char* name) const { return {node_[name], path_of(name)}; }
  std::vector<Member> items() const {
    kind(JsonKind::kArray);
    std::vector<Member> out;
    for (size_t i = 0; i < node_.items().size(); ++i) out.emplace_back(node_.items()[i], path_ + "[" + std::to_string(i) + "]");
    return out;
  }
  std::string text_or_null() const {
    if (node_.kind() == JsonKind::kNull) return {};
    kind(JsonKind::kString);
    return node_.text();
  }
  bool truth() const {
    kind(JsonKind::kBool);
    return node_.truth();
  }
  int64_t count(double most = kMostCount) const {
    const double value = real(0, most);
    if (value != std::floor(value)) wrong(path_, "is " + number_text(value) + ", must be a whole number");
    return static_cast<int64_t>(value);
  }
  double real(double least, double most) const {
    kind(JsonKind::kNumber);
    const double value = node_.number();
    if (!std::isfinite(value)) wrong(path_, "is a number beyond a double, must be finite");
    if (value < least || value > most) wrong(path_, "is " + number_text(value) + ", must be " + (most < kMostCount ? "from " + number_text(least) + " to " + number_text(most) : "at least " + number_text(least)));
    return value;
  }
  // At least 0; null: NaN, "inf": infinity.
  double measure() const {
    if (node_.kind() == JsonKind::kNull) return std::nan("");
    if (node_.kind() == JsonKind::kString && node_.text() == "inf") return kInfinity;
    return real(0, std::numeric_limits<double>::max());
  }
  [[noreturn]] void refuse(const std::string& why) const { wrong(path_, why); }

 private:
  std::string path_of(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }
  void kind(JsonKind expected) const {
    if (node_.kind() != expected) wrong(path_.empty() ? "the document" : path_, std::string("must be ") + json_kind_name(expected) + ", is " + json_kind_name(node_.kind()));
  }
  const Document& node_;
  std::string path_;
};

ClusteredRate read_rate(const Member& from) {
  from.object({"k", "n", "design"});
  return {from["k"].count(), from["n"].count(), from["design"].real(1, kMostCount)};
}

TokenScale read_scale(const Member& from) {
  from.object({"sigma", "error", "sure", "tokens", "flips", "questions"});
  TokenScale scale;
  scale.sigma = from["sigma"].measure();
  scale.error = from["error"].measure();
  const std::vector<Member> sure = from["sure"].items();
  if (sure.size() != 2) from["sure"].refuse("must have two numbers");
  scale.sure = {sure[0].measure(), sure[1].measure()};
  scale.tokens = from["tokens"].count();
  scale.flips = from["flips"].count();
  scale.questions = from["questions"].count();
  return scale;
}

Divergences read_divergences(const Member& from) {
  from.object({"entries", "exits", "events", "questions"});
  Divergences out;
  for (const Member& m : from["entries"].items()) out.entries.push_back(m.real(0, kMostCount));
  for (const Member& m : from["exits"].items()) {
    const size_t i = out.exits.size();
    if (i >= out.entries.size()) m.refuse("has no entry");
    out.exits.push_back(m.real(0, kMostCount));
    if (!(out.entries[i] < out.exits[i])) m.refuse("must be above its entry");
  }
  for (const Member& m : from["events"].items()) out.events.push_back(static_cast<uint8_t>(m.count(1)));
  for (const Member& m : from["questions"].items()) out.questions.push_back(static_cast<int32_t>(m.count(std::numeric_limits<int32_t>::max())));
  for (const auto& [name, size] : {std::pair{"exits", out.exits.size()}, {"events", out.events.size()}, {"questions", out.questions.size()}}) {
    if (size != out.entries.size()) from[name].refuse("has " + std::to_string(size) + " values, entries has " + std::to_string(out.entries.size()));
  }
  return out;
}

std::vector<DriftCluster> read_clusters(const Member& from) {
  from.object({"n", "lists", "other_top", "absolute", "square", "kl"});
  std::vector<DriftCluster> out(from["n"].items().size());
  const auto column = [&](const char* name, const auto& take) {
    const std::vector<Member> items = from[name].items();
    if (items.size() != out.size()) from[name].refuse("has " + std::to_string(items.size()) + " values, n has " + std::to_string(out.size()));
    for (size_t i = 0; i < items.size(); ++i) take(items[i], &out[i]);
  };
  for (const CountColumn& c : kCounts) column(c.name, [&](const Member& m, DriftCluster* d) { d->*c.of = m.count(); });
  for (const RealColumn& c : kReals) column(c.name, [&](const Member& m, DriftCluster* d) { d->*c.of = m.real(0, std::numeric_limits<double>::max()); });
  return out;
}

}  // namespace

std::string noise_json(const NoiseProfile& noise) {
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("schema", kSchema);
  const std::pair<const char*, const std::string&> texts[] = {{"model", noise.model}, {"engine", noise.engine}, {"hardware", noise.hardware}, {"logprobs_mode", noise.logprobs_mode}, {"varied", noise.varied}};
  for (const auto& [name, text] : texts) {
    json.key(name);
    text.empty() ? json.null() : json.string(text);
  }
  json.member("pairs", noise.pairs).member("diverged", noise.diverged).member("identical", noise.identical).member("list_size", noise.list_size).member("tau", noise.tau);
  json.key("sigma").begin_object().member("sigma", noise.sigma.sigma).member("error", noise.sigma.error).key("sure").begin_array().real(noise.sigma.sure.low).real(noise.sigma.sure.high).end_array();
  json.member("tokens", noise.sigma.tokens).member("flips", noise.sigma.flips).member("questions", noise.sigma.questions).end_object();
  write_rate(&json, "suspects", noise.suspects);
  write_rate(&json, "first_suspects", noise.first_suspects);
  write_rate(&json, "first_other", noise.first_other);
  json.member("kl_99", noise.kl_99).member("kl_999", noise.kl_999);
  write_divergences(&json, "divergences", noise.divergences);
  write_divergences(&json, "seeded", noise.seeded);
  write_clusters(&json, "drift", noise.drift);
  write_clusters(&json, "by_position", noise.by_position);
  json.end_object();
  return out;
}

NoiseProfile read_noise(std::string_view text) {
  JsonReader syntax(text, JsonReader::Mode::kStrict);
  syntax.skip();
  if (!syntax.finish()) fail(VAA_ERROR_FORMAT, std::string("noise: ") + syntax.error() + " at byte " + std::to_string(syntax.error_at()));
  const Document document = Document::parse(text);
  const Member from(document, "");
  if (document.kind() == JsonKind::kObject && document["schema"].text() != kSchema) wrong("schema", std::string("must be \"") + kSchema + "\"");
  from.object({"schema", "model", "engine", "hardware", "logprobs_mode", "varied", "pairs", "diverged", "identical", "list_size", "tau", "sigma", "suspects", "first_suspects", "first_other", "kl_99", "kl_999", "divergences", "seeded", "drift", "by_position"});
  NoiseProfile noise;
  noise.model = from["model"].text_or_null();
  noise.engine = from["engine"].text_or_null();
  noise.hardware = from["hardware"].text_or_null();
  noise.logprobs_mode = from["logprobs_mode"].text_or_null();
  noise.varied = from["varied"].text_or_null();
  noise.pairs = from["pairs"].count();
  noise.diverged = from["diverged"].count();
  noise.identical = from["identical"].truth();
  noise.list_size = from["list_size"].count();
  noise.tau = from["tau"].measure();
  noise.sigma = read_scale(from["sigma"]);
  noise.suspects = read_rate(from["suspects"]);
  noise.first_suspects = read_rate(from["first_suspects"]);
  noise.first_other = read_rate(from["first_other"]);
  noise.kl_99 = from["kl_99"].measure();
  noise.kl_999 = from["kl_999"].measure();
  noise.divergences = read_divergences(from["divergences"]);
  noise.seeded = read_divergences(from["seeded"]);
  noise.drift = read_clusters(from["drift"]);
  const std::vector<DriftCluster> buckets = read_clusters(from["by_position"]);
  if (buckets.size() != kPositionBuckets) from["by_position"].refuse("must have " + std::to_string(kPositionBuckets) + " buckets, has " + std::to_string(buckets.size()));
  std::copy(buckets.begin(), buckets.end(), noise.by_position.begin());
  check_noise(noise);
  return noise;
}

}  // namespace vaa
