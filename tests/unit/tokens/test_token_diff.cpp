#include "tokens/token_diff.h"

#include <cmath>

#include "base/failure.h"
#include "catch.h"
#include "made_ids.h"
#include "tokens/prompt_difference.h"

using namespace vaa;

TEST_CASE("diff: the same sequences, and empty ones", "[tokens]") {
  TokenDiff diff({});
  const IdList ids = {5, 6, 7, 8}, none;
  const Divergence same = diff.run(ids, ids, -1);
  CHECK(same.first_divergence == -1);
  CHECK(same.prefix == 4);
  CHECK(same.levenshtein == 0);
  CHECK(same.lcs == 4);
  CHECK(same.prefix_ratio == 1);
  CHECK_FALSE(same.length_only);
  const Divergence empty = diff.run(none, none, -1);
  CHECK(empty.prefix_ratio == 1);
  CHECK(empty.normalized_levenshtein == 0);
  const Divergence cut = diff.run(ids, none, -1);
  CHECK(cut.first_divergence == 0);
  CHECK(cut.length_only);
  CHECK(cut.levenshtein == 4);
  CHECK(cut.prefix_ratio == 0);
}

TEST_CASE("diff: whatever the path, the distances are those of the table", "[tokens]") {
  std::mt19937 random(11);
  TokenDiff diff({});
  for (int i = 0; i < 200; ++i) {
    const uint32_t vocabulary = i % 2 ? 50000 : 8;
    const IdList a = random_ids(&random, 200 + random() % 2500, vocabulary);
    const IdList b = edited(a, &random, i % 3 == 0 ? 5 : random() % 1500, vocabulary);
    const TableDistances want = by_table(a, b);
    const Divergence got = diff.run(a, b, -1);
    CHECK(got.levenshtein == want.levenshtein);
    CHECK(got.lcs == want.lcs);
    CHECK(got.indel == static_cast<int64_t>(a.size() + b.size()) - 2 * want.lcs);
    CHECK(got.more_than == -1);
    const int64_t limit = want.levenshtein / 2;
    const Divergence bounded = diff.run(a, b, limit);
    if (want.levenshtein > limit) {
      CHECK(bounded.levenshtein == -1);
      CHECK(bounded.more_than == limit);
      CHECK(std::isnan(bounded.normalized_levenshtein));
      CHECK(bounded.first_divergence == got.first_divergence);
    }
    CHECK(diff.run(a, b, want.levenshtein).levenshtein == want.levenshtein);
  }
}

TEST_CASE("diff: every id of 32 bits is an id", "[tokens]") {
  TokenDiff diff({});
  const IdList a = {INT32_MIN, -1, 0, INT32_MAX}, b = {INT32_MIN, -2, 0, INT32_MAX};
  const Divergence d = diff.run(a, b, -1);
  CHECK(d.levenshtein == 1);
  CHECK(d.first_divergence == 1);
  CHECK(d.suffix == 2);
}

TEST_CASE("diff: other ids with the same bytes are told from other bytes, and from ids that no vocabulary has", "[tokens]") {
  const std::string bytes = "ab\n\n\n";  // 0: a, 1: b, 2: \n, 3: \n\n
  const std::vector<int64_t> ends = {1, 2, 3, 5};
  const Vocab vocab(std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()), ends, {});
  TokenDiff diff({}, &vocab);
  CHECK(diff.run(IdList{0, 2, 2, 1}, IdList{0, 3, 1}, -1).same_bytes == 1);
  CHECK(diff.run(IdList{0, 2, 2, 1}, IdList{0, 3, 0}, -1).same_bytes == 0);
  CHECK(diff.run(IdList{0, 2}, IdList{0, 3}, -1).same_bytes == 0);
  CHECK(diff.run(IdList{0, 2}, IdList{0, 9}, -1).same_bytes == -1);
  TokenDiff without({});
  CHECK(without.run(IdList{0, 2, 2}, IdList{0, 3}, -1).same_bytes == -1);
}

TEST_CASE("prompts: each way in which a prompt goes wrong has its class", "[tokens]") {
  TokenDiff diff({});
  IdList prompt = {1};
  for (int32_t i = 0; i < 300; ++i) prompt.push_back(100 + i * 7 % 251);
  const auto with = [&](auto&& change) {
    IdList changed = prompt;
    change(&changed);
    return changed;
  };
  const auto check = [&](const IdList& other, PromptClass want, int32_t longer) {
    const PromptDifference d = prompt_difference(prompt, other, &diff);
    CHECK(std::string(prompt_class_name(d.which)) == prompt_class_name(want));
    CHECK(d.longer == longer);
    const PromptDifference turned = prompt_difference(other, prompt, &diff);
    CHECK(turned.which == want);
    CHECK(turned.longer == (longer == 0 ? 0 : 3 - longer));
  };
  check(prompt, PromptClass::kSame, 0);
  check(with([](IdList* p) { p->insert(p->begin(), 1); }), PromptClass::kBosTwice, 2);
  check(with([](IdList* p) { p->erase(p->begin()); }), PromptClass::kBosMissing, 1);
  check(with([](IdList* p) { p->resize(p->size() - 3); }), PromptClass::kGenerationPrompt, 1);
  check(with([](IdList* p) { p->resize(100); }), PromptClass::kCutRight, 1);
  check(with([](IdList* p) { p->erase(p->begin(), p->begin() + 60); }), PromptClass::kCutLeft, 1);
  check(with([](IdList* p) { p->insert(p->begin() + 20, 40, 9); }), PromptClass::kBlockInserted, 2);
  check(with([](IdList* p) { std::fill(p->begin() + 20, p->begin() + 30, 9); }), PromptClass::kBlockReplaced, 0);
  check(with([](IdList* p) { for (size_t i = 3; i < p->size(); i += 9) (*p)[i] = 9; }), PromptClass::kOther, 0);
}
