// A small JSON document as a tree: configs and results of a run. Numbers keep their text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace vaa {

struct TreeMember;

struct JsonTree {
  JsonKind kind = JsonKind::kInvalid;  // kInvalid: there, and not recorded
  std::string text;                    // kString: its value; kNumber: as written
  bool truth = false;                  // kBool
  std::vector<TreeMember> members;     // kObject; kArray with empty keys

  const JsonTree* find(std::string_view key) const;  // the last of that name; nullptr: none
  bool is(JsonKind k) const { return kind == k; }
  // "" and 0 where it is of another kind.
  std::string_view string() const { return kind == JsonKind::kString ? std::string_view(text) : std::string_view(); }
  int64_t integer() const;
  double real() const;
  void append_json(std::string* out) const;  // kInvalid: null
  std::string json() const;
};

// Key and value. No std::pair: libstdc++ asks of a pair what an incomplete type cannot answer under clang.
struct TreeMember {
  TreeMember() = default;
  TreeMember(std::string key, JsonTree value) : first(std::move(key)), second(std::move(value)) {}
  std::string first;
  JsonTree second;
};

// Of `object` the member, or an empty tree; no step fails.
const JsonTree& member(const JsonTree& object, std::string_view key);

// False where the text is malformed; at most max_nodes values are kept, the rest is left out.
bool parse_json_tree(std::string_view text, JsonTree* out, size_t max_nodes = 1000000);

}  // namespace vaa
