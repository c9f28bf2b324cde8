// A file of metrics pages, one behind the other, cut into pages.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace vaa {

struct CutPage {
  std::string text;
  double time_s;      // of the line before it that says one; NaN: none does
};

// A page ends where "# EOF" stands, where a line says a time ("# time 1787220000", "2026-08-20 10:15:02"), and before a series or "# HELP" that it already has.
class PageCutter {
 public:
  static constexpr size_t kMaxPage = size_t{64} << 20;
  // The next line. True: a page is whole and in *page; the line belongs to the one after it. Throws Failure (VAA_ERROR_CAPACITY) for a page over kMaxPage.
  bool line(std::string_view text, CutPage* page);
  bool end(CutPage* page);  // what is left; false: nothing

 private:
  bool cut(CutPage* page);
  std::string text_;
  double time_s_ = 0;
  bool timed_ = false, any_ = false;
  std::set<std::string, std::less<>> series_;
};

}  // namespace vaa
