#include "reject/scrapes.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/failure.h"
#include "records/counter_page.h"
#include "reject/civil_time.h"

namespace vaa {
namespace {

// The counts of one engine on one page, from the first row of each field that it exposes.
class CountsOfPage {
 public:
  void take(const CounterReading& reading) {
    const auto [found, fresh] = rows_.try_emplace(counter_rows()[reading.row].field, reading.row);
    if (!fresh && found->second != reading.row) return;
    double* count = slot(reading);
    if (count) *count = std::isnan(*count) ? reading.value : *count + reading.value;
  }
  const SpecCounts& counts() const { return counts_; }

 private:
  double* slot(const CounterReading& reading) {
    switch (counter_rows()[reading.row].field) {
      case CounterField::kDrafts: return &counts_.drafts;
      case CounterField::kDraftTokens: return &counts_.draft_tokens;
      case CounterField::kAcceptedTokens: return &counts_.accepted;
      case CounterField::kGenerationTokens: return &counts_.generated;
      case CounterField::kAcceptedAtPosition: {
        const size_t at = static_cast<size_t>(reading.position);
        if (at >= counts_.at_position.size()) counts_.at_position.resize(at + 1, 0.0);
        return &counts_.at_position[at];
      }
      default: return nullptr;
    }
  }
  std::map<CounterField, size_t> rows_;
  SpecCounts counts_;
};

// Each count of both sides: the pair of it.
template <class Visit>
void each_count(const SpecCounts& a, const SpecCounts& b, Visit visit) {
  visit(a.drafts, b.drafts);
  visit(a.draft_tokens, b.draft_tokens);
  visit(a.accepted, b.accepted);
  visit(a.generated, b.generated);
  for (size_t i = 0; i < std::max(a.at_position.size(), b.at_position.size()); ++i)
    visit(i < a.at_position.size() ? a.at_position[i] : 0.0, i < b.at_position.size() ? b.at_position[i] : 0.0);
}

bool same_counts(const SpecCounts& a, const SpecCounts& b) {
  bool same = true;
  each_count(a, b, [&](double x, double y) { same = same && (x == y || (std::isnan(x) && std::isnan(y))); });
  return same;
}

bool went_back(const SpecCounts& before, const SpecCounts& after) {
  bool back = false;
  each_count(before, after, [&](double x, double y) { back = back || y < x; });
  return back;
}

// A count that a page has first began at 0.
SpecCounts increase(const SpecCounts& before, const SpecCounts& after) {
  const auto less = [](double x, double y) { return std::isnan(x) ? y : y - x; };
  SpecCounts out;
  out.drafts = less(before.drafts, after.drafts);
  out.draft_tokens = less(before.draft_tokens, after.draft_tokens);
  out.accepted = less(before.accepted, after.accepted);
  out.generated = less(before.generated, after.generated);
  out.at_position = after.at_position;
  for (size_t i = 0; i < std::min(before.at_position.size(), out.at_position.size()); ++i) out.at_position[i] -= before.at_position[i];
  return out;
}

std::string moment_name(double time_s, int64_t page) {
  const std::string shown = shown_time(time_s);
  return shown.empty() ? "page " + std::to_string(page) : shown;
}

}  // namespace

void Scrapes::push(std::string_view server, std::string_view page, double time_s) {
  const CounterPage read = read_counter_page(page);
  if (read.metrics == 0) fail(VAA_ERROR_FORMAT, page.empty() ? "page: is empty" : "page: no line of it is a metric; it begins with " + quoted(page.substr(0, 200)));
  std::map<std::string, CountsOfPage> counts;
  std::map<std::string, const CounterReading*> owners;
  std::set<std::string_view> seen;
  int64_t bad_lines = read.bad_lines;
  for (const CounterReading& reading : read.readings) {
    if (!seen.insert(reading.key).second) {  // the same series twice on a page
      ++bad_lines;
      continue;
    }
    std::string key(server);
    for (const std::string_view part : {counter_kind(reading.row), std::string_view(reading.engine), std::string_view(reading.model)}) (key += '\0') += part;
    owners.try_emplace(key, &reading);
    counts[key].take(reading);
  }
  if (moments_ + counts.size() > kMaxMoments) fail(VAA_ERROR_CAPACITY, "page: more than " + std::to_string(kMaxMoments) + " counts of engines would have to be kept");
  Server& from = servers_[std::string(server)];
  ++from.pages;
  from.times.push_back(time_s);
  ++oddities_.pages;
  ++pages_;
  oddities_.bad_lines += bad_lines;
  bool any = false;
  for (const auto& [key, of] : counts) {
    const SpecCounts& c = of.counts();
    any = any || !std::isnan(c.drafts) || !std::isnan(c.draft_tokens) || !std::isnan(c.accepted);
    const CounterReading& owner = *owners[key];
    const auto [found, fresh] = index_.try_emplace(key, engines_.size());
    if (fresh) engines_.push_back({std::string(server), owner.engine, owner.model, std::string(counter_kind(owner.row)), {}});
    engines_[found->second].moments.push_back({time_s, from.pages, c});
    ++moments_;
  }
  oddities_.no_counters += !any;
}

SpecSeries Scrapes::series_of(const Engine& engine, const Server& server, int64_t* duplicates) const {
  SpecSeries out;
  out.server = engine.server;
  out.engine = engine.name;
  out.model = engine.model;
  out.kind = engine.kind;
  std::vector<Moment> moments = engine.moments;
  const bool timed = std::none_of(server.times.begin(), server.times.end(), [](double t) { return std::isnan(t); });
  if (timed) std::stable_sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) { return a.time_s < b.time_s; });
  const auto later = [&](const Moment& a, double time_s, int64_t page) { return timed ? a.time_s < time_s : a.page < page; };
  // Where the server was scraped before it had this engine, its counters began at 0 since then.
  const double first_s = timed ? *std::min_element(server.times.begin(), server.times.end()) : std::nan("");
  const double last_s = timed ? *std::max_element(server.times.begin(), server.times.end()) : std::nan("");
  const bool late = later({first_s, 1, {}}, moments[0].time_s, moments[0].page);
  Moment before = moments[0];
  if (late) before.counts = SpecCounts();
  int64_t segment = 0;
  out.total = {0, 0, 0, 0, {}};
  const bool alone = moments.size() == 1;  // what it stands at is what it counted since it started
  for (size_t i = late || alone ? 0 : 1; i < moments.size(); ++i) {
    const Moment& now = moments[i];
    if (i > 0 && timed && now.time_s == before.time_s && same_counts(before.counts, now.counts)) {
      ++*duplicates;
      continue;
    }
    SpecWindow window;
    const bool back = i > 0 && went_back(before.counts, now.counts);
    if (back) {
      out.standing.push_back(before.counts);
      out.restarted_at.push_back(moment_name(now.time_s, now.page));
      ++out.restarts;
      ++segment;
    }
    window.counts = back || i == 0 ? now.counts : increase(before.counts, now.counts);
    window.from_s = before.time_s;
    window.to_s = now.time_s;
    window.at = moment_name(now.time_s, now.page);
    window.order = now.page;
    window.segment = segment;
    add_counts(&out.total, window.counts);
    out.windows.push_back(std::move(window));
    before = now;
  }
  if (out.windows.empty()) out.total = SpecCounts();
  out.standing.push_back(before.counts);
  out.moments = static_cast<int64_t>(moments.size());
  out.last_at = moment_name(before.time_s, before.page);
  out.vanished = timed ? before.time_s < last_s : before.page < server.pages;
  return out;
}

std::vector<SpecSeries> Scrapes::series(ScrapeOddities* oddities) const {
  *oddities = oddities_;
  for (const auto& [name, server] : servers_) {
    double latest = -std::numeric_limits<double>::infinity();
    for (const double time_s : server.times) {
      oddities->out_of_order += time_s < latest;
      latest = std::max(latest, time_s);
    }
  }
  std::vector<SpecSeries> out;
  for (const Engine& engine : engines_) {
    int64_t duplicates = 0;  // a page that comes twice has all engines twice
    out.push_back(series_of(engine, servers_.find(engine.server)->second, &duplicates));
    oddities->duplicates = std::max(oddities->duplicates, duplicates);
  }
  return out;
}

}  // namespace vaa
