// What the bodies of servers have in common: usage, finish and stop reason, errors, content in parts; and small steps of reading that every parser here takes.
#pragma once
#include <string>
#include <string_view>

#include "records/format.h"

namespace vaa {

// Every reader here returns false where the value is malformed or of a wrong kind, with *why set.

// Enter a container; `name` is what a message calls it.
bool enter_object(JsonReader* json, std::string_view name, std::string* why);
bool enter_array(JsonReader* json, std::string_view name, std::string* why);
// A number; null is NaN.
bool read_number(JsonReader* json, std::string_view name, double* out, std::string* why);
// Skips a value.
bool pass(JsonReader* json, std::string* why);
// Any value as JSON on one line.
bool copy_json(JsonReader* json, std::string* out, std::string* why);
// Text as it is, null not recorded, anything else as JSON on one line.
bool read_any(JsonReader* json, Sample* sample, TextField field, std::string* why);
// Text, appended to what the field holds; recorded from then on.
void append_text(Sample* sample, TextField field, std::string_view text);

// Fields that `to` lacks, from `from`.
void fill_missing(const Sample& from, Sample* to);
// Fields that `from` has, whether `to` has them or not.
void overlay(const Sample& from, Sample* to);

// Text, null, or SGLang's object {"type", "matched" | "message", "status_code", "err_type"}: finish_reason, stop_reason, and an error where an abort has a message.
bool read_finish_reason(JsonReader* json, Sample* sample, std::string* why);
// A stop string, a token id or null.
bool read_stop_reason(JsonReader* json, std::string_view name, Sample* sample, std::string* why);
// usage of OpenAI's responses, and evalscope's names of the same counts. Null leaves all as it is.
bool read_usage(JsonReader* json, Sample* sample, std::string* why);
// timings of llama.cpp: cached tokens, time to the first token and to the last.
bool read_timings(JsonReader* json, Sample* sample, std::string* why);

// The HTTP status in `code`; a word there is passed.
bool read_status(JsonReader* json, Sample* sample, std::string* why);
// The value of `error`: text, {"message", "type", "code"} or null.
bool read_error(JsonReader* json, Sample* sample, std::string* why);
// The value of `detail`: text, or FastAPI's list of {"type", "loc", "msg"}.
bool read_error_detail(JsonReader* json, Sample* sample, std::string* why);
// A body that is no JSON, such as a proxy's HTML page.
void set_error_body(Sample* sample, std::string_view body);

// Content as a list of {"type": "text", "text"} and {"type": "reasoning", "reasoning"}: joined to output.text and output.reasoning, which stay not recorded where
// there is no such part.
bool read_content_parts(JsonReader* json, Sample* sample, std::string* why);

}  // namespace vaa
