#include "capture/ask_run.h"

#include <algorithm>
#include <cstdio>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_hash.h"
#include "capture/json_members.h"
#include "capture/record_log.h"
#include "capture/resume.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr double kWaitS = 0.25;         // between two looks at the log's sync and the counters
constexpr double kScrapeWaitS = 0.02;   // the same while a page is on its way
constexpr double kProgressS = 0.1;
constexpr size_t kProblems = 20;

std::string hex(const KeyDigest& digest) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(digest.high), static_cast<unsigned long long>(digest.low));
  return text;
}

int64_t choices_of(std::string_view body) {
  const std::string_view value = member_value(json_members(body), "n");
  JsonReader json(value);
  int64_t n = 1;
  return !value.empty() && json.peek() == JsonKind::kNumber && json.int64(&n) && n > 1 ? n : 1;
}

}  // namespace

AskRun::AskRun(const AskerOptions& asker, const std::vector<Server>& servers, RequestSource* source, RecordLog* log, AskSeen* seen, vaa_task* task)
    : servers_(servers), source_(source), log_(log), seen_(seen), task_(task), session_(asker.session, servers), scraper_(asker.session.connection, servers, seen->options.metrics_every_s),
      next_server_(servers.size()) {
  seen_->tally.servers.resize(servers.size());
  seen_->scraped.resize(servers.size());
  if (source->total() >= 0) seen_->total = source->total() * static_cast<int64_t>(servers.size()) * seen->options.purpose->times;
}

void AskRun::work() {
  progress(true);
  scraper_.scrape(task_);
  seen_->scraped = scraper_.result();
  Answer answer;
  for (fill(); session_.busy() > 0; fill()) {
    if (session_.next(&answer, scraper_.under_way() ? kScrapeWaitS : kWaitS, task_)) {
      arrived(&answer);
      session_.recycle(&answer);
    }
    scraper_.poll(task_);
    log_->sync_if_due();
    progress(false);
  }
  scraper_.scrape(task_);
  seen_->scraped = scraper_.result();
  progress(true);
}

// The next question is there: a request for the server `next_server_`.
bool AskRun::prepare_next() {
  if (next_server_ < servers_.size()) return true;
  if (!source_->next(&request_)) return false;
  next_server_ = 0;
  return true;
}

void AskRun::fill() {
  while (session_.busy() < static_cast<size_t>(seen_->concurrency) && prepare_next()) {
    const size_t server = next_server_++;
    Asked asked;
    asked.request = request_;
    try {
      asked.body = fitted_body(request_, servers_[server], *seen_->options.purpose, seen_->options.changes, &seen_->notes);
    } catch (const Failure& failure) {
      if (failure.status() != VAA_ERROR_ARGUMENT && failure.status() != VAA_ERROR_FORMAT) throw;
      ++seen_->skipped;
      seen_->total -= seen_->total > 0 ? seen_->options.purpose->times : 0;
      if (seen_->problems.size() < kProblems) seen_->problems.push_back(failure.message());
      continue;
    }
    asked.hash = request_hash(request_.path, asked.body);
    asked.choices = choices_of(asked.body);
    put(std::move(asked), server);
  }
}

// Asks the first pass that the log does not hold.
void AskRun::put(Asked asked, size_t server) {
  const std::string question = request_.dataset + '\0' + asked.request.id + '\0' + servers_[server].endpoint + '\0' + asked.request.path + '\0' + asked.body + '\0';
  for (; asked.pass < seen_->options.purpose->times; ++asked.pass) {
    const int64_t repeat = asked.request.repeat * seen_->options.purpose->times + asked.pass;
    asked.key = hex(key_digest(question + std::to_string(repeat)));
    if (log_->has(asked.key)) {
      ++seen_->tally.servers[server].resumed;
      continue;
    }
    for (std::string& member : against_speculation(asked.body, servers_[server])) seen_->tally.servers[server].against_speculation.insert(std::move(member));
    session_.ask({place_, server, asked.request.path, asked.body});
    in_flight_.emplace(place_++, std::move(asked));
    return;
  }
}

void AskRun::arrived(Answer* answer) {
  const auto found = in_flight_.find(answer->question.place);
  Asked asked = std::move(found->second);
  in_flight_.erase(found);
  label(asked, answer);
  log_->append(answer->samples);
  const Purpose& purpose = *seen_->options.purpose;
  const int top = seen_->options.changes.top_logprobs >= 0 ? seen_->options.changes.top_logprobs : purpose.top_logprobs;
  seen_->tally.add(*answer, purpose.ids, top > 0, asked.pass > 0);
  if (purpose.times > 1) ask_once_more(std::move(asked), answer->question.server, *answer);
}

// The passes of one question follow each other, so that the later ones find what the first left in the cache.
void AskRun::ask_once_more(Asked asked, size_t server, const Answer& answer) {
  ServerTally& tally = seen_->tally.servers[server];
  const vaa_sample* sample = answer.samples.front().get();
  const uint64_t text = hash_bytes(1, text_field(sample, VAA_FIELD_OUTPUT_REASONING) + '\0' + text_field(sample, VAA_FIELD_OUTPUT_TEXT)) | 1;
  if (asked.pass > 0 && asked.first_text != 0 && !answer.failed) {
    ++tally.second_answers;
    tally.second_same += text == asked.first_text;
    tally.cached_answers += integer_field(sample, VAA_FIELD_CACHED_TOKENS, 0) > 0;
  }
  if (answer.failed) {
    if (seen_->total > 0) seen_->total -= seen_->options.purpose->times - 1 - asked.pass;
    return;
  }
  if (asked.pass == 0) asked.first_text = text;
  ++asked.pass;
  put(std::move(asked), server);
}

void AskRun::label(const Asked& asked, Answer* answer) const {
  const Purpose& purpose = *seen_->options.purpose;
  const int64_t base = (asked.request.repeat * purpose.times + asked.pass) * asked.choices;
  std::string ask;
  JsonWriter json(&ask);
  json.begin_object().member("key", asked.key).member("custom_id", asked.request.id).member("hash", asked.hash).member("tries", answer->tries);
  if (purpose.times > 1) json.member("pass", asked.pass);
  if (answer->samples.size() > 1) json.member("of", static_cast<int64_t>(answer->samples.size()));
  json.end_object();
  for (const OwnedSample& owned : answer->samples) {
    vaa_sample* sample = owned.get();
    set_text(sample, VAA_FIELD_ID, asked.request.id);
    if (!asked.request.dataset.empty()) set_text(sample, VAA_FIELD_DATASET, asked.request.dataset);
    set_integer(sample, VAA_FIELD_REPEAT, base + integer_field(sample, VAA_FIELD_REPEAT, 0));
    const std::string extra = text_field(sample, VAA_FIELD_EXTRA);
    set_text(sample, VAA_FIELD_EXTRA, with_members(json_members(extra.empty() ? "{}" : extra), {{"ask", ask}}));
  }
}

void AskRun::progress(bool now) {
  if (!now && steady_s() - progress_s_ < kProgressS) return;
  progress_s_ = steady_s();
  const ServerTally all = seen_->tally.counts();
  vaa_task_set(task_, session_.tokens(), std::max<int64_t>(0, seen_->total), all.answered + all.failed + all.resumed, all.failed);
}

}  // namespace vaa::capture
