// Folders: a run of one tool by folder_table(), else every file and run in it that is of a known format.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "records/reader.h"

namespace vaa {

struct FolderEntry {
  std::string name;  // of the file, or its path relative to the folder that was walked
  bool folder = false;
};
// What lies in a folder, in byte order of names; links are followed. Throws Failure (VAA_ERROR_IO, VAA_ERROR_NOT_FOUND).
std::vector<FolderEntry> list_folder(const std::string& folder);
// A record of one of several files that names no dataset takes the file's name for one: their ids are not the same questions. A file alone needs none, and pairs with one of another name.
void name_by_file(Sample* sample);
bool is_folder(const std::string& path);
bool is_file(const std::string& path);
bool can_list(const std::string& folder);
// "a/b"; a where b is empty.
std::string join_path(const std::string& folder, std::string_view name);
bool ends_with(std::string_view text, std::string_view end);
bool starts_with(std::string_view text, std::string_view start);

std::unique_ptr<const Input> open_folder(const std::string& folder, const OpenOptions& options);

}  // namespace vaa
