#include <cstring>

#include "base/failure.h"
#include "base/json_writer.h"
#include "capture/rungs.h"

namespace vaa::capture {

std::string rung_body(const Passage& passage, int64_t at, int64_t tokens, const Server& server, std::vector<Both>* notes) {
  const Dialect& dialect = *server.dialect;
  if (!dialect.prompt_as_ids || server.prompt_as_ids == 0) {
    fail(VAA_ERROR_UNSUPPORTED, server.endpoint + ": " + dialect.title + " takes no prompt of token ids at " + kRungPath + (dialect.prompt_as_ids ? " here" : "") +
                                    ", so answers cannot be cut there; vLLM, vLLM-Ascend, SGLang and llama.cpp do");
  }
  Request request;
  request.id = passage.id;
  request.path = kRungPath;
  JsonWriter json(&request.body);
  json.begin_object().key("prompt").begin_array();
  for (int64_t i = 0; i < at; ++i) json.integer(passage.ids[static_cast<size_t>(i)]);
  json.end_array();
  // An end of text would end the evidence. Servers that are not known may refuse the member.
  if (std::strcmp(dialect.name, "openai") != 0) json.member("ignore_eos", true);
  json.end_object();
  RequestChanges changes;
  changes.max_tokens = tokens;
  changes.stream = false;
  return fitted_body(request, server, find_purpose("compare"), changes, notes);
}

}  // namespace vaa::capture
