// A pull reader for JSON that keeps what a report must not lose: number text (seeds of 2^64), NUL, invalid UTF-8, lone surrogates (an escaped one as its three
// bytes ED A0..BF xx). It rejects every malformed byte of a document, also of values that are skipped. Linear time, no allocation but a scratch buffer.
// Nothing here throws on bad input: the first malformed byte puts the reader into a failed state, in which every call answers "no more".
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

namespace json_numbers {
struct Scanned;
}

enum class JsonKind : uint8_t { kInvalid, kObject, kArray, kString, kNumber, kBool, kNull };
// "an object", "text", … for messages.
const char* json_kind_name(JsonKind kind);

// What a record may hold and a report must say. Counted in strings that were read or skipped.
struct JsonOddities {
  int64_t nul = 0;             // U+0000, escaped or raw
  int64_t invalid_utf8 = 0;    // bytes that belong to no valid UTF-8 sequence (RFC 3629), kept as they are; a raw ED A0..BF xx counts three
  int64_t lone_surrogates = 0; // escaped ones, kept as three bytes
};

class JsonReader {
 public:
  // kTolerant (records): NaN, Infinity, -Infinity are numbers; invalid UTF-8, a raw NUL and escaped lone surrogates inside strings are kept and counted.
  // kStrict (options): RFC 8259 and valid UTF-8 only; an escaped lone surrogate is refused too.
  // Both refuse the other raw control characters inside strings. A byte order mark is no JSON: it is the caller's matter.
  enum class Mode : uint8_t { kTolerant, kStrict };
  static constexpr int kMaxDepth = 1024;  // of open containers

  explicit JsonReader(std::string_view document, Mode mode = Mode::kTolerant);
  void reset(std::string_view document);  // same mode; keeps scratch memory

  JsonKind peek();  // of the next value; kInvalid when failed, or where no value can stand

  // Containers: enter with object()/array() when peek() says so; then loop while (key(&k)) { one value } / while (element()) { one value }.
  // The loop's last call leaves the container. A value that is not read must be skipped by the caller (skip()). A key that is given twice comes twice.
  // Reading a value of another kind than the one that stands there fails the reader ("expected text").
  bool object();
  bool key(std::string_view* out_key);  // valid until the next call
  bool array();
  bool element();

  bool string(std::string_view* out);   // zero-copy where nothing is escaped; valid until the next call
  bool string(std::string* out);        // assigned, keeps capacity
  bool number(std::string_view* out);   // its text, such as "1e-3", "NaN"; valid as long as the document
  bool boolean(bool* out);
  bool null();
  bool skip();                          // any value, validated
  bool raw(std::string_view* out);      // any value, validated: its bytes; valid as long as the document

  // Numbers by type. False without failing the reader when the text does not fit (int64: no fraction, in range); the value has then been consumed.
  bool int64(int64_t* out);
  bool real(double* out);               // nearest double; NaN and ±inf as written; 1e999 is inf
  // Arrays of numbers: replaces *out. False without failing the reader when an element has another kind or does not fit; the array has then been
  // consumed and *bad_index holds the first such element. null elements: NaN in reals, refused in ids.
  bool ids(std::vector<int32_t>* out, size_t* bad_index);
  bool reals(std::vector<double>* out, size_t* bad_index);

  bool finish();                        // true: only white space is left and nothing failed
  bool failed() const { return error_ != nullptr; }
  const char* error() const { return error_ ? error_ : ""; }
  size_t error_at() const { return error_at_; }  // byte offset of what is wrong; the document's size where it ends too early
  const JsonOddities& oddities() const { return oddities_; }
  size_t position() const { return static_cast<size_t>(at_ - begin_); }  // the document's size after a failure

 private:
  bool fail(const char* error, const char* at);
  bool fail_expected(const char* error);
  bool enter(bool is_object);
  bool leave();
  bool inside(bool is_object) const;
  // What stands between two members or elements; false at `close` (which was taken) or after a failure.
  bool next_item(char close, const char* expected);
  void skip_space();
  template <bool kKeep>
  bool text(std::string_view* out);
  template <bool kKeep>
  bool text_slowly(const char* p, bool invalid, std::string_view* out);
  template <bool kKeep>
  const char* escapes(const char* p, char** copy);
  const char* copy_ascii(const char* p, char** copy);
  char* make_room(char* copy, size_t bytes);
  bool note_text(const char* from, const char* p, bool invalid);
  bool word(const char* literal, size_t size);
  bool scan_number(json_numbers::Scanned* out);
  bool special_number(double* out);
  bool number_done(const char* p);
  bool usual_number(json_numbers::Scanned* out);
  void skip_numbers();
  bool fail_no_element();
  bool skip_to(int floor);
  template <class Value>
  bool bad_element(std::vector<Value>* out, size_t* bad_index);

  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* error_ = nullptr;
  size_t error_at_ = 0;
  Mode mode_;
  bool first_ = false;  // no member or element of the innermost container was read yet
  int depth_ = 0;       // open containers
  std::array<uint64_t, kMaxDepth / 64> objects_{};  // one bit for each: an object
  std::string scratch_;  // text with its escapes taken; only grows
  JsonOddities oddities_;
};

}  // namespace vaa
