// A request's body with what the server, the purpose and the caller's changes make of it.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "capture/json_members.h"
#include "capture/request.h"

namespace vaa::capture {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

void set(Changes* changes, std::string_view name, std::string value) {
  for (auto& [key, old] : *changes)
    if (key == name) return void(old = std::move(value));
  changes->emplace_back(name, std::move(value));
}

void set_json(Changes* changes, std::string_view members) {  // "\"temperature\": 0"
  const std::string object = "{" + std::string(members) + "}";
  for (const JsonMember& member : json_members(object)) set(changes, member.key, std::string(member.value));
}

std::string json_number(double value) {
  std::string out;
  append_number(&out, value);
  return out;
}

void note(std::vector<Both>* notes, Both words) {
  if (std::find(notes->begin(), notes->end(), words) == notes->end()) notes->push_back(std::move(words));
}

// What of the wish this server is known to give; the rest is noted.
Recording possible(Recording wish, const Server& server, std::vector<Both>* notes) {
  const std::string title = server.dialect->title;
  const int most = server.most_logprobs >= 0 ? server.most_logprobs : server.dialect->most_logprobs;
  if (wish.logprobs && server.logprobs == 0) {
    note(notes, {"logprobs: " + title + " gives none here", "logprobs：此处的 " + title + " 不提供"});
    wish.logprobs = false;
  } else if (wish.logprobs && wish.top_logprobs > most) {
    const std::string wanted = std::to_string(wish.top_logprobs), given = std::to_string(most);
    note(notes, {"top_logprobs: " + wanted + " are wanted, " + title + " gives " + (most ? given + " here" : "none with their token ids here"),
                 "top_logprobs：需要 " + wanted + " 个，此处的 " + title + (most ? " 提供 " + given + " 个" : " 不提供带词元 id 的候选")});
    wish.top_logprobs = most;
  }
  if (wish.stream && server.stream == 0) {
    note(notes, {"stream: " + title + " does not stream here; times of tokens are not recorded", "stream：此处的 " + title + " 不支持流式输出；不记录各词元的时间"});
    wish.stream = false;
  }
  if (server.usage == 0) wish.usage = false;
  if (!wish.ids) return wish;
  if (server.token_ids == 0 || server.dialect->ask_ids[0] == '\0') {
    note(notes, {"token ids: " + title + " returns none here", "词元 id：此处的 " + title + " 不返回"});
    wish.ids = false;
  } else if (wish.stream && server.streamed_ids == 0) {
    note(notes, {"token ids: " + title + " returns them only where the answer is not streamed; option stream false asks for them", "token id：" + title + " 只在非流式回答中返回；选项 stream false 可以得到"});
    wish.ids = false;
  }
  return wish;
}

// What the probe found that this request needs and the server does not have.
void note_missing(const std::string& path, std::string_view prompt, const Server& server, std::vector<Both>* notes) {
  const std::string title = server.dialect->title;
  if ((is_chat(path) ? server.chat : server.completions) == 0) note(notes, {path + ": the trial request to it was not answered by " + title + " here", path + "：此处的 " + title + " 没有回答发往它的试探请求"});
  const size_t first = prompt.size() > 1 && prompt[0] == '[' ? prompt.find_first_not_of(" \t\r\n[", 1) : prompt.npos;
  const bool ids = first != prompt.npos && prompt[first] >= '0' && prompt[first] <= '9';
  if (ids && (server.prompt_as_ids == 0 || !server.dialect->prompt_as_ids)) note(notes, {"prompt: is a list of ids, which " + title + " does not take here", "prompt：是 id 列表，此处的 " + title + " 不接受"});
}

void set_max_tokens(Changes* changes, const std::vector<JsonMember>& members, int64_t count) {
  const bool newer = !member_value(members, "max_completion_tokens").empty();
  set(changes, newer ? "max_completion_tokens" : "max_tokens", std::to_string(count));
  if (newer) set(changes, "max_tokens", "");
}

bool is_neutral(std::string_view name, std::string_view value) {
  JsonReader json(value);
  double number = 0;
  switch (json.peek()) {
    case JsonKind::kNull: return true;
    case JsonKind::kBool: return value == "false";
    case JsonKind::kNumber:
      if (name == "logprobs") return false;  // of /v1/completions: 0 asks for the sampled token's
      json.real(&number);
      return std::fabs(number - (name == "repetition_penalty" ? 1.0 : 0.0)) <= 1e-5;  // vLLM's _SAMPLING_EPS
    case JsonKind::kObject: return json_members(value).empty();
    default: return false;
  }
}

// "0.25.1rc1" is "0.14" or later; a version that is not known, and one without an end, is not.
bool reached(std::string_view version, std::string_view end) {
  const auto number = [](std::string_view* text) {
    int value = -1;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
    text->remove_prefix(static_cast<size_t>(read.ptr - text->data()));
    if (!text->empty() && text->front() == '.') text->remove_prefix(1);
    return value;
  };
  while (!end.empty()) {
    const int have = number(&version), want = number(&end);
    if (have != want) return have > want;
    if (end.empty()) return true;
  }
  return false;
}

}  // namespace

Changes recording_members(bool chat, const Recording& recording, const Dialect& dialect) {
  Changes members = {{"stream", recording.stream ? "true" : "false"}, {"stream_options", ""}};
  if (recording.stream && recording.usage) set_json(&members, dialect.ask_usage);
  if (recording.ids) set_json(&members, dialect.ask_ids);
  if (recording.logprobs) {
    set(&members, "logprobs", chat ? "true" : std::to_string(std::max(recording.top_logprobs, 1)));
    if (chat && recording.top_logprobs > 0) set(&members, "top_logprobs", std::to_string(recording.top_logprobs));
    if (dialect.token_names) set(&members, "return_tokens_as_token_ids", "true");
  }
  return members;
}

std::vector<std::string> against_speculation(std::string_view body, const Server& server) {
  const auto members = json_members(body);
  std::vector<std::string> found;
  for (const char* name : server.dialect->against_speculation) {
    const std::string_view value = member_value(members, name);
    if (!value.empty() && !is_neutral(name, value)) found.emplace_back(name);
  }
  return found;
}

std::string fitted_body(const Request& request, const Server& server, const Purpose& purpose, const RequestChanges& wanted, std::vector<Both>* notes) {
  const auto members = json_members(request.body);
  const bool chat = is_chat(request.path);
  Changes changes;
  if (!server.model.empty()) {
    std::string name;
    append_json_string(&name, server.model);
    set(&changes, "model", std::move(name));
  }
  if (purpose.greedy) set_json(&changes, server.dialect->greedy);
  if (wanted.temperature) set(&changes, "temperature", json_number(*wanted.temperature));
  if (wanted.top_p) set(&changes, "top_p", json_number(*wanted.top_p));
  if (wanted.top_k) set(&changes, "top_k", std::to_string(*wanted.top_k));
  if (wanted.seed) set(&changes, "seed", std::to_string(*wanted.seed));
  if (wanted.max_tokens) set_max_tokens(&changes, members, *wanted.max_tokens);
  else if (!chat && member_value(members, "max_tokens").empty()) note(notes, {"max_tokens: requests to /v1/completions have none, and servers end them early (vLLM and others after 16 tokens); option max_tokens sets it", "max_tokens：发往 /v1/completions 的请求没有该字段，服务器会提前结束（vLLM 等在 16 个词元之后）；选项 max_tokens 可以设定"});

  note_missing(request.path, member_value(members, "prompt"), server, notes);
  const int top_logprobs = wanted.top_logprobs >= 0 ? wanted.top_logprobs : purpose.top_logprobs;
  Recording wish{wanted.stream, purpose.ids, true, top_logprobs > 0, top_logprobs};
  wish = possible(wish, server, notes);
  for (auto& [name, value] : recording_members(chat, wish, *server.dialect)) set(&changes, name, std::move(value));
  if (wish.logprobs && server.dialect->logprobs_trap[0] != '\0' && !reached(server.version, server.dialect->logprobs_trap_until))
    note(notes, {"logprobs are asked for: " + std::string(server.dialect->logprobs_trap) + "; purpose spec asks without them", "请求了 logprobs：" + std::string(server.dialect->logprobs_trap_zh) + "；目的 spec 不请求它们"});

  std::string body = with_members(members, changes);
  if (!purpose.refuse_against_speculation) return body;
  std::string names;
  for (const std::string& name : against_speculation(body, server)) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty())
    fail(VAA_ERROR_ARGUMENT, "request " + quoted(request.id) + ": " + names + " would switch speculative decoding off on " + server.dialect->title + ", or not be applied where it runs; take it out, or ask for quality instead of spec");
  return body;
}

}  // namespace vaa::capture
