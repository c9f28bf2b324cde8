// Characters (as utf8_count has them) of a text that comes in pieces, cut anywhere.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

class CharacterCount {
 public:
  void add(std::string_view piece);
  void reset();
  int64_t whole() const { return whole_; }                 // without the last one, where more bytes may belong to it
  size_t pending() const { return pending_.size(); }       // bytes of that one, 0 to 3
  int64_t all() const;                                     // as if the text ended here

 private:
  int64_t whole_ = 0;
  std::string pending_;  // short enough to need no memory
};

}  // namespace vaa
