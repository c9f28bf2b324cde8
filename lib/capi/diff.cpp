// include/vaa/diff.h
#include "vaa/diff.h"

#include "base/options.h"
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "tokens/prompt_difference.h"

struct vaa_diff {
  vaa::TokenDiff diff;
  std::vector<int64_t> hunks;
};

namespace vaa {
namespace {

TokenDiffOptions diff_options(std::string_view json) {
  static constexpr OptionSpec kTable[] = {
      {"window", OptionSpec::Type::kInt, 1, 65536, "", "32", "ids that must agree for a re-convergence"},
      {"lcs", OptionSpec::Type::kBool, 0, 0, "", "true", "compute the longest common subsequence too"},
  };
  const Options options(json, kTable, "vaa_diff_new");
  return {options.integer("window"), options.boolean("lcs")};
}

vaa_divergence divergence_record(const Divergence& d) {
  return {d.reference_size, d.target_size, d.first_divergence, d.prefix, d.suffix, d.levenshtein, d.lcs, d.indel, d.more_than, d.reconverge_reference, d.reconverge_target,
          d.prefix_ratio, d.normalized_levenshtein, d.normalized_indel, d.length_only, d.same_bytes};
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_diff_new(vaa_str options, const vaa_vocab* vocab, vaa_diff** out_diff, vaa_error** err) {
  return guard(err, [&] {
    given(out_diff, "out_diff");
    *out_diff = new vaa_diff{vaa::TokenDiff(vaa::diff_options(vaa::view(options)), vocab ? &vocab->vocab : nullptr), {}};
  });
}

vaa_status vaa_diff_run(vaa_diff* diff, vaa_ids reference, vaa_ids target, int64_t max_distance, vaa_divergence* out_divergence, vaa_error** err) {
  return guard(err, [&] {
    given(out_divergence, "out_divergence");
    if (max_distance < -1) vaa::fail(VAA_ERROR_ARGUMENT, "max_distance: is " + std::to_string(max_distance) + ", must be at least 0, or -1 for any");
    *out_divergence = vaa::divergence_record(given(diff, "diff")->diff.run(vaa::view(reference), vaa::view(target), max_distance));
  });
}

vaa_status vaa_diff_hunks(vaa_diff* diff, vaa_ids reference, vaa_ids target, vaa_i64s* out_hunks, vaa_error** err) {
  return guard(err, [&] {
    given(out_hunks, "out_hunks");
    std::vector<int64_t>& numbers = given(diff, "diff")->hunks;
    numbers.clear();
    for (const vaa::Hunk& h : diff->diff.hunks(vaa::view(reference), vaa::view(target))) numbers.insert(numbers.end(), {h.reference_at, h.reference_size, h.target_at, h.target_size});
    *out_hunks = {numbers.data(), numbers.size()};
  });
}

vaa_status vaa_diff_prompt(vaa_diff* diff, vaa_ids reference, vaa_ids target, vaa_prompt_difference* out_difference, vaa_error** err) {
  return guard(err, [&] {
    given(out_difference, "out_difference");
    const vaa::PromptDifference d = vaa::prompt_difference(vaa::view(reference), vaa::view(target), &given(diff, "diff")->diff);
    *out_difference = {static_cast<int32_t>(d.which), d.longer, d.hunk.reference_at, d.hunk.reference_size, d.hunk.target_at, d.hunk.target_size};
  });
}

vaa_str vaa_prompt_class_name(int32_t which) { return vaa::border(vaa::prompt_class_name(static_cast<vaa::PromptClass>(which))); }

void vaa_diff_free(vaa_diff* diff) { delete diff; }

}  // extern "C"
