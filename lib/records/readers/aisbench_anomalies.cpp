#include "records/readers/aisbench_anomalies.h"

#include <algorithm>

#include "base/json_writer.h"
#include "records/folder_input.h"
#include "records/lines.h"
#include "records/readers/aisbench_lines.h"

namespace vaa {
namespace {

constexpr size_t kMaxVerdicts = 255;  // different ones

// The text member `name`, wherever it stands at the top; stops behind it. False: none, or the line is malformed before it.
bool find_text(std::string_view line, std::string_view name, std::string* out) {
  JsonReader json(line);
  std::string_view key;
  if (json.peek() != JsonKind::kObject) return false;
  json.object();
  while (json.key(&key)) {
    if (key == name && json.peek() == JsonKind::kString) return json.string(out);
    json.skip();
  }
  return false;
}

}  // namespace

AisbenchAnomalies::AisbenchAnomalies(const std::string& folder, const std::string& shown, const std::string& dataset, int64_t max_line, Problems* problems) {
  const std::string results = dataset + ".jsonl";
  if (is_file(join_path(folder, results))) read_verdicts(join_path(folder, results), join_path(shown, results), max_line, problems);
  verdicts_.build();
  const std::string shards = "payload/" + dataset;
  if (is_folder(join_path(folder, shards))) {
    for (const FolderEntry& entry : list_folder(join_path(folder, shards))) {
      const std::string name = shards + "/" + entry.name;
      if (!entry.folder && entry.name.find(".jsonl") != std::string::npos) read_shard(join_path(folder, name), join_path(shown, name), max_line, problems);
    }
  }
  payload_.build();
}

void AisbenchAnomalies::read_verdicts(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems) {
  ByteWindow window(std::make_unique<Source>(path), size_t{256} << 10);
  LineReader lines(&window, max_line);
  Line line;
  std::string uuid, type, status, reason, words;
  while (lines.next(&line)) {
    if (line.bytes.empty() && !line.too_long) continue;
    if (!find_text(line.bytes, "uuid", &uuid) || !find_text(line.bytes, "detection_status", &status)) {
      problems->add(shown, line.number, "is no verdict with uuid and detection_status");
      continue;
    }
    words.clear();
    JsonWriter json(&words);
    json.begin_object();
    if (find_text(line.bytes, "anomaly_type_name", &type)) json.member("anomaly_type_name", type);
    json.member("detection_status", status);
    if (find_text(line.bytes, "reason", &reason)) json.member("reason", reason);
    json.end_object();
    auto at = std::find(words_.begin(), words_.end(), words);
    if (at == words_.end() && words_.size() == kMaxVerdicts) {
      problems->note(shown + ": holds more than " + std::to_string(kMaxVerdicts) + " different verdicts, the others are left out");
      continue;
    }
    if (at == words_.end()) at = words_.insert(words_.end(), words);
    verdicts_.add(hash_text(uuid), static_cast<uint64_t>(at - words_.begin()));
  }
  if (!window.source().fault().empty()) problems->add(shown, lines.count(), "the file " + window.source().fault());
}

void AisbenchAnomalies::read_shard(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems) {
  if (text_.size() == 0 && payload_.size() == 0) text_ = RandomFile::temporary();
  ByteWindow window(std::make_unique<Source>(path));
  LineReader lines(&window, max_line);
  Line line;
  std::string uuid;
  while (lines.next(&line)) {
    if (line.bytes.empty() && !line.too_long) continue;
    const auto length = static_cast<int64_t>(line.bytes.size());
    if (!find_text(line.bytes, "uuid", &uuid)) {
      problems->add(shown, line.number, line.too_long ? "is longer than max_line" : "is no payload with a uuid");
    } else if (place_fits(text_.size(), length)) {
      payload_.add(hash_text(uuid), pack_place(text_.size(), length));
      text_.append(line.bytes);
    }
  }
  if (!window.source().fault().empty()) problems->add(shown, lines.count(), "the file " + window.source().fault());
}

bool AisbenchAnomalies::join(Sample* sample, std::string* why) {
  if (!sample->has(TextField::kRequestId)) return true;
  const std::string_view uuid = sample->text(TextField::kRequestId);
  const uint64_t hash = hash_text(uuid);
  if (const auto verdict = verdicts_.find(hash)) add_extra(sample, "msprobe", words_[*verdict]);
  const auto place = payload_.find(hash);
  if (!place || sample->has(IdsField::kOutputTokenIds)) return true;
  text_.read(place_offset(*place), place_length(*place), &line_);
  std::string found;
  if (!find_text(line_, "uuid", &found) || found != uuid) return true;
  JsonReader json(line_);
  std::string_view key;
  json.object();
  while (json.key(&key)) {
    if (key == "response_anomaly_payload") return read_payload(&json, sample, why);
    if (!json.skip()) return bad_json(json, why);
  }
  return true;
}

}  // namespace vaa
