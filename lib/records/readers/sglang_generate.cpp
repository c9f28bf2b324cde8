// Answers of SGLang's POST /generate (docs/formats.md).
#include "records/readers/openai_common.h"
#include "records/readers/sglang_body.h"

namespace vaa {
namespace {

class SglangReader : public BodyReader {
 public:
  bool read(JsonReader* json, SampleQueue* out, Problems* problems, std::string* why) override {
    if (json->peek() != JsonKind::kArray) return read_one(json, 0, out, problems, why);
    // A batch, or n > 1: a list of answers.
    json->array();
    for (int64_t repeat = 0; json->element(); ++repeat) {
      if (repeat == static_cast<int64_t>(OpenaiBody::kMaxChoices)) {
        *why = "body: is a list of more than " + std::to_string(OpenaiBody::kMaxChoices) + " answers";
        return false;
      }
      if (!read_one(json, repeat, out, problems, why)) return false;
    }
    return !json->failed() || bad_json(*json, why);
  }

 private:
  bool read_one(JsonReader* json, int64_t repeat, SampleQueue* out, Problems* problems, std::string* why) {
    if (!body_.read(json, &part_, why)) return false;
    Sample& sample = out->add();
    sample.swap(part_.fields);
    sample.set(IntField::kRepeat, repeat);
    finish_choice(false, false, std::string(), part_.logprobs, &sample, problems);
    return true;
  }

  SglangBody body_;
  ChoicePart part_;
};

bool recognise(const Probe& probe) { return probe.kind("meta_info") == JsonKind::kObject && !probe.has("object"); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return body_parser(sglang_reader(), "sglang_generate", context); }

}  // namespace

std::unique_ptr<BodyReader> sglang_reader() { return std::make_unique<SglangReader>(); }

extern const Format kSglangGenerate;
const Format kSglangGenerate = {
    {"sglang_generate", "SGLang /generate", "answers of POST /generate, one JSON document or one a line", "meta_info, no object"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
