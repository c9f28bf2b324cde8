// Would two setups sample alike: their effective parameters side by side, the differences that matter and why.
#pragma once
#include <string_view>
#include <vector>

#include "align/effective.h"
#include "report/report.h"

namespace vaa {

// Stages of samplers are the sampler's to know; they are only named here.
struct AlignInputs {
  Setup reference, target;
};
// kind "align": pass where no difference matters, fail where one does, undecided where a value that could matter is not known.
Report align(const AlignInputs& inputs);
std::string effective_json(const Effective& effective);

}  // namespace vaa
