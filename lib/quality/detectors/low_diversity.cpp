// The output was cut while it went on with hardly anything new (docs/detectors.md).
#include <algorithm>
#include <array>
#include <cstring>

#include "quality/features.h"
#include "text/special_tokens.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

constexpr size_t kWords = 160, kTypes = 26;        // words, and how many different ones among them are few
constexpr size_t kBytes = 2000, kCost = 300;       // of text, and how little it takes to write it down
constexpr size_t kSymbols = 400, kLeastSymbols = 150, kKinds = 3;

struct Few {
  const char* reason = nullptr;
  size_t begin = 0, measure = 0, threshold = 0;
  bool many = false;  // too many different words
};

// Few different words among those of the last `bytes`. Where signs and numbers are half as many, they are data.
Few few_words(std::string_view text, size_t bytes, std::vector<ScannedWord>* words) {
  read_last_words(text, bytes, words);
  std::array<uint32_t, kTypes + 1> types{};
  size_t seen = 0, kinds = 0, others = 0, begin = 0;
  for (auto word = words->rbegin(); word != words->rend() && seen < kWords; ++word) {
    others += word->kind == ScannedWord::Kind::kSign || word->kind == ScannedWord::Kind::kNumber;
    if (word->kind != ScannedWord::Kind::kLetters && word->kind != ScannedWord::Kind::kCharacter) continue;
    ++seen;
    begin = word->at;
    if (std::find(types.begin(), types.begin() + static_cast<ptrdiff_t>(kinds), word->hash) != types.begin() + static_cast<ptrdiff_t>(kinds)) continue;
    if (kinds == kTypes) return {nullptr, 0, 0, 0, true};
    types[kinds++] = word->hash;
  }
  if (seen < kWords || 2 * others > kWords) return {};
  return {"few_words", begin, kinds, kTypes};
}

// Most texts hold too many in their last lines already.
Few few_words(std::string_view text, std::vector<ScannedWord>* words) {
  constexpr size_t kLines = 512, kAll = 4096;
  const Few few = few_words(text, kLines, words);
  return few.many ? few : few_words(text, kAll, words);
}

// How little new there is in the text: each byte that is no part of something before it counts 1, each copy of something before it 3. (At 300 of 2,000 bytes zlib makes one
// byte of eight.) Stops where it is more than kCost.
size_t writing_cost(std::string_view text) {
  constexpr size_t kGram = 4, kSlots = 1024, kTries = 8;
  std::array<uint16_t, kSlots> last{};  // place + 1
  std::array<uint16_t, kBytes> before{};
  size_t cost = 0;
  for (size_t at = 0; at < text.size() && cost <= kCost;) {
    size_t longest = 0, step = 1;
    const auto slot = [&](size_t i) -> uint16_t& {
      uint32_t gram;
      std::memcpy(&gram, &text[i], kGram);
      return last[gram * 2654435761U >> 22];
    };
    if (at + kGram <= text.size()) {
      size_t from = slot(at);
      for (size_t tries = 0; from != 0 && tries < kTries; ++tries, from = before[from - 1]) {
        size_t size = 0;
        while (at + size < text.size() && text[from - 1 + size] == text[at + size]) ++size;
        longest = std::max(longest, size);
      }
    }
    if (longest >= kGram) step = longest, cost += 3;
    else ++cost;
    for (const size_t end = at + step; at < end; ++at) {
      if (at + kGram > text.size()) continue;
      before[at] = slot(at);
      slot(at) = static_cast<uint16_t>(at + 1);
    }
  }
  return cost;
}

// Signs and digits, of which data and code have many; hashtags are words.
bool is_data(char c) {
  const uint8_t kind = word_scan::kClasses[static_cast<unsigned char>(c)];
  return kind == word_scan::kDigit || (kind == word_scan::kOther && c > ' ' && c != '#');
}

// Hardly anything new in the last kBytes, each stretch of white space counted as one blank. In words: data and code repeat themselves by right.
Few little_new(std::string_view text) {
  if (text.size() < kBytes) return {};
  std::array<char, kBytes> end;
  size_t begin = text.size(), size = 0;
  const auto read = [&](size_t bytes) {
    while (begin > 0 && size < bytes) {
      const char c = text[--begin];
      const bool blank = word_scan::kClasses[static_cast<unsigned char>(c)] == word_scan::kBlank;
      if (blank && size > 0 && end[size - 1] == ' ') continue;
      end[size++] = blank ? ' ' : c;
    }
  };
  // Most texts cost too much in their last lines already.
  constexpr size_t kLines = 512;
  read(kLines);
  if (writing_cost({end.data(), size}) > kCost) return {};
  read(kBytes);
  if (size < kBytes || 8 * static_cast<size_t>(std::count_if(end.begin(), end.end(), is_data)) > kBytes) return {};
  const size_t cost = writing_cost({end.data(), size});
  if (cost > kCost) return {};
  return {"little_new", utf8_floor(text, begin), cost, kCost};
}

// A few symbols in any order.
Few few_symbols(std::string_view text) {
  std::array<uint32_t, kKinds> kinds{};
  size_t characters = 0, symbols = 0, known = 0, begin = text.size();
  while (begin > 0 && characters < kSymbols) {
    const size_t at = utf8_floor(text, begin - 1);
    const Utf8Step step = utf8_step(text, at);
    begin = at;
    ++characters;
    const CodeProperties properties = code_properties(step.code);
    if (properties.white_space) continue;
    if (properties.category == Category::kDecimalDigit) return {};
    ++symbols;
    if (std::find(kinds.begin(), kinds.begin() + static_cast<ptrdiff_t>(known), step.code) != kinds.begin() + static_cast<ptrdiff_t>(known)) continue;
    if (known == kKinds) return {};
    kinds[known++] = step.code;
  }
  if (symbols < kLeastSymbols) return {};
  return {"few_symbols", begin, known, kKinds};
}

State detect(const Features& features, std::vector<Finding>* findings) {
  if (!features.any_text()) return State::kUnknown;
  const Ending& ending = features.ending();
  if (ending.cut == Ending::Cut::kNo) return State::kNo;
  const auto tail = [](const Loop& loop) { return loop.tail && loop.severity >= Severity::kWarn; };
  if (std::any_of(features.loops().begin(), features.loops().end(), tail)) return State::kNo;
  const TextPart& part = features.last_part();
  const std::string_view text = part.text.substr(0, stripped_size(part.text));
  if (!part.markup.code.empty() && part.markup.code.back().at + part.markup.code.back().size >= text.size()) return State::kNo;
  Few few = few_words(text, &features.near_loops().words);
  if (!few.reason) few = little_new(text);
  if (!few.reason) few = few_symbols(text);
  if (!few.reason) return State::kNo;
  if (ending.cut == Ending::Cut::kUnknown) return State::kUnknown;
  Finding finding = features.place(part, few.begin, text.size() - few.begin);
  finding.severity = Severity::kWarn;
  finding.reason = few.reason;
  finding.measure = static_cast<double>(few.measure);
  finding.threshold = static_cast<double>(few.threshold);
  if (features.sample().integer(IntField::kIgnoreEos, 0) != 0) excuse(&finding, "ignore_eos");
  findings->push_back(finding);
  return State::kFound;
}

}  // namespace

extern const Detector kLowDiversity = {
    "low_diversity", Severity::kWarn, 1.0, 3, detect,
    {"hardly anything new", "几乎没有新内容"},
    {"The answer was cut while it went on with hardly anything new.", "回答被截断之前，一直在写几乎没有新内容的东西。"},
    {{"Only where the answer was certainly cut, at its end, outside code, and no exact loop is there. Any of: the last 160 words are at most 26 different "
      "ones, with fewer than 80 signs and numbers among them; the last 2,000 bytes cost at most 300 (a byte that is part of no earlier piece costs 1, a "
      "copy of an earlier piece 3; zlib makes about a byte of eight), at most an eighth of them signs and digits; of the last 400 characters at least 150 "
      "are no white space and of at most 3 kinds, none a digit.",
      "只在回答确实被截断时看末尾，代码里不看，已有精确循环时不看。满足其一即报：最后 160 个词里不同的词不超过 26 个，且夹杂的符号和数字少于 80 个；最后"
      " 2000 字节的写出代价不超过 300（不属于前文任何片段的字节计 1，复制前文一段计 3，约合 zlib 压到八分之一），且符号和数字不超过八分之一；最后 400 个"
      "字符里至少 150 个非空白，且只有不超过 3 种，没有数字。"},
     {"66,450 pieces of source code, manuals, logs, tables and data, a fourth of them also cut at random: 1, a table of error messages. alpaca_eval records no "
      "finish reason: of 34,615 strong answers 4 fire if all count as cut. ScannedWord soup of the cases: found.",
      "源代码、手册、日志、表格、数据 66450 段，四分之一另在随机处截断：1 段，一张错误信息表。alpaca_eval 没有结束原因：强模型 34615 条都算截断，报 4 条。案例里"
      "的虚词乱炖：能找到。"},
     {"Data cut on the way looks alike, hence signs and digits are counted and nothing fails a run. Where the finish reason is not recorded the flag is "
      "unknown on texts that would fire, and no elsewhere.",
      "写到一半被截断的数据看起来一样，所以要数符号和数字，也不判整次运行失败。没有记录结束原因时，会触发的文本判未知，其余判否。"},
     {"Logits that hardly depend on the context: function words in random order (vllm-ascend#10503). Hashtag and word lists that morph for ever. Punctuation "
      "soup after a broken KV transfer.",
      "logits 几乎不看上下文：虚词随机排列（vllm-ascend#10503）。无休止变形的标签串、词表。KV 传输坏掉之后的标点乱炖。"},
     {"Ask again with logprobs: a flat, unchanging top list says that the context is not read (cache, mask, all-reduce); a peaked one that the sampler is "
      "at fault. Then without speculation and in eager mode.",
      "带 logprobs 重发：候选分布又平又不变，说明没读到上下文（KV cache、mask、all-reduce）；分布很尖，则查采样器。再关投机解码、改 eager 试。"}}};

}  // namespace vaa
