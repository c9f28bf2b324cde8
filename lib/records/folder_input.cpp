#include "records/folder_input.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/failure.h"
#include "records/file_input.h"
#include "records/run_header.h"

namespace vaa {
namespace {

constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxFiles = 1000000;

std::unique_ptr<Input> open_run(const std::string& folder, const OpenOptions& options) {
  for (const FolderFormat* row : folder_table())
    if (auto input = row->open(folder, options)) return input;
  return nullptr;
}

bool is_link(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// A file or run in a folder that is no run itself.
struct Item {
  std::string path;  // relative
  bool run = false;
};

// The inputs of a folder, one after another; each is opened when it is reached.
class MixedInput final : public Input {
 public:
  MixedInput(std::string folder, const OpenOptions& options) : folder_(std::move(folder)), options_(options) {
    walk("", 0);
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.path < b.path; });
    choose();
  }
  std::unique_ptr<SampleStream> open() const override;
  int64_t bytes_total() const override { return bytes_; }
  std::string_view format() const override { return format_; }

  // nullptr with *why set: it cannot be read.
  std::unique_ptr<Input> open_item(const Item& item, std::string* why) const {
    const std::string path = join_path(folder_, item.path);
    if (item.run) return open_run(path, options_);
    if (::access(path.c_str(), R_OK) != 0) {
      *why = std::string("cannot open: ") + std::strerror(errno);
      return nullptr;
    }
    std::optional<Failure> fault;
    auto input = FileInput::open_file(path, item.path, options_, &fault);
    if (!input) *why = starts_with(fault->message(), path + ": ") ? fault->message().substr(path.size() + 2) : fault->message();
    return input;
  }
  const std::vector<Item>& items() const { return items_; }

 private:
  void walk(const std::string& below, size_t depth);
  void choose();
  std::string folder_;
  OpenOptions options_;
  std::vector<Item> items_;
  std::string format_;
  int64_t bytes_ = 0;
};

void MixedInput::walk(const std::string& below, size_t depth) {
  if (depth > kMaxDepth) {
    problems_.add(below, 0, "the folder is nested too deep and is left out");
    return;
  }
  for (const FolderEntry& entry : list_folder(join_path(folder_, below))) {
    const std::string relative = join_path(below, entry.name);
    if (items_.size() >= kMaxFiles) fail(VAA_ERROR_CAPACITY, folder_ + ": holds more than " + std::to_string(kMaxFiles) + " files");
    if (!entry.folder) {
      if (is_file(join_path(folder_, relative))) items_.push_back({relative, false});
      continue;
    }
    if (is_link(join_path(folder_, relative))) {
      problems_.add(relative, 0, "left out: is a link to a folder");
      continue;
    }
    if (entry.name == "tmp") {  // what AISBench leaves behind there are the same lines once more
      problems_.add(relative, 0, "left out: temporary files");
      continue;
    }
    if (!can_list(join_path(folder_, relative))) {
      problems_.add(relative, 0, std::string("left out: cannot open: ") + std::strerror(errno));
      continue;
    }
    const std::unique_ptr<Input> run = options_.format.empty() ? open_run(join_path(folder_, relative), options_) : nullptr;
    if (run) items_.push_back({relative, true});
    else walk(relative, depth + 1);
  }
}

// Keeps what can be read; the rest is said.
void MixedInput::choose() {
  std::vector<Item> kept;
  size_t runs = 0;
  for (Item& item : items_) {
    std::string why;
    const std::unique_ptr<Input> input = open_item(item, &why);
    if (!input) {
      problems_.add(item.path, 0, "left out: " + why);
      continue;
    }
    if (format_.empty()) {
      format_ = input->format();
    } else if (format_ != input->format()) {
      problems_.note("the folder holds files of several formats, each is read by its own: " + format_ + ", " + std::string(input->format()));
    }
    if (kept.empty()) header_ = input->header();
    bytes_ += input->bytes_total();
    runs += item.run;
    kept.push_back(std::move(item));
  }
  if (kept.empty()) {
    std::string message = folder_ + ": no run and no file of a known format; looked for a run of AISBench (predictions/ and configs/), lm-eval (results_*.json and samples_*.jsonl), ";
    message += "evalscope (predictions/ and reviews/) or vaa (run.json and *.jsonl), and for single files (`vaa formats` lists them)";
    if (items_.empty()) message += "; the folder is empty";
    else if (!problems_.first.empty()) message += "; " + problems_.first[0].file + " was " + problems_.first[0].message;
    fail(VAA_ERROR_FORMAT, message);
  }
  if (kept.size() > 1) {
    header_ = RunHeader{empty_header(), {}, {}};
    if (runs > 1) problems_.note("the folder holds " + std::to_string(runs) + " runs, read one after another; give one of them to read it alone");
  }
  items_ = std::move(kept);
}

class MixedStream final : public SampleStream {
 public:
  explicit MixedStream(const MixedInput& input) : input_(input) {}
  bool next(Sample* sample) override {
    for (;;) {
      if (stream_) {
        const bool more = stream_->next(sample);
        take(&stream_->problems(), &taken_);
        if (more) {
          const std::string_view format = sample->text(TextField::kSourceFormat);
          if (input_.items().size() > 1 && (format == "vaa" || format == "jsonl")) name_by_file(sample);
          if (prefix_) sample->set(TextField::kSourceFile, join_path(*prefix_, sample->text(TextField::kSourceFile)));
          return true;
        }
        done_ += stream_->bytes_done();
        stream_.reset();
      }
      if (at_ == input_.items().size()) {
        sample->clear();
        return false;
      }
      open(input_.items()[at_++]);
    }
  }
  int64_t bytes_done() const override { return done_ + (stream_ ? stream_->bytes_done() : 0); }

 private:
  void open(const Item& item) {
    prefix_ = item.run ? &item.path : nullptr;
    std::string why;
    opened_ = input_.open_item(item, &why);
    if (!opened_) return problems_.add(item.path, 0, why);
    Problems met = opened_->problems();
    taken_ = 0;
    take(&met, &taken_);
    stream_ = opened_->open();
    taken_ = 0;
  }
  // What the input at hand met since the last call; a run names its files from its own folder.
  void take(Problems* from, int64_t* taken) {
    if (from->count == *taken && from->notes.empty()) return;
    if (prefix_)
      for (size_t i = static_cast<size_t>(std::min<int64_t>(*taken, static_cast<int64_t>(from->first.size()))); i < from->first.size(); ++i)
        from->first[i].file = join_path(*prefix_, from->first[i].file);
    problems_.take_new(from, taken);
  }
  const MixedInput& input_;
  std::unique_ptr<Input> opened_;
  std::unique_ptr<SampleStream> stream_;
  const std::string* prefix_ = nullptr;
  size_t at_ = 0;
  int64_t taken_ = 0, done_ = 0;
};

std::unique_ptr<SampleStream> MixedInput::open() const { return std::make_unique<MixedStream>(*this); }

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), ::closedir);
  if (!dir) fail(errno == ENOENT ? VAA_ERROR_NOT_FOUND : VAA_ERROR_IO, folder + ": cannot open: " + std::strerror(errno));
  std::vector<FolderEntry> out;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    out.push_back({name, is_folder(join_path(folder, name))});
    if (out.size() > kMaxFiles) fail(VAA_ERROR_CAPACITY, folder + ": holds more than " + std::to_string(kMaxFiles) + " files");
  }
  std::sort(out.begin(), out.end(), [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return out;
}

void name_by_file(Sample* sample) {
  if (!sample->has(TextField::kDataset)) sample->set(TextField::kDataset, file_stem(sample->text(TextField::kSourceFile)));
}

bool is_folder(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool can_list(const std::string& folder) { return ::access(folder.c_str(), R_OK | X_OK) == 0; }

std::string join_path(const std::string& folder, std::string_view name) {
  if (folder.empty() || name.empty()) return folder + std::string(name);
  return folder.back() == '/' ? folder + std::string(name) : folder + "/" + std::string(name);
}

bool ends_with(std::string_view text, std::string_view end) { return text.size() >= end.size() && text.substr(text.size() - end.size()) == end; }
bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::unique_ptr<const Input> open_folder(const std::string& folder, const OpenOptions& options) {
  if (options.format.empty())
    if (auto run = open_run(folder, options)) return run;
  return std::make_unique<MixedInput>(folder, options);
}

}  // namespace vaa
