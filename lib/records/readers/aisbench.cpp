// Lines of AISBench's predictions/<model>/<ds>.jsonl and <ds>_failed.jsonl (docs/formats.md, 1.4).
#include "base/json_writer.h"
#include "records/folder_input.h"
#include "records/id_index.h"
#include "records/readers/aisbench_lines.h"

namespace vaa {
namespace {

class AisbenchParser final : public UnitParser {
 public:
  explicit AisbenchParser(const FileContext& context) : context_(context), dataset_(context.stem) {
    constexpr std::string_view kFailed = "_failed";
    if (ends_with(dataset_, kFailed)) dataset_.resize(dataset_.size() - kFailed.size());
  }

  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    json_.reset(unit.bytes);
    if (json_.peek() != JsonKind::kObject) {
      if (json_.peek() == JsonKind::kInvalid) return json_.skip() || bad_json(json_, why);
      *why = wrong_kind("line", json_.peek(), "an object");
      return false;
    }
    Sample& sample = out->add();
    answered_ = failed_ = ranked_ = false;
    json_.object();
    std::string_view key;
    while (json_.key(&key))
      if (!read_member(key, &sample, why)) return false;
    if (!json_.finish()) return bad_json(json_, why);
    if (!answered_ && !sample.failed() && !failed_) {
      *why = "prediction: is missing, and there is no error_info";
      return false;
    }
    complete(unit, &sample);
    return true;
  }

 private:
  bool read_member(std::string_view key, Sample* sample, std::string* why) {
    if (key == "prediction") return read_prediction(sample, why);
    if (key == "origin_prompt" || key == "input") return read_template_prompt(&json_, "origin_prompt", sample, why);
    if (key == "gold") return read_any_text(&json_, sample, TextField::kScoreGold, why);
    if (key == "id") return read_id(&json_, "id", sample, TextField::kId, why);
    if (key == "data_abbr") return read_text(&json_, "data_abbr", sample, TextField::kDataset, why);
    if (key == "uuid") return read_id(&json_, "uuid", sample, TextField::kRequestId, why);
    if (key == "error_info") return read_any_text(&json_, sample, TextField::kErrorMessage, why);
    if (key == "response_anomaly_payload") return read_payload(&json_, sample, why);
    if (key == "success" && json_.peek() == JsonKind::kBool) {
      bool success = true;
      if (!json_.boolean(&success)) return bad_json(json_, why);
      failed_ = !success;
      return true;
    }
    if (key == "ppl_list") {
      std::string_view raw;
      if (!json_.raw(&raw)) return bad_json(json_, why);
      add_extra(sample, "ppl_list", raw);
      ranked_ = true;
      return true;
    }
    return json_.skip() || bad_json(json_, why);
  }

  // Text; the turns of a conversation as a list of texts, kept as one text; the object of an agent task, which is no text.
  bool read_prediction(Sample* sample, std::string* why) {
    answered_ = true;
    const JsonKind kind = json_.peek();
    if (kind == JsonKind::kArray) return read_turns(sample, why);
    if (kind != JsonKind::kObject) return read_text(&json_, "prediction", sample, TextField::kOutputText, why);
    std::string_view raw;
    if (!json_.raw(&raw)) return bad_json(json_, why);
    add_extra(sample, "prediction", raw);
    context_.problems->note("predictions that are objects (agent tasks) hold no answer text and are not judged");
    return true;
  }

  bool read_turns(Sample* sample, std::string* why) {
    std::string& text = sample->texts.put(TextField::kOutputText);
    text.clear();
    int64_t turns = 0;
    json_.array();
    while (json_.element()) {
      std::string_view turn;
      if (json_.peek() != JsonKind::kString || !json_.string(&turn)) {
        if (json_.failed()) return bad_json(json_, why);
        *why = wrong_kind("prediction[" + std::to_string(turns) + "]", json_.peek(), "text");
        return false;
      }
      if (turns++ > 0) text += "\n\n";
      text += turn;
    }
    if (json_.failed()) return bad_json(json_, why);
    add_extra(sample, "turns", std::to_string(turns));
    return true;
  }

  void complete(const UnitView& unit, Sample* sample) {
    if (failed_ && !sample->failed()) sample->set(TextField::kErrorMessage, "the request failed");
    if (ranked_ && sample->has(TextField::kOutputText)) {  // a label that was likeliest: nothing was generated
      sample->texts.put(TextField::kScoreExtracted).swap(sample->texts.put(TextField::kOutputText));
      sample->texts.unset(TextField::kOutputText);
    }
    if (sample->failed() && sample->text(TextField::kOutputText).empty()) sample->texts.unset(TextField::kOutputText);
    if (!sample->has(TextField::kId)) sample->set(TextField::kId, std::to_string(unit.number));
    if (!sample->has(TextField::kDataset)) sample->set(TextField::kDataset, dataset_);
    const uint64_t name = hash_text(sample->text(TextField::kId), hash_text(sample->text(TextField::kDataset)));
    sample->set(IntField::kRepeat, static_cast<int64_t>((context_.names ? *context_.names : seen_).add(name)));
    trim_worked_gold(sample);
    split_reasoning(sample, true);
    set_source(sample, "aisbench", context_, unit.number);
  }

  const FileContext& context_;
  std::string dataset_;
  JsonReader json_{std::string_view()};
  IdCounts seen_;  // lines of an id: no line says which repeat it is
  bool answered_ = false, failed_ = false, ranked_ = false;
};

bool recognise(const Probe& probe) {
  return probe.has("data_abbr") && (probe.has("prediction") || probe.has("error_info")) && !probe.has("time_points");
}

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<AisbenchParser>(context); }

}  // namespace

extern const Format kAisbench;
const Format kAisbench = {
    {"aisbench", "AISBench accuracy run", "a run folder (predictions/ and configs/), predictions/<model>/*.jsonl, *_failed.jsonl",
     "data_abbr with prediction or error_info; a folder with predictions/ and configs/"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
