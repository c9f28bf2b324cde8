#include "stats/arguments.h"

#include <cmath>
#include <string>

#include "base/failure.h"
#include "base/json_writer.h"

namespace vaa::stats {
namespace {

[[noreturn]] void refuse(std::string_view function, std::string_view name, const std::string& value, std::string_view allowed) {
  std::string message(function);
  message.append(": ").append(name).append(" is ").append(value).append(", must be ").append(allowed);
  fail(VAA_ERROR_ARGUMENT, std::move(message));
}

void check(bool good, std::string_view function, std::string_view name, double value, std::string_view allowed) {
  if (good) return;
  std::string text;
  if (std::isnan(value)) {
    text = "nan";
  } else if (std::isinf(value)) {
    text = value > 0 ? "inf" : "-inf";
  } else {
    append_number(&text, value);
  }
  refuse(function, name, text, allowed);
}

}  // namespace

void check_count(std::string_view function, std::string_view name, int64_t value, int64_t least, int64_t most) {
  if (value < least) refuse(function, name, std::to_string(value), "at least " + std::to_string(least));
  if (value > most) refuse(function, name, std::to_string(value), "at most " + std::to_string(most));
}

void check_share(std::string_view function, std::string_view name, double value) {
  check(value >= 0 && value <= 1, function, name, value, "in [0, 1]");
}

void check_open_share(std::string_view function, std::string_view name, double value) {
  check(value > 0 && value < 1, function, name, value, "above 0 and below 1");
}

void check_least(std::string_view function, std::string_view name, double value, double least) {
  std::string allowed = "at least ";
  append_number(&allowed, least);
  check(value >= least && std::isfinite(value), function, name, value, allowed + " and finite");
}

void check_positive(std::string_view function, std::string_view name, double value) {
  check(value > 0 && std::isfinite(value), function, name, value, "above 0 and finite");
}

void check_below(std::string_view function, std::string_view name, double value, double limit) {
  std::string allowed = "below ";
  append_number(&allowed, limit);
  check(value < limit && std::isfinite(value), function, name, value, allowed + " and finite");
}

void check_most(std::string_view function, std::string_view name, double value, double most) {
  std::string allowed = "at most ";
  append_number(&allowed, most);
  check(value <= most && std::isfinite(value), function, name, value, allowed + " and finite");
}

void check_size(std::string_view function, std::string_view name, double value, double most) {
  std::string allowed = "at most ";
  append_number(&allowed, most);
  check(std::fabs(value) <= most, function, name, value, allowed + " in size");
}

void check_logit(std::string_view function, std::string_view name, size_t i, double value) {
  if (!(value < INFINITY)) check(false, function, element(name, i), value, "finite, or -inf for a probability of 0");
}

void check_logprob(std::string_view function, std::string_view name, size_t i, double value) {
  if (!(value <= 0 && std::isfinite(value))) check_most(function, element(name, i), value, 0);
}

void check_number(std::string_view function, std::string_view name, double value) {
  check(!std::isnan(value), function, name, value, "a number");
}

std::string element(std::string_view name, size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

void check_values(std::string_view function, std::string_view name, std::span<const double> values, double most) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(std::fabs(values[i]) <= most)) check_size(function, element(name, i), values[i], most);
  }
}

void check_flags(std::string_view function, std::string_view name, std::span<const uint8_t> flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] > 1) refuse(function, element(name, i), std::to_string(flags[i]), "0 or 1");
  }
}

void check_same_size(std::string_view function, std::string_view name, size_t size, size_t expected) {
  check_count(function, std::string("the size of ").append(name), static_cast<int64_t>(size), static_cast<int64_t>(expected), static_cast<int64_t>(expected));
}

void check_some(std::string_view function, std::string_view name, size_t size, size_t least) {
  check_count(function, std::string("the size of ").append(name), static_cast<int64_t>(size), static_cast<int64_t>(least));
}

}  // namespace vaa::stats
