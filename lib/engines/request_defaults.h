// What an engine does with what a request leaves out: data of lib/engines/defaults, one file an engine, and a user's own of the same form.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine_data.h"

namespace vaa {

// A value as an engine holds it: a number, or words such as "rest of the context". Empty: not known.
struct Setting {
  std::string text;
  bool known() const { return !text.empty(); }
  bool operator==(const Setting&) const = default;
};
using Settings = std::map<std::string, Setting, std::less<>>;

// How generation_config.json is read.
struct FileRule {
  bool read = false;
  std::string flag;                  // the launch flag that says which file; "" : always that of the model
  std::vector<std::string> off;      // its values that leave the file out
  std::vector<std::string> entries;  // entry points that read it; empty: all
  std::vector<std::string> takes;    // members that are taken
  // What becomes of members that hold what transformers 4.x has as its default, or are missing: dropped (as if they were not there), absent (as the file has it), unknown (its
  // values come along in some versions).
  std::string hf_defaults = "absent";
  std::string do_sample = "ignored"; // do_sample false: ignored, greedy, unknown
  std::string override_flag;         // a launch flag whose JSON object beats the file
};

struct RequestDefaults {
  std::string name, title, source;
  std::string profile;                           // of lib/engines/data; "" : none
  std::vector<std::string> programs;             // what a launch line runs
  std::map<std::string, Settings, std::less<>> entries;
  FileRule file;
  std::map<std::string, std::string, std::less<>> flags;  // launch flag: field
  Settings facts;                                // of the server, whatever a request says
  std::vector<std::string> seeds_of_none, no_limit;  // values that mean none
  double temperature_floor = 0;                  // temperatures above 0 and below this are raised to it
  double top_k_off_from = 0;                     // a top_k from here on is off; 0: there is none
  std::string greedy;                            // temperature_zero, temperature_at_most_zero, temperature_below, do_sample, unset_or_top_k_one
  double greedy_below = 0;
};

// By name, or by a JSON object of the same members ("like" names one to begin with). Failures name what is known.
RequestDefaults request_defaults(std::string_view engine);
// The engine whose program that is; "" : none.
std::string engine_of_program(std::string_view program);

}  // namespace vaa
