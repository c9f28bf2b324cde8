// Dumps of steps of any bytes, binary and in lines: what contradicts itself is counted, a cut file says no more than the whole one, and a report is made whatever came.
#include <cmath>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "memory_file.h"
#include "reject/reject_audit.h"
#include "reject/steps/step_dump.h"
#include "report/document.h"

using namespace vaa;

namespace {

int64_t rows_of(const RejectAudit& audit, StepAudit* steps) {
  int64_t rows = 0;
  for (const auto& group : steps->groups()) {
    VAA_MUST(group->greedy_rows <= group->rows && group->full_rows >= 0 && group->accepted <= group->draft_tokens);
    for (const PlaceCount& place : group->places) VAA_MUST(place.accepted <= place.reached && place.reached <= place.drafted);
    rows += group->rows;
  }
  const Document document = Document::parse(audit.report().json());
  for (const Document& f : document.at("reject", "findings").items()) {
    if (f["p"].there()) VAA_MUST(f["p"].number() >= 0 && f["p"].number() <= 1);
    if (f["lower"].there()) VAA_MUST(f["lower"].number() <= f["upper"].number());
  }
  return rows;
}

// Rows of the dump; -1: it is none.
int64_t read(std::string_view bytes) {
  const MemoryFile file(bytes);
  RejectAudit audit{RejectAuditOptions()};
  ByteWindow window(std::make_unique<Source>(file.path()));
  while (window.bytes().size() < 4096 && window.more()) {
  }
  if (!is_step_dump(window.bytes())) return -1;
  try {
    read_step_dump(&window, "fuzz", "", &audit.steps(), nullptr);
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT);
    return -1;
  }
  return rows_of(audit, &audit.steps());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const int64_t whole = read(bytes);
  if (whole >= 0 && bytes[0] == 'v' && size > 1) VAA_MUST(read(bytes.substr(0, size - 1)) <= whole);
  return 0;
}
