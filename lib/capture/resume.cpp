#include "capture/resume.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/failure.h"
#include "base/json.h"
#include "base/text_hash.h"

namespace vaa::capture {
namespace {

constexpr size_t kChunk = size_t{1} << 20;
constexpr std::string_view kHeaderStart = "{\"schema\": \"vaa.run/";

// What a line is of, as far as this needs it.
struct Line {
  enum class Kind : uint8_t { kOther, kHeader, kRecord } kind = Kind::kOther;
  std::string key;
  int64_t of = 1;
  bool failed = false;
};

void read_ask(JsonReader* json, Line* line) {
  std::string_view key;
  json->object();
  while (json->key(&key)) {
    if (key == "key" && json->peek() == JsonKind::kString) json->string(&line->key);
    else if (key == "of" && json->peek() == JsonKind::kNumber) json->int64(&line->of);
    else json->skip();
  }
}

Line read_line(std::string_view text) {
  Line line;
  std::string_view key, schema;
  JsonReader json(text);
  if (json.peek() != JsonKind::kObject) return line;
  json.object();
  while (json.key(&key)) {
    if (key == "schema" && json.peek() == JsonKind::kString) {
      json.string(&schema);
      if (schema.substr(0, 8) == "vaa.run/") line.kind = Line::Kind::kHeader;
      if (schema.substr(0, 11) == "vaa.record/") line.kind = Line::Kind::kRecord;
    } else if (key == "error") {
      line.failed = json.peek() != JsonKind::kNull;
      json.skip();
    } else if (key == "extra" && json.peek() == JsonKind::kObject) {
      json.object();
      while (json.key(&key)) {
        if (key == "ask" && json.peek() == JsonKind::kObject) read_ask(&json, &line);
        else json.skip();
      }
    } else {
      json.skip();
    }
  }
  if (!json.finish() || (line.kind == Line::Kind::kRecord && line.key.empty())) line.kind = Line::Kind::kOther;
  return line;
}

// Takes the lines in their order.
class Scan {
 public:
  explicit Scan(std::string path) : path_(std::move(path)) {}

  // A whole line at [from, to).
  void line(std::string_view text, int64_t from, int64_t to) {
    ++number_;
    if (!take(read_line(text), text, from, to))
      fail(VAA_ERROR_FORMAT, quoted(path_, 400) + ":" + std::to_string(number_) + ": is no line that vaa wrote here, nothing was changed; force writes the file anew");
  }
  // What stands after the last line feed. Where it is whole, only the line feed was lost; where it is torn, it was our last write.
  void tail(std::string_view text, int64_t from) {
    if (text.empty()) return;
    ++number_;
    if (take(read_line(text), text, from, from + static_cast<int64_t>(text.size()) + 1)) {
      out_.open_line = true;
    } else if (number_ == 1 && text.substr(0, kHeaderStart.size()) != kHeaderStart.substr(0, text.size())) {
      fail(VAA_ERROR_FORMAT, quoted(path_, 400) + ": is no file of answers that vaa wrote, nothing was changed; force writes it anew");
    }
  }
  Resumed finish() {
    // Of an answer with several samples some lines may be missing: it is not there.
    if (count_ > 0 && count_ < of_) {
      out_.end = group_from_;
      out_.open_line = false;
    } else {
      close_group();
    }
    return std::move(out_);
  }

 private:
  bool take(const Line& line, std::string_view text, int64_t from, int64_t to) {
    if (line.kind == Line::Kind::kOther || (number_ == 1) != (line.kind == Line::Kind::kHeader && out_.header.empty())) return false;
    if (line.kind == Line::Kind::kHeader) {
      close_group();
      if (number_ == 1) out_.header = text;
    } else if (count_ > 0 && count_ < of_ && line.key == key_) {
      ++count_;
      group_to_ = to;
    } else {
      close_group();
      key_ = line.key;
      of_ = line.of;
      failed_ = line.failed;
      count_ = 1;
      group_from_ = from;
      group_to_ = to;
    }
    out_.end = to;
    return true;
  }
  void close_group() {
    if (count_ == 0) return;
    if (!failed_ && count_ >= of_) {
      out_.keys.insert(key_digest(key_));
    } else {
      out_.failed.emplace_back(group_from_, group_to_);
      ++out_.failed_answers;
    }
    count_ = 0;
  }

  std::string path_;
  Resumed out_;
  int64_t number_ = 0;
  // The answer whose lines are being read.
  std::string key_;
  int64_t of_ = 1, count_ = 0, group_from_ = 0, group_to_ = 0;
  bool failed_ = false;
};

}  // namespace

KeyDigest key_digest(std::string_view key) { return {hash_bytes(0x6b65792d6c6f77, key), hash_bytes(0x6b65792d68696768, key)}; }

Resumed read_resumed(int fd, const std::string& path, const vaa_task* task) {
  Scan scan(path);
  std::string buffer;
  int64_t at = 0;  // of the buffer's first byte
  for (int64_t offset = 0;;) {
    if (vaa_task_cancelled(task)) fail(VAA_ERROR_CANCELLED, "cancelled");
    const size_t kept = buffer.size();
    buffer.resize(kept + kChunk);
    const ssize_t n = ::pread(fd, buffer.data() + kept, kChunk, offset);
    if (n < 0 && errno != EINTR) fail(VAA_ERROR_IO, quoted(path, 400) + ": cannot read: " + std::strerror(errno));
    buffer.resize(kept + static_cast<size_t>(n < 0 ? 0 : n));
    if (n == 0) break;
    if (n < 0) continue;
    offset += n;
    size_t begin = 0;
    for (size_t feed = buffer.find('\n', kept); feed != buffer.npos; feed = buffer.find('\n', begin)) {
      scan.line(std::string_view(buffer).substr(begin, feed - begin), at + static_cast<int64_t>(begin), at + static_cast<int64_t>(feed) + 1);
      begin = feed + 1;
    }
    buffer.erase(0, begin);
    at += static_cast<int64_t>(begin);
  }
  scan.tail(buffer, at);
  return scan.finish();
}

}  // namespace vaa::capture
