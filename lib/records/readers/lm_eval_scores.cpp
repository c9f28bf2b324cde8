#include "records/readers/lm_eval_scores.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "records/file_input.h"
#include "records/id_index.h"
#include "records/lines.h"
#include "records/random_file.h"

namespace vaa {
namespace {

constexpr std::string_view kKnown[] = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"};

// Members of an object from the reader's place on.
void read_members(JsonReader* json, LmEvalTail* tail) {
  std::string_view key;
  while (json->key(&key)) {
    const JsonKind kind = json->peek();
    double value = 0;
    bool truth = false;
    if (key == "filter" && kind == JsonKind::kString) {
      json->string(&tail->filter);
    } else if (key == "doc_id" && kind == JsonKind::kNumber) {
      std::string_view digits;
      if (json->number(&digits)) tail->id.assign(digits);
    } else if (key == "doc_id" && kind == JsonKind::kString) {
      json->string(&tail->id);
    } else if ((kind != JsonKind::kNumber && kind != JsonKind::kBool) || std::find(std::begin(kKnown), std::end(kKnown), key) != std::end(kKnown)) {
      json->skip();
    } else {
      std::string name(key);
      if (kind == JsonKind::kBool ? json->boolean(&truth) : json->real(&value)) tail->values.emplace_back(std::move(name), kind == JsonKind::kBool ? truth : value);
    }
  }
}

// The id at the beginning and the members from "filter" on, as lm-eval orders them; the middle, which has the long texts, is passed over.
bool read_quickly(std::string_view line, LmEvalTail* tail) {
  const size_t at = line.rfind("\"filter\": ");
  if (at == std::string_view::npos || line.find("\"resps\"", at) != std::string_view::npos) return false;
  JsonReader head(line);
  std::string_view key, digits;
  if (head.peek() != JsonKind::kObject || !head.object() || !head.key(&key) || key != "doc_id" || head.peek() != JsonKind::kNumber || !head.number(&digits)) return false;
  const std::string rest = "{" + std::string(line.substr(at));
  JsonReader json(rest);
  json.object();
  read_members(&json, tail);
  tail->id.assign(digits);
  return json.finish();
}

}  // namespace

bool read_lm_eval_tail(std::string_view line, LmEvalTail* tail) {
  const auto reset = [&] {
    tail->id.clear();
    tail->filter.clear();
    tail->values.clear();
  };
  reset();
  if (read_quickly(line, tail)) return true;
  reset();
  JsonReader json(line);
  if (json.peek() != JsonKind::kObject) return false;
  json.object();
  read_members(&json, tail);
  return json.finish();
}

LmEvalScores::LmEvalScores(const FileContext& context) {
  if (context.disk_path.empty()) {
    context.problems->note("a pipe is read once: where the file has several filters, only the scores of the first are kept");
    return;
  }
  if (!one_filter(context)) read(context);
}

// lm-eval writes all documents of one filter after another: where the last line has the filter of the first one, there is one filter.
bool LmEvalScores::one_filter(const FileContext& context) const {
  const std::unique_ptr<ByteWindow> window = open_window(context.disk_path);
  if (window->source().packed()) return false;
  const int64_t size = window->source().size();
  LineReader lines(window.get(), context.options->max_line);
  Line line;
  LmEvalTail first, last;
  if (!lines.next(&line) || !read_lm_eval_tail(line.bytes, &first)) return false;
  constexpr int64_t kTail = 64 << 10;
  std::string end;
  RandomFile::plain(context.disk_path).read(std::max<int64_t>(0, size - kTail), kTail, &end);
  while (!end.empty() && (end.back() == '\n' || end.back() == '\r' || end.back() == ' ')) end.pop_back();
  const size_t at = end.rfind("\"filter\": ");
  const size_t start = end.rfind('\n');
  if (at == std::string::npos || (start != std::string::npos && at < start)) return false;
  const std::string rest = "{" + end.substr(at);
  JsonReader json(rest);
  json.object();
  read_members(&json, &last);
  return json.finish() && last.filter == first.filter;
}

void LmEvalScores::read(const FileContext& context) {
  const std::unique_ptr<ByteWindow> window = open_window(context.disk_path);
  LineReader lines(window.get(), context.options->max_line);
  Line line;
  LmEvalTail tail;
  std::string first;
  bool begun = false;
  while (lines.next(&line)) {
    if (window->offset() > kMaxSize) {
      context.problems->note(context.path + ": is longer than " + std::to_string(kMaxSize >> 30) + " GiB: only the scores of the first filter are kept");
      columns_.clear();
      entries_.clear();
      return;
    }
    if (line.bytes.empty() || !read_lm_eval_tail(line.bytes, &tail) || tail.id.empty()) continue;
    if (!begun) first = tail.filter;
    begun = true;
    if (tail.filter == first) continue;
    for (const auto& [metric, value] : tail.values) {
      const std::string name = metric + "," + tail.filter;
      auto column = std::find(columns_.begin(), columns_.end(), name);
      if (column == columns_.end() && columns_.size() == kMaxColumns) continue;
      if (column == columns_.end()) column = columns_.insert(columns_.end(), name);
      entries_.push_back({hash_text(tail.id), value, static_cast<uint32_t>(column - columns_.begin())});
    }
  }
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.column < b.column; });
  entries_.erase(std::unique(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.hash == b.hash && a.column == b.column; }), entries_.end());
}

void LmEvalScores::append(std::string_view id, std::string* members) const {
  if (entries_.empty()) return;
  const uint64_t hash = hash_text(id);
  auto at = std::lower_bound(entries_.begin(), entries_.end(), hash, [](const Entry& e, uint64_t h) { return e.hash < h; });
  for (; at != entries_.end() && at->hash == hash; ++at) {
    if (!members->empty()) *members += ',';
    append_json_string(members, columns_[at->column]);
    *members += ':';
    if (std::isfinite(at->value)) append_number(members, at->value);
    else *members += "null";
  }
}

}  // namespace vaa
