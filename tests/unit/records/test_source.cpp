#include <fcntl.h>
#include <sys/stat.h>

#include <thread>

#include "catch.h"
#include "read_samples.h"
#include "reading.h"
#include "records/source.h"

using namespace vaa;

namespace {

std::string read_source(const std::string& path, size_t piece, std::string* fault = nullptr) {
  Source source(path);
  std::string out, part(piece, '\0');
  for (size_t n = source.read(part.data(), piece); n > 0; n = source.read(part.data(), piece)) out.append(part, 0, n);
  if (fault) *fault = source.fault();
  return out;
}

std::string lines(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "line " + std::to_string(i * 7919) + "\n";
  return out;
}

const char* kRecord = R"({"schema":"vaa.record/1","id":"1","output":{"text":"x"}})";

}  // namespace

TEST_CASE("source: plain, gzip and zstd give the same bytes, in pieces of any size", "[records]") {
  const reading::TempFolder folder;
  const std::string text = lines(20000);
  const std::string plain = folder.write("a", text), gz = folder.write("b", vaa_test::gzip(text)), zst = folder.write("c", vaa_test::zstd(text));
  for (const size_t piece : {size_t{1000}, size_t{65536}, size_t{1} << 22})
    for (const std::string& path : {plain, gz, zst}) CHECK(read_source(path, piece) == text);
  CHECK(read_source(gz, 1).size() == text.size());
  CHECK(read_source(zst, 1).size() == text.size());
}

TEST_CASE("source: several members and frames are one text, empty ones too", "[records]") {
  const reading::TempFolder folder;
  const std::string gz = vaa_test::gzip("one\n") + vaa_test::gzip("") + vaa_test::gzip("two\n");
  const std::string zst = vaa_test::zstd("one\n") + vaa_test::zstd("") + vaa_test::zstd("two\n") + vaa_test::zstd("");
  CHECK(read_source(folder.write("a", gz), 4096) == "one\ntwo\n");
  CHECK(read_source(folder.write("b", zst), 4096) == "one\ntwo\n");
  CHECK(read_source(folder.write("c", gz + std::string(512, '\0')), 4096) == "one\ntwo\n");
  const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  CHECK(read_source(folder.write("d", skippable + zst), 4096) == "one\ntwo\n");
}

TEST_CASE("source: a truncated file gives what it holds, and says that it is cut", "[records]") {
  const reading::TempFolder folder;
  const std::string text = lines(50000);
  for (const std::string& packed : {vaa_test::gzip(text), vaa_test::zstd(text)}) {
    for (const size_t cut : {size_t{1}, size_t{9}, packed.size() / 2}) {
      std::string fault;
      const std::string got = read_source(folder.write("cut", packed.substr(0, packed.size() - cut)), 65536, &fault);
      CHECK(text.substr(0, got.size()) == got);
      CHECK(fault.find("truncated") != std::string::npos);
    }
  }
}

TEST_CASE("source: damaged bytes are a fault, never a crash", "[records]") {
  const reading::TempFolder folder;
  for (std::string packed : {vaa_test::gzip(lines(3000)), vaa_test::zstd(lines(3000))}) {
    for (size_t at = 4; at < packed.size(); at += packed.size() / 40 + 1) {
      std::string bad = packed;
      bad[at] = static_cast<char>(bad[at] ^ 0x5a);
      std::string fault;
      read_source(folder.write("bad", bad), 4096, &fault);  // a change in a checksum that is not there may go unseen
    }
    std::string fault;
    read_source(folder.write("tail", packed + "garbage"), 4096, &fault);
    CHECK(fault.find("damaged") != std::string::npos);
  }
}

TEST_CASE("source: what cannot be opened is told apart", "[records]") {
  const reading::TempFolder folder;
  CHECK(reading::open_status(folder / "none") == VAA_ERROR_NOT_FOUND);
  CHECK(reading::open_status(folder.write("f", "x") + "/below") == VAA_ERROR_NOT_FOUND);
  std::string message;
  CHECK(reading::open_status(folder.write("empty.jsonl", ""), &message) == VAA_ERROR_FORMAT);
  CHECK(message.find("is empty") != std::string::npos);
  CHECK(reading::open_status(folder.write("blank.jsonl", "\n \n"), &message) == VAA_ERROR_FORMAT);
  CHECK(message.find("white space") != std::string::npos);
  CHECK(reading::open_status(folder.write("bin", std::string("\x7f" "ELF\0\1\2", 7)), &message) == VAA_ERROR_FORMAT);
  CHECK(message.find("binary") != std::string::npos);
  CHECK(reading::open_status(folder.write("u16", std::string("\xff\xfe{\0", 4)), &message) == VAA_ERROR_FORMAT);
}

TEST_CASE("source: a byte order mark and CRLF line ends are accepted", "[records]") {
  const reading::TempFolder folder;
  const auto read = reading::read_all(folder.write("a.jsonl", "\xEF\xBB\xBF" + std::string(kRecord) + "\r\n\r\n" + kRecord + "\r\n"));
  REQUIRE(read.samples.size() == 2);
  CHECK(read.problems.count == 0);
  CHECK(read.samples[1].integer(IntField::kSourceLine, 0) == 3);
}

TEST_CASE("source: a packed file is read by its content whatever its name", "[records]") {
  const reading::TempFolder folder;
  CHECK(reading::read_all(folder.write("a.jsonl", vaa_test::zstd(std::string(kRecord) + "\n"))).samples.size() == 1);
  const auto named = reading::read_all(folder.write("b.jsonl.gz", vaa_test::gzip(kRecord)));
  REQUIRE(named.samples.size() == 1);
  CHECK(named.samples[0].text(TextField::kSourceFormat) == "vaa");
}

TEST_CASE("source: a truncated packed file is read as far as it goes, and the cut is a problem", "[records]") {
  const reading::TempFolder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::string(R"({"schema":"vaa.record/1","id":")") + std::to_string(i * 7919) + "\"}\n";
  const std::string packed = vaa_test::zstd(text);
  const auto read = reading::read_all(folder.write("a.zst", packed.substr(0, packed.size() * 3 / 4)));
  CHECK(read.samples.size() > 1000);
  REQUIRE(read.problems.count >= 1);
  CHECK(read.problems.first.back().message.find("truncated") != std::string::npos);
}

TEST_CASE("source: a pipe is read once, and its first bytes are not lost", "[records][pipe]") {
  const reading::TempFolder folder;
  const std::string path = folder / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] {
    std::ofstream out(path);
    for (int i = 0; i < 50000; ++i) out << R"({"schema":"vaa.record/1","id":")" << i << "\"}\n";
  });
  const auto input = open_input(path, {});
  CHECK(input->bytes_total() == 0);
  const auto stream = input->open();
  Sample sample;
  int64_t count = 0;
  while (stream->next(&sample)) CHECK(sample.text(TextField::kId) == std::to_string(count++));
  writer.join();
  CHECK(count == 50000);
  try {
    input->open();
    FAIL("a second pass over a pipe");
  } catch (const Failure& failure) {
    CHECK(failure.status() == VAA_ERROR_IO);
    CHECK(failure.message().find("only once") != std::string::npos);
  }
}
