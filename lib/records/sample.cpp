#include "records/sample.h"

namespace vaa {

namespace {
constexpr size_t kKept = 64 << 10;  // bytes of a buffer that release() leaves

template <class Value>
size_t capacity_of(const Value& value) {
  return value.capacity() * sizeof(value[0]);
}
}  // namespace

void Sample::clear() {
  texts.clear();
  ints.clear();
  reals.clear();
  ids.clear();
  real_lists.clear();
  int_lists.clear();
}

void Sample::swap(Sample& other) {
  texts.swap(other.texts);
  ints.swap(other.ints);
  reals.swap(other.reals);
  ids.swap(other.ids);
  real_lists.swap(other.real_lists);
  int_lists.swap(other.int_lists);
}

void Sample::release() {
  clear();
  const auto drop = [](auto& value, bool) {
    if (capacity_of(value) > kKept) std::remove_reference_t<decltype(value)>().swap(value);
  };
  texts.each(drop);
  ids.each(drop);
  real_lists.each(drop);
  int_lists.each(drop);
}

size_t Sample::footprint() const {
  size_t bytes = 0;
  const auto add = [&](const auto& value, bool recorded) {
    if (recorded) bytes += value.size() * sizeof(value[0]);
  };
  texts.each(add);
  ids.each(add);
  real_lists.each(add);
  int_lists.each(add);
  const auto add_number = [&](const auto& value, bool recorded) {
    if (recorded) bytes += sizeof(value);
  };
  ints.each(add_number);
  reals.each(add_number);
  return bytes;
}

bool Sample::has_tool_calls() const {
  const std::string_view json = text(TextField::kToolCalls);
  const size_t first = json.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || json.substr(first, 4) == "null") return false;
  const size_t inside = json.find_first_not_of(" \t\r\n", first + 1);
  return json[first] != '[' || (inside != std::string_view::npos && json[inside] != ']');
}

bool Sample::has_output() const {
  if (forced()) return false;
  return has(TextField::kOutputText) || has(TextField::kOutputReasoning) || has(IdsField::kOutputTokenIds) || has_tool_calls();
}

}  // namespace vaa
