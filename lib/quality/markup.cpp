#include "quality/markup.h"

#include <algorithm>
#include <array>

#include "quality/byte_lanes.h"
#include "quality/roles.h"
#include "text/special_tokens.h"
#include "text/think_tags.h"

namespace vaa {
namespace {

bool is_mark(char c) { return c == '<' || c == '[' || c == '`' || c == '~'; }

// What a tag can go on with behind its < or [: a quick no for most of them.
bool may_begin_tag(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at + 1]);
  if (text[at] == '[') return c == 'T' || c == '/' || c == 'P' || c == 'U' || c == 'I' || c == 'u';
  return c == '/' || c == '|' || c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The next byte from `at` on that may begin a tag or code.
size_t next_mark(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (at + kLanes <= text.size()) {
      const ByteLanes v = load_lanes(text.data() + at);
      if (!any_lane((v == '<') | (v == '[') | (v == '`') | (v == '~'))) {
        at += kLanes;
        continue;
      }
    }
    const size_t end = std::min(at + kLanes, text.size());
    for (; at < end; ++at)
      if (is_mark(text[at]) && (text[at] == '`' || text[at] == '~' || may_begin_tag(text, at))) return at;
  }
  return text.size();
}

size_t run_length(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] == text[at]) ++end;
  return end - at;
}

class MarkupReader {
 public:
  MarkupReader(std::string_view text, Prompt* prompt, MarkupMemory* memory, Markup* out)
      : text_(text), first_(text.find_first_not_of(" \t\r\n")), prompt_(prompt), code_(&memory->code), calls_(&memory->calls), out_(out) {}

  void run() {
    size_t at = next_mark(text_, 0);
    while (at < text_.size()) at = next_mark(text_, text_[at] == '<' || text_[at] == '[' ? tag(at) : ticks(at));
    if (!thinking_) out_->open_at = Markup::kNone;
    end_fence(text_.size());
    out_->code = *code_;
    out_->calls = *calls_;
  }

 private:
  bool stands_at_line_start(size_t at) const {
    size_t i = at;
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '\t' || text_[i - 1] == '>')) --i;
    return i == 0 || text_[i - 1] == '\n' || text_[i - 1] == '\r';
  }
  // A run of back ticks or tildes: a fence, or a code span that is skipped, or nothing. Returns where to go on.
  size_t ticks(size_t at) {
    const size_t size = run_length(text_, at), end = at + size;
    if (size >= 3 && stands_at_line_start(at)) {
      const size_t line_end = std::min(text_.find('\n', end), text_.size());
      const std::string_view info = text_.substr(end, line_end - end);
      if (fence_ == 0) {
        if (text_[at] == '~' || info.find('`') == std::string_view::npos) {
          fence_ = size;
          fence_mark_ = text_[at];
          fence_at_ = at;
          return line_end;
        }
      } else if (text_[at] == fence_mark_ && size >= fence_ && info.find_first_not_of(" \t\r") == std::string_view::npos) {
        end_fence(end);
        return line_end;
      }
    }
    return fence_ || text_[at] == '~' ? end : span(end, size);
  }
  // The end of the code span that `size` back ticks before `begin` open, or `begin` where the paragraph has no such run any more. What is known to be absent is not
  // looked for again, so the search is linear for each size.
  size_t span(size_t begin, size_t size) {
    if (size > kMaxTicks || absent_until_[size] > begin) return begin;
    size_t at = begin;
    while (at < text_.size()) {
      if (text_[at] == '`') {
        const size_t run = run_length(text_, at);
        if (run == size) {
          code_->push_back({begin - size, at + run - (begin - size)});
          return at + run;
        }
        at += run;
      } else if (text_[at] == '\n' && at + 1 < text_.size() && text_[at + 1] == '\n') {
        break;
      } else {
        ++at;
      }
    }
    absent_until_[size] = at;
    return begin;
  }

  bool code() const { return fence_ != 0; }
  void end_fence(size_t end) {
    if (fence_) code_->push_back({fence_at_, end - fence_at_});
    fence_ = 0;
  }
  bool quoted(size_t at, size_t size) const {
    const auto is_quote = [](std::string_view s) { return s == "\"" || s == "'"; };
    const auto before = [&](std::string_view s) { return at >= s.size() && text_.compare(at - s.size(), s.size(), s) == 0; };
    const auto after = [&](std::string_view s) { return text_.compare(at + size, s.size(), s) == 0; };
    if (at > 0 && at + size < text_.size() && is_quote(text_.substr(at - 1, 1))) return is_quote(text_.substr(at + size, 1));
    return (before("“") && after("”")) || (before("「") && after("」")) || (before("『") && after("』")) || (before("‘") && after("’"));
  }

  // Whether the tag stands there. Its third character tells it from most others.
  bool stands(size_t at, std::string_view tag) const { return at + 2 < text_.size() && text_[at + 2] == tag[2] && text_.compare(at, tag.size(), tag) == 0; }

  size_t tag(size_t at) {
    for (const ThinkTag& family : think_tags()) {
      // A fence that reasoning left open does not hide its end.
      if (stands(at, family.close) && (thinking_ ? closes(family) : !is_turn_end(family) && !code())) {
        close(at, family.close.size());
        return at + family.close.size();
      }
      if (stands(at, family.open)) {
        if (!code() && !quoted(at, family.open.size())) open(at, family);
        return at + family.open.size();
      }
    }
    if (code()) return at + 1;
    if (const size_t size = special_token_size(text_, at)) {
      if (!quoted(at, size)) {
        leak(at, size);
        turn(at, size);
      }
      only_tokens_ = only_tokens_ && text_.find_first_not_of(" \t\r\n", tokens_end_) >= at;
      tokens_end_ = at + size;
      return at + size;
    }
    return paired(at);
  }

  // Only what a turn's end closes is closed by it (<|end|> of harmony channels, which other templates use for other things).
  static bool is_turn_end(const ThinkTag& family) { return family.close == "<|end|>"; }
  bool closes(const ThinkTag& family) const { return is_turn_end(family) == turn_; }

  void open(size_t at, const ThinkTag& family) {
    if (thinking_) return;
    thinking_ = true;
    turn_ = is_turn_end(family);
    out_->open_at = at;
    out_->open_size = family.open.size();
    out_->open_stands = first_ == at ? Markup::Stands::kFirst : stands_at_line_start(at) ? Markup::Stands::kLineStart : Markup::Stands::kInside;
  }
  void close(size_t at, size_t size) {
    if (quoted(at, size)) return;
    if (thinking_) {
      ++out_->closed;
      end_fence(at);
    } else if (out_->orphans++ == 0) {
      out_->orphan = {at, size};
    }
    thinking_ = false;
    out_->answer_begin = at + size;
  }

  bool is_tag(size_t at, std::string_view tag) const {
    if (!stands(at, tag)) return false;
    const size_t end = at + tag.size();
    return end >= text_.size() || tag.back() == '>' || !((text_[end] >= 'a' && text_[end] <= 'z') || text_[end] == '_');
  }
  size_t paired(size_t at) {
    for (size_t i = 0; i < std::size(kPairedTags); ++i) {
      const PairedTag& pair = kPairedTags[i];
      if (is_tag(at, pair.open)) {
        ++depth_[i];
        if (begins_call(at) && !quoted(at, pair.open.size() + 1)) calls_->push_back(at);
        return at + pair.open.size();
      }
      if (!is_tag(at, pair.close)) continue;
      if (depth_[i] > 0) {
        --depth_[i];
      } else if (!quoted(at, pair.close.size())) {
        leak(at, pair.close.size());
      }
      return at + pair.close.size();
    }
    return at + 1;
  }

  bool begins_call(size_t at) const {
    constexpr std::string_view kCall = "<tool_call>", kFunction = "<function=";
    return text_.compare(at, kCall.size(), kCall) == 0 || text_.compare(at, kFunction.size(), kFunction) == 0;
  }

  // The template's mark of a user's turn, or of an assistant's behind something that was said.
  void turn(size_t at, size_t size) {
    const Role role = turn_role(text_, at, size);
    if (role == Role::kNone || (role == Role::kAssistant && only_tokens_ && text_.find_first_not_of(" \t\r\n", tokens_end_) >= at)) return;
    if (out_->turns++ == 0) out_->turn = {at, size};
  }

  void leak(size_t at, size_t size) {
    if (prompt_->contains(text_.substr(at, size))) return;
    if (out_->leaks++ == 0) out_->leak = {at, size};
  }

  static constexpr size_t kMaxTicks = 32;
  std::string_view text_;
  size_t first_;  // byte that is no white space
  Prompt* prompt_;
  std::vector<Place>* code_;
  std::vector<size_t>* calls_;
  Markup* out_;
  size_t fence_ = 0, fence_at_ = 0;
  char fence_mark_ = 0;
  bool thinking_ = false, turn_ = false;
  bool only_tokens_ = true;  // nothing but special tokens and white space was read
  size_t tokens_end_ = 0;    // behind the last special token
  std::array<size_t, kMaxTicks + 1> absent_until_{};
  std::array<int64_t, std::size(kPairedTags)> depth_{};
};

}  // namespace

void read_markup(std::string_view text, Prompt* prompt, MarkupMemory* memory, Markup* out) {
  *out = Markup();
  memory->code.clear();
  memory->calls.clear();
  MarkupReader(text, prompt, memory, out).run();
}

}  // namespace vaa
