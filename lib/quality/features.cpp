#include "quality/features.h"

#include <algorithm>

#include "text/special_tokens.h"
#include "text/think_tags.h"
#include "text/utf8.h"
#include "text/vocab.h"

namespace vaa {
namespace {

// AISBench joins "reasoning</think>answer", and leaves no tag where the answer is missing: a text without a tag may be reasoning alone.
constexpr std::string_view kGluingFormat = "aisbench";

bool is_think_tag(std::string_view token) {
  const auto equals = [&](const ThinkTag& family) { return token == family.open || token == family.close; };
  return std::any_of(think_tags().begin(), think_tags().end(), equals);
}

// Whether the ids hold an opening and a closing tag of one of the families, for tags that are one token.
struct TagIds {
  bool known = false, opened = false, closed = false;
};
TagIds find_tag_ids(const Vocab& vocab, std::span<const int32_t> ids) {
  TagIds out;
  for (const int32_t id : ids) {
    const std::string_view token = vocab.token(id);
    if (token.size() < 7 || (token[0] != '<' && token[0] != '[')) continue;
    for (const ThinkTag& family : think_tags()) {
      out.opened |= token == family.open;
      out.closed |= token == family.close;
    }
  }
  out.known = out.opened || out.closed;
  return out;
}

}  // namespace

Features::Features(const Sample& sample, const Vocab* vocab, FeatureMemory* memory) : sample_(&sample), vocab_(vocab), memory_(memory) {
  memory_->loops.clear();
  memory_->scripts_read = memory_->words_read = {};
  memory_->signs_read = false;
  parts_[1].part = Part::kReasoning;
  ids_known_ = sample.has(IdsField::kOutputTokenIds);
  if (ids_known_) ids_ = sample.ids.get(IdsField::kOutputTokenIds);
  tool_calls_ = sample.has_tool_calls();
  const bool something = tool_calls_ || !sample.text(TextField::kOutputText).empty() || !sample.text(TextField::kOutputReasoning).empty() || !ids_.empty();
  judged_ = !sample.forced() && (something || (sample.has_output() && !sample.failed()));
  if (!judged_) return;
  ending_ = read_ending(sample);
  memory_->prompt.reset(sample);
  read_parts();
  read_thought();
  read_loops();
}

void Features::read_parts() {
  const std::array<TextField, 2> fields{TextField::kOutputText, TextField::kOutputReasoning};
  for (size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].known = sample_->has(fields[i]);
    parts_[i].text = sample_->text(fields[i]);
  }
  if (!any_text() && vocab_ && ids_known_) decode_ids();
  for (size_t i = 0; i < parts_.size(); ++i) {
    TextPart& part = parts_[i];
    if (part.text.empty()) continue;
    part.odd = find_odd_characters(part.text);
    read_markup(part.text, &memory_->prompt, &memory_->markup[i], &part.markup);
  }
  answer_blank_ = is_blank(answer());
}

void Features::decode_ids() {
  std::string& text = memory_->decoded;
  text.clear();
  for (const int32_t id : ids_)
    if (!vocab_->special(id) || is_think_tag(vocab_->token(id))) text += vocab_->token(id);
  parts_[0].known = parts_[0].decoded = true;
  parts_[0].text = text;
}

// docs/records.md: a tag that is never closed; reasoning without text that was cut (where ids hold the tags, they decide); nothing to tell by in AISBench.
void Features::read_thought() {
  const TextPart& shown = text();
  if (shown.markup.open_at != Markup::kNone) {
    using Stands = Markup::Stands;
    const Markup& markup = shown.markup;
    const bool inside = markup.open_stands == Stands::kInside;
    if (inside && prompt().contains(shown.text.substr(markup.open_at, markup.open_size))) return;  // it speaks of the tag
    thought_.unclosed = State::kFound;
    thought_.confidence = markup.open_stands == Stands::kFirst ? Confidence::kCertain : Confidence::kSuspected;
    thought_.severity = inside ? Severity::kWarn : Severity::kFail;
    thought_.onset = markup.open_at;
    thought_.length = shown.text.size() - markup.open_at;
    thought_.reason = "open_tag";
    return;
  }
  const TagIds tags = vocab_ ? find_tag_ids(*vocab_, ids_) : TagIds();
  if (!reasoning().text.empty() && !tool_calls_ && is_blank(shown.text)) {
    const bool open = tags.known ? !tags.closed : ending_.cut == Ending::Cut::kCertain;
    if (open) thought_ = {State::kFound, Confidence::kCertain, Severity::kFail, Part::kReasoning, 0, reasoning().text.size(), tags.known ? "token_ids" : "reasoning_only"};
    return;
  }
  if (!any_text()) {
    thought_.unclosed = State::kUnknown;
  } else if (prompt_opens_thought() && !shown.text.empty() && !reasoning().known && shown.markup.answer_begin == 0) {
    thought_ = {State::kFound, Confidence::kCertain, Severity::kFail, Part::kText, 0, shown.text.size(), "prompt_tag"};
  } else if (sample_->text(TextField::kSourceFormat) == kGluingFormat && !reasoning().known && !shown.text.empty() && shown.markup.closed == 0 && !tags.closed) {
    if (tags.opened) thought_ = {State::kFound, Confidence::kCertain, Severity::kFail, Part::kText, 0, shown.text.size(), "token_ids"};
    else thought_.unclosed = State::kUnknown;
  }
}

const Scripts& Features::scripts(const TextPart& part) const {
  const size_t i = part.part == Part::kReasoning ? 1 : 0;
  if (!memory_->scripts_read[i]) read_scripts(part.text, part.markup, &memory_->scripts[i]);
  memory_->scripts_read[i] = true;
  return memory_->scripts[i];
}

const WordWindows& Features::words(const TextPart& part) const {
  const size_t i = part.part == Part::kReasoning ? 1 : 0;
  if (!memory_->words_read[i]) read_word_windows(part.text, part.markup.code, &memory_->words[i]);
  memory_->words_read[i] = true;
  return memory_->words[i];
}

const TokenSigns& Features::signs() const {
  if (!memory_->signs_read) memory_->signs = read_token_signs(*sample_, vocab_);
  memory_->signs_read = true;
  return memory_->signs;
}

bool Features::prompt_opens_thought() const {
  if (!sample_->has(TextField::kPromptText)) return false;
  std::string_view prompt = sample_->text(TextField::kPromptText);
  prompt = prompt.substr(0, prompt.find_last_not_of(" \t\r\n") + 1);
  const auto opens = [&](const ThinkTag& family) {
    return prompt.size() >= family.open.size() && prompt.substr(prompt.size() - family.open.size()) == family.open;
  };
  return std::any_of(think_tags().begin(), think_tags().end(), opens);
}

void Features::read_loops() {
  LoopContext context{ending_, sample_->integer(IntField::kIgnoreEos, 0) != 0, &memory_->prompt};
  std::vector<Loop>& loops = memory_->loops;
  for (const TextPart& part : parts_) {
    if (part.text.empty() || part.decoded) continue;
    LoopPlace place{part.part, part.part == Part::kText || answer_blank_, part.part == Part::kText ? part.markup.answer_begin : part.text.size()};
    find_text_loops(part.text, place, context, &memory_->runs, &memory_->found, &loops);
  }
  if (ids_.empty()) return;
  const bool only_ids = !any_text() || text().decoded;
  const size_t visible = only_ids ? 0 : text().text.size() + reasoning().text.size();
  const auto tail = std::find_if(loops.begin(), loops.end(), [](const Loop& loop) { return loop.tail; });
  if (tail == loops.end() && ids_.size() <= visible) return;
  const size_t first = loops.size();
  find_token_loops(ids_, vocab_, context, &memory_->runs, &memory_->found, &memory_->unit, &loops);
  if (only_ids) return;
  // Beside a text, ids tell where its loop is in tokens, and what does not show in it: tokens that leave no bytes.
  const size_t text_tail = static_cast<size_t>(std::find_if(loops.begin(), loops.end(), [](const Loop& loop) { return loop.tail; }) - loops.begin());
  size_t kept = first;
  for (size_t i = first; i < loops.size(); ++i) {
    if (loops[i].tail && text_tail < first) {
      loops[text_tail].in_tokens = loops[i].run;
    } else if (loops[i].run.cover() > visible) {
      loops[i].reason = loops[i].severity == Severity::kInfo ? loops[i].reason : "no_text";
      loops[kept++] = loops[i];
    }
  }
  loops.resize(kept);
}

Finding Features::place(const TextPart& part, size_t at, size_t size) const {
  Finding finding;
  finding.part = part.part;
  finding.onset_byte = static_cast<int64_t>(at);
  finding.length_bytes = static_cast<int64_t>(size);
  finding.onset_char = static_cast<int64_t>(utf8_count(part.text.substr(0, at)));
  finding.length_chars = static_cast<int64_t>(utf8_count(part.text.substr(at, size)));
  return finding;
}

}  // namespace vaa
