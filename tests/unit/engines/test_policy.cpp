#include <string>

#include "base/failure.h"
#include "catch.h"
#include "engines/policy.h"

using namespace vaa;

namespace {

const std::vector<std::string_view> kMethods{"token", "siblings", "block"};

std::string fault(const std::string& options) {
  try {
    make_policy(options, kMethods);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("policy: every file of data is read, and its JSON gives it again", "[engines]") {
  REQUIRE(policy_data().size() >= 6);
  for (const EngineData& data : policy_data()) {
    const Policy policy = make_policy(data.name, kMethods);
    CHECK(policy.name == data.name);
    CHECK(policy_json(make_policy(policy_json(policy), kMethods)) == policy_json(policy));
  }
}

TEST_CASE("policy: rules of one's own stand over those of its base", "[engines]") {
  const Policy policy = make_policy(R"({"base": "vllm_v1", "accept": "gt", "uniform_floor": 0.5})", kMethods);
  CHECK(policy.name == "vllm_v1");
  CHECK(policy.rule<AcceptRule>(PolicyRule::kAccept) == AcceptRule::kGt);
  CHECK(policy.rule<Recovery>(PolicyRule::kRecovery) == Recovery::kRace);
  CHECK(policy.uniform_floor == 0.5);
}

TEST_CASE("policy: what is unknown is refused where it is asked for, with how to measure it", "[engines]") {
  const Policy policy = make_policy(R"({"method": "token"})", kMethods);
  try {
    policy.known<ZeroQ>(PolicyRule::kZeroQ, "it matters");
    FAIL("was not refused");
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_UNSUPPORTED);
    CHECK(failure.message() == "policy custom: zero_q is unknown, and it matters: give a draft with q = 0 and p > 0, as vectors R05a and R05b: two ids in the row are accept; then give the policy {"
                               "\"zero_q\": one of reject, accept}");
  }
}

TEST_CASE("policy: bad rules are named", "[engines]") {
  CHECK(fault("vllm_v").find("policy: \"vllm_v\" is not known; did you mean vllm_v1?") == 0);
  CHECK(fault(R"({"base": "nobody"})").find("policy: \"nobody\" is not known") == 0);
  CHECK(fault(R"({"accept": "ge"})") == "vaa_verifier_new: policy: method: is missing; known: token, siblings, block");
  CHECK(fault(R"({"method": "blok"})") == "vaa_verifier_new: policy: method: \"blok\" is not known; did you mean block?; known: token, siblings, block");
  CHECK(fault(R"({"method": "token", "accept_threshold": 0})") == "vaa_verifier_new: policy: accept_threshold: is 0, must be above 0");
  CHECK(fault(R"({"method": "token", "entropy_cap": 2})").find("entropy_cap") != std::string::npos);
  CHECK(fault(R"({"method": "token", "acept": "ge"})").find("did you mean accept?") != std::string::npos);
}
