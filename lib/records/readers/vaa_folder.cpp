// A folder with run.json (vaa.run/1) and the records of that run beside it, *.jsonl.
#include <sys/stat.h>

#include "records/file_input.h"
#include "records/folder_input.h"
#include "records/run_header.h"

namespace vaa {

extern const Format kVaa;

namespace {

class VaaRun final : public Input {
 public:
  VaaRun(std::string folder, const OpenOptions& options, RunHeader header) : folder_(std::move(folder)), options_(options) {
    header_ = std::move(header);
    for (const FolderEntry& entry : list_folder(folder_)) {
      const std::string path = join_path(folder_, entry.name);
      struct stat info {};
      if (entry.folder || entry.name.find(".jsonl") == std::string::npos || !is_file(path) || ::stat(path.c_str(), &info) != 0) continue;
      files_.push_back(entry.name);
      bytes_ += info.st_size;
    }
  }
  std::unique_ptr<SampleStream> open() const override;
  int64_t bytes_total() const override { return bytes_; }
  std::string_view format() const override { return "vaa"; }
  const std::string& folder() const { return folder_; }
  const OpenOptions& options() const { return options_; }
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string folder_;
  OpenOptions options_;
  std::vector<std::string> files_;
  int64_t bytes_ = 0;
};

class VaaRunStream final : public SampleStream {
 public:
  explicit VaaRunStream(const VaaRun& run) : run_(run) {}
  int64_t bytes_done() const override { return done_ + (file_ ? file_->bytes_done() : 0); }
  bool next(Sample* sample) override {
    for (;;) {
      if (file_) {
        const bool more = file_->next(sample);
        problems_.take_new(&file_->problems(), &taken_);
        if (more && run_.files().size() > 1) name_by_file(sample);
        if (more) return true;
        done_ += file_->bytes_done();
        file_.reset();
      }
      if (next_ == run_.files().size()) return false;
      const std::string& name = run_.files()[next_++];
      taken_ = 0;
      file_ = std::make_unique<FileStream>(open_window(join_path(run_.folder(), name)), kVaa, Layout::kLines, name, run_.options());
    }
  }

 private:
  const VaaRun& run_;
  std::unique_ptr<SampleStream> file_;
  size_t next_ = 0;
  int64_t done_ = 0, taken_ = 0;
};

std::unique_ptr<SampleStream> VaaRun::open() const { return std::make_unique<VaaRunStream>(*this); }

std::unique_ptr<Input> open_run(const std::string& folder, const OpenOptions& options) {
  constexpr size_t kMaxHeader = size_t{16} << 20;
  const std::string path = join_path(folder, "run.json");
  if (!is_file(path)) return nullptr;
  const std::unique_ptr<ByteWindow> window = open_window(path);
  while (window->bytes().size() < kMaxHeader && window->more()) {
  }
  if (window->bytes().find("vaa.run/") == std::string_view::npos) return nullptr;
  auto run = std::make_unique<VaaRun>(folder, options, read_run_header(window->bytes()));
  if (run->files().empty()) return nullptr;
  return run;
}

}  // namespace

extern const FolderFormat kVaaFolder;
const FolderFormat kVaaFolder = {"vaa", open_run};

}  // namespace vaa
