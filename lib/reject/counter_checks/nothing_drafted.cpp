// Tokens are generated and none drafted, though the engine counts speculation.
#include "base/figures.h"
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

constexpr double kEnoughTokens = 1000;  // of answers: every proposer but n-gram drafts at each step

// llama.cpp's counters of speculation stand on its page without speculation, too.
bool configured(const SpecSeries& series, const CounterEvidence& evidence) {
  if (evidence.options.configured || series.kind != "llamacpp") return true;
  for (const SpecSeries& other : evidence.series)
    if (other.server == series.server && other.total.draft_tokens > 0) return true;
  return false;
}

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    const SpecCounts& total = series.total;
    const double drafted = std::isnan(total.draft_tokens) ? total.drafts : total.draft_tokens;
    if (std::isnan(drafted) && !(evidence.options.configured && total.generated > 0)) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = std::isnan(total.generated) ? 0 : total.generated;
    f.n_needed = static_cast<int64_t>(kEnoughTokens);
    if (drafted > 0) {
      f.status = FindingStatus::kPass;
      f.words = {said_count(drafted, "tokens drafted", "").en, "起草了 " + grouped(static_cast<int64_t>(drafted)) + " 个词元"};
    } else if (!configured(series, evidence)) {
      f.words = {"llama.cpp has these counters without speculation, too; --configured says that it is", "llama.cpp 未启用投机解码时也有这些计数；用 --configured 声明已启用"};
    } else if (f.n >= kEnoughTokens) {
      f.status = FindingStatus::kFail;
      f.words = {"speculation is configured and of " + said_count(f.n, "tokens", "").en + " none was drafted: it is off, or every request switches it off",
                 "已配置投机解码，但生成的 " + grouped(static_cast<int64_t>(f.n)) + " 个词元均未经起草：它没有运行，或被每个请求关闭"};
    } else {
      f.status = FindingStatus::kUndecided;
      f.words = {"nothing drafted yet, and hardly anything generated", "尚未起草，也几乎没有生成"};
    }
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kNothingDrafted;
const CounterCheck kNothingDrafted = {"nothing_drafted", "drafts at all", "是否起草", "tokens", false, run};

}  // namespace vaa
