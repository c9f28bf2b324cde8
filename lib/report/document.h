// A JSON document as a tree, for what reads a report as a whole. Missing members answer with an empty node, so a renderer needs no checks.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace vaa {

class Document {
 public:
  // Throws Failure (VAA_ERROR_FORMAT) for what is no JSON.
  static Document parse(std::string_view json);

  JsonKind kind() const { return kind_; }
  bool there() const { return kind_ != JsonKind::kInvalid && kind_ != JsonKind::kNull; }
  const Document& operator[](std::string_view key) const;  // of an object
  const Document& at(std::string_view key, std::string_view inner) const { return (*this)[key][inner]; }
  const std::vector<Document>& items() const { return items_; }                // of an array
  const std::vector<std::pair<std::string, Document>>& members() const { return members_; }
  const std::string& text() const { return text_; }  // "" where it is no text
  double number() const;                             // NaN where it is no number
  int64_t integer() const;                           // 0 where it is no number
  bool truth() const { return kind_ == JsonKind::kBool && number_ != 0; }

 private:
  void read(JsonReader* json);
  JsonKind kind_ = JsonKind::kInvalid;
  double number_ = 0;
  std::string text_;
  std::vector<Document> items_;
  std::vector<std::pair<std::string, Document>> members_;
};

}  // namespace vaa
