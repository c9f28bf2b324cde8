#include "compare/token_strip.h"

#include <algorithm>
#include <limits>

#include "base/math.h"
#include "base/json_writer.h"
#include "base/text_hash.h"
#include "compare/handled_output.h"
#include "report/document.h"
#include "text/bounded.h"

namespace vaa {
namespace {

constexpr double kMostMass = 1 + 1e-3, kMostKlMass = 1 + 9e-6;  // of listed probabilities; stats::kl_from_top_k refuses more than 1 + 1e-5
constexpr double kRounded = 1e-3;   // nats: as far above 0 as listed probabilities may add to above 1
constexpr double kWholeMass = 1e-4;  // a list that lacks no more holds all that its side gives
constexpr size_t kFewEntries = 32;

uint64_t hashed(std::string_view text) { return hash_bytes(0x73747270, text) | 1; }
uint64_t hashed(const Sample& sample, TextField field) { return sample.has(field) ? hashed(sample.text(field)) : 0; }

std::string number_text(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

// Where the scores of a strip's ids stand in a sample: rows [from, from + n) of these columns.
struct Columns {
  RealsField chosen;
  IdsField ids;
  RealsField logprobs;
  IntsField ends;
};
constexpr Columns kOutput{RealsField::kOutputLogprobs, IdsField::kOutputTopIds, RealsField::kOutputTopLogprobs, IntsField::kOutputTopEnds};
constexpr Columns kPrompt{RealsField::kPromptLogprobs, IdsField::kPromptTopIds, RealsField::kPromptTopLogprobs, IntsField::kPromptTopEnds};

bool has_twice(std::span<const int32_t> ids) {
  if (ids.size() > kFewEntries) {
    std::vector<int32_t> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  }
  for (size_t i = 1; i < ids.size(); ++i) {
    if (std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), ids[i]) != ids.begin() + static_cast<std::ptrdiff_t>(i)) return true;
  }
  return false;
}

class StripReader {
 public:
  StripReader(const Sample& sample, const Vocab* vocab, TokenStrip* strip, SideFaults* faults) : sample_(sample), vocab_(vocab), strip_(*strip), faults_(*faults) {}

  void take_ids(const std::vector<int32_t>& ids, size_t from, size_t to, const char* what, std::vector<int32_t>* out) {
    out->assign(ids.begin() + static_cast<std::ptrdiff_t>(from), ids.begin() + static_cast<std::ptrdiff_t>(to));
    for (size_t i = 0; i < out->size(); ++i) {
      const int32_t id = (*out)[i];
      if (id >= 0 && (vocab_ == nullptr || static_cast<size_t>(id) < vocab_->size())) continue;
      faults_.out_of_range += 1;
      say(what, from + i, "id " + std::to_string(id));
    }
  }
  // Of ids [from, all) of the sample's column.
  void take_scores(const Columns& columns, size_t from, size_t all) {
    const char* what = columns.chosen == RealsField::kOutputLogprobs ? "output" : "prompt";
    bool fits = true;
    states_.assign(all - from, 0);
    if (sample_.has(columns.chosen) && !sample_.real_lists.get(columns.chosen).empty()) {
      const auto& chosen = sample_.real_lists.get(columns.chosen);
      fits = chosen.size() == all;
      if (fits) take_chosen(chosen, from, what);
      else say_answer(std::to_string(chosen.size()) + " " + what + " logprobs for " + std::to_string(all) + " ids");
    }
    if (sample_.has(columns.ends) && sample_.has(columns.ids) && sample_.has(columns.logprobs) && !sample_.int_lists.get(columns.ends).empty()) {
      const bool lists = lists_fit(columns, all);
      if (lists) take_lists(columns, from, what);
      else if (fits) say_answer("lists of " + std::to_string(sample_.int_lists.get(columns.ends).size()) + " " + what + " positions for " + std::to_string(all) + " ids, or lists that do not fit their ends");
      fits = fits && lists;
    }
    faults_.wrong_length += !fits;
    faults_.scored += std::count_if(states_.begin(), states_.end(), [](uint8_t state) { return state != 0; });
    faults_.impossible += std::count_if(states_.begin(), states_.end(), [](uint8_t state) { return (state & kImpossible) != 0; });
  }

 private:
  enum State : uint8_t { kScored = 1, kImpossible = 2 };  // of a position
  void say(const char* what, size_t position, const std::string& words) {
    if (faults_.first.empty()) faults_.first = strip_name(strip_.key) + ", " + what + " " + std::to_string(position) + ": " + words;
  }
  void say_answer(const std::string& words) {
    if (faults_.first.empty()) faults_.first = strip_name(strip_.key) + ": " + words;
  }
  // Position i of the strip holds a number that cannot be.
  void rule_out(size_t i, const char* what, size_t position, const std::string& words) {
    states_[i] |= kImpossible;
    say(what, position, words);
    if (faults_.first_impossible.empty()) faults_.first_impossible = strip_name(strip_.key) + ", " + what + " " + std::to_string(position) + ": " + words;
  }
  // Counts what no logprob can be; −infinity of a token that was not chosen is a mask by right.
  bool usable(double value, bool chosen, size_t i, const char* what, size_t position) {
    states_[i] |= kScored;
    const bool none = std::isnan(value) || (chosen && std::isinf(value) && value < 0);
    if (!none && value <= 0) return true;
    if (!none && value <= kRounded) {
      faults_.rounded += 1;
      return false;
    }
    (none ? faults_.nan : faults_.positive) += 1;
    rule_out(i, what, position, faults_.first_impossible.empty() ? "logprob " + (std::isnan(value) ? std::string("NaN") : std::isinf(value) ? std::string(value < 0 ? "-infinity" : "infinity") : number_text(value)) : "");
    return false;
  }
  void take_chosen(const std::vector<double>& chosen, size_t from, const char* what) {
    std::vector<float>& out = strip_.scores.chosen;
    for (size_t i = from; i < chosen.size(); ++i) out.push_back(usable(chosen[i], true, i - from, what, i) ? static_cast<float>(chosen[i]) : std::nanf(""));
    faults_.with_logprobs += 1;
  }
  bool lists_fit(const Columns& columns, size_t all) const {
    const auto& ends = sample_.int_lists.get(columns.ends);
    const size_t entries = sample_.ids.get(columns.ids).size();
    if (ends.size() != all || sample_.real_lists.get(columns.logprobs).size() != entries || entries > std::numeric_limits<uint32_t>::max()) return false;
    return std::is_sorted(ends.begin(), ends.end()) && ends.front() >= 0 && static_cast<size_t>(ends.back()) <= entries;
  }
  void take_lists(const Columns& columns, size_t from, const char* what) {
    const auto& ends = sample_.int_lists.get(columns.ends);
    TokenScores& to = strip_.scores;
    to.ids.reserve(static_cast<size_t>(ends.back()) - (from == 0 ? 0 : static_cast<size_t>(ends[from - 1])));
    to.logprobs.reserve(to.ids.capacity());
    size_t begin = from == 0 ? 0 : static_cast<size_t>(ends[from - 1]);
    bool any = false;
    for (size_t i = from; i < ends.size(); ++i) {
      const auto end = static_cast<size_t>(ends[i]);
      const auto first = static_cast<std::ptrdiff_t>(begin);
      to.flags.push_back(end > begin ? take_list({sample_.ids.get(columns.ids).data() + first, end - begin}, {sample_.real_lists.get(columns.logprobs).data() + first, end - begin}, i - from, i, what) : 0);
      to.ends.push_back(static_cast<uint32_t>(to.ids.size()));
      if (end > begin) {
        any = true;
        const auto size = static_cast<int64_t>(end - begin);
        faults_.list_size = faults_.list_size == 0 ? size : std::min(faults_.list_size, size);
      }
      begin = end;
    }
    faults_.with_lists += any;
  }
  // Appends the list's entries that are no masks; the flags of the list.
  uint8_t take_list(std::span<const int32_t> ids, std::span<const double> logprobs, size_t i, size_t position, const char* what) {
    TokenScores& to = strip_.scores;
    const bool chosen_first = ids[0] == strip_.output[i];
    bool good = true, falling = true;
    double mass = 0;
    const size_t before = to.ids.size();
    for (size_t k = 0; k < ids.size(); ++k) {
      if (!usable(logprobs[k], chosen_first && k == 0, i, what, position)) {
        good = false;
        continue;
      }
      if (k > (chosen_first ? 1 : 0) && logprobs[k] > logprobs[k - 1]) falling = false;
      if (std::isinf(logprobs[k])) continue;
      mass += math::exp(logprobs[k]);
      to.ids.push_back(ids[k]);
      to.logprobs.push_back(static_cast<float>(logprobs[k]));
    }
    const bool twice = has_twice(ids);
    if (good && (twice || !falling)) {
      faults_.rank += 1;
      if (twice) rule_out(i, what, position, "a list names an id twice");
      else say(what, position, "a list is not in falling order");
    }
    if (good && mass > kMostMass) {
      faults_.mass += 1;
      rule_out(i, what, position, "listed probabilities add to " + number_text(mass));
    }
    if (good && !twice && mass <= kMostMass) {
      faults_.over_one += mass > kMostKlMass;
      faults_.lists += 1;
      faults_.whole += mass >= 1 - kWholeMass;
      return mass > kMostKlMass ? TokenScores::kNoKl : 0;
    }
    to.ids.resize(before);
    to.logprobs.resize(before);
    return TokenScores::kBad;
  }
  const Sample& sample_;
  const Vocab* vocab_;
  TokenStrip& strip_;
  SideFaults& faults_;
  std::vector<uint8_t> states_;
};

Draw draw_of(const Sample& sample) {
  if (sample.forced()) return Draw::kGreedy;
  if (!sample.has(RealField::kTemperature)) return Draw::kUnknown;
  if (sample.real(RealField::kTemperature, 1) == 0) return Draw::kGreedy;
  return sample.has(TextField::kSeed) ? Draw::kSeeded : Draw::kSampled;
}

// By a stop token, as calls of tools do too; a stop string is text, a stop token's id a number.
bool ended_by_token(const Sample& sample) {
  const std::string_view finish = sample.text(TextField::kFinishReason), stop = sample.text(TextField::kStopReason);
  return (finish == "stop" || finish == "tool_calls") && stop.find_first_not_of("0123456789") == std::string_view::npos;
}

// extra.rung of a ladder's records (docs/ladder.md).
void read_rung(const Sample& sample, StripFacts* facts) {
  const std::string_view extra = sample.text(TextField::kExtra);
  if (extra.find("\"rung\"") == std::string_view::npos) return;
  const Document all = Document::parse(extra);
  const Document& rung = all["rung"];
  if (!rung.there() || rung["at"].kind() != JsonKind::kNumber) return;
  facts->kind = PairKind::kRung;
  facts->at = rung["at"].integer();
  facts->branch = static_cast<uint64_t>(rung["repeat"].integer()) + 1;
  facts->server = rung["server"].integer();
}

void read_facts(const Sample& sample, StripFacts* facts) {
  facts->draw = draw_of(sample);
  if (sample.has(IntField::kIdsIncludeStop)) facts->includes_stop = sample.integer(IntField::kIdsIncludeStop, 0) != 0;
  facts->has_prompt = sample.has(IdsField::kPromptTokenIds);
  facts->stopped = ended_by_token(sample);
  if (sample.has(IntField::kRepeat)) facts->repeat = static_cast<int32_t>(std::min<int64_t>(sample.integer(IntField::kRepeat, 0), std::numeric_limits<int32_t>::max()));
  facts->at = facts->has_prompt ? static_cast<int64_t>(sample.ids.get(IdsField::kPromptTokenIds).size()) : sample.integer(IntField::kPromptTokens, -1);
  facts->cached = sample.integer(IntField::kCachedTokens, -1);
  facts->seed = hashed(sample, TextField::kSeed);
  facts->temperature = sample.real(RealField::kTemperature, 0);
  read_handled(sample, facts);
  const auto names = logprobs_mode_names();
  const auto mode = std::find(names.begin(), names.end(), sample.text(TextField::kLogprobsMode));
  if (mode != names.end()) facts->mode = static_cast<uint8_t>(mode - names.begin() + 1);
  if (sample.forced()) facts->kind = PairKind::kForced;
  else read_rung(sample, facts);
}

bool are_logits(const StripFacts& facts) { return facts.mode > 2; }

}  // namespace

std::span<const char* const> logprobs_mode_names() {
  static constexpr const char* kNames[] = {"raw_logprobs", "processed_logprobs", "raw_logits", "processed_logits"};
  return kNames;
}

std::string strip_name(std::string_view key) {
  const size_t end = key.find('\0');
  const std::string dataset(key.substr(0, end));
  return bounded((dataset.empty() ? "" : dataset + "/") + std::string(key.substr(end + 1)), kMaxName);
}

TokenList TokenScores::list(size_t i) const {
  if (i >= ends.size()) return {};
  const size_t begin = i == 0 ? 0 : ends[i - 1];
  return {{ids.data() + begin, ends[i] - begin}, {logprobs.data() + begin, ends[i] - begin}, (flags[i] & kBad) != 0, flags[i] == 0};
}

bool read_strip(const Sample& sample, const Vocab* vocab, TokenStrip* strip, SideFaults* faults) {
  const bool forced = sample.forced();
  if (sample.failed() || !sample.has(TextField::kId) || !sample.has(forced ? IdsField::kPromptTokenIds : IdsField::kOutputTokenIds)) return false;
  *strip = {};
  strip->key = std::string(sample.text(TextField::kDataset)) + '\0' + std::string(sample.text(forced && sample.has(TextField::kForcedOf) ? TextField::kForcedOf : TextField::kId));
  read_facts(sample, &strip->facts);
  StripReader reader(sample, vocab, strip, faults);
  const auto& ids = sample.ids.get(forced ? IdsField::kPromptTokenIds : IdsField::kOutputTokenIds);
  const auto from = forced ? static_cast<size_t>(std::clamp<int64_t>(sample.integer(IntField::kForcedFrom, 0), 0, static_cast<int64_t>(ids.size()))) : 0;
  reader.take_ids(ids, from, ids.size(), forced ? "prompt" : "output", &strip->output);
  if (strip->facts.has_prompt) {
    const auto& prompt = sample.ids.get(IdsField::kPromptTokenIds);
    reader.take_ids(prompt, 0, forced ? from : prompt.size(), "prompt", &strip->prompt);
  }
  if (forced) strip->facts.at = static_cast<int64_t>(from);
  faults->answers += 1;
  faults->tokens += static_cast<int64_t>(strip->output.size());
  faults->reencoded += sample.text(TextField::kIdsProvenance) == "reencoded";
  if (are_logits(strip->facts)) faults->logits += 1;
  else reader.take_scores(forced ? kPrompt : kOutput, from, ids.size());
  strip->facts.lists = !strip->scores.ends.empty();
  if ((strip->facts.draw == Draw::kSampled || strip->facts.draw == Draw::kUnknown) && !strip->facts.lists) {
    strip->output.clear();
    strip->scores = {};
  }
  return true;
}

void add_faults(SideFaults* to, const SideFaults& more) {
  for (const auto count : {&SideFaults::answers, &SideFaults::tokens, &SideFaults::with_logprobs, &SideFaults::with_lists, &SideFaults::nan, &SideFaults::positive, &SideFaults::rounded, &SideFaults::scored, &SideFaults::impossible, &SideFaults::mass, &SideFaults::rank,
                           &SideFaults::out_of_range, &SideFaults::wrong_length, &SideFaults::reencoded, &SideFaults::logits, &SideFaults::over_one, &SideFaults::lists, &SideFaults::whole}) {
    to->*count += more.*count;
  }
  if (more.list_size > 0) to->list_size = to->list_size == 0 ? more.list_size : std::min(to->list_size, more.list_size);
  if (to->first.empty()) to->first = more.first;
  if (to->first_impossible.empty()) to->first_impossible = more.first_impossible;
}

}  // namespace vaa
