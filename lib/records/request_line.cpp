// A sample's prompt as one line of an OpenAI batch file: what to ask again.
#include "base/json.h"
#include "base/json_writer.h"
#include "records/sample.h"
#include "text/bounded.h"

namespace vaa {
namespace {

bool is_json_list(std::string_view text) {
  JsonReader json(text);
  return json.peek() == JsonKind::kArray && json.skip() && json.finish();
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.size() <= 20 && text.find_first_not_of("0123456789", text[0] == '-' && text.size() > 1 ? 1 : 0) == text.npos;
}

void add_sampling(JsonWriter* json, const Sample& sample) {
  static constexpr std::pair<RealField, const char*> kReals[] = {{RealField::kTemperature, "temperature"}, {RealField::kTopP, "top_p"}, {RealField::kMinP, "min_p"},
      {RealField::kRepetitionPenalty, "repetition_penalty"}, {RealField::kPresencePenalty, "presence_penalty"}, {RealField::kFrequencyPenalty, "frequency_penalty"}};
  for (const auto& [field, name] : kReals) {
    if (sample.has(field)) json->member(name, sample.real(field, 0));
  }
  if (sample.has(IntField::kTopK)) json->member("top_k", sample.integer(IntField::kTopK, 0));
  if (sample.has(IntField::kMaxTokens)) json->member("max_tokens", sample.integer(IntField::kMaxTokens, 0));
  if (sample.has(IntField::kIgnoreEos)) json->member("ignore_eos", sample.integer(IntField::kIgnoreEos, 0) != 0);
  const std::string_view seed = sample.text(TextField::kSeed);
  if (is_whole_number(seed)) json->key("seed").raw(seed);
}

std::string custom_id(const Sample& sample) {
  std::string id;
  if (sample.has(TextField::kDataset)) id = bounded(sample.text(TextField::kDataset), kMaxLineName) + "/";
  id += bounded(sample.text(TextField::kId), kMaxLineName);
  return id + "/" + std::to_string(sample.integer(IntField::kRepeat, 0));
}

}  // namespace

bool append_request_line(std::string* out, const Sample& sample) {
  const bool chat = sample.has(TextField::kPromptMessages) && is_json_list(sample.text(TextField::kPromptMessages));
  const bool text = sample.has(TextField::kPromptText);
  if (!chat && !text && !sample.has(IdsField::kPromptTokenIds)) return false;
  JsonWriter json(out);
  json.begin_object().member("custom_id", custom_id(sample)).member("method", "POST");
  json.member("url", chat ? "/v1/chat/completions" : "/v1/completions").key("body").begin_object();
  if (sample.has(TextField::kModel)) json.member("model", bounded(sample.text(TextField::kModel), kMaxLineName));
  if (chat) {
    json.key("messages").raw(sample.text(TextField::kPromptMessages));
  } else if (text) {
    json.member("prompt", sample.text(TextField::kPromptText));
  } else {
    json.key("prompt").begin_array();
    for (const int32_t id : sample.ids.get(IdsField::kPromptTokenIds)) json.integer(id);
    json.end_array();
  }
  add_sampling(&json, sample);
  json.end_object().end_object();
  return true;
}

}  // namespace vaa
