// Server-sent events from lines, as the specification of event streams has it: `data` lines of one event are joined by a line feed, one blank after the colon is dropped,
// lines that begin with a colon are comments, an empty line ends the event. Beyond it: many tools save streams without the empty lines, so a data line that follows one
// whole JSON document (or the end mark) begins a new event.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vaa {

class SseEvents {
 public:
  explicit SseEvents(size_t max_event) : max_event_(max_event) {}

  // The line is data and what is there already is a whole event: take that first, clear(), then take the line.
  bool ends_event(std::string_view line) const;
  // Takes one line without its end. True: an event with data is complete.
  bool take(std::string_view line, int64_t number);
  // A line that was too long to be kept: so is its event.
  void take_too_long(int64_t number);
  void clear();

  bool pending() const { return has_data_ || too_long_; }
  bool too_long() const { return too_long_; }      // over max_event; data() is empty then
  const std::string& data() const { return data_; }
  const std::string& type() const { return type_; }  // "" where it is not given
  int64_t line() const { return line_; }           // of the first data line

 private:
  size_t max_event_;
  std::string data_, type_;
  int64_t line_ = 0, lines_ = 0;
  bool has_data_ = false, too_long_ = false;
};

}  // namespace vaa
