#include "capture/ask_header.h"

#include "base/json_writer.h"
#include "capture/json_members.h"

namespace vaa::capture {
namespace {

void text_or_null(JsonWriter* json, const char* key, const std::string& text) {
  json->key(key);
  text.empty() ? json->null() : json->string(text);
}

// What was asked for instead of what the requests say.
void write_sampling(const RequestChanges& changes, JsonWriter* json) {
  json->key("sampling_defaults").begin_object();
  if (changes.temperature) json->member("temperature", *changes.temperature);
  if (changes.top_p) json->member("top_p", *changes.top_p);
  if (changes.top_k) json->member("top_k", *changes.top_k);
  if (changes.seed) json->member("seed", *changes.seed);
  if (changes.max_tokens) json->member("max_tokens", *changes.max_tokens);
  json->member("source", "vaa ask").end_object();
}

void write_counters(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence, JsonWriter* json) {
  json->key("counters");
  if (evidence.empty()) {
    json->null();
    return;
  }
  json->begin_object().key("servers").begin_array();
  for (size_t i = 0; i < servers.size(); ++i) {
    const Scraped& scraped = seen.scraped[i];
    json->begin_object().member("endpoint", servers[i].endpoint).member("pages", scraped.pages).member("failed_pages", scraped.failed).key("counted");
    scraped.counted.empty() ? json->null() : json->raw(scraped.counted);
    json->key("proves").raw(evidence[i].json).end_object();
  }
  json->end_array().end_object();
}

void write_extra(const AskSeen& seen, const std::vector<Server>& servers, JsonWriter* json) {
  json->key("extra").begin_object().key("ask").begin_object().member("for", seen.options.purpose->name).member("input", seen.input);
  json->member("asked_again", seen.taken_out).member("skipped", seen.skipped).key("notes").begin_array();
  for (const Both& note : seen.notes) json->string(note.en);
  json->end_array().key("servers").begin_array();
  for (const Server& server : servers) {
    std::string described;
    append_server(&described, server);
    json->raw(described);
  }
  json->end_array().end_object().end_object();
}

std::string text_at(std::string_view object, std::initializer_list<const char*> path) {
  std::string_view value = object;
  for (const char* key : path) {
    if (value.empty() || value.front() != '{') return "";
    value = member_value(json_members(value), key);
  }
  std::string text;
  return json_text(value, &text) ? text : "";
}

}  // namespace

std::string ask_header(const AskSeen& seen, const std::vector<Server>& servers, const std::vector<PathEvidence>& evidence, std::string_view given) {
  std::string text;
  JsonWriter json(&text);
  const Server& first = servers.front();
  json.begin_object().member("schema", "vaa.run/1").key("model").begin_object();
  text_or_null(&json, "name", first.model);
  json.key("max_length");
  first.max_model_len < 0 ? json.null() : json.integer(first.max_model_len);
  json.end_object().key("engine").begin_object().member("name", first.dialect->name);
  text_or_null(&json, "version", first.version);
  json.end_object();
  write_sampling(seen.options.changes, &json);
  json.member("concurrency", seen.concurrency).key("endpoints").begin_array();
  for (const Server& server : servers) json.string(server.endpoint);
  json.end_array().key("tool").begin_object().member("name", "vaa").member("version", VAA_VERSION_STRING).key("arguments").raw(given.empty() ? "{}" : given).end_object();
  write_counters(seen, servers, evidence, &json);
  json.member("start_s", seen.start_s).key("end_s");
  seen.end_s > 0 ? json.real(seen.end_s) : json.null();
  write_extra(seen, servers, &json);
  json.end_object();
  return text;
}

void check_resumed_header(std::string_view header, const AskSeen& seen, const std::vector<Server>& servers) {
  const std::string purpose = text_at(header, {"extra", "ask", "for"}), model = text_at(header, {"model", "name"});
  std::string differs;
  if (purpose != seen.options.purpose->name) differs = "asked for " + quoted(purpose) + ", not for " + quoted(seen.options.purpose->name);
  else if (model != servers.front().model) differs = "asked of model " + quoted(model) + ", not of " + quoted(servers.front().model);
  if (!differs.empty()) fail(VAA_ERROR_ARGUMENT, quoted(seen.out_path, 400) + ": was " + differs + "; go on with it as it was, or write to another file");
}

}  // namespace vaa::capture
