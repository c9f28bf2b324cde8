// Answers that were asked for with the same sampling parameters, and what was counted of their tokens.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sampler/calibration/legal_set.h"
#include "sampler/calibration/seed_pairs.h"
#include "sampler/calibration/temperature_fit.h"

namespace vaa::sampler {

// What logprobs are of: the model's law at temperature 1 and uncut, or the law that tokens are drawn from.
enum class LogprobKind : uint8_t { kUnknown, kRaw, kProcessed };

// NaN and -1: neither recorded nor declared.
struct Request {
  double temperature = std::nan(""), top_p = std::nan(""), min_p = std::nan("");
  int64_t top_k = -1;
  LogprobKind kind = LogprobKind::kUnknown;
  bool cuts_known() const { return !std::isnan(top_p) && !std::isnan(min_p) && top_k >= 0; }
  bool cuts() const { return top_p < 1 || min_p > 0 || top_k > 0; }
  bool same(const Request& other) const;
};

struct IllegalPlace {
  std::string sample;
  int64_t token = 0;
  int32_t id = 0;
  double logprob = 0, likeliest = 0;
};

// Draws of one id, and how many are due at most by the law of each position.
struct IdCount {
  const char* name;        // "token 0", "the last id", "BOS"
  int32_t id = -1;         // -1: not known
  int64_t drawn = 0;
  double due = 0;
};

// One reading of a group's lists: as raw logprobs, or as processed ones.
struct Reading {
  Law law;
  int64_t positions = 0, illegal = 0;
  std::vector<IllegalPlace> places;       // of the first illegal ones
  int64_t outside = 0;             // chosen tokens that are not among those listed
  double outside_most = 0, outside_least = 0;  // how many are due
  TemperatureFit fit;              // over the surely legal tokens
  std::array<IdCount, 3> single{};
};

// How lists look like: what tells processed logprobs from raw ones.
struct ListShape {
  int64_t lists = 0, sharp = 0;    // sharp: the likeliest has 99 % and the cuts would leave it alone
  int64_t shorter = 0, sharp_shorter = 0;  // fewer tokens of some probability than were asked for
  int64_t over_top_k = 0;          // more tokens than top-k leaves, ties apart
  size_t asked = 0;                // tokens that servers were asked to list, at most; 0: no answer tells
};

struct Group {
  Request request;
  int64_t answers = 0, tokens = 0;
  ListShape shape;
  Reading raw, processed;          // those that the kind leaves possible
  SeedPairs seeds;
  // What the logprobs are, as recorded or as the lists tell.
  LogprobKind kind() const;
  LogprobKind seen() const;        // by the lists alone
  bool is_greedy() const { return raw.law.greedy; }
  const Reading& reading() const { return kind() == LogprobKind::kProcessed ? processed : raw; }
};

// What rows are counted by, the same for all groups.
struct CountRules {
  int64_t max_positions = 0;       // of each reading for the fit
  size_t max_places = 10;
};
// Where a chosen token stands: its answer, its place there, and the noise it was drawn with (temperature_fit.h).
struct TokenPlace {
  const std::string& sample;
  int64_t token = 0, answer = 0;
  uint64_t noise = 0;
};
void count_row(const ListedRow& row, const TokenPlace& place, const CountRules& rules, Reading* reading);
// Of two draws at a position: the logprob of the chosen token at most, and the chance that they are the same token.
struct DrawChance {
  double logprob, agree;
};
DrawChance draw_chance(const ListedRow& row, const Law& law);
void note_shape(const ListedRow& row, size_t asked, const Request& request, ListShape* shape);

}  // namespace vaa::sampler
