#include "reject/log_lines.h"

#include <algorithm>

#include "base/failure.h"
#include "reject/civil_time.h"

namespace vaa {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Without the sequences by which a terminal colours.
std::string_view without_colours(std::string_view text, std::string* scratch) {
  if (text.find('\x1b') == std::string_view::npos) return text;
  scratch->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b' || i + 1 >= text.size() || text[i + 1] != '[') {
      scratch->push_back(text[i]);
      continue;
    }
    i += 2;
    while (i < text.size() && (is_digit(text[i]) || text[i] == ';')) ++i;
  }
  return *scratch;
}

// The digits behind `name` where it begins a word, without leading zeros: "Engine 003:" gives "3". npos in *at: not there.
std::string digits_after(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t from = at + name.size();
    if ((at > 0 && std::string_view(" (_[,").find(text[at - 1]) == std::string_view::npos) || from >= text.size() || !is_digit(text[from])) continue;
    size_t end = from;
    while (end < text.size() && end < from + 6 && is_digit(text[end])) ++end;
    while (from + 1 < end && text[from] == '0') ++from;
    return std::string(text.substr(from, end - from));
  }
  return "";
}

// "(APIServer pid=1)" of a line of vLLM; "" : none.
std::string_view process_of(std::string_view text) {
  const size_t pid = text.find(" pid=");
  if (pid == std::string_view::npos) return {};
  const size_t open = text.rfind('(', pid), close = text.find(')', pid);
  return open == std::string_view::npos || close == std::string_view::npos || close - open > 80 ? std::string_view() : text.substr(open, close - open + 1);
}

SpecCounts less_counts(const SpecCounts& after, const SpecCounts& before) {
  SpecCounts out = after;
  out.drafts -= before.drafts;
  out.draft_tokens -= before.draft_tokens;
  out.accepted -= before.accepted;
  out.generated -= before.generated;
  return out;
}

}  // namespace

void LogLines::push(std::string_view server, std::string_view bytes, bool last) {
  const std::string name(server);
  Log& log = logs_[name];
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    std::string_view piece = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (!log.skipping) {
      const size_t room = kMaxLine - log.part.size();
      if (piece.size() > room) {
        piece = piece.substr(0, room);
        log.skipping = true;
        ++oddities_.long_lines;
      }
      if (end != std::string_view::npos && log.part.empty()) {
        line(name, &log, piece);
      } else {
        log.part += piece;
        if (end != std::string_view::npos) line(name, &log, log.part);
      }
    } else if (end != std::string_view::npos) {
      line(name, &log, log.part);
    }
    if (end == std::string_view::npos) continue;
    log.part.clear();
    log.skipping = false;
  }
  if (!last) return;
  if (!log.part.empty()) line(name, &log, log.part);
  log.part.clear();
  log.skipping = false;
}

void LogLines::line(const std::string& server, Log* log, std::string_view text) {
  std::string scratch;
  text = without_colours(text, &scratch);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  ++oddities_.lines;
  size_t mark = 0;
  const LogWording* wording = wording_of(text, &mark);
  if (!wording) {
    if (const size_t at = text.find("Engine"); at != std::string_view::npos && text.find(" throughput: ") != std::string_view::npos) log->engine_of_process[std::string(process_of(text))] = digits_after(text, "Engine ");
    return;
  }
  const std::string_view before = text.substr(0, mark);
  LogReading reading;
  if (!wording->read(text.substr(mark), &reading)) {
    ++oddities_.bad;
    return;
  }
  if (const std::string rank = digits_after(before, "TP"); !rank.empty() && rank != "0") {
    ++oddities_.copies;
    return;
  }
  std::string engine = digits_after(before, "DP");
  const std::string_view process = process_of(before);
  if (engine.empty())
    if (const auto found = log->engine_of_process.find(process); found != log->engine_of_process.end()) engine = found->second;
  if (static_cast<size_t>(oddities_.readings) >= kMaxReadings) fail(VAA_ERROR_CAPACITY, "log: more than " + std::to_string(kMaxReadings) + " lines about speculation would have to be kept");
  ++oddities_.readings;
  Engine& to = engines_[server + '\0' + wording->kind + '\0' + engine];
  to.server = server;
  to.name = engine;
  to.kind = wording->kind;
  take(&to, reading, text, mark);
}

void LogLines::take(Engine* engine, const LogReading& reading, std::string_view text, size_t mark) {
  const WrittenTime written = written_time(text.substr(0, mark));
  if (written.found && !engine->seen.insert(written.shown + '\0' + std::string(text.substr(mark))).second) {
    ++oddities_.duplicates;
    return;
  }
  if (written.found && written.unix_s < engine->last_s) ++oddities_.back;
  SpecWindow window;
  window.from_s = engine->last_s > 0 ? engine->last_s : std::nan("");
  if (written.found) window.to_s = engine->last_s = written.unix_s;
  window.at = written.found ? written.shown : "line " + std::to_string(oddities_.lines);
  window.order = oddities_.lines;
  window.segment = engine->windows.empty() ? 0 : engine->windows.back().segment;
  window.counts = reading.counts;
  window.position_error = reading.position_error;
  if (reading.cumulative) {
    const bool back = engine->cumulative && (reading.counts.draft_tokens < engine->stood.draft_tokens || reading.counts.accepted < engine->stood.accepted);
    if (engine->cumulative && !back) window.counts = less_counts(reading.counts, engine->stood);
    if (back) {
      ++window.segment;
      engine->restarted_at.push_back(window.at);
    }
    engine->stood = reading.counts;
    engine->cumulative = true;
  }
  engine->ratios = engine->ratios || reading.ratios;
  engine->windows.push_back(std::move(window));
  engine->lengths.push_back(reading.length);
}

std::vector<SpecSeries> LogLines::series(LogOddities* oddities) const {
  *oddities = oddities_;
  std::vector<SpecSeries> out;
  for (const auto& [key, engine] : engines_) {
    SpecSeries series;
    series.server = engine.server;
    series.engine = engine.name;
    series.kind = engine.kind;
    series.log = true;
    series.ratios = engine.ratios;
    series.windows = engine.windows;
    series.restarts = static_cast<int64_t>(engine.restarted_at.size());
    series.restarted_at = engine.restarted_at;
    series.moments = static_cast<int64_t>(engine.windows.size());
    series.last_at = engine.windows.back().at;
    // Tokens that a verify step emits beyond one, over the fewest draft tokens that no line exceeds.
    double most = 1;
    for (const double length : engine.lengths)
      if (!std::isnan(length)) most = std::max(most, std::ceil(length - 1));
    series.total = {0, 0, 0, 0, {}};
    for (size_t i = 0; i < series.windows.size(); ++i) {
      if (!std::isnan(engine.lengths[i])) series.windows[i].counts.accepted = (engine.lengths[i] - 1) / most;
      add_counts(&series.total, series.windows[i].counts);
    }
    out.push_back(std::move(series));
  }
  return out;
}

}  // namespace vaa
