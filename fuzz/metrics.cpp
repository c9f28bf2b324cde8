// Pages of any bytes: what is no metric is counted, increases are never below 0, and the same page twice counts nothing.
#include <cmath>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "must.h"
#include "records/engine_counters.h"
#include "records/json_tree.h"
#include "records/readers/prometheus.h"

using namespace vaa;

namespace {

void must_not_be_negative(const JsonTree& tree) {
  VAA_MUST(tree.kind != JsonKind::kNumber || tree.real() >= 0);
  for (const TreeMember& each : tree.members) must_not_be_negative(each.second);
}

size_t metrics_of(std::string_view page) {
  PrometheusText text(page);
  Metric metric;
  size_t count = 0;
  for (; text.next(&metric); ++count) {
    VAA_MUST(!metric.name.empty());
    for (size_t i = 0; i < metric.label_count; ++i) VAA_MUST(!metric.labels[i].name.empty() || metric.labels[i].value.size() <= page.size());
  }
  VAA_MUST(count + static_cast<size_t>(text.bad_lines()) <= page.size() + 1);
  return count;
}

bool push(EngineCounters* counters, std::string_view page, double time_s) {
  const size_t metrics = metrics_of(page);
  try {
    counters->push(page, time_s);
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT && metrics == 0);
    return false;
  }
  VAA_MUST(metrics > 0);
  return true;
}

}  // namespace

// Pages are divided by a NUL.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  EngineCounters counters;
  int64_t pushed = 0;
  double time_s = 0;
  std::string_view last;
  while (!rest.empty()) {
    const std::string_view page = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(page.size() + 1, rest.size()));
    if (push(&counters, std::string(page), ++time_s)) ++pushed, last = page;
  }
  JsonTree tree;
  VAA_MUST(parse_json_tree(counters.json(), &tree));
  VAA_MUST(member(tree, "scrapes").integer() == pushed);
  must_not_be_negative(tree);
  if (pushed < 2) return 0;
  const std::string engines = member(tree, "engines").json();
  push(&counters, last, ++time_s);
  VAA_MUST(parse_json_tree(counters.json(), &tree));
  VAA_MUST(member(tree, "engines").json() == engines);
  return 0;
}
