#include "records/readers/aisbench_results.h"

#include <charconv>
#include <cmath>

#include "records/readers/aisbench_lines.h"
#include "records/source.h"
#include "records/values.h"

namespace vaa {
namespace {

// predictions, references and correct are one-element lists where the evaluator gives details, else plain values; of a longer list element `slot`.
bool enter_slot(JsonReader* json, size_t slot) {
  if (json->peek() != JsonKind::kArray) return true;
  json->array();
  for (size_t i = 0; json->element(); ++i) {
    if (i == slot) return true;
    if (!json->skip()) return false;
  }
  return false;
}

// The value in its slot, then the rest of the list. The raw bytes of the value stand in *out.
bool slot_value(std::string_view raw, size_t slot, std::string_view* out) {
  JsonReader json(raw);
  return enter_slot(&json, slot) && json.raw(out);
}

void set_text(std::string_view raw, Sample* sample, TextField field) {
  JsonReader json(raw);
  std::string unused;
  read_any_text(&json, sample, field, &unused);
}

// What the framework writes where it looked for an answer and found none.
bool is_no_extraction(std::string_view text) { return text.empty() || text == "[invalid]" || text == "NULL" || text == "None"; }

void set_extraction(std::string_view raw, Sample* sample) {
  set_text(raw, sample, TextField::kScoreExtracted);
  const bool none = !sample->has(TextField::kScoreExtracted) || is_no_extraction(sample->text(TextField::kScoreExtracted));
  sample->set(IntField::kScoreExtractionFailed, none ? 1 : 0);
  if (none) sample->texts.unset(TextField::kScoreExtracted);
}

// A bool, or a number above 0.
bool read_truth(std::string_view raw, bool* out) {
  JsonReader json(raw);
  double value = 0;
  if (json.peek() == JsonKind::kBool) return json.boolean(out);
  if (json.peek() != JsonKind::kNumber || !json.real(&value)) return false;
  *out = value > 0;
  return true;
}

// What one entry of details says of one answer; views into the entry.
struct Entry {
  std::string_view gold, extracted, correct;
};
bool read_entry(std::string_view bytes, size_t slot, Entry* out) {
  JsonReader json(bytes);
  std::string_view key, raw, value;
  if (json.peek() != JsonKind::kObject) return false;
  json.object();
  while (json.key(&key)) {
    const bool gold = key == "references" || key == "answer", taken = key == "predictions" || key == "pred", right = key == "correct";
    if (!gold && !taken && !right) {
      if (!json.skip()) return false;
      continue;
    }
    if (!json.raw(&raw)) return false;
    if (!slot_value(raw, slot, &value)) continue;
    (gold ? out->gold : taken ? out->extracted : out->correct) = value;
  }
  return !json.failed();
}

}  // namespace

AisbenchResults::AisbenchResults(const std::string& path, const std::string& shown, int64_t max_value, Problems* problems) {
  ByteWindow window(std::make_unique<Source>(path), size_t{256} << 10);
  if (window.source().packed()) {
    ByteWindow packed(std::make_unique<Source>(path));
    file_ = RandomFile::temporary();
    while (packed.more()) {
      file_.append(packed.bytes());
      packed.take(packed.bytes().size());
    }
  } else {
    file_ = RandomFile::plain(path);
  }
  read_members(&window, max_value, problems, shown);
  infer_equality(problems, shown);
  index_.build();
  if (index_.repeated() > 0) problems->add(shown, 0, std::to_string(index_.repeated()) + " entries of details have an id that others have, the first of each counts");
}

void AisbenchResults::read_members(ByteWindow* window, int64_t max_value, Problems* problems, const std::string& shown) {
  ValueReader members(window, ValueReader::Mode::kMembers, max_value);
  JsonPiece piece;
  std::string fault;
  while (fault.empty() && members.next_value(&piece)) {
    const std::string key(piece.key);
    if (key == "details" && members.first_byte() == '{') {
      read_object(window, max_value, &fault);
      continue;
    }
    if (key == "details" && members.first_byte() == '[') {
      read_list(window, max_value, &fault);
      continue;
    }
    if (!members.read_value(&piece)) break;
    JsonReader json(piece.bytes);
    double value = 0;
    if (json.peek() == JsonKind::kNumber && json.real(&value)) metrics_.emplace_back(key, value);
    else if (key == "error") problems->add(shown, 0, "AISBench could not evaluate: " + std::string(piece.bytes.substr(0, 200)));
  }
  if (fault.empty()) fault = members.fault();
  if (!window->source().fault().empty()) fault = window->source().fault();
  if (!fault.empty()) problems->add(shown, 0, "the file " + fault);
}

void AisbenchResults::read_object(ByteWindow* window, int64_t max_value, std::string* fault) {
  shape_ = Shape::kObject;
  ValueReader entries(window, ValueReader::Mode::kMembers, max_value, true);
  JsonPiece piece;
  while (entries.next(&piece)) {
    ++questions_;
    const auto length = static_cast<int64_t>(piece.bytes.size());
    if (!piece.too_long && place_fits(piece.offset, length)) index_.add(hash_text(piece.key), pack_place(piece.offset, length));
    Entry entry;
    if (!read_entry(piece.bytes, 0, &entry) || !entry.correct.empty()) continue;
    ++undecided_;
    equal_ += !entry.gold.empty() && entry.gold == entry.extracted;
  }
  *fault = entries.fault();
}

// Evaluators without details (multiple choice, as C-Eval) leave `correct` out. Where the share of answers that equal their reference is the accuracy of the file, equality is
// what the evaluator went by.
void AisbenchResults::infer_equality(Problems* problems, const std::string& shown) {
  if (shape_ != Shape::kObject || undecided_ == 0 || undecided_ != questions_ || metrics_.empty()) return;
  const double share = 100.0 * static_cast<double>(equal_) / static_cast<double>(questions_);
  by_equality_ = std::fabs(share - metrics_[0].second) < 1e-6;
  if (!by_equality_) problems->note(shown + ": says neither which answers are right nor can it be told from them");
}

void AisbenchResults::read_list(ByteWindow* window, int64_t max_value, std::string* fault) {
  ValueReader entries(window, ValueReader::Mode::kElements, max_value, true);
  JsonPiece piece;
  std::vector<uint64_t> golds;  // of every answer, to tell the two forms apart
  bool grouped = true, even = true;
  while (entries.next(&piece)) {
    const std::string place = std::to_string(questions_++);
    const auto length = static_cast<int64_t>(piece.bytes.size());
    if (!piece.too_long && place_fits(piece.offset, length)) index_.add(hash_text(place), pack_place(piece.offset, length));
    const size_t before = golds.size();
    JsonReader json(piece.bytes);
    std::string_view key, raw;
    if (json.peek() == JsonKind::kObject) json.object();
    while (json.key(&key)) {
      if (key != "answer" || json.peek() != JsonKind::kArray) {
        json.skip();
        continue;
      }
      json.array();
      while (json.element())
        if (json.raw(&raw)) golds.push_back(hash_text(raw));
    }
    const size_t count = golds.size() - before;
    if (questions_ == 1) repeats_ = count;
    even = even && count == repeats_ && count > 0;
    for (size_t i = before; i < golds.size(); ++i) grouped = grouped && golds[i] == golds[before];
  }
  *fault = entries.fault();
  bool rounds = even;
  for (size_t i = static_cast<size_t>(questions_); i < golds.size(); ++i) rounds = rounds && golds[i] == golds[i - static_cast<size_t>(questions_)];
  shape_ = rounds ? Shape::kRounds : grouped && even ? Shape::kGrouped : Shape::kNone;
}

// Where the sample's entry lies, and which element of its lists is the sample's.
bool AisbenchResults::find_entry(const Sample& sample, uint64_t* place, size_t* slot) const {
  const std::string_view id = sample.text(TextField::kId);
  const auto repeat = static_cast<size_t>(sample.integer(IntField::kRepeat, 0));
  std::optional<uint64_t> found;
  *slot = 0;
  if (shape_ == Shape::kObject && repeat == 0) found = index_.find(hash_text(id));
  if (shape_ == Shape::kGrouped && repeat < repeats_) {
    found = index_.find(hash_text(id));
    *slot = repeat;
  }
  if (shape_ == Shape::kRounds && repeat < repeats_) {
    size_t number = 0;
    const auto end = std::from_chars(id.data(), id.data() + id.size(), number);
    if (end.ec != std::errc() || end.ptr != id.data() + id.size() || number >= static_cast<size_t>(questions_)) return false;
    const size_t flat = repeat * static_cast<size_t>(questions_) + number;
    found = index_.find(hash_text(std::to_string(flat / repeats_)));
    *slot = flat % repeats_;
  }
  if (found) *place = *found;
  return found.has_value();
}

bool AisbenchResults::join(Sample* sample) {
  uint64_t place = 0;
  size_t slot = 0;
  if (!find_entry(*sample, &place, &slot)) return false;
  file_.read(place_offset(place), place_length(place), &entry_);
  Entry entry;
  if (!read_entry(entry_, slot, &entry)) return false;
  if (!entry.gold.empty()) set_text(entry.gold, sample, TextField::kScoreGold);
  bool truth = false, known = !entry.correct.empty() && read_truth(entry.correct, &truth);
  if (by_equality_) {
    known = true;
    truth = entry.gold == entry.extracted;
  }
  const bool failed = sample->failed();
  if (!entry.extracted.empty() && !failed) set_extraction(entry.extracted, sample);
  if (!known && !failed) return true;
  // A request that failed is counted as wrong.
  truth = truth && !failed;
  sample->set(IntField::kScoreCorrect, truth ? 1 : 0);
  sample->set(RealField::kScoreValue, truth ? 1 : 0);
  if (!metrics_.empty()) sample->set(TextField::kScoreMetric, metrics_[0].first);
  return true;
}

}  // namespace vaa
