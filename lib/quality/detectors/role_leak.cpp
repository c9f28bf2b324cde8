// The output goes on with turns of a conversation that nobody had: the end of the turn was not taken for the end (docs/detectors.md).
#include <algorithm>
#include <cstring>

#include "quality/byte_lanes.h"
#include "quality/features.h"
#include "quality/language_names.h"
#include "quality/roles.h"

namespace vaa {
namespace {

constexpr std::string_view kName = "assistant";

// The next "assistant" from `at` on; 16 bytes at a time, by the three s of it.
size_t find_name(std::string_view text, size_t at) {
  constexpr size_t kAhead = 4;
  while (at + kLanes + kAhead <= text.size()) {
    const auto is_s = [&](size_t i) { return load_lanes(text.data() + at + i) == 's'; };
    if (any_lane(is_s(1) & is_s(2) & is_s(4)))
      for (size_t i = at; i < at + kLanes; ++i)
        if (text.compare(i, kName.size(), kName) == 0) return i;
    at += kLanes;
  }
  return text.find(kName, at);
}

bool is_letter_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What was seen of turns in a text.
struct Turns {
  int64_t count = 0;
  size_t at = 0, size = 0;  // the first
  bool at_begin = false;    // nothing stands before it
  const char* reason = "";
  void add(size_t where, size_t bytes, const char* why) {
    if (count++ > 0) return;
    at = where;
    size = bytes;
    reason = why;
  }
};

// "assistantassistant", and the name glued to the end of a sentence with a blank line behind it, which is what a header leaves whose tokens were taken out.
Turns find_glued(std::string_view text, std::span<const Place> code) {
  Turns turns;
  size_t next_code = 0;
  for (size_t at = find_name(text, 0); at != std::string_view::npos; at = find_name(text, at + kName.size())) {
    const size_t end = at + kName.size();
    while (next_code < code.size() && code[next_code].at + code[next_code].size <= at) ++next_code;
    if (next_code < code.size() && code[next_code].at <= at) continue;
    if (text.compare(end, kName.size(), kName) == 0) {
      turns.add(at, 2 * kName.size(), "glued");
    } else if (at > 0 && std::strchr(".!?)\"*", text[at - 1]) && text.compare(end, 2, "\n\n") == 0) {
      turns.add(at, kName.size(), "header");
    }
  }
  return turns;
}

struct Speaker {
  Role role = Role::kNone;
  size_t at = 0, size = 0;
  bool heading = false;  // "### Human:"
  bool upper = false;    // "USER:"
};

// The name before the colon at text[colon], where a line begins with it, or anywhere for one in capitals.
Speaker speaker_before(std::string_view text, size_t colon) {
  size_t end = colon;
  while (end > 0 && text[end - 1] == '*') --end;
  size_t at = end;
  while (at > 0 && end - at < 16 && is_letter_byte(text[at - 1])) --at;
  Speaker out{role_of_name(text.substr(at, end - at)), at, colon + 1 - at, false, false};
  if (out.role == Role::kNone || text[at] < 'A' || text[at] > 'Z') return {};
  out.upper = end - at > 2 && std::all_of(text.begin() + static_cast<ptrdiff_t>(at), text.begin() + static_cast<ptrdiff_t>(end), [](char c) { return c <= 'Z'; });
  size_t line = at;
  while (line > 0 && std::strchr(" \t#*>[(", text[line - 1])) --line;
  out.heading = text.substr(line, at - line).find("##") != std::string_view::npos;
  const bool first = line == 0 || text[line - 1] == '\n' || text[line - 1] == '\r';
  if (!first && !(out.upper && (text[at - 1] == ' ' || text[at - 1] == '>'))) return {};
  return out;
}

// "### Human:" twice, or a user's and an assistant's name before colons.
Turns find_named(std::string_view text, std::span<const Place> code) {
  Turns turns;
  int64_t headings = 0;
  bool user = false, assistant = false;
  size_t next_code = 0;
  for (size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    while (next_code < code.size() && code[next_code].at + code[next_code].size <= colon) ++next_code;
    if (next_code < code.size() && code[next_code].at <= colon) continue;
    const Speaker speaker = speaker_before(text, colon);
    if (speaker.role == Role::kNone) continue;
    if (turns.count == 0) turns.at_begin = text.substr(0, speaker.at).find_first_not_of(" \t\r\n#*>[(") == std::string_view::npos;
    turns.add(speaker.at, speaker.size, "names");
    headings += speaker.heading && speaker.role == Role::kUser;
    (speaker.role == Role::kUser ? user : assistant) = true;
  }
  return headings >= 2 || (user && assistant) ? turns : Turns();
}

// The prompt speaks of such a conversation, as a prompt that is a rendered template does not.
bool asked(Prompt* prompt) {
  constexpr std::string_view kWords[] = {"ialog", "onversation", "chat ", "chatbot", "chat log", "ranscript", " script", "screenplay", "nterview", "ole-play", "ole play", "oleplay", "an assistant",
                                         "the assistant", "AI assistant", "uman:", "ser:", "the user", "a user", "对话", "剧本", "聊天", "助手", "采访", "用户："};
  if (!prompt->recorded() || ends_in_turn(prompt->text())) return false;
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return prompt->text().find(word) != std::string_view::npos; });
}

State detect(const Features& features, std::vector<Finding>* findings) {
  const TextPart& text = features.text();
  if (!text.known) return State::kUnknown;
  Turns turns;
  if (text.markup.turns > 0) {
    turns = {text.markup.turns, text.markup.turn.at, text.markup.turn.size, false, "template"};
    // Who explains a template quotes it.
    if (features.prompt().contains(text.text.substr(turns.at, turns.size)) && !ends_in_turn(features.prompt().text())) turns = {};
  }
  if (turns.count == 0) turns = find_glued(text.text, text.markup.code);
  const bool named = turns.count == 0;
  if (named) turns = find_named(text.text, text.markup.code);
  if (turns.count == 0) return State::kNo;
  Finding finding = features.place(text, turns.at, turns.size);
  finding.count = turns.count;
  finding.reason = turns.reason;
  if (named && turns.at_begin) {
    finding.severity = Severity::kWarn;
    finding.confidence = Confidence::kSuspected;
  }
  const bool quoted = turns.reason == std::string_view("template") && prompt_speaks_of_tokens(features.prompt()) && !ends_in_turn(features.prompt().text());
  if (quoted || (named && asked(&features.prompt()))) excuse(&finding, "asked");
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kRoleLeak = {
    "role_leak", Severity::kFail, 0.01, 5, detect,
    {"invented turns", "自编对话轮次"},
    {"After the answer the model goes on with turns of the user or of itself that nobody asked for.", "回答之后模型继续自编用户或自己的对话轮次。"},
    {{"In the text, outside code: a turn of a chat template behind the answer (`<|im_start|>user`, `<start_of_turn>user`, `<|user|>`, `[INST]`, …); a user's "
      "and an assistant's name before colons at the beginning of lines, or `### Human:` twice; `assistantassistant`, or the name glued to the end of a "
      "sentence with a blank line behind it. Info where the prompt asks for a dialogue or about templates, warn where the answer is one from its beginning.",
      "看正文（代码除外）：回答之后出现对话模板的轮次（`<|im_start|>user`、`<start_of_turn>user`、`<|user|>`、`[INST]` 等）；行首既有用户名又有助手名加冒号，"
      "或两次 `### Human:`；`assistantassistant`，或角色名紧贴句尾且后面是空行。题目要求写对话、或在问模板的只提示，回答从头就是对话的判警告。"},
     {"Published answers (alpaca_eval): 98 of 182,723, all read, all real: 74 with names (guanaco), 20 with header tokens, 4 with the name glued to itself; "
      "11 dialogues that were asked for, info. Of 34,615 of strong models: 0. Ceiling 1 %.",
      "公开回答（alpaca_eval）：182723 条中 98 条，逐条看过，全是真的：74 条是角色名（guanaco），20 条是 header 标记，4 条是角色名自我粘连；另有 11 条是题目"
      "要求的对话，只提示。强模型 34615 条：0。上限 1%。"},
     {"Plays, Shakespeare programs, lists of settings (`user: root`) and one speaker alone pass; so does who explains a token that the prompt shows. A "
      "header before the answer is special_token_leak. A prompt that is a rendered template, ending in the assistant's turn, excuses nothing. Base models "
      "run on with `Question:` and `Answer:` of their examples: that is not looked for.",
      "剧本、莎士比亚语言程序、配置清单（`user: root`）、只有一个说话人的都不报；讲解题目里出现的标记也不报。回答之前的 header 归 special_token_leak。题目本"
      "身就是渲染好的模板、以助手轮次结尾的，不作为豁免。基座模型接着示例往下编 `Question:`、`Answer:` 的，这里不查。"},
     {"The end-of-turn token is not among the stop tokens: missing in generation_config.json, another one in the template, or dropped by the server "
      "(vllm#5924: the model talks to itself; Llama-3.1 endpoints that write `assistant` to the limit). The template of another model, or the completions "
      "API with a chat model.",
      "换轮标记不在停止词元里：generation_config.json 没写、与模板里的不一致，或被服务端丢掉（vllm#5924：模型自问自答；有的 Llama-3.1 服务一路输出 "
      "`assistant` 到上限）。也可能用了别的模型的模板，或拿对话模型走补全接口。"},
     {"Look which token should have ended the turn (`eos_token_id` in generation_config.json against the template) and send it in `stop_token_ids`: if the "
      "turns are gone, the configuration is the fault. Else render the prompt once with the tokenizer's own template and compare the ids.",
      "查应当结束本轮的是哪个词元（对照 generation_config.json 的 `eos_token_id` 和模板），放进 `stop_token_ids` 重发：轮次消失就是配置问题。否则用分词器自"
      "带模板渲染一次题目，对比词元 id。"}}};

}  // namespace vaa
