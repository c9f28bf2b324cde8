// A server as a vaa.server/1 object.
#include "base/json_writer.h"
#include "capture/dialect.h"

namespace vaa::capture {
namespace {

void member(JsonWriter* json, const char* name, int8_t known) {
  json->key(name);
  if (known < 0) json->null();
  else json->boolean(known != 0);
}

void member(JsonWriter* json, const char* name, const std::string& text) {
  json->key(name);
  if (text.empty()) json->null();
  else json->string(text);
}

void number_member(JsonWriter* json, const char* name, int64_t known) {
  json->key(name);
  if (known < 0) json->null();
  else json->integer(known);
}

}  // namespace

void append_server(std::string* out, const Server& server) {
  JsonWriter json(out);
  json.begin_object().member("schema", "vaa.server/1").member("url", server.endpoint);
  json.member("engine", server.dialect ? server.dialect->name : "openai");
  member(&json, "version", server.version);
  member(&json, "model", server.model);
  json.key("models").begin_array();
  for (const std::string& model : server.models) json.string(model);
  json.end_array();
  number_member(&json, "max_model_len", server.max_model_len);
  number_member(&json, "most_logprobs", server.most_logprobs);
  json.key("gives").begin_object();
  const std::pair<const char*, int8_t> gives[] = {{"chat", server.chat}, {"completions", server.completions}, {"token_ids", server.token_ids}, {"streamed_ids", server.streamed_ids},
      {"prompt_token_ids", server.prompt_token_ids}, {"finish_reason", server.finish_reason}, {"logprobs", server.logprobs}, {"top_logprobs", server.top_logprobs}, {"stream", server.stream},
      {"usage", server.usage}, {"prompt_as_ids", server.prompt_as_ids}, {"tokenize", server.tokenize}, {"metrics", server.metrics}};
  for (const auto& [name, known] : gives) member(&json, name, known);
  json.end_object().key("problems").begin_array();
  for (const Both& problem : server.problems) json.string(problem.en);
  json.end_array().key("problems_zh").begin_array();
  for (const Both& problem : server.problems) json.string(problem.zh);
  json.end_array().end_object();
}

}  // namespace vaa::capture
