#include "sampler/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

constexpr double kMost = 2147483647;
constexpr ParamSpec kSpecs[kParams] = {
    {"temperature", "temperature", 1, 0, 1e30, false, false, "at least 0 and finite"},
    {"top_k", "top_k", 0, -1, kMost, false, true, "a whole number of at least 0, where 0 and -1 are off"},
    {"top_p", "top_p", 1, 0, 1, true, false, "above 0 and at most 1"},
    {"min_p", "min_p", 0, 0, 1, false, false, "0 to 1"},
    {"typical_p", "typical_p", 1, 0, 1, true, false, "above 0 and at most 1"},
    {"repetition_penalty", "penalties", 1, 0, 1e6, true, false, "above 0 and at most 1e6"},
    {"frequency_penalty", "penalties", 0, -1e6, 1e6, false, false, "-1e6 to 1e6"},
    {"presence_penalty", "penalties", 0, -1e6, 1e6, false, false, "-1e6 to 1e6"},
    {"penalty_last_n", "", 64, -1, kMost, false, true, "a whole number of at least 0, or -1 for all"},
    {"min_tokens", "min_tokens", 0, 0, kMost, false, true, "a whole number of at least 0"},
    {"greedy", "temperature", 0, 0, 1, false, true, "0 or 1"},
};

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  std::string out;
  append_number(&out, value);
  return out;
}

// An array of ids at the reader's place, or a failure that names `name`.
std::vector<int32_t> read_ids(JsonReader* reader, const std::string& name) {
  std::vector<int32_t> ids;
  size_t bad = 0;
  if (!reader->ids(&ids, &bad)) fail(VAA_ERROR_OPTION, name + "[" + std::to_string(bad) + "]: is no token id, must be a whole number of 0 to 2147483647");
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0) fail(VAA_ERROR_OPTION, name + "[" + std::to_string(i) + "]: is " + std::to_string(ids[i]) + ", a token id is at least 0");
  return ids;
}

// The reader of a JSON option that must be of this kind.
JsonReader reader_of(const std::string& json, JsonKind kind, const std::string& name, const char* must) {
  JsonReader reader(json, JsonReader::Mode::kStrict);
  if (reader.peek() != kind) fail(VAA_ERROR_OPTION, name + ": is " + json_kind_name(reader.peek()) + ", must be " + must);
  return reader;
}

std::vector<LogitBias> read_bias(const std::string& json, const std::string& name) {
  std::vector<LogitBias> out;
  JsonReader reader = reader_of(json, JsonKind::kObject, name, "an object of biases by token id");
  std::string_view key;
  reader.object();
  while (reader.key(&key)) {
    LogitBias one{};
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), one.id);
    const std::string where = name + ": " + quoted(key) + ": ";
    if (error != std::errc() || end != key.data() + key.size() || one.id < 0) fail(VAA_ERROR_OPTION, where + "is no token id, must be a whole number of 0 to 2147483647");
    if (reader.peek() != JsonKind::kNumber) fail(VAA_ERROR_OPTION, where + "is " + json_kind_name(reader.peek()) + ", must be a number");
    reader.real(&one.bias);
    if (!(std::fabs(one.bias) <= 1e30)) fail(VAA_ERROR_OPTION, where + "is " + shown(one.bias) + ", must be -1e30 to 1e30");
    for (const LogitBias& other : out)
      if (other.id == one.id) fail(VAA_ERROR_OPTION, where + "given twice");
    out.push_back(one);
  }
  return out;
}

std::vector<std::vector<int32_t>> read_words(const std::string& json, const std::string& name) {
  std::vector<std::vector<int32_t>> out;
  JsonReader reader = reader_of(json, JsonKind::kArray, name, "an array of arrays of token ids");
  reader.array();
  while (reader.element()) {
    const std::string where = name + "[" + std::to_string(out.size()) + "]";
    if (reader.peek() != JsonKind::kArray) fail(VAA_ERROR_OPTION, where + ": is " + json_kind_name(reader.peek()) + ", must be an array of token ids");
    out.push_back(read_ids(&reader, where));
    if (out.back().empty()) fail(VAA_ERROR_OPTION, where + ": is empty");
  }
  return out;
}

std::vector<int32_t> read_list(const Options& options, const char* name, std::string_view what) {
  const std::string where = std::string(what) + ": " + name;
  JsonReader reader = reader_of(options.text(name), JsonKind::kArray, where, "an array of token ids");
  return read_ids(&reader, where);
}

void note_largest(std::span<const int32_t> ids, const char* of, TokenLists* lists) {
  for (const int32_t id : ids) {
    if (id <= lists->largest_id) continue;
    lists->largest_id = id;
    lists->largest_of = of;
  }
}

}  // namespace

const ParamSpec& param_spec(Param which) { return kSpecs[static_cast<size_t>(which)]; }

Params::Params() {
  for (size_t i = 0; i < kParams; ++i) values[i] = kSpecs[i].off;
}

void check_param(const Engine& engine, Param which, double value, vaa_status status, const std::string& where) {
  const ParamSpec& spec = param_spec(which);
  const bool inside = value >= spec.min && value <= spec.max && (!spec.above_min || value > spec.min) && (!spec.whole || value == std::floor(value));
  if (!inside) fail(status, where + spec.name + ": is " + shown(value) + ", must be " + spec.allowed);
  if (value != spec.off && *spec.stage != '\0' && !engine.has_stage(spec.stage)) {
    fail(status, where + spec.name + ": is " + shown(value) + ", but engine " + engine.name + " has no stage " + spec.stage);
  }
}

std::vector<OptionSpec> sampling_options() {
  std::vector<OptionSpec> table;
  for (const ParamSpec& spec : kSpecs) table.push_back({spec.name, Type::kReal});
  for (const char* list : {"logit_bias", "allowed_ids", "bad_words", "stop_ids"}) table.push_back({list, Type::kJson});
  return table;
}

Params params_of(const Options& options, const Engine& engine, std::string_view what) {
  Params params;
  for (size_t i = 0; i < kParams; ++i) {
    if (!options.given(kSpecs[i].name)) continue;
    params.values[i] = options.real(kSpecs[i].name);
    check_param(engine, static_cast<Param>(i), params.values[i], VAA_ERROR_OPTION, std::string(what) + ": ");
  }
  return params;
}

TokenLists lists_of(const Options& options, const Engine& engine, std::string_view what) {
  TokenLists lists;
  for (const auto& [list, stage] : {std::pair("logit_bias", "logit_bias"), std::pair("allowed_ids", "allowed_ids"), std::pair("bad_words", "bad_words"), std::pair("stop_ids", "min_tokens")}) {
    if (options.given(list) && !engine.has_stage(stage)) fail(VAA_ERROR_OPTION, std::string(what) + ": " + list + ": engine " + engine.name + " has no stage " + stage);
  }
  const std::string where = std::string(what) + ": ";
  if (options.given("logit_bias")) lists.logit_bias = read_bias(options.text("logit_bias"), where + "logit_bias");
  if (options.given("bad_words")) lists.bad_words = read_words(options.text("bad_words"), where + "bad_words");
  if (options.given("stop_ids")) lists.stop_ids = read_list(options, "stop_ids", what);
  if (options.given("allowed_ids")) {
    lists.allows_some = true;
    lists.allowed_ids = read_list(options, "allowed_ids", what);
    if (lists.allowed_ids.empty()) fail(VAA_ERROR_OPTION, where + "allowed_ids: is empty, which allows no token");
  }
  for (const LogitBias& one : lists.logit_bias) note_largest({&one.id, 1}, "logit_bias", &lists);
  for (const std::vector<int32_t>& word : lists.bad_words) note_largest(word, "bad_words", &lists);
  note_largest(lists.allowed_ids, "allowed_ids", &lists);
  note_largest(lists.stop_ids, "stop_ids", &lists);
  return lists;
}

}  // namespace vaa
