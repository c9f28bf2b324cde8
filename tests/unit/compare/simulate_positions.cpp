// How often the steps by position and of drift are right, over made evidence. Printed as rows of docs/compare.md; run by name: test_compare "[.positions]".
#include <cstdio>
#include <cstdlib>
#include <algorithm>

#include "compare/drift.h"
#include "compare/position_drift.h"
#include "made_positions.h"

using namespace vaa;

namespace {

struct Family {
  const char* name;
  PositionLaw law;
  double ratio;          // of the target's noise
  int64_t onset;         // 0: none
  bool aa = true;
};

std::vector<Family> families() {
  std::vector<Family> out;
  PositionLaw rungs, texts, lengths, clusters, free, blind;
  rungs.kind = PairKind::kRung, rungs.starts = {1024, 2048, 4160, 8192}, rungs.tokens = 32;
  lengths.starts = {1024, 2048, 4160, 8192}, lengths.tokens = 128;
  texts.tokens = 8192, texts.starts = {1};
  clusters = texts, clusters.by_question = 0.3;
  free.kind = PairKind::kFree, free.questions = 64;
  blind = rungs, blind.both_lists = false, blind.tokens = 512;
  const std::pair<const char*, PositionLaw> laws[] = {{"rungs, 4 x 16 x 32", rungs}, {"rungs, 4 x 16 x 512, flips alone", blind}, {"forced, 4 x 16 x 128", lengths}, {"forced, 16 x 8,192", texts}, {"forced, 16 x 8,192, questions 0.3", clusters}, {"free, 64 x 512", free}};
  for (const auto& [name, law] : laws) {
    for (const double ratio : {1.0, 1.3, 2.0}) out.push_back({name, law, ratio, 0});
    if (law.kind == PairKind::kFree) continue;
    for (const double ratio : {2.0, 5.0}) out.push_back({name, law, ratio, 4096});
    out.push_back({name, law, 5.0, 4096, false});
  }
  return out;
}

// Whether the flips of a bucket from the onset on are too many, by Holm.
bool past_onset(const StepResult& step, int64_t onset) {
  const NumberTable& t = *std::find_if(step.numbers.begin(), step.numbers.end(), [](const NumberTable& n) { return n.name == "positions"; });
  const auto column = [&](const char* name) { return std::find_if(t.columns.begin(), t.columns.end(), [&](const auto& c) { return c.first == name; })->second; };
  const std::vector<double> from = column("from"), p = column("p_adjusted");
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] >= static_cast<double>(onset) && p[i] < 0.05) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("positions: how often onsets are found, and what is no onset is not", "[.positions]") {
  const char* number = std::getenv("RUNS");
  const int runs = number ? std::atoi(number) : 300;
  std::printf("| pairs | noise | onset | A/A | runs | flips flagged | p < 5 %% | beyond | drift beyond | passes | onset in interval | median width |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Family& f : families()) {
    std::mt19937_64 random(7);
    int seen = 0, beyond = 0, flagged = 0, drift = 0, passes = 0, held = 0, found = 0;
    std::vector<double> widths;
    for (int i = 0; i < runs; ++i) {
      const NoiseProfile self = noise_of(made_positions(f.law, random));
      PositionLaw law = f.law;
      law.sigma = step_from(f.onset, 0.05, 0.05 * f.ratio);
      if (f.onset == 0) law.sigma = [&](int64_t) { return 0.05 * f.ratio; };
      const TokenEvidence pair = made_positions(law, random);
      const StepResult r = run_step("position", &pair, f.aa ? &self : nullptr, "version"), d = run_step("drift", &pair, f.aa ? &self : nullptr, "version");
      seen += r.p < 0.05;
      beyond += r.p_beyond < 0.05;
      drift += d.p_beyond < 0.05;
      passes += r.inside;
      flagged += past_onset(r, f.onset);
      for (const NumberTable& t : r.numbers) {
        if (t.name != "onset") continue;
        const double lo = t.columns[1].second[0], hi = t.columns[2].second[0];
        held += lo < static_cast<double>(f.onset) && static_cast<double>(f.onset) <= hi;
        widths.push_back(hi - lo);
        found += 1;
      }
    }
    std::sort(widths.begin(), widths.end());
    const auto share = [&](int k) { return 100.0 * k / runs; };
    std::printf("| %s | %.1fx | %s | %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | ", f.name, f.ratio, f.onset ? "4,096" : "none", f.aa ? "yes" : "no", runs, share(flagged), share(seen), share(beyond), share(drift), share(passes));
    if (found > 0 && f.onset > 0) std::printf("%.1f %% of %d | %.0f |\n", 100.0 * held / found, found, widths[widths.size() / 2]);
    else std::printf("– | – |\n");
    std::fflush(stdout);
  }
}
