#include "records/values.h"

#include <algorithm>
#include <cstring>

namespace vaa {
namespace {

bool is_white(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Follows brackets and strings through a value, piece by piece.
class ValueEnd {
 public:
  // Looks at bytes[from…]; the index behind the value, or npos where it goes on.
  size_t find(std::string_view bytes, size_t from) {
    size_t i = from;
    while (i < bytes.size()) {
      if (in_string_) {
        i = skip_string(bytes, i);
        if (!in_string_ && depth_ == 0) return i;
        continue;
      }
      const char c = bytes[i];
      if (c == '"') {
        if (scalar_) return i;
        in_string_ = true;
      } else if (c == '{' || c == '[') {
        if (scalar_) return i;
        ++depth_;
      } else if (c == '}' || c == ']') {
        if (depth_ == 0) return i;
        if (--depth_ == 0) return i + 1;
      } else if (depth_ == 0) {
        if (is_white(c) || c == ',') return i;
        scalar_ = true;
      }
      ++i;
    }
    return std::string_view::npos;
  }
  bool scalar() const { return scalar_; }  // a number or word: it may end with the text

 private:
  size_t skip_string(std::string_view bytes, size_t i) {
    if (escaped_) {
      escaped_ = false;
      ++i;
    }
    while (i < bytes.size()) {
      const auto* quote = static_cast<const char*>(std::memchr(bytes.data() + i, '"', bytes.size() - i));
      const size_t end = quote ? static_cast<size_t>(quote - bytes.data()) : bytes.size();
      // Up to that mark: one that a backslash hides is not the end.
      while (i < end) {
        const auto* slash = static_cast<const char*>(std::memchr(bytes.data() + i, '\\', end - i));
        if (!slash) {
          i = end;
          break;
        }
        i = static_cast<size_t>(slash - bytes.data()) + 2;
      }
      if (i > bytes.size()) {
        escaped_ = true;
        return bytes.size();
      }
      if (i == end && quote) {
        in_string_ = false;
        return end + 1;
      }
    }
    return i;
  }
  int64_t depth_ = 0;
  bool in_string_ = false, escaped_ = false, scalar_ = false;
};

}  // namespace

bool ValueReader::stop(std::string why) {
  fault_ = std::move(why);
  ended_ = true;
  return false;
}

void ValueReader::take(size_t n) {
  const std::string_view bytes = window_->bytes().substr(0, n);
  line_ += std::count(bytes.begin(), bytes.end(), '\n');
  window_->take(n);
}

bool ValueReader::skip_white() {
  for (;;) {
    const std::string_view bytes = window_->bytes();
    size_t n = 0;
    while (n < bytes.size() && is_white(bytes[n])) ++n;
    const bool found = n < bytes.size();
    take(n);
    if (found) return true;
    if (!window_->more()) return false;
  }
}

bool ValueReader::begin() {
  begun_ = true;
  if (mode_ == Mode::kDocuments) return true;
  const char open = mode_ == Mode::kElements ? '[' : '{';
  if (!skip_white() || window_->bytes()[0] != open) return stop(mode_ == Mode::kElements ? "is no array" : "is no object");
  take(1);
  return true;
}

// Between two values: a comma, or the closing bracket.
bool ValueReader::separator(bool* closed) {
  *closed = false;
  if (mode_ == Mode::kDocuments) return skip_white();
  if (!skip_white()) return stop("ends before its closing bracket: the file is truncated");
  const char c = window_->bytes()[0];
  if (c == (mode_ == Mode::kElements ? ']' : '}')) {
    take(1);
    *closed = true;
    if (!nested_ && skip_white()) return stop("has text after the end of the document");
    return true;
  }
  if (number_ == 0) return true;
  if (c != ',') return stop("has no comma between two values");
  take(1);
  if (!skip_white()) return stop("ends after a comma: the file is truncated");
  return true;
}

bool ValueReader::read_key(JsonPiece* piece) {
  if (window_->bytes()[0] != '"') return stop("has a member without a key");
  ValueEnd end;
  size_t at = end.find(window_->bytes(), 0), scanned = window_->bytes().size();
  while (at == std::string_view::npos) {
    if (static_cast<int64_t>(scanned) > max_value_) return stop("has a key that is too long");
    if (!window_->more()) return stop("ends inside a key: the file is truncated");
    at = end.find(window_->bytes(), scanned);
    scanned = window_->bytes().size();
  }
  key_.assign(window_->bytes().substr(1, at - 2));
  piece->key = key_;
  take(at);
  if (!skip_white() || window_->bytes()[0] != ':') return stop("has a key without a value");
  take(1);
  if (!skip_white()) return stop("ends after a key: the file is truncated");
  return true;
}

bool ValueReader::read_value(JsonPiece* piece) {
  piece->line = line_;
  piece->offset = window_->offset();
  ValueEnd end;
  size_t at = end.find(window_->bytes(), 0), scanned = window_->bytes().size();
  while (at == std::string_view::npos) {
    if (static_cast<int64_t>(scanned) > max_value_) {  // not kept from here on
      piece->too_long = true;
      take(scanned);
      scanned = 0;
    }
    if (!window_->more()) {
      if (!end.scalar() || mode_ != Mode::kDocuments) return stop("ends inside a value: the file is truncated");
      at = scanned;
      break;
    }
    at = end.find(window_->bytes(), scanned);
    scanned = window_->bytes().size();
  }
  if (at == 0 && !piece->too_long) return stop("has no value where one must stand");
  piece->too_long = piece->too_long || static_cast<int64_t>(at) > max_value_;
  piece->bytes = piece->too_long ? std::string_view() : window_->bytes().substr(0, at);
  take(at);
  return true;
}

bool ValueReader::next_value(JsonPiece* piece) {
  if (ended_ || (!begun_ && !begin())) return false;
  *piece = JsonPiece{};
  bool closed = false;
  if (!separator(&closed) || closed) {
    ended_ = true;
    return false;
  }
  piece->number = ++number_;
  return mode_ != Mode::kMembers || read_key(piece);
}

bool ValueReader::next(JsonPiece* piece) { return next_value(piece) && read_value(piece); }

}  // namespace vaa
