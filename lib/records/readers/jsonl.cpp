// Any other JSON lines: the user says where the text lies (--text-field a.0.b), and where id, prompt, finish reason and gold do. Never guessed.
#include "base/failure.h"
#include "records/readers/openai_common.h"

namespace vaa {
namespace {

constexpr size_t kMaxDepth = 32;

// One field of the sample and the way to it: keys, and indexes of lists, by dots.
struct Path {
  std::vector<std::string> parts;
  TextField field;
};

Path parse_path(std::string_view option, const std::string& text, TextField field) {
  Path path{{}, field};
  for (size_t begin = 0; begin <= text.size();) {
    const size_t dot = std::min(text.find('.', begin), text.size());
    if (dot == begin) fail(VAA_ERROR_OPTION, std::string(option) + ": " + quoted(text) + " has an empty part, must be keys and indexes by dots such as choices.0.text");
    path.parts.push_back(text.substr(begin, dot - begin));
    begin = dot + 1;
  }
  if (path.parts.size() > kMaxDepth) fail(VAA_ERROR_OPTION, std::string(option) + ": has " + std::to_string(path.parts.size()) + " parts, at most " + std::to_string(kMaxDepth) + " are allowed");
  return path;
}

class JsonlParser : public UnitParser {
 public:
  explicit JsonlParser(const FileContext& context) : context_(context) {
    const OpenOptions& options = *context.options;
    if (options.text_field.empty()) fail(VAA_ERROR_OPTION, "text_field: is empty, the format jsonl must be told where the answer lies, such as choices.0.text");
    add("text_field", options.text_field, TextField::kOutputText);
    add("id_field", options.id_field, TextField::kId);
    add("prompt_field", options.prompt_field, TextField::kPromptText);
    add("finish_reason_field", options.finish_reason_field, TextField::kFinishReason);
    add("gold_field", options.gold_field, TextField::kScoreGold);
  }

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    why->clear();
    json_.reset(unit.bytes);
    seen_ = 0;
    Sample& sample = out->add();
    if (!walk(0, (1u << paths_.size()) - 1, &sample, why)) return why->empty() ? bad_json(json_, why) : false;
    if (!json_.finish()) return bad_json(json_, why);
    if (!(seen_ & 1)) {
      *why = "text_field: " + quoted(context_.options->text_field) + " is not in the line";
      return false;
    }
    if (!sample.has(TextField::kId)) sample.set(TextField::kId, std::to_string(unit.number));
    sample.set(IntField::kRepeat, 0);
    set_source(&sample, "jsonl", context_, unit.number);
    split_reasoning(&sample, false);
    return true;
  }

 private:
  void add(std::string_view option, const std::string& text, TextField field) {
    if (!text.empty()) paths_.push_back(parse_path(option, text, field));
  }

  // Of the paths in `active`, which lead to here, those that go on with `part`.
  unsigned follow(unsigned active, size_t depth, std::string_view part) const {
    unsigned next = 0;
    for (size_t i = 0; i < paths_.size(); ++i) {
      if ((active >> i & 1) && paths_[i].parts.size() > depth && paths_[i].parts[depth] == part) next |= 1u << i;
    }
    return next;
  }

  bool walk(size_t depth, unsigned active, Sample* sample, std::string* why) {
    if (active == 0) return pass(&json_, why);
    unsigned ending = 0;
    for (size_t i = 0; i < paths_.size(); ++i) {
      if ((active >> i & 1) && paths_[i].parts.size() == depth) ending |= 1u << i;
    }
    if (ending != 0) return read_leaf(ending, sample, why);
    std::string_view key;
    if (json_.peek() == JsonKind::kObject) {
      json_.object();
      while (json_.key(&key)) {
        if (!walk(depth + 1, follow(active, depth, key), sample, why)) return false;
      }
    } else if (json_.peek() == JsonKind::kArray) {
      json_.array();
      for (size_t i = 0; json_.element(); ++i) {
        if (!walk(depth + 1, follow(active, depth, std::to_string(i)), sample, why)) return false;
      }
    } else {
      return pass(&json_, why);
    }
    return !json_.failed() || bad_json(json_, why);
  }

  bool read_leaf(unsigned ending, Sample* sample, std::string* why) {
    std::string_view raw;
    if (!json_.raw(&raw)) return bad_json(json_, why);
    for (size_t i = 0; i < paths_.size(); ++i) {
      if (!(ending >> i & 1)) continue;
      JsonReader value(raw);
      seen_ |= 1u << i;
      if (!read_field(&value, paths_[i].field, sample, why)) return false;
    }
    return true;
  }

  bool read_field(JsonReader* value, TextField field, Sample* sample, std::string* why) {
    switch (field) {
      case TextField::kOutputText: return read_text(value, "text_field", sample, field, why);
      case TextField::kId: return read_id(value, "id_field", sample, field, why);
      case TextField::kFinishReason: return read_finish_reason(value, sample, why);
      // A prompt may be a list of messages.
      case TextField::kPromptText: return value->peek() == JsonKind::kArray ? copy_json(value, &sample->texts.put(TextField::kPromptMessages), why) : read_any(value, sample, field, why);
      default: return read_any(value, sample, field, why);
    }
  }

  FileContext context_;
  std::vector<Path> paths_;  // the first is the text's
  JsonReader json_{std::string_view()};
  unsigned seen_ = 0;        // bit i: path i was there
};

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<JsonlParser>(context); }

}  // namespace

extern const Format kJsonl;
const Format kJsonl = {
    {"jsonl", "any JSON lines", "any other JSONL, with text_field (a.0.b), id_field and others", "never guessed: text_field says that it is one"},
    Unit::kLines,
    [](const Probe&) { return false; },
    parser,
};

}  // namespace vaa
