// Names and formats of lm-eval's files that its reader and its run share (docs/formats.md).
#pragma once
#include <string>
#include <string_view>

#include "records/format.h"

namespace vaa {

// samples_<task>_<date>: the task and the date; the whole stem and "" where the name has another form.
struct LmEvalName {
  std::string task, date;
};
LmEvalName lm_eval_name(std::string_view stem);
// The "_<date>" at the end of a stem, without the underscore; "" : none.
std::string_view lm_eval_date(std::string_view stem);

// Within a run metrics are named as in its results file ("acc,none"); in a file alone the filter is left out where it is none.
extern const Format kLmEval, kLmEvalInRun;

}  // namespace vaa
