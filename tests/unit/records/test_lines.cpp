#include "catch.h"
#include "reading.h"
#include "records/lines.h"
#include "records/values.h"

using namespace vaa;

namespace {

struct Piece {
  std::string bytes;
  int64_t number, offset;
  bool too_long;
};

std::vector<Piece> split(const std::string& text, size_t chunk, int64_t max_line = 1 << 20, bool bare_cr = false) {
  const reading::TempFolder folder;
  ByteWindow window(std::make_unique<Source>(folder.write("t", text)), chunk);
  LineReader reader(&window, max_line, bare_cr);
  std::vector<Piece> out;
  Line line;
  while (reader.next(&line)) out.push_back({std::string(line.bytes), line.number, line.offset, line.too_long});
  return out;
}

std::vector<std::string> values(const std::string& text, ValueReader::Mode mode, std::string* fault, size_t chunk = 16, int64_t max_value = 1 << 20) {
  const reading::TempFolder folder;
  ByteWindow window(std::make_unique<Source>(folder.write("t", text)), chunk);
  ValueReader reader(&window, mode, max_value);
  std::vector<std::string> out;
  JsonPiece piece;
  while (reader.next(&piece)) out.push_back((piece.key.empty() ? "" : std::string(piece.key) + "=") + (piece.too_long ? "(long)" : std::string(piece.bytes)));
  *fault = reader.fault();
  return out;
}

using Mode = ValueReader::Mode;

}  // namespace

TEST_CASE("lines: the same for every size of the window", "[records]") {
  const std::string text = "a\n\nbc\r\n" + std::string(300, 'd') + "\ne";
  for (const size_t chunk : {1, 2, 3, 7, 64, 4096}) {
    INFO(chunk);
    const auto lines = split(text, chunk);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].bytes == "a");
    CHECK(lines[1].bytes.empty());
    CHECK(lines[2].bytes == "bc");
    CHECK(lines[3].bytes == std::string(300, 'd'));
    CHECK(lines[4].bytes == "e");
    CHECK(lines[4].number == 5);
    CHECK(lines[3].offset == 7);
  }
  CHECK(split("", 64).empty());
  CHECK(split("\n", 64).size() == 1);
}

TEST_CASE("lines: one over max_line is skipped to its end and keeps its number", "[records]") {
  const std::string text = "ok\n" + std::string(5000, 'x') + "\nalso\n" + std::string(5000, 'y');
  for (const size_t chunk : {16, 100, 100000}) {
    const auto lines = split(text, chunk, 1000);
    REQUIRE(lines.size() == 4);
    CHECK(lines[1].too_long);
    CHECK(lines[1].bytes.empty());
    CHECK(lines[2].bytes == "also");
    CHECK(lines[2].number == 3);
    CHECK(lines[3].too_long);
  }
  CHECK_FALSE(split(std::string(1000, 'x') + "\n", 64, 1000)[0].too_long);
  CHECK(split(std::string(1001, 'x') + "\n", 64, 1000)[0].too_long);
}

TEST_CASE("lines: events end in LF, CRLF or CR", "[records]") {
  for (const size_t chunk : {1, 2, 3, 4096}) {
    const auto lines = split("a\rb\r\nc\n\r\nd", chunk, 1000, true);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].bytes == "a");
    CHECK(lines[1].bytes == "b");
    CHECK(lines[2].bytes == "c");
    CHECK(lines[3].bytes.empty());
    CHECK(lines[4].bytes == "d");
  }
}

TEST_CASE("values: documents, elements and members are cut at their ends", "[records]") {
  std::string fault;
  for (const size_t chunk : {1, 2, 3, 16, 4096}) {
    INFO(chunk);
    CHECK(values(" {\"a\": [1, \"}\\\"\"]}\n\n{}\n3 4", Mode::kDocuments, &fault, chunk) == std::vector<std::string>{"{\"a\": [1, \"}\\\"\"]}", "{}", "3", "4"});
    CHECK(fault.empty());
    CHECK(values("[1, {\"b\":[2]},\n \"x,]\\\\\" , null]\n", Mode::kElements, &fault, chunk) == std::vector<std::string>{"1", "{\"b\":[2]}", "\"x,]\\\\\"", "null"});
    CHECK(fault.empty());
    CHECK(values("{\"k\" : 1, \"l\\\"\": {\"m\": \"}\"}}", Mode::kMembers, &fault, chunk) == std::vector<std::string>{"k=1", "l\\\"={\"m\": \"}\"}"});
    CHECK(fault.empty());
    CHECK(values("[]", Mode::kElements, &fault, chunk).empty());
    CHECK(fault.empty());
  }
}

TEST_CASE("values: what is broken between them is said, and what came before it counts", "[records]") {
  std::string fault;
  CHECK(values("[1, 2", Mode::kElements, &fault).size() == 1);
  CHECK(fault.find("truncated") != std::string::npos);
  CHECK(values("{\"a\": 1, \"b\": {\"c\": ", Mode::kMembers, &fault).size() == 1);
  CHECK(fault.find("truncated") != std::string::npos);
  CHECK(values("[1 2]", Mode::kElements, &fault).size() == 1);
  CHECK(fault.find("comma") != std::string::npos);
  CHECK(values("[1,]", Mode::kElements, &fault).size() == 1);
  CHECK_FALSE(fault.empty());
  CHECK(values("{\"a\" 1}", Mode::kMembers, &fault).empty());
  CHECK_FALSE(fault.empty());
  CHECK(values("{1: 2}", Mode::kMembers, &fault).empty());
  CHECK_FALSE(fault.empty());
  CHECK(values("[1] x", Mode::kElements, &fault).size() == 1);
  CHECK(fault.find("after the end") != std::string::npos);
}

TEST_CASE("values: one over the limit is passed over without being kept", "[records]") {
  std::string fault;
  const std::string text = "[1, \"" + std::string(5000, 'x') + "\\\"\", 2]";
  CHECK(values(text, Mode::kElements, &fault, 64, 1000) == std::vector<std::string>{"1", "(long)", "2"});
  CHECK(fault.empty());
}
