// How an engine samples: rules as data. docs/sampler.md tells what each means and where it was read.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engines/rule_words.h"

namespace vaa {

// Rules whose values are words; the table in engine.cpp has the words in the order of the enums below.
enum class Rule : uint8_t {
  kRepetitionScope, kFrequencyScope, kRepetitionArithmetic, kBadWordsScope, kTopKTies, kTopPBoundary, kTopPTies, kTopKTopP, kTopKTopPWithMinP, kDraw, kDrawOrder, kZeroTemperature, kGreedyLogprobs
};
constexpr size_t kRules = 13;

enum class Scope : uint8_t { kUnknown, kNone, kOutput, kAll, kLastN };        // of what was said so far; kAll: prompt and output
enum class BadWordsScope : uint8_t { kUnknown, kOutput, kAll };
enum class Arithmetic : uint8_t { kUnknown, kDivide, kReciprocal };           // z / r, z * (1 / r)
enum class KTies : uint8_t { kUnknown, kAll, kExact };                        // at the k-th logit; kExact: the lower ids stay
enum class PBoundary : uint8_t { kUnknown, kBefore, kUpTo };                  // kept while the mass before a token is < p, <= p
enum class PTies : uint8_t { kUnknown, kLowerIds, kHigherIds, kAll };         // of equal probabilities at the boundary these stay
enum class KThenP : uint8_t { kUnknown, kSequential, kJoint };                // top-p on the row as top-k left it; on the row that top-k found
enum class DrawRule : uint8_t { kUnknown, kRace, kGumbel, kInverseCdf };
enum class DrawOrder : uint8_t { kUnknown, kId, kRank, kRankIfCut };          // kRankIfCut: by rank where a stage cut the row, else by id
enum class GreedyLogprobs : uint8_t { kUnknown, kBeforeArgmax, kChosenOnly };  // processed ones of a greedy row are of: the row at temperature 1 and uncut; its argmax alone
enum class ZeroTemperature : uint8_t { kUnknown, kGreedy, kRefused };

struct Engine {
  std::string name, title, note;
  std::vector<std::string> order;  // of stages
  uint8_t rules[kRules] = {};
  double greedy_below = 0;      // temperatures below this take the argmax
  double temperature_floor = 0; // temperatures above 0 and below this are raised to it, before greedy_below is looked at

  template <class Value>
  Value rule(Rule which) const { return static_cast<Value>(rules[static_cast<size_t>(which)]); }
  bool has_stage(std::string_view stage) const;
};

const RuleWords& rule_words(Rule which);
std::string_view rule_value(const Engine& engine, Rule which);  // one of its words, or "unknown"

// By a known name, or by a JSON object of rules; stages that may stand in "order" are given by the caller. Failures name what is known.
Engine make_engine(std::string_view options, const std::vector<std::string_view>& stages);
std::string engine_json(const Engine& engine);

// What a requested temperature becomes. `where` stands before the message of a failure.
struct Resolved {
  bool greedy;
  double temperature;
};
Resolved resolve_temperature(const Engine& engine, double asked, const std::string& where = "");

// "engine x: top_k_ties is unknown, and <why it matters>: measure ..., then give ...": VAA_ERROR_UNSUPPORTED.
[[noreturn]] void fail_unknown(const Engine& engine, Rule which, const std::string& why);

}  // namespace vaa
