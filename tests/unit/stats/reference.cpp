#include "reference.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "catch.h"

namespace vaa::test {
namespace {

Tree read_value(JsonReader* reader) {
  Tree tree;
  tree.kind = reader->peek();
  switch (tree.kind) {
    case JsonKind::kObject: {
      std::string_view key;
      reader->object();
      while (reader->key(&key)) {
        std::string name(key);
        tree.members.emplace_back(std::move(name), read_value(reader));
      }
      break;
    }
    case JsonKind::kArray:
      reader->array();
      while (reader->element()) tree.items.push_back(read_value(reader));
      break;
    case JsonKind::kString:
      reader->string(&tree.text);
      if (tree.text == "inf") tree.number = std::numeric_limits<double>::infinity();
      break;
    case JsonKind::kNumber:
      reader->real(&tree.number);
      break;
    case JsonKind::kBool: {
      bool value = false;
      reader->boolean(&value);
      tree.number = value ? 1 : 0;
      break;
    }
    case JsonKind::kNull:
      reader->null();
      tree.number = std::nan("");
      break;
    case JsonKind::kInvalid:
      throw std::runtime_error(std::string("golden file: ") + reader->error());
  }
  return tree;
}

}  // namespace

const Tree* Tree::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Tree& Tree::operator[](std::string_view key) const {
  const Tree* found = find(key);
  if (found == nullptr) throw std::runtime_error("golden file: no " + std::string(key));
  return *found;
}

std::vector<double> Tree::reals(std::string_view key) const {
  std::vector<double> result;
  for (const Tree& item : (*this)[key].items) result.push_back(item.number);
  return result;
}

Tree read_golden(const std::string& name) {
  std::ifstream file(std::string(VAA_GOLDEN) + "/" + name, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  JsonReader reader(text, JsonReader::Mode::kStrict);
  Tree tree = read_value(&reader);
  if (!reader.finish()) throw std::runtime_error("golden file " + name + ": " + reader.error());
  return tree;
}

std::vector<std::vector<double>> reference_rows(std::string_view table) {
  static const Tree reference = read_golden("stats_reference.json");
  std::vector<std::vector<double>> rows;
  for (const Tree& row : reference[table].items) {
    rows.emplace_back();
    for (const Tree& item : row.items) rows.back().push_back(item.number);
  }
  REQUIRE(rows.size() >= 200);
  return rows;
}

std::vector<Tree> verification_group(std::string_view group) {
  static const Tree file = read_golden("vectors/verification.json");
  std::vector<Tree> result;
  for (const Tree& vector : file["vectors"].items) {
    if (vector["group"].text == group) result.push_back(vector);
  }
  REQUIRE_FALSE(result.empty());
  return result;
}

const std::vector<Tree>& evidence_cases(std::string_view table) {
  static const Tree reference = read_golden("evidence_reference.json");
  const std::vector<Tree>& cases = reference[table].items;
  REQUIRE(cases.size() >= 20);
  return cases;
}

std::vector<int64_t> Tree::wholes(std::string_view key) const {
  std::vector<int64_t> result;
  for (const Tree& item : (*this)[key].items) result.push_back(static_cast<int64_t>(item.number));
  return result;
}

std::vector<int32_t> Tree::ids(std::string_view key) const {
  std::vector<int32_t> result;
  for (const Tree& item : (*this)[key].items) result.push_back(static_cast<int32_t>(item.number));
  return result;
}

std::vector<uint8_t> Tree::flags(std::string_view key) const {
  std::vector<uint8_t> result;
  for (const Tree& item : (*this)[key].items) result.push_back(static_cast<uint8_t>(item.number));
  return result;
}

bool close(double got, double want, double relative) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::fabs(got - want) <= relative * std::fabs(want);
}

}  // namespace vaa::test
