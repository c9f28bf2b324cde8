// vaa's own records, with or without a run header as first line; a run that is done may say it once more as the last line, with what is known then.
#include <sys/stat.h>

#include "base/json_writer.h"
#include "records/format.h"
#include "records/random_file.h"
#include "records/run_header.h"

namespace vaa {
namespace {

// A header names its schema first, as every writer of it does.
bool is_header(std::string_view line) {
  JsonReader json(line);
  std::string_view key, schema;
  return json.peek() == JsonKind::kObject && json.object() && json.key(&key) && key == "schema" && json.peek() == JsonKind::kString && json.string(&schema) &&
         schema.substr(0, 8) == "vaa.run/";
}

bool is_whole(std::string_view line, std::string* why) {
  JsonReader json(line);
  return (json.skip() && json.finish()) || bad_json(json, why);
}

class VaaParser final : public UnitParser {
 public:
  explicit VaaParser(const FileContext& context) : context_(context) {}
  bool parse(const UnitView& unit, SampleQueue* out, std::string* why) override {
    if (is_header(unit.bytes)) return is_whole(unit.bytes, why);
    Sample& sample = out->add();
    if (!read_record(unit.bytes, &sample, why)) return false;
    if (!sample.has(TextField::kId)) sample.set(TextField::kId, std::to_string(unit.number));
    if (!sample.has(IntField::kRepeat)) sample.set(IntField::kRepeat, 0);
    keep_origin(&sample);
    set_source(&sample, "vaa", context_, unit.number);
    return true;
  }

 private:
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

// The last line where it lies in the last MiB of a plain file; "" : of a pipe, of a packed file, of a longer line.
std::string last_line(const Probe& probe) {
  constexpr int64_t kLook = 1 << 20;
  constexpr std::string_view kWhite = " \t\r\n";
  struct stat info {};
  if (::stat(probe.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const RandomFile file = RandomFile::plain(probe.path);
  std::string bytes;
  file.read(0, probe.head.size() + 3, &bytes);
  if (bytes.find(probe.head.substr(0, 64)) > 3) return {};  // what lies there is not the text
  const int64_t begin = std::max<int64_t>(0, info.st_size - kLook);
  file.read(begin, kLook, &bytes);
  bytes.resize(bytes.find_last_not_of(kWhite) + 1);
  const size_t line_end = bytes.rfind('\n');
  return line_end == std::string::npos ? std::string() : bytes.substr(line_end + 1);
}

// A last line that was torn off is no header, and hides none.
void header(const Probe& probe, RunHeader* out) {
  if (probe.text("schema").substr(0, 8) == "vaa.run/") *out = read_run_header(probe.first);
  const std::string last = last_line(probe);
  std::string why;
  if (is_header(last) && is_whole(last, &why)) *out = read_run_header(last);
}

}  // namespace

extern const Format kVaa;
const Format kVaa = {
    {"vaa", "vaa records", "*.jsonl, with or without a run header (vaa.run/1) as first line, and as last line of a run that is done", "schema begins with vaa.record/ or vaa.run/"},
    Unit::kLines,
    recognise,
    parser,
    "",
    header,
};

}  // namespace vaa
