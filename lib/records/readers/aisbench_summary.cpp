#include "records/readers/aisbench_summary.h"

#include <algorithm>

#include "records/folder_input.h"
#include "records/lines.h"

namespace vaa {
namespace {

constexpr int64_t kMaxRow = 1 << 20;

// The cells of a row; a cell in quotation marks may hold commas, doubled marks in it are one.
std::vector<std::string> cells(std::string_view row) {
  std::vector<std::string> out(1);
  bool quoted_cell = false;
  for (size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (quoted_cell && c == '"' && i + 1 < row.size() && row[i + 1] == '"') out.back() += row[++i];
    else if (c == '"') quoted_cell = !quoted_cell;
    else if (c == ',' && !quoted_cell) out.emplace_back();
    else out.back() += c;
  }
  return out;
}

size_t column(const std::vector<std::string>& head, std::string_view name, size_t otherwise) {
  const auto at = std::find(head.begin(), head.end(), name);
  return at == head.end() ? otherwise : static_cast<size_t>(at - head.begin());
}

}  // namespace

std::vector<SummaryRow> read_aisbench_summary(const std::string& run_folder, const std::string& model, Problems* problems) {
  const std::string folder = join_path(run_folder, "summary");
  std::string newest;
  if (is_folder(folder))
    for (const FolderEntry& entry : list_folder(folder))
      if (!entry.folder && starts_with(entry.name, "summary_") && ends_with(entry.name, ".csv") && is_file(join_path(folder, entry.name))) newest = entry.name;
  std::vector<SummaryRow> out;
  if (newest.empty()) return out;
  ByteWindow window(std::make_unique<Source>(join_path(folder, newest)), size_t{64} << 10);
  LineReader lines(&window, kMaxRow);
  Line line;
  if (!lines.next(&line)) return out;
  const std::vector<std::string> head = cells(line.bytes);
  const size_t none = head.size();
  const size_t dataset = column(head, "dataset", none), metric = column(head, "metric", none), value = column(head, model, none);
  const size_t version = column(head, "version", none);
  if (dataset == none || metric == none || value == none) {
    problems->add("summary/" + newest, 1, "has no columns dataset, metric and " + model + ", and is left out");
    return out;
  }
  constexpr size_t kMaxRows = 100000;
  while (out.size() < kMaxRows && lines.next(&line)) {
    const std::vector<std::string> row = cells(line.bytes);
    if (row.size() == head.size()) out.push_back({row[dataset], version == none ? "" : row[version], row[metric], row[value]});
  }
  return out;
}

}  // namespace vaa
