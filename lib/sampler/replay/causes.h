// What else would have picked the tokens of departed rows: the usual faults of samplers and of streams, each tried on every departed row.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sections.h"
#include "sampler/replay/row_judge.h"

namespace vaa {

struct ReplayCause {
  enum class Kind : uint8_t {
    kTemperatureIgnored, kTemperatureTwice, kArgmax, kRawArgmax, kPenaltiesLost, kPenaltiesTwice, kOutputForgotten, kPromptForgotten, kTopKMore, kTopKLess, kFiltersLost, kMinPMoved,
    kShift, kFirstNoise, kVariant, kInverted, kComplement
  };
  Kind kind;
  std::string name;       // in the document
  Both words;
  bool of_stream;         // numbers of another draw, not another sampler
  int64_t shift = 0;                       // or the index of a variant
  int64_t tried = 0, explained = 0;       // departed rows
  int64_t held = 0, contradicted = 0;      // rows that are the same, after the first departure: would they have been?
};

// Where a row stands in its sequence.
struct RowPlace {
  int64_t sequence = 0, step = 0, draw = 0, position = 0, noise_position = 0;
};

class Causes {
 public:
  // Options: of a table that has those of pipeline_options() and noise_options().
  Causes(const Pipeline& pipeline, const Options& options, const NoiseSource& source);
  void begin(std::string_view seed);
  // Tries each on a row that departed, or on one that did not and that a cause must leave alone.
  void look(bool departed, const JudgeInput& input, const RowPlace& place, RowJudge* judge, NoiseSource* source);

  const std::vector<ReplayCause>& all() const { return causes_; }
  // That explains the most, if it is most of what was tried and enough of it, and leaves the other rows alone.
  const ReplayCause* found() const;

 private:
  void add(ReplayCause::Kind kind, const char* name, Both words, bool of_stream = false, int64_t shift = 0) { causes_.push_back({kind, name, std::move(words), of_stream, shift}); }
  void add_of_parameters();
  void add_of_streams(const NoiseSource& source, const Options& options);
  // The token by this cause; -1: not known.
  int32_t token(const ReplayCause& cause, const JudgeInput& input, const RowPlace& place, RowJudge* judge, NoiseSource* source);
  Params changed(ReplayCause::Kind kind) const;

  const Pipeline& pipeline_;
  std::optional<Pipeline> min_p_moved_;
  std::vector<ReplayCause> causes_;
  std::vector<std::string> variants_;
  std::vector<NoiseSource> variant_sources_;
  NoiseRow made_;
};

}  // namespace vaa
