#include "quality/tally.h"

#include <algorithm>
#include <limits>

#include "base/failure.h"
#include "base/text_hash.h"
#include "quality/excerpt.h"
#include "quality/tally_counts.h"
#include "quality/tally_state.h"
#include "quality/without_text.h"

namespace vaa {
namespace {

constexpr size_t kMaxLinesBytes = size_t{256} << 20;

int32_t capped(int64_t n) { return static_cast<int32_t>(std::clamp<int64_t>(n, -1, std::numeric_limits<int32_t>::max())); }

}  // namespace

uint64_t hash_names(std::string_view first, std::string_view second) { return hash_bytes(hash_bytes(0x76616131, first), second); }

Tally::State::State(const Checker& c, TallyOptions o) : checker(c), options(std::move(o)), gates(parse_gates(options)), place_bits(PlaceBits::of(detector_table())), trail(options.text) {
  const auto table = detector_table();
  flags.resize(table.size());
  for (size_t i = 0; i < table.size(); ++i) {
    row_severity.push_back(table[i]->severity);
    if (checker.enabled(static_cast<int>(i))) enabled |= uint64_t{1} << i;
  }
}

Tally::Tally(const Checker& checker, TallyOptions options) : state_(std::make_unique<State>(checker, std::move(options))) {
  for (const RateGate& gate : state_->gates.fail_on) {
    const int flag = find_flag(gate.flag);
    if (flag >= 0 && !checker.enabled(flag)) fail(VAA_ERROR_OPTION, "fail_on: " + gate.flag + " is switched off by the checker's option flags");
  }
}
Tally::~Tally() = default;
Tally::Tally(Tally&&) noexcept = default;
int64_t Tally::samples() const { return static_cast<int64_t>(state_->kept.size()); }

void Tally::set_baseline(const Tally* baseline, std::string name) {
  state_->baseline = baseline;
  state_->baseline_name = state_->options.text ? std::move(name) : std::string(base_name(name));
}

void Tally::add(const Sample& sample, const Judgement& judgement) {
  State& s = *state_;
  const auto order = static_cast<int64_t>(s.kept.size());
  KeptSample kept{};
  kept.counted = counted_flags(judgement, s.row_severity) & s.enabled;
  kept.testable = s.enabled & ~judgement.unknown;
  kept.tokens = capped(judgement.output_tokens);
  kept.chars = capped(judgement.output_chars);
  kept.repeat = capped(sample.integer(IntField::kRepeat, 0));
  kept.bits = score_bits(sample, &kept.value);
  const bool has_id = sample.has(TextField::kId);
  const bool broken = fails_for_certain(judgement);
  if (sample.failed()) kept.bits |= KeptSample::kFailed;
  if (sample.has_output()) kept.bits |= KeptSample::kOutput;
  if (broken) kept.bits |= KeptSample::kBroken;
  if (!has_id) kept.bits |= KeptSample::kNoId;
  kept.question = has_id ? hash_names(sample.text(TextField::kDataset), sample.text(TextField::kId)) : mixed(static_cast<uint64_t>(order) + 1);
  kept.dataset = s.dataset_index(sample.text(TextField::kDataset));
  const AccountPlace place = place_of(sample, judgement, s.place_bits);
  kept.place = static_cast<uint8_t>(place);
  s.kept.push(kept);
  s.trail.add(sample, judgement);

  DatasetTally& dataset = s.datasets[kept.dataset];
  count_flags(&s.flags, s.enabled, judgement, kept.counted);
  count_flags(&dataset.flags, s.enabled, judgement, kept.counted);
  Account& account = kept.is(KeptSample::kRight) ? dataset.right : kept.is(KeptSample::kWrong) ? dataset.wrong : dataset.open;
  count_place(&account, place, judgement, s.place_bits, s.enabled, broken);
  dataset.samples += 1;
  s.count_facts(sample, judgement, kept, &dataset);

  s.show(sample, judgement, order);
  if (s.rows < s.options.max_rows && s.lines.size() < kMaxLinesBytes) {
    append_sample_line(&s.lines, sample, judgement, s.checker, s.options.text);
    s.lines += '\n';
    s.rows += 1;
  }
}

}  // namespace vaa
