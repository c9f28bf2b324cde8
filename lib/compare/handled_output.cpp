#include "compare/handled_output.h"

#include <algorithm>

#include "base/text_hash.h"
#include "records/json_tree.h"
#include "text/think_tags.h"

namespace vaa {
namespace {

constexpr std::string_view kWhite = " \t\r\n", kLoneClose = "</think>";  // of templates that open the thought in the prompt

uint64_t hashed(std::string_view text) { return hash_bytes(0x73747270, text) | 1; }
uint64_t hashed(const Sample& sample, TextField field) { return sample.has(field) ? hashed(sample.text(field)) : 0; }

bool differ(uint64_t a, uint64_t b) { return a != 0 && b != 0 && a != b; }

std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(kWhite);
  return from == std::string_view::npos ? std::string_view() : text.substr(from, text.find_last_not_of(kWhite) + 1 - from);
}

// Takes the thought off the front of *text; false: there is none that ends.
bool take_thought(std::string_view* text, std::string_view* thought) {
  const std::string_view whole = trimmed(*text);
  std::string_view close = kLoneClose;
  size_t from = 0;
  for (const ThinkTag& tag : think_tags()) {
    if (!whole.starts_with(tag.open)) continue;
    close = tag.close;
    from = tag.open.size();
    break;
  }
  const size_t to = whole.find(close, from);
  if (to == std::string_view::npos) return false;
  *thought = whole.substr(from, to - from);
  *text = whole.substr(to + close.size());
  return true;
}

JsonTree in_one_form(const JsonTree& tree);

// Members by key, without those that say nothing of what is called.
void add_members(const JsonTree& object, bool call, JsonTree* out) {
  for (const auto& [key, value] : object.members) {
    if (value.is(JsonKind::kNull) || (call && (key == "id" || key == "index" || key == "type"))) continue;
    JsonTree arguments;
    if (call && key == "function" && value.is(JsonKind::kObject)) add_members(value, true, out);
    else if (call && key == "arguments" && parse_json_tree(value.string(), &arguments)) out->members.emplace_back(key, in_one_form(arguments));
    else out->members.emplace_back(key, in_one_form(value));
  }
}

JsonTree in_one_form(const JsonTree& tree) {
  JsonTree out = tree;
  if (tree.is(JsonKind::kArray)) {
    for (auto& [key, value] : out.members) value = in_one_form(value);
  } else if (tree.is(JsonKind::kObject)) {
    out.members.clear();
    add_members(tree, false, &out);
    std::stable_sort(out.members.begin(), out.members.end(), [](const TreeMember& a, const TreeMember& b) { return a.first < b.first; });
  }
  return out;
}

}  // namespace

std::string tool_calls_in_one_form(std::string_view json) {
  JsonTree calls;
  if (!parse_json_tree(json, &calls) || !calls.is(JsonKind::kArray)) return std::string(json);
  for (auto& [key, call] : calls.members) {
    if (!call.is(JsonKind::kObject)) continue;
    JsonTree out;
    out.kind = JsonKind::kObject;
    add_members(call, true, &out);
    std::stable_sort(out.members.begin(), out.members.end(), [](const TreeMember& a, const TreeMember& b) { return a.first < b.first; });
    call = std::move(out);
  }
  return calls.json();
}

void read_handled(const Sample& sample, StripFacts* facts) {
  std::string_view text = sample.text(TextField::kOutputText), thought = trimmed(sample.text(TextField::kOutputReasoning));
  const bool apart = !thought.empty();
  facts->reasoning = sample.has(TextField::kOutputReasoning) ? hashed(thought) : 0;
  facts->text = sample.has(TextField::kOutputText) ? hashed(apart ? trimmed(text) : text) : 0;
  facts->thought = apart || take_thought(&text, &thought) ? hashed(trimmed(thought)) : 0;
  facts->answer = sample.has(TextField::kOutputText) ? hashed(trimmed(text)) : 0;
  facts->tool_calls = sample.has(TextField::kToolCalls) ? hashed(tool_calls_in_one_form(sample.text(TextField::kToolCalls))) : 0;
  facts->finish = sample.text(TextField::kFinishReason) == "unknown" ? 0 : hashed(sample, TextField::kFinishReason);
}

bool texts_differ(const StripFacts& a, const StripFacts& b) {
  if ((a.reasoning != 0) == (b.reasoning != 0)) return differ(a.text, b.text);
  return (a.thought != 0) == (b.thought != 0) && differ(a.answer, b.answer);
}

bool thoughts_differ(const StripFacts& a, const StripFacts& b) {
  return (a.reasoning != 0) == (b.reasoning != 0) ? differ(a.reasoning, b.reasoning) : differ(a.thought, b.thought);
}

}  // namespace vaa
