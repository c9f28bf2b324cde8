// A stream that may begin to loop: chunks of token ids or of text, and after each whether to stop (docs/monitor.md). The answer depends on what came, not on where chunks end.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quality/character_count.h"
#include "quality/finding.h"
#include "quality/tail_follower.h"
#include "text/vocab.h"

namespace vaa {

enum class MonitorState : int32_t { kNothing = 0, kSuspected = 1, kLoop = 2 };
const char* monitor_state_name(MonitorState state);

struct MonitorOptions {
  size_t min_count = 0, min_cover = 0, long_cover = 0, symbols_cover = 0;  // covers: 0 is the default, which differs for text and ids
  size_t max_period = 0;
  bool counters = false;
  std::string prompt;
};
// Throws Failure (VAA_ERROR_OPTION).
MonitorOptions monitor_options(std::string_view json);

// Covers from which a run is suspected, and is a loop; in symbols of the stream.
struct LoopCovers {
  size_t suspected = 0, loop = 0;
};

class Monitor {
 public:
  // The vocabulary, which may be NULL and is borrowed, tells words from rules and numbers where ids are pushed.
  Monitor(MonitorOptions options, const Vocab* vocab);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Amortised O(1) a symbol. Memory is taken with the first chunk and never again. Throws Failure (VAA_ERROR_ARGUMENT) where the other kind was pushed before.
  MonitorState push_ids(std::span<const int32_t> chunk);
  MonitorState push_text(std::string_view chunk);

  const MonitorOptions& options() const { return options_; }
  MonitorState state() const;
  // The loop that decided; before that what is suspected now.
  std::optional<Finding> finding() const;
  std::string report() const;  // docs/monitor.md
  // A new stream; keeps the memory.
  void reset();

 private:
  // A stream of symbols and the run at its end.
  template <class Symbol>
  struct Watch {
    Watch(size_t max_period, bool numbers) : tail(max_period), counting(numbers) { unit.reserve(kMaxUnit); }
    TailFollower<Symbol> tail;
    const bool counting;  // text whose numbers are one symbol each
    MonitorState state = MonitorState::kNothing;
    Run run;              // what is judged; with kLoop what decided
    bool going_on = true; // it lasts to the end
    LoopCovers least;
    const char* excuse = "";
    bool legible = false; // of ids: most of the unit is in the vocabulary
    std::string unit;     // its first bytes in words, where they are known
    size_t first_byte = 0, end_byte = 0;     // of text
    int64_t first_char = -1, end_char = -1, period_chars = -1;
    void reset();
  };
  static constexpr size_t kMaxUnit = 120;

  template <class Symbol>
  void watch_chunk(Watch<Symbol>* watch, std::span<const Symbol> chunk);
  template <class Symbol>
  void judge(Watch<Symbol>* watch);
  void begin(Watch<int32_t>* watch);
  void begin(Watch<uint8_t>* watch);
  void mark_end(Watch<int32_t>*) {}
  void mark_end(Watch<uint8_t>* watch);
  template <class Symbol>
  bool excused(Watch<Symbol>* watch);
  std::string_view words(const Watch<int32_t>& watch, size_t symbols, size_t max_bytes);
  std::string_view words(const Watch<uint8_t>& watch, size_t symbols, size_t max_bytes);
  void watch_counters(std::span<const uint8_t> block);
  bool text_decides() const;

  const MonitorOptions options_;
  const Vocab* vocab_;
  const size_t asked_;  // copies that the prompt asks for
  int searches_ = 0;    // in the prompt
  std::string memory_;
  std::unique_ptr<Watch<int32_t>> ids_;
  std::unique_ptr<Watch<uint8_t>> text_;
  CharacterCount characters_;
  // Text with each run of digits as one symbol, and where in the text the last symbols stood.
  std::unique_ptr<Watch<uint8_t>> counters_;
  std::vector<size_t> places_;
  bool in_digits_ = false;
  size_t read_ = 0;  // bytes of text
};

// The copies that a prompt asks for: the largest number that stands before "times", "lines", "copies", "rows", "遍", "次" or "行"; 0: none.
size_t asked_copies(std::string_view prompt);

}  // namespace vaa
