// Token diff beside rapidfuzz's C++ core in one process run: the same ids, the same flags, one thread; processor time.
//   token_diff_bench [SIZE]      default 131072 ids
// Built where -DVAA_RAPIDFUZZ=FOLDER names the headers of rapidfuzz-cpp.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <rapidfuzz/distance/Levenshtein.hpp>
#include <vector>

#include "cpu_clock.h"
#include "tokens/token_diff.h"

namespace {

using IdList = std::vector<int32_t>;
constexpr double kVocabulary = 120000;

std::mt19937 random_source(7);

int32_t likely_id() { return static_cast<int32_t>(std::pow(kVocabulary, (random_source() + 0.5) / 4294967296.0)); }  // log-uniform: near Zipf's law

IdList fresh(size_t size) {
  IdList ids(size);
  for (int32_t& id : ids) id = likely_id();
  return ids;
}

// 100 substitutions and 20 indels.
IdList near(IdList ids) {
  for (int k = 0; k < 100; ++k) ids[random_source() % ids.size()] = likely_id();
  for (int k = 0; k < 10; ++k) ids.erase(ids.begin() + static_cast<ptrdiff_t>(random_source() % ids.size()));
  for (int k = 0; k < 10; ++k) ids.insert(ids.begin() + static_cast<ptrdiff_t>(random_source() % ids.size()), likely_id());
  return ids;
}

// Runs of 20 kept, up to 5 replaced by up to 5: about 12 % changed.
IdList paraphrase(const IdList& ids) {
  IdList out;
  for (size_t i = 0; i < ids.size();) {
    for (int k = 0; k < 20 && i < ids.size(); ++k) out.push_back(ids[i++]);
    i += random_source() % 6;
    for (auto k = random_source() % 6; k > 0; --k) out.push_back(likely_id());
  }
  return out;
}

// The first 500 ids the same, then strangers.
IdList diverged(const IdList& ids) {
  IdList out = fresh(ids.size());
  std::copy_n(ids.begin(), std::min<size_t>(500, ids.size()), out.begin());
  return out;
}

// The best of some runs, in ms.
double milliseconds(const std::function<int64_t()>& work, int64_t* result) {
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int run = 0; run < 20 && (run < 3 || spent < 1000); ++run) {
    const double before = cpu_seconds();
    *result = work();
    const double took = 1000 * (cpu_seconds() - before);
    best = std::min(best, took);
    spent += took;
  }
  return best;
}

void row(const char* what, const std::function<int64_t()>& ours, const std::function<int64_t()>& theirs) {
  int64_t a = 0, b = 0;
  const double our_time = milliseconds(ours, &a), their_time = milliseconds(theirs, &b);
  std::printf("%-44s %10.3f ms %10.3f ms %9.1fx   %lld %s\n", what, our_time, their_time, their_time / our_time, static_cast<long long>(a), a == b ? "" : "DIFFERENT");
}

}  // namespace

int main(int argc, char** argv) {
  const size_t size = argc > 1 ? static_cast<size_t>(std::atoll(argv[1])) : 131072;
  const IdList ids = fresh(size), close = near(ids), changed = paraphrase(ids), other = diverged(ids);
  vaa::TokenDiff diff({32, false}), whole({32, true});
  const auto ours = [&](const IdList& b, int64_t max) { return [&diff, &ids, &b, max] { const vaa::Divergence d = diff.run(ids, b, max); return d.levenshtein >= 0 ? d.levenshtein : max + 1; }; };
  const auto theirs = [&](const IdList& b, int64_t cutoff, int64_t hint) {
    return [&ids, &b, cutoff, hint] { return static_cast<int64_t>(rapidfuzz::levenshtein_distance(ids.begin(), ids.end(), b.begin(), b.end(), {1, 1, 1}, static_cast<size_t>(cutoff), static_cast<size_t>(hint))); };
  };
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  std::printf("%zu ids%35s %13s %13s %10s   distance\n", size, "", "vaa", "rapidfuzz", "ratio");
  row("near-identical, hint 31", ours(close, -1), theirs(close, kAny, 31));
  row("near-identical, default", ours(close, -1), theirs(close, kAny, kAny));
  row("paraphrased, default", ours(changed, -1), theirs(changed, kAny, kAny));
  row("diverged, default", ours(other, -1), theirs(other, kAny, kAny));
  row("diverged, \"more than 1024\" against its exact", ours(other, 1024), [exact = theirs(other, kAny, kAny)] { exact(); return int64_t{1025}; });
  row("diverged, cutoff 1024 on both sides", ours(other, 1024), theirs(other, 1024, kAny));
  int64_t result = 0;
  std::printf("with the longest common subsequence: near-identical %.3f ms, paraphrased %.1f ms, diverged %.1f ms\n", milliseconds([&] { return whole.run(ids, close, -1).lcs; }, &result),
              milliseconds([&] { return whole.run(ids, changed, -1).lcs; }, &result), milliseconds([&] { return whole.run(ids, other, -1).lcs; }, &result));
  std::printf("growth, ms:%10s %14s %14s %14s\n", "near", "paraphrased", "diverged", "more than 1024");
  for (const size_t n : {size_t{1000}, size_t{4000}, size_t{16000}, size_t{64000}, size_t{256000}, size_t{1000000}}) {
    const IdList a = fresh(n), b = near(a), c = paraphrase(a), d = diverged(a);
    const auto time = [&](const IdList& with, int64_t max) { return milliseconds([&] { return diff.run(a, with, max).levenshtein; }, &result); };
    std::printf("%8zu %12.3f %14.3f", n, time(b, -1), time(c, -1));
    if (n <= 256000) std::printf(" %14.3f", time(d, -1));
    else std::printf(" %14s", "-");
    std::printf(" %14.3f\n", time(d, 1024));
  }
}
