// One file as an input: the loop over bytes, lines and units, for every format.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "records/probe.h"
#include "records/source.h"

namespace vaa {

// A pass over one file of a known format. `window` stands at the beginning (behind a byte order mark).
class FileStream final : public SampleStream {
 public:
  // shown: the path for messages and source.file.
  // names: shared by the files of a run (FileContext).
  FileStream(std::unique_ptr<ByteWindow> window, const Format& format, Layout layout, std::string shown, const OpenOptions& options, IdCounts* names = nullptr);
  ~FileStream() override;
  bool next(Sample* sample) override;
  int64_t bytes_done() const override;
  void watch(const Task* task) override { window_->watch(task); }

 private:
  class Units;
  class LineUnits;
  class ValueUnits;
  void take(const UnitView& unit);
  OpenOptions options_;
  FileContext context_;
  std::unique_ptr<ByteWindow> window_;
  std::unique_ptr<Units> units_;
  std::unique_ptr<UnitParser> parser_;
  SampleQueue queue_;
  std::string why_;
  bool ended_ = false;
};

class FileInput final : public Input {
 public:
  // Opens the file and recognises it: nullptr with *fault set where it is of no format that is read. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO, VAA_ERROR_OPTION.
  static std::unique_ptr<FileInput> open_file(std::string path, std::string shown, const OpenOptions& options, std::optional<Failure>* fault);
  FileInput(std::string path, std::string shown, const OpenOptions& options, std::unique_ptr<ByteWindow> window, Recognised found);
  // A pipe can be opened once: the second time is a Failure (VAA_ERROR_IO).
  std::unique_ptr<SampleStream> open() const override;
  std::unique_ptr<SampleStream> open_in_run(IdCounts* names) const;
  int64_t bytes_total() const override { return size_; }
  std::string_view format() const override { return format_->info.name; }

 private:
  std::string path_, shown_;
  OpenOptions options_;
  const Format* format_ = nullptr;
  Layout layout_ = Layout::kLines;
  int64_t size_ = 0;
  bool regular_ = true;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ByteWindow> pipe_;  // the bytes seen so far; handed on to the one stream
};

// A window at the beginning of the file, behind a byte order mark.
std::unique_ptr<ByteWindow> open_window(const std::string& path);
// File name without folder, without .gz or .zst and without extension.
std::string file_stem(std::string_view path);

}  // namespace vaa
