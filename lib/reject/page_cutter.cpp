#include "reject/page_cutter.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "reject/civil_time.h"

namespace vaa {
namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// A line that is no metric and says when the page was taken; NaN: it is none.
double time_of(std::string_view line) {
  if (starts(line, "# HELP") || starts(line, "# TYPE") || starts(line, "# UNIT") || line.size() > 200) return std::nan("");
  if (starts(line, "#")) return time_in_name(line);
  const std::string_view rest = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  const bool number = !rest.empty() && rest.find_first_not_of("0123456789.") == std::string_view::npos;
  if (number) return time_in_name(rest.substr(0, rest.find('.')));
  return !rest.empty() && rest[0] >= '0' && rest[0] <= '9' ? time_in_name(rest) : std::nan("");
}

// What a line may not say twice on a page: "# HELP name", or a metric with its labels.
std::string_view key_of(std::string_view line) {
  if (starts(line, "# HELP ") || starts(line, "# TYPE ")) return line.substr(0, line.find(' ', 7));
  if (line.empty() || line[0] == '#') return {};
  const size_t close = line.rfind('}');
  return close != std::string_view::npos ? line.substr(0, close + 1) : line.substr(0, line.find_first_of(" \t"));
}

}  // namespace

bool PageCutter::cut(CutPage* page) {
  if (!any_) {
    text_.clear();
    return false;
  }
  page->text.swap(text_);
  page->time_s = timed_ ? time_s_ : std::nan("");
  text_.clear();
  series_.clear();
  timed_ = any_ = false;
  return true;
}

bool PageCutter::line(std::string_view text, CutPage* page) {
  bool whole = false;
  const double time_s = time_of(text);
  const std::string_view key = key_of(text);
  if (starts(text, "# EOF")) return cut(page);
  if (!std::isnan(time_s)) {
    whole = cut(page);
    time_s_ = time_s;
    timed_ = true;
    return whole;
  }
  if (!key.empty() && !series_.insert(std::string(key)).second) {
    whole = cut(page);
    series_.insert(std::string(key));
  }
  if (text.size() + 1 > kMaxPage - std::min(kMaxPage, text_.size())) fail(VAA_ERROR_CAPACITY, "a page goes over " + std::to_string(kMaxPage) + " bytes");
  (text_ += text) += '\n';
  any_ = any_ || !key.empty();
  return whole;
}

bool PageCutter::end(CutPage* page) { return cut(page); }

}  // namespace vaa
