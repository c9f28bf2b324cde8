#include "capture/reencode.h"

#include <string_view>

#include "base/json_writer.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"
#include "capture/trial.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxBody = 1 << 28;

}  // namespace

Reencoder::Reencoder(const AskerOptions& options, const Server& server, const vaa_task* task)
    : options_(options), server_(server), task_(task), by_content_(std::string_view(server.dialect->tokenize_key) == "content") {
  if (server.dialect->tokenize_path[0] == '\0' || server.tokenize == 0)
    fail(VAA_ERROR_UNSUPPORTED, "reencode: " + server.endpoint + ": " + server.dialect->title + " has no /tokenize here that returns ids; record them with `vaa ask --from RUN`");
}

bool Reencoder::prompt(const vaa_sample* sample, std::vector<int32_t>* ids, std::string* why) {
  const std::string messages = text_field(sample, VAA_FIELD_PROMPT_MESSAGES), text = text_field(sample, VAA_FIELD_PROMPT_TEXT);
  if (messages.empty() && text.empty()) {
    *why = "neither messages nor text of the prompt are recorded";
    return false;
  }
  std::string rendered = text, body;
  const bool by_template = !messages.empty();
  if (by_template && by_content_) {
    std::string answer;
    if (!post("/apply-template", "{\"messages\": " + messages + "}", &answer, why)) return false;
    if (!json_text(member_value(json_members(answer), "prompt"), &rendered)) {
      *why = "POST /apply-template answered without a prompt";
      return false;
    }
  }
  JsonWriter json(&body);
  json.begin_object();
  if (!server_.model.empty()) json.member("model", server_.model);
  if (by_template && !by_content_) {
    json.key("messages").raw(messages).member("add_generation_prompt", true);
  } else if (by_content_) {
    json.member("content", rendered).member("add_special", !by_template).member("parse_special", true);
  } else {
    json.member(server_.dialect->tokenize_key, rendered).member("add_special_tokens", true);
  }
  json.end_object();
  return tokenize(body, ids, why);
}

bool Reencoder::output(const vaa_sample* sample, std::vector<int32_t>* ids, std::string* why) {
  if (!vaa_sample_has(sample, VAA_FIELD_OUTPUT_TEXT)) {
    *why = "its text is not recorded";
    return false;
  }
  if (!text_field(sample, VAA_FIELD_OUTPUT_REASONING).empty()) {
    *why = "its reasoning is recorded apart from the answer, and what stood between them is not known";
    return false;
  }
  if (vaa_sample_has(sample, VAA_FIELD_TOOL_CALLS)) {
    *why = "it called tools, and the text of the calls is not recorded";
    return false;
  }
  const std::string text = text_field(sample, VAA_FIELD_OUTPUT_TEXT);
  if (text.empty()) return true;
  std::string body;
  JsonWriter json(&body);
  json.begin_object();
  if (!server_.model.empty()) json.member("model", server_.model);
  json.member(server_.dialect->tokenize_key, text);
  if (by_content_) {
    json.member("add_special", false).member("parse_special", true);
  } else {
    json.member("add_special_tokens", false);
  }
  json.end_object();
  return tokenize(body, ids, why);
}

bool Reencoder::tokenize(const std::string& body, std::vector<int32_t>* ids, std::string* why) {
  HttpRequest request{server_.url + server_.dialect->tokenize_path, body};
  const HttpResponse answer = fetch(options_.session.connection, request, kMaxBody, task_);
  if (read_tokenized(answer, ids)) return true;
  *why = std::string("POST ") + server_.dialect->tokenize_path + " gave no ids: " +
         (answer.end.fault.empty() ? "status " + std::to_string(answer.end.status) + ", " + quoted(answer.body, 200) : answer.end.fault);
  return false;
}

bool Reencoder::post(const std::string& path, const std::string& body, std::string* answer, std::string* why) {
  HttpResponse got = fetch(options_.session.connection, {server_.url + path, body}, kMaxBody, task_);
  if (got.end.status == 200) {
    *answer = std::move(got.body);
    return true;
  }
  *why = "POST " + path + ": " + (got.end.fault.empty() ? "status " + std::to_string(got.end.status) + ", " + quoted(got.body, 200) : got.end.fault);
  return false;
}

}  // namespace vaa::capture
