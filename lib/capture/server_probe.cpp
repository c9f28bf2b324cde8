// The questions that tell what a server is and gives, one after another. What the answers mean stands in recognise.cpp, answer_fault.cpp and trial.cpp.
#include <algorithm>
#include <chrono>
#include <thread>

#include "base/failure.h"
#include "capture/answer_fault.h"
#include "capture/asker.h"
#include "capture/base_url.h"
#include "capture/recognise.h"
#include "capture/secrets.h"
#include "capture/trial.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxAnswer = 4 << 20;      // bytes of an answer to a small question
constexpr size_t kMaxMetrics = 64 << 20;    // /metrics of many ranks is long
constexpr int kMostTrials = 20;
constexpr double kSilenceS = 20;            // longest silence of what needs no model: a page that hangs must not hold up an ask for the idle time of a long answer

class Probe {
 public:
  Probe(const AskerOptions& options, const std::string& url, const vaa_task* task) : options_(options), quick_(options.session.connection), task_(task) {
    const BaseUrl base = parse_base_url(url, "urls");
    server_.url = base.url;
    server_.endpoint = base.shown;
    quick_.idle_timeout_s = std::min(quick_.idle_timeout_s, kSilenceS);
  }

  Server run() {
    const std::vector<ServedModel> models = ask_models();
    recognise_engine(models);
    if (!models.empty()) take_model(models);
    else server_.model = options_.model;
    try_requests();
    try_ids();
    if (server_.completions < 0) server_.completions = trial_end(post("/v1/completions", text_trial_body(server_))) == TrialEnd::kTaken;
    try_metrics();
    return std::move(server_);
  }

 private:
  HttpResponse get(const std::string& path, size_t max_bytes = kMaxAnswer) const { return fetch(quick_, {server_.url + path, ""}, max_bytes, task_); }
  HttpResponse post(const std::string& path, const std::string& body) const { return fetch(options_.session.connection, {server_.url + path, body}, kMaxAnswer, task_); }

  std::string fault_of(const HttpResponse& answer, const char* path) const { return without_key(answer_fault(answer, server_.endpoint, path, !options_.session.connection.key.empty()), options_.session.connection.key); }

  // The first question: whether there is a server, and whether it lets us in.
  std::vector<ServedModel> ask_models() {
    const HttpResponse answer = waited_for("/v1/models");
    const std::string fault = fault_of(answer, "/v1/models");
    const bool unknown_path = answer.end.status == 404 || answer.end.status == 405 || answer.end.status == 501;
    if (!fault.empty() && !(unknown_path && !options_.model.empty() && !is_html(answer))) fail(VAA_ERROR_IO, fault + (unknown_path ? " A server without a list of models needs option model" : ""));
    std::vector<ServedModel> models;
    Both why;
    if (fault.empty() && !read_models(answer.body, &models, &why)) {
      if (options_.model.empty()) fail(VAA_ERROR_IO, server_.endpoint + "/v1/models: " + why.en + "; is this the base URL of the server, such as http://host:8000/v1? A server without a list of models needs option model");
      note_no_models(why);
    }
    if (const std::string status = "HTTP " + std::to_string(answer.end.status); !fault.empty()) note_no_models({status, status});
    return models;
  }

  void note_no_models(const Both& why) { server_.problems.push_back({"/v1/models: " + why.en + "; the model's name is sent as it was given", "/v1/models：" + why.zh + "；模型名按给定的发送"}); }

  // A server that is loading (503), limits (429) or whose proxy finds nothing behind it yet (502, 504) is asked again.
  HttpResponse waited_for(const std::string& path) const {
    double wait = 1;
    for (int tries = 0;; ++tries) {
      HttpResponse answer = get(path);
      const int status = answer.end.status;
      const bool later = status == 503 || status == 429 || status == 502 || status == 504;
      if (!later || tries == options_.session.retries) return answer;
      sleep(std::min(std::max(wait, answer.end.retry_after_s), options_.session.max_retry_wait_s));
      wait *= 2;
    }
  }

  void sleep(double seconds) const {
    for (double left = seconds; left > 0; left -= 0.05) {
      if (vaa_task_cancelled(task_)) fail(VAA_ERROR_CANCELLED, "cancelled");
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, 0.05)));
    }
  }

  void recognise_engine(const std::vector<ServedModel>& models) {
    server_.version = read_version(get("/version"));
    std::vector<std::string> paths = own_paths(models);
    if (options_.engine != "auto") {
      server_.dialect = find_dialect(options_.engine);
      paths.clear();
      if (server_.dialect->own_path[0] != '\0') paths.emplace_back(server_.dialect->own_path);
    }
    std::vector<OwnAnswer> own;
    for (const std::string& path : paths) own.push_back({path, get(path)});
    if (!server_.dialect) server_.dialect = &recognise(models, !server_.version.empty(), own);
    for (const OwnAnswer& answer : own)
      if (answer.path == server_.dialect->own_path && answer.response.end.status == 200 && !is_html(answer.response)) server_.config_json = without_secrets(answer.response.body);
    if (server_.version.empty()) server_.version = own_version(server_.config_json);
  }

  void take_model(const std::vector<ServedModel>& models) {
    for (const ServedModel& model : models) server_.models.push_back(model.id);
    const ServedModel& chosen = chosen_model(models, options_.model, server_.endpoint);
    server_.model = chosen.id;
    server_.max_model_len = chosen.max_model_len > 0 ? chosen.max_model_len : context_length(server_.config_json);
  }

  // Asks for everything, then for less, until the server takes it.
  void try_requests() {
    Trial trial = first_trial(*server_.dialect);
    std::vector<Both> refused;  // "top_logprobs 20: HTTP 400 "…""
    for (int i = 0; i < kMostTrials; ++i) {
      const HttpResponse answer = post(trial_path(trial), trial_body(trial, server_));
      const std::string fault = fault_of(answer, trial_path(trial));
      if (answer.end.status == 0 || answer.end.status == 401 || answer.end.status == 403) fail(VAA_ERROR_IO, fault);
      const TrialEnd end = trial_end(answer);
      if (end == TrialEnd::kTaken) {
        note_refused(trial, refused);
        read_trial(trial, answer, &server_);
        return look_for_whole_ids(trial);
      }
      const std::string asked_path = trial_path(trial), &key = options_.session.connection.key;
      Both words = refusal_words(answer);
      words = {without_key(words.en, key), without_key(words.zh, key)};
      const std::string left_out = end == TrialEnd::kRefused ? ask_less(&trial, answer, *server_.dialect) : "";
      if (left_out == asked_path) {  // the chat is given up: what it refused says nothing of completions
        server_.chat = 0;
        refused.clear();
      }
      if (left_out.empty()) return server_.problems.push_back({"no trial request was answered; the last, " + asked_path + ": " + words.en, "试探请求都没有得到回答；最后一个 " + asked_path + "：" + words.zh});
      const bool whole = left_out == asked_path;
      refused.push_back({asked_path + (whole ? "" : ": " + left_out) + " is not taken: " + words.en, asked_path + (whole ? "" : "：" + left_out) + " 不被接受：" + words.zh});
    }
  }

  void note_refused(const Trial& taken, const std::vector<Both>& refused) {
    for (const Both& words : refused) server_.problems.push_back(words);
    const Trial first = first_trial(*server_.dialect);
    if (first.asked.ids && !taken.asked.ids) server_.token_ids = server_.prompt_token_ids = 0;
    if (first.asked.top_logprobs && !taken.asked.top_logprobs) server_.logprobs = server_.top_logprobs = 0, server_.most_logprobs = 0;
    if (!taken.asked.usage && taken.asked.stream) server_.usage = 0;
    if (!taken.asked.stream) server_.stream = 0;
  }

  // Some servers return ids of whole answers only (SGLang, llama.cpp).
  void look_for_whole_ids(Trial trial) {
    if (!trial.asked.ids || server_.token_ids != 0 || server_.stream != 1) return;
    trial.asked.stream = false;
    const HttpResponse answer = post(trial_path(trial), trial_body(trial, server_));
    if (trial_end(answer) == TrialEnd::kTaken) read_whole_trial(trial, answer, &server_);
  }

  // Whether text becomes ids, and ids are taken as a prompt.
  void try_ids() {
    const Dialect& dialect = *server_.dialect;
    std::vector<int32_t> ids;
    if (dialect.tokenize_path[0] != '\0') {
      const HttpResponse answer = fetch(quick_, {server_.url + dialect.tokenize_path, tokenize_body("Hello world", server_)}, kMaxAnswer, task_);
      server_.tokenize = read_tokenized(answer, &ids);
    } else {
      server_.tokenize = 0;
    }
    if (ids.empty() || !dialect.prompt_as_ids) {
      if (!dialect.prompt_as_ids) server_.prompt_as_ids = 0;
      return;
    }
    const HttpResponse answer = post("/v1/completions", ids_trial_body(ids, server_));
    Both problem;
    server_.prompt_as_ids = read_ids_trial(answer, ids.size(), &problem);
    if (server_.prompt_as_ids) server_.completions = 1;
    if (!problem.en.empty()) server_.problems.push_back(problem);
  }

  void try_metrics() {
    if (server_.dialect->metrics_path[0] == '\0') {
      server_.metrics = 0;
      return;
    }
    const HttpResponse answer = get(server_.dialect->metrics_path, kMaxMetrics);
    server_.metrics = answer.end.status == 200 && !is_html(answer);
    if (server_.metrics) return;
    const std::string path = server_.dialect->metrics_path, came = answer.end.status ? "HTTP " + std::to_string(answer.end.status) : answer.end.fault;
    server_.problems.push_back({path + ": no counters (" + came + "), so nothing proves which path ran", path + "：没有计数器（" + came + "），因此无法证明运行的是哪条路径"});
  }

  const AskerOptions& options_;
  ConnectionOptions quick_;
  const vaa_task* task_;
  Server server_;
};

}  // namespace

Server probe_server(const AskerOptions& options, const std::string& url, const vaa_task* task) { return Probe(options, url, task).run(); }

}  // namespace vaa::capture
