// The genuine runs of examples/data: what the scripted server planted is found, sample by sample, and nothing else.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/json.h"
#include "catch.h"
#include "quality/checker.h"
#include "records/reader.h"

namespace {

namespace fs = std::filesystem;

struct Planted {
  std::string kind;
  std::set<std::string> expected, allowed;
  bool failed = false;
  bool missing = false;  // the tool lost the answer
};
struct Seen {
  std::set<std::string> flags;  // findings of any severity
  bool failed = false;
};
using Key = std::pair<std::string, std::string>;  // dataset, id: repeats of a question are a bag

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

std::set<std::string> names(vaa::JsonReader* json) {
  std::set<std::string> all;
  std::string name;
  json->array();
  while (json->element() && json->string(&name)) all.insert(name);
  return all;
}

std::map<Key, std::vector<Planted>> planted(const fs::path& path, int64_t* lost) {
  std::map<Key, std::vector<Planted>> rows;
  const std::string document = slurp(path);
  vaa::JsonReader json(document);
  REQUIRE(json.array());
  while (json.element()) {
    Planted row;
    Key key;
    std::string_view name;
    json.object();
    while (json.key(&name)) {
      if (name == "dataset") json.string(&key.first);
      else if (name == "id" && json.peek() == vaa::JsonKind::kString) json.string(&key.second);
      else if (name == "id") { std::string_view digits; json.number(&digits); key.second = digits; }
      else if (name == "kind") json.string(&row.kind);
      else if (name == "flags_expected") row.expected = names(&json);
      else if (name == "flags_allowed") row.allowed = names(&json);
      else if (name == "request_failed") json.boolean(&row.failed);
      else if (name == "missing") json.boolean(&row.missing);
      else json.skip();
    }
    if (row.missing) ++*lost;
    else rows[key].push_back(row);
  }
  REQUIRE(json.finish());
  return rows;
}

bool fits(const Planted& row, const Seen& seen) {
  return row.failed == seen.failed && std::includes(seen.flags.begin(), seen.flags.end(), row.expected.begin(), row.expected.end()) &&
         std::all_of(seen.flags.begin(), seen.flags.end(), [&](const std::string& f) { return row.expected.count(f) || row.allowed.count(f); });
}

// True where the rows and the samples of one question match in some order.
bool match(std::vector<Planted> rows, const std::vector<Seen>& seen) {
  if (rows.size() != seen.size()) return false;
  std::vector<size_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    bool all = true;
    for (size_t i = 0; i < order.size() && all; ++i) all = fits(rows[order[i]], seen[i]);
    if (all) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

std::string shown(const std::vector<Planted>& rows, const std::vector<Seen>& seen) {
  std::string text;
  for (const Planted& row : rows) {
    text += "planted " + row.kind + (row.failed ? " failed:" : ":");
    for (const auto& f : row.expected) text += " " + f;
    text += " (";
    for (const auto& f : row.allowed) text += " " + f;
    text += " )\n";
  }
  for (const Seen& s : seen) {
    text += s.failed ? "found, failed:" : "found:";
    for (const auto& f : s.flags) text += " " + f;
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("planted: every genuine run gives what its server planted", "[planted]") {
  int runs = 0;
  for (const auto& folder : fs::directory_iterator(VAA_EXAMPLE_DATA)) {
    if (!fs::exists(folder.path() / "planted.json")) continue;
    for (const auto& run : fs::directory_iterator(folder.path() / "run")) {
      INFO(run.path().string());
      ++runs;
      int64_t lost = 0;
      auto rows = planted(folder.path() / "planted.json", &lost);
      const vaa::Checker checker("", nullptr);
      const auto scratch = checker.new_scratch();
      const auto input = vaa::open_input(run.path().string(), {});
      const auto stream = input->open();
      std::map<Key, std::vector<Seen>> found;
      vaa::Sample sample;
      vaa::Judgement judgement;
      while (sample.clear(), stream->next(&sample)) {
        checker.judge(sample, scratch.get(), &judgement);
        Seen seen;
        seen.failed = sample.failed();
        for (const vaa::Finding& f : judgement.findings) seen.flags.insert(vaa::detector_table()[static_cast<size_t>(f.flag)]->name);
        found[{std::string(sample.text(vaa::TextField::kDataset)), std::string(sample.text(vaa::TextField::kId))}].push_back(seen);
      }
      for (const auto& problem : stream->problems().first) UNSCOPED_INFO(problem.file << ":" << problem.line << ": " << problem.message);
      CHECK((stream->problems().count > 0) == (lost > 0));  // an answers file that is empty is said
      if (rows.empty()) {  // nothing generated: nothing to find
        for (const auto& [key, seen] : found)
          for (const Seen& s : seen) CHECK((s.flags.empty() && !s.failed));
        continue;
      }
      CHECK(rows.size() == found.size());
      for (const auto& [key, seen] : found) {
        INFO(key.first << " " << key.second << "\n" << shown(rows[key], seen));
        CHECK(match(rows[key], seen));
      }
    }
  }
  CHECK(runs >= 10);
}
