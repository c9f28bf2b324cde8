// Steps as lines of JSON: the header, then a row a line.
#include <algorithm>
#include <limits>

#include "base/failure.h"
#include "base/json.h"
#include "records/lines.h"
#include "reject/steps/step_dump.h"

namespace vaa {
namespace {

constexpr int64_t kMostLine = int64_t{1} << 28;

// One row; the fields of `rows` beside it.
struct LineRow {
  int64_t request = 0, position = 0;
  double temperature = -1;
  std::vector<int32_t> drafts, ids, argmax;
  std::vector<float> p, q, entropy;
  bool has_request = false, has_drafts = false, has_ids = false, has_rows = false;
  uint8_t recorded = 0;
  std::vector<double> full_p, full_q, uniforms, noise, scratch;
  size_t vocab = 0;

  // "" or what is wrong.
  std::string read(std::string_view text);
  std::string read_member(std::string_view name, JsonReader* json);
  std::string read_full(JsonReader* json);
  bool floats(JsonReader* json, std::vector<float>* out);
  bool matrix(JsonReader* json, std::vector<double>* out);
  StepRow row() const { return {request, position, static_cast<float>(temperature), drafts, ids, p, q, entropy, argmax, recorded}; }
  FullRows full() const { return {full_p, full_q, vocab, uniforms, noise}; }
};

bool LineRow::floats(JsonReader* json, std::vector<float>* out) {
  if (json->peek() != JsonKind::kArray || !json->reals(&scratch, nullptr)) return false;
  out->assign(scratch.begin(), scratch.end());
  return true;
}

// Rows of one length.
bool LineRow::matrix(JsonReader* json, std::vector<double>* out) {
  out->clear();
  if (json->peek() != JsonKind::kArray || !json->array()) return false;
  while (json->element()) {
    if (json->peek() != JsonKind::kArray || !json->reals(&scratch, nullptr)) return false;
    if (vocab == 0) vocab = scratch.size();
    if (scratch.size() != vocab) return false;
    out->insert(out->end(), scratch.begin(), scratch.end());
  }
  return !json->failed();
}

std::string LineRow::read_full(JsonReader* json) {
  has_rows = true;
  std::string_view name;
  bool ok = json->peek() == JsonKind::kObject && json->object(), seen = false;
  while (ok && json->key(&name)) {
    if (name == "p") seen = ok = matrix(json, &full_p);
    else if (name == "q") ok = matrix(json, &full_q);
    else if (name == "uniforms") ok = json->peek() == JsonKind::kArray && json->reals(&uniforms, nullptr);
    else if (name == "noise") ok = json->peek() == JsonKind::kArray && json->reals(&noise, nullptr);
    else ok = json->skip();
  }
  return ok && seen && !json->failed() ? "" : "rows must be an object with p, an array of rows of one length, and q, uniforms, noise of such";
}

std::string LineRow::read_member(std::string_view name, JsonReader* json) {
  const auto list = [&](uint8_t bit, auto* out) {
    recorded = static_cast<uint8_t>(recorded | bit);
    return floats(json, out) ? std::string() : "p, q and entropy must be arrays of numbers";
  };
  const auto id_list = [&](std::vector<int32_t>* out) { return json->peek() == JsonKind::kArray && json->ids(out, nullptr); };
  if (name == "request") return (has_request = json->peek() == JsonKind::kNumber && json->int64(&request)) ? "" : "request must be a whole number";
  if (name == "position") return json->peek() == JsonKind::kNumber && json->int64(&position) ? "" : "position must be a whole number";
  if (name == "temperature") return json->peek() == JsonKind::kNumber && json->real(&temperature) ? "" : "temperature must be a number";
  if (name == "drafts") return (has_drafts = id_list(&drafts)) ? "" : "drafts must be an array of ids";
  if (name == "ids") return (has_ids = id_list(&ids)) ? "" : "ids must be an array of ids";
  if (name == "argmax") {
    recorded |= StepRow::kArgmax;
    return id_list(&argmax) ? "" : "argmax must be an array of ids";
  }
  if (name == "p") return list(StepRow::kP, &p);
  if (name == "q") return list(StepRow::kQ, &q);
  if (name == "entropy") return list(StepRow::kEntropy, &entropy);
  if (name == "rows") return read_full(json);
  json->skip();
  return "";
}

std::string LineRow::read(std::string_view text) {
  JsonReader json(text);
  if (json.peek() != JsonKind::kObject || !json.object()) return "is no JSON object";
  std::string_view name;
  while (json.key(&name)) {
    const std::string fault = read_member(name, &json);
    if (!fault.empty()) return json.failed() ? "is no JSON: " + std::string(json.error()) : fault;
  }
  if (!json.finish()) return "is no JSON: " + std::string(json.error());
  if (!has_request || !has_drafts || !has_ids || temperature < 0) return "a row needs request, temperature, drafts and ids";
  if (drafts.size() > 255 || ids.size() > 255) return "a row has 255 drafts and ids at most";
  if (position < 0 || position > std::numeric_limits<int32_t>::max()) return "position is out of range";
  return "";
}

}  // namespace

void read_step_lines(ByteWindow* window, const std::string& path, const std::string& server, StepAudit* audit, Task* task) {
  LineReader lines(window, kMostLine);
  Line line;
  StepGroup* group = nullptr;
  int64_t before = window->source().done();
  while (lines.next(&line)) {
    if (task) {
      task->check();
      task->done += window->source().done() - before;
      before = window->source().done();
    }
    if (line.bytes.find_first_not_of(" \t\r") == std::string_view::npos && !line.too_long) continue;
    const std::string here = path + ": line " + std::to_string(line.number);
    if (!group) {
      group = audit->group_of(dump_header(line.bytes, path, server));
      continue;
    }
    LineRow row;
    const std::string fault = line.too_long ? "is longer than 256 MiB" : row.read(line.bytes);
    if (!fault.empty()) audit->count_bad(here + ": " + fault);
    else if (audit->add_or_count(row.row(), here, group) && row.has_rows) audit->add_full_or_count(row.row(), row.full(), here, group);
  }
  if (!group) fail(VAA_ERROR_FORMAT, path + ": has no header of a dump of steps");
}

}  // namespace vaa
