#include "text/vocab.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {

Vocab::Vocab(std::span<const uint8_t> bytes, std::span<const int64_t> ends, std::span<const int32_t> special)
    : bytes_(bytes.begin(), bytes.end()), ends_(ends.begin(), ends.end()), special_(ends.size(), false) {
  if (ends.size() > static_cast<size_t>(INT32_MAX)) fail(VAA_ERROR_ARGUMENT, "ends: has " + std::to_string(ends.size()) + " tokens, allowed are 2147483647");
  int64_t before = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] < before || ends[i] > static_cast<int64_t>(bytes.size()))
      fail(VAA_ERROR_ARGUMENT, "ends: element " + std::to_string(i) + " is " + std::to_string(ends[i]) + ", must be " + std::to_string(before) + " to " +
                                   std::to_string(bytes.size()));
    before = ends[i];
  }
  for (size_t i = 0; i < special.size(); ++i) {
    if (special[i] < 0 || static_cast<size_t>(special[i]) >= ends.size())
      fail(VAA_ERROR_ARGUMENT, "special: element " + std::to_string(i) + " is " + std::to_string(special[i]) + ", the vocabulary has " + std::to_string(ends.size()) +
                                   " tokens");
    special_[static_cast<size_t>(special[i])] = true;
  }
  for (size_t i = 0; i < special_.size(); ++i)
    if (special_[i]) special_ids_.push_back(static_cast<int32_t>(i));
}

std::string_view Vocab::token(int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= ends_.size()) return {};
  const auto i = static_cast<size_t>(id);
  const auto begin = static_cast<size_t>(i == 0 ? 0 : ends_[i - 1]);
  return std::string_view(bytes_).substr(begin, static_cast<size_t>(ends_[i]) - begin);
}

bool Vocab::special(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < special_.size() && special_[static_cast<size_t>(id)]; }

int32_t Vocab::find(std::string_view text) const {
  for (size_t i = 0; i < ends_.size(); ++i)
    if (token(static_cast<int32_t>(i)) == text) return static_cast<int32_t>(i);
  return -1;
}

void Vocab::decode(std::span<const int32_t> ids, bool keep_special, std::string* out) const {
  const size_t before = out->size();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= ends_.size()) {
      out->resize(before);
      fail(VAA_ERROR_ARGUMENT, "ids: element " + std::to_string(i) + " is " + std::to_string(ids[i]) + ", the vocabulary has " + std::to_string(ends_.size()) + " tokens");
    }
    if (keep_special || !special(ids[i])) *out += token(ids[i]);
  }
}

}  // namespace vaa
