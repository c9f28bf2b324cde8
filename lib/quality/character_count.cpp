#include "quality/character_count.h"

#include "quality/odd_characters.h"
#include "text/utf8.h"

namespace vaa {

void CharacterCount::add(std::string_view piece) {
  const auto settle = [&](std::string_view text) {
    const size_t settled = text.size() - unfinished_bytes(text);
    whole_ += static_cast<int64_t>(utf8_count(text.substr(0, settled)));
    return settled;
  };
  for (; !pending_.empty() && !piece.empty(); piece.remove_prefix(1)) {
    pending_.push_back(piece.front());
    pending_.erase(0, settle(pending_));
  }
  if (!piece.empty()) pending_.assign(piece.substr(settle(piece)));
}

void CharacterCount::reset() {
  whole_ = 0;
  pending_.clear();
}

int64_t CharacterCount::all() const { return whole_ + static_cast<int64_t>(utf8_count(pending_)); }

}  // namespace vaa
