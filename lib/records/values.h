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
  // nested: the array or object stands within another one, so that something follows its end.
  ValueReader(ByteWindow* window, Mode mode, int64_t max_value, bool nested = false) : window_(window), mode_(mode), max_value_(max_value), nested_(nested) {}

  // False: the end, or a fault.
  bool next(JsonPiece* piece);
  // The same in two steps, so that a value can be entered by a nested reader instead: next_value() stands before the value (kMembers: behind its key).
  bool next_value(JsonPiece* piece);
  bool read_value(JsonPiece* piece);
  char first_byte() const { return window_->bytes()[0]; }  // of the value after next_value()
  const std::string& fault() const { return fault_; }  // "" or what is wrong between the values, or that the text ends inside one
  int64_t line() const { return line_; }

 private:
  bool skip_white();      // false: the end of the text
  bool begin();           // the bracket of kElements and kMembers
  bool separator(bool* closed);
  bool read_key(JsonPiece* piece);
  bool stop(std::string why);
  void take(size_t n);
  ByteWindow* window_;
  Mode mode_;
  int64_t max_value_;
  int64_t number_ = 0, line_ = 1;
  bool nested_;
  bool begun_ = false, ended_ = false;
  std::string key_, fault_;
};

}  // namespace vaa
