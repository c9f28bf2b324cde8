// The numbers of DeepSeek-V3's config.json (factor 40 on 4,096 gives its 163,840) and of the test.
#include "base/structural.h"

#include <cmath>

#include "base/failure.h"
#include "catch.h"

using namespace vaa;
using namespace vaa;

namespace {

const StructuralNumber* find(const std::vector<StructuralNumber>& numbers, const std::string& name) {
  for (const auto& n : numbers)
    if (n.name == name) return &n;
  return nullptr;
}

constexpr std::string_view kYarn =
    R"({"max_position_embeddings": 163840, "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0}, "sliding_window": null, "vocab_size": 129280})";

}  // namespace

TEST_CASE("structural: the numbers of a config, and what the rope factor makes of them", "[base]") {
  const auto numbers = structural_numbers(kYarn);
  REQUIRE(find(numbers, "original_max_position_embeddings"));
  CHECK(find(numbers, "original_max_position_embeddings")->number == 4096);
  CHECK(find(numbers, "max_position_embeddings")->number == 163840);
  REQUIRE(find(numbers, "rope factor 40 x original_max_position_embeddings"));
  CHECK(find(numbers, "rope factor 40 x original_max_position_embeddings")->number == 163840);
  CHECK_FALSE(find(numbers, "vocab_size"));
  CHECK_FALSE(find(numbers, "sliding_window"));
}

TEST_CASE("structural: a config within a config is read too", "[base]") {
  const auto numbers = structural_numbers(R"({"text_config": {"sliding_window": 1024, "attention_chunk_size": 8192}, "vision_config": {"image_size": 448}})");
  CHECK(find(numbers, "sliding_window")->number == 1024);
  CHECK(find(numbers, "attention_chunk_size")->number == 8192);
  CHECK(numbers.size() == 2);
}

TEST_CASE("structural: what is no config is an error", "[base]") {
  CHECK_THROWS_AS(structural_numbers("[1]"), Failure);
  CHECK_THROWS_AS(structural_numbers(R"({"sliding_window": )"), Failure);
}

TEST_CASE("structural: a number, or the position after it, inside the interval", "[base]") {
  const std::vector<StructuralNumber> numbers = {{"window", 1024}, {"original", 4096}};
  CHECK(structural_hits(4095, 4096, numbers)[0].offset == 0);
  const auto after = structural_hits(4096, 4097, numbers);  // the first token that sees input position 4,096 stands after 4,097 ids
  REQUIRE_FALSE(after.empty());
  CHECK(after[0].name == "original");
  CHECK(after[0].number == 4096);
  CHECK(after[0].offset == 1);
  CHECK(structural_hits(4097, 4098, numbers).empty());
  CHECK(structural_hits(0, 5000, numbers).size() == 2);
  CHECK(structural_hits(0, 5000, numbers)[0].name == "original");
}

TEST_CASE("structural: multiples of blocks are named where they are not there by chance", "[base]") {
  const auto hits = structural_hits(767, 768, {});
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].name == "3 x 256");
  CHECK(hits[0].number == 768);
  CHECK(hits[0].by_chance == Approx(2.0 / 256));
  CHECK(structural_hits(700, 800, {}).empty());   // 101 in 512 is a fifth, and 768 is no multiple of 512
  CHECK(structural_hits(770, 771, {}).empty());
}

TEST_CASE("structural: name=number", "[base]") {
  CHECK(named_number("capture_size=512").name == "capture_size");
  CHECK(named_number("chunk=8K").number == 8192);
  CHECK_THROWS_AS(named_number("512"), Failure);
  CHECK_THROWS_AS(named_number("chunk=eight"), Failure);
}
