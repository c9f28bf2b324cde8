// What a line of AISBench's predictions, failures and payload is made of; shared by the file's reader and the run's.
#pragma once
#include <string>
#include <string_view>

#include "records/format.h"

namespace vaa {

// [{"role": "HUMAN", "prompt": …}] as [{"role": "user", "content": …}], or text; lists of anything else are not recorded.
bool read_template_prompt(JsonReader* json, std::string_view key, Sample* sample, std::string* why);
// Any value as text: text as it is, anything else as its JSON; null leaves the field not recorded.
bool read_any_text(JsonReader* json, Sample* sample, TextField field, std::string* why);
// What follows "####" in the last line of a worked answer; anything else stays whole.
void trim_worked_gold(Sample* sample);
// {"tokens": […], "topk_logprobs": [{"<id>": logprob}, …]} into ids, logprobs and alternatives, the sampled id first.
bool read_payload(JsonReader* json, Sample* sample, std::string* why);

}  // namespace vaa
