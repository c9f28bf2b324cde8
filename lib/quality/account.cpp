#include "quality/account.h"

#include <numeric>

namespace vaa {
namespace {

constexpr PlaceInfo kPlaces[kPlaceCount] = {
    {"request_failed", {"request failed", "请求失败"}},
    {"empty", {"empty", "空回答"}},
    {"cut", {"cut", "被截断"}},
    {"looping", {"looping", "循环重复"}},
    {"unclosed", {"unclosed thought", "思考未结束"}},
    {"garbled", {"garbled", "乱码"}},
    {"not_extracted", {"right answer not extracted", "正确答案未被提取"}},
    {"well_formed", {"well formed", "格式完好"}},
    {"no_output", {"output not recorded", "未记录输出"}},
};

// The bit of the one flag whose confidence the account looks at.
bool truncated_for_certain(const Judgement& judgement, uint64_t cut) {
  for (const Finding& f : judgement.findings) {
    if ((cut >> f.flag & 1) && f.confidence == Confidence::kCertain) return true;
  }
  return false;
}

}  // namespace

const PlaceInfo& place_info(int place) { return kPlaces[place]; }

PlaceBits PlaceBits::of(std::span<const Detector* const> table) {
  PlaceBits bits;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i]->account >= 0) bits.flags[static_cast<size_t>(table[i]->account)] |= uint64_t{1} << i;
  }
  const int unfinished = find_flag("no_final_answer");
  if (unfinished >= 0) bits.no_final_answer = uint64_t{1} << unfinished;
  return bits;
}

AccountPlace place_of(const Sample& sample, const Judgement& judgement, const PlaceBits& bits) {
  if (sample.failed()) return kPlaceFailed;
  if (!sample.has_output()) return kPlaceNoOutput;
  const auto alarmed = [&](AccountPlace place) { return (judgement.alarm & bits.flags[place]) != 0; };
  if (alarmed(kPlaceEmpty)) return kPlaceEmpty;
  const uint64_t cut = judgement.found & bits.flags[kPlaceCut];
  if (cut && (truncated_for_certain(judgement, cut) || (!alarmed(kPlaceLooping) && !alarmed(kPlaceUnclosed)))) return kPlaceCut;
  for (const AccountPlace place : {kPlaceLooping, kPlaceUnclosed, kPlaceGarbled, kPlaceNotExtracted}) {
    if (alarmed(place)) return place;
  }
  return kPlaceWellFormed;
}

uint32_t possible_places(AccountPlace place, uint64_t unknown, uint64_t enabled, const PlaceBits& bits) {
  uint32_t places = 0;
  if (place == kPlaceFailed || place == kPlaceNoOutput) return places;
  for (int before = kPlaceEmpty; before < place; ++before) {
    const uint64_t flags = bits.flags[static_cast<size_t>(before)];
    if (flags != 0 && ((flags & ~enabled) != 0 || (flags & ~unknown) == 0)) places |= uint32_t{1} << before;
  }
  return places;
}

int64_t Account::total() const { return std::accumulate(places.begin(), places.end(), int64_t{0}); }
int64_t Account::broken() const { return std::accumulate(places.begin(), places.begin() + kPlaceWellFormed, int64_t{0}); }
void Account::add(const Account& other) {
  for (size_t i = 0; i < places.size(); ++i) {
    places[i] += other.places[i];
    unknown[i] += other.unknown[i];
  }
  cut_looping += other.cut_looping;
  cut_unclosed += other.cut_unclosed;
  cut_suspected += other.cut_suspected;
  flagged += other.flagged;
  unfinished += other.unfinished;
  cut_unknown += other.cut_unknown;
}

}  // namespace vaa
