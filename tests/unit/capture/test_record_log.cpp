#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/failure.h"
#include "capture/record_log.h"
#include "catch.h"

using namespace vaa;
using namespace vaa::capture;
namespace fs = std::filesystem;

namespace {

const std::string kHeader = R"({"schema": "vaa.run/1", "tool": {"name": "vaa"}})";

// A folder that goes with the test.
struct Folder {
  Folder() {
    std::string made = (fs::temp_directory_path() / "vaa-log-XXXXXX").string();
    REQUIRE(::mkdtemp(made.data()) != nullptr);
    path = made;
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name = "out.jsonl") const { return path + "/" + name; }
  std::string path;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// The samples of an answer: `of` choices.
std::vector<OwnedSample> answer(const std::string& key, int of = 1, bool failed = false, const std::string& text = "28") {
  std::vector<OwnedSample> samples;
  for (int i = 0; i < of; ++i) {
    samples.push_back(new_sample());
    const std::string extra = R"({"ask": {"key": ")" + key + "\"" + (of > 1 ? ", \"of\": " + std::to_string(of) : "") + "}}";
    vaa_sample_set_str(samples.back().get(), VAA_FIELD_ID, border(key), nullptr);
    vaa_sample_set_str(samples.back().get(), VAA_FIELD_EXTRA, border(extra), nullptr);
    if (failed) vaa_sample_set_str(samples.back().get(), VAA_FIELD_ERROR_MESSAGE, border("no room"), nullptr);
    else vaa_sample_set_str(samples.back().get(), VAA_FIELD_OUTPUT_TEXT, border(text), nullptr);
  }
  return samples;
}

template <class Call>
std::pair<vaa_status, std::string> refusal(Call&& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return {failure.status(), failure.message()};
  }
  return {VAA_OK, ""};
}

// A file as a whole run leaves it, and the ends of its answers.
std::string whole_file(const std::string& path, std::vector<size_t>* ends) {
  RecordLog log(path, Existing::kRefuse);
  log.write_header(kHeader);
  for (int i = 0; i < 3; ++i) {
    log.append(answer("k" + std::to_string(i), i == 1 ? 3 : 1));
    ends->push_back(fs::file_size(path));
  }
  log.write_header(kHeader);
  ends->push_back(fs::file_size(path));
  return content(path);
}

}  // namespace

TEST_CASE("record log: a file that was cut off at any byte keeps its whole answers, and only these", "[capture]") {
  const Folder folder;
  std::vector<size_t> ends;
  const std::string whole = whole_file(folder.file(), &ends);
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    put(folder.file(), whole.substr(0, cut));
    {
      RecordLog log(folder.file(), Existing::kResume);
      // The line feed alone may be lost: the answer is whole then.
      for (size_t i = 0; i < 3; ++i) REQUIRE(log.has("k" + std::to_string(i)) == (cut + 1 >= ends[i]));
      REQUIRE_FALSE(log.has("k3"));
      REQUIRE(log.taken_out() == 0);
      REQUIRE(log.header() == (cut < kHeader.size() ? "" : kHeader));
      if (log.header().empty()) log.write_header(kHeader);
      for (size_t i = 0; i < 3; ++i)
        if (!log.has("k" + std::to_string(i))) log.append(answer("k" + std::to_string(i), i == 1 ? 3 : 1));
    }
    REQUIRE(content(folder.file()).substr(0, ends[2]) == whole.substr(0, ends[2]));
  }
}

TEST_CASE("record log: failed answers are taken out of a resumed file, so that a question stands once", "[capture]") {
  const Folder folder;
  {
    RecordLog log(folder.file(), Existing::kRefuse);
    log.write_header(kHeader);
    log.append(answer("a"));
    log.append(answer("b", 1, true));
    log.append(answer("c"));
    log.append(answer("d", 2, true));
  }
  const Folder elsewhere;
  fs::create_symlink(folder.file(), elsewhere.file("link"));
  {
    RecordLog log(elsewhere.file("link"), Existing::kResume);
    CHECK(log.resumed() == 2);
    CHECK(log.taken_out() == 2);
    CHECK(log.has("a"));
    CHECK_FALSE(log.has("b"));
    log.append(answer("b"));
  }
  CHECK(fs::is_symlink(elsewhere.file("link")));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
  RecordLog log(folder.file(), Existing::kResume);
  CHECK(log.resumed() == 3);
  CHECK(log.taken_out() == 0);
  CHECK(content(folder.file()).find("no room") == std::string::npos);
}

TEST_CASE("record log: a failed answer without its line feed leaves nothing behind", "[capture]") {
  const Folder folder;
  {
    RecordLog log(folder.file(), Existing::kRefuse);
    log.write_header(kHeader);
    log.append(answer("a"));
    log.append(answer("b", 1, true));
  }
  const std::string whole = content(folder.file());
  put(folder.file(), whole.substr(0, whole.size() - 1));
  { CHECK(RecordLog(folder.file(), Existing::kResume).taken_out() == 1); }
  CHECK(content(folder.file()) == whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
}

TEST_CASE("record log: line feeds in what a server sent do not break lines", "[capture]") {
  const Folder folder;
  {
    RecordLog log(folder.file(), Existing::kRefuse);
    log.write_header("{\"schema\": \"vaa.run/1\",\n \"extra\": {}}");
    log.append(answer("a", 1, false, "two\nlines"));
  }
  const std::string whole = content(folder.file());
  CHECK(std::count(whole.begin(), whole.end(), '\n') == 2);
  CHECK(RecordLog(folder.file(), Existing::kResume).has("a"));
}

TEST_CASE("record log: a file that exists is refused, resumed or written anew", "[capture]") {
  const Folder folder;
  put(folder.file(), "notes of mine\n");
  CHECK(refusal([&] { RecordLog log(folder.file(), Existing::kRefuse); }) ==
        std::pair<vaa_status, std::string>(VAA_ERROR_ARGUMENT, "\"" + folder.file() + "\": exists and is left as it is; resume goes on with it, force writes it anew"));
  CHECK(content(folder.file()) == "notes of mine\n");
  const auto resumed = refusal([&] { RecordLog log(folder.file(), Existing::kResume); });
  CHECK(resumed.first == VAA_ERROR_FORMAT);
  CHECK(resumed.second == "\"" + folder.file() + "\":1: is no line that vaa wrote here, nothing was changed; force writes the file anew");
  CHECK(content(folder.file()) == "notes of mine\n");
  put(folder.file(), "notes of mine");
  CHECK(refusal([&] { RecordLog log(folder.file(), Existing::kResume); }).first == VAA_ERROR_FORMAT);
  CHECK(content(folder.file()) == "notes of mine");
  { RecordLog log(folder.file(), Existing::kForce); }
  CHECK(content(folder.file()) == "notes of mine");  // nothing was written, so nothing goes
  {
    RecordLog log(folder.file(), Existing::kForce);
    log.write_header(kHeader);
  }
  CHECK(content(folder.file()) == kHeader + "\n");
}

TEST_CASE("record log: a broken line in the midst of a file is named, and nothing is changed", "[capture]") {
  const Folder folder;
  std::vector<size_t> ends;
  std::string whole = whole_file(folder.file(), &ends);
  whole.insert(ends[0], "{\"schema\": \"vaa.record/1\", \"id\": \"x\n");
  put(folder.file(), whole);
  const auto refused = refusal([&] { RecordLog log(folder.file(), Existing::kResume); });
  CHECK(refused.first == VAA_ERROR_FORMAT);
  CHECK(refused.second.find("out.jsonl\":3: is no line") != std::string::npos);
  CHECK(content(folder.file()) == whole);
}

TEST_CASE("record log: nothing is left of a file that nothing was written to", "[capture]") {
  const Folder folder;
  { RecordLog log(folder.file(), Existing::kRefuse); }
  CHECK_FALSE(fs::exists(folder.file()));
  put(folder.file(), "");
  { RecordLog log(folder.file(), Existing::kRefuse); }
  CHECK(fs::exists(folder.file()));
  fs::create_symlink(folder.file("there"), folder.file("link"));
  { RecordLog log(folder.file("link"), Existing::kRefuse); }
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK_FALSE(fs::exists(folder.file("there")));
}

TEST_CASE("record log: what is read is never written to", "[capture]") {
  const Folder folder;
  fs::create_directory(folder.file("run"));
  put(folder.file(), "a run");
  put(folder.file("run/part.jsonl"), "a run");
  fs::create_symlink(folder.file(), folder.file("link"));
  fs::create_hard_link(folder.file(), folder.file("twin"));
  for (const char* out : {"out.jsonl", "link", "twin", "run/../out.jsonl"}) CHECK(refusal([&] { keep_apart(folder.file(), folder.file(out)); }).first == VAA_ERROR_ARGUMENT);
  for (const char* out : {"run", "run/part.jsonl", "run/new.jsonl", "run/deep/new.jsonl"}) CHECK(refusal([&] { keep_apart(folder.file("run"), folder.file(out)); }).first == VAA_ERROR_ARGUMENT);
  CHECK_NOTHROW(keep_apart(folder.file("run"), folder.file("run2.jsonl")));
  CHECK_NOTHROW(keep_apart(folder.file("run/part.jsonl"), folder.file("run/new.jsonl")));
  CHECK_NOTHROW(keep_apart(folder.file(), "/dev/null"));
}

TEST_CASE("record log: a second writer is refused", "[capture]") {
  const Folder folder;
  RecordLog log(folder.file(), Existing::kRefuse);
  log.write_header(kHeader);
  for (const Existing existing : {Existing::kRefuse, Existing::kResume, Existing::kForce}) {
    const auto refused = refusal([&] { RecordLog second(folder.file(), existing); });
    CHECK(refused == std::pair<vaa_status, std::string>(VAA_ERROR_IO, "\"" + folder.file() + "\": another process is writing to it"));
  }
  log.append(answer("a"));
  CHECK(content(folder.file()).substr(0, kHeader.size() + 1) == kHeader + "\n");
}

TEST_CASE("record log: a disk that is full is an error that names the file, which stays whole", "[capture]") {
  const auto full = refusal([&] {
    RecordLog log("/dev/full", Existing::kRefuse);
    log.write_header(kHeader);
  });
  CHECK(full == std::pair<vaa_status, std::string>(VAA_ERROR_IO, "\"/dev/full\": cannot write: No space left on device"));

  // A file that may not grow past a size takes a part of a write, as a full disk does.
  const Folder folder;
  RecordLog log(folder.file(), Existing::kRefuse);
  log.write_header(kHeader);
  log.append(answer("a"));
  const std::string before = content(folder.file());
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const rlimit small{before.size() + 10, limit.rlim_max};
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto refused = refusal([&] { log.append(answer("b")); });
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, ignored);
  CHECK(refused == std::pair<vaa_status, std::string>(VAA_ERROR_IO, "\"" + folder.file() + "\": cannot write: File too large"));
  CHECK(content(folder.file()) == before);
  log.append(answer("b"));
  CHECK(content(folder.file()).size() > before.size());
}

TEST_CASE("record log: a pipe, a device and a folder are what they are", "[capture][threads][pipe]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = content(folder.file("pipe")); });
  {
    RecordLog log(folder.file("pipe"), Existing::kRefuse);
    log.write_header(kHeader);
    log.append(answer("a"));
    log.flush();
  }
  reader.join();
  CHECK(got.substr(0, kHeader.size() + 1) == kHeader + "\n");
  {
    RecordLog log("/dev/null", Existing::kResume);
    log.write_header(kHeader);
    log.append(answer("a"));
    CHECK(log.resumed() == 0);
  }
  CHECK(refusal([&] { RecordLog log(folder.path, Existing::kForce); }).second == "\"" + folder.path + "\": cannot write: it is a folder");
  CHECK(refusal([&] { RecordLog log(folder.file("no/such/out.jsonl"), Existing::kRefuse); }).first == VAA_ERROR_IO);
}

TEST_CASE("record log: a kill at any moment loses no answer that was appended before", "[capture]") {
  const Folder folder;
  int64_t there = 0;
  for (int round = 0; round < 20; ++round) {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      RecordLog log(folder.file(), Existing::kResume);
      if (log.header().empty()) log.write_header(kHeader);
      for (int64_t i = log.resumed();; ++i) {
        log.append(answer("k" + std::to_string(i), 1, false, std::string(3000, 'x')));
        if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
      }
    }
    REQUIRE(child > 0);
    ::close(pipe[1]);
    char bytes[16];
    int64_t told = 0;
    while (told < 5 + round) told += ::read(pipe[0], bytes, sizeof bytes);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (ssize_t n; (n = ::read(pipe[0], bytes, sizeof bytes)) > 0;) told += n;
    ::close(pipe[0]);
    RecordLog log(folder.file(), Existing::kResume);
    CHECK(log.resumed() >= there + told);
    CHECK(log.resumed() <= there + told + 1);
    there = log.resumed();
    for (int64_t i = 0; i < there; ++i) REQUIRE(log.has("k" + std::to_string(i)));
  }
}
