#include "records/python_literals.h"

#include <algorithm>

#include "text/utf8.h"

namespace vaa {
namespace {

constexpr int kMaxDepth = 200;

bool name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool name_byte(char c) { return name_start(c) || digit(c); }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  JsonTree assignments();

 private:
  char at(size_t ahead = 0) const { return i_ + ahead < text_.size() ? text_[i_ + ahead] : '\0'; }
  bool end() const { return i_ >= text_.size(); }
  void white();            // blanks and comments; line feeds only inside brackets
  std::string_view name();
  JsonTree expression(int depth);
  JsonTree primary(int depth);
  JsonTree items(char close, int depth);
  bool item();
  JsonTree pairs(int depth);
  JsonTree call_of_dict(int depth);
  JsonTree number();
  bool string(std::string* out);          // one literal with its prefix; false: not recorded
  void string_body(char quote, bool triple, bool raw, std::string* out);
  void escape(std::string* out);
  bool at_string() const;
  bool at_end_of_expression() const;
  void skip_expression();
  std::string_view text_;
  size_t i_ = 0;
  int nesting_ = 0;  // open brackets
};

void Reader::white() {
  while (!end()) {
    const char c = at();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || (c == '\n' && nesting_ > 0)) {
      ++i_;
    } else if (c == '#') {
      i_ = std::min(text_.find('\n', i_), text_.size());
    } else if (c == '\\' && (at(1) == '\n' || (at(1) == '\r' && at(2) == '\n'))) {
      i_ += at(1) == '\n' ? 2 : 3;
    } else {
      return;
    }
  }
}

std::string_view Reader::name() {
  const size_t start = i_;
  if (!end() && name_start(at()))
    while (!end() && name_byte(at())) ++i_;
  return text_.substr(start, i_ - start);
}

bool Reader::at_string() const {
  size_t n = 0;
  while (n < 2 && at(n) != '\0' && std::string_view("rRbBuUfF").find(at(n)) != std::string_view::npos) ++n;
  return at(n) == '"' || at(n) == '\'';
}

void Reader::escape(std::string* out) {
  const char c = at();
  if (end()) return;
  ++i_;
  const auto hex = [&](int digits) {
    uint32_t code = 0;
    for (int k = 0; k < digits; ++k) {
      const char h = at();
      const int value = digit(h) ? h - '0' : h >= 'a' && h <= 'f' ? h - 'a' + 10 : h >= 'A' && h <= 'F' ? h - 'A' + 10 : -1;
      if (value < 0) break;
      code = code * 16 + static_cast<uint32_t>(value);
      ++i_;
    }
    utf8_append(out, code <= 0x10FFFF ? code : 0xFFFD);
  };
  switch (c) {
    case '\n': return;
    case 'n': *out += '\n'; return;
    case 't': *out += '\t'; return;
    case 'r': *out += '\r'; return;
    case 'a': *out += '\a'; return;
    case 'b': *out += '\b'; return;
    case 'f': *out += '\f'; return;
    case 'v': *out += '\v'; return;
    case '\\': case '\'': case '"': *out += c; return;
    case 'x': return hex(2);
    case 'u': return hex(4);
    case 'U': return hex(8);
    default: break;
  }
  if (c < '0' || c > '7') {
    *out += '\\';
    *out += c;
    return;
  }
  uint32_t code = static_cast<uint32_t>(c - '0');
  for (int k = 0; k < 2 && at() >= '0' && at() <= '7'; ++k, ++i_) code = code * 8 + static_cast<uint32_t>(at() - '0');
  utf8_append(out, code);
}

void Reader::string_body(char quote, bool triple, bool raw, std::string* out) {
  while (!end()) {
    const char c = at();
    if (c == quote && (!triple || (at(1) == quote && at(2) == quote))) {
      i_ += triple ? 3 : 1;
      return;
    }
    if (c == '\n' && !triple) return;  // unterminated: it ends with its line
    ++i_;
    if (c != '\\') {
      *out += c;
    } else if (raw) {
      *out += c;
      if (!end()) *out += text_[i_++];
    } else {
      escape(out);
    }
  }
}

bool Reader::string(std::string* out) {
  bool raw = false, recorded = true;
  while (at() != '"' && at() != '\'') {
    raw = raw || at() == 'r' || at() == 'R';
    recorded = recorded && at() != 'f' && at() != 'F';
    ++i_;
  }
  const char quote = at();
  const bool triple = at(1) == quote && at(2) == quote;
  i_ += triple ? 3 : 1;
  string_body(quote, triple, raw, out);
  return recorded;
}

JsonTree Reader::number() {
  const size_t start = i_;
  while (at() == '-' || at() == '+' || at() == ' ') ++i_;
  while (name_byte(at()) || at() == '.' || ((at() == '-' || at() == '+') && (text_[i_ - 1] == 'e' || text_[i_ - 1] == 'E'))) ++i_;
  std::string digits;
  bool minus = false;
  for (const char c : text_.substr(start, i_ - start)) {
    if (c == '-' && digits.empty()) minus = !minus;
    else if (c != '_' && c != ' ' && !(c == '+' && digits.empty())) digits += c;
  }
  JsonTree out;
  // Python writes .5 and 5. and 007 is an error; JSON wants digits on both sides.
  if (!digits.empty() && digits[0] == '.') digits.insert(0, "0");
  const size_t point = digits.find('.');
  if (point != std::string::npos && (point + 1 == digits.size() || !digit(digits[point + 1]))) digits.insert(point + 1, "0");
  JsonReader json(digits, JsonReader::Mode::kStrict);
  std::string_view text;
  if (json.peek() == JsonKind::kNumber && json.number(&text) && json.finish()) {
    out.kind = JsonKind::kNumber;
    out.text = (minus ? "-" : "") + digits;
  }
  return out;
}

bool Reader::at_end_of_expression() const {
  const char c = at();
  return end() || c == ',' || c == ')' || c == ']' || c == '}' || c == ':' || c == ';' || (c == '\n' && nesting_ == 0);
}

// To the comma, bracket or line end behind it, over brackets and strings.
void Reader::skip_expression() {
  int64_t depth = 0;
  std::string unused;
  while (!end()) {
    const char c = at();
    if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}' || (c == '\n' && nesting_ == 0))) return;
    if (at_string()) {
      unused.clear();
      string(&unused);
      continue;
    }
    if (name_start(c)) {
      name();
      continue;
    }
    if (c == '#') {
      i_ = std::min(text_.find('\n', i_), text_.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    i_ += c == '\\' && i_ + 1 < text_.size() ? 2 : 1;
  }
}

JsonTree Reader::items(char close, int depth) {
  JsonTree out;
  out.kind = JsonKind::kArray;
  ++nesting_;
  bool comma = false;
  for (;;) {
    white();
    if (end() || at() == ')' || at() == ']' || at() == '}') break;
    if (at() == ',') {
      comma = true;
      ++i_;
      continue;
    }
    if (at() == ':') {
      ++i_;
      continue;
    }
    out.members.emplace_back("", expression(depth + 1));
  }
  if (!end()) ++i_;
  --nesting_;
  if (close == ')' && out.members.size() == 1 && !comma) return std::move(out.members[0].second);
  return out;
}

// Stands before the next item of what was opened; false: before its end.
bool Reader::item() {
  for (white(); !end() && (at() == ',' || at() == ':'); white()) ++i_;
  return !end() && at() != ')' && at() != ']' && at() != '}';
}

JsonTree Reader::pairs(int depth) {
  JsonTree out;
  out.kind = JsonKind::kObject;
  ++nesting_;
  while (item()) {
    const JsonTree key = expression(depth + 1);
    white();
    if (at() != ':') {
      if (out.members.empty()) out.kind = JsonKind::kInvalid;  // a set
      continue;
    }
    ++i_;
    white();
    JsonTree value = expression(depth + 1);
    if (key.is(JsonKind::kString) || key.is(JsonKind::kNumber)) out.members.emplace_back(key.text, std::move(value));
  }
  if (!end()) ++i_;
  --nesting_;
  return out;
}

JsonTree Reader::call_of_dict(int depth) {
  JsonTree out;
  out.kind = JsonKind::kObject;
  ++nesting_;
  while (item()) {
    const size_t before = i_;
    const std::string key(name());
    white();
    if (!key.empty() && at() == '=' && at(1) != '=') {
      ++i_;
      white();
      out.members.emplace_back(key, expression(depth + 1));
    } else {
      i_ = before;  // **other, or no keyword
      expression(depth + 1);
    }
  }
  if (!end()) ++i_;
  --nesting_;
  return out;
}

JsonTree Reader::primary(int depth) {
  JsonTree out;
  const char c = at();
  if (at_string()) {
    out.kind = JsonKind::kString;
    while (at_string()) {
      if (!string(&out.text)) out.kind = JsonKind::kInvalid;
      white();
    }
    return out;
  }
  if (digit(c) || c == '-' || c == '+' || (c == '.' && digit(at(1)))) return number();
  if (depth < kMaxDepth && (c == '[' || c == '(')) {
    ++i_;
    return items(c == '[' ? ']' : ')', depth);
  }
  if (depth < kMaxDepth && c == '{') {
    ++i_;
    return pairs(depth);
  }
  if (name_start(c)) {
    const std::string_view word = name();
    white();
    if (word == "dict" && at() == '(' && depth < kMaxDepth) {
      ++i_;
      return call_of_dict(depth);
    }
    if (word == "None") out.kind = JsonKind::kNull;
    if (word == "True" || word == "False") {
      out.kind = JsonKind::kBool;
      out.truth = word == "True";
    }
  }
  return out;
}

JsonTree Reader::expression(int depth) {
  const size_t start = i_;
  JsonTree out = primary(depth);
  white();
  if (at_end_of_expression()) {
    if (i_ == start && !end() && at() != ',' && at() != ')' && at() != ']' && at() != '}') ++i_;
    return out;
  }
  skip_expression();
  if (i_ == start) ++i_;
  return {};
}

JsonTree Reader::assignments() {
  JsonTree out;
  out.kind = JsonKind::kObject;
  while (!end()) {
    nesting_ = 0;
    white();
    if (at() == '\n' || at() == ',' || at() == ';' || at() == ')' || at() == ']' || at() == '}') {
      ++i_;
      continue;
    }
    const size_t start = i_;
    const std::string key(name());
    white();
    if (!key.empty() && at() == '=' && at(1) != '=') {
      ++i_;
      white();
      JsonTree value = expression(0);
      out.members.emplace_back(key, std::move(value));
      continue;
    }
    skip_expression();
    if (i_ == start) ++i_;
  }
  return out;
}

}  // namespace

JsonTree read_python_literals(std::string_view text) { return Reader(text).assignments(); }

}  // namespace vaa
