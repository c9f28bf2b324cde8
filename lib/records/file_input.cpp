#include "records/file_input.h"

#include "base/failure.h"
#include "records/lines.h"
#include "records/run_header.h"
#include "records/values.h"

namespace vaa {

// What the file is cut into, one unit at a time.
class FileStream::Units {
 public:
  virtual ~Units() = default;
  // False: the end. unit->bytes of a unit that is too long is left out: *why says so.
  virtual bool next(UnitView* unit, std::string* why) = 0;
  virtual int64_t line() const = 0;
  virtual std::string fault() const { return {}; }
};

namespace {
std::string too_long(const char* what, int64_t max_line) {
  return std::string(what) + " is longer than max_line, " + std::to_string(max_line) + " bytes, and is left out";
}
}  // namespace

class FileStream::LineUnits final : public Units {
 public:
  LineUnits(ByteWindow* window, const OpenOptions& options, bool events)
      : lines_(window, options.max_line, events), max_line_(options.max_line), events_(events) {}
  bool next(UnitView* unit, std::string* why) override {
    Line line;
    while (lines_.next(&line)) {
      if (!events_ && !line.too_long && line.bytes.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      *unit = UnitView{line.bytes, {}, line.number};
      if (line.too_long) *why = too_long("the line", max_line_);
      return true;
    }
    return false;
  }
  int64_t line() const override { return lines_.count(); }

 private:
  LineReader lines_;
  int64_t max_line_;
  bool events_;
};

class FileStream::ValueUnits final : public Units {
 public:
  ValueUnits(ByteWindow* window, const OpenOptions& options, ValueReader::Mode mode) : values_(window, mode, options.max_line), max_line_(options.max_line), mode_(mode) {}
  bool next(UnitView* unit, std::string* why) override {
    JsonPiece piece;
    if (!values_.next(&piece)) return false;
    *unit = UnitView{piece.bytes, piece.key, mode_ == ValueReader::Mode::kDocuments ? piece.line : piece.number};
    if (piece.too_long) *why = too_long("the value", max_line_);
    return true;
  }
  int64_t line() const override { return values_.line(); }
  std::string fault() const override { return values_.fault(); }

 private:
  ValueReader values_;
  int64_t max_line_;
  ValueReader::Mode mode_;
};

FileStream::FileStream(std::unique_ptr<ByteWindow> window, const Format& format, Layout layout, std::string shown, const OpenOptions& options, IdCounts* names)
    : options_(options), window_(std::move(window)) {
  context_.stem = file_stem(shown);
  if (window_->source().regular()) context_.disk_path = window_->source().path();
  context_.path = std::move(shown);
  context_.options = &options_;
  context_.names = names;
  context_.problems = &problems_;
  if (format.unit == Unit::kMembers) {
    units_ = std::make_unique<ValueUnits>(window_.get(), options_, ValueReader::Mode::kMembers);
  } else if (format.unit == Unit::kEvents || layout == Layout::kLines) {
    units_ = std::make_unique<LineUnits>(window_.get(), options_, format.unit == Unit::kEvents);
  } else {
    units_ = std::make_unique<ValueUnits>(window_.get(), options_, layout == Layout::kElements ? ValueReader::Mode::kElements : ValueReader::Mode::kDocuments);
  }
  parser_ = format.parser(context_);
}

FileStream::~FileStream() = default;

int64_t FileStream::bytes_done() const { return window_->source().done(); }

void FileStream::take(const UnitView& unit) {
  const size_t before = queue_.size();
  if (why_.empty() && parser_->parse(unit, &queue_, &why_)) return;
  while (queue_.size() > before) queue_.drop_last();
  problems_.add(context_.path, unit.number, why_);
}

bool FileStream::next(Sample* sample) {
  while (!queue_.pop(sample)) {
    if (ended_) {
      sample->clear();
      return false;
    }
    UnitView unit;
    why_.clear();
    if (units_->next(&unit, &why_)) {
      take(unit);
      continue;
    }
    ended_ = true;
    parser_->finish(&queue_);
    const std::string& cut = window_->source().fault();
    const std::string fault = cut.empty() ? units_->fault() : cut;
    if (!fault.empty()) problems_.add(context_.path, units_->line(), "the file " + fault);
  }
  return true;
}

std::unique_ptr<ByteWindow> open_window(const std::string& path) {
  auto window = std::make_unique<ByteWindow>(std::make_unique<Source>(path));
  while (window->bytes().size() < 3 && window->more()) {
  }
  if (window->bytes().substr(0, 3) == "\xEF\xBB\xBF") window->take(3);
  return window;
}

std::unique_ptr<FileInput> FileInput::open_file(std::string path, std::string shown, const OpenOptions& options, std::optional<Failure>* fault) {
  auto window = std::make_unique<ByteWindow>(std::make_unique<Source>(path));
  Recognised found = recognise(window.get(), path, options);
  if (found.fault) {
    *fault = std::move(found.fault);
    return nullptr;
  }
  return std::make_unique<FileInput>(std::move(path), std::move(shown), options, std::move(window), std::move(found));
}

FileInput::FileInput(std::string path, std::string shown, const OpenOptions& options, std::unique_ptr<ByteWindow> window, Recognised found)
    : path_(std::move(path)), shown_(std::move(shown)), options_(options), format_(found.format), layout_(found.layout) {
  size_ = window->source().size();
  regular_ = window->source().regular();
  header_ = std::move(found.header);
  if (header_.json.empty()) header_.json = empty_header();
  if (!regular_) pipe_ = std::move(window);
}

std::unique_ptr<SampleStream> FileInput::open() const { return open_in_run(nullptr); }

std::unique_ptr<SampleStream> FileInput::open_in_run(IdCounts* names) const {
  std::unique_ptr<ByteWindow> window;
  if (regular_) {
    window = open_window(path_);
  } else {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!pipe_) fail(VAA_ERROR_IO, path_ + ": is a pipe, which can be read only once");
    window = std::move(pipe_);
  }
  return std::make_unique<FileStream>(std::move(window), *format_, layout_, shown_, options_, names);
}

std::string file_stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view packed : {".gz", ".zst"})
    if (path.size() > packed.size() && path.substr(path.size() - packed.size()) == packed) path.remove_suffix(packed.size());
  const size_t dot = path.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? path : path.substr(0, dot));
}

}  // namespace vaa
