// Arrays of numbers: the fast ways of JsonReader through ids and log-probabilities.
#include <limits>

#include "base/json.h"
#include "base/json_numbers.h"
#include "base/json_scan.h"

namespace vaa {

// An element that does not fit: takes it and the rest of the array.
template <class Value>
bool JsonReader::bad_element(std::vector<Value>* out, size_t* bad_index) {
  if (error_) return false;
  if (bad_index) *bad_index = out->size();
  while (element()) {
    if (!skip()) return false;
  }
  return false;
}

bool JsonReader::ids(std::vector<int32_t>* out, size_t* bad_index) {
  out->clear();
  if (!array()) return false;
  while (element()) {
    // Runs of ids of up to seven digits, each followed by a comma and at most one space, without a branch on their lengths.
    while (end_ - at_ >= 16) {
      const char* p = at_ + (*at_ == ' ');
      const uint64_t word = json_scan::load_word(p);
      const uint64_t wrong = json_scan::not_digits(word);
      const int n = wrong ? __builtin_ctzll(wrong) >> 3 : 0;
      if (n == 0 || (*p == '0' && n > 1) || p[n] != ',') break;
      out->push_back(static_cast<int32_t>(json_scan::digits_value(word, n)));
      at_ = p + n + 1;
    }
    const JsonKind kind = peek();
    if (kind != JsonKind::kNumber) {
      if (kind == JsonKind::kInvalid) return fail_no_element();
      return skip() && bad_element(out, bad_index);
    }
    int64_t value = 0;
    if (!int64(&value) || value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) return bad_element(out, bad_index);
    out->push_back(static_cast<int32_t>(value));
  }
  return !error_;
}

bool JsonReader::reals(std::vector<double>* out, size_t* bad_index) {
  out->clear();
  if (!array()) return false;
  while (element()) {
    // Runs of numbers with a comma behind each; whatever else stands here is for what follows.
    for (json_numbers::Scanned scanned; json_numbers::scan_plain(at_, end_, &scanned) && scanned.end < end_ && *scanned.end == ','; scanned = {}) {
      out->push_back(json_numbers::to_double(scanned));
      at_ = scanned.end + 1;
    }
    double value = std::numeric_limits<double>::quiet_NaN();
    const JsonKind kind = peek();
    if (kind == JsonKind::kNumber) {
      if (!real(&value)) return false;
    } else if (kind == JsonKind::kNull) {
      if (!null()) return false;
    } else {
      if (kind == JsonKind::kInvalid) return fail_no_element();
      return skip() && bad_element(out, bad_index);
    }
    out->push_back(value);
  }
  return !error_;
}

}  // namespace vaa
