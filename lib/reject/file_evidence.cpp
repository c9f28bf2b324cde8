#include "reject/file_evidence.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/options.h"
#include "records/lines.h"
#include "records/readers/prometheus.h"
#include "reject/civil_time.h"
#include "reject/page_cutter.h"
#include "reject/steps/step_dump.h"

namespace vaa {
namespace {

constexpr size_t kHead = size_t{256} << 10;
constexpr size_t kMostFiles = 100'000;
constexpr int kMostDepth = 16;
constexpr int64_t kMaxPageLine = int64_t{16} << 20;

enum class Kind : uint8_t { kPages, kLog, kRecords, kSteps };

constexpr OptionSpec kOptions[] = {
    {"time_s", OptionSpec::Type::kReal, 0, 1e12, "", "", "when a metrics page was scraped, Unix time"},
    {"server", OptionSpec::Type::kText, 1, 256, "", "", "name of the server that the file is of"},
    {"speculation", OptionSpec::Type::kChoice, 0, 0, "on|off", "", "of records whose requests do not record it"},
    {"format", OptionSpec::Type::kText, 1, 64, "", "", "of records, instead of finding it by content"},
};

std::string_view stem(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.substr(path.find_last_of('/') + 1);
}

// "node1" of logs/node1.log.2.gz.
std::string server_of_name(std::string_view path) {
  const std::string_view name = stem(path);
  return std::string(name.substr(0, std::max<size_t>(1, name.find('.'))));
}

std::string server_of_folder(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? "" : std::string(stem(path.substr(0, std::max<size_t>(1, slash))));
}

// At least half of its first lines are metrics.
bool is_page(std::string_view head) {
  const size_t end = head.rfind('\n');
  head = head.substr(0, std::min<size_t>(end == std::string_view::npos ? head.size() : end, size_t{64} << 10));
  PrometheusText text(head);
  Metric metric;
  int64_t metrics = 0;
  while (text.next(&metric)) ++metrics;
  return metrics > 0 && metrics >= text.bad_lines();
}

Kind kind_of(std::string_view head) {
  if (is_step_dump(head)) return Kind::kSteps;
  const size_t first = std::min(head.find_first_not_of(" \t\r\n\xef\xbb\xbf"), head.size());
  const bool json = first < head.size() && (head[first] == '{' || head[first] == '[');
  if (json || head.substr(first, 5) == "data:" || head.substr(first, 6) == "event:") return Kind::kRecords;
  return is_page(head) ? Kind::kPages : Kind::kLog;
}

// Hands the text on in pieces while a task may cancel.
template <class Take>
void stream(ByteWindow* window, Task* task, Take take) {
  int64_t before = window->source().done();
  do {
    if (task) {
      task->check();
      task->done += window->source().done() - before;
      before = window->source().done();
    }
    take(window->bytes());
    window->take(window->bytes().size());
  } while (window->more());
}

void push_log(RejectAudit* audit, ByteWindow* window, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  const std::string server = options.server.empty() ? server_of_name(path) : options.server;
  const int64_t before = audit->log().readings();
  stream(window, task, [&](std::string_view bytes) { audit->log().push(server, bytes, false); });
  audit->log().push(server, "", true);
  if (audit->log().readings() == before) fail(VAA_ERROR_FORMAT, path + ": is no metrics page, no log with a line about speculation (\"SpecDecoding metrics:\", \"accept len:\" …) and no record of answers");
}

double modified(const std::string& path) {
  struct stat about;
  return ::stat(path.c_str(), &about) == 0 ? static_cast<double>(about.st_mtime) : std::nan("");
}

void push_pages(RejectAudit* audit, ByteWindow* window, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  LineReader lines(window, kMaxPageLine);
  PageCutter cutter;
  Line line;
  CutPage page, first;
  int64_t pages = 0;
  const auto push = [&](const CutPage& of, double time_s, const std::string& server) { audit->scrapes().push(options.server.empty() ? server : options.server, of.text, time_s); };
  const auto take = [&] {
    if (task) task->check();
    if (++pages == 1) std::swap(first, page);
    if (pages == 2) push(first, first.time_s, server_of_name(path));
    if (pages >= 2) push(page, page.time_s, server_of_name(path));
  };
  while (lines.next(&line))
    if (!line.too_long && cutter.line(line.bytes, &page)) take();
  if (cutter.end(&page)) take();
  if (pages == 0) fail(VAA_ERROR_FORMAT, path + ": no line of it is a metric");
  if (pages > 1) return;
  // A page alone: one of a folder of scrapes of a server.
  double time_s = options.time_s;
  if (std::isnan(time_s)) time_s = first.time_s;
  if (std::isnan(time_s)) time_s = time_in_name(stem(path));
  if (std::isnan(time_s)) time_s = modified(path);
  push(first, time_s, server_of_folder(path));
}

void push_records(RejectAudit* audit, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  const std::unique_ptr<const Input> input = open_input(path, options.open);
  const std::unique_ptr<SampleStream> samples = input->open();
  Sample sample;
  if (task) samples->watch(task);
  while (samples->next(&sample)) {
    if (task) {
      task->check();
      ++task->samples;
    }
    audit->samples().push(sample, options.speculation);
  }
  audit->samples().count_bad_lines(samples->problems().count);
}

void push_one(RejectAudit* audit, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  ByteWindow window(std::make_unique<Source>(path));
  if (task) window.watch(task);
  while (window.bytes().size() < kHead && window.more()) {
  }
  const Kind kind = kind_of(window.bytes());
  if (kind == Kind::kSteps) {
    if (!audit->steps().begin_file(window.bytes().substr(0, kHead))) return;
    return read_step_dump(&window, path, options.server, &audit->steps(), task);
  }
  if (kind == Kind::kPages) return push_pages(audit, &window, path, options, task);
  if (kind == Kind::kLog) return push_log(audit, &window, path, options, task);
  try {
    push_records(audit, path, options, task);
  } catch (const Failure& failure) {
    size_t at = 0;
    if (failure.status() != VAA_ERROR_FORMAT && failure.status() != VAA_ERROR_UNSUPPORTED) throw;
    if (!wording_of(window.bytes(), &at)) throw;  // lines of JSON can be a log, too
    push_log(audit, &window, path, options, task);
  }
}

// Of a folder and those in it; hidden ones are passed over.
std::vector<std::string> files_under(const std::string& path, Task* task) {
  std::vector<std::string> files;
  std::error_code fault, of_file;
  for (std::filesystem::recursive_directory_iterator at(path, std::filesystem::directory_options::skip_permission_denied, fault), end; !fault && at != end; at.increment(fault)) {
    if (task) task->check();
    const std::string name = at->path().filename().string();
    const bool hidden = name.empty() || name[0] == '.';
    if (hidden || at.depth() >= kMostDepth) at.disable_recursion_pending();
    if (hidden || !at->is_regular_file(of_file)) continue;
    if (files.size() == kMostFiles) fail(VAA_ERROR_CAPACITY, path + ": holds more than " + std::to_string(kMostFiles) + " files");
    files.push_back(at->path().string());
  }
  return files;
}

void push_folder(RejectAudit* audit, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  try {
    return push_records(audit, path, options, task);
  } catch (const Failure& failure) {
    if (failure.status() != VAA_ERROR_FORMAT && failure.status() != VAA_ERROR_UNSUPPORTED && failure.status() != VAA_ERROR_NOT_FOUND) throw;
  }
  std::vector<std::string> files = files_under(path, task);
  std::sort(files.begin(), files.end());
  size_t taken = 0;
  std::string why;
  for (const std::string& file : files) {
    try {
      push_one(audit, file, options, task);
      ++taken;
    } catch (const Failure& failure) {
      if (failure.status() != VAA_ERROR_FORMAT && failure.status() != VAA_ERROR_UNSUPPORTED) throw;
      if (why.empty()) why = failure.message();
      audit->scrapes().count_failed();
    }
  }
  if (taken == 0) fail(VAA_ERROR_FORMAT, path + ": no file of it is a metrics page, a log about speculation or a record of answers" + (why.empty() ? "" : "; the first: " + why));
}

}  // namespace

FileEvidenceOptions file_evidence_options(std::string_view json) {
  const Options given(json, kOptions, "vaa_audit_push_file");
  FileEvidenceOptions out;
  if (given.has("time_s")) out.time_s = given.real("time_s");
  if (given.has("server")) out.server = given.text("server");
  if (given.has("speculation")) out.speculation = given.text("speculation") == "on" ? Speculation::kOn : Speculation::kOff;
  if (given.has("format")) out.open.format = given.text("format");
  return out;
}

void push_file(RejectAudit* audit, const std::string& path, const FileEvidenceOptions& options, Task* task) {
  std::error_code fault;
  std::filesystem::is_directory(path, fault) ? push_folder(audit, path, options, task) : push_one(audit, path, options, task);
}

}  // namespace vaa
