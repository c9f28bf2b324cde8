// An engine that the first pages have and the last ones do not.
#include "reject/counter_checks/counter_checks.h"

namespace vaa {
namespace {

void run(const CounterEvidence& evidence, std::vector<AuditFinding>* out) {
  for (const SpecSeries& series : evidence.series) {
    if (!series.vanished) continue;
    AuditFinding f;
    f.engine = series.label();
    f.n = static_cast<double>(series.moments);
    f.status = FindingStatus::kUndecided;
    f.words = {"is on no page after " + series.last_at + ": it stopped, or its labels changed; nothing is known of it since", series.last_at + " 之后的页面中不再出现：它已停止，或标签变了；此后情况未知"};
    out->push_back(std::move(f));
  }
}

}  // namespace

extern const CounterCheck kEngineVanished;
const CounterCheck kEngineVanished = {"engine_vanished", "on every page", "是否始终在页面中", "pages", false, run};

}  // namespace vaa
