#include "base/json.h"

#include <limits>

#include "base/json_numbers.h"
#include "base/json_scan.h"

namespace vaa {

namespace {

constexpr const char* kEnds = "the text ends inside the document";
constexpr const char* kNoValue = "expected a value";
constexpr const char* kLastComma = "a comma before the closing bracket";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Bytes that would run on a number or a word that has ended: what follows is neither white space nor a mark of the grammar.
bool runs_on(char c) { return json_scan::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' || c == '-' || c == '_'; }

}  // namespace

const char* json_kind_name(JsonKind kind) {
  switch (kind) {
    case JsonKind::kObject: return "an object";
    case JsonKind::kArray: return "an array";
    case JsonKind::kString: return "text";
    case JsonKind::kNumber: return "a number";
    case JsonKind::kBool: return "true or false";
    case JsonKind::kNull: return "null";
    case JsonKind::kInvalid: break;
  }
  return "no value";
}

JsonReader::JsonReader(std::string_view document, Mode mode) : mode_(mode) { reset(document); }

void JsonReader::reset(std::string_view document) {
  // A view of size 0 may have any pointer.
  begin_ = document.empty() ? "" : document.data();
  at_ = begin_;
  end_ = begin_ + document.size();
  error_ = nullptr;
  error_at_ = 0;
  first_ = false;
  depth_ = 0;
  oddities_ = {};
}

// The first fault stays. at_ goes to the end, so that whatever is called next finds nothing more.
bool JsonReader::fail(const char* error, const char* at) {
  if (!error_) {
    error_ = error;
    error_at_ = static_cast<size_t>(at - begin_);
  }
  at_ = end_;
  depth_ = 0;
  return false;
}

// What stands at at_ is not what the caller asked for: says that the document is at its end, or that no value stands there, where that is so.
bool JsonReader::fail_expected(const char* error) {
  if (at_ == end_) return fail(depth_ > 0 ? kEnds : "the text ends before a value", at_);
  return fail(peek() == JsonKind::kInvalid ? kNoValue : error, at_);
}

inline void JsonReader::skip_space() {
  while (at_ < end_ && is_space(*at_)) ++at_;
}

inline bool JsonReader::inside(bool is_object) const {
  if (depth_ == 0) return false;
  const auto top = static_cast<size_t>(depth_ - 1);
  return (objects_[top / 64] >> (top % 64) & 1) == static_cast<uint64_t>(is_object);
}

JsonKind JsonReader::peek() {
  skip_space();
  if (at_ == end_) return JsonKind::kInvalid;
  switch (*at_) {
    case '{': return JsonKind::kObject;
    case '[': return JsonKind::kArray;
    case '"': return JsonKind::kString;
    case 't': case 'f': return JsonKind::kBool;
    case 'n': return JsonKind::kNull;
    case 'N': case 'I': return mode_ == Mode::kTolerant ? JsonKind::kNumber : JsonKind::kInvalid;
    default: return *at_ == '-' || json_scan::is_digit(*at_) ? JsonKind::kNumber : JsonKind::kInvalid;
  }
}

// ---- containers

inline bool JsonReader::enter(bool is_object) {
  if (depth_ == kMaxDepth) return fail("nested deeper than 1024", at_);
  const auto top = static_cast<size_t>(depth_++);
  const uint64_t bit = uint64_t{1} << (top % 64);
  objects_[top / 64] = is_object ? objects_[top / 64] | bit : objects_[top / 64] & ~bit;
  first_ = true;
  ++at_;
  return true;
}

inline bool JsonReader::leave() {
  --depth_;
  first_ = false;
  ++at_;
  return false;
}

bool JsonReader::object() {
  skip_space();
  if (at_ == end_ || *at_ != '{') return fail_expected("expected an object");
  return enter(true);
}

bool JsonReader::array() {
  skip_space();
  if (at_ == end_ || *at_ != '[') return fail_expected("expected an array");
  return enter(false);
}

inline bool JsonReader::next_item(char close, const char* expected) {
  skip_space();
  if (at_ == end_) return fail(kEnds, at_);
  if (*at_ == close) return leave();
  if (first_) {
    first_ = false;
    return true;
  }
  if (*at_ != ',') return fail(expected, at_);
  ++at_;
  skip_space();
  if (at_ == end_) return fail(kEnds, at_);
  if (*at_ == close) return fail(kLastComma, at_);
  return true;
}

bool JsonReader::key(std::string_view* out_key) {
  if (!inside(true)) return fail("a key outside an object", at_);
  if (!next_item('}', "expected a comma or a closing brace")) return false;
  if (*at_ != '"') return fail("expected a key in quotation marks", at_);
  ++at_;
  if (!text<true>(out_key)) return false;
  skip_space();
  if (at_ == end_) return fail(kEnds, at_);
  if (*at_ != ':') return fail("expected a colon behind the key", at_);
  ++at_;
  return true;
}

bool JsonReader::element() {
  if (!inside(false)) return fail("an element outside an array", at_);
  return next_item(']', "expected a comma or a closing bracket");
}

bool JsonReader::finish() {
  if (error_) return false;
  if (depth_ > 0) return fail(kEnds, at_);
  skip_space();
  return at_ == end_ || fail("text behind the document", at_);
}

// ---- text: json_text.cpp has what is not in the fast path

template <bool kKeep>
inline bool JsonReader::text(std::string_view* out) {
  bool invalid = false;
  const char* p = json_scan::scan_text(at_, end_, &invalid);
  if (p == end_ || *p != '"' || invalid) return text_slowly<kKeep>(p, invalid, out);
  if (kKeep) *out = {at_, static_cast<size_t>(p - at_)};
  at_ = p + 1;
  return true;
}

bool JsonReader::string(std::string_view* out) {
  skip_space();
  if (at_ == end_ || *at_ != '"') return fail_expected("expected text");
  ++at_;
  return text<true>(out);
}

bool JsonReader::string(std::string* out) {
  std::string_view view;
  if (!string(&view)) return false;
  out->assign(view);
  return true;
}

// ---- words and numbers

inline bool JsonReader::word(const char* literal, size_t size) {
  const auto left = static_cast<size_t>(end_ - at_);
  size_t same = 0;
  while (same < size && same < left && at_[same] == literal[same]) ++same;
  if (same < size) return same == left ? fail(kEnds, end_) : fail("a word that is none of true, false and null", at_);
  if (size < left && runs_on(at_[size])) return fail("a word that is none of true, false and null", at_);
  at_ += size;
  return true;
}

bool JsonReader::boolean(bool* out) {
  skip_space();
  if (at_ == end_ || (*at_ != 't' && *at_ != 'f')) return fail_expected("expected true or false");
  const bool value = *at_ == 't';
  if (!(value ? word("true", 4) : word("false", 5))) return false;
  *out = value;
  return true;
}

bool JsonReader::null() {
  skip_space();
  if (at_ == end_ || *at_ != 'n') return fail_expected("expected null");
  return word("null", 4);
}

inline bool JsonReader::number_done(const char* p) {
  if (p < end_ && runs_on(*p)) return fail("a byte that does not belong to the number before it", p);
  at_ = p;
  return true;
}

// At '-' or a digit.
bool JsonReader::scan_number(json_numbers::Scanned* out) {
  const char* wrong = nullptr;
  if (const char* error = json_numbers::scan(at_, end_, out, &wrong)) return fail(error, wrong);
  return number_done(out->end);
}

// At 'N', 'I' or '-' before 'I': the three words that Python's json writes.
bool JsonReader::special_number(double* out) {
  const bool negative = *at_ == '-';
  const char* literal = *at_ == 'N' ? "NaN" : "Infinity";
  const char* from = at_;
  if (mode_ == Mode::kStrict) return fail("NaN and Infinity are no JSON", from);
  at_ += negative;
  if (!word(literal, *literal == 'N' ? 3 : 8)) return false;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (out) *out = *literal == 'N' ? std::numeric_limits<double>::quiet_NaN() : negative ? -kInfinity : kInfinity;
  return true;
}

namespace {
bool is_special(const char* p, const char* end) { return *p == 'N' || *p == 'I' || (*p == '-' && p + 1 < end && p[1] == 'I'); }
}  // namespace

bool JsonReader::number(std::string_view* out) {
  if (peek() != JsonKind::kNumber) return fail_expected("expected a number");
  const char* from = at_;
  json_numbers::Scanned scanned;
  if (!(is_special(at_, end_) ? special_number(nullptr) : scan_number(&scanned))) return false;
  *out = {from, static_cast<size_t>(at_ - from)};
  return true;
}

// A number before a comma or the end of a container: nearly all of them. Nothing is taken where it is another.
VAA_JSON_INLINE bool JsonReader::usual_number(json_numbers::Scanned* out) {
  if (!json_numbers::scan_plain(at_, end_, out) || out->end == end_ || (*out->end != ',' && *out->end != ']' && *out->end != '}')) return false;
  at_ = out->end;
  return true;
}

bool JsonReader::int64(int64_t* out) {
  json_numbers::Scanned usual;
  if (usual_number(&usual)) return json_numbers::to_int64(usual, out);
  if (peek() != JsonKind::kNumber) return fail_expected("expected a number");
  if (is_special(at_, end_)) return special_number(nullptr) && false;
  json_numbers::Scanned scanned;
  return scan_number(&scanned) && json_numbers::to_int64(scanned, out);
}

bool JsonReader::real(double* out) {
  json_numbers::Scanned usual;
  if (usual_number(&usual)) {
    *out = json_numbers::to_double(usual);
    return true;
  }
  if (peek() != JsonKind::kNumber) return fail_expected("expected a number");
  if (is_special(at_, end_)) return special_number(out);
  json_numbers::Scanned scanned;
  if (!scan_number(&scanned)) return false;
  *out = json_numbers::to_double(scanned);
  return true;
}

// Behind a comma that a run took.
bool JsonReader::fail_no_element() { return at_ < end_ && *at_ == ']' ? fail(kLastComma, at_) : fail_expected(kNoValue); }

// ---- skipping

// Behind an element of an array: takes the commas and numbers that follow, as long as a comma or the end of the array follows them.
inline void JsonReader::skip_numbers() {
  while (at_ < end_ && *at_ == ',') {
    const char* comma = at_++;
    json_numbers::Scanned scanned;
    if (!json_numbers::scan_plain(at_, end_, &scanned) || scanned.end == end_ || (*scanned.end != ',' && *scanned.end != ']')) {
      at_ = comma;
      return;
    }
    at_ = scanned.end;
  }
}

// One value or the beginning of one at a time, until no more than `floor` containers are open.
bool JsonReader::skip_to(int floor) {
  do {
    switch (peek()) {
      case JsonKind::kObject: if (!enter(true)) return false; break;
      case JsonKind::kArray: if (!enter(false)) return false; break;
      case JsonKind::kString:
        ++at_;
        if (!text<false>(nullptr)) return false;
        break;
      case JsonKind::kNumber: {
        json_numbers::Scanned scanned;
        if (!(is_special(at_, end_) ? special_number(nullptr) : scan_number(&scanned))) return false;
        if (depth_ > floor && inside(false)) skip_numbers();
        break;
      }
      case JsonKind::kBool:
        if (!(*at_ == 't' ? word("true", 4) : word("false", 5))) return false;
        break;
      case JsonKind::kNull:
        if (!word("null", 4)) return false;
        break;
      case JsonKind::kInvalid: return fail_expected(kNoValue);
    }
    // Leaves what ends here; stops before the next value.
    while (depth_ > floor) {
      std::string_view ignored;
      if (inside(true) ? key(&ignored) : element()) break;
      if (error_) return false;
    }
  } while (depth_ > floor);
  return true;
}

bool JsonReader::skip() { return skip_to(depth_); }

bool JsonReader::raw(std::string_view* out) {
  peek();
  const char* from = at_;
  if (!skip()) return false;
  *out = {from, static_cast<size_t>(at_ - from)};
  return true;
}

}  // namespace vaa
