#include "base/structural.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/positions.h"

namespace vaa {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"original_max_position_embeddings", "max_position_embeddings", "sliding_window", "attention_chunk_size",
                                                    "model_max_length"};

struct ConfigReader {
  std::vector<StructuralNumber>* out;
  std::vector<double> factors;

  void add(std::string name, double value) const {
    if (value >= 2 && value <= 2147483647 && value == std::floor(value)) out->push_back({std::move(name), static_cast<int64_t>(value)});
  }

  void object(JsonReader* json, int depth) {
    std::string_view key;
    json->object();
    while (json->key(&key)) {
      const std::string name(key);
      const JsonKind kind = json->peek();
      if (kind == JsonKind::kNumber && (name == "factor" || std::find(kNames.begin(), kNames.end(), name) != kNames.end())) {
        double value = 0;
        if (!json->real(&value)) continue;
        if (name != "factor") {
          add(name, value);
        } else if (value > 1) {
          factors.push_back(value);
        }
      } else if (kind == JsonKind::kObject && depth < 4) {
        object(json, depth + 1);
      } else {
        json->skip();
      }
    }
  }
};

bool inside(int64_t lo, int64_t hi, int64_t number) { return number > lo && number <= hi; }

}  // namespace

std::vector<StructuralNumber> structural_numbers(std::string_view config_json) {
  std::vector<StructuralNumber> numbers;
  JsonReader json(config_json);
  if (json.peek() != JsonKind::kObject) fail(VAA_ERROR_FORMAT, "config: the file holds no JSON object; give the model's config.json");
  ConfigReader reader{&numbers, {}};
  reader.object(&json, 0);
  if (!json.finish()) fail(VAA_ERROR_FORMAT, std::string("config: ") + json.error() + " at byte " + std::to_string(json.error_at()));
  const size_t plain = numbers.size();
  for (const double factor : reader.factors) {
    for (size_t i = 0; i < plain; ++i) {
      if (numbers[i].name.find("max_position_embeddings") == std::string::npos) continue;
      std::string shown;
      append_number(&shown, factor);
      reader.add("rope factor " + shown + " x " + numbers[i].name, static_cast<double>(numbers[i].number) * factor);
    }
  }
  return numbers;
}

StructuralNumber named_number(std::string_view text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) fail(VAA_ERROR_OPTION, "structure: " + quoted(text) + " is no name=number, such as capture_size=512");
  return {std::string(text.substr(0, equals)), parse_position(text.substr(equals + 1), "structure")};
}

std::vector<StructuralHit> structural_hits(int64_t lo, int64_t hi, std::span<const StructuralNumber> numbers) {
  std::vector<StructuralHit> hits;
  for (const StructuralNumber& n : numbers) {
    const int64_t offset = inside(lo, hi, n.number) ? 0 : 1;
    if (!inside(lo, hi, n.number + offset)) continue;
    const bool twice = std::any_of(hits.begin(), hits.end(), [&](const StructuralHit& hit) { return hit.name == n.name && hit.number == n.number; });
    if (!twice) hits.push_back({n.name, n.number, offset, std::nan("")});
  }
  std::stable_sort(hits.begin(), hits.end(), [&](const StructuralHit& a, const StructuralHit& b) { return std::llabs(a.number - hi) < std::llabs(b.number - hi); });
  for (int64_t block = 2048; block >= 16 && block >= 4 * (hi - lo + 1); block /= 2) {
    const int64_t multiple = hi / block * block;  // hi > 0
    const bool there = multiple > 0 && inside(lo, hi, multiple), next = multiple > 0 && !there && inside(lo, hi, multiple + 1);
    if (!there && !next) continue;
    hits.push_back({grouped(multiple / block) + " x " + grouped(block), multiple, next ? 1 : 0, static_cast<double>(hi - lo + 1) / static_cast<double>(block)});
    break;
  }
  return hits;
}

}  // namespace vaa
