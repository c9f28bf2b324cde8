// Inputs that make careless code quadratic, of any size: text and token ids.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct HostileText {
  const char* name;
  std::string (*make)(size_t size);  // about `size` bytes
};
std::span<const HostileText> hostile_texts();

struct HostileIds {
  const char* name;
  std::vector<int32_t> (*make)(size_t size);
};
std::span<const HostileIds> hostile_ids();
