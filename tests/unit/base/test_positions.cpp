#include "base/positions.h"

#include "base/failure.h"
#include "catch.h"

using namespace vaa;
using namespace vaa;

namespace {

std::vector<int64_t> positions(std::vector<std::string> texts) { return parse_positions(texts, "at"); }

std::string refusal(const std::string& text) {
  try {
    positions({text});
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_OPTION);
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("positions: numbers, K of 1,024, sums and differences, rising and once each", "[base]") {
  CHECK(positions({"1K,4K-64,4K+64,131072"}) == std::vector<int64_t>{1024, 4032, 4160, 131072});
  CHECK(positions({"4K", " 1k ", "4096,7"}) == std::vector<int64_t>{7, 1024, 4096});
}

TEST_CASE("positions: a refusal names the piece and the form", "[base]") {
  for (const char* wrong : {"", "0", "4M", "4K-", "-5", "4K-4K", "1.5K", "4K-1-1", "2147483648", "9999999K", "K"}) {
    INFO(wrong);
    const std::string message = refusal(wrong);
    CHECK(message.find("at: \"" + std::string(wrong) + "\" is no position") == 0);
    CHECK(message.find("4K-64") != std::string::npos);
  }
  CHECK(refusal("1K,,2K").find("\"\" is no position") != std::string::npos);
}

TEST_CASE("positions: shown for people", "[base]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(131072) == "131,072");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(short_position(131072) == "128K");
  CHECK(short_position(4097) == "4,097");
}
