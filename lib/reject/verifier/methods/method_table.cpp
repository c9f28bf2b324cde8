// One line a method.
#include "base/failure.h"
#include "reject/verifier/methods/method.h"

namespace vaa {
namespace {

constexpr Method kMethods[] = {
    // name, tree, coins_of_rows, entropy, uniforms, odds, run, law
    {"token", false, false, false, true, token_odds, run_chain, law_of_chain},
    {"block", false, false, false, true, nullptr, run_block, law_of_block},
    {"block_product", false, false, false, true, nullptr, run_block_product, law_of_block_product},
    {"exact_match", false, false, false, false, token_odds, run_exact_match, law_of_exact_match},
    {"siblings", true, true, false, true, nullptr, run_siblings, law_of_siblings},
    {"multi_draft", true, false, false, true, nullptr, run_multi_draft, law_of_multi_draft},
    {"typical", false, false, true, false, typical_odds, run_chain, law_of_chain},
    {"entropy", false, false, true, true, entropy_odds, run_chain, law_of_chain},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const Method& method : kMethods) names.push_back(method.name);
  return names;
}

const Method& method_of(const Policy& policy) {
  for (const Method& method : kMethods)
    if (policy.method == method.name) return method;
  fail(VAA_ERROR_INTERNAL, "method " + policy.method + " is in no table");
}

}  // namespace vaa
