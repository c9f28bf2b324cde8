// The first look at a file: what it is cut into and which keys it has. Takes nothing from the stream but a byte order mark, so that a pipe can be read on.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/failure.h"
#include "records/format.h"
#include "records/source.h"

namespace vaa {

enum class Layout : uint8_t {
  kLines,      // a document a line
  kDocuments,  // documents over several lines, one after another
  kElements,   // the elements of one array
};

struct Look {
  Probe probe;
  Layout layout = Layout::kLines;
  bool whole = false;  // the first line, document or element was seen to its end
  bool blank = false;  // nothing but white space as far as was looked
  bool empty = false;  // no byte
  bool binary = false; // a NUL byte, or a byte order mark of UTF-16
};

// deep: reads on until the first line, document or element is whole, up to max_line bytes. Else no more than 64 KiB.
Look look(ByteWindow* window, const std::string& path, int64_t max_line, bool deep);

struct Recognised {
  const Format* format = nullptr;
  Layout layout = Layout::kLines;
  RunHeader header;
  std::optional<Failure> fault;  // VAA_ERROR_FORMAT, VAA_ERROR_UNSUPPORTED: of no format that is read
};
// The format of the file behind `window`. Throws Failure (VAA_ERROR_OPTION) where options name a format that does not exist.
Recognised recognise(ByteWindow* window, const std::string& path, const OpenOptions& options);

}  // namespace vaa
