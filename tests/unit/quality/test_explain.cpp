#include "quality/explain.h"

#include <algorithm>

#include "base/failure.h"
#include "catch.h"
#include "quality/detector.h"
#include "quality/run/run_check.h"
#include "report/document.h"
#include "text/utf8.h"

using namespace vaa;

namespace {

// The text outside code spans.
std::string prose(std::string_view text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    else if (!code) out += c;
  }
  CHECK(!code);
  return out;
}

// The most words of plain lower-case English in a row.
int english_words(const std::string& text) {
  int run = 0, longest = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at), text.size());
    const bool word = end > at && (end == text.size() || text[end] == ' ' || static_cast<unsigned char>(text[end]) >= 0x80);
    run = word ? run + 1 : 0;
    longest = std::max(longest, run);
    at = end > at ? end : at + 1;
  }
  return longest;
}

// Han characters and full-width punctuation.
size_t wide_characters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    count += step.code >= 0x2E80;
    at += step.size;
  }
  return count;
}

}  // namespace

TEST_CASE("explain: every flag and every check of a run has all five texts in both languages, of a readable length", "[quality]") {
  const std::vector<Explained> rows = explained_rows();
  REQUIRE(rows.size() == detector_table().size() + run_check_table().size());
  for (const Explained& row : rows) {
    const Explanation& told = *row.explanation;
    CHECK((*row.title.en && *row.title.zh));
    for (const Words& words : {row.summary, told.rule, told.calibration, told.traps, told.causes, told.next}) {
      INFO(row.name << ": " << words.en << " / " << words.zh);
      const std::string en = prose(words.en), zh = prose(words.zh);
      CHECK(*words.en != '\0');
      CHECK(*words.zh != '\0');
      CHECK(utf8_count(words.en) <= 950);
      CHECK(utf8_count(words.zh) <= 950);
      CHECK(wide_characters(en) * 20 <= utf8_count(en));
      CHECK(wide_characters(zh) * 4 >= utf8_count(zh));
      CHECK(english_words(zh) <= 4);  // "chunk size is less …": terms and messages, no sentence left over
    }
  }
}

TEST_CASE("explain: a name is told in the language that was asked for", "[quality]") {
  const Document en = Document::parse(explanation_json("empty", false)), zh = Document::parse(explanation_json("empty", true));
  const Detector& row = *detector_table()[static_cast<size_t>(find_flag("empty"))];
  CHECK(en["name"].text() == "empty");
  CHECK(en["kind"].text() == "flag");
  CHECK(en["severity"].text() == "fail");
  CHECK(en["ceiling"].number() == row.ceiling);
  CHECK(en["rule"].text() == row.explanation.rule.en);
  CHECK(zh["rule"].text() == row.explanation.rule.zh);
  CHECK(zh["next"].text() == row.explanation.next.zh);
  const Document check = Document::parse(explanation_json("missing_repeats", false));
  CHECK(check["kind"].text() == "run");
  CHECK(!check["severity"].there());
}

TEST_CASE("explain: without a name all are told, flags first, in the order of their tables", "[quality]") {
  const Document all = Document::parse(explanation_json("", false));
  REQUIRE(all.items().size() == explained_rows().size());
  CHECK(all.items().front()["name"].text() == detector_table().front()->name);
  CHECK(all.items().back()["name"].text() == run_check_table().back()->name);
}

TEST_CASE("explain: of a name that is unknown the nearest is named, or all where none is near", "[quality]") {
  const auto message = [](std::string_view name) {
    try {
      explanation_json(name, false);
    } catch (const Failure& failure) {
      CHECK(failure.status() == VAA_ERROR_NOT_FOUND);
      return failure.message();
    }
    FAIL("no failure");
    return std::string();
  };
  CHECK(message("Repetition-Lop").find("did you mean repetition_loop?") != std::string::npos);
  CHECK(message("reasoning_missin").find("did you mean reasoning_missing?") != std::string::npos);
  CHECK(message("\x1bq").find("known: repetition_loop, empty,") != std::string::npos);
  CHECK(message("\x1bq").find('\x1b') == std::string::npos);
}
