// Which listed tokens an engine may draw: bounds that hold whatever the tokens are that a list leaves out.
#pragma once
#include <cstddef>

#include "sampler/calibration/listed_row.h"

namespace vaa::sampler {

// When the temperature is applied: before the cuts (most engines), after them (llama.cpp), or nobody knows.
enum class TemperaturePlace : uint8_t { kFirst, kLast, kUnknown };

// The law that a row's logprobs are under: p ~ exp(logprob / temperature) of what the cuts leave.
struct Law {
  double temperature = 1;      // above 0; of a greedy law 1
  bool greedy = false;
  double top_p = 1, min_p = 0;
  int64_t top_k = 0;           // 0: off
  TemperaturePlace place = TemperaturePlace::kUnknown;
  double slack = 1e-6;         // nats by which logprobs of equal tokens may differ
  double near_tie = 0;         // the same where tokens are ranked, for the likeliest one and top-k; masses are as the logprobs say
  double vocabulary = 1 << 20; // ids at most
  bool cuts() const { return greedy || top_k > 0 || top_p < 1 || min_p > 0; }
};

struct LegalBounds {
  size_t surely = 0;  // [0, surely) are legal under every tie rule, boundary rule and tail
  size_t maybe = 0;   // [maybe, size) are illegal under every one
};
LegalBounds legal_bounds(const ListedRow& row, const Law& law);

// What the tokens that are not listed weigh at most at this temperature, exp(logprob / temperature) over that of the likeliest token. The listed ones leave 1 - mass to them, and none is likelier
// than the last: below temperature 1 they weigh most where all are as likely as that one, above it where all are alike.
double most_tail_weight(const ListedRow& row, double temperature, double vocabulary);

}  // namespace vaa::sampler
