#include "compare/strip_room.h"

#include <utility>

namespace vaa {
namespace {

constexpr RandomFile::Use kWaiting{"answers that wait for their partners", "write both runs in one order, so that fewer answers wait, or compare parts of them"};

}  // namespace

int32_t StripRoom::keep(std::string bytes) {
  Entry entry;
  entry.size = static_cast<int64_t>(bytes.size());
  if (held_ + entry.size <= memory_) {
    held_ += entry.size;
    entry.bytes = std::move(bytes);
  } else {
    if (spilled_ == 0) file_ = RandomFile::temporary(kWaiting);
    entry.offset = file_.size();
    file_.append(bytes);
    spilled_ += entry.size;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<int32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const int32_t number = free_.back();
  free_.pop_back();
  entries_[static_cast<size_t>(number)] = std::move(entry);
  return number;
}

std::string StripRoom::read(int32_t number) const {
  const Entry& entry = entries_[static_cast<size_t>(number)];
  if (entry.offset < 0) return entry.bytes;
  std::string out;
  file_.read(entry.offset, static_cast<size_t>(entry.size), &out);
  return out;
}

void StripRoom::drop(int32_t number) {
  Entry& entry = entries_[static_cast<size_t>(number)];
  if (entry.offset < 0) held_ -= entry.size;
  entry = {};
  free_.push_back(number);
}

}  // namespace vaa
