#include "engines/policy.h"

#include <algorithm>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/nearest_name.h"
#include "base/options.h"

namespace vaa {
namespace {

using Type = OptionSpec::Type;

constexpr RuleWords kWords[kPolicyRules] = {
    {"accept", "ge|gt", "give a draft with p/q equal to u, as vectors R04a and R04b: accepted is ge"},
    {"zero_q", "reject|accept", "give a draft with q = 0 and p > 0, as vectors R05a and R05b: two ids in the row are accept"},
    {"recovery", "race|inverse_cdf|gumbel", "replay a few hundred rejections with each"},
    {"noise", "request|position", "replay a few hundred rejections behind the first position with each"},
    {"bonus", "own_noise|recovery_noise", "replay a few hundred rows that are accepted whole with the noise of recovered tokens: recovery_noise gives their bonus tokens"},
    {"empty_residual", "token_0|target|refused", "give the engine p = q and a draft outside of both, as vector R06, and see which ids come"},
    {"padded_draft", "reject", "give the engine a draft of -1, as vector R09; if it is rejected whatever u is"},
    {"uniform", "float64|float32", "read as which type the engine holds u when it is compared"},
    {"test", "ratio|product|log", "read how the engine compares p, q and u"},
    {"replacement", "without|with", "read whether a rejected draft is taken out of q before the next one is tried"},
    {"draws", "bonus_uniforms_recovered", "read which numbers a seeded request draws in a step, in which order and by which key, and bring them as uniforms and noise"},
    {"idle_draws", "bonus|bonus_and_discarded", "let a seeded request without drafts run beside one with drafts, and see whether its answer changes"},
    {"layout", "flat|flat_with_bonus|padded", "read which shape the engine's tensors have"},
};

struct Number {
  const char* name;
  double Policy::*value;
  double most;
};
constexpr Number kNumbers[] = {
    {"uniform_floor", &Policy::uniform_floor, 1}, {"entropy_alpha", &Policy::entropy_alpha, 1e3}, {"entropy_cap", &Policy::entropy_cap, 1}, {"typical_epsilon", &Policy::typical_epsilon, 1},
    {"typical_delta", &Policy::typical_delta, 1e3}, {"entropy_shift", &Policy::entropy_shift, 1}, {"accept_threshold", &Policy::accept_threshold, 1}, {"single_threshold", &Policy::single_threshold, 1},
};

// "unknown|" before the words of each rule; the table points into it.
struct PolicyTable {
  std::string choices[kPolicyRules];
  std::vector<OptionSpec> specs;
  PolicyTable() {
    for (const char* name : {"base", "name", "title", "note", "method"}) specs.push_back({name, Type::kText, 1, 600});
    specs.push_back({"sampler", Type::kJson});
    for (size_t i = 0; i < kPolicyRules; ++i) {
      choices[i] = std::string("unknown|") + kWords[i].words;
      specs.push_back({kWords[i].name, Type::kChoice, 0, 0, choices[i].c_str()});
    }
    for (const Number& number : kNumbers) specs.push_back({number.name, Type::kReal, 0, number.most});
  }
};

// The rules of `json` over those of its base.
Policy read_policy(std::string_view json, const PolicyTable& table) {
  const Options options(json, table.specs.data(), table.specs.size(), "vaa_verifier_new: policy");
  Policy policy;
  if (options.given("base")) {
    policy = read_policy(known_data(policy_data(), "policy", options.text("base")), table);
    policy.name = options.text("base");
  }
  for (const auto& [name, to] : {std::pair("name", &policy.name), std::pair("title", &policy.title), std::pair("note", &policy.note), std::pair("method", &policy.method), std::pair("sampler", &policy.sampler)})
    if (options.given(name)) *to = options.text(name);
  for (size_t i = 0; i < kPolicyRules; ++i)
    if (options.given(kWords[i].name)) policy.rules[i] = place_of(options.text(kWords[i].name), table.choices[i]);
  for (const Number& number : kNumbers)
    if (options.given(number.name)) policy.*number.value = options.real(number.name);
  return policy;
}

void check_method(const std::string& method, const std::vector<std::string_view>& methods) {
  if (std::find(methods.begin(), methods.end(), method) != methods.end()) return;
  std::string list;
  for (const std::string_view one : methods) list.append(list.empty() ? "" : ", ").append(one);
  if (method.empty()) fail(VAA_ERROR_OPTION, "vaa_verifier_new: policy: method: is missing; known: " + list);
  const std::string_view near = nearest_name(method, methods);
  fail(VAA_ERROR_OPTION, "vaa_verifier_new: policy: method: " + quoted(method) + " is not known" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + "; known: " + list);
}

}  // namespace

void Policy::refuse_unknown(PolicyRule which, const char* why) const { fail_unknown_rule("policy", name, kWords[static_cast<size_t>(which)], why); }

Policy make_policy(std::string_view options, const std::vector<std::string_view>& methods) {
  const PolicyTable table;
  const bool is_name = is_plain_name(options);
  Policy policy = read_policy(is_name ? known_data(policy_data(), "policy", options) : options, table);
  if (is_name) policy.name = options;
  if (policy.name.empty()) policy.name = "custom";
  check_method(policy.method, methods);
  for (const auto& [name, value] : {std::pair("accept_threshold", policy.accept_threshold), std::pair("single_threshold", policy.single_threshold)})
    if (value == 0) fail(VAA_ERROR_OPTION, std::string("vaa_verifier_new: policy: ") + name + ": is 0, must be above 0");
  return policy;
}

std::string policy_json(const Policy& policy) {
  std::string out;
  JsonWriter json(&out, 2);
  json.begin_object().member("name", policy.name);
  if (!policy.title.empty()) json.member("title", policy.title);
  if (!policy.note.empty()) json.member("note", policy.note);
  json.member("method", policy.method);
  for (size_t i = 0; i < kPolicyRules; ++i) json.member(kWords[i].name, word_at(policy.rules[i], kWords[i].words));
  for (const Number& number : kNumbers) json.member(number.name, policy.*number.value);
  if (!policy.sampler.empty()) json.key("sampler").raw(policy.sampler);
  json.end_object();
  return out;
}

}  // namespace vaa
