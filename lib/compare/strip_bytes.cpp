// Strips as bytes: how they wait for their partners.
#include <cstring>
#include <type_traits>

#include "base/failure.h"
#include "compare/token_strip.h"

namespace vaa {
namespace {

template <class Strip, class Visit>
void each_column(Strip& strip, Visit visit) {
  visit(strip.key);
  visit(strip.prompt);
  visit(strip.output);
  visit(strip.scores.chosen);
  visit(strip.scores.ends);
  visit(strip.scores.flags);
  visit(strip.scores.ids);
  visit(strip.scores.logprobs);
}
static_assert(std::is_trivially_copyable_v<StripFacts>);

}  // namespace

std::string strip_bytes(const TokenStrip& strip) {
  size_t size = sizeof strip.facts;
  each_column(strip, [&](const auto& column) { size += sizeof(uint64_t) + column.size() * sizeof column[0]; });
  std::string out;
  out.reserve(size);
  out.append(reinterpret_cast<const char*>(&strip.facts), sizeof strip.facts);
  each_column(strip, [&](const auto& column) {
    const uint64_t n = column.size();
    out.append(reinterpret_cast<const char*>(&n), sizeof n);
    out.append(reinterpret_cast<const char*>(column.data()), n * sizeof column[0]);
  });
  return out;
}

TokenStrip strip_from(std::string_view bytes) {
  TokenStrip strip;
  const auto take = [&](void* to, size_t size) {
    if (size > bytes.size()) fail(VAA_ERROR_INTERNAL, "a waiting answer came back shorter than it was");
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(&strip.facts, sizeof strip.facts);
  each_column(strip, [&](auto& column) {
    uint64_t n = 0;
    take(&n, sizeof n);
    if (n > bytes.size()) fail(VAA_ERROR_INTERNAL, "a waiting answer came back shorter than it was");
    column.resize(n);
    take(column.data(), n * sizeof column[0]);
  });
  return strip;
}

}  // namespace vaa
