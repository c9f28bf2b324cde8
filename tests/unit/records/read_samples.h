// Reading whole inputs in tests, and holding them to tests/golden/samples/expected.json.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/reader.h"

namespace vaa_test {

struct Reading {
  std::string format;
  std::vector<vaa::Sample> samples;
  vaa::Problems problems;
};

std::string golden_sample(std::string_view name);  // path of tests/golden/samples/NAME
std::string file_bytes(const std::string& path);

// A file that is gone when the object is.
class TempFile {
 public:
  TempFile(std::string_view name, std::string_view bytes);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

std::string gzip(std::string_view bytes);
std::string zstd(std::string_view bytes);

Reading read_input(const std::string& path, const vaa::OpenOptions& options = {});
// `bytes` as a file of that name.
Reading read_bytes(std::string_view bytes, std::string_view name = "file.jsonl", const vaa::OpenOptions& options = {});

// Checks format, count, identity, line, request_failed and stream_end of expected.json's entry against what `path` gives ("" : the file itself). Dataset names in
// expected.json are the file's own.
void check_expected(const std::string& name, const std::string& path = "");

}  // namespace vaa_test
