// How an engine verifies drafts: rules as data of lib/engines/policies. docs/verifier.md tells what each means and where it was read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engines/rule_words.h"

namespace vaa {

// Rules whose values are words; the table in policy.cpp has the words in the order of the enums below.
enum class PolicyRule : uint8_t { kAccept, kZeroQ, kRecovery, kNoise, kBonus, kEmptyResidual, kPaddedDraft, kUniform, kTest, kReplacement, kDraws, kIdleDraws, kLayout };
constexpr size_t kPolicyRules = 13;

enum class AcceptRule : uint8_t { kUnknown, kGe, kGt };                        // p/q >= u, p/q > u
enum class ZeroQ : uint8_t { kUnknown, kReject, kAccept };                      // a draft with q = 0 and p > 0
enum class Recovery : uint8_t { kUnknown, kRace, kInverseCdf, kGumbel };        // how a token is drawn from the residual
enum class NoiseUnit : uint8_t { kUnknown, kRequest, kPosition };               // what has noise of its own
enum class BonusRule : uint8_t { kUnknown, kOwnNoise, kRecoveryNoise };         // kOwnNoise: drawn by the plain sampler, before
enum class EmptyResidual : uint8_t { kUnknown, kToken0, kTarget, kRefused };
enum class PaddedDraft : uint8_t { kUnknown, kReject };                         // a draft id of -1
enum class UniformWidth : uint8_t { kUnknown, kFloat64, kFloat32 };             // as which u is compared
enum class TestForm : uint8_t { kUnknown, kRatio, kProduct, kLog };             // p/q : u, p : u q, log p : log u + log q
enum class Replacement : uint8_t { kUnknown, kWithout, kWith };                 // of several drafts of one position
enum class StepDraws : uint8_t { kUnknown, kBonusUniformsRecovered };           // of a seeded request in a step with drafts
enum class IdleDraws : uint8_t { kUnknown, kBonus, kBonusAndDiscarded };        // of one without drafts while others have some
enum class LayoutRule : uint8_t { kUnknown, kFlat, kFlatWithBonus, kPadded };   // rows of the target

struct Policy {
  std::string name, title, note;
  std::string method;   // of the table of methods, lib/reject/verifier/methods
  std::string sampler;  // options of make_engine: what is done to the verified rows
  uint8_t rules[kPolicyRules] = {};
  double uniform_floor = 0;                          // u is raised to it
  double entropy_alpha = 0.4, entropy_cap = 0.95;    // method entropy: u times min(exp(-alpha H), cap)
  double typical_epsilon = 0.09, typical_delta = 0.3, entropy_shift = 0;  // method typical: p > min(epsilon, delta exp(-H)), H of log(p + shift)
  double accept_threshold = 1, single_threshold = 1;  // method siblings

  template <class Value>
  Value rule(PolicyRule which) const { return static_cast<Value>(rules[static_cast<size_t>(which)]); }
  // The same where it is known; else VAA_ERROR_UNSUPPORTED, which says how to measure it. `why` is "<row> depends on it".
  template <class Value>
  Value known(PolicyRule which, const char* why) const {
    if (rules[static_cast<size_t>(which)] == kUnknownRule) refuse_unknown(which, why);
    return rule<Value>(which);
  }

 private:
  [[noreturn]] void refuse_unknown(PolicyRule which, const char* why) const;
};

// By a known name, or by a JSON object of rules; methods are given by the caller. Failures name what is known.
Policy make_policy(std::string_view options, const std::vector<std::string_view>& methods);
std::string policy_json(const Policy& policy);

}  // namespace vaa
