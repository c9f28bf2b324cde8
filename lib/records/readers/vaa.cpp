// vaa's own records, with or without a run header as first line.
#include "base/json_writer.h"
#include "records/format.h"
#include "records/run_header.h"

namespace vaa {
namespace {

class VaaParser final : public UnitParser {
 public:
  explicit VaaParser(const FileContext& context) : context_(context) {}
  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    if (is_header(unit.bytes)) return true;
    Sample& sample = out->add();
    if (!read_record(unit.bytes, &sample, why)) return false;
    if (!sample.has(TextField::kId)) sample.set(TextField::kId, std::to_string(unit.number));
    if (!sample.has(IntField::kRepeat)) sample.set(IntField::kRepeat, 0);
    if (!sample.has(TextField::kDataset)) sample.set(TextField::kDataset, context_.stem);
    keep_origin(&sample);
    set_source(&sample, "vaa", context_, unit.number);
    return true;
  }

 private:
  // A header names its schema first, as every writer of it does.
  static bool is_header(std::string_view line) {
    JsonReader json(line);
    std::string_view key, schema;
    return json.peek() == JsonKind::kObject && json.object() && json.key(&key) && key == "schema" && json.peek() == JsonKind::kString && json.string(&schema) &&
           schema.substr(0, 8) == "vaa.run/";
  }
  // Where the record says that it came from: source is this file from now on.
  void keep_origin(Sample* sample) {
    if (!sample->has(TextField::kSourceFormat) && !sample->has(TextField::kSourceFile)) return;
    origin_.clear();
    JsonWriter json(&origin_);
    json.begin_object().member("format", sample->text(TextField::kSourceFormat)).member("file", sample->text(TextField::kSourceFile));
    json.member("line", sample->integer(IntField::kSourceLine, 0)).end_object();
    add_extra(sample, "recorded_source", origin_);
  }
  const FileContext& context_;
  std::string origin_;
};

bool recognise(const Probe& probe) {
  const std::string_view schema = probe.text("schema");
  return schema.substr(0, 11) == "vaa.record/" || schema.substr(0, 8) == "vaa.run/";
}

std::unique_ptr<UnitParser> parser(const FileContext& context) { return std::make_unique<VaaParser>(context); }

void header(const Probe& probe, RunHeader* out) {
  if (probe.text("schema").substr(0, 8) == "vaa.run/") *out = read_run_header(probe.first);
}

}  // namespace

extern const Format kVaa;
const Format kVaa = {
    {"vaa", "vaa records", "*.jsonl, with or without a run header (vaa.run/1) as first line", "schema begins with vaa.record/ or vaa.run/"},
    Unit::kLines,
    recognise,
    parser,
    "",
    header,
};

}  // namespace vaa
