#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/failure.h"
#include "records/file_input.h"
#include "records/folder_input.h"

namespace vaa {

std::unique_ptr<const Input> open_input(const std::string& path, const OpenOptions& options) {
  if (path.empty()) fail(VAA_ERROR_NOT_FOUND, "path: is empty");
  if (path.find('\0') != std::string::npos) fail(VAA_ERROR_NOT_FOUND, "path: holds a NUL byte: " + quoted(path));
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    fail(errno == ENOENT || errno == ENOTDIR ? VAA_ERROR_NOT_FOUND : VAA_ERROR_IO, path + ": cannot open: " + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) return open_folder(path, options);
  std::optional<Failure> fault;
  auto input = FileInput::open_file(path, path, options, &fault);
  if (!input) throw Failure(*fault);
  return input;
}

std::vector<FormatInfo> known_formats() {
  std::vector<FormatInfo> out;
  for (const Format* format : format_table()) {
    const std::string_view name = format->info.name;
    const bool listed = std::any_of(out.begin(), out.end(), [&](const FormatInfo& info) { return name == info.name; });
    if (format->parser && !listed) out.push_back(format->info);
  }
  return out;
}

}  // namespace vaa
