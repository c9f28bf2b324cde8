// A file of a test's own, gone with it.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

class WrittenFile {
 public:
  explicit WrittenFile(const std::string& bytes, const std::string& ending = ".jsonl") {
    static int made = 0;
    path_ = (std::filesystem::temp_directory_path() / ("vaa-test-" + std::to_string(getpid()) + "-" + std::to_string(made++) + ending)).string();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  ~WrittenFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};
