#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/big_decimal.h"
#include "base/json.h"
#include "catch.h"

using namespace vaa;

namespace {

double real_of(std::string_view text) {
  JsonReader reader(text);
  double value = -12345;
  const bool read = reader.real(&value) && reader.finish();
  if (!read) FAIL(text);
  return value;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// glibc's strtod rounds correctly.
void check_like_strtod(const std::string& text) {
  const double want = std::strtod(text.c_str(), nullptr);
  if (!same(real_of(text), want) || !same(big_decimal(text), want)) FAIL(text);
}

double from_bits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string printed(const char* format, int precision, double value) {
  char text[1200];
  std::snprintf(text, sizeof text, format, precision, value);
  return text;
}

struct Integer {
  bool fits;
  int64_t value;
};
Integer integer_of(std::string_view text) {
  JsonReader reader(text);
  Integer out{false, -1};
  out.fits = reader.int64(&out.value);
  CHECK(reader.finish());  // taken, whether it fits or not
  return out;
}

}  // namespace

TEST_CASE("json numbers: doubles of all sizes are read like strtod reads them", "[json]") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100000; ++i) {
    const double value = from_bits(random());
    if (!std::isfinite(value)) continue;
    check_like_strtod(printed("%.*e", 16, value));
    check_like_strtod(printed("%.*e", static_cast<int>(random() % 40), value));
  }
}

TEST_CASE("json numbers: log-probabilities as frameworks print them are read like strtod reads them", "[json]") {
  std::mt19937_64 random(12);
  std::exponential_distribution<double> exponential(1);
  for (int i = 0; i < 100000; ++i) {
    const double value = -std::pow(exponential(random), 6);
    check_like_strtod(printed("%.*f", static_cast<int>(random() % 26), value));
    check_like_strtod(printed("%.*g", 17, value));
    check_like_strtod(printed("%.*g", 17, static_cast<float>(value)));
    check_like_strtod(std::to_string(random()) + "e" + std::to_string(static_cast<int>(random() % 60) - 30));
  }
}

TEST_CASE("json numbers: subnormals are read like strtod reads them", "[json]") {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20000; ++i) {
    const double value = from_bits(random() >> (12 + random() % 52));
    check_like_strtod(printed("%.*e", 16, value));
    check_like_strtod(printed("%.*e", static_cast<int>(random() % 20), value));
  }
}

TEST_CASE("json numbers: halfway between two doubles the even one is taken, a digit beside it decides", "[json]") {
  std::mt19937_64 random(14);
  for (int i = 0; i < 3000; ++i) {
    // The exact decimals of value + half a unit: glibc prints them exactly from long double (64 bits of fraction).
    uint64_t bits = random() & ~(uint64_t{1} << 63);
    if (i % 2) bits = (bits & ~(uint64_t{0x7FF} << 52)) | (uint64_t{1023 - 30} + random() % 60) << 52;
    if (i % 5 == 0) bits >>= 13;
    const double low = from_bits(bits), high = from_bits(bits + 1);
    if (!std::isfinite(high)) continue;
    const long double middle = (static_cast<long double>(low) + static_cast<long double>(high)) / 2;
    if (static_cast<long double>(low) == middle) continue;  // a long double of 53 bits
    char text[1300];
    const int size = std::snprintf(text, sizeof text, "%.*Le", 800, middle);
    REQUIRE(size < 1300);
    const std::string exact = text;
    const size_t e = exact.find('e');
    const double even = bits % 2 ? high : low;
    if (!same(real_of(exact), even)) FAIL(exact);
    if (!same(real_of(exact.substr(0, e) + "1" + exact.substr(e)), high)) FAIL(exact);
    if (!same(real_of(exact.substr(0, e) + std::string(2000, '0') + "1" + exact.substr(e)), high)) FAIL(exact);
    check_like_strtod(exact);
  }
}

TEST_CASE("json numbers: the ends of the doubles", "[json]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(real_of("1e999") == infinity);
  CHECK(real_of("-1e999") == -infinity);
  CHECK(real_of("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(real_of("1.7976931348623158e308") == std::numeric_limits<double>::max());
  CHECK(real_of("1.7976931348623159e308") == infinity);
  CHECK(real_of("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(real_of("2.4703282292062327e-324") == 0.0);
  CHECK(real_of("2.4703282292062328e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(real_of("2.2250738585072011e-308") == 2.2250738585072011e-308);
  CHECK(same(real_of("-0"), -0.0));
  CHECK(same(real_of("-0.0e5"), -0.0));
  CHECK(same(real_of("-1e-999"), -0.0));
  CHECK(same(real_of("0e999999999999999999999"), 0.0));
  CHECK(real_of("1e99999999999999999999999") == infinity);
  CHECK(real_of("1e-99999999999999999999999") == 0.0);
  CHECK(real_of("Infinity") == infinity);
  CHECK(real_of("-Infinity") == -infinity);
  CHECK(std::isnan(real_of("NaN")));
  CHECK(real_of("18446744073709551616") == 18446744073709551616.0);
  CHECK(real_of("9007199254740993") == 9007199254740992.0);
  CHECK(real_of("0.000000000000000000000000000000000000000000000000001") == 1e-51);
  // A long run of zeros or digits is one number, in linear time.
  CHECK(real_of("1" + std::string(1000000, '0') + "e-1000000") == 1.0);
  CHECK(real_of("0." + std::string(1000000, '0') + "1e1000001") == 1.0);
  CHECK(real_of("0." + std::string(1000000, '9')) == 1.0);
}

TEST_CASE("json numbers: int64 is exact or refused, and the number is taken either way", "[json]") {
  for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{9007199254740993}, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    const Integer read = integer_of(std::to_string(value));
    CHECK(read.fits);
    CHECK(read.value == value);
  }
  CHECK(integer_of("-0").fits);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551616", "18446744073709551617", "1.0", "1e3", "1E0", "0.0", "NaN", "Infinity", "-Infinity", "100000000000000000000000000"}) {
    INFO(text);
    CHECK_FALSE(integer_of(text).fits);
  }
}

TEST_CASE("json numbers: the text of a number is kept as written", "[json]") {
  for (const std::string text : {"9223372036854775808", "1e-3", "-0", "NaN", "-Infinity", "1.50", "18446744073709551615"}) {
    const std::string document = " " + text + " ";
    JsonReader reader(document);
    std::string_view number;
    CHECK(reader.number(&number));
    CHECK(number == text);
    CHECK(reader.finish());
  }
}

TEST_CASE("json numbers: ids are read from any spacing", "[json]") {
  std::mt19937 random(15);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int32_t> want(random() % 40);
    std::string text = "[";
    for (size_t i = 0; i < want.size(); ++i) {
      want[i] = static_cast<int32_t>(random()) >> (random() % 32);
      if (random() % 3) want[i] = want[i] < 0 ? -(want[i] + 1) : want[i];
      static const char* kSpaces[] = {"", " ", "  ", "\n  ", "\t", " "};
      text += (i ? "," : "") + std::string(kSpaces[random() % 6]) + std::to_string(want[i]) + (random() % 8 ? "" : " ");
    }
    text += "]";
    INFO(text);
    JsonReader reader(text);
    std::vector<int32_t> ids = {7, 8, 9};
    size_t bad = 0;
    CHECK(reader.ids(&ids, &bad));
    CHECK(ids == want);
    CHECK(reader.finish());
    reader.reset(text);
    std::vector<double> reals;
    CHECK(reader.reals(&reals, &bad));
    CHECK(reals == std::vector<double>(want.begin(), want.end()));
    reader.reset(text);
    CHECK((reader.skip() && reader.finish()));
  }
}

TEST_CASE("json numbers: an element that is no id is named and the array is taken", "[json]") {
  struct Case {
    const char* text;
    size_t bad;
  };
  for (const Case c : {Case{"[1, 2, 3.0, 4]", 2}, Case{"[1e2]", 0}, Case{"[1, null]", 1}, Case{"[\"1\"]", 0}, Case{"[1, [2], 3]", 1}, Case{"[1,2,3,4,5,6,7,2147483648]", 7}, Case{"[-2147483649, 1]", 0}, Case{"[1, NaN]", 1},
                       Case{"[1, 2, 3, 4, 5, 6, true, 8, 9, 10, 11, 12]", 6}, Case{"[1, 99999999999999999999]", 1}, Case{"[{\"a\": [1, 2]}, 1]", 0}}) {
    INFO(c.text);
    const std::string document = "[" + std::string(c.text) + ", \"next\"]";
    JsonReader reader(document);
    std::vector<int32_t> ids;
    size_t bad = 99;
    std::string_view next;
    REQUIRE(reader.array());
    REQUIRE(reader.element());
    CHECK_FALSE(reader.ids(&ids, &bad));
    CHECK_FALSE(reader.failed());
    CHECK(bad == c.bad);
    REQUIRE(reader.element());
    CHECK(reader.string(&next));
    CHECK(next == "next");
    CHECK_FALSE(reader.element());
    CHECK(reader.finish());
  }
}

TEST_CASE("json numbers: reals hold NaN for null and refuse other kinds by place", "[json]") {
  JsonReader reader("[null, -0.5, NaN, -Infinity, 1e999, 3, -1.1920928955078125e-07]");
  std::vector<double> reals;
  size_t bad = 0;
  REQUIRE(reader.reals(&reals, &bad));
  REQUIRE(reals.size() == 7);
  CHECK(std::isnan(reals[0]));
  CHECK(reals[1] == -0.5);
  CHECK(std::isnan(reals[2]));
  CHECK(reals[3] == -std::numeric_limits<double>::infinity());
  CHECK(reals[4] == std::numeric_limits<double>::infinity());
  CHECK(reals[6] == -1.1920928955078125e-07);
  CHECK(reader.finish());
  reader.reset("[0.5, 1.5, \"x\", [1], 2]");
  CHECK_FALSE(reader.reals(&reals, &bad));
  CHECK(bad == 2);
  CHECK(reader.finish());
}

TEST_CASE("json numbers: a malformed element of an array of numbers fails the reader at its byte", "[json]") {
  struct Case {
    const char* text;
    const char* error;
    size_t at;
  };
  for (const Case c : {Case{"[1, 02, 3, 4, 5, 6, 7, 8]", "a number with a leading zero", 4}, Case{"[1, 2,]", "a comma before the closing bracket", 6}, Case{"[12345, 123456, 12,]", "a comma before the closing bracket", 19},
                       Case{"[1,,2, 3, 4, 5, 6, 7, 8]", "expected a value", 3}, Case{"[1 2]", "expected a comma or a closing bracket", 3}, Case{"[1, 2", "the text ends inside the document", 5}, Case{"[1, 2, ", "the text ends inside the document", 7},
                       Case{"[1, 2., 3]", "a number without a digit behind its point", 6}, Case{"[1, 2x, 3, 4, 5, 6, 7]", "a byte that does not belong to the number before it", 5}, Case{"[1, x, 2]", "expected a value", 4},
                       Case{"[1, -, 2]", "a number without a digit", 5}, Case{"[null, nul, 2]", nullptr, 7}, Case{"[\"a\", 1, \"b]", nullptr, 12}}) {
    INFO(c.text);
    JsonReader reader(c.text);
    std::vector<int32_t> ids;
    std::vector<double> reals;
    size_t bad = 0;
    CHECK_FALSE(reader.ids(&ids, &bad));
    CHECK(reader.error_at() == c.at);
    if (c.error) CHECK(std::string(reader.error()) == c.error);
    reader.reset(c.text);
    CHECK_FALSE(reader.reals(&reals, &bad));
    CHECK(reader.error_at() == c.at);
    if (c.error) CHECK(std::string(reader.error()) == c.error);
    reader.reset(c.text);
    CHECK_FALSE(reader.skip());
    CHECK(reader.error_at() == c.at);
  }
}
