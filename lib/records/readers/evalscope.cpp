// evalscope's predictions (docs/formats.md): index, model_output {choices, usage, time, error, perf_metrics}, messages. The one framework that keeps finish reason, usage and
// logprobs; tokens of logprobs are text, so alternatives have no ids.
#include "base/json_writer.h"
#include "records/readers/openai_body.h"
#include "records/readers/openai_common.h"

namespace vaa {
namespace {

// One choice of a line: its message lies in ChoicePart, its id is the request's.
bool read_message(JsonReader* json, ChoicePart* part, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "message", why)) return false;
  part->message = true;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "content") {
      good = json->peek() == JsonKind::kArray ? read_content_parts(json, &part->fields, why) : read_text(json, "message.content", &part->fields, TextField::kOutputText, why);
    } else if (key == "id") {
      good = read_id(json, "message.id", &part->fields, TextField::kRequestId, why);
    } else if (key == "tool_calls" && json->peek() == JsonKind::kArray) {
      good = copy_json(json, &part->tool_calls, why);
      if (part->tool_calls.find('{') == std::string::npos) part->tool_calls.clear();
    } else {
      good = pass(json, why);
    }
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_choice(JsonReader* json, ChoicePart* part, std::string* why) {
  if (!enter_object(json, "choices[]", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "message") good = read_message(json, part, why);
    else if (key == "stop_reason") good = read_finish_reason(json, &part->fields, why);
    else if (key == "logprobs") good = read_logprobs(json, &part->logprobs, why) || (why->empty() && bad_json(*json, why));
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

// {"latency", "ttft", …} in seconds.
bool read_perf(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return pass(json, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    const bool good = key == "ttft" ? read_real(json, "perf_metrics.ttft", sample, RealField::kTtftS, why) : pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

// A list of {"role", "content", …} without what evalscope adds (id, source).
bool read_messages(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kString) return read_text(json, "messages", sample, TextField::kPromptText, why);
  if (json->peek() != JsonKind::kArray) return pass(json, why);
  std::string& out = sample->texts.put(TextField::kPromptMessages);
  out.clear();
  std::string copy, role;
  JsonWriter writer(&out);
  writer.begin_array();
  json->array();
  while (json->element()) {
    if (!enter_object(json, "messages[]", why)) return false;
    role.clear();
    copy = "null";
    std::string_view key;
    while (json->key(&key)) {
      if (key == "role" && json->peek() == JsonKind::kString) json->string(&role);
      else if (key == "content" ? !copy_json(json, &copy, why) : !pass(json, why)) return false;
    }
    writer.begin_object().member("role", role).key("content").raw(copy).end_object();
  }
  writer.end_array();
  return !json->failed() || bad_json(*json, why);
}

class EvalscopeParser : public UnitParser {
 public:
  explicit EvalscopeParser(const FileContext& context) : context_(context) {}

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    json_.reset(unit.bytes);
    body_.clear();
    if (!read_line(why)) return false;
    if (!json_.finish()) return bad_json(json_, why);
    const size_t first = out->size();
    if (!emit_openai_body(&body_, out, context_.problems, why)) return false;
    for (size_t i = first; i < out->size(); ++i) {
      Sample& sample = (*out)[i];
      sample.set(IntField::kRepeat, static_cast<int64_t>(i - first));
      sample.set(TextField::kDataset, context_.stem);
      if (!sample.has(TextField::kId)) sample.set(TextField::kId, std::to_string(unit.number));
      set_source(&sample, "evalscope", context_, unit.number);
    }
    return true;
  }

 private:
  bool read_line(std::string* why) {
    if (!enter_object(&json_, "line", why)) return false;
    bool known = false;
    std::string_view key;
    while (json_.key(&key)) {
      bool good = false;
      if (key == "index") good = read_id(&json_, "index", &body_.common, TextField::kId, why);
      else if (key == "model") good = read_text(&json_, "model", &body_.common, TextField::kModel, why);
      else if (key == "messages") good = read_messages(&json_, &body_.common, why);
      else if (key == "model_output") good = known = read_output(why);
      else good = pass(&json_, why);
      if (!good) return false;
    }
    if (json_.failed()) return bad_json(json_, why);
    if (known) return true;
    *why = "model_output: is missing";
    return false;
  }

  bool read_output(std::string* why) {
    if (json_.peek() == JsonKind::kNull) return json_.null() || bad_json(json_, why);
    if (!enter_object(&json_, "model_output", why)) return false;
    Sample* common = &body_.common;
    std::string_view key;
    while (json_.key(&key)) {
      bool good = false;
      if (key == "choices") good = read_choices(why);
      else if (key == "usage") good = read_usage(&json_, common, why);
      else if (key == "time") good = read_real(&json_, "time", common, RealField::kE2eS, why);
      else if (key == "error") good = read_error(&json_, common, why);
      else if (key == "perf_metrics") good = read_perf(&json_, common, why);
      else good = pass(&json_, why);
      if (!good) return false;
    }
    return !json_.failed() || bad_json(json_, why);
  }

  bool read_choices(std::string* why) {
    if (json_.peek() == JsonKind::kNull) return json_.null() || bad_json(json_, why);
    if (!enter_array(&json_, "choices", why)) return false;
    while (json_.element()) {
      if (body_.size() == OpenaiBody::kMaxChoices) {
        *why = "choices: has more than " + std::to_string(OpenaiBody::kMaxChoices) + " elements";
        return false;
      }
      if (!read_choice(&json_, &body_.add(), why)) return false;
    }
    return !json_.failed() || bad_json(json_, why);
  }

  FileContext context_;
  JsonReader json_{std::string_view()};
  OpenaiBody body_;
};

bool recognise(const Probe& probe) { return probe.kind("model_output") == JsonKind::kObject && probe.has("index"); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<EvalscopeParser>(context); }

}  // namespace

extern const Format kEvalscope;
const Format kEvalscope = {
    {"evalscope", "evalscope", "predictions/<model>/*.jsonl; in a run folder with reviews/<model>/*.jsonl", "model_output and index"},
    Unit::kLines,
    recognise,
    parser,
};

// Scores, and of each answer only the text: joined to the predictions of a run folder.
extern const Format kEvalscopeReviews;
const Format kEvalscopeReviews = {
    {"evalscope", "evalscope reviews", "reviews/<model>/*.jsonl, joined to the predictions of a run folder", "sample_score and index"},
    Unit::kLines,
    [](const Probe& probe) { return probe.has("sample_score") && probe.has("index"); },
    nullptr,
    "holds the scores of an evalscope run and no whole answers: give the run folder, the one with predictions/ and reviews/",
};

}  // namespace vaa
