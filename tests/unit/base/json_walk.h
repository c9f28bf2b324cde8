// Reads a whole document through the pull reader, value by value, and writes what came as one line of events.
#pragma once
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/json_writer.h"

namespace vaa::testing {

inline std::string walk(JsonReader& reader) {
  std::string_view text;
  switch (reader.peek()) {
    case JsonKind::kObject: {
      std::string out = "{";
      reader.object();
      while (reader.key(&text)) {
        append_json_string(&out, text);
        out += ":" + walk(reader) + " ";
      }
      return out + "}";
    }
    case JsonKind::kArray: {
      std::string out = "[";
      reader.array();
      while (reader.element()) out += walk(reader) + " ";
      return out + "]";
    }
    case JsonKind::kString: {
      std::string out;
      if (reader.string(&text)) append_json_string(&out, text);
      return out;
    }
    case JsonKind::kNumber: return reader.number(&text) ? std::string(text) : "";
    case JsonKind::kBool: {
      bool value = false;
      return reader.boolean(&value) ? value ? "true" : "false" : "";
    }
    case JsonKind::kNull: return reader.null() ? "null" : "";
    case JsonKind::kInvalid: break;
  }
  reader.skip();
  return "";
}

struct Outcome {
  bool accepted = false;
  std::string events, error;
  size_t at = 0;
  JsonOddities oddities;
};

inline Outcome read(std::string_view document, JsonReader::Mode mode = JsonReader::Mode::kTolerant) {
  JsonReader reader(document, mode);
  Outcome out;
  out.events = walk(reader);
  out.accepted = reader.finish();
  out.error = reader.error();
  out.at = reader.error_at();
  out.oddities = reader.oddities();
  return out;
}

inline Outcome skip(std::string_view document, JsonReader::Mode mode = JsonReader::Mode::kTolerant) {
  JsonReader reader(document, mode);
  Outcome out;
  reader.skip();
  out.accepted = reader.finish();
  out.error = reader.error();
  out.at = reader.error_at();
  out.oddities = reader.oddities();
  return out;
}

}  // namespace vaa::testing
