// Server logs as increases over time, one series an engine. Any bytes may come, in pieces cut anywhere.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reject/log_wordings.h"
#include "reject/spec_counts.h"

namespace vaa {

struct LogOddities {
  int64_t lines = 0, readings = 0;
  int64_t bad = 0;          // hold a wording but not its numbers: cut, or contradicting
  int64_t duplicates = 0;   // the same moment and counts once more: taken once
  int64_t back = 0;         // lines earlier than the one before: other logs joined, or a clock that was set
  int64_t long_lines = 0;   // over kMaxLine: their first bytes were read
  int64_t copies = 0;       // of tensor-parallel ranks that print the same once more
};

class LogLines {
 public:
  static constexpr size_t kMaxLine = size_t{64} << 10;
  static constexpr size_t kMaxReadings = size_t{1} << 20;

  // The next bytes of a server's log; `last`: its end. Throws Failure (VAA_ERROR_CAPACITY).
  void push(std::string_view server, std::string_view bytes, bool last);
  std::vector<SpecSeries> series(LogOddities* oddities) const;
  int64_t readings() const { return oddities_.readings; }

 private:
  struct Engine {
    std::string server, name, kind;
    std::vector<SpecWindow> windows;
    std::vector<double> lengths;         // of ratios: NaN where the line has a rate
    std::vector<std::string> restarted_at;
    std::set<std::string> seen;          // moments and counts
    SpecCounts stood;                    // of cumulative lines
    bool cumulative = false, ratios = false;
    double last_s = 0;
  };
  struct Log {
    std::string part;                    // of a line
    bool skipping = false;               // the rest of a line that was too long
    std::map<std::string, std::string, std::less<>> engine_of_process;  // the last "Engine 003:" of each
  };
  void line(const std::string& server, Log* log, std::string_view text);
  void take(Engine* engine, const LogReading& reading, std::string_view text, size_t mark);

  std::map<std::string, Log, std::less<>> logs_;
  std::map<std::string, Engine, std::less<>> engines_;
  LogOddities oddities_;
};

}  // namespace vaa
