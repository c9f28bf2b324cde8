// vaa_check_records and vaa_tally: the same answer for any threads and split, cancel, outputs that are whole or not there, bad options.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "support.h"

namespace {

const std::string kGolden = VAA_GOLDEN;

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}
bool exists(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

// A folder of its own for one test.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/vaa-test-XXXXXX";
    REQUIRE(mkdtemp(name));
    path_ = name;
  }
  ~Folder() { std::system(("rm -rf '" + path_ + "'").c_str()); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// `n` records; each k-th loops, each m-th is empty.
std::string write_records(const std::string& path, int n, int loops_each, int empty_each, int padding = 20) {
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < n; ++i) {
    std::string text = "The result of step " + std::to_string(i) + " is " + std::to_string(i * 37 % 1009) + ". ";
    for (int k = 0; k < padding; ++k) text += "Then item " + std::to_string((i * 31 + k * 17) % 977) + " moves to shelf " + std::to_string(k * i % 53) + ". ";
    if (loops_each && i % loops_each == 0)
      for (int k = 0; k < 30; ++k) text += "and so it goes again, ";
    if (empty_each && i % empty_each == 1) text.clear();
    file << R"({"schema":"vaa.record/1","id":")" << i << R"(","dataset":"made","output":{"text":")" << text << R"("},"finish_reason":")"
         << (loops_each && i % loops_each == 0 ? "length" : "stop") << R"(","score":{"metric":"accuracy","correct":)" << (i % 3 ? "true" : "false") << "}}\n";
  }
  return path;
}

Report check(const Records& records, std::string_view options, vaa_task* task = nullptr) {
  const Checker checker = new_checker();
  vaa_report* report = nullptr;
  ok([&](vaa_error** err) { return vaa_check_records(checker.get(), records.get(), str(options), task, &report, err); });
  return Report(report);
}
Error check_fault(const Records& records, std::string_view options, vaa_task* task = nullptr) {
  const Checker checker = new_checker();
  auto* const before = reinterpret_cast<vaa_report*>(0x4321);
  vaa_report* report = before;
  Error error = fault([&](vaa_error** err) { return vaa_check_records(checker.get(), records.get(), str(options), task, &report, err); });
  CHECK(report == before);
  return error;
}
std::string json(const Report& report) {
  vaa_text* out = nullptr;
  ok([&](vaa_error** err) { return vaa_report_render(report.get(), str(R"({"format":"json"})"), &out, err); });
  const Text owned(out);
  return text(vaa_text_str(out));
}
double number(const Report& report, std::string_view pointer) {
  double value = -1;
  ok([&](vaa_error** err) { return vaa_report_number(report.get(), str(pointer), &value, err); });
  return value;
}

}  // namespace

TEST_CASE("check: report and lines are the same bytes for any number of threads", "[check][threads]") {
  const Folder folder;
  const Records records = open_records(write_records(folder / "run.jsonl", 3000, 50, 97));
  std::string first_report, first_lines;
  for (int threads : {1, 2, 3, 8}) {
    const std::string lines = folder / ("lines-" + std::to_string(threads));
    const Report report = check(records, R"({"threads":)" + std::to_string(threads) + R"(,"samples_path":")" + lines + R"("})");
    if (threads == 1) {
      first_report = json(report);
      first_lines = slurp(lines);
      CHECK(number(report, "/counts/samples") == 3000);
      CHECK(std::count(first_lines.begin(), first_lines.end(), '\n') == 3000);
    }
    CHECK(json(report) == first_report);
    CHECK(slurp(lines) == first_lines);
  }
}

TEST_CASE("check: a loop of clear, fill and push gives the report of the file", "[check]") {
  const Folder folder;
  const Records records = open_records(write_records(folder / "run.jsonl", 400, 20, 41));
  const Report whole = check(records, "{}");
  const Checker checker = new_checker();
  const Tally tally = new_tally(checker);
  vaa_cursor* raw = nullptr;
  ok([&](vaa_error** err) { return vaa_cursor_new(records.get(), &raw, err); });
  const Cursor cursor(raw);
  const Sample sample = new_sample();
  int32_t more = 1;
  for (;;) {
    ok([&](vaa_error** err) { return vaa_cursor_next(cursor.get(), sample.get(), &more, err); });
    if (!more) break;
    vaa_findings findings{};
    ok([&](vaa_error** err) { return vaa_tally_push(tally.get(), sample.get(), &findings, err); });
  }
  CHECK(vaa_sample_has(sample.get(), VAA_FIELD_ID) == 0);
  vaa_report* pushed = nullptr;
  ok([&](vaa_error** err) { return vaa_tally_report(tally.get(), &pushed, err); });
  const Report report(pushed);
  CHECK(vaa_report_verdict(report.get()) == vaa_report_verdict(whole.get()));
  for (std::string_view pointer : {"/counts/samples", "/counts/with_output"}) CHECK(number(report, pointer) == number(whole, pointer));
  vaa_f64s ours{}, theirs{};
  ok([&](vaa_error** err) { return vaa_report_column(report.get(), str("checks"), str("k"), &ours, err); });
  ok([&](vaa_error** err) { return vaa_report_column(whole.get(), str("checks"), str("k"), &theirs, err); });
  REQUIRE(ours.size == theirs.size);
  REQUIRE(ours.size >= static_cast<size_t>(vaa_flag_count()));  // one row a flag, then those about the run
  for (size_t i = 0; i < ours.size; ++i) CHECK(ours.data[i] == theirs.data[i]);
}

TEST_CASE("check: a run with broken answers fails, a clean one passes", "[check]") {
  const Folder folder;
  CHECK(vaa_report_verdict(check(open_records(write_records(folder / "bad.jsonl", 200, 5, 0)), "{}").get()) == VAA_VERDICT_FAIL);
  CHECK(vaa_report_verdict(check(open_records(write_records(folder / "good.jsonl", 200, 0, 0)), "{}").get()) == VAA_VERDICT_PASS);
}

TEST_CASE("check: a cancelled task stops the call within 100 ms and leaves no file", "[check][threads]") {
  const Folder folder;
  const Records records = open_records(write_records(folder / "run.jsonl", 60000, 0, 0, 60));
  const std::string lines = folder / "lines";
  vaa_task* raw = nullptr;
  ok([&](vaa_error** err) { return vaa_task_new(&raw, err); });
  const Task task(raw);
  std::chrono::steady_clock::time_point cancelled;
  std::thread other([&] {
    while (vaa_task_samples(task.get()) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cancelled = std::chrono::steady_clock::now();
    vaa_task_cancel(task.get());
  });
  const Error error = check_fault(records, R"({"threads":2,"samples_path":")" + lines + R"("})", task.get());
  const auto took = std::chrono::steady_clock::now() - cancelled;
  other.join();
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_CANCELLED);
  WARN("cancel took " << std::chrono::duration_cast<std::chrono::microseconds>(took).count() << " us");
  CHECK_FALSE(exists(lines));
  CHECK(vaa_task_total(task.get()) > 0);
  // Before the call begins, too.
  CHECK(vaa_error_status(check_fault(records, "{}", task.get()).get()) == VAA_ERROR_CANCELLED);
}

TEST_CASE("check: a cancel ends the wait for a pipe that gives no bytes", "[check][threads][pipe]") {
  const Folder folder;
  const std::string pipe = folder / "lines.jsonl";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  int held = -1;
  std::thread writer([&] {
    held = open(pipe.c_str(), O_WRONLY);
    const std::string line = R"({"schema":"vaa.record/1","id":"1","output":{"text":"hi"}})" "\n";
    if (write(held, line.data(), line.size()) < 0) close(std::exchange(held, -1));
    const std::string more = R"({"schema":"vaa.record/1","id":"2","output":{"text":"ho"}})" "\n";
    for (int i = 0; i < 4000 && held >= 0; ++i)  // more than is read to recognise the format
      if (write(held, more.data(), more.size()) < 0) break;
  });
  const Records records = open_records(pipe);
  vaa_task* raw = nullptr;
  ok([&](vaa_error** err) { return vaa_task_new(&raw, err); });
  const Task task(raw);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    vaa_task_cancel(task.get());
  });
  CHECK(vaa_error_status(check_fault(records, R"({"threads":3})", task.get()).get()) == VAA_ERROR_CANCELLED);
  other.join();
  writer.join();
  if (held >= 0) close(held);
}

TEST_CASE("check: outputs that cannot be written are named, and nothing partial stays", "[check]") {
  const Folder folder;
  const Records records = open_records(write_records(folder / "run.jsonl", 300, 10, 0));
  Error error = check_fault(records, R"({"samples_path":"/nowhere/at/all"})");
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_IO);
  CHECK(message(error).find("/nowhere/at/all") != std::string::npos);
  error = check_fault(records, R"({"samples_path":"/dev/full"})");
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_IO);
  CHECK(message(error).find("No space left") != std::string::npos);
  const int full = open("/dev/full", O_WRONLY);
  error = check_fault(records, R"({"samples_fd":)" + std::to_string(full) + "}");
  close(full);
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_IO);
  const Report report = check(records, "{}");
  error = fault([&](vaa_error** err) { return vaa_report_write(report.get(), str("/dev/full"), str("{}"), err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_IO);
  ok([&](vaa_error** err) { return vaa_report_write(report.get(), str(folder / "report.json"), str("{}"), err); });
  CHECK(slurp(folder / "report.json").find("vaa.report/1") != std::string::npos);
  // What an earlier run left stays when this one fails.
  std::ofstream(folder / "lines") << "before";
  error = check_fault(records, R"({"samples_path":")" + (folder / "lines") + R"(","export_path":"/nowhere/x","export_flag":"any"})");
  CHECK(slurp(folder / "lines") == "before");
}

TEST_CASE("check: an option that is wrong names key, value and what is allowed", "[check]") {
  const Folder folder;
  const Records records = open_records(write_records(folder / "run.jsonl", 10, 0, 0));
  const std::pair<const char*, const char*> cases[] = {
      {R"({"threads":0})", "threads"},        {R"({"threads":"two"})", "threads"},   {R"({"thread":2})", "threads"},       {R"({"baseline":"3 of 4"})", "baseline"},
      {R"({"baseline":"5/4"})", "baseline"},  {R"({"fail_on":["lopes"]})", "fail_on"}, {R"({"fail_on":["empty:2"]})", "fail_on"}, {R"({"require":["nothing"]})", "require"},
      {R"({"expect":"71.5"})", "expect"},     {R"({"export_flag":"empty"})", "export_path"}, {R"({"export_path":"x","export_flag":"odd"})", "export_flag"},
      {R"({"max_rows":-1})", "max_rows"},     {R"({"threads":2)", ""},               {R"({"threads":2,"threads":2})", "threads"}};
  for (const auto& [options, word] : cases) {
    INFO(options);
    const Error error = check_fault(records, options);
    CHECK(vaa_error_status(error.get()) == VAA_ERROR_OPTION);
    CHECK(message(error).find(word) != std::string::npos);
    INFO(message(error));
  }
}

TEST_CASE("check: a gate on a flag that is switched off is refused", "[check]") {
  const Checker checker = new_checker(R"({"flags":["empty"]})");
  vaa_tally* tally = nullptr;
  const Error error = fault([&](vaa_error** err) { return vaa_tally_new(checker.get(), str(R"({"fail_on":["repetition_loop"]})"), &tally, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_OPTION);
  CHECK(message(error).find("fail_on: repetition_loop is switched off") == 0);
  CHECK(new_tally(checker, R"({"fail_on":["empty","any"]})"));
}

TEST_CASE("check: faults of many runs at once are each their own", "[check][threads]") {
  const Folder folder;
  const std::string good = write_records(folder / "good.jsonl", 200, 0, 0);
  const Records records = open_records(good);
  const Checker checker = new_checker();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        vaa_report* report = nullptr;
        vaa_error* err = nullptr;
        const bool bad = (t + i) % 2;
        const std::string options = bad ? R"({"threads":3,"samples_path":"/nowhere/)" + std::to_string(t) + "\"}" : R"({"threads":3})";
        const vaa_status status = vaa_check_records(checker.get(), records.get(), str(options), nullptr, &report, &err);
        if (bad ? status != VAA_ERROR_IO || text(vaa_error_message(err)).find("/nowhere/" + std::to_string(t)) == std::string::npos : status != VAA_OK) ++wrong;
        vaa_error_free(err);
        vaa_report_free(report);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("check: 10,000 failures leave nothing behind", "[check]") {
  // Leaks are seen by the address sanitizer; here the resident size must stay flat.
  const auto resident = [] {
    long pages = 0, size = 0;
    FILE* file = std::fopen("/proc/self/statm", "r");
    if (file && std::fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
    if (file) std::fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
  };
  const auto fail_once = [] {
    vaa_error* err = nullptr;
    vaa_checker* checker = nullptr;
    vaa_checker_new(str(R"({"no_such_option":[1,2,3]})"), nullptr, &checker, &err);
    vaa_error_free(err);
    vaa_records* records = nullptr;
    vaa_records_open(str("/no/such/path/at/all"), str(""), &records, &err);
    vaa_error_free(err);
  };
  for (int i = 0; i < 1000; ++i) fail_once();
  const long before = resident();
  for (int i = 0; i < 10000; ++i) fail_once();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which keep what was freed for a while
  CHECK(resident() - before < 4 << 20);
#else
  CHECK(resident() >= before / 2);
#endif
}
