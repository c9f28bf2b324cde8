// What `vaa explain` tells, from the rows of the tables that the checks themselves run by.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quality/detector.h"

namespace vaa {

struct Explained {
  const char* name;
  const char* kind;      // flag (of a sample), run (a check of a whole run)
  const char* severity;  // fail, warn, info; of a check of a run ""
  double ceiling;
  Words title, summary;
  const Explanation* explanation;
};
std::vector<Explained> explained_rows();  // flags, then checks of a run

// In one language: a JSON object with name, kind, severity (null: of a check of a run), ceiling, title, summary, rule, calibration, traps, causes, next; of no name the list of all.
// An unknown name is a Failure (VAA_ERROR_NOT_FOUND) that names the nearest.
std::string explanation_json(std::string_view name, bool chinese);

}  // namespace vaa
