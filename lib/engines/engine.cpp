#include "engines/engine.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "engines/engine_data.h"
#include "engines/rule_words.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

#define VAA_SCOPES "none|output|prompt_and_output|last_n"
constexpr RuleWords kWords[kRules] = {
    {"repetition_scope", VAA_SCOPES, "send logits as in vector S01 with a repetition penalty, once with the token in the prompt and once in the output"},
    {"frequency_scope", VAA_SCOPES, "send logits as in vector S01 with a frequency penalty, once with the token in the prompt and once in the output"},
    {"repetition_arithmetic", "divide|reciprocal", "read how the engine applies a repetition penalty to a positive logit; the two differ by one unit in the last place"},
    {"bad_words_scope", "output|prompt_and_output", "give a bad word of two ids whose first ends the prompt, and see whether its second is banned at once"},
    {"top_k_ties", "all|exact", "run vector S04 (logits 2, 1, 1, 0 with top_k 2) many times on the engine: three different tokens are all, two are exact"},
    {"top_p_boundary", "mass_before_below_p|mass_before_up_to_p", "run vector S05 (probabilities 1/2, 1/4, 3/16, 1/16 with top_p 3/4) many times on the engine: two different tokens or three"},
    {"top_p_ties", "lower_ids|higher_ids|all", "run a row of four equal logits with top_p 1/2 many times on the engine, and see which ids occur"},
    {"top_k_top_p", "sequential|joint", "run vector S06 (probabilities 2/5, 3/10, 1/5, 1/10 with top_k 2 and top_p 1/2) many times on the engine: one token is sequential, two are joint"},
    {"top_k_top_p_with_min_p", "sequential|joint", "run vector S06 with a min_p of 0.001 many times on the engine: one token is sequential, two are joint"},
    {"draw", "race|gumbel|inverse_cdf", "replay a few hundred seeded draws with each"},
    {"draw_order", "id|rank|rank_if_cut", "replay a few hundred seeded draws with each"},
    {"zero_temperature", "greedy|refused", "ask the engine with temperature 0"},
    {"greedy_logprobs", "before_argmax|chosen_only", "ask the engine with temperature 0 and processed logprobs: 0 for every token is chosen_only"},
};
#undef VAA_SCOPES

std::string shown_number(double value) {
  if (value != value) return "NaN";
  std::string out;
  append_number(&out, value);
  return out;
}

// "unknown|" before the words of each rule; the table points into it.
struct Table {
  std::string choices[kRules];
  std::vector<OptionSpec> specs;
  Table() {
    for (const char* name : {"base", "name", "title", "note"}) specs.push_back({name, Type::kText, 1, 400});
    specs.push_back({"order", Type::kTexts, 1, 40});
    for (size_t i = 0; i < kRules; ++i) {
      choices[i] = std::string("unknown|") + kWords[i].words;
      specs.push_back({kWords[i].name, Type::kChoice, 0, 0, choices[i].c_str()});
    }
    specs.push_back({"greedy_below", Type::kReal, 0, 1});
    specs.push_back({"temperature_floor", Type::kReal, 0, 1});
  }
};

void check_order(const std::vector<std::string>& order, const std::vector<std::string_view>& stages) {
  for (size_t i = 0; i < order.size(); ++i) {
    const std::string where = "vaa_engine_new: order[" + std::to_string(i) + "]: ";
    if (std::find(order.begin(), order.begin() + static_cast<ptrdiff_t>(i), order[i]) != order.begin() + static_cast<ptrdiff_t>(i)) {
      fail(VAA_ERROR_OPTION, where + quoted(order[i]) + " stands there twice");
    }
    if (std::find(stages.begin(), stages.end(), order[i]) != stages.end()) continue;
    std::string list;
    for (const std::string_view stage : stages) list.append(list.empty() ? "" : ", ").append(stage);
    fail(VAA_ERROR_OPTION, where + quoted(order[i]) + " is no stage; known: " + list);
  }
}

// The rules of `json` over those of its base.
Engine read_rules(std::string_view json, const Table& table) {
  const Options options(json, table.specs.data(), table.specs.size(), "vaa_engine_new");
  Engine engine;
  if (options.given("base")) {
    engine = read_rules(known_data(engine_data(), "engine", options.text("base")), table);
    engine.name = options.text("base");
  }
  for (const auto& [name, to] : {std::pair("name", &engine.name), std::pair("title", &engine.title), std::pair("note", &engine.note)})
    if (options.given(name)) *to = options.text(name);
  if (options.given("order")) engine.order = options.texts("order");
  for (size_t i = 0; i < kRules; ++i)
    if (options.given(kWords[i].name)) engine.rules[i] = place_of(options.text(kWords[i].name), table.choices[i]);
  if (options.given("greedy_below")) engine.greedy_below = options.real("greedy_below");
  if (options.given("temperature_floor")) engine.temperature_floor = options.real("temperature_floor");
  return engine;
}

}  // namespace

bool Engine::has_stage(std::string_view stage) const { return std::find(order.begin(), order.end(), stage) != order.end(); }

const RuleWords& rule_words(Rule which) { return kWords[static_cast<size_t>(which)]; }

std::string_view rule_value(const Engine& engine, Rule which) {
  const auto at = static_cast<size_t>(which);
  return word_at(engine.rules[at], kWords[at].words);
}

Engine make_engine(std::string_view options, const std::vector<std::string_view>& stages) {
  const Table table;
  const bool is_name = is_plain_name(options);
  Engine engine = read_rules(is_name ? known_data(engine_data(), "engine", options) : options, table);
  if (is_name) engine.name = options;
  if (engine.name.empty()) engine.name = "custom";
  check_order(engine.order, stages);
  return engine;
}

std::string engine_json(const Engine& engine) {
  std::string out;
  JsonWriter json(&out, 2);
  json.begin_object().member("name", engine.name);
  if (!engine.title.empty()) json.member("title", engine.title);
  if (!engine.note.empty()) json.member("note", engine.note);
  json.key("order").begin_array();
  for (const std::string& stage : engine.order) json.string(stage);
  json.end_array();
  for (size_t i = 0; i < kRules; ++i) json.member(kWords[i].name, rule_value(engine, static_cast<Rule>(i)));
  json.member("greedy_below", engine.greedy_below).member("temperature_floor", engine.temperature_floor).end_object();
  return out;
}

Resolved resolve_temperature(const Engine& engine, double asked, const std::string& where) {
  if (!(asked >= 0) || asked > 1e30) fail(VAA_ERROR_ARGUMENT, where + "temperature: is " + shown_number(asked) + ", must be at least 0 and finite");
  if (asked == 0) {
    switch (engine.rule<ZeroTemperature>(Rule::kZeroTemperature)) {
      case ZeroTemperature::kGreedy: return {true, 1};
      case ZeroTemperature::kRefused: fail(VAA_ERROR_ARGUMENT, where + "temperature: is 0, which engine " + engine.name + " refuses; its greedy mode is the parameter greedy");
      case ZeroTemperature::kUnknown: fail_unknown(engine, Rule::kZeroTemperature, where + "the temperature is 0");
    }
  }
  const double raised = asked < engine.temperature_floor ? engine.temperature_floor : asked;
  return raised < engine.greedy_below ? Resolved{true, 1} : Resolved{false, raised};
}

void fail_unknown(const Engine& engine, Rule which, const std::string& why) { fail_unknown_rule("engine", engine.name, rule_words(which), why); }

}  // namespace vaa
