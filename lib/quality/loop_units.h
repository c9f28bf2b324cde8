// What the unit of a repetition is made of.
#pragma once
#include <cstddef>
#include <string_view>

namespace vaa {

// The nature of a repeated unit.
struct LoopUnit {
  bool words = false;      // letters, emoji or U+FFFD: not a rule, a table of numbers, a dump
  bool weak = false;       // words of one letter only ("AAAA", "ff ff") or lists of one constant ("NULL, "): art, base64, dumps and code look so
  bool data = false;       // a record ({"a": 1}) or a row of separated values without blanks (true,false): what tables and dumps repeat
  bool code = false;       // lines of a program ("\tMOVL (SI), CX\n") or lists of one constant
  bool pattern = false;    // no words, but numbers, white space, or one sign that lines are drawn with
  bool brief = false;      // one word of at most three letters ("na na"): a refrain, a laugh
  size_t squeezed = 0;     // bytes when each stretch of white space counts as one
};
LoopUnit read_unit(std::string_view unit);

}  // namespace vaa
