#include "records/readers/aisbench_lines.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/json_writer.h"

namespace vaa {
namespace {

std::string_view role_of(std::string_view role) {
  if (role == "HUMAN") return "user";
  if (role == "BOT") return "assistant";
  return role == "SYSTEM" ? "system" : role;
}

// One {"role", "prompt"} appended to `out`; the text keeps its bytes. False: no such object, or malformed.
bool append_message(JsonReader* json, std::string* out) {
  if (json->peek() != JsonKind::kObject) return false;
  std::string_view key, role, content = "null";
  std::string role_kept;
  json->object();
  while (json->key(&key)) {
    if (key == "role" && json->peek() == JsonKind::kString) {
      if (!json->string(&role)) return false;
      role_kept.assign(role);
    } else if (key == "prompt" || key == "content") {
      if (!json->raw(&content)) return false;
    } else if (!json->skip()) {
      return false;
    }
  }
  if (json->failed()) return false;
  *out += "{\"role\":";
  append_json_string(out, role_of(role_kept));
  *out += ",\"content\":";
  *out += content;
  *out += '}';
  return true;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Alternative {
  int32_t id = 0;
  double logprob = 0;
};

// "137" or "token_id:137"; -1: no id.
int32_t id_of(std::string_view text) {
  constexpr std::string_view kPrefix = "token_id:";
  if (text.substr(0, kPrefix.size()) == kPrefix) text.remove_prefix(kPrefix.size());
  int32_t id = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), id);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && id >= 0 ? id : -1;
}

// One {"<id>": logprob, …}.
bool read_alternatives(JsonReader* json, std::vector<Alternative>* out) {
  out->clear();
  if (json->peek() == JsonKind::kNull) return json->null();
  if (json->peek() != JsonKind::kObject) return false;
  std::string_view key;
  json->object();
  while (json->key(&key)) {
    Alternative next{id_of(key), 0};
    if (json->peek() != JsonKind::kNumber) {
      if (!json->skip()) return false;
      continue;
    }
    if (!json->real(&next.logprob)) return false;
    if (next.logprob == -9999.0) next.logprob = -std::numeric_limits<double>::infinity();
    if (next.id >= 0) out->push_back(next);
  }
  return !json->failed();
}

// The token's own logprob and its alternatives, itself first, the others by falling logprob, no id twice.
void keep(std::vector<Alternative>* found, int32_t sampled, Sample* sample) {
  std::sort(found->begin(), found->end(), [&](const Alternative& a, const Alternative& b) {
    if ((a.id == sampled) != (b.id == sampled)) return a.id == sampled;
    return a.logprob != b.logprob ? a.logprob > b.logprob : a.id < b.id;
  });
  auto& ids = sample->ids.put(IdsField::kOutputTopIds);
  auto& values = sample->real_lists.put(RealsField::kOutputTopLogprobs);
  const bool known = !found->empty() && (*found)[0].id == sampled;
  sample->real_lists.put(RealsField::kOutputLogprobs).push_back(known ? (*found)[0].logprob : kNone);
  int32_t last = -1;
  for (const Alternative& a : *found) {
    if (!known || a.id == last) continue;
    ids.push_back(a.id);
    values.push_back(a.logprob);
    last = a.id;
  }
  sample->int_lists.put(IntsField::kOutputTopEnds).push_back(static_cast<int64_t>(ids.size()));
}

}  // namespace

bool read_template_prompt(JsonReader* json, std::string_view key, Sample* sample, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind != JsonKind::kArray) return read_text(json, key, sample, TextField::kPromptText, why);
  json->array();
  std::string& out = sample->texts.put(TextField::kPromptMessages);
  out = "[";
  bool recorded = true;
  while (json->element()) {
    if (out.size() > 1) out += ',';
    if (recorded && json->peek() == JsonKind::kObject) {
      if (!append_message(json, &out)) return bad_json(*json, why);
      continue;
    }
    recorded = false;  // texts of a PPL task: no conversation
    if (!json->skip()) break;
  }
  if (json->failed()) return bad_json(*json, why);
  out += ']';
  if (!recorded) sample->texts.unset(TextField::kPromptMessages);
  return true;
}

bool read_any_text(JsonReader* json, Sample* sample, TextField field, std::string* why) {
  const JsonKind kind = json->peek();
  if (kind == JsonKind::kString || kind == JsonKind::kNull) return read_text(json, "", sample, field, why);
  std::string_view raw;
  if (!json->raw(&raw)) return bad_json(*json, why);
  sample->set(field, raw);
  return true;
}

void trim_worked_gold(Sample* sample) {
  if (!sample->has(TextField::kScoreGold)) return;
  std::string& gold = sample->texts.put(TextField::kScoreGold);
  const size_t end = gold.find_last_not_of(" \t\r\n");
  const size_t mark = gold.rfind("####");
  if (end == std::string::npos || mark == std::string::npos || mark + 4 > end) return;
  const size_t begin = gold.find_first_not_of(" \t", mark + 4);
  if (begin > end || gold.find('\n', mark) <= end) return;  // not its last line
  gold.erase(end + 1);
  gold.erase(0, begin);
}

bool read_payload(JsonReader* json, Sample* sample, std::string* why) {
  if (json->peek() == JsonKind::kNull) return json->null() || bad_json(*json, why);
  if (json->peek() != JsonKind::kObject) {
    *why = wrong_kind("response_anomaly_payload", json->peek(), "an object");
    return false;
  }
  std::string_view key, top;
  json->object();
  while (json->key(&key)) {
    if (key == "tokens") {
      if (!read_ids(json, "response_anomaly_payload.tokens", sample, IdsField::kOutputTokenIds, why)) return false;
    } else if (key == "topk_logprobs") {
      if (!json->raw(&top)) return bad_json(*json, why);
    } else if (!json->skip()) {
      break;
    }
  }
  if (json->failed()) return bad_json(*json, why);
  if (!sample->has(IdsField::kOutputTokenIds)) return true;
  sample->set(TextField::kIdsProvenance, "engine");
  sample->set(IntField::kIdsIncludeStop, 1);
  JsonReader list(top);
  if (top.empty() || list.peek() != JsonKind::kArray) return true;
  const auto& tokens = sample->ids.get(IdsField::kOutputTokenIds);
  sample->ids.put(IdsField::kOutputTopIds).clear();
  sample->real_lists.put(RealsField::kOutputTopLogprobs).clear();
  sample->real_lists.put(RealsField::kOutputLogprobs).clear();
  sample->int_lists.put(IntsField::kOutputTopEnds).clear();
  std::vector<Alternative> found;
  size_t at = 0;
  bool good = true;
  list.array();
  while (list.element()) {
    good = good && read_alternatives(&list, &found) && at < tokens.size();
    if (!good) break;
    keep(&found, tokens[at++], sample);
  }
  if (good && at == tokens.size()) return true;
  // Not one entry a token: none of it can be told to belong to one.
  sample->ids.unset(IdsField::kOutputTopIds);
  sample->real_lists.unset(RealsField::kOutputTopLogprobs);
  sample->real_lists.unset(RealsField::kOutputLogprobs);
  sample->int_lists.unset(IntsField::kOutputTopEnds);
  return true;
}

}  // namespace vaa
