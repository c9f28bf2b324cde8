#include "capture/flag_judge.h"

#include <string_view>
#include <vector>

#include "base/nearest_name.h"

namespace vaa::capture {
namespace {

constexpr int64_t kRenew = 4096;  // a tally keeps what its report would need; none is made here

int32_t flag_number(const std::string& flag) {
  std::vector<std::string_view> names;
  for (int32_t i = 0; i < vaa_flag_count(); ++i) {
    names.push_back(view(vaa_flag_name(i)));
    if (names.back() == flag) return i;
  }
  std::string known;
  for (const std::string_view name : names) known += ", " + std::string(name);
  const std::string_view near = nearest_name(flag, names);
  fail(VAA_ERROR_OPTION, "flag: " + quoted(flag) + " is no flag" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?") + "; known: any" + known);
}

}  // namespace

FlagJudge::FlagJudge(const std::string& flag) : flag_(flag == "any" ? -1 : flag_number(flag)) {
  vaa_checker* checker = nullptr;
  must([&](vaa_error** err) { return vaa_checker_new(vaa_str{"", 0}, nullptr, &checker, err); });
  checker_.reset(checker);
}

bool FlagJudge::has(const vaa_sample* sample) {
  if (pushed_++ % kRenew == 0) {
    vaa_tally* tally = nullptr;
    must([&](vaa_error** err) { return vaa_tally_new(checker_.get(), border(std::string_view(R"({"max_rows": 0})")), &tally, err); });
    tally_.reset(tally);
  }
  vaa_findings findings{};
  must([&](vaa_error** err) { return vaa_tally_push(tally_.get(), sample, &findings, err); });
  for (size_t i = 0; i < findings.size; ++i) {
    if (flag_ < 0 ? findings.data[i].severity == VAA_FAIL : findings.data[i].flag == flag_) return true;
  }
  return false;
}

}  // namespace vaa::capture
