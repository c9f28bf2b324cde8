// The monitor: its state by definition, at every length, for every way of cutting the stream.
#include <algorithm>
#include <functional>
#include <random>

#include "base/failure.h"
#include "catch.h"
#include "judging.h"
#include "quality/loops.h"
#include "quality/monitor.h"
#include "text/utf8.h"

using namespace vaa;
using judging::prose;
using judging::times;

namespace {

constexpr auto kNothing = MonitorState::kNothing, kSuspected = MonitorState::kSuspected, kLoop = MonitorState::kLoop;

MonitorOptions options(std::string_view json = "") { return monitor_options(json); }

MonitorState after(std::string_view text, std::string_view json = "") {
  Monitor monitor(options(json), nullptr);
  return monitor.push_text(text);
}

// Pushed symbol by symbol: the length at which a state is reached first, 0 where it never is.
size_t first_at(std::string_view text, MonitorState state, std::string_view json = "") {
  Monitor monitor(options(json), nullptr);
  for (size_t i = 0; i < text.size(); ++i)
    if (monitor.push_text(text.substr(i, 1)) == state) return i + 1;
  return 0;
}
size_t first_at(std::span<const int32_t> ids, MonitorState state, std::string_view json = "", const Vocab* vocab = nullptr) {
  Monitor monitor(options(json), vocab);
  for (size_t i = 0; i < ids.size(); ++i)
    if (monitor.push_ids(ids.subspan(i, 1)) == state) return i + 1;
  return 0;
}

// All different.
std::vector<int32_t> counting(size_t n, int32_t from = 1000) {
  std::vector<int32_t> out(n);
  for (size_t i = 0; i < n; ++i) out[i] = from + static_cast<int32_t>(i);
  return out;
}
std::vector<int32_t> then_loop(size_t before, size_t period, size_t length) {
  std::vector<int32_t> out = counting(before);
  for (size_t i = 0; i < length; ++i) out.push_back(static_cast<int32_t>(i % period));
  return out;
}

// docs/monitor.md, in words of the whole-text search: the widest run at the end and what it amounts to.
MonitorState by_definition(std::string_view text) {
  RunScratch scratch;
  const Run run = find_tail_run(std::span<const uint8_t>(reinterpret_cast<const uint8_t*>(text.data()), text.size()), &scratch);
  if (run.period == 0) return kNothing;
  const LoopUnit unit = read_unit(text.substr(run.begin, run.period));
  const size_t cover = std::min(run.cover(), unit.squeezed * (run.count() + 1));
  const bool words = unit.words && !unit.weak && !unit.data;
  if (words ? (run.count() >= 10 && cover >= (unit.brief ? 1500u : 600u)) || (run.count() >= 4 && cover >= 4000) : run.count() >= 100 && cover >= 4096) return kLoop;
  return run.count() >= (unit.words ? 4u : 20u) && cover >= 100 ? kSuspected : kNothing;
}

// Texts of loops that begin, break off and begin again, of few symbols.
std::string random_stream(std::mt19937& random, size_t size) {
  const std::string_view letters = random() % 4 == 0 ? "ab" : random() % 2 ? "abcde fgh" : "-=# |";
  std::string out;
  while (out.size() < size) {
    std::string unit(1 + random() % (random() % 3 == 0 ? 400 : 20), ' ');
    for (char& c : unit) c = letters[random() % letters.size()];
    out += times(unit, 1 + random() % (random() % 3 == 0 ? 60 : 6));
    if (random() % 3 == 0) out += prose(random() % 3);
  }
  return out.substr(0, size);
}

std::string described(const Monitor& monitor) { return monitor.report(); }

// Feeds the text in pieces of the sizes that `size` gives.
std::string cut(std::string_view text, const std::function<size_t()>& size, std::string_view json) {
  Monitor monitor(options(json), nullptr);
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, size());
    monitor.push_text(piece);
    text.remove_prefix(piece.size());
  }
  return described(monitor);
}

}  // namespace

TEST_CASE("monitor: at each doubling of the length the state is that of the whole-text search and the rule", "[quality]") {
  std::mt19937 random(7);
  size_t reached[3] = {};
  for (int round = 0; round < 200; ++round) {
    const std::string text = random_stream(random, 1 << 13);
    Monitor monitor(options(), nullptr);
    size_t pushed = 0;
    for (size_t size = 64; size <= text.size(); size *= 2) {
      const MonitorState state = monitor.push_text(std::string_view(text).substr(pushed, size - pushed));
      pushed = size;
      if (state == kLoop && by_definition(std::string_view(text).substr(0, size)) != kLoop) break;  // it was one before this length, and that stays
      REQUIRE(state == by_definition(std::string_view(text).substr(0, size)));
      ++reached[static_cast<size_t>(state)];
      if (state == kLoop) break;
    }
  }
  for (const size_t times_reached : reached) CHECK(times_reached >= 20);
}

TEST_CASE("monitor: a loop is found by an eighth of its length after the rule first holds, and never before", "[quality]") {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    const size_t begin = random() % 5000, period = 1 + random() % (round % 2 ? 40 : 1500);
    std::string unit = prose(40).substr(random() % 100, period);
    const std::string text = prose(200).substr(0, begin) + "#" + times(unit, 6000 / period + 6);
    size_t holds = 0;
    for (size_t n = begin; n <= text.size() && holds == 0; ++n)
      if (by_definition(std::string_view(text).substr(0, n)) == kLoop) holds = n;
    const size_t found = first_at(text, kLoop);
    INFO(begin << " + " << period << ": holds at " << holds << ", found at " << found);
    if (holds == 0) {
      REQUIRE(found == 0);
      continue;
    }
    REQUIRE(found >= holds);
    REQUIRE(found - holds <= std::max<size_t>((holds - begin) / 8, TailFollower<uint8_t>::kStep));
  }
}

TEST_CASE("monitor: a loop of 30 ids begun at 600 is a loop at 900, one of 5 at 750", "[quality]") {
  CHECK(first_at(then_loop(600, 30, 1000), kLoop) == 900);
  CHECK(first_at(then_loop(600, 5, 1000), kLoop) == 750);
  Monitor monitor(options(), nullptr);
  CHECK(monitor.push_ids(then_loop(600, 30, 299)) == kSuspected);
  CHECK(monitor.push_ids(std::vector<int32_t>{29}) == kLoop);
  const Finding found = *monitor.finding();
  CHECK(found.onset_token == 600);
  CHECK(found.length_tokens == 300);
  CHECK(found.period_tokens == 30);
  CHECK(found.count == 10);
  CHECK(found.measure == 300);
  CHECK(found.threshold == 300);
  CHECK(found.severity == Severity::kFail);
  CHECK(found.confidence == Confidence::kSuspected);  // without a vocabulary
}

TEST_CASE("monitor: how the stream is cut changes nothing, with characters cut anywhere and any bytes", "[quality]") {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::string text = random_stream(random, 3000) + times("水面很静，\xF0\x9F\x8C\x8A 然后。", random() % 80);
    for (int i = 0; i < 3; ++i) text[random() % text.size()] = static_cast<char>(random());
    for (const std::string_view json : {"", R"({"counters": true, "min_count": 5, "min_cover": 100})", R"({"prompt": "Write it 12 times."})"}) {
      const std::string whole = cut(text, [&] { return text.size(); }, json);
      REQUIRE(cut(text, [] { return size_t{1}; }, json) == whole);
      REQUIRE(cut(text, [&] { return 1 + random() % 50; }, json) == whole);
      REQUIRE(cut(text, [&] { return 1 + random() % 2000; }, json) == whole);
    }
  }
}

TEST_CASE("monitor: onset and lengths are those of the text, in bytes and characters", "[quality]") {
  const std::string before = prose(3) + "水", unit = "然后我们继续，";
  const std::string text = before + times(unit, 40) + "然";
  Monitor monitor(options(), nullptr);
  REQUIRE(monitor.push_text(text) == kLoop);
  const Finding found = *monitor.finding();
  CHECK(found.onset_byte == static_cast<int64_t>(before.size()));
  CHECK(found.length_bytes == static_cast<int64_t>(text.size() - before.size()));
  CHECK(found.onset_char == static_cast<int64_t>(utf8_count(before)));
  CHECK(found.length_chars == 40 * 7 + 1);
  CHECK(found.period_bytes == 21);
  CHECK(found.period_chars == 7);
  CHECK(found.count == 40);
  CHECK(found.part == Part::kText);
  CHECK(found.confidence == Confidence::kCertain);
  CHECK(monitor.report().find("然后我们继续") != std::string::npos);
}

TEST_CASE("monitor: what is suspected is forgotten when the answer goes on; a loop stays, and its length ends where it ended", "[quality]") {
  Monitor monitor(options(), nullptr);
  const std::string few = times("and then it rained again. ", 6), many = times("and then it rained again. ", 40);
  CHECK(monitor.push_text(prose(4) + few) == kSuspected);
  CHECK(monitor.push_text("But the next day was dry, and nobody spoke of it:") == kNothing);
  CHECK(!monitor.finding());
  CHECK(monitor.push_text(many) == kLoop);
  CHECK(monitor.push_text("But the next day was dry.") == kLoop);
  CHECK(monitor.finding()->length_bytes == static_cast<int64_t>(many.size()));
  CHECK(monitor.push_text(many) == kLoop);
  CHECK(monitor.finding()->length_bytes == static_cast<int64_t>(many.size()));
  monitor.reset();
  CHECK(monitor.state() == kNothing);
  CHECK(monitor.push_ids(counting(100)) == kNothing);
}

TEST_CASE("monitor: a loop of a long passage and one that hides behind a shorter one are found", "[quality]") {
  const std::string passage = prose(30);  // about 2,000 bytes
  CHECK(after(prose(5) + times(passage, 4).substr(0, 3 * passage.size())) == kNothing);
  CHECK(first_at(prose(5) + "#" + times(passage, 5), kLoop) <= prose(5).size() + 1 + 4 * passage.size() + passage.size() / 2);
  std::string unit = times("ab", 60) + "c" + times("ab", 59) + "d. The same again. ";
  CHECK(after(prose(5) + times(unit, 30)) == kLoop);
}

TEST_CASE("monitor: ten thousand tokens of a passage that comes back after the longest unit are no loop", "[quality]") {
  std::vector<int32_t> ids = counting(17000);
  const std::vector<int32_t> unit = ids;
  for (int i = 0; i < 5; ++i) ids.insert(ids.end(), unit.begin(), unit.end());
  CHECK(first_at(ids, kSuspected) == 0);
  CHECK(first_at(then_loop(70000, 16000, 5 * 16000), kLoop) != 0);
}

TEST_CASE("monitor: a few copies of a sentence, as thoughts restate it, are no reason to stop", "[quality]") {
  const std::string sentence = "Wait, let me reconsider whether the two trains meet before the second one stops at the bridge near the old mill. ";
  CHECK(after(prose(10) + times(sentence, 8)) == kSuspected);
  CHECK(after(prose(10) + times(sentence + sentence.substr(0, 50) + "so then. ", 8)) == kSuspected);
  CHECK(after(prose(10) + times(sentence, 10)) == kLoop);
}

TEST_CASE("monitor: rules, tables of numbers, zeros and white space need far more, single letters too", "[quality]") {
  CHECK(after(prose(2) + times("-", 1230)) == kSuspected);
  CHECK(after(prose(2) + times("| 0 ", 400)) == kSuspected);
  CHECK(after(prose(2) + times("A", 3000)) == kSuspected);
  CHECK(after(prose(2) + times("NULL, ", 300)) == kSuspected);
  CHECK(after(prose(2) + times("{\"ok\": true}, ", 200)) == kSuspected);
  CHECK(after(prose(2) + "#" + times("na ", 400)) == kSuspected);
  CHECK(after(prose(2) + "#" + times("na ", 600)) == kLoop);
  CHECK(after(prose(2) + times("\n", 3000)) == kSuspected);
  CHECK(after(prose(2) + times("!", 5000)) == kLoop);
  CHECK(after(prose(2) + times(" \n\t", 5000)) == kLoop);
  CHECK(after(prose(2) + times("-", 19)) == kNothing);
}

TEST_CASE("monitor: with a vocabulary ids are read, without one a unit of one or two ids counts as symbols", "[quality]") {
  std::vector<std::string> tokens(1200);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = " w" + std::to_string(i) + "ord";
  tokens[0] = "----";
  tokens[1] = " there";
  tokens[2] = "|";
  const Vocab vocab = judging::make_vocab(tokens, {});
  const auto ids = [](std::vector<int32_t> unit, size_t copies) {
    std::vector<int32_t> out;
    for (size_t i = 0; i < copies; ++i) out.insert(out.end(), unit.begin(), unit.end());
    return out;
  };
  CHECK(first_at(ids({1}, 2000), kLoop, "", &vocab) == 150);
  CHECK(first_at(ids({0}, 2000), kLoop, "", &vocab) == 1024);
  CHECK(first_at(ids({0, 2, 0}, 2000), kLoop, "", &vocab) == 1024);
  CHECK(first_at(ids({1}, 2000), kLoop) == 1024);
  CHECK(first_at(ids({1, 5}, 2000), kLoop) == 1024);
  CHECK(first_at(ids({1, 5, 6}, 2000), kLoop) == 150);
  Monitor monitor(options(), &vocab);
  monitor.push_ids(ids({1}, 200));
  CHECK(monitor.finding()->confidence == Confidence::kCertain);
  CHECK(monitor.report().find("\"excerpt\": \" there\"") != std::string::npos);
}

TEST_CASE("monitor: a unit mostly outside the vocabulary is read as without one, and suspected", "[quality]") {
  const Vocab vocab = judging::make_vocab({" a", " word", " there"}, {});
  const auto confidence = [&](std::vector<int32_t> unit) {
    std::vector<int32_t> ids;
    for (int i = 0; i < 600; ++i) ids.insert(ids.end(), unit.begin(), unit.end());
    Monitor monitor(options(), &vocab);
    monitor.push_ids(ids);
    REQUIRE(monitor.finding());
    return monitor.finding()->confidence;
  };
  CHECK(confidence({0, 1, 2}) == Confidence::kCertain);
  CHECK(confidence({0, 1, 90000}) == Confidence::kCertain);
  CHECK(confidence({0, 90000, -1}) == Confidence::kSuspected);
  CHECK(confidence({7, 8, 9}) == Confidence::kSuspected);
}

TEST_CASE("monitor: ids of any value are symbols", "[quality]") {
  std::vector<int32_t> ids;
  for (int i = 0; i < 400; ++i) ids.insert(ids.end(), {INT32_MIN, -1, INT32_MAX});
  CHECK(first_at(ids, kLoop) == 150);
}

TEST_CASE("monitor: what the prompt asks for goes on until it was given, and then is a loop", "[quality]") {
  const std::string prompt = R"({"prompt": "Write 'I will not chew gum in class' one hundred times, a line each."})", unit = "I will not chew gum in class\n";
  CHECK(asked_copies("Repeat the word 25 times") == 25);
  CHECK(asked_copies("请把这句话重复写五十遍") == 50);
  CHECK(asked_copies("In 2024 there were some people who had 3 apples, and sometimes 7 lines") == 7);
  CHECK(asked_copies("Give me 300 words") == 0);
  CHECK(after(times(unit, 100), prompt) == kSuspected);
  CHECK(first_at(times(unit, 200), kLoop, prompt) == 102 * unit.size());
  Monitor monitor(options(prompt), nullptr);
  monitor.push_text(times(unit, 50));
  CHECK(monitor.finding()->severity == Severity::kInfo);
  CHECK(monitor.finding()->reason == std::string("asked"));
}

TEST_CASE("monitor: a loop that the prompt holds may be quoted as far as it goes", "[quality]") {
  const std::string row = "status ok and ready; ", held = times(row, 60);
  const std::string prompt = "{\"prompt\": \"Translate this log: " + held + "\"}";
  CHECK(after(held, prompt) == kSuspected);
  CHECK(after(times(row, 400), prompt) == kLoop);
}

TEST_CASE("monitor: loops whose numbers change are found where counters asks for it", "[quality]") {
  std::string text = prose(3);
  const size_t begin = text.size();
  for (int i = 1; i <= 300; ++i) text += std::to_string(i) + ". The cat sat on the mat and looked at the door. ";
  CHECK(after(text) == kNothing);
  Monitor monitor(options(R"({"counters": true})"), nullptr);
  REQUIRE(monitor.push_text(text) == kLoop);
  const Finding found = *monitor.finding();
  CHECK(found.onset_byte >= static_cast<int64_t>(begin) - 3);
  CHECK(found.onset_byte <= static_cast<int64_t>(begin) + 2);
  CHECK(found.onset_byte + found.length_bytes == static_cast<int64_t>(text.size()));
  CHECK(found.count >= 299);
  std::string table, data, code;
  for (int i = 0; i < 300; ++i) {
    table += "<tr><td>" + std::to_string(i * 7919 % 1000) + "</td><td>" + std::to_string(i) + "</td></tr>\n";
    data += "{\"year\": " + std::to_string(1900 + i) + ", \"people\": " + std::to_string(i * 7919) + "},\n";
    code += "\tPINCTRL_PIN(" + std::to_string(i) + ", \"GPIO_" + std::to_string(i) + "\"),\n";
  }
  for (const std::string& rows : {table, data, code}) CHECK(after(rows, R"({"counters": true})") == kNothing);
  CHECK_THROWS_AS(Monitor(options(R"({"counters": true})"), nullptr).push_ids(counting(1)), Failure);
}

TEST_CASE("monitor: options move the lengths", "[quality]") {
  const size_t soon = first_at(then_loop(50, 10, 200), kLoop, R"({"min_count": 4, "min_cover": 40})");
  CHECK(soon >= 90);
  CHECK(soon <= 90 + TailFollower<int32_t>::kStep);
  CHECK(first_at(then_loop(50, 400, 4000), kLoop, R"({"long_cover": 100000, "min_count": 1000})") == 0);
  CHECK(first_at(then_loop(50, 1, 4000), kLoop, R"({"symbols_cover": 300})") == 350);
  CHECK(first_at(then_loop(50, 400, 4000), kSuspected, R"({"max_period": 256})") == 0);
  for (const char* wrong : {R"({"min_count": 3})", R"({"max_period": 20000})", R"({"min_coverage": 1})", R"({"counters": 1})", R"({"min_cover": 1e9})"})
    CHECK_THROWS_AS(options(wrong), Failure);
}

TEST_CASE("monitor: after the first chunk nothing is allocated, through loops of every kind and a reset", "[quality]") {
  std::mt19937 random(5);
  std::string text;
  for (int i = 0; i < 40; ++i) text += random_stream(random, 10000);
  const std::vector<int32_t> ids(text.begin(), text.end());
  Monitor texts(options(R"({"counters": true, "prompt": "Write it 12 times."})"), nullptr), tokens(options(), nullptr);
  texts.push_text("a");
  tokens.push_ids(std::span<const int32_t>(ids).first(1));
  const int64_t before = judging::allocation_count();
  for (int round = 0; round < 2; ++round) {
    for (size_t at = 0; at + 100 <= text.size(); at += 100) {
      if (texts.push_text(std::string_view(text).substr(at, 100)) == kLoop) texts.reset();
      if (tokens.push_ids(std::span<const int32_t>(ids).subspan(at, 100)) == kLoop) tokens.reset();
    }
  }
  CHECK(judging::allocation_count() == before);
}

TEST_CASE("monitor: ids and text do not mix until a reset; nothing is nothing", "[quality]") {
  Monitor monitor(options(), nullptr);
  CHECK(monitor.push_text("") == kNothing);
  CHECK(monitor.push_ids({}) == kNothing);
  monitor.push_text("a");
  CHECK_THROWS_WITH(monitor.push_ids(counting(1)), "chunk: ids after text: a monitor takes ids or text, not both, until it is reset");
  CHECK(monitor.push_ids({}) == kNothing);
  monitor.reset();
  monitor.push_ids(counting(1));
  CHECK_THROWS_WITH(monitor.push_text("a"), "chunk: text after ids: a monitor takes ids or text, not both, until it is reset");
}
