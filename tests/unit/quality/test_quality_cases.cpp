// tests/golden/vectors/quality_cases.jsonl: texts modelled on public reports; the labels are older than the detectors and made without them.
#include <fstream>

#include "base/json.h"
#include "judging.h"

using namespace vaa;

namespace {

struct Labelled {
  std::string name, kind, level;
  judging::Given given;
  std::vector<std::string> must, must_not;
};

void read_list(JsonReader* json, std::vector<std::string>* out) {
  std::string name;
  json->array();
  while (json->element() && json->string(&name)) out->push_back(name);
}

// A string, or {"gen":{prefix,unit,times,suffix}}.
std::string read_text(JsonReader* json) {
  std::string text;
  if (json->peek() == JsonKind::kString) {
    json->string(&text);
    return text;
  }
  std::string prefix, unit, suffix;
  int64_t count = 0;
  std::string_view key;
  json->object();
  while (json->key(&key)) {
    json->object();
    while (json->key(&key)) {
      if (key == "prefix") json->string(&prefix);
      else if (key == "unit") json->string(&unit);
      else if (key == "suffix") json->string(&suffix);
      else json->int64(&count);
    }
  }
  return prefix + judging::times(unit, static_cast<size_t>(count)) + suffix;
}

Labelled read_case(const std::string& line) {
  Labelled out;
  JsonReader json(line);
  std::string_view key;
  std::string value;
  json.object();
  while (json.key(&key)) {
    const bool text = json.peek() == JsonKind::kString;
    if (key == "case") json.string(&out.name);
    else if (key == "class") json.string(&out.kind);
    else if (key == "level") json.string(&out.level);
    else if (key == "must_flag") read_list(&json, &out.must);
    else if (key == "must_not_flag") read_list(&json, &out.must_not);
    else if (key == "text") out.given.text(read_text(&json));
    else if (key == "prompt" && text) json.string(&value), out.given.prompt(value);
    else if (key == "finish_reason" && text) json.string(&value), out.given.finish(value);
    else json.skip();
  }
  REQUIRE(json.finish());
  return out;
}

}  // namespace

TEST_CASE("quality cases: what must be flagged is, and what must not is not", "[quality]") {
  std::ifstream file(VAA_GOLDEN "/vectors/quality_cases.jsonl");
  REQUIRE(file);
  size_t cases = 0, judged = 0;
  for (std::string line; std::getline(file, line);) {
    const Labelled labelled = read_case(line);
    const judging::Verdicts said = labelled.given.judge();
    INFO(labelled.name);
    ++cases;
    for (const std::string& flag : labelled.must) {
      if (find_flag(flag) < 0 || labelled.level == "stretch") continue;
      INFO(flag);
      CHECK(said.found(flag));
      ++judged;
    }
    for (const std::string& flag : labelled.must_not) {
      if (find_flag(flag) < 0) continue;
      INFO(flag);
      CHECK_FALSE(said.alarm(flag));
    }
    if (labelled.kind == "clean") CHECK(said.judgement().alarm == 0);
  }
  CHECK(cases == 105);
  CHECK(judged > 60);
}
