// How engines write of speculation in their logs. A wording is one line of the table.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "reject/spec_counts.h"

namespace vaa {

struct LogReading {
  SpecCounts counts;            // since the line before; `cumulative`: since the engine started
  bool cumulative = false;
  bool ratios = false;          // no counts: a draft token stands for the line
  double length = std::nan(""); // of ratios without a rate: tokens emitted by a verify step
  double position_error = 0;
};

struct LogWording {
  const char* kind;             // of the engine
  std::string_view mark;        // what a line of it holds
  std::string_view beside;      // … and this too ("" : nothing more)
  bool (*read)(std::string_view after, LogReading* out);  // `after` the mark's beginning; false: cut, or numbers that contradict each other
  const char* example;
};
std::span<const LogWording> log_wordings();
// The wording of a line, with *at where its mark begins; nullptr: none.
const LogWording* wording_of(std::string_view line, size_t* at);

}  // namespace vaa
