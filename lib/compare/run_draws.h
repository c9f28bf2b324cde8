// How the tokens of a run are held against what was asked (sampler/calibration).
#pragma once
#include "records/reader.h"
#include "sampler/calibration/calibration.h"

namespace vaa {

// What the engine of a run makes of what its requests leave out: by the run's header, where that names an engine, its defaults stand where samples record nothing, and its rules where none are given.
void take_effective(const Input& input, sampler::CalibrationOptions* options);

// Of one side of a comparison: its first tokens, with tokens taken for as likely where rounding of logits may swap them. Bounded: some 30 MB.
sampler::CalibrationOptions side_calibration();

}  // namespace vaa
