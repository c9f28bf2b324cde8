#include "capture/rung_asker.h"

#include <algorithm>

#include "base/json_writer.h"
#include "capture/sample_fields.h"
#include "capture/stored_answers.h"

namespace vaa::capture {
namespace {

constexpr double kWaitS = 0.25;      // between two looks at the log's sync
constexpr size_t kFailures = 5;

}  // namespace

RungAsker::RungAsker(Asker* asker, const std::vector<Passage>* passages, std::string command, std::string run, std::string out_path, Existing existing, int64_t tokens, vaa_task* task)
    : servers_(asker->servers(task)), passages_(*passages), tokens_(tokens), task_(task), log_(out_path, existing, task), session_(asker->options().session, servers_),
      most_(asker->options().session.connection.concurrency) {
  check_resumed_of(command, out_path, log_);
  each_stored(out_path, &log_, [this](const std::string& key, const vaa_sample* sample) { stored_[key] = continuation_of(sample); });
  if (log_.header().empty()) write_header(command, run);
}

void RungAsker::write_header(const std::string& command, const std::string& run) {
  std::string text;
  JsonWriter json(&text);
  json.begin_object().member("schema", "vaa.run/1").key("endpoints").begin_array();
  for (const Server& server : servers_) json.string(server.endpoint);
  json.end_array().member("concurrency", most_).member("start_s", now_s()).key("tool").begin_object().member("name", command == "bisect" ? "vaa ladder --bisect" : "vaa " + command).member("version", VAA_VERSION_STRING).end_object();
  json.key("extra").begin_object().key(command).begin_object().member("run", run).member("tokens", tokens_).key("servers").begin_array();
  for (const Server& server : servers_) {
    std::string described;
    append_server(&described, server);
    json.raw(described);
  }
  json.end_array().end_object().end_object().end_object();
  log_.write_header(text);
}

void RungAsker::expect(int64_t more) {
  expected_ += more;
  progress();
}

void RungAsker::progress() const { vaa_task_set(task_, answered_ + failed_ + resumed_, std::max(expected_, answered_ + failed_ + resumed_), answered_ + resumed_, failed_); }

RungAsker::Prepared RungAsker::prepared(const Rung& rung) {
  const Server& server = servers_[rung.server];
  Prepared out;
  out.body = rung_body(passages_[rung.passage], rung.at, tokens_, server, &notes_);
  const Passage& passage = passages_[rung.passage];
  out.key = request_hash(kRungPath, out.body) + "@" + server.endpoint + "#" + std::to_string(rung.repeat) + " of " + passage.dataset + "/" + passage.id + "/" + std::to_string(passage.repeat);
  return out;
}

void RungAsker::ask(std::span<const Rung> rungs, int concurrency) {
  const auto limit = static_cast<size_t>(std::clamp(concurrency, 1, most_));
  std::vector<std::pair<Rung, std::string>> sent;  // by place
  Answer answer;
  size_t next = 0;
  while (next < rungs.size() || session_.busy() > 0) {
    while (next < rungs.size() && session_.busy() < limit) {
      const Rung& rung = rungs[next++];
      if (!said_.count(rung)) send(rung, prepared(rung), &sent);
    }
    if (session_.busy() == 0) continue;
    if (session_.next(&answer, kWaitS, task_)) {
      const auto& [rung, key] = sent[static_cast<size_t>(answer.question.place)];
      arrived(rung, key, &answer);
      session_.recycle(&answer);
    }
    log_.sync_if_due();
  }
  progress();
}

void RungAsker::send(const Rung& rung, Prepared prepared, std::vector<std::pair<Rung, std::string>>* sent) {
  const auto stored = stored_.find(prepared.key);
  if (stored != stored_.end()) {
    ++resumed_;
    said_.emplace(rung, std::move(stored->second));
    stored_.erase(stored);
    return;
  }
  sent->emplace_back(rung, std::move(prepared.key));
  said_.emplace(rung, Continuation{"it was not answered yet", {}, {}, {}, {}, {}});
  session_.ask({static_cast<int64_t>(sent->size()) - 1, rung.server, kRungPath, std::move(prepared.body)});
}

void RungAsker::arrived(const Rung& rung, const std::string& key, Answer* answer) {
  answer->samples.resize(1);  // one was asked for
  vaa_sample* sample = answer->samples[0].get();
  if (!answer->failed && !answer->unread.empty()) set_text(sample, VAA_FIELD_ERROR_MESSAGE, "a part of the answer could not be read: " + answer->unread);
  label(rung, key, sample);
  log_.append(answer->samples);
  const int64_t cached = integer_field(sample, VAA_FIELD_CACHED_TOKENS, -1);
  cache_told_ += cached >= 0;
  cached_ += cached > 0;
  Continuation said = continuation_of(sample);
  if (said.error.empty() && said.ids.empty()) said.error = "the answer brought no token ids";
  if (said.error.empty()) {
    ++answered_;
  } else {
    ++failed_;
    if (failures_.size() < kFailures && std::find(failures_.begin(), failures_.end(), said.error) == failures_.end()) failures_.push_back(said.error);
  }
  remember(rung, std::move(said));
  progress();
}

void RungAsker::remember(const Rung& rung, Continuation said) { said_[rung] = std::move(said); }

// The prompt's ids are left out of the record: they are `at` ids of an answer that the run holds, and would be most of the file.
void RungAsker::label(const Rung& rung, const std::string& key, vaa_sample* sample) const {
  const Passage& passage = passages_[rung.passage];
  must([&](vaa_error** err) { return vaa_sample_unset(sample, VAA_FIELD_PROMPT_TOKEN_IDS, err); });
  set_text(sample, VAA_FIELD_ID, passage.id + "@" + std::to_string(rung.at));
  if (!passage.dataset.empty()) set_text(sample, VAA_FIELD_DATASET, passage.dataset);
  set_integer(sample, VAA_FIELD_REPEAT, rung.repeat);
  std::string origin;
  JsonWriter json(&origin);
  json.begin_object().member("of", passage.id);
  if (!passage.dataset.empty()) json.member("dataset", passage.dataset);
  json.member("repeat", passage.repeat).member("at", rung.at).member("prompt_tokens", passage.prompt_tokens).member("server", static_cast<int64_t>(rung.server));
  json.member("prompt_ids", passage.prompt_reencoded ? "re-encoded" : "engine").member("output_ids", passage.output_reencoded ? "re-encoded" : "engine").end_object();
  mark(sample, {{"ask", ask_mark(key)}, {"rung", origin}});
}

std::vector<Both> RungAsker::notes() const {
  std::vector<Both> notes = notes_;
  if (cached_ > 0) {
    const std::string k = std::to_string(cached_), n = std::to_string(cache_told_);
    notes.push_back({"prefix cache: " + k + " of " + n + " prompts were cached in part, so their first token tests prefill of the rest alone; without the cache it tests all",
                     "前缀缓存：" + n + " 个提示词中有 " + k + " 个部分命中，因此其首个词元只检验其余部分的 prefill；关闭缓存则检验全部"});
  } else if (cache_told_ == 0 && answered_ > 0) {
    notes.push_back({"prefix cache: the servers do not say what was cached; where it is on, the first token tests prefill of the part that was not",
                     "前缀缓存：服务器没有说明命中了多少；若已启用，首个词元只检验未命中部分的 prefill"});
  }
  return notes;
}

const Continuation& RungAsker::said(const Rung& rung) const {
  const auto found = said_.find(rung);
  if (found == said_.end()) fail(VAA_ERROR_INTERNAL, "a rung was read that was not asked");
  return found->second;
}

void RungAsker::forget(const Rung& rung) {
  const auto found = said_.find(rung);
  if (found != said_.end()) found->second = Continuation{"it was forgotten", {}, {}, {}, {}, {}};
}

}  // namespace vaa::capture
