// Answers of MindIE's POST /infer (docs/formats.md): generated_text and details; no token ids.
#include "records/readers/openai_body.h"
#include "records/readers/openai_common.h"

namespace vaa {
namespace {

bool read_details(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (!enter_object(json, "details", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "finish_reason") good = read_finish_reason(json, sample, why);
    else if (key == "generated_tokens") good = read_integer(json, "details.generated_tokens", sample, IntField::kCompletionTokens, why);
    else if (key == "seed") good = read_id(json, "details.seed", sample, TextField::kSeed, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

class MindieReader : public BodyReader {
 public:
  bool read(JsonReader* json, SampleQueue* out, Problems*, std::string* why) override {
    if (!enter_object(json, "body", why)) return false;
    Sample& sample = out->add();
    bool known = false;
    std::string_view key;
    while (json->key(&key)) {
      bool good = false;
      if (key == "generated_text") good = known = read_text(json, "generated_text", &sample, TextField::kOutputText, why);
      else if (key == "details") good = read_details(json, &sample, why);
      else if (key == "error") good = read_error(json, &sample, why);
      else good = pass(json, why);
      if (!good) return false;
    }
    if (json->failed()) return bad_json(*json, why);
    if (!known && !sample.failed()) {
      *why = "generated_text: is missing, and there is no error";
      return false;
    }
    split_reasoning(&sample, false);
    return true;
  }
};

bool recognise(const Probe& probe) { return probe.has("generated_text") && probe.has("details"); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return body_parser(mindie_reader(), "mindie_infer", context); }

}  // namespace

std::unique_ptr<BodyReader> mindie_reader() { return std::make_unique<MindieReader>(); }

extern const Format kMindieInfer;
const Format kMindieInfer = {
    {"mindie_infer", "MindIE /infer", "answers of POST /infer, one JSON document or one a line", "generated_text and details"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
