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
  std::string command;
};

// Answers without a dataset are named by their file, so both sides get files of one name.
std::vector<Step> steps_of(const Document& ask, int64_t lines, const std::string& path, const std::string& file) {
  std::vector<Step> steps;
  const std::string from = shell_word(file), run = shell_word(path.empty() ? "RUN" : path);
  if (lines > 0 && ask["settles"].text() == "tokens") {
    steps.push_back({{"one token with its 20 likeliest at each first divergence, of the reference", "在每个首次分歧处取一个词元及其最可能的 20 个：参考侧"}, "mkdir -p reference target && vaa ask " + from + " --for compare --url REFERENCE --out reference/tokens.jsonl"});
    steps.push_back({{"the same of the target", "目标侧同样"}, "vaa ask " + from + " --for compare --url TARGET --out target/tokens.jsonl"});
    steps.push_back({{"then compare the two: a small swing is a near tie, a large one a fault", "再比较两者：差值小是近似平局，大则是故障"}, "vaa compare reference/tokens.jsonl target/tokens.jsonl --primary tokens"});
  } else if (lines > 0) {
    const std::string repeats = ask["repeats"].there() ? std::to_string(ask["repeats"].integer()) : "8";
    for (const char* side : {"reference", "target"}) {
      const bool target = side[0] == 't';
      steps.push_back({target ? Both{"the same of the target", "目标侧同样"} : Both{ask["repeats"].there() ? "each question " + repeats + " times, of the reference" : "each question 8 times, of the reference; the report says how many answers would do", "每道题 " + repeats + " 次：参考侧"},
                       std::string(target ? "" : "mkdir -p reference target && ") + "vaa ask " + from + " --repeat " + repeats + " --url " + (target ? "TARGET" : "REFERENCE") + " --out " + side + "/more.jsonl"});
    }
    steps.push_back({{"score what came with the framework, where the score is open", "若得分未定，请用评测框架为其打分"}, "vaa compare reference/more.jsonl target/more.jsonl"});
  }
  std::string at;
  for (const Document& position : ask["ladder"].items()) at += (at.empty() ? "" : ",") + std::to_string(position.integer());
  if (!at.empty()) steps.push_back({{"hardly a token was compared from these positions on: rungs there", "这些位置之后几乎没有比较过词元：在此处取梯级"}, "vaa ladder " + run + " --at " + at + " --sample 50 --url REFERENCE --url TARGET --out ladder.jsonl"});
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
  if (missing.en.empty() && lines == 0 && ask["settles"].text() == "answers") missing = {"the reference records no prompts: vaa ask --from cannot ask again what is not there", "参考侧没有记录提示，无法再次提问"};
  json.end_array().key("missing").begin_object().member("en", missing.en).member("zh", missing.zh).end_object().end_object();
  return out;
}

}  // namespace vaa
