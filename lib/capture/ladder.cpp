#include "capture/ladder.h"

#include <algorithm>
#include <memory>

#include "base/positions.h"
#include "capture/cut_options.h"
#include "capture/reencode.h"
#include "capture/rung_asker.h"
#include "capture/rung_table.h"

namespace vaa::capture {
namespace {

constexpr OptionSpec kOptions[] = {
    {"at", OptionSpec::Type::kTexts, 1, 4096, "", "", "positions, such as 1K,4K-64,4K+64; K is 1024"}, kCutFlag, kCutIds,
    {"sample", OptionSpec::Type::kInt, 0, 1e9, "", "0", "that many answers, drawn; 0: all"}, kCutSeed, kCutTokens, kCutReencode, kCutResume, kCutForce};
constexpr size_t kTogether = 512;  // rungs that are asked before they are compared and forgotten

struct Span {
  size_t begin, end;  // passages
};

class Ladder {
 public:
  Ladder(const std::vector<int64_t>& positions, const std::vector<Passage>& passages, RungAsker* rungs, LadderSeen* seen) : positions_(positions), passages_(passages), rungs_(rungs), seen_(seen) {
    const size_t servers = rungs->servers().size();
    for (const int64_t at : positions) {
      const auto shorter = std::count_if(passages.begin(), passages.end(), [&](const Passage& p) { return p.size() < at; });
      seen->shorter.emplace_back(at, shorter);
      for (size_t server = 1; server < servers; ++server) {
        seen->compared.emplace_back();
        seen->compared.back().at = at;
        seen->compared.back().server = server;
      }
      if (servers > 1) continue;
      seen->recorded.emplace_back();
      seen->recorded.back().at = at;
    }
  }

  void run(int concurrency) {
    int64_t all = 0;
    for (size_t p = 0; p < passages_.size(); ++p) all += static_cast<int64_t>(rungs_of(p).size());
    rungs_->expect(all);
    for (size_t begin = 0; begin < passages_.size();) {
      std::vector<Rung> together;
      size_t end = begin;
      while (end < passages_.size() && together.size() < kTogether) {
        const auto more = rungs_of(end++);
        together.insert(together.end(), more.begin(), more.end());
      }
      rungs_->ask(together, concurrency);
      for (; begin < end; ++begin) compare(begin);
      for (const Rung& rung : together) rungs_->forget(rung);
    }
  }

 private:
  std::vector<Rung> rungs_of(size_t passage) const {
    std::vector<Rung> rungs;
    for (const int64_t at : positions_) {
      if (passages_[passage].size() < at) break;
      for (size_t server = 0; server < rungs_->servers().size(); ++server) rungs.push_back({passage, at, server, 0});
    }
    return rungs;
  }

  void compare(size_t passage) {
    const size_t servers = rungs_->servers().size();
    for (size_t i = 0; i < positions_.size() && passages_[passage].size() >= positions_[i]; ++i) {
      const Continuation& first = rungs_->said({passage, positions_[i], 0, 0});
      if (servers == 1) seen_->recorded[i].add(passages_[passage], first);
      for (size_t server = 1; server < servers; ++server) {
        ComparedRow& row = seen_->compared[i * (servers - 1) + server - 1];
        const Continuation& other = rungs_->said({passage, positions_[i], server, 0});
        if (first.error.empty() && other.error.empty()) {
          row.add(part(first, other, kDefaultTau));
        } else {
          ++row.failed;
        }
      }
    }
  }

  const std::vector<int64_t>& positions_;
  const std::vector<Passage>& passages_;
  RungAsker* rungs_;
  LadderSeen* seen_;
};

}  // namespace

AskReport ladder(Asker* asker, const std::string& run, const std::string& out_path, std::string_view options, vaa_task* task) {
  constexpr std::string_view kWhat = "vaa_ladder";
  const Options given(numbers_as_texts(options, {"at"}), kOptions, kWhat);
  if (!given.given("at")) fail(VAA_ERROR_OPTION, "vaa_ladder: at: no positions are given, such as [\"1K\", \"4K-64\", \"4K+64\"]");
  const std::vector<int64_t> positions = parse_positions(given.texts("at"), "vaa_ladder: at");
  if (positions.empty()) fail(VAA_ERROR_OPTION, "vaa_ladder: at: the list is empty");
  CutOptions cut = cut_options(given, kWhat);
  keep_apart(run, out_path);
  cut.choice.shortest = positions.front();

  const std::vector<Server>& servers = asker->servers(task);
  LadderSeen seen;
  std::unique_ptr<Reencoder> reencoder;
  if (cut.reencode) reencoder = std::make_unique<Reencoder>(asker->options(), servers[0], task);
  const std::vector<Passage> passages = read_passages(run, cut.choice, reencoder.get(), task, &seen.counts);
  seen.run = run;
  seen.answers = static_cast<int64_t>(passages.size());
  seen.drawn = cut.choice.sample > 0 && seen.answers < seen.counts.usable;
  seen.tokens = cut.tokens;

  RungAsker rungs(asker, &passages, "ladder", run, out_path, cut.existing, cut.tokens, task);
  Ladder(positions, passages, &rungs, &seen).run(asker->options().session.connection.concurrency);
  seen.answered = rungs.answered();
  seen.failed = rungs.failed();
  seen.resumed = rungs.resumed();
  seen.failures = rungs.failures();
  seen.notes = rungs.notes();
  return ladder_report(seen, servers);
}

}  // namespace vaa::capture
