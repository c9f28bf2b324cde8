// What the tests of readers share: reading an input whole, files that are made for one test.
#ifndef VAA_TESTS_READING_H
#define VAA_TESTS_READING_H
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/failure.h"
#include "records/reader.h"

namespace reading {

struct Read {
  std::string format;
  std::vector<vaa::Sample> samples;
  vaa::Problems problems;  // of the pass
  vaa::Problems opening;
  vaa::RunHeader header;
};

inline Read read_all(const std::string& path, const vaa::OpenOptions& options = {}) {
  const auto input = vaa::open_input(path, options);
  Read out;
  out.format = std::string(input->format());
  out.opening = input->problems();
  out.header = input->header();
  const auto stream = input->open();
  vaa::Sample sample;
  while (stream->next(&sample)) {
    out.samples.emplace_back();
    out.samples.back().swap(sample);
    sample.clear();
  }
  out.problems = stream->problems();
  return out;
}

// The status and message that opening fails with; 0 where it does not.
inline vaa_status open_status(const std::string& path, std::string* message = nullptr, const vaa::OpenOptions& options = {}) {
  try {
    vaa::open_input(path, options);
  } catch (const vaa::Failure& failure) {
    if (message) *message = failure.message();
    return failure.status();
  }
  return VAA_OK;
}

// A folder that goes with the test.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = "/tmp/vaa-test-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { (void)!::system(("rm -rf '" + path_ + "'").c_str()); }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file, with the folders that it needs.
  std::string write(const std::string& name, const std::string& bytes) const {
    for (size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) ::mkdir((path_ + "/" + name.substr(0, at)).c_str(), 0777);
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

inline std::string file_bytes(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

inline std::string golden(const std::string& name) { return std::string(VAA_GOLDEN) + "/samples/" + name; }

}  // namespace reading
#endif
