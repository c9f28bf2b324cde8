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

void check_size(std::string_view function, std::string_view name, double value, double most) {
  std::string allowed = "at most ";
  append_number(&allowed, most);
  check(std::fabs(value) <= most, function, name, value, allowed + " in size");
}

void check_number(std::string_view function, std::string_view name, double value) {
  check(!std::isnan(value), function, name, value, "a number");
}

}  // namespace vaa::stats
