// The values of a JSON text that need not fit into memory, one at a time: documents one after another, the elements of one array, the members of one object. Where a
// value ends is found by its brackets and strings; whether it is well formed is for its parser to say. Memory: one value, up to max_value.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "records/source.h"

namespace vaa {

struct JsonPiece {
  std::string_view key;    // of a member: as it stands between its quotation marks, escapes included; valid until the next call
  std::string_view bytes;  // valid until the next call
  int64_t number = 0;      // place among the values, from 1
  int64_t line = 0;        // where it begins, from 1
  int64_t offset = 0;      // in the text, of the value
  bool too_long = false;   // over max_value: bytes is empty
};

class ValueReader {
 public:
  enum class Mode : uint8_t { kDocuments, kElements, kMembers };
  ValueReader(ByteWindow* window, Mode mode, int64_t max_value) : window_(window), mode_(mode), max_value_(max_value) {}

  // False: the end, or a fault.
  bool next(JsonPiece* piece);
  const std::string& fault() const { return fault_; }  // "" or what is wrong between the values, or that the text ends inside one
  int64_t line() const { return line_; }

 private:
  bool skip_white();      // false: the end of the text
  bool begin();           // the bracket of kElements and kMembers
  bool separator(bool* closed);
  bool read_key(JsonPiece* piece);
  bool read_value(JsonPiece* piece);
  bool stop(std::string why);
  void take(size_t n);
  ByteWindow* window_;
  Mode mode_;
  int64_t max_value_;
  int64_t number_ = 0, line_ = 1;
  bool begun_ = false, ended_ = false;
  std::string key_, fault_;
};

}  // namespace vaa
