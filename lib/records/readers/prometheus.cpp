#include "records/readers/prometheus.h"

#include <algorithm>
#include <limits>

#include "base/json.h"

namespace vaa {
namespace {

constexpr std::string_view kBlank = " \t";

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':'; }

// What a line is read from, from left to right. Every step is false where something else stands there.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : rest_(line) {}
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlank), rest_.size())); }
  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool name(std::string_view* out) {
    size_t n = 0;
    while (n < rest_.size() && is_name_char(rest_[n])) ++n;
    *out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return n > 0 && !((*out)[0] >= '0' && (*out)[0] <= '9');
  }
  // Between quotation marks; \\, \" and \n are escapes, any other backslash is one.
  bool quoted(std::string* out) {
    out->clear();
    if (!take('"')) return false;
    for (size_t i = 0; i < rest_.size(); ++i) {
      char c = rest_[i];
      if (c == '"') {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (c == '\\' && i + 1 < rest_.size() && std::string_view("\\\"n").find(rest_[i + 1]) != std::string_view::npos) {
        c = rest_[++i];
        if (c == 'n') c = '\n';
      }
      *out += c;
    }
    return false;
  }
  std::string_view word() {
    const std::string_view out = rest_.substr(0, rest_.find_first_of(kBlank));
    rest_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

bool same_word(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) { return (x | 0x20) == y; });
}

// A number as programs print it: JSON's, and +1, .5, 5., 007, NaN, +Inf.
bool read_value(std::string_view text, double* out) {
  std::string number;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    if (text[0] == '-') number = "-";
    text.remove_prefix(1);
  }
  if (same_word(text, "inf") || same_word(text, "infinity") || same_word(text, "nan")) {
    const double infinity = std::numeric_limits<double>::infinity();
    *out = same_word(text, "nan") ? std::numeric_limits<double>::quiet_NaN() : number.empty() ? infinity : -infinity;
    return true;
  }
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool point = digits < text.size() && text[digits] == '.';
  const size_t places = point ? std::min(text.find_first_not_of("0123456789", digits + 1), text.size()) - digits - 1 : 0;
  if (digits + places == 0) return false;
  std::string_view whole = text.substr(0, digits);
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  number += whole.empty() ? "0" : whole;
  if (places > 0) number += text.substr(digits, places + 1);
  number += text.substr(digits + (point ? places + 1 : 0));
  JsonReader json(number);
  return json.peek() == JsonKind::kNumber && json.real(out) && json.finish();
}

// {name="value", …}; a name that is no identifier stands in quotation marks, that of the metric without a value.
bool read_labels(Cursor* line, Metric* metric, std::string_view page_name) {
  metric->name = page_name;
  for (bool first = true;; first = false) {
    line->blanks();
    if (line->take('}')) return true;
    if (!first) {
      if (!line->take(',')) return false;
      line->blanks();
      if (line->take('}')) return true;
    }
    if (metric->label_count == metric->labels.size()) metric->labels.emplace_back();
    Metric::Label& label = metric->labels[metric->label_count];
    const std::string_view before = line->rest();
    if (line->quoted(&label.value)) {
      label.name = before.substr(1, before.size() - line->rest().size() - 2);
      line->blanks();
      if (metric->name.empty() && (line->rest().empty() || line->rest().front() != '=')) {
        metric->name = label.name;
        continue;
      }
    } else if (!line->name(&label.name)) {
      return false;
    }
    line->blanks();
    if (!line->take('=')) return false;
    line->blanks();
    if (!line->quoted(&label.value)) return false;
    ++metric->label_count;
  }
}

bool read_line(std::string_view text, Metric* metric) {
  Cursor line(text);
  metric->label_count = 0;
  std::string_view name;
  double timestamp = 0;
  if (!line.name(&name) && !name.empty()) return false;
  metric->name = name;
  line.blanks();
  if (line.take('{') && !read_labels(&line, metric, name)) return false;
  if (metric->name.empty()) return false;
  line.blanks();
  if (!read_value(line.word(), &metric->value)) return false;
  line.blanks();
  if (line.at_end() || line.rest().front() == '#') return true;  // an exemplar
  if (!read_value(line.word(), &timestamp)) return false;
  line.blanks();
  return line.at_end() || line.rest().front() == '#';
}

}  // namespace

std::string_view Metric::label(std::string_view wanted) const {
  for (size_t i = 0; i < label_count; ++i)
    if (labels[i].name == wanted) return labels[i].value;
  return {};
}

bool PrometheusText::next(Metric* metric) {
  while (!page_.empty()) {
    const size_t end = std::min(page_.find('\n'), page_.size());
    std::string_view line = page_.substr(0, end);
    page_.remove_prefix(std::min(end + 1, page_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (line.empty() || line.front() == '#') continue;
    if (read_line(line, metric)) return true;
    ++bad_lines_;
  }
  return false;
}

}  // namespace vaa
