// OpenCompass's predictions, also AISBench's up to 3.0 (docs/formats.md, 3): one object keyed "0", "1", … with origin_prompt, prediction, gold.
#include "base/json_writer.h"
#include "records/readers/openai_common.h"
#include "records/readers/request_body.h"

namespace vaa {
namespace {

constexpr size_t kMaxAnswers = 16384;  // predictions of one entry

std::string_view openai_role(std::string_view role) {
  if (role == "HUMAN") return "user";
  if (role == "BOT") return "assistant";
  return role == "SYSTEM" ? "system" : role;
}

// [{"role": "HUMAN", "prompt": …}] as [{"role": "user", "content": …}].
bool read_origin_prompt(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kArray) return read_prompt(json, sample, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  JsonReader list(raw);
  list.array();
  std::string& out = sample->texts.put(TextField::kPromptMessages);
  out.clear();
  JsonWriter writer(&out);
  writer.begin_array();
  std::string role, content;
  while (list.element()) {
    if (list.peek() != JsonKind::kObject) {
      // Prompts of PPL tasks are lists of texts: no conversation.
      sample->texts.unset(TextField::kPromptMessages);
      return true;
    }
    list.object();
    role.clear();
    content = "null";
    std::string_view key;
    while (list.key(&key)) {
      if (key == "role" && list.peek() == JsonKind::kString) list.string(&role);
      else if ((key == "prompt" || key == "content") ? !copy_json(&list, &content, why) : !list.skip()) return false;
    }
    writer.begin_object().member("role", openai_role(role)).key("content").raw(content).end_object();
  }
  writer.end_array();
  return true;
}

// What the evaluator compares with: of a worked answer what follows the last "####".
void trim_gold(Sample* sample) {
  if (!sample->has(TextField::kScoreGold)) return;
  std::string& gold = sample->texts.put(TextField::kScoreGold);
  const size_t mark = gold.rfind("####");
  if (mark == std::string::npos) return;
  const size_t begin = gold.find_first_not_of(" \t\r\n", mark + 4);
  const size_t end = gold.find_last_not_of(" \t\r\n");
  if (begin != std::string::npos) gold = gold.substr(begin, end - begin + 1);
}

bool read_rollout(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return pass(json, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "finish_reason") {
      good = read_finish_reason(json, sample, why);
    } else if (key == "num_tokens") {
      good = read_integer(json, "rollout.num_tokens", sample, IntField::kCompletionTokens, why);
    } else if (key == "token_logprobs" && json->peek() == JsonKind::kArray) {
      size_t bad = 0;
      good = json->reals(&sample->real_lists.put(RealsField::kOutputLogprobs), &bad);
      if (!good && !json->failed()) *why = "rollout.token_logprobs[" + std::to_string(bad) + "]: is no number";
    } else {
      good = pass(json, why);
    }
    if (!good) return json->failed() && why->empty() ? bad_json(*json, why) : false;
  }
  return !json->failed() || bad_json(*json, why);
}

// A prediction: text, or an object with the text and `rollout`.
bool read_answer(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() != JsonKind::kObject) return read_text(json, "prediction", sample, TextField::kOutputText, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if ((key == "prediction" || key == "text" || key == "content" || key == "output") && json->peek() == JsonKind::kString) good = read_text(json, key, sample, TextField::kOutputText, why);
    else if ((key == "reasoning" || key == "reasoning_content") && json->peek() == JsonKind::kString) good = read_text(json, key, sample, TextField::kOutputReasoning, why);
    else if (key == "rollout") good = read_rollout(json, sample, why);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

class OpencompassParser : public UnitParser {
 public:
  explicit OpencompassParser(const FileContext& context) : context_(context) {}

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    why->clear();
    json_.reset(unit.bytes);
    common_.clear();
    const size_t first = out->size();
    if (!read_entry(out, why)) return false;
    if (!json_.finish()) return bad_json(json_, why);
    const size_t answers = out->size() - first;
    if (answers == 0) out->add();
    // A count of tokens beside several answers is no answer's own.
    if (answers > 1) common_.ints.unset(IntField::kCompletionTokens);
    trim_gold(&common_);
    common_.set(TextField::kId, unit.key);
    common_.set(TextField::kDataset, context_.stem);
    for (size_t i = first; i < out->size(); ++i) {
      Sample& sample = (*out)[i];
      sample.set(IntField::kRepeat, static_cast<int64_t>(i - first));
      fill_missing(common_, &sample);
      set_source(&sample, "opencompass", context_, unit.number);
      split_reasoning(&sample, false);
    }
    return true;
  }

 private:
  bool read_entry(SampleQueue* out, std::string* why) {
    if (!enter_object(&json_, "entry", why)) return false;
    std::string_view key, choice;
    bool ranked = false;
    const size_t first = out->size();
    while (json_.key(&key)) {
      bool good = false;
      if (key == "prediction") {
        good = json_.raw(&choice) || bad_json(json_, why);
      } else if (key == "origin_prompt") {
        good = read_origin_prompt(&json_, &common_, why);
      } else if (key == "gold") {
        good = read_any(&json_, &common_, TextField::kScoreGold, why);
      } else if (key == "res_length" && json_.peek() == JsonKind::kNumber) {
        good = read_integer(&json_, "res_length", &common_, IntField::kCompletionTokens, why);
      } else {
        ranked |= key == "ppl_list" || key.substr(0, 6) == "label:";
        good = pass(&json_, why);
      }
      if (!good) return false;
    }
    if (json_.failed()) return bad_json(json_, why);
    if (ranked) return read_choice(choice, why);
    JsonReader answer(choice);
    if (answer.peek() != JsonKind::kArray) return choice.empty() || read_answer(&answer, &out->add(), why);
    answer.array();
    while (answer.element()) {
      if (out->size() - first == kMaxAnswers) {
        *why = "prediction: has more than " + std::to_string(kMaxAnswers) + " elements";
        return false;
      }
      if (!read_answer(&answer, &out->add(), why)) return false;
    }
    return true;
  }

  // The label that was likeliest: nothing was generated.
  bool read_choice(std::string_view choice, std::string* why) {
    if (choice.empty()) return true;
    std::string copy;
    JsonReader json(choice);
    if (!copy_json(&json, &copy, why)) return false;
    add_extra(&common_, "chosen", copy);
    return true;
  }

  FileContext context_;
  JsonReader json_{std::string_view()};
  Sample common_;  // what all answers of an entry share
};

bool is_place(std::string_view key) { return !key.empty() && key.size() <= 12 && key.find_first_not_of("0123456789") == std::string_view::npos; }

// One object keyed "0", "1", …, whose first member has a prediction or is a ranking of labels.
bool recognise(const Probe& probe) {
  if (!probe.is_object || probe.keys.empty() || !is_place(probe.keys.front().name) || probe.keys.front().kind != JsonKind::kObject) return false;
  for (const Probe::Key& key : probe.keys) {
    if (!is_place(key.name)) return false;
  }
  JsonReader json(probe.head);
  std::string_view key;
  if (json.peek() != JsonKind::kObject || !json.object() || !json.key(&key) || json.peek() != JsonKind::kObject || !json.object()) return false;
  while (json.key(&key)) {
    if (key == "prediction" || key == "origin_prompt") return true;
    if (!json.skip()) break;
  }
  return false;
}

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<OpencompassParser>(context); }

}  // namespace

extern const Format kOpencompass;
const Format kOpencompass = {
    {"opencompass", "OpenCompass, AISBench up to 3.0", "predictions/<model>/*.json", "one object keyed \"0\", \"1\", … with prediction"},
    Unit::kMembers,
    recognise,
    parser,
};

}  // namespace vaa
