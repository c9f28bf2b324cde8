// One line a method.
#include "base/failure.h"
#include "reject/verifier/methods/method.h"

namespace vaa {
namespace {

constexpr Method kMethods[] = {
    {.name = "token", .odds = token_odds, .run = run_chain, .law = law_of_chain},
    {.name = "block", .run = run_block, .law = law_of_block},
    {.name = "block_product", .run = run_block_product, .law = law_of_block_product},
    {.name = "exact_match", .uniforms = false, .draws_always = true, .odds = token_odds, .run = run_exact_match, .law = law_of_exact_match},
    {.name = "siblings", .tree = true, .coins_of_rows = true, .run = run_siblings, .law = law_of_siblings},
    {.name = "multi_draft", .tree = true, .run = run_multi_draft, .law = law_of_multi_draft},
    {.name = "typical", .uniforms = false, .entropy = true, .odds = typical_odds, .run = run_chain, .law = law_of_chain},
    {.name = "entropy", .entropy = true, .odds = entropy_odds, .run = run_chain, .law = law_of_chain},
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
