#include "records/readers/request_body.h"

#include "records/readers/openai_common.h"

namespace vaa {

bool read_prompt(JsonReader* json, Sample* sample, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kString) return read_text(json, "prompt", sample, TextField::kPromptText, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  if (kind != JsonKind::kArray) return true;
  size_t bad = 0;
  JsonReader list(raw);
  std::vector<int32_t>& ids = sample->ids.put(IdsField::kPromptTokenIds);
  if (list.ids(&ids, &bad) && !ids.empty()) return true;
  sample->ids.unset(IdsField::kPromptTokenIds);
  list.reset(raw);
  list.array();
  std::string text;
  size_t texts = 0;
  while (list.element()) {
    if (list.peek() == JsonKind::kString && ++texts == 1) list.string(&text);
    else list.skip(), texts += 1;
  }
  if (texts == 1) sample->set(TextField::kPromptText, text);
  return true;
}

bool read_settings(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return pass(json, why);
  if (!read_sampling(json, sample, true, why)) return false;
  if (sample->integer(IntField::kMaxTokens, 0) < 0) sample->ints.unset(IntField::kMaxTokens);
  return true;
}

bool read_generation_settings(JsonReader* json, Sample* sample, std::string* why) {
  if (!read_settings(json, sample, why)) return false;
  if (sample->text(TextField::kSeed) == "4294967295") sample->texts.unset(TextField::kSeed);
  return true;
}

bool read_request(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (json->peek() != JsonKind::kObject) return enter_object(json, "request", why);
  std::string_view raw, key;
  if (!json->raw(&raw)) return bad_json(*json, why);
  JsonReader request(raw);
  if (!read_settings(&request, sample, why)) return false;
  request.reset(raw);
  request.object();
  while (request.key(&key)) {
    bool good = false;
    if (key == "model") good = read_text(&request, "request.model", sample, TextField::kModel, why);
    else if (key == "messages" && request.peek() == JsonKind::kArray) good = copy_json(&request, &sample->texts.put(TextField::kPromptMessages), why);
    else if (key == "prompt" || key == "text" || key == "inputs" || key == "input_ids") good = read_prompt(&request, sample, why);
    else if (key == "sampling_params" || key == "parameters") good = read_settings(&request, sample, why);
    else good = pass(&request, why);
    if (!good) return false;
  }
  return true;
}

}  // namespace vaa
