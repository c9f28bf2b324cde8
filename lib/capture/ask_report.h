// The report of an ask, a ladder, a bisection.
#pragma once
#include "base/sections.h"

namespace vaa::capture {

using AskReport = SectionReport;

}  // namespace vaa::capture
