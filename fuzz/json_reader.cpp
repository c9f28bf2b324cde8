// The pull reader against itself (read, skipped, written and read again) and against cJSON and simdjson on what each of them can read.
//
// Where the peers differ from RFC 8259 or from what vaa keeps, and what is compared in spite of it:
// - cJSON takes 01, 1., raw control characters, invalid UTF-8 and any byte up to 0x20 as white space: only documents that the strict reader takes are compared. It
//   cuts text at \u0000 and reads 63 bytes of a number (1.7.15): documents with either are left out. It nests to 1000.
// - simdjson refuses integers beyond 64 bits and doubles beyond the largest, and lets escaped lone low surrogates pass.
#include <cjson/cJSON.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/json_writer.h"
#include "must.h"
#if defined(VAA_FUZZ_SIMDJSON)
#include <simdjson.h>
#endif

using namespace vaa;
using Mode = JsonReader::Mode;

namespace {

struct Node {
  JsonKind kind = JsonKind::kInvalid;
  bool flag = false;
  std::string text;  // of a string; of a number as it was written
  double real = 0;
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> inside;
};

struct Read {
  Node root;
  bool accepted = false;
  std::string error;
  size_t at = 0;
  JsonOddities oddities;
  bool long_number = false, wide_number = false;
  int depth = 0;
};

void read_value(JsonReader& reader, Read& read, Node& node, int depth) {
  std::string_view text;
  read.depth = std::max(read.depth, depth);
  node.kind = reader.peek();
  switch (node.kind) {
    case JsonKind::kObject:
      reader.object();
      while (reader.key(&text)) {
        node.inside.emplace_back(text, std::make_unique<Node>());
        read_value(reader, read, *node.inside.back().second, depth + 1);
      }
      break;
    case JsonKind::kArray:
      reader.array();
      while (reader.element()) {
        node.inside.emplace_back("", std::make_unique<Node>());
        read_value(reader, read, *node.inside.back().second, depth + 1);
      }
      break;
    case JsonKind::kString: reader.string(&node.text); break;
    case JsonKind::kNumber: {
      if (!reader.number(&text)) break;
      node.text = text;
      JsonReader again(text);
      VAA_MUST(again.real(&node.real) && again.finish());
      int64_t integer = 0;
      JsonReader exact(text);
      const bool fits = exact.int64(&integer);
      VAA_MUST(exact.finish());
      if (fits) VAA_MUST(static_cast<double>(integer) == node.real);
      read.long_number |= text.size() > 60;
      const bool whole = text.find_first_of(".eEN") == std::string_view::npos && text.find('I') == std::string_view::npos;
      read.wide_number |= !std::isfinite(node.real) || (whole && !fits && !(node.real >= 0 && node.real < 18446744073709551616.0));
      break;
    }
    case JsonKind::kBool: reader.boolean(&node.flag); break;
    case JsonKind::kNull: reader.null(); break;
    case JsonKind::kInvalid: VAA_MUST(!reader.skip()); break;
  }
}

void finish(JsonReader& reader, Read& read, size_t size) {
  read.accepted = reader.finish();
  read.error = reader.error();
  read.at = reader.error_at();
  read.oddities = reader.oddities();
  VAA_MUST(read.accepted == read.error.empty());
  VAA_MUST(read.at <= size);
  VAA_MUST(!reader.element() && reader.peek() == JsonKind::kInvalid);
}

std::unique_ptr<Read> read_document(std::string_view document, Mode mode) {
  auto read = std::make_unique<Read>();
  JsonReader reader(document, mode);
  read_value(reader, *read, read->root, 0);
  finish(reader, *read, document.size());
  return read;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

void must_equal(const Node& a, const Node& b) {
  VAA_MUST(a.kind == b.kind && a.flag == b.flag && a.text == b.text && same(a.real, b.real) && a.inside.size() == b.inside.size());
  for (size_t i = 0; i < a.inside.size(); ++i) {
    VAA_MUST(a.inside[i].first == b.inside[i].first);
    must_equal(*a.inside[i].second, *b.inside[i].second);
  }
}

void write(JsonWriter& writer, const Node& node) {
  switch (node.kind) {
    case JsonKind::kObject:
      writer.begin_object();
      for (const auto& [key, value] : node.inside) {
        writer.key(key);
        write(writer, *value);
      }
      writer.end_object();
      break;
    case JsonKind::kArray:
      writer.begin_array();
      for (const auto& item : node.inside) write(writer, *item.second);
      writer.end_array();
      break;
    case JsonKind::kString: writer.string(node.text); break;
    case JsonKind::kNumber: writer.raw(node.text); break;
    case JsonKind::kBool: writer.boolean(node.flag); break;
    case JsonKind::kNull: writer.null(); break;
    case JsonKind::kInvalid: break;
  }
}

void must_skip_alike(std::string_view document, Mode mode, const Read& read) {
  JsonReader reader(document, mode);
  Read skipped;
  reader.skip();
  finish(reader, skipped, document.size());
  VAA_MUST(skipped.accepted == read.accepted && skipped.error == read.error && skipped.at == read.at);
  VAA_MUST(skipped.oddities.nul == read.oddities.nul && skipped.oddities.invalid_utf8 == read.oddities.invalid_utf8);
  VAA_MUST(skipped.oddities.lone_surrogates == read.oddities.lone_surrogates);
}

// ids() and reals() against the elements one by one.
void must_read_arrays_alike(std::string_view document, const Read& read) {
  std::vector<int32_t> ids;
  std::vector<double> reals;
  size_t bad = 0;
  JsonReader reader(document);
  if (reader.peek() != JsonKind::kArray) return;
  const auto& items = read.root.inside;
  const bool all_ids = reader.ids(&ids, &bad);
  VAA_MUST(reader.finish() == read.accepted && reader.error() == read.error && reader.error_at() == read.at);
  if (!read.accepted) return;
  VAA_MUST(all_ids ? ids.size() == items.size() : bad < items.size());
  const auto id_of = [](const Node& node, int64_t* out) {
    JsonReader one(node.text);
    return node.kind == JsonKind::kNumber && one.int64(out) && *out >= std::numeric_limits<int32_t>::min() && *out <= std::numeric_limits<int32_t>::max();
  };
  int64_t value = 0;
  for (size_t i = 0; i < ids.size(); ++i) VAA_MUST(id_of(*items[i].second, &value) && value == ids[i]);
  if (!all_ids) VAA_MUST(!id_of(*items[bad].second, &value));
  reader.reset(document);
  const bool all_reals = reader.reals(&reals, &bad);
  VAA_MUST(reader.finish());
  VAA_MUST(all_reals ? reals.size() == items.size() : bad < items.size());
  for (size_t i = 0; i < reals.size(); ++i) {
    const Node& node = *items[i].second;
    VAA_MUST(node.kind == JsonKind::kNull ? std::isnan(reals[i]) : node.kind == JsonKind::kNumber && same(reals[i], node.real));
  }
}

void must_equal(const Node& a, const cJSON* b) {
  switch (a.kind) {
    case JsonKind::kObject: VAA_MUST(cJSON_IsObject(b)); break;
    case JsonKind::kArray: VAA_MUST(cJSON_IsArray(b)); break;
    case JsonKind::kString: VAA_MUST(cJSON_IsString(b) && a.text == b->valuestring); break;
    case JsonKind::kNumber: VAA_MUST(cJSON_IsNumber(b) && same(a.real, b->valuedouble)); break;
    case JsonKind::kBool: VAA_MUST(cJSON_IsBool(b) && a.flag == static_cast<bool>(cJSON_IsTrue(b))); break;
    default: VAA_MUST(cJSON_IsNull(b)); break;
  }
  const cJSON* child = b->child;
  for (const auto& [key, value] : a.inside) {
    VAA_MUST(child && (a.kind == JsonKind::kArray || key == child->string));
    must_equal(*value, child);
    child = child->next;
  }
  VAA_MUST(!child);
}

void compare_with_cjson(std::string_view document, const Read& strict) {
  if (!strict.accepted || strict.oddities.nul > 0 || strict.long_number || strict.depth > 990) return;
  const char* end = nullptr;
  const std::unique_ptr<cJSON, decltype(&cJSON_Delete)> tree(cJSON_ParseWithLengthOpts(document.data(), document.size(), &end, false), &cJSON_Delete);
  VAA_MUST(tree);
  must_equal(strict.root, tree.get());
}

#if defined(VAA_FUZZ_SIMDJSON)
void must_equal(const Node& a, simdjson::dom::element b) {
  using Type = simdjson::dom::element_type;
  size_t i = 0;
  switch (a.kind) {
    case JsonKind::kObject: {
      VAA_MUST(b.type() == Type::OBJECT);
      const simdjson::dom::object object = b.get_object().value_unsafe();
      for (const auto field : object) {
        VAA_MUST(i < a.inside.size() && a.inside[i].first == field.key);
        must_equal(*a.inside[i++].second, field.value);
      }
      VAA_MUST(i == a.inside.size());
      break;
    }
    case JsonKind::kArray: {
      VAA_MUST(b.type() == Type::ARRAY);
      const simdjson::dom::array array = b.get_array().value_unsafe();
      for (const auto item : array) {
        VAA_MUST(i < a.inside.size());
        must_equal(*a.inside[i++].second, item);
      }
      VAA_MUST(i == a.inside.size());
      break;
    }
    case JsonKind::kString: VAA_MUST(b.type() == Type::STRING && a.text == b.get_string().value_unsafe()); break;
    case JsonKind::kNumber: {
      const double value = b.type() == Type::INT64 ? static_cast<double>(b.get_int64().value_unsafe())
                           : b.type() == Type::UINT64 ? static_cast<double>(b.get_uint64().value_unsafe()) : b.get_double().value_unsafe();
      VAA_MUST(a.real == value);
      break;
    }
    case JsonKind::kBool: VAA_MUST(b.type() == Type::BOOL && a.flag == b.get_bool().value_unsafe()); break;
    default: VAA_MUST(b.is_null()); break;
  }
}

void compare_with_simdjson(std::string_view document, const Read& strict) {
  if (strict.error == "nested deeper than 1024" || strict.depth > 1000) return;
  const simdjson::padded_string padded(document);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const auto error = parser.parse(padded).get(root);
  if (!strict.accepted) {
    VAA_MUST(error || strict.error == "an escaped lone surrogate");
  } else if (error) {
    VAA_MUST(strict.wide_number);
  } else {
    must_equal(strict.root, root);
  }
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  const auto tolerant = read_document(document, Mode::kTolerant);
  const auto strict = read_document(document, Mode::kStrict);
  must_skip_alike(document, Mode::kTolerant, *tolerant);
  must_skip_alike(document, Mode::kStrict, *strict);
  must_read_arrays_alike(document, *tolerant);
  compare_with_cjson(document, *strict);
#if defined(VAA_FUZZ_SIMDJSON)
  compare_with_simdjson(document, *strict);
#endif
  if (!strict->accepted) return 0;
  VAA_MUST(tolerant->accepted);
  must_equal(strict->root, tolerant->root);
  std::string again;
  JsonWriter writer(&again, static_cast<int>(size % 3));
  write(writer, strict->root);
  const auto second = read_document(again, Mode::kStrict);
  VAA_MUST(second->accepted);
  must_equal(strict->root, second->root);
  return 0;
}
