// Runs a fuzz target over files and folders without libFuzzer: each file whole, cut short, and with single bytes changed. The variants are the same in every run.
//   replay_NAME PATH…
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::vector<std::filesystem::path> files_of(int count, char** paths) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(paths[i])) {
      files.push_back(paths[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(paths[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// In a block of its own size, so that AddressSanitizer sees a byte read past it.
void run(const std::string& bytes) {
  const auto block = std::make_unique<uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.get());
  LLVMFuzzerTestOneInput(block.get(), bytes.size());
}

void run_variants(const std::string& bytes) {
  constexpr size_t kVariants = 150;
  run(bytes);
  std::mt19937_64 random(bytes.size());
  for (size_t i = 0; i < std::min(kVariants, bytes.size()); ++i) {
    run(bytes.substr(0, bytes.size() <= kVariants ? i : random() % bytes.size()));
    std::string changed = bytes;
    changed[random() % bytes.size()] = static_cast<char>(random());
    run(changed);
    changed.erase(random() % changed.size(), 1);
    run(changed);
  }
}

}  // namespace

int main(int count, char** paths) {
  const auto files = files_of(count, paths);
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    run_variants(std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
