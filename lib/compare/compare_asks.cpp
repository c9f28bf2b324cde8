#include "compare/compare_asks.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/failure.h"
#include "base/figures.h"
#include "base/json_writer.h"
#include "base/shell_word.h"
#include "base/sections.h"
#include "base/write_file.h"
#include "report/document.h"

namespace vaa {
namespace {

constexpr int64_t kTopTokens = 20;

using Key = std::tuple<std::string, std::string, int64_t>;  // dataset, id, repeat
struct Cut {
  int64_t prompt_tokens, at;
};

void append_cut(std::string* out, const Sample& sample, const Cut& cut) {
  JsonWriter json(out);
  const auto& prompt = sample.ids.get(IdsField::kPromptTokenIds);
  const auto& answer = sample.ids.get(IdsField::kOutputTokenIds);
  std::string id(sample.text(TextField::kId));
  if (sample.has(TextField::kDataset)) id = std::string(sample.text(TextField::kDataset)) + "/" + id;
  json.begin_object().member("custom_id", id + "/" + std::to_string(sample.integer(IntField::kRepeat, 0)) + "@" + std::to_string(cut.prompt_tokens + cut.at));
  json.member("method", "POST").member("url", "/v1/completions").key("body").begin_object();
  if (sample.has(TextField::kModel)) json.member("model", sample.text(TextField::kModel));
  json.key("prompt").begin_array();
  for (const int32_t token : prompt) json.integer(token);
  for (int64_t i = 0; i < cut.at; ++i) json.integer(answer[static_cast<size_t>(i)]);
  json.end_array().member("max_tokens", int64_t{1}).member("temperature", int64_t{0}).member("logprobs", kTopTokens).end_object().end_object();
  *out += '\n';
}

bool fits(const Sample& sample, const Cut& cut) {
  if (!sample.has(IdsField::kPromptTokenIds) || !sample.has(IdsField::kOutputTokenIds)) return false;
  return static_cast<int64_t>(sample.ids.get(IdsField::kPromptTokenIds).size()) == cut.prompt_tokens && static_cast<int64_t>(sample.ids.get(IdsField::kOutputTokenIds).size()) > cut.at;
}

struct Plan {
  std::map<Key, Cut> cuts;
  bool questions = false;
};
Plan plan_of(const Document& ask) {
  Plan plan;
  for (const Document& d : ask["divergences"].items()) plan.cuts[{d["dataset"].text(), d["id"].text(), d["repeat"].integer()}] = {d["prompt_tokens"].integer(), d["at"].integer()};
  plan.questions = ask["settles"].text() == "answers";
  return plan;
}

// Lines written.
int64_t write_lines(Plan plan, const Input& reference, const std::string& file, Task* task) {
  if (plan.cuts.empty() && !plan.questions) return 0;
  const auto stream = reference.open();
  stream->watch(task);
  std::optional<AtomicFile> out;
  Sample sample;
  std::set<std::pair<std::string, std::string>> asked;
  int64_t lines = 0;
  while ((plan.questions || !plan.cuts.empty()) && stream->next(&sample)) {
    if (task) task->check();
    std::string line;
    const std::string dataset(sample.text(TextField::kDataset)), id(sample.text(TextField::kId));
    if (plan.questions) {
      if (!sample.has(TextField::kId) || asked.count({dataset, id}) || !append_request_line(&line, sample)) continue;
      asked.emplace(dataset, id);
      line += '\n';
    } else {
      const auto cut = plan.cuts.find({dataset, id, sample.integer(IntField::kRepeat, 0)});
      if (cut == plan.cuts.end() || !fits(sample, cut->second)) continue;
      append_cut(&line, sample, cut->second);
      plan.cuts.erase(cut);
    }
    if (!out) out.emplace(file);
    out->write(line);
    lines += 1;
  }
  if (out) out->commit();
  return lines;
}

struct Step {
  Both words;
  std::string command;  // "" : there is none
};

// What the commands name: files, and the runs that were compared.
struct Named {
  std::string from, reference, target;
};

// The reference, the target and the reference again, greedy with logprobs, and their comparison. Answers without a dataset are named by their file, so all get files of one name.
void ask_tokens(const std::string& from, const std::string& name, const Both& what, std::vector<Step>* steps) {
  const std::string ask = "vaa ask " + from + " --for compare", out = "/" + name + ".jsonl";
  steps->push_back({{what.en + ", of the reference", what.zh + "：参考侧"}, "mkdir -p reference target again && " + ask + " --url REFERENCE --out reference" + out});
  steps->push_back({{"the same of the target", "目标侧同样"}, ask + " --url TARGET --out target" + out});
  steps->push_back({{"the reference again, one request at a time: how far it differs from itself", "参考侧再来一次，一次一个请求：测它与自身的差异"}, ask + " --url REFERENCE --concurrency 1 --out again" + out});
  steps->push_back({{"then compare: no more than the reference differs from itself is noise", "再比较：不超过参考侧与自身差异的就是噪声"}, "vaa compare reference" + out + " target" + out + " --aa again" + out + " --primary tokens"});
}

void ask_noise(const Named& named, std::vector<Step>* steps) {
  steps->push_back({{"A/A, the reference again, one request at a time: how far it differs from itself", "A/A，即参考侧再来一次，一次一个请求：测它与自身的差异"},
                    "vaa ask --from " + named.reference + " --for compare --url REFERENCE --concurrency 1 --out again.jsonl"});
  steps->push_back({{"then the same comparison with it", "再带上它重新比较"}, "vaa compare " + named.reference + " " + named.target + " --aa again.jsonl"});
}

// Repeats of sampled answers; a greedy one says the same again.
void ask_answers(const Document& ask, const Named& named, std::vector<Step>* steps) {
  if (!ask["ids"].truth()) ask_tokens(named.from, "tokens", {"each question once, greedy, with token ids and the 20 likeliest: seldom are more than these needed", "每道题一次，贪心，带词元 id 与最可能的 20 个：通常这些就够"}, steps);
  const Document &repeats = ask["repeats"], &questions = ask["questions"];
  if (repeats.there() && !ask["greedy"].truth()) {
    const std::string n = std::to_string(repeats.integer());
    for (const char* side : {"reference", "target"}) {
      const bool target = side[0] == 't';
      steps->push_back({target ? Both{"the same of the target", "目标侧同样"} : Both{"or by the answers: each question " + n + " times as it was sampled, of the reference", "或看回答本身：每道题按原采样参数问 " + n + " 次：参考侧"},
                        "mkdir -p " + std::string(side) + " && vaa ask " + named.from + " --repeat " + n + " --url " + (target ? "TARGET" : "REFERENCE") + " --out " + side + "/repeats.jsonl"});
    }
    steps->push_back({{"then compare what is broken; the score itself needs the framework, run with " + n + " repeats", "再比较损坏的回答；得分本身需用评测框架重复 " + n + " 次"}, "vaa compare reference/repeats.jsonl target/repeats.jsonl --primary flags"});
  } else if (questions.there()) {
    const std::string n = grouped(questions.integer());
    steps->push_back({{(ask["greedy"].truth() ? "answers are greedy, a repeat says the same again: " : "no number of repeats is enough: ") + n + " questions on both sides would settle it", (ask["greedy"].truth() ? "回答为贪心，重复得到的还是同样内容：" : "再多重复也不够：") + ("两侧需 " + n + " 道题才能定论")}, ""});
  }
}

void ask_questions(const Document& ask, std::vector<Step>* steps) {
  if (!ask["questions"].there()) return;
  const std::string n = grouped(ask["questions"].integer());
  ask_tokens("QUESTIONS.jsonl", "more", {"repeats of greedy answers say the same again: " + n + " questions would settle it, each once", "贪心回答重复得到的还是同样内容：需 " + n + " 道题，每道一次"}, steps);
}

std::vector<Step> steps_of(const Document& ask, int64_t lines, const std::string& path, const std::string& file) {
  std::vector<Step> steps;
  const auto name_of = [](const std::string& given, const char* otherwise) { return shell_word(given.empty() ? otherwise : given); };
  const Named named{shell_word(file), name_of(path, "OLD"), name_of(ask["target"].text(), "NEW")};
  const std::string settles = ask["settles"].text();
  if (lines > 0 && settles == "tokens") ask_tokens(named.from, "tokens", {"one token with its 20 likeliest at each first divergence: a small swing is a near tie, a large one a fault", "在每个首次分歧处取一个词元及其最可能的 20 个，摆动小是近似并列，大则是故障"}, &steps);
  if (ask["lacks_self"].truth()) ask_noise(named, &steps);
  if (lines > 0 && settles == "answers") ask_answers(ask, named, &steps);
  if (settles == "questions") ask_questions(ask, &steps);
  std::string at;
  for (const Document& position : ask["ladder"].items()) at += (at.empty() ? "" : ",") + std::to_string(position.integer());
  if (!at.empty()) steps.push_back({{"hardly a token was compared from these positions on: rungs there", "这些位置之后几乎没有比较过词元：在此处取梯级"}, "vaa ladder " + named.reference + " --at " + at + " --sample 50 --url REFERENCE --url TARGET --out ladder.jsonl"});
  return steps;
}

}  // namespace

std::string write_asks(const Report& report, const Input& reference, const std::string& path, const std::string& file, Task* task) {
  const Document document = Document::parse(report.json());
  if (document["kind"].text() != "compare") fail(VAA_ERROR_ARGUMENT, "report: is of kind " + quoted(document["kind"].text()) + ", must be compare");
  const Document& ask = document.at("comparison", "ask");
  const Plan plan = plan_of(ask);
  const int64_t lines = write_lines(plan, reference, file, task);
  std::string out;
  JsonWriter json(&out);
  json.begin_object().member("settles", ask["settles"].text()).member("lines", lines).member("left_out", plan.questions ? int64_t{0} : ask["divergences_all"].integer() - lines).key("steps").begin_array();
  for (const Step& step : steps_of(ask, lines, path, file)) json.begin_object().member("en", step.words.en).member("zh", step.words.zh).member("command", step.command).end_object();
  Both missing{ask.at("missing", "en").text(), ask.at("missing", "zh").text()};
  if (missing.en.empty() && lines == 0 && ask["settles"].text() == "answers") missing = {"the reference records no prompts: vaa ask --from cannot ask again what is not there", "参考侧没有记录提示词，无法再次提问"};
  json.end_array().key("missing").begin_object().member("en", missing.en).member("zh", missing.zh).end_object().end_object();
  return out;
}

}  // namespace vaa
