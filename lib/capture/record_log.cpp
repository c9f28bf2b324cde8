#include "capture/record_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/write_file.h"
#include "capture/resume.h"
#include "capture/transport.h"

namespace vaa::capture {
namespace {

constexpr double kSyncS = 1;

std::string why(int code) {
  char text[128];
  return strerror_r(code, text, sizeof text);  // the GNU form returns the text
}

// JSON as a line: outside of its texts, where line feeds are escaped, a line feed is a blank.
void append_line(std::string* buffer, std::string_view json) {
  const size_t from = buffer->size();
  buffer->append(json);
  std::replace_if(buffer->begin() + static_cast<ptrdiff_t>(from), buffer->end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  buffer->push_back('\n');
}

// The file behind links, so that what replaces it is not put in place of a link.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

struct RecordLog::State {
  std::string path;      // as given, for messages
  int fd = -1;
  bool regular = false, created = false, unsynced = false;
  bool stale = false;    // what it holds goes with the first write, so that a run that cannot begin takes nothing away
  int64_t size = 0;      // of a regular file: bytes of whole answers
  double synced_s = 0;
  Resumed resumed;
  std::string buffer;

  ~State() {
    if (fd < 0) return;
    if (regular && unsynced) ::fdatasync(fd);
    if (created && size == 0) ::unlink(behind_links(path).c_str());
    ::close(fd);
  }
  [[noreturn]] void broken(const std::string& doing) const { fail(VAA_ERROR_IO, quoted(path, 400) + ": cannot " + doing + ": " + why(errno)); }
  void open_file();
  void lock();
  void resume(const vaa_task* task);
  void take_out_failed();
  void write(std::string_view bytes);
  void sync();
};

void RecordLog::State::open_file() {
  if (path.find('\0') != path.npos) fail(VAA_ERROR_ARGUMENT, quoted(path, 400) + ": a path cannot hold NUL");
  struct stat info {};
  created = ::stat(path.c_str(), &info) != 0;
  if (!created && S_ISDIR(info.st_mode)) fail(VAA_ERROR_IO, quoted(path, 400) + ": cannot write: it is a folder");
  regular = created || S_ISREG(info.st_mode);
  // What is no plain file may not be read from, and a pipe would wait for a second reader.
  fd = ::open(path.c_str(), regular ? O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC : O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) broken("write");
  if (!regular) return;
  lock();
  if (::fstat(fd, &info) != 0) broken("write");
  size = info.st_size;
}

// One process a file: two that append would each take the other's lines for its own. Where locks are not known (some network file systems) there is none.
void RecordLog::State::lock() {
  struct stat here {}, there {};
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  const bool moved = ::fstat(fd, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_ino != there.st_ino;
  if ((!locked && errno == EWOULDBLOCK) || moved) {
    created = false;
    fail(VAA_ERROR_IO, quoted(path, 400) + ": another process is writing to it");
  }
}

void RecordLog::State::resume(const vaa_task* task) {
  resumed = read_resumed(fd, path, task);
  if (resumed.open_line) write("\n");
  else if (resumed.end < size && ::ftruncate(fd, resumed.end) != 0) broken("cut off a torn line");
  size = resumed.end;
  if (!resumed.failed.empty()) take_out_failed();
}

// The file without the answers that failed, written beside it and put in its place.
void RecordLog::State::take_out_failed() {
  AtomicFile whole(behind_links(path));
  std::string piece(size_t{1} << 18, '\0');
  const auto copy = [&](int64_t from, int64_t to) {
    while (from < to) {
      const ssize_t n = ::pread(fd, piece.data(), std::min<size_t>(piece.size(), static_cast<size_t>(to - from)), from);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) broken("read");
      whole.write(std::string_view(piece).substr(0, static_cast<size_t>(n)));
      from += n;
    }
  };
  int64_t at = 0;
  for (const auto& [from, to] : resumed.failed) {
    copy(at, from);
    at = to;
  }
  copy(at, size);
  whole.commit();
  const int before = fd;
  fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (fd < 0) {
    fd = before;
    broken("write");
  }
  lock();
  ::close(before);
  struct stat info {};
  if (::fstat(fd, &info) != 0) broken("write");
  size = info.st_size;
}

void RecordLog::State::write(std::string_view bytes) {
  if (stale && ::ftruncate(fd, 0) != 0) broken("write");
  stale = false;
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      const int code = errno;
      // A file that is full keeps its whole answers; what was begun of this one goes.
      if (regular) (void)!::ftruncate(fd, size);
      errno = code;
      broken("write");
    }
  }
  size += static_cast<int64_t>(bytes.size());
  unsynced = true;
}

void RecordLog::State::sync() {
  if (regular && unsynced && ::fdatasync(fd) != 0 && errno != EINVAL) broken("write");
  unsynced = false;
  synced_s = steady_s();
}

void keep_apart(const std::string& input, const std::string& out_path) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path in = fs::weakly_canonical(input, unknown), out = fs::weakly_canonical(out_path, unknown);
  const bool within = !in.empty() && std::mismatch(in.begin(), in.end(), out.begin(), out.end()).first == in.end();
  if (!within && !fs::equivalent(in, out, unknown)) return;
  fail(VAA_ERROR_ARGUMENT, quoted(out_path, 400) + (in == out || !within ? ": is what is read; answers are written to another file" : ": lies in the folder that is read; answers are written outside of it"));
}

RecordLog::RecordLog(std::string path, Existing existing, const vaa_task* task) : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  state_->open_file();
  if (!state_->regular || state_->size == 0) return;
  switch (existing) {
    case Existing::kRefuse:
      fail(VAA_ERROR_ARGUMENT, quoted(state_->path, 400) + ": exists and is left as it is; resume goes on with it, force writes it anew");
    case Existing::kResume:
      state_->resume(task);
      break;
    case Existing::kForce:
      state_->stale = true;
      state_->size = 0;
  }
}

RecordLog::~RecordLog() = default;

bool RecordLog::has(std::string_view key) const { return state_->resumed.keys.count(key_digest(key)) > 0; }
int64_t RecordLog::resumed() const { return static_cast<int64_t>(state_->resumed.keys.size()); }
int64_t RecordLog::taken_out() const { return state_->resumed.failed_answers; }
const std::string& RecordLog::header() const { return state_->resumed.header; }

void RecordLog::write_header(std::string_view run_json) {
  state_->buffer.clear();
  append_line(&state_->buffer, run_json);
  state_->write(state_->buffer);
  state_->sync();
}

void RecordLog::append(const std::vector<OwnedSample>& samples) {
  state_->buffer.clear();
  for (const OwnedSample& sample : samples) {
    vaa_text* text = nullptr;
    must([&](vaa_error** err) { return vaa_sample_to_json(sample.get(), &text, err); });
    const OwnedText owned(text);
    append_line(&state_->buffer, view(vaa_text_str(text)));
  }
  state_->write(state_->buffer);
  sync_if_due();
}

void RecordLog::sync_if_due() {
  if (state_->unsynced && steady_s() - state_->synced_s >= kSyncS) state_->sync();
}

void RecordLog::flush() { state_->sync(); }

}  // namespace vaa::capture
