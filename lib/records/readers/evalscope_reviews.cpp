#include "records/readers/evalscope_reviews.h"

#include "base/json_writer.h"
#include "records/file_input.h"
#include "records/lines.h"
#include "records/readers/openai_common.h"

namespace vaa {
namespace {

// What is taken from one review.
struct Review {
  Sample fields;           // id, gold, extracted
  std::string main_score;  // "" : the first
  std::string group;
  std::vector<std::pair<std::string, double>> values;
};

bool read_values(JsonReader* json, Review* out, std::string* why) {
  if (json->peek() != JsonKind::kObject) return pass(json, why);
  json->object();
  std::string_view key;
  while (json->key(&key)) {
    const std::string name(key);
    double value = 0;
    bool truth = false;
    if (json->peek() == JsonKind::kNumber && json->real(&value)) out->values.emplace_back(name, value);
    else if (json->peek() == JsonKind::kBool && json->boolean(&truth)) out->values.emplace_back(name, truth ? 1 : 0);
    else if (!pass(json, why)) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_score(JsonReader* json, Review* out, std::string* why) {
  if (!enter_object(json, "score", why)) return false;
  std::string_view key;
  while (json->key(&key)) {
    bool good = false;
    if (key == "value") good = read_values(json, out, why);
    else if (key == "extracted_prediction") good = read_any(json, &out->fields, TextField::kScoreExtracted, why);
    else if (key == "main_score_name" && json->peek() == JsonKind::kString) good = json->string(&out->main_score);
    else good = pass(json, why);
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_sample_score(JsonReader* json, Review* out, std::string* why) {
  if (!enter_object(json, "sample_score", why)) return false;
  std::string_view key, raw;
  while (json->key(&key)) {
    bool good = false;
    if (key == "score") {
      good = read_score(json, out, why);
    } else if (key == "group_id") {
      good = json->raw(&raw) || bad_json(*json, why);
      if (good && raw != "null") out->group = raw;
    } else {
      good = pass(json, why);
    }
    if (!good) return false;
  }
  return !json->failed() || bad_json(*json, why);
}

bool read_review(std::string_view line, Review* out, std::string* why) {
  JsonReader json(line);
  if (!enter_object(&json, "line", why)) return false;
  std::string_view key;
  while (json.key(&key)) {
    bool good = false;
    if (key == "index") good = read_id(&json, "index", &out->fields, TextField::kId, why);
    else if (key == "target") good = read_any(&json, &out->fields, TextField::kScoreGold, why);
    else if (key == "sample_score") good = read_sample_score(&json, out, why);
    else good = pass(&json, why);
    if (!good) return false;
  }
  if (!json.finish()) return bad_json(json, why);
  if (out->fields.has(TextField::kId)) return true;
  *why = "index: is missing";
  return false;
}

// What evalscope writes where it looked for an answer and found none.
bool is_no_extraction(std::string_view text) { return text.empty() || text == "NULL" || text == "[invalid]" || text == "None"; }

void set_values(const Review& review, Sample* sample) {
  if (review.values.empty()) return;
  size_t main = 0;
  for (size_t i = 0; i < review.values.size(); ++i) {
    if (review.values[i].first == review.main_score) main = i;
  }
  const double value = review.values[main].second;
  sample->set(TextField::kScoreMetric, review.values[main].first);
  sample->set(RealField::kScoreValue, value);
  if (value == 0 || value == 1) sample->set(IntField::kScoreCorrect, value == 1 ? 1 : 0);
  if (review.values.size() == 1) return;
  std::string others;
  JsonWriter writer(&others);
  writer.begin_object();
  for (size_t i = 0; i < review.values.size(); ++i) {
    if (i != main) writer.member(review.values[i].first, review.values[i].second);
  }
  writer.end_object();
  add_extra(sample, "scores", others);
}

}  // namespace

EvalscopeReviews::EvalscopeReviews(const std::string& path, const std::string& shown, int64_t max_line, Problems* problems) {
  const std::unique_ptr<ByteWindow> window = open_window(path);
  const bool packed = window->source().packed();
  if (packed) {
    ByteWindow bytes(std::make_unique<Source>(path));
    file_ = RandomFile::temporary();
    while (bytes.more()) {
      file_.append(bytes.bytes());
      bytes.take(bytes.bytes().size());
    }
  } else {
    file_ = RandomFile::plain(path);
  }
  LineReader lines(window.get(), max_line);
  Line line;
  Review review;
  std::string why;
  while (lines.next(&line)) {
    if (!line.too_long && line.bytes.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    review = Review();
    const auto length = static_cast<int64_t>(line.bytes.size());
    if (line.too_long) problems->add(shown, line.number, "the line is longer than max_line, " + std::to_string(max_line) + " bytes, and is left out");
    else if (!read_review(line.bytes, &review, &why)) problems->add(shown, line.number, why);
    else if (place_fits(line.offset, length)) index_.add(hash_text(review.fields.text(TextField::kId)), pack_place(line.offset, length));
  }
  if (!window->source().fault().empty()) problems->add(shown, lines.count(), "the file " + window->source().fault());
  index_.build();
  if (index_.repeated() > 0) problems->add(shown, 0, std::to_string(index_.repeated()) + " reviews have an index that others have, the first of each counts");
}

bool EvalscopeReviews::join(Sample* sample) {
  const std::optional<uint64_t> place = index_.find(hash_text(sample->text(TextField::kId)));
  if (!place) return false;
  file_.read(place_offset(*place), place_length(*place), &line_);
  Review review;
  std::string why;
  const std::string_view line = std::string_view(line_).substr(0, line_.find('\n'));
  if (!read_review(line, &review, &why) || review.fields.text(TextField::kId) != sample->text(TextField::kId)) return false;
  if (review.fields.has(TextField::kScoreGold)) sample->set(TextField::kScoreGold, review.fields.text(TextField::kScoreGold));
  set_values(review, sample);
  const std::string_view id = sample->text(TextField::kId);
  if (!review.group.empty()) {
    sample->set(IntField::kRepeat, groups_.add(hash_text(review.group)));
    if (review.group != id) add_extra(sample, "group_id", review.group);
  }
  if (sample->failed()) return true;
  const std::string_view extracted = review.fields.text(TextField::kScoreExtracted);
  sample->set(IntField::kScoreExtractionFailed, is_no_extraction(extracted) ? 1 : 0);
  if (!is_no_extraction(extracted)) sample->set(TextField::kScoreExtracted, extracted);
  return true;
}

}  // namespace vaa
