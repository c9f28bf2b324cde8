#include "capture/trial.h"

#include <algorithm>

#include "base/json.h"
#include "base/json_writer.h"
#include "capture/answer_fault.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr const char* kChatPrompt = R"([{"role": "user", "content": "Say hello."}])";
constexpr const char* kPrompt = "\"Hello\"";

Both no_ids() { return {"token ids were asked for, and none came", "请求了词元 id，但没有返回"}; }
Both said_at(const Trial& trial, const Both& words) { return {std::string(trial_path(trial)) + ": " + words.en, std::string(trial_path(trial)) + "：" + words.zh}; }

// What the answer is as a sample, by the reader that will read all answers.
OwnedSample sample_of(const HttpResponse& answer, std::string_view request) {
  vaa_reply* made = nullptr;
  must([&](vaa_error** err) { return vaa_reply_new(vaa_str{"", 0}, &made, err); });
  const OwnedReply reply(made);
  must([&](vaa_error** err) { return vaa_reply_begin(made, border(request), 0, err); });
  must([&](vaa_error** err) { return vaa_reply_head(made, answer.end.status, border(answer.content_type), err); });
  must([&](vaa_error** err) { return vaa_reply_push(made, border(answer.body), 0, err); });
  must([&](vaa_error** err) { return vaa_reply_end(made, 0, border(answer.end.fault), err); });
  OwnedSample sample = new_sample();
  int32_t more = 0;
  must([&](vaa_error** err) { return vaa_reply_next(made, sample.get(), &more, err); });
  if (!more) vaa_sample_clear(sample.get());
  return sample;
}

// Alternatives of the first token.
int alternatives(const vaa_sample* sample) {
  const std::vector<int64_t> ends = integers_field(sample, VAA_FIELD_OUTPUT_TOP_ENDS);
  return ends.empty() ? 0 : static_cast<int>(ends[0]);
}

// A member `name` whose value is a list, at any depth; in a text its quotation marks are escaped.
bool has_list(std::string_view json, std::string_view name) {
  const std::string member = "\"" + std::string(name) + "\":";
  for (size_t at = 0; (at = json.find(member, at)) != json.npos;) {
    at = json.find_first_not_of(" \t", at + member.size());
    if (at != json.npos && json[at] == '[') return true;
  }
  return false;
}

std::string lower_words(const HttpResponse& answer) {
  std::string words = refusal_words(answer).en;
  for (char& c : words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return words;
}

int fewer(int top_logprobs) { return top_logprobs > 5 ? 5 : top_logprobs > 1 ? 1 : 0; }

}  // namespace

Trial first_trial(const Dialect& dialect) {
  Trial trial;
  trial.asked.ids = dialect.ask_ids[0] != '\0';
  trial.asked.top_logprobs = dialect.most_logprobs;
  trial.asked.logprobs = dialect.most_logprobs > 0;
  return trial;
}

const char* trial_path(const Trial& trial) { return trial.chat ? "/v1/chat/completions" : "/v1/completions"; }

std::string trial_body(const Trial& trial, const Server& server) {
  std::string body;
  JsonWriter json(&body);
  json.begin_object();
  if (!server.model.empty()) json.member("model", server.model);
  json.key(trial.chat ? "messages" : "prompt").raw(trial.chat ? kChatPrompt : kPrompt).member("max_tokens", 2).key("temperature").raw("0");
  for (const auto& [name, value] : recording_members(trial.chat, trial.asked, *server.dialect))
    if (!value.empty()) json.key(name).raw(value);
  json.end_object();
  return body;
}

std::string text_trial_body(const Server& server) {
  Trial trial;
  trial.chat = false;
  trial.asked = {false, false, false, false, 0};
  return trial_body(trial, server);
}

std::string ids_trial_body(const std::vector<int32_t>& ids, const Server& server) {
  std::string body;
  JsonWriter json(&body);
  json.begin_object();
  if (!server.model.empty()) json.member("model", server.model);
  json.key("prompt").begin_array();
  for (const int32_t id : ids) json.integer(id);
  json.end_array().member("max_tokens", 1).key("temperature").raw("0").end_object();
  return body;
}

TrialEnd trial_end(const HttpResponse& answer) {
  switch (answer.end.status) {
    case 200: return vaa_sample_has(sample_of(answer, "").get(), VAA_FIELD_ERROR_MESSAGE) ? TrialEnd::kRefused : TrialEnd::kTaken;
    case 400:
    case 404:
    case 405:
    case 422:
    case 500:
    case 501: return TrialEnd::kRefused;
    default: return TrialEnd::kFailed;
  }
}

Both refusal_words(const HttpResponse& answer) {
  if (answer.end.status != 200) return {status_words(answer), status_words(answer)};
  const std::string said = quoted(text_field(sample_of(answer, "").get(), VAA_FIELD_ERROR_MESSAGE), 300);
  return {"an error in its answer " + said, "回答中的错误 " + said};
}

void read_trial(const Trial& trial, const HttpResponse& answer, Server* server) {
  const OwnedSample sample = sample_of(answer, trial_body(trial, *server));
  const Recording& asked = trial.asked;
  const auto prove = [&](int8_t* fact, bool there, const Both& problem) {
    *fact = there;
    if (!there && !problem.en.empty()) server->problems.push_back(said_at(trial, problem));
  };
  (trial.chat ? server->chat : server->completions) = 1;
  const bool streamed = answer.content_type.find("event-stream") != std::string::npos;
  if (asked.stream) prove(&server->stream, streamed, {"a stream was asked for, and the answer came whole", "请求了流式输出，回答却是一次返回的"});
  prove(&server->finish_reason, vaa_sample_has(sample.get(), VAA_FIELD_FINISH_REASON), {"the answer has no finish_reason", "回答中没有 finish_reason"});
  prove(&server->usage, integer_field(sample.get(), VAA_FIELD_COMPLETION_TOKENS, -1) >= 0, {"the answer has no usage", "回答中没有 usage"});
  // Logprobs bring ids too, by the tokens' names or beside them (not all of them: of the tokens that make one character the last alone). What counts is what comes without logprobs.
  const Dialect& dialect = *server->dialect;
  const bool by_logprobs = asked.logprobs && (dialect.ids_beside_logprobs ? streamed || !has_list(answer.body, "tokens") : dialect.token_names && !has_list(answer.body, "token_ids"));
  if (!asked.ids) {
    server->token_ids = server->prompt_token_ids = 0;
  } else {
    prove(&server->token_ids, !by_logprobs && !ids_field(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS).empty(), no_ids());
    prove(&server->prompt_token_ids, !ids_field(sample.get(), VAA_FIELD_PROMPT_TOKEN_IDS).empty(), {});
    if (streamed && server->token_ids) server->streamed_ids = 1;
  }
  if (!asked.logprobs) return;
  prove(&server->logprobs, vaa_sample_has(sample.get(), VAA_FIELD_OUTPUT_LOGPROBS), {"logprobs were asked for, and none came", "请求了 logprobs，但没有返回"});
  const int most = std::min(alternatives(sample.get()), asked.top_logprobs);
  prove(&server->top_logprobs, most > 0, server->logprobs ? Both{"top_logprobs were asked for, and none came whose token ids are known", "请求了 top_logprobs，但没有返回已知词元 id 的候选"} : Both{});
  server->most_logprobs = most;
}

void read_whole_trial(const Trial& trial, const HttpResponse& answer, Server* server) {
  Server whole = *server;
  read_trial(trial, answer, &whole);
  if (whole.token_ids != 1) return;
  server->token_ids = 1;
  server->prompt_token_ids = whole.prompt_token_ids;
  server->streamed_ids = 0;
  std::replace(server->problems.begin(), server->problems.end(), said_at(trial, no_ids()), said_at(trial, {"token ids come only where the answer is not streamed", "只有非流式回答才返回词元 id"}));
}

std::string ask_less(Trial* trial, const HttpResponse& refusal, const Dialect& dialect) {
  const std::string words = lower_words(refusal);
  Recording& asked = trial->asked;
  const auto named = [&](const char* word) { return words.find(word) != std::string::npos; };
  const auto fewer_logprobs = [&] {
    const std::string left = "top_logprobs " + std::to_string(asked.top_logprobs);
    asked.top_logprobs = fewer(asked.top_logprobs);
    asked.logprobs = asked.top_logprobs > 0;
    return left;
  };
  const auto without = [](bool* member, const char* name) { return *member = false, std::string(name); };
  const bool no_chat = trial->chat && (refusal.end.status == 404 || refusal.end.status == 405 || named("chat template") || named("chat_template"));
  if (!no_chat) {
    // What the server names, then what servers know least often.
    if (asked.ids && named("return_token_ids")) return without(&asked.ids, "return_token_ids");
    if (asked.logprobs && named("logprobs")) return fewer_logprobs();
    if (asked.stream && asked.usage && named("stream_options")) return without(&asked.usage, "stream_options");
    if (asked.logprobs) return fewer_logprobs();
    if (asked.ids) return without(&asked.ids, "return_token_ids");
    if (asked.stream && asked.usage) return without(&asked.usage, "stream_options");
    if (asked.stream) return without(&asked.stream, "stream");
    if (!trial->chat) return "";
  } else if (!trial->chat) {
    return "";
  }
  *trial = first_trial(dialect);
  trial->chat = false;
  return "/v1/chat/completions";
}

std::string tokenize_body(std::string_view text, const Server& server) {
  std::string body;
  JsonWriter json(&body);
  json.begin_object();
  if (!server.model.empty()) json.member("model", server.model);
  json.member(server.dialect->tokenize_key, text).end_object();
  return body;
}

bool read_tokenized(const HttpResponse& answer, std::vector<int32_t>* ids) {
  ids->clear();
  JsonReader json(answer.body);
  if (answer.end.status != 200 || json.peek() != JsonKind::kObject || !json.skip() || !json.finish()) return false;
  const auto members = json_members(answer.body);
  const std::string_view tokens = member_value(members, "tokens");
  size_t bad = 0;
  JsonReader list(tokens);
  return !tokens.empty() && list.peek() == JsonKind::kArray && list.ids(ids, &bad) && !ids->empty();
}

bool read_ids_trial(const HttpResponse& answer, size_t ids, Both* problem) {
  if (trial_end(answer) != TrialEnd::kTaken) return false;
  const int64_t counted = integer_field(sample_of(answer, "").get(), VAA_FIELD_PROMPT_TOKENS, -1);
  if (counted < 0 || counted == static_cast<int64_t>(ids)) return true;
  const std::string given = std::to_string(ids), said = std::to_string(counted);
  *problem = {"/v1/completions: a prompt of " + given + " ids counts " + said + " tokens; ids are not taken as they are",
              "/v1/completions：含 " + given + " 个 id 的提示词被计为 " + said + " 个词元；服务器没有原样采用这些 id"};
  return false;
}

}  // namespace vaa::capture
