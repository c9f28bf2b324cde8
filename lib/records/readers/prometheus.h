// Metrics pages: Prometheus text 0.0.4 and OpenMetrics, one series a line. Any bytes may come; what is no metric is counted and passed over.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaa {

struct Metric {
  struct Label {
    std::string_view name;
    std::string value;  // escapes taken
  };
  std::string_view name;
  std::vector<Label> labels;
  size_t label_count = 0;   // of `labels`, which keeps its memory
  double value = 0;

  std::string_view label(std::string_view name) const;  // "" : it has none of that name
};

class PrometheusText {
 public:
  explicit PrometheusText(std::string_view page) : page_(page) {}
  // The next metric in the page; its views are valid while the page is. False: the end. Linear in the page.
  bool next(Metric* metric);
  int64_t bad_lines() const { return bad_lines_; }

 private:
  std::string_view page_;
  int64_t bad_lines_ = 0;
};

}  // namespace vaa
