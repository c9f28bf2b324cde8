// What ids and log-probabilities of an output show beside its text: one pass over each, shared by token_id_run, logprob_invalid, low_logprob and entropy_collapse.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

#include "records/sample.h"

namespace vaa {

class Vocab;

struct TokenStretch {
  size_t at = 0, size = 0;
};
// Places of one kind.
struct TokenSpots {
  int64_t count = 0;
  size_t first = 0;
};

struct TokenSigns {
  static constexpr size_t kWindow = 32;  // tokens of a mean

  // Ids. The longest runs of one id: of id 0 or the vocabulary's last, of tokens without bytes, of any.
  TokenStretch edge_run, blank_run, longest_run;
  TokenSpots negative, outside;  // below 0; past the vocabulary

  // Log-probabilities of the chosen tokens; nothing below is set where they are not recorded or are logits.
  bool known = false;
  bool all_zero = false;           // every one is exactly 0: processed ones of greedy decoding
  TokenSpots nan, positive, impossible;  // above kMostPositive; -inf, or -9999 and below, which stands for it
  TokenStretch sure;               // the longest stretch of tokens whose probability is above 0.99
  double lowest_mean = std::numeric_limits<double>::quiet_NaN();  // of kWindow tokens in a row; NaN: there are none
  size_t lowest_at = 0;
  TokenStretch beyond;             // the longest stretch of chosen tokens less probable than each of the others that were returned, 4 at least

  static constexpr double kMostPositive = 1e-3;  // what rounding to 16 bits leaves of 0
};

// Linear, allocates nothing.
TokenSigns read_token_signs(const Sample& sample, const Vocab* vocab);

// Whether ends are those of lists of `size` values: rising, the last one `size`.
bool list_ends_fit(const std::vector<int64_t>& ends, size_t size);

}  // namespace vaa
