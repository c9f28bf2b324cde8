// Tally::report: the document of a checked run.
#include "base/json_writer.h"
#include "quality/tally_state.h"

namespace vaa {

Report Tally::report(const InputFacts&) const {
  const State& s = *state_;
  std::string document;
  JsonWriter json(&document);
  json.begin_object().member("schema", "vaa.report/1").member("vaa", VAA_VERSION_STRING);
  json.key("counts").begin_object().member("samples", samples()).member("failed", s.failed).member("with_output", s.with_output).end_object();
  json.end_object();
  return Report(Verdict::kNotChecked, std::move(document), {}, s.lines);
}

}  // namespace vaa
