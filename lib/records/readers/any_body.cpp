#include "records/readers/any_body.h"

#include "records/readers/openai_common.h"

namespace vaa {
namespace {

using Kind = BodyKind;
constexpr const char* kFormats[] = {"openai", "sglang_generate", "llamacpp_completion", "mindie_infer"};

struct KindKey {
  std::string_view key;
  Kind kind;
};
constexpr KindKey kKeys[] = {
    {"object", Kind::kOpenai},     {"choices", Kind::kOpenai},         {"error", Kind::kOpenai},       {"detail", Kind::kOpenai},
    {"meta_info", Kind::kSglang},  {"generated_text", Kind::kMindie},  {"stop_type", Kind::kLlamacpp}, {"content", Kind::kLlamacpp},
};

}  // namespace

BodyKind body_kind(std::string_view body) {
  JsonReader json(body);
  if (json.peek() == JsonKind::kArray) return Kind::kSglang;
  if (json.peek() != JsonKind::kObject) return Kind::kOpenai;
  json.object();
  std::string_view key;
  while (json.key(&key)) {
    for (const KindKey& known : kKeys)
      if (known.key == key) return known.kind;
    json.skip();
  }
  return Kind::kOpenai;
}

AnyBody::AnyBody() : readers_{openai_reader(), sglang_reader(), llamacpp_reader(), mindie_reader()} {}

bool AnyBody::read(std::string_view body, SampleQueue* out, Problems* problems, std::string* why) {
  const size_t first = out->size();
  const auto kind = static_cast<size_t>(body_kind(body));
  format_ = kFormats[kind];
  JsonReader json(body);
  why->clear();
  if (readers_[kind]->read(&json, out, problems, why) && json.finish()) return true;
  if (why->empty()) bad_json(json, why);
  while (out->size() > first) out->drop_last();
  return false;
}

void apply_status(int64_t status, Sample* sample) {
  if (status >= 400 && !sample->failed()) sample->set(TextField::kErrorMessage, "status " + std::to_string(status));
  if (sample->failed() && (status >= 400 || (status > 0 && !sample->has(IntField::kErrorStatus)))) sample->set(IntField::kErrorStatus, status);
}

}  // namespace vaa
