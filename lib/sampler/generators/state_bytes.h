// Saved states: little-endian numbers one after another.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/failure.h"

namespace vaa {

template <class T>
void put_number(std::vector<uint8_t>* out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out->push_back(static_cast<uint8_t>(static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(value)) >> (8 * i)));
}

// Takes numbers off the front of bytes whose count has been checked.
struct StateReader {
  std::span<const uint8_t> bytes;
  template <class T>
  T number() {
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
    bytes = bytes.subspan(sizeof(T));
    return static_cast<T>(value);
  }
};

inline void check_state_size(std::span<const uint8_t> state, size_t size, const char* what) {
  if (state.size() != size) fail(VAA_ERROR_ARGUMENT, "state: has " + std::to_string(state.size()) + " bytes, must be " + std::to_string(size) + ": " + what);
}

}  // namespace vaa
