#include "report/document.h"

#include <cmath>

#include "base/failure.h"

namespace vaa {

Document Document::parse(std::string_view json) {
  JsonReader reader(json);
  Document document;
  document.read(&reader);
  if (document.kind_ == JsonKind::kInvalid || !reader.finish()) fail(VAA_ERROR_FORMAT, std::string("report: ") + reader.error() + " at byte " + std::to_string(reader.error_at()));
  return document;
}

// The depth is bounded by JsonReader::kMaxDepth.
void Document::read(JsonReader* json) {
  kind_ = json->peek();
  bool truth = false;
  std::string_view key;
  switch (kind_) {
    case JsonKind::kObject:
      for (json->object(); json->key(&key);) {
        members_.emplace_back(key, Document());
        members_.back().second.read(json);
      }
      break;
    case JsonKind::kArray:
      for (json->array(); json->element();) items_.emplace_back().read(json);
      break;
    case JsonKind::kString: json->string(&text_); break;
    case JsonKind::kNumber: json->real(&number_); break;
    case JsonKind::kBool:
      json->boolean(&truth);
      number_ = truth;
      break;
    case JsonKind::kNull: json->null(); break;
    case JsonKind::kInvalid: break;
  }
}

const Document& Document::operator[](std::string_view key) const {
  static const Document kNothing;
  for (const auto& [name, value] : members_) {
    if (name == key) return value;
  }
  return kNothing;
}

double Document::number() const { return kind_ == JsonKind::kNumber || kind_ == JsonKind::kBool ? number_ : std::nan(""); }

int64_t Document::integer() const {
  return kind_ == JsonKind::kNumber && std::abs(number_) < 9e18 ? static_cast<int64_t>(number_) : 0;
}

}  // namespace vaa
