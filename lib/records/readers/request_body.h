// The body of a request: prompt and sampling parameters, in OpenAI's form and in those of SGLang, llama.cpp and MindIE.
#pragma once
#include <string>
#include <string_view>

#include "records/format.h"

namespace vaa {

// prompt.text from text or from a list of one text, prompt.token_ids from a list of ids; a list of several prompts belongs to no single sample and is left out.
bool read_prompt(JsonReader* json, Sample* sample, std::string* why);
// Sampling parameters that were in force; null is passed. A limit below 0 is none.
bool read_settings(JsonReader* json, Sample* sample, std::string* why);
// llama.cpp's parameters that were in force; seed 4294967295 is its word for one that it draws, and says nothing.
bool read_generation_settings(JsonReader* json, Sample* sample, std::string* why);
// A whole request: an object, or null.
bool read_request(JsonReader* json, Sample* sample, std::string* why);

}  // namespace vaa
