#include "quality/monitor.h"

#include <algorithm>

#include "base/failure.h"
#include "quality/loops.h"
#include "quality/monitor_rule.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kBlock = 4096;       // of text whose digits are replaced at once
constexpr size_t kMaxQuote = 1024;    // bytes of a loop that are looked for in the prompt
constexpr size_t kMaxWords = 4096;    // bytes of a unit of ids that are read
constexpr int kMaxSearches = 64;

std::string_view text_of(std::span<const uint8_t> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

[[noreturn]] void refuse_mix(const char* had, const char* got) {
  fail(VAA_ERROR_ARGUMENT, std::string("chunk: ") + got + " after " + had + ": a monitor takes ids or text, not both, until it is reset");
}

}  // namespace

template <class Symbol>
void Monitor::Watch<Symbol>::reset() {
  tail.reset();
  state = MonitorState::kNothing;
  run = {};
  going_on = true;
  excuse = "";
}

Monitor::Monitor(MonitorOptions options, const Vocab* vocab) : options_(std::move(options)), vocab_(vocab), asked_(asked_copies(options_.prompt)) {}

void Monitor::reset() {
  if (ids_) ids_->reset();
  if (text_) text_->reset();
  if (counters_) counters_->reset();
  characters_.reset();
  searches_ = 0;
  in_digits_ = false;
  read_ = 0;
}

MonitorState Monitor::push_ids(std::span<const int32_t> chunk) {
  if (chunk.empty()) return state();
  if (read_ != 0) refuse_mix("text", "ids");
  if (options_.counters) fail(VAA_ERROR_ARGUMENT, "chunk: the option counters needs text, and these are ids");
  if (!ids_) {
    ids_ = std::make_unique<Watch<int32_t>>(options_.max_period, false);
    memory_.reserve(kMaxWords);
  }
  watch_chunk(ids_.get(), chunk);
  return state();
}

MonitorState Monitor::push_text(std::string_view chunk) {
  if (chunk.empty()) return state();
  if (ids_ && ids_->tail.size() != 0) refuse_mix("ids", "text");
  if (!text_) text_ = std::make_unique<Watch<uint8_t>>(options_.max_period, false);
  if (options_.counters && !counters_) {
    counters_ = std::make_unique<Watch<uint8_t>>(options_.max_period, true);
    places_.resize(4 * TailFollower<uint8_t>::kKept);
  }
  std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(chunk.data()), chunk.size());
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kBlock, bytes.size()))) {
    const auto block = bytes.first(std::min(kBlock, bytes.size()));
    watch_chunk(text_.get(), block);
    if (counters_) watch_counters(block);
    read_ += block.size();
  }
  return state();
}

// A symbol's place in the text is kept for as long as a run that is found can begin at it.
void Monitor::watch_counters(std::span<const uint8_t> block) {
  uint8_t symbols[kBlock];
  size_t n = 0;
  for (size_t i = 0; i < block.size(); ++i) {
    const bool digit = block[i] >= '0' && block[i] <= '9';
    if (digit && in_digits_) continue;
    in_digits_ = digit;
    places_[(counters_->tail.size() + n) % places_.size()] = read_ + i;
    symbols[n++] = digit ? '0' : block[i];
  }
  watch_chunk(counters_.get(), std::span<const uint8_t>(symbols, n));
}

template <class Symbol>
void Monitor::watch_chunk(Watch<Symbol>* watch, std::span<const Symbol> chunk) {
  while (!chunk.empty()) {
    size_t until = SIZE_MAX;  // where the state may change
    if (watch->state != MonitorState::kLoop && watch->run.period != 0)
      for (const size_t cover : {watch->least.loop, watch->least.suspected})
        if (watch->run.begin + cover > watch->tail.size()) until = watch->run.begin + cover;
    const size_t taken = watch->tail.take(chunk, until);
    if constexpr (sizeof(Symbol) == 1) {
      if (!watch->counting) characters_.add(text_of(chunk.first(taken)));
    }
    chunk = chunk.subspan(taken);
    judge(watch);
  }
}

template <class Symbol>
void Monitor::judge(Watch<Symbol>* watch) {
  const Run& now = watch->tail.run();
  const bool same = now.period == watch->run.period && now.begin == watch->run.begin;
  if (watch->state == MonitorState::kLoop) {
    if (!watch->going_on) return;
    watch->run.end = watch->tail.size();
    mark_end(watch);
    watch->going_on = same;
    return;
  }
  if (!same) {
    watch->run = now;
    watch->excuse = "";
    if (now.period != 0) begin(watch);
  }
  watch->run.end = now.end;
  mark_end(watch);
  const size_t cover = watch->run.cover();
  watch->state = now.period == 0 || cover < watch->least.suspected ? MonitorState::kNothing : MonitorState::kSuspected;
  if (now.period != 0 && cover >= watch->least.loop && !excused(watch)) watch->state = MonitorState::kLoop;
}

std::string_view Monitor::words(const Watch<uint8_t>& watch, size_t symbols, size_t max_bytes) {
  return text_of(watch.tail.history_from(watch.run.begin)).substr(0, std::min(symbols, max_bytes));
}

std::string_view Monitor::words(const Watch<int32_t>& watch, size_t symbols, size_t max_bytes) {
  memory_.clear();
  if (!vocab_) return memory_;
  const auto ids = watch.tail.history_from(watch.run.begin);
  for (size_t i = 0; i < symbols && i < ids.size() && memory_.size() < max_bytes; ++i) memory_.append(vocab_->token(ids[i]).substr(0, max_bytes - memory_.size()));
  return memory_;
}

void Monitor::begin(Watch<int32_t>* watch) {
  const std::string_view unit = words(*watch, watch->run.period, kMaxWords);
  auto ids = watch->tail.history_from(watch->run.begin);
  ids = ids.first(std::min(ids.size(), watch->run.period));
  const auto inside = std::count_if(ids.begin(), ids.end(), [&](int32_t id) { return vocab_ && id >= 0 && static_cast<size_t>(id) < vocab_->size(); });
  watch->legible = 2 * static_cast<size_t>(inside) >= ids.size() && inside > 0;
  // What a unit of one or two ids says is not known without its words: it may be a rule, a padding, zeros.
  constexpr size_t kFew = 2;
  LoopUnit nature;
  nature.words = true;
  nature.weak = watch->run.period <= kFew;
  if (watch->legible) nature = read_unit(unit);
  nature.squeezed = watch->run.period;
  watch->least = loop_covers(nature, watch->run.period, options_, kTokenCovers);
  watch->unit.assign(unit.substr(0, kMaxUnit));
}

void Monitor::begin(Watch<uint8_t>* watch) {
  const size_t period = watch->run.period;
  std::string_view run = text_of(watch->tail.history_from(watch->run.begin));
  // Whole characters: a run of bytes may begin within one.
  const size_t begin = run.size();
  while (run.size() + 3 > begin && (static_cast<unsigned char>(run.front()) & 0xC0) == 0x80) run.remove_prefix(1);
  const std::string_view unit = run.substr(0, period);
  watch->least = watch->counting ? counter_covers(unit) : loop_covers(read_unit(unit), period, options_, kByteCovers);
  watch->unit.assign(unit.substr(0, utf8_floor(unit, kMaxUnit)));
  if (watch->counting) {
    watch->first_byte = places_[watch->run.begin % places_.size()];
    return;
  }
  watch->first_byte = watch->tail.size() - run.size();
  watch->first_char = characters_.all() - static_cast<int64_t>(utf8_count(run));
  watch->period_chars = static_cast<int64_t>(utf8_count(unit));
}

void Monitor::mark_end(Watch<uint8_t>* watch) {
  if (watch->counting) {
    watch->end_byte = places_[(watch->tail.size() - 1) % places_.size()] + 1;
    return;
  }
  watch->end_byte = watch->tail.size() - characters_.pending();
  watch->end_char = characters_.whole();
}

// What the prompt asks for, or holds itself as far as it came, is no fault. It is looked at again when more has come.
template <class Symbol>
bool Monitor::excused(Watch<Symbol>* watch) {
  const Run& run = watch->run;
  if (run.count() <= asked_ + 1) {
    watch->excuse = "asked";
    watch->least.loop = (asked_ + 2) * run.period;
    return true;
  }
  if (run.cover() > options_.prompt.size() || watch->counting || searches_ >= kMaxSearches) return false;
  ++searches_;
  const std::string_view quote = words(*watch, run.cover(), kMaxQuote);
  if (quote.empty() || options_.prompt.find(quote) == std::string::npos) return false;
  watch->excuse = "in_prompt";
  watch->least.loop = 2 * run.cover();
  return true;
}

bool Monitor::text_decides() const { return !counters_ || text_->state >= counters_->state; }

MonitorState Monitor::state() const {
  if (read_ != 0) return text_decides() ? text_->state : counters_->state;
  return ids_ ? ids_->state : MonitorState::kNothing;
}

}  // namespace vaa
