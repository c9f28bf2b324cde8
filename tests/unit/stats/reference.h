// The expected numbers of these tests: golden/stats_reference.json and evidence_reference.json (exact fractions and mpmath, checked against scipy, statsmodels and
// lifelines; made by the programs beside them) and golden/vectors/verification.json.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/json.h"

namespace vaa::test {

// A small JSON document whole.
struct Tree {
  JsonKind kind = JsonKind::kNull;
  double number = 0;
  std::string text;
  std::vector<Tree> items;
  std::vector<std::pair<std::string, Tree>> members;

  const Tree* find(std::string_view key) const;
  const Tree& operator[](std::string_view key) const;  // fails the test where there is none
  double real(std::string_view key) const { return (*this)[key].number; }
  int64_t count(std::string_view key) const { return static_cast<int64_t>((*this)[key].number); }
  std::vector<double> reals(std::string_view key) const;
  std::vector<int64_t> wholes(std::string_view key) const;
  std::vector<int32_t> ids(std::string_view key) const;
  std::vector<uint8_t> flags(std::string_view key) const;
};

Tree read_golden(const std::string& name);
// The rows of a table of stats_reference.json: arguments, then expected numbers.
std::vector<std::vector<double>> reference_rows(std::string_view table);
// The vectors of a group of verification.json.
std::vector<Tree> verification_group(std::string_view group);

// A table of evidence_reference.json.
const std::vector<Tree>& evidence_cases(std::string_view table);

// The message of the Failure that fn() throws; "" where it throws none.
template <class Fn>
std::string message_of(Fn&& fn) {
  try {
    fn();
  } catch (const Failure& failure) {
    return failure.status() == VAA_ERROR_ARGUMENT ? failure.message() : "another status";
  }
  return "";
}

// |got - want| <= relative |want|, or equal, or both NaN.
bool close(double got, double want, double relative);

}  // namespace vaa::test

// Names the argument row where it fails.
#define CHECK_CLOSE(got, want, relative)                                      \
  do {                                                                        \
    const double got_value = (got), want_value = (want);                      \
    INFO(#got << " is " << got_value << ", expected " << want_value);         \
    INFO("off by " << (got_value - want_value) / want_value << ", relative"); \
    CHECK(vaa::test::close(got_value, want_value, relative));                 \
  } while (false)
