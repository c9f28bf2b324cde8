// Answers of llama.cpp's POST /completion (docs/formats.md). It echoes the sampling parameters that were in force; `truncated` there speaks of the prompt, not of the answer;
// tokens leave the stop token out.
#include <algorithm>

#include "records/readers/openai_body.h"
#include "records/readers/openai_common.h"
#include "records/readers/request_body.h"

namespace vaa {
namespace {

bool read_value(JsonReader* json, std::string_view key, ChoicePart* part, std::string* why) {
  Sample* sample = &part->fields;
  if (key == "content") return read_text(json, "content", sample, TextField::kOutputText, why);
  if (key == "reasoning_content") return read_text(json, "reasoning_content", sample, TextField::kOutputReasoning, why);
  if (key == "index") return read_integer(json, "index", sample, IntField::kRepeat, why);
  if (key == "tokens") return read_ids(json, "tokens", sample, IdsField::kOutputTokenIds, why);
  if (key == "stop_type") return read_finish_reason(json, sample, why);
  if (key == "stopping_word") return read_text(json, "stopping_word", sample, TextField::kStopReason, why);
  if (key == "tokens_predicted") return read_integer(json, "tokens_predicted", sample, IntField::kCompletionTokens, why);
  if (key == "tokens_evaluated") return read_integer(json, "tokens_evaluated", sample, IntField::kPromptTokens, why);
  if (key == "timings") return read_timings(json, sample, why);
  if (key == "generation_settings") return read_generation_settings(json, sample, why);
  if (key == "prompt") return read_prompt(json, sample, why);
  if (key == "model") return read_text(json, "model", sample, TextField::kModel, why);
  if (key == "completion_probabilities") return read_logprob_entries(json, "completion_probabilities", &part->logprobs, why) || (why->empty() && bad_json(*json, why));
  if (key == "error") return read_error(json, sample, why);
  if (key == "truncated" && json->peek() == JsonKind::kBool) {
    bool cut = false;
    json->boolean(&cut);
    if (cut) add_extra(sample, "prompt_truncated", "true");
    return true;
  }
  return pass(json, why);
}

class LlamacppReader : public BodyReader {
 public:
  bool read(JsonReader* json, SampleQueue* out, Problems* problems, std::string* why) override {
    if (!read_llamacpp_body(json, &body_, why)) return false;
    ChoicePart& part = body_[0];
    Sample& sample = out->add();
    sample.swap(part.fields);
    finish_choice(false, false, std::string(), part.logprobs, &sample, problems);
    return true;
  }

 private:
  OpenaiBody body_;
};

bool recognise(const Probe& probe) { return probe.has("content") && probe.has("stop_type"); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return body_parser(llamacpp_reader(), "llamacpp_completion", context); }

}  // namespace

bool read_llamacpp_body(JsonReader* json, OpenaiBody* out, std::string* why) {
  out->clear();
  if (!enter_object(json, "body", why)) return false;
  ChoicePart& part = out->add();
  Sample& sample = part.fields;
  bool known = false;
  std::string_view key;
  while (json->key(&key)) {
    known |= key == "content" || key == "stop_type";
    if (!read_value(json, key, &part, why)) return false;
  }
  if (json->failed()) return bad_json(*json, why);
  if (!known && !sample.failed()) {
    *why = "content: is missing, and there is no error";
    return false;
  }
  part.index = std::max<int64_t>(0, sample.integer(IntField::kRepeat, 0));
  // An empty list stands for ids that were not asked for.
  const IdsField ids = IdsField::kOutputTokenIds;
  if (sample.has(ids) && sample.ids.get(ids).empty() && !sample.text(TextField::kOutputText).empty()) sample.ids.unset(ids);
  if (sample.text(TextField::kStopReason).empty()) sample.texts.unset(TextField::kStopReason);
  part.logprobs.set_own_ids();
  return true;
}

std::unique_ptr<BodyReader> llamacpp_reader() { return std::make_unique<LlamacppReader>(); }

extern const Format kLlamacppCompletion;
const Format kLlamacppCompletion = {
    {"llamacpp_completion", "llama.cpp /completion", "answers of POST /completion, one JSON document or one a line", "content and stop_type"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
