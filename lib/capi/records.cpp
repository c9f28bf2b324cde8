// include/vaa/records.h
#include "vaa/records.h"

#include "base/json_writer.h"
#include "base/options.h"
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"

namespace vaa {
namespace {

constexpr double kLongest = 1099511627776.0;  // 2^40 bytes
constexpr OptionSpec kOpenOptions[] = {
    {"format", OptionSpec::Type::kText, 0, 64, "", "\"\"", "the format, instead of finding it by content"},
    {"text_field", OptionSpec::Type::kText, 0, 1024, "", "\"\"", "jsonl: path of the answer, such as choices.0.text"},
    {"id_field", OptionSpec::Type::kText, 0, 1024, "", "\"\"", "jsonl: path of the id"},
    {"prompt_field", OptionSpec::Type::kText, 0, 1024, "", "\"\"", "jsonl: path of the prompt"},
    {"finish_reason_field", OptionSpec::Type::kText, 0, 1024, "", "\"\"", "jsonl: path of the finish reason"},
    {"gold_field", OptionSpec::Type::kText, 0, 1024, "", "\"\"", "jsonl: path of the right answer"},
    {"max_line", OptionSpec::Type::kInt, 1024, kLongest, "", "268435456", "longest line that is read, in bytes"},
};

OpenOptions open_options(std::string_view json) {
  const Options options(json, kOpenOptions, "vaa_records_open");
  OpenOptions open;
  open.format = options.text("format");
  open.text_field = options.text("text_field");
  open.id_field = options.text("id_field");
  open.prompt_field = options.text("prompt_field");
  open.finish_reason_field = options.text("finish_reason_field");
  open.gold_field = options.text("gold_field");
  open.max_line = options.integer("max_line");
  return open;
}

std::string formats_json() {
  std::string text;
  JsonWriter json(&text);
  json.begin_array();
  for (const FormatInfo& f : known_formats())
    json.begin_object().member("name", f.name).member("title", f.title).member("files", f.files).member("found_by", f.found_by).end_object();
  json.end_array();
  return text;
}

std::string problems_json(const Problems& problems) {
  std::string text;
  JsonWriter json(&text);
  json.begin_object().member("count", problems.count).key("lines").begin_array();
  for (const Problem& p : problems.first)
    json.begin_object().member("file", p.file).member("line", p.line).member("message", p.message).end_object();
  json.end_array().key("notes").begin_array();
  for (const std::string& note : problems.notes) json.string(note);
  json.end_array().end_object();
  return text;
}

}  // namespace
}  // namespace vaa

using vaa::given;
using vaa::guard;

extern "C" {

vaa_status vaa_records_open(vaa_str path, vaa_str options, vaa_records** out_records, vaa_error** err) {
  return guard(err, [&] {
    given(out_records, "out_records");
    std::string name(vaa::view(path));
    vaa::OpenOptions open = vaa::open_options(vaa::view(options));
    auto input = vaa::open_input(name, open);
    *out_records = new vaa_records{std::move(input), std::move(name), std::move(open)};
  });
}
void vaa_records_free(vaa_records* records) { delete records; }
vaa_str vaa_records_run(const vaa_records* records) { return records ? vaa::border(records->input->header().json) : vaa_str{"", 0}; }
vaa_str vaa_records_format(const vaa_records* records) { return records ? vaa::border(records->input->format()) : vaa_str{"", 0}; }
vaa_status vaa_records_formats(vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::formats_json()};
  });
}

vaa_status vaa_cursor_new(const vaa_records* records, vaa_cursor** out_cursor, vaa_error** err) {
  return guard(err, [&] {
    given(out_cursor, "out_cursor");
    *out_cursor = new vaa_cursor{given(records, "records")->input->open()};
  });
}
vaa_status vaa_cursor_next(vaa_cursor* cursor, vaa_sample* sample, int32_t* out_more, vaa_error** err) {
  return guard(err, [&] {
    auto& s = given(sample, "sample")->sample;
    s.clear();
    const bool more = given(cursor, "cursor")->stream->next(&s);
    if (!more) s.clear();
    *given(out_more, "out_more") = more;
  });
}
vaa_status vaa_cursor_problems(const vaa_cursor* cursor, vaa_text** out_text, vaa_error** err) {
  return guard(err, [&] {
    given(out_text, "out_text");
    *out_text = new vaa_text{vaa::problems_json(given(cursor, "cursor")->stream->problems())};
  });
}
void vaa_cursor_free(vaa_cursor* cursor) { delete cursor; }

}  // extern "C"
