#include <atomic>
#include <cstdlib>
#include <new>
#include <set>

#include "base/failure.h"
#include "judging.h"
#include "text/utf8.h"

using namespace vaa;
using judging::Given;
using judging::prose;
using judging::times;

namespace {
std::atomic<int64_t> allocations{0};
}
int64_t judging::allocation_count() { return allocations.load(); }

// Not inlined: where only one half of a pair is, gcc takes it for a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }

TEST_CASE("checker: the flags of this version, in their order", "[quality]") {
  const std::vector<std::string> want = {"repetition_loop", "empty",             "truncated",          "replacement_char", "control_char",        "invalid_unicode",
                                         "think_unclosed",  "think_orphan_close", "special_token_leak", "no_final_answer",  "answer_not_extracted"};
  const auto table = detector_table();
  REQUIRE(table.size() >= want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    CHECK(table[i]->name == want[i]);
    CHECK(find_flag(want[i]) == static_cast<int>(i));
  }
  CHECK(find_flag("") == -1);
  CHECK(find_flag("repetition_loo") == -1);
}

TEST_CASE("checker: every row is whole", "[quality]") {
  std::set<std::string> names;
  for (const Detector* row : detector_table()) {
    INFO(row->name);
    CHECK(names.insert(row->name).second);
    CHECK(row->ceiling > 0);
    CHECK(row->account >= -1);
    CHECK(row->account <= 6);
    CHECK(row->detect != nullptr);
    for (const Words& words : {row->title, row->summary}) {
      CHECK(std::string(words.en).size() > 2);
      CHECK(std::string(words.zh).size() > 2);
      CHECK(std::string(words.en) != words.zh);
    }
  }
}

TEST_CASE("checker: options", "[quality]") {
  const Checker all("", nullptr);
  CHECK(all.enabled(0));
  CHECK(all.max_excerpt() == 120);
  const Checker some(R"({"flags":["empty","truncated"],"max_excerpt":0})", nullptr);
  CHECK(some.enabled(find_flag("empty")));
  CHECK_FALSE(some.enabled(find_flag("repetition_loop")));
  CHECK(some.max_excerpt() == 0);
  Judgement judgement;
  some.judge(Given().text(std::string(900, '!')).finish("length").sample, some.new_scratch().get(), &judgement);
  CHECK(judgement.found == uint64_t{1} << find_flag("truncated"));
  some.judge(Given().sample, some.new_scratch().get(), &judgement);
  CHECK(judgement.unknown == ((uint64_t{1} << find_flag("truncated")) | (uint64_t{1} << find_flag("empty"))));
  const auto refused = [](const char* options) {
    try {
      const Checker checker(options, nullptr);
    } catch (const Failure& failure) {
      CHECK(failure.status() == VAA_ERROR_OPTION);
      return failure.message();
    }
    return std::string();
  };
  CHECK(refused(R"({"flags":["emty"]})").find("flags: \"emty\" is no flag; did you mean empty? known: repetition_loop, empty") == 0);
  CHECK(refused(R"({"flag":["empty"]})").find("flag") != std::string::npos);
  CHECK(refused(R"({"max_excerpt":4097})").find("max_excerpt") != std::string::npos);
}

TEST_CASE("checker: nothing to judge leaves every flag unknown", "[quality]") {
  const uint64_t every = (uint64_t{1} << detector_table().size()) - 1;
  CHECK(Given().judge().judgement().unknown == every);
  CHECK(Given().prompt("x").finish("length").judge().judgement().unknown == every);
  CHECK(Given().set(TextField::kErrorMessage, "refused").judge().judgement().unknown == every);
  CHECK(Given().text("").set(TextField::kErrorMessage, "refused").judge().judgement().unknown == every);
  CHECK(Given().text("5").ids({1}).set(IntField::kForcedFrom, 3).finish("length").judge().judgement().unknown == every);
  CHECK(Given().judge().judgement().output_bytes == -1);
}

TEST_CASE("checker: a failed request with a part of an answer is judged", "[quality]") {
  const auto said = Given().text("<think>It").finish("abort").set(TextField::kErrorMessage, "reset").judge();
  CHECK(said.found("think_unclosed"));
  CHECK(said.found("truncated"));
}

TEST_CASE("checker: lengths", "[quality]") {
  const auto said = Given().text("水 is").reasoning("so").ids({1, 2, 3}).judge();
  CHECK(said.judgement().output_bytes == 8);
  CHECK(said.judgement().output_chars == 6);
  CHECK(said.judgement().output_tokens == 3);
  CHECK(Given().text("x").ids({1, 2, 3}).set(IntField::kCompletionTokens, 9).judge().judgement().output_tokens == 9);
  CHECK(Given().text("x").judge().judgement().output_tokens == -1);
  CHECK(Given().ids({1}).judge().judgement().output_bytes == -1);
}

TEST_CASE("checker: findings stand in the table's order, within a flag by part and onset", "[quality]") {
  const std::string mess = "a\x01 <|im_end|> \xEF\xBF\xBD " + times("again and again ", 60) + prose(2) + times("once more, then ", 60) + prose(1);
  const auto said = Given().text(mess).reasoning(mess).finish("length").judge();
  const std::vector<Finding>& findings = said.judgement().findings;
  REQUIRE(findings.size() > 8);
  for (size_t i = 1; i < findings.size(); ++i) {
    const Finding &a = findings[i - 1], &b = findings[i];
    CHECK((a.flag < b.flag || (a.flag == b.flag && (a.part < b.part || (a.part == b.part && a.onset_byte <= b.onset_byte)))));
  }
}

TEST_CASE("checker: judging the same again gives the same, and allocates nothing", "[quality]") {
  const Vocab vocab = judging::make_vocab({"a", "<think>", "</think>", "<eos>", " word"}, {3});
  const Checker checker("", &vocab);
  std::vector<Sample> samples;
  const std::string messages = R"([{"role":"user","content":"Choose A, B, C or D. Answer in \\boxed{}, say it 30 times."}])";
  std::vector<int32_t> ids;
  for (int i = 0; i < 4000; ++i) ids.push_back(i % 5);
  for (const std::string& text : {prose(100), prose(3) + times("好的", 900), std::string(5000, '!'), std::string("<think>no end ") + prose(20), std::string("\xEF\xBF\xBD\x01\xFF<|im_end|>"),
                                  std::string(), std::string("It is \\boxed{5}.\nAnswer: 5"), times("`code` <b> [x] ", 400)}) {
    Given given;
    given.text(text).set(TextField::kPromptMessages, messages).set(TextField::kScoreGold, "5").set(TextField::kScoreExtracted, "[invalid]");
    samples.push_back(given.sample);
    given.reasoning(text).ids(ids).finish("length");
    samples.push_back(given.sample);
    samples.push_back(Given().ids(ids).sample);
  }
  const ScratchPointer scratch = checker.new_scratch();
  Judgement judgement;
  std::vector<uint64_t> first;
  for (int round = 0; round < 2; ++round)
    for (const Sample& sample : samples) checker.judge(sample, scratch.get(), &judgement);
  for (const Sample& sample : samples) {
    Judgement alone;
    checker.judge(sample, checker.new_scratch().get(), &alone);
    first.push_back(alone.found);
    first.push_back(alone.unknown);
  }
  std::vector<uint64_t> again(first.size());
  const int64_t before = allocations.load();
  for (size_t i = 0; i < samples.size(); ++i) {
    checker.judge(samples[i], scratch.get(), &judgement);
    again[2 * i] = judgement.found;
    again[2 * i + 1] = judgement.unknown;
  }
  CHECK(allocations.load() == before);
  CHECK(again == first);
}

TEST_CASE("checker: hostile texts", "[quality]") {
  constexpr size_t kSize = 10 << 20;
  const Checker checker("", nullptr);
  const ScratchPointer scratch = checker.new_scratch();
  Judgement judgement;
  const auto judge = [&](const std::string& text) {
    checker.judge(Given().prompt(prose(50)).text(text).reasoning(text).finish("stop").sample, scratch.get(), &judgement);
    for (const Finding& finding : judgement.findings) {
      CHECK(finding.onset_byte + std::max<int64_t>(finding.length_bytes, 0) <= static_cast<int64_t>(text.size()));
      CHECK(finding.onset_char <= finding.onset_byte);
    }
  };
  judge(std::string(kSize, '\0'));
  judge(std::string(kSize, '\xFF'));
  judge(std::string(kSize, '`'));
  judge(std::string(kSize, '<'));
  judge(std::string(kSize, ' '));
  judge(std::string(kSize, '>'));
  judge(times("\xED\xA0\x80", kSize / 3));
  judge(times("</s>", kSize / 4));
  judge(times("<think>", kSize / 7));
  judge(times("<think></think>", kSize / 15));
  judge(times("\n```\n", kSize / 5));
  judge(times("` `` ``` ```` ", kSize / 14));
  judge(times("<|a|>", kSize / 5));
  judge(times("\\boxed{", kSize / 7));
  judge(times("answer: ", kSize / 8));
  judge(std::string(kSize, '{'));
  std::string every;
  for (uint32_t code = 0; code < 0x110000; ++code) utf8_append(&every, code);
  judge(every);
  std::string ticks;
  for (size_t size = 1; ticks.size() < kSize; size = size % 400 + 1) ticks += std::string(size, '`') + " ";
  judge(ticks);
  std::string tokens;
  for (int i = 0; tokens.size() < kSize; ++i) tokens += "<|t" + std::to_string(i) + "|>";
  judge(tokens);
}
