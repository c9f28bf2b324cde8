#include "capture/again.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/failure.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "base/text_hash.h"
#include "capture/again_cells.h"
#include "capture/ask_options.h"
#include "capture/cut_options.h"
#include "capture/flag_judge.h"
#include "capture/json_members.h"
#include "capture/request_pass.h"
#include "capture/sample_fields.h"
#include "capture/stored_answers.h"

namespace vaa::capture {
namespace {

using Type = OptionSpec::Type;

constexpr std::string_view kWhat = "vaa_ask_again";
constexpr double kWaitS = 0.25;      // between two looks at the log's sync
constexpr size_t kFailures = 5;
constexpr OptionSpec kOptions[] = {{"for", Type::kText, 1, 64, "", "\"quality\"", "which fields the requests get"},
                                   kCutFlag,
                                   kCutIds,
                                   {"sample", Type::kInt, 0, 1e9, "", "0", "that many cases, drawn; 0: all"},
                                   kCutSeed,
                                   {"repeat", Type::kInt, 1, 10000, "", "10", "times each case is asked of each server at each concurrency"},
                                   {"concurrencies", Type::kTexts, 1, 8, "", "", "such as 1 and 64; default: that of the asker"},
                                   {"stop_after", Type::kInt, 0, 10000, "", "0", "bad answers after which a case is not asked again on a server at a concurrency; 0: never"},
                                   {"max_tokens", Type::kInt, 1, 1e9, "", "", "instead of what the input says"},
                                   {"temperature", Type::kReal, 0, 100, "", "", "instead of what the input says"},
                                   {"top_p", Type::kReal, 0, 1, "", "", "instead of what the input says"},
                                   {"top_k", Type::kInt, -1, 1e9, "", "", "instead of what the input says"},
                                   {"request_seed", Type::kInt, 0, 9007199254740992, "", "", "instead of what the input says; the same for every repeat"},
                                   {"top_logprobs", Type::kInt, 0, 20, "", "", "logprobs of so many likeliest tokens"},
                                   {"stream", Type::kBool, 0, 0, "", "true", "answers as they are written"},
                                   kCutResume,
                                   kCutForce};

std::vector<int> concurrencies_of(const Options& options, int most) {
  if (!options.given("concurrencies")) return {most};
  std::vector<int> levels;
  for (const std::string& text : options.texts("concurrencies")) {
    const bool digits = !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == text.npos;
    const int level = digits ? std::stoi(text) : 0;
    if (level < 1 || level > 4096) fail(VAA_ERROR_OPTION, "vaa_ask_again: concurrencies: " + quoted(text) + " is no concurrency, allowed are 1 to 4096");
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
  }
  if (levels.empty()) fail(VAA_ERROR_OPTION, "vaa_ask_again: concurrencies: the list is empty");
  return levels;
}

uint64_t hash_of_answer(const vaa_sample* sample) {
  const std::vector<int32_t> ids = ids_field(sample, VAA_FIELD_OUTPUT_TOKEN_IDS);
  if (!ids.empty()) return hash_bytes(1, {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(int32_t)});
  return hash_bytes(2, text_field(sample, VAA_FIELD_OUTPUT_REASONING) + '\0' + text_field(sample, VAA_FIELD_OUTPUT_TEXT) + '\0' + text_field(sample, VAA_FIELD_TOOL_CALLS));
}

// One question: which cell, which time.
struct Ask {
  size_t case_number, server, level;
  int64_t repeat;
};

class AskingAgain {
 public:
  AskingAgain(Asker* asker, AgainSeen* seen, const Purpose& purpose, const RequestChanges& changes, const std::string& out_path, Existing existing, vaa_task* task)
      : seen_(*seen), purpose_(purpose), changes_(changes), task_(task), judge_(seen->flag), log_(out_path, existing, task), session_(session_options(asker, *seen), seen->servers) {
    check_resumed_of("again", out_path, log_);
    each_stored(out_path, &log_, [this](const std::string& key, const vaa_sample* sample) { stored_[key] = {judge_.has(sample) ? Outcome::kBad : Outcome::kGood, hash_of_answer(sample)}; });
    if (log_.header().empty()) write_header();
    total_ = static_cast<int64_t>(seen->cells.size()) * seen->repeat;
  }

  void run() {
    for (size_t level = 0; level < seen_.concurrencies.size(); ++level) {
      for (size_t server = 0; server < seen_.servers.size(); ++server) run(server, level);
    }
  }

 private:
  struct Stored {
    Outcome outcome;
    uint64_t hash;
  };

  // The pool of connections must hold the highest concurrency.
  static SessionOptions session_options(Asker* asker, const AgainSeen& seen) {
    SessionOptions options = asker->options().session;
    options.connection.concurrency = *std::max_element(seen.concurrencies.begin(), seen.concurrencies.end());
    return options;
  }

  void run(size_t server, size_t level) {
    const auto limit = static_cast<size_t>(seen_.concurrencies[level]);
    std::vector<std::pair<Ask, std::string>> sent;  // by place
    size_t next_case = 0;
    int64_t repeat = 0;
    // The cases in turn, so that a stop rule sees the answers of a case before it is asked again.
    const auto next = [&](Ask* ask) {
      if (next_case == seen_.cases.size()) {
        next_case = 0;
        ++repeat;
      }
      if (repeat >= seen_.repeat) return false;
      *ask = {next_case++, server, level, repeat};
      return true;
    };
    Answer answer;
    bool more = !seen_.cases.empty();
    while (more || session_.busy() > 0) {
      for (Ask ask{}; more && session_.busy() < limit;) {
        more = next(&ask);
        if (more) put(ask, &sent);
      }
      if (session_.busy() > 0 && session_.next(&answer, kWaitS, task_)) {
        const auto& [ask, key] = sent[static_cast<size_t>(answer.question.place)];
        arrived(ask, key, &answer);
        session_.recycle(&answer);
      }
      log_.sync_if_due();
    }
  }

  void put(const Ask& ask, std::vector<std::pair<Ask, std::string>>* sent) {
    AgainCell& cell = seen_.cell(ask.case_number, ask.server, ask.level);
    if (seen_.stop_after > 0 && cell.bad() >= seen_.stop_after) {
      --total_;
      progress();
      return;
    }
    const Request& request = seen_.cases[ask.case_number];
    const Server& server = seen_.servers[ask.server];
    std::string body = fitted_body(request, server, purpose_, changes_, &seen_.notes);
    const std::string key = request_hash(request.path, body) + "@" + server.endpoint + "#" + std::to_string(ask.repeat) + " at " + std::to_string(seen_.concurrencies[ask.level]) + " of " + request.dataset + "/" + request.id +
                            "/" + std::to_string(request.repeat);
    const auto stored = stored_.find(key);
    if (stored != stored_.end()) {
      ++seen_.resumed;
      count(ask, stored->second.outcome, stored->second.hash);
      return;
    }
    sent->emplace_back(ask, key);
    session_.ask({static_cast<int64_t>(sent->size()) - 1, ask.server, request.path, std::move(body)});
  }

  void arrived(const Ask& ask, const std::string& key, Answer* answer) {
    answer->samples.resize(1);  // a repeat is a request of its own
    vaa_sample* sample = answer->samples[0].get();
    const Request& request = seen_.cases[ask.case_number];
    std::string again;
    JsonWriter json(&again);
    json.begin_object().member("case", request.id).member("server", static_cast<int64_t>(ask.server)).member("concurrency", seen_.concurrencies[ask.level]).member("repeat", ask.repeat).end_object();
    if (!request.id.empty()) set_text(sample, VAA_FIELD_ID, request.id);
    if (!request.dataset.empty()) set_text(sample, VAA_FIELD_DATASET, request.dataset);
    set_integer(sample, VAA_FIELD_REPEAT, static_cast<int64_t>(ask.level * seen_.servers.size() + ask.server) * seen_.repeat + ask.repeat);
    mark(sample, {{"ask", ask_mark(key)}, {"again", again}});
    log_.append(answer->samples);
    if (!answer->failed) {
      ++seen_.answered;
      count(ask, judge_.has(sample) ? Outcome::kBad : Outcome::kGood, hash_of_answer(sample));
      return;
    }
    ++seen_.failed;
    const std::string why = text_field(sample, VAA_FIELD_ERROR_MESSAGE);
    if (seen_.failures.size() < kFailures && std::find(seen_.failures.begin(), seen_.failures.end(), why) == seen_.failures.end()) seen_.failures.push_back(why);
    count(ask, Outcome::kFailed, 0);
  }

  void count(const Ask& ask, Outcome outcome, uint64_t hash) {
    AgainCell& cell = seen_.cell(ask.case_number, ask.server, ask.level);
    cell.outcomes[static_cast<size_t>(ask.repeat)] = outcome;
    if (outcome != Outcome::kFailed) cell.answers.insert(hash);
    progress();
  }

  void progress() const {
    const int64_t done = seen_.answered + seen_.resumed + seen_.failed;
    vaa_task_set(task_, done, std::max(total_, done), seen_.answered + seen_.resumed, seen_.failed);
  }

  void write_header() {
    std::string text;
    JsonWriter json(&text);
    json.begin_object().member("schema", "vaa.run/1").key("endpoints").begin_array();
    for (const Server& server : seen_.servers) json.string(server.endpoint);
    json.end_array().member("start_s", now_s()).key("tool").begin_object().member("name", "vaa ask --again").member("version", view(vaa_version())).end_object();
    json.key("extra").begin_object().key("again").begin_object().member("input", seen_.input).member("flag", seen_.flag).member("repeat", seen_.repeat).member("stop_after", seen_.stop_after);
    json.key("concurrencies").begin_array();
    for (const int level : seen_.concurrencies) json.integer(level);
    json.end_array().end_object().end_object().end_object();
    log_.write_header(text);
  }

  AgainSeen& seen_;
  const Purpose& purpose_;
  const RequestChanges& changes_;
  vaa_task* task_;
  FlagJudge judge_;
  RecordLog log_;
  Session session_;
  std::map<std::string, Stored> stored_;  // of a resumed file, by key
  int64_t total_ = 0;
};

bool is_request_file(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && holds_requests(path, false);
}

void read_cases(const std::string& input, const Options& options, const vaa_task* task, AgainSeen* seen) {
  SourceOptions source;
  // Of a run the cases with the flag; of requests all: they say nothing of answers.
  if (options.given("flag") && !is_request_file(input)) source.flag = options.text("flag");
  if (options.given("ids")) source.ids = options.texts("ids");
  source.sample = options.integer("sample");
  source.seed = static_cast<uint64_t>(options.integer("seed"));
  const auto requests = open_requests(input, source, task);
  Request request;
  bool seeded = false;
  while (requests->next(&request)) {
    seeded = seeded || !member_value(json_members(request.body), "seed").empty();
    seen->cases.push_back(std::move(request));
  }
  seen->skipped = requests->skipped();
  seen->problems = requests->problems();
  if (seen->cases.empty()) {
    std::string why = seen->problems.empty() ? "" : ": " + seen->problems.front();
    fail(VAA_ERROR_FORMAT, input + ": there is no case to ask again" + why);
  }
  if (seeded || options.given("request_seed")) seen->notes.push_back({"seed: requests carry one, so a server that keeps its promise says the same each time", "seed：请求带有种子，遵守约定的服务器每次回答相同"});
}

}  // namespace

AskReport ask_again(Asker* asker, const std::string& input, const std::string& out_path, std::string_view options, vaa_task* task) {
  const Options given(numbers_as_texts(options, {"concurrencies"}), kOptions, kWhat);
  const Purpose& purpose = find_purpose(given.text("for"));
  const RequestChanges changes = request_changes(given);
  AgainSeen seen;
  keep_apart(input, out_path);
  seen.input = input;
  seen.flag = given.given("flag") ? given.text("flag") : "any";
  seen.repeat = given.integer("repeat");
  seen.stop_after = given.integer("stop_after");
  seen.concurrencies = concurrencies_of(given, asker->options().session.connection.concurrency);
  const Existing existing = existing_option(given, kWhat);
  read_cases(input, given, task, &seen);
  seen.servers = asker->servers(task);
  seen.cells.resize(seen.cases.size() * seen.servers.size() * seen.concurrencies.size());
  for (AgainCell& cell : seen.cells) cell.outcomes.assign(static_cast<size_t>(seen.repeat), Outcome::kNotAsked);
  AskingAgain(asker, &seen, purpose, changes, out_path, existing, task).run();
  return again_report(seen);
}

}  // namespace vaa::capture
