#include "compare/prefill_paths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/figures.h"
#include "compare/position_drift.h"
#include "compare/recorded_settings.h"

namespace vaa {
namespace {

constexpr std::array<std::string_view, 3> kChunks = {"max_num_batched_tokens", "chunked_prefill_size", "long_prefill_token_threshold"};

struct NamedSide {
  const RunSide& run;
  Both name;
  int64_t TokenPair::*cached;
};

void say(std::vector<SectionLine>* lines, Both text, const char* tone) { lines->push_back({std::move(text), "", "", "", tone}); }

// Pairs with a prompt longer than what the side puts through the model at once.
void say_chunks(const ComparisonView& view, const NamedSide& side, std::vector<SectionLine>* lines) {
  for (const auto& [path, value] : recorded_settings(side.run, view.text)) {
    const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
    int64_t chunk = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), chunk);
    if (std::find(kChunks.begin(), kChunks.end(), name) == kChunks.end() || fault != std::errc() || end != value.data() + value.size() || chunk < 1) continue;
    const auto longer = std::count_if(view.tokens->pairs.begin(), view.tokens->pairs.end(), [&](const TokenPair& p) { return has_positions(p) && p.start > chunk; });
    const std::string pairs = counted(longer, "pairs"), size = path + " " + grouped(chunk);
    say(lines, {"chunked prefill of " + side.name.en + ": " + pairs + " with a prompt longer than " + size, side.name.zh + "的分块预填充：" + grouped(longer) + " 对的提示词长于 " + size}, "faint");
  }
}

void say_cache(const ComparisonView& view, const NamedSide& side, std::vector<SectionLine>* lines) {
  int64_t all = 0, told = 0, cached = 0;
  for (const TokenPair& p : view.tokens->pairs) {
    if (!has_positions(p)) continue;
    all += 1;
    told += p.*side.cached >= 0;
    cached += p.*side.cached > 0;
  }
  const std::string k = grouped(cached), n = grouped(told);
  if (all == 0) return;
  if (told == 0) say(lines, {"prefix cache of " + side.name.en + ": not recorded", side.name.zh + "的前缀缓存：未记录"}, "faint");
  else say(lines, {"prefix cache of " + side.name.en + ": tokens of " + k + " of " + n + " prompts were cached", side.name.zh + "的前缀缓存：" + n + " 个提示词中有 " + k + " 个命中"}, "faint");
}

}  // namespace

std::vector<SectionLine> prefill_path_lines(const ComparisonView& view) {
  std::vector<SectionLine> lines;
  const NamedSide sides[] = {{view.reference, {"the reference", "参考侧"}, &TokenPair::reference_cached}, {view.target, {"the target", "目标侧"}, &TokenPair::target_cached}};
  for (const NamedSide& side : sides) say_chunks(view, side, &lines);
  for (const NamedSide& side : sides) say_cache(view, side, &lines);
  return lines;
}

}  // namespace vaa
