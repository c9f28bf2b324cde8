// What a server is, from its answers to small questions. Pure: no network.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/dialect.h"
#include "capture/transport.h"

namespace vaa::capture {

struct ServedModel {
  std::string id, owned_by;
  bool adapter = false;          // it has a parent: a LoRA adapter
  int64_t max_model_len = -1;
};
// The answer to GET /v1/models. False where it is no list of models; *why says what it is.
bool read_models(std::string_view body, std::vector<ServedModel>* out, Both* why);
// The answer to GET /version; "" where it has none.
std::string read_version(const HttpResponse& answer);

// An answer of a path that one dialect owns.
struct OwnAnswer {
  std::string path;
  HttpResponse response;
};
// By the models' owner, then by what the own paths answered, then by /version (vLLM and what is made of it).
const Dialect& recognise(const std::vector<ServedModel>& models, bool has_version, const std::vector<OwnAnswer>& own);
// Paths worth asking where the models' owner leaves several dialects, or none.
std::vector<std::string> own_paths(const std::vector<ServedModel>& models);

// The model to ask for: `wanted`, else the only one that is no adapter. Throws Failure (VAA_ERROR_NOT_FOUND) that lists what `endpoint` serves.
const ServedModel& chosen_model(const std::vector<ServedModel>& models, std::string_view wanted, std::string_view endpoint);

// "n_ctx" of llama.cpp's /props, "max_model_len" or "context_length" elsewhere; -1: there is none.
int64_t context_length(std::string_view own_json);
// "version" (SGLang), "build_info" (llama.cpp); "" : there is none.
std::string own_version(std::string_view own_json);

}  // namespace vaa::capture
