// What a fault of rejection sampling does to the laws of a step: one file here that defines a BugLaw, and one line in bug_law_table.cpp. sampling.md §4 has the faults and where they were.
#pragma once
#include <span>
#include <string_view>

#include "reject/steps/step_row.h"

namespace vaa {

// A row as a law sees it. Numbers of the drafts: p, q (1 of drafts that have no law), the chance that the right rule accepts them; argmax is empty where it is not recorded.
struct LawView {
  bool one_hot = false;            // drafts have no law
  double temperature = 1;
  std::span<const int32_t> drafts, argmax;
  std::span<const double> p, q, accept;
  const FullRows* full = nullptr;  // there where BugLaw::rows says so
};

// Null functions: as the right rule has it; all null: steps depend on each other (LawRatios knows how). Laws are written into `out` (one number an id, sum 1); false and NaN: the fault does not show in such a row.
struct BugLaw {
  const char* id;                  // of sampling.json; "" : none
  const char* name;
  const char* en;
  const char* zh;
  const char* references;
  bool rows;                       // all its functions need whole rows
  bool lossless;                   // the law of tokens stays right, the acceptance rate does not
  double (*accept)(const LawView& view, size_t at);                           // chance that the draft is accepted when it is reached
  bool (*recovered)(const LawView& view, size_t at, std::span<double> out);   // the token in place of the rejected draft; needs rows
  bool (*drafted)(const LawView& view, size_t at, std::span<double> out);     // the draft itself; needs rows
  bool (*bonus)(const LawView& view, std::span<double> out);                  // the token after the last draft; needs rows
  double (*accepted)(const LawView& view, size_t count);                      // chance that `count` drafts are accepted, where they are not judged one by one
};
std::span<const BugLaw* const> bug_law_table();
// nullptr: none of that name or id.
const BugLaw* find_bug_law(std::string_view name);

bool only(size_t token, std::span<double> out);  // all mass on one token

}  // namespace vaa
