#include "capture/bisect.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/positions.h"
#include "capture/bisect_report.h"
#include "capture/cut_options.h"
#include "capture/reencode.h"
#include "capture/rung_asker.h"

namespace vaa::capture {
namespace {

constexpr std::string_view kWhat = "vaa_bisect";
constexpr OptionSpec kOptions[] = {
    {"low", OptionSpec::Type::kText, 1, 64, "", "", "lowest position, such as 64 or 1K; default: where the shortest prompt ends"},
    {"high", OptionSpec::Type::kText, 1, 64, "", "", "highest position; default: what eight of the answers reach"},
    {"repeat", OptionSpec::Type::kInt, 2, 100, "", "4", "times the ends are asked, and the reference against itself"},
    {"config", OptionSpec::Type::kText, 1, 4096, "", "", "the model's config.json, for its structural numbers"},
    {"structure", OptionSpec::Type::kTexts, 1, 256, "", "", "more of them, name=number"},
    kCutFlag,
    kCutIds,
    {"sample", OptionSpec::Type::kInt, 0, 1e9, "", "32", "that many answers, drawn; 0: all"},
    kCutSeed,
    kCutTokens,
    kCutReencode,
    kCutResume,
    kCutForce};
constexpr size_t kReach = 8;  // answers that the highest position should have

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(VAA_ERROR_NOT_FOUND, "vaa_bisect: config: " + path + ": " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) fail(VAA_ERROR_IO, "vaa_bisect: config: " + path + " cannot be read");
  return text;
}

std::vector<StructuralNumber> numbers_of(const Options& options, const std::vector<Server>& servers) {
  std::vector<StructuralNumber> numbers;
  if (options.given("structure")) {
    for (const std::string& text : options.texts("structure")) numbers.push_back(named_number(text));
  }
  if (options.given("config")) {
    const auto more = structural_numbers(read_file(options.text("config")));
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  for (const Server& server : servers) {
    if (server.max_model_len > 0) numbers.push_back({"max_model_len of " + server.endpoint, server.max_model_len});
  }
  return numbers;
}

// Where to search: what was asked for, within what answers and servers allow.
void set_ends(const Options& options, const std::vector<Passage>& passages, const std::vector<Server>& servers, BisectSeen* seen) {
  std::vector<int64_t> sizes;
  int64_t prompt = passages[0].prompt_tokens;
  for (const Passage& p : passages) {
    sizes.push_back(p.size());
    prompt = std::min(prompt, p.prompt_tokens);
  }
  std::sort(sizes.rbegin(), sizes.rend());
  int64_t most = sizes[0];
  std::string why = "the longest answer has " + grouped(most) + " ids with its prompt";
  for (const Server& server : servers) {
    if (server.max_model_len <= 0 || server.max_model_len - seen->tokens >= most) continue;
    most = server.max_model_len - seen->tokens;
    why = server.endpoint + " takes " + grouped(server.max_model_len) + " tokens, " + grouped(seen->tokens) + " of them for the continuation";
  }
  seen->low = options.given("low") ? parse_position(options.text("low"), "vaa_bisect: low") : std::max<int64_t>(1, prompt);
  seen->high = options.given("high") ? parse_position(options.text("high"), "vaa_bisect: high") : std::min(most, sizes[std::min(kReach, sizes.size()) - 1]);
  if (seen->high > most) fail(VAA_ERROR_OPTION, "vaa_bisect: high: " + grouped(seen->high) + " is out of reach, at most " + grouped(most) + ": " + why);
  if (seen->low >= seen->high) {
    fail(VAA_ERROR_OPTION, "vaa_bisect: low: " + grouped(seen->low) + " must be below high, which is " + grouped(seen->high) + (options.given("high") ? "" : "; " + why));
  }
  seen->reach_high = std::count_if(sizes.begin(), sizes.end(), [&](int64_t size) { return size >= seen->high; });
}

// The pair of servers, as the search asks them.
class Pair : public Oracle {
 public:
  Pair(const std::vector<Passage>& passages, RungAsker* rungs, BisectSeen* seen) : passages_(passages), rungs_(rungs), seen_(seen) {}

  // The reference `repeats` times at both ends, the last time at another concurrency; tau from what moved. Memory: what it said there.
  std::vector<RungTrial> itself(int64_t repeats) {
    for (int64_t r = 0; r < repeats; ++r) {
      std::vector<Rung> rungs;
      for (const int64_t at : {seen_->low, seen_->high}) add(at, 0, r, &rungs);
      rungs_->ask(rungs, r + 1 < repeats ? seen_->concurrency : seen_->other_concurrency);
    }
    std::vector<double> changes;
    bool lists = false;
    each_again(0, repeats, [&](size_t, int64_t, const Continuation& first, const Continuation& again) {
      append_gap_changes(first, again, &changes);
      lists = lists || first.has_logprobs();
    });
    seen_->tau = tau_from(std::move(changes));
    seen_->ids_only = seen_->ids_only || !lists;
    std::vector<RungTrial> trials;
    each_again(0, repeats, [&](size_t p, int64_t at, const Continuation& first, const Continuation& again) {
      const Parting parting = part(first, again, seen_->tau.value);
      seen_->itself_parted += parting.index >= 0;
      trials.push_back(trial(p, at, parting));
    });
    return trials;
  }

  // The target at both ends, where most of it was asked already: how often it parts from itself.
  Rate target_itself(int64_t repeats) {
    std::vector<Rung> rungs;
    for (int64_t r = 0; r < repeats; ++r) {
      for (const int64_t at : {seen_->low, seen_->high}) add(at, 1, r, &rungs);
    }
    rungs_->ask(rungs, seen_->concurrency);
    int64_t parted = 0, all = 0;
    each_again(1, repeats, [&](size_t p, int64_t at, const Continuation& first, const Continuation& again) {
      ++all;
      parted += trial(p, at, part(first, again, seen_->tau.value)).parted >= 0;
    });
    return rate_of(parted, all);
  }

  std::vector<RungTrial> ask(int64_t at, int64_t round) override {
    std::vector<Rung> rungs;
    add(at, 0, round, &rungs);
    add(at, 1, round, &rungs);
    // Both servers' questions for one answer stand together, so neither is asked long before the other.
    std::sort(rungs.begin(), rungs.end());
    rungs_->ask(rungs, seen_->concurrency);
    std::vector<RungTrial> trials;
    for (size_t p = 0; p < passages_.size(); ++p) {
      if (passages_[p].size() < at) continue;
      const Continuation &first = rungs_->said({p, at, 0, round}), &other = rungs_->said({p, at, 1, round});
      if (first.error.empty() && other.error.empty()) trials.push_back(trial(p, at, part(first, other, seen_->tau.value)));
    }
    return trials;
  }

 private:
  void add(int64_t at, size_t server, int64_t repeat, std::vector<Rung>* rungs) const {
    for (size_t p = 0; p < passages_.size(); ++p) {
      if (passages_[p].size() >= at) rungs->push_back({p, at, server, repeat});
    }
  }

  template <class Use>
  void each_again(size_t server, int64_t repeats, Use use) const {
    for (const int64_t at : {seen_->low, seen_->high}) {
      for (size_t p = 0; p < passages_.size(); ++p) {
        if (passages_[p].size() < at) continue;
        const Continuation& first = rungs_->said({p, at, server, 0});
        for (int64_t r = 1; r < repeats && first.error.empty(); ++r) {
          const Continuation& again = rungs_->said({p, at, server, r});
          if (again.error.empty()) use(p, at, first, again);
        }
      }
    }
  }

  RungTrial trial(size_t passage, int64_t at, const Parting& parting) const {
    RungTrial t;
    t.passage = static_cast<int64_t>(passage);
    t.at = at;
    t.compared = parting.compared;
    const bool no_evidence = parting.what == PartingClass::kNoEvidence;
    if (parting.what == PartingClass::kSuspect || (no_evidence && seen_->ids_only)) t.parted = parting.index;
    t.undetermined = parting.what == PartingClass::kUndetermined || (no_evidence && !seen_->ids_only);
    t.swing = parting.swing;
    return t;
  }

  const std::vector<Passage>& passages_;
  RungAsker* rungs_;
  BisectSeen* seen_;
};

// Questions that a search of this size will ask, about.
int64_t expected_questions(const BisectSeen& seen, int64_t repeats) {
  int64_t steps = 0;
  for (int64_t width = seen.high - seen.low; width > 1; width /= 2) ++steps;
  return seen.answers * (2 * repeats + 2 * seen.repeat + 2 * (steps + 14));
}

}  // namespace

AskReport bisect(Asker* asker, const std::string& run, const std::string& out_path, std::string_view options, vaa_task* task) {
  const Options given(numbers_as_texts(options, {"low", "high"}), kOptions, kWhat);
  CutOptions cut = cut_options(given, kWhat);
  keep_apart(run, out_path);
  const size_t urls = asker->options().urls.size();
  if (urls != 2) fail(VAA_ERROR_ARGUMENT, "vaa_bisect: urls: " + std::to_string(urls) + " servers are given, it takes two: the reference first, then the one in doubt");
  if (given.given("high")) cut.choice.shortest = parse_position(given.text("high"), "vaa_bisect: high");
  else if (given.given("low")) cut.choice.shortest = parse_position(given.text("low"), "vaa_bisect: low") + 1;
  const std::vector<Server>& servers = asker->servers(task);
  const std::vector<StructuralNumber> numbers = numbers_of(given, servers);

  BisectSeen seen;
  std::unique_ptr<Reencoder> reencoder;
  if (cut.reencode) reencoder = std::make_unique<Reencoder>(asker->options(), servers[0], task);
  const std::vector<Passage> passages = read_passages(run, cut.choice, reencoder.get(), task, &seen.counts);
  seen.run = run;
  seen.answers = static_cast<int64_t>(passages.size());
  seen.drawn = cut.choice.sample > 0 && seen.answers < seen.counts.usable;
  seen.tokens = cut.tokens;
  seen.repeat = given.integer("repeat");
  seen.concurrency = asker->options().session.connection.concurrency;
  for (const Server& server : servers) seen.ids_only = seen.ids_only || server.logprobs == 0 || server.top_logprobs == 0 || server.dialect->most_logprobs == 0;
  set_ends(given, passages, servers, &seen);

  RungAsker rungs(asker, &passages, "bisect", run, out_path, cut.existing, cut.tokens, task);
  const int64_t repeats = itself_repeats(seen.reach_high, seen.repeat);
  rungs.expect(expected_questions(seen, repeats));
  Pair pair(passages, &rungs, &seen);
  const std::vector<RungTrial> itself = pair.itself(repeats);
  seen.result = search_edge(plan_for(seen.low, seen.high, seen.tokens, seen.reach_high, seen.repeat), itself, &pair);
  if (seen.result.kind == SearchResult::Kind::kFromStart) seen.target_itself = pair.target_itself(seen.repeat);
  if (seen.result.kind == SearchResult::Kind::kFound) seen.hits = structural_hits(seen.result.lo, seen.result.hi, numbers);
  seen.numbers_given = !numbers.empty();
  seen.answered = rungs.answered();
  seen.failed = rungs.failed();
  seen.resumed = rungs.resumed();
  seen.failures = rungs.failures();
  seen.notes = rungs.notes();
  return bisect_report(seen, servers);
}

}  // namespace vaa::capture
