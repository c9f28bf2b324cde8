// What a measured symptom points to: where to look first and the run that would tell. An association, not a cause.
#pragma once
#include <span>
#include <string_view>

#include "base/sections.h"

namespace vaa {

struct Symptom {
  const char* name;
  Both seen;    // what was measured
  Both layer;   // look first at
  Both next;    // the run that tells one cause from another
};
std::span<const Symptom> symptom_table();
const Symptom* find_symptom(std::string_view name);  // nullptr: none

}  // namespace vaa
