#include "records/probe.h"

#include <algorithm>

#include "base/failure.h"

namespace vaa {
namespace {

constexpr size_t kHead = 64 << 10;
constexpr size_t kMaxKeys = 4096;
constexpr std::string_view kWhite = " \t\r\n";

size_t skip_white(std::string_view text, size_t at) { return std::min(text.find_first_not_of(kWhite, at), text.size()); }

// True where `text` is one JSON document.
bool is_document(std::string_view text) {
  JsonReader json(text);
  return json.skip() && json.finish();
}

// The text ends between the tokens of a document that is open: a bracket is not closed and no string is cut.
bool ends_inside(std::string_view text) {
  int64_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return depth > 0 && !in_string;
}

// Top-level members of the object that `text` begins with, as far as it goes. True: the object was seen whole.
bool read_keys(std::string_view text, Probe* probe) {
  JsonReader json(text);
  if (json.peek() != JsonKind::kObject) {
    return json.skip();
  }
  probe->is_object = true;
  json.object();
  std::string_view name;
  while (json.key(&name)) {
    Probe::Key key{std::string(name), json.peek(), {}};
    bool read = false;
    if (key.kind == JsonKind::kString) {
      std::string_view value;
      read = json.string(&value);
      if (read) key.text = std::string(value.substr(0, 64));
    } else {
      read = json.skip();
    }
    if (key.kind != JsonKind::kInvalid && probe->keys.size() < kMaxKeys) probe->keys.push_back(std::move(key));
    if (!read) break;
  }
  return !json.failed();
}

bool enough(const ByteWindow& window, size_t want) {
  if (window.bytes().size() >= want) return true;
  if (window.source().regular()) return false;
  // A pipe is not waited for once its first line says what it is.
  const std::string_view bytes = window.bytes();
  const size_t start = skip_white(bytes, 0), end = bytes.find('\n', start);
  return end != std::string_view::npos && (bytes.substr(start, 5) == "data:" || is_document(bytes.substr(start, end - start)));
}

// Sets layout, first, keys, whole from what is in memory; `ended`: that is all there is.
void describe(Look* look, std::string_view bytes, bool ended) {
  Probe& probe = look->probe;
  probe.head = bytes.substr(0, kHead);
  probe.keys.clear();
  probe.is_object = false;
  const size_t start = skip_white(bytes, 0);
  look->blank = start == bytes.size();
  if (look->blank) {
    look->whole = ended;
    return;
  }
  const size_t line_end = bytes.find('\n', start);
  const bool has_line = line_end != std::string_view::npos;
  probe.first = bytes.substr(start, has_line ? line_end - start : std::string_view::npos);
  if (bytes[start] == '[') {
    look->layout = Layout::kElements;
    const size_t element = skip_white(bytes, start + 1);
    look->whole = read_keys(bytes.substr(element), &probe) || ended;
    return;
  }
  if (bytes[start] != '{') {
    look->whole = true;
    return;
  }
  if (has_line && !is_document(probe.first) && ends_inside(probe.first)) {
    const size_t next = skip_white(bytes, line_end), next_end = std::min(bytes.find('\n', next), bytes.size());
    if (next < bytes.size() && !is_document(bytes.substr(next, next_end - next))) {
      look->layout = Layout::kDocuments;
      probe.first = bytes.substr(start);
      look->whole = read_keys(probe.first, &probe) || ended;
      return;
    }
  }
  read_keys(probe.first, &probe);
  look->whole = has_line || ended;
}

std::string key_list(const Probe& probe) {
  std::string out;
  constexpr size_t kShown = 12;
  for (size_t i = 0; i < probe.keys.size() && i < kShown; ++i) out += (i ? ", " : "") + quoted(probe.keys[i].name, 40);
  if (probe.keys.size() > kShown) out += ", …";
  return out;
}

// Why a file is of no known format.
std::string describe_unknown(const Look& look, const std::string& fault) {
  if (!fault.empty()) return "the file " + fault + ", and what it holds is of no known format";
  if (look.empty) return "is empty";
  if (look.blank) return "holds only white space";
  if (look.binary) return "is a binary file of no known format; `vaa formats` lists what is read";
  std::string seen = "its first line is no JSON object: " + quoted(look.probe.first.substr(0, 200), 60);
  if (look.probe.is_object) seen = look.probe.keys.empty() ? "its first object has no keys" : "its first object has the keys " + key_list(look.probe);
  return "is of no known format; " + seen + ". `vaa formats` lists what is read; for other JSONL say --text-field and --id-field";
}

// The row of that name that knows the file, else the first of that name.
const Format* named_format(const Look& look, std::string_view name) {
  const Format* first = nullptr;
  std::string known;
  for (const Format* format : format_table()) {
    if (!format->parser) continue;
    if (known.find(format->info.name) == std::string::npos) known += (known.empty() ? "" : ", ") + std::string(format->info.name);
    if (format->info.name != name) continue;
    if (format->recognise(look.probe)) return format;
    if (!first) first = format;
  }
  if (!first) fail(VAA_ERROR_OPTION, "format: " + quoted(name) + " is unknown, allowed are " + known);
  return first;
}

const Format* first_that_knows(const Look& look) {
  for (const Format* format : format_table()) {
    // A line that was not seen whole may lack the key that tells two formats apart; the members of one object are not read as a line.
    if (!look.whole && look.layout == Layout::kLines && format->unit != Unit::kMembers) continue;
    if (format->recognise(look.probe)) return format;
  }
  return nullptr;
}

// A file may begin with broken lines: the first whole document among the lines in memory says what it is.
const Format* by_later_line(Look* look, std::string_view bytes) {
  constexpr int kLines = 100;
  size_t at = skip_white(bytes, 0);
  if (look->layout != Layout::kLines || is_document(look->probe.first)) return nullptr;
  for (int i = 0; i < kLines && at < bytes.size(); ++i) {
    const size_t end = bytes.find('\n', at);
    if (end == std::string_view::npos) return nullptr;
    at = skip_white(bytes, end);
    const std::string_view line = bytes.substr(at, std::min(bytes.find('\n', at), bytes.size()) - at);
    if (line.empty() || line[0] != '{' || !is_document(line)) continue;
    Look later = *look;
    later.probe.keys.clear();
    later.probe.first = line;
    read_keys(line, &later.probe);
    const Format* format = first_that_knows(later);
    if (format && format->unit == Unit::kLines) return format;
  }
  return nullptr;
}

}  // namespace

Look look(ByteWindow* window, const std::string& path, int64_t max_line, bool deep) {
  Look out;
  out.probe.path = path;
  bool ended = false;
  while (!ended && !enough(*window, kHead)) ended = !window->more();
  out.empty = window->bytes().empty();
  if (window->offset() == 0 && window->bytes().substr(0, 3) == "\xEF\xBB\xBF") window->take(3);
  describe(&out, window->bytes(), ended);
  const auto most = static_cast<size_t>(max_line);
  for (size_t want = 4 * kHead; deep && !out.whole && !ended && window->bytes().size() <= most; want *= 4) {
    while (!ended && window->bytes().size() < std::min(want, most + 1)) ended = !window->more();
    describe(&out, window->bytes(), ended);
  }
  const std::string_view head = out.probe.head;
  out.binary = head.find('\0') != std::string_view::npos || head.substr(0, 2) == "\xFF\xFE" || head.substr(0, 2) == "\xFE\xFF";
  return out;
}

Recognised recognise(ByteWindow* window, const std::string& path, const OpenOptions& options) {
  Look seen = look(window, path, options.max_line, false);
  const Format* format = nullptr;
  if (!options.format.empty()) {
    format = named_format(seen, options.format);
    if (seen.empty) format = nullptr;
  } else {
    format = first_that_knows(seen);
    if (!format && !seen.whole) {
      seen = look(window, path, options.max_line, true);
      seen.whole = true;  // all that will be seen of it
      format = first_that_knows(seen);
    }
    if (!format) format = by_later_line(&seen, window->bytes());
    if (!format && !options.text_field.empty() && !seen.empty && !seen.blank && !seen.binary) format = named_format(seen, "jsonl");
  }
  Recognised out{format, seen.layout, {}, {}};
  const std::string& fault = window->source().fault();
  if (!format) out.fault.emplace(VAA_ERROR_FORMAT, path + ": " + describe_unknown(seen, fault));
  else if (!format->parser) out.fault.emplace(VAA_ERROR_UNSUPPORTED, path + ": " + format->refusal + (fault.empty() ? "" : " (the file " + fault + ")"));
  else if (format->header) format->header(seen.probe, &out.header);
  return out;
}

bool Probe::has(std::string_view name) const { return kind(name) != JsonKind::kInvalid; }

JsonKind Probe::kind(std::string_view name) const {
  for (const Key& key : keys)
    if (key.name == name) return key.kind;
  return JsonKind::kInvalid;
}

std::string_view Probe::text(std::string_view name) const {
  for (const Key& key : keys)
    if (key.name == name) return key.text;
  return {};
}

}  // namespace vaa
