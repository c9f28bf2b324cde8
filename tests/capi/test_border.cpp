// The rules of base.h, held against every kind of call.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "support.h"

namespace {

// Bytes that end where a page begins that may not be read: a read past a view's end is a crash.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::string_view bytes) : size_(bytes.size()) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    span_ = (size_ + page - 1) / page * page + page;
    base_ = static_cast<char*>(mmap(nullptr, span_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(base_ != MAP_FAILED);
    REQUIRE(mprotect(base_ + span_ - page, page, PROT_NONE) == 0);
    data_ = base_ + span_ - page - size_;
    std::memcpy(data_, bytes.data(), size_);
  }
  ~GuardedBytes() { munmap(base_, span_); }
  vaa_str view() const { return {data_, size_}; }

 private:
  size_t size_, span_ = 0;
  char* base_ = nullptr;
  char* data_ = nullptr;
};

}  // namespace

TEST_CASE("border: the library and the headers are of one version", "[border]") {
  CHECK(vaa_abi_version() == VAA_ABI_VERSION);
  CHECK(text(vaa_version()) == "0.1.0");
  CHECK(text(vaa_status_name(VAA_OK)) == "VAA_OK");
  CHECK(text(vaa_status_name(VAA_ERROR_INTERNAL)) == "VAA_ERROR_INTERNAL");
  CHECK(text(vaa_status_name(-1)) == "VAA_ERROR_UNKNOWN");
  CHECK(text(vaa_status_name(999)) == "VAA_ERROR_UNKNOWN");
}

TEST_CASE("border: every free takes NULL, every reader of a handle takes NULL", "[border]") {
  vaa_error_free(nullptr);
  vaa_text_free(nullptr);
  vaa_task_free(nullptr);
  vaa_report_free(nullptr);
  vaa_sample_free(nullptr);
  vaa_sample_clear(nullptr);
  vaa_records_free(nullptr);
  vaa_cursor_free(nullptr);
  vaa_vocab_free(nullptr);
  vaa_checker_free(nullptr);
  vaa_tally_free(nullptr);
  vaa_task_cancel(nullptr);
  CHECK(vaa_error_status(nullptr) == VAA_OK);
  CHECK(vaa_error_message(nullptr).size == 0);
  CHECK(vaa_text_str(nullptr).size == 0);
  CHECK(vaa_report_verdict(nullptr) == VAA_VERDICT_NOT_CHECKED);
  CHECK(vaa_report_samples(nullptr).size == 0);
  CHECK(vaa_records_run(nullptr).size == 0);
  CHECK(vaa_vocab_size(nullptr) == 0);
  CHECK(vaa_sample_has(nullptr, VAA_FIELD_ID) == 0);
  CHECK(vaa_task_cancelled(nullptr) == 0);
}

TEST_CASE("border: err may be NULL, a NULL handle or out is an error and no crash", "[border]") {
  CHECK(vaa_sample_new(nullptr, nullptr) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_sample_set_str(nullptr, VAA_FIELD_ID, str("x"), nullptr) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_checker_new(str("{}"), nullptr, nullptr, nullptr) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_checker_new(str("{\"x\":1}"), nullptr, nullptr, nullptr) != VAA_OK);
  CHECK(vaa_records_open(str("/nowhere"), str(""), nullptr, nullptr) != VAA_OK);
  const Error error = fault([](vaa_error** err) { return vaa_tally_push(nullptr, nullptr, nullptr, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(error) == "sample is NULL");
  const Error tally = fault([](vaa_error** err) { return vaa_tally_new(nullptr, str(""), nullptr, err); });
  CHECK(vaa_error_status(tally.get()) == VAA_ERROR_ARGUMENT);
}

TEST_CASE("border: out is not touched on failure", "[border]") {
  auto* const before = reinterpret_cast<vaa_checker*>(0x1234);
  vaa_checker* checker = before;
  const Error error = fault([&](vaa_error** err) { return vaa_checker_new(str("{\"flagz\":[]}"), nullptr, &checker, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_OPTION);
  CHECK(checker == before);
  CHECK(message(error).find("flagz") != std::string::npos);
  CHECK(message(error).find("flags") != std::string::npos);

  const Sample sample = new_sample();
  int64_t repeat = 77;
  CHECK(vaa_sample_i64(sample.get(), VAA_FIELD_REPEAT, &repeat, nullptr) == VAA_ERROR_NOT_FOUND);
  CHECK(repeat == 77);
}

TEST_CASE("border: a view of size 0 is empty whatever its pointer", "[border]") {
  const Sample sample = new_sample();
  ok([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), VAA_FIELD_OUTPUT_TEXT, {nullptr, 0}, err); });
  CHECK(vaa_sample_has(sample.get(), VAA_FIELD_OUTPUT_TEXT) == 1);
  ok([&](vaa_error** err) { return vaa_sample_set_ids(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, {reinterpret_cast<const int32_t*>(1), 0}, err); });
  vaa_ids ids{reinterpret_cast<const int32_t*>(1), 9};
  ok([&](vaa_error** err) { return vaa_sample_ids(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, &ids, err); });
  CHECK(ids.size == 0);
  vaa_checker* checker = nullptr;
  ok([&](vaa_error** err) { return vaa_checker_new({nullptr, 0}, nullptr, &checker, err); });
  vaa_checker_free(checker);
}

TEST_CASE("border: a view of some size whose pointer is NULL is refused", "[border]") {
  vaa_sample* sample = nullptr;
  REQUIRE(vaa_sample_new(&sample, nullptr) == VAA_OK);
  const Error error = fault([&](vaa_error** err) { return vaa_sample_set_str(sample, VAA_FIELD_ID, vaa_str{nullptr, 5}, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(error) == "a view of size 5 has NULL as its data");
  CHECK(vaa_sample_set_ids(sample, VAA_FIELD_OUTPUT_TOKEN_IDS, vaa_ids{nullptr, 1}, nullptr) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_sample_set_f64s(sample, VAA_FIELD_OUTPUT_LOGPROBS, vaa_f64s{nullptr, 1}, nullptr) == VAA_ERROR_ARGUMENT);
  CHECK(vaa_sample_from_json(sample, vaa_str{nullptr, 1}, nullptr) == VAA_ERROR_ARGUMENT);
  vaa_records* records = nullptr;
  CHECK(vaa_records_open(str("/nowhere"), vaa_str{nullptr, 1}, &records, nullptr) == VAA_ERROR_ARGUMENT);
  vaa_sample_free(sample);
}

TEST_CASE("border: views are read to their end and not past it", "[border]") {
  const Checker checker = new_checker();
  const Tally tally = new_tally(checker);
  for (std::string_view bytes : {"", "a", "<think>", "The answer is \\boxed{4}.", "\xE6\x9C", "\xF0\x9F\x98", "x\xEF\xBF", "<|im_en", "\xED\xA0"}) {
    const GuardedBytes guarded(bytes);
    const Sample sample = new_sample();
    ok([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), VAA_FIELD_OUTPUT_TEXT, guarded.view(), err); });
    ok([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), VAA_FIELD_PROMPT_TEXT, guarded.view(), err); });
    vaa_findings findings{};
    ok([&](vaa_error** err) { return vaa_tally_push(tally.get(), sample.get(), &findings, err); });
  }
  const GuardedBytes record(R"({"schema":"vaa.record/1","id":"1","output":{"text":"hi"}})");
  const Sample sample = new_sample();
  ok([&](vaa_error** err) { return vaa_sample_from_json(sample.get(), record.view(), err); });
  const GuardedBytes cut(R"({"schema":"vaa.record/1","id":"1","output":{"text":"hi\u12)");
  CHECK(vaa_sample_from_json(sample.get(), cut.view(), nullptr) != VAA_OK);
  const GuardedBytes options(R"({"max_excerpt":12)");
  vaa_checker* none = nullptr;
  CHECK(vaa_checker_new(options.view(), nullptr, &none, nullptr) == VAA_ERROR_OPTION);
}

TEST_CASE("border: text that vaa returns is followed by a NUL", "[border]") {
  vaa_text* out = nullptr;
  ok([&](vaa_error** err) { return vaa_flags(&out, err); });
  const Text owned(out);
  const vaa_str flags = vaa_text_str(out);
  REQUIRE(flags.size > 0);
  CHECK(flags.data[flags.size] == '\0');
  CHECK(vaa_version().data[vaa_version().size] == '\0');
  CHECK(vaa_flag_name(0).data[vaa_flag_name(0).size] == '\0');
}

TEST_CASE("border: errors from 64 threads are each their own", "[border][threads]") {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 64; ++t)
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 50; ++i) {
        const std::string key = "key_" + std::to_string(t) + "_" + std::to_string(i);
        vaa_error* err = nullptr;
        vaa_checker* checker = nullptr;
        const std::string options = "{\"" + key + "\":1}";
        if (vaa_checker_new(str(options), nullptr, &checker, &err) != VAA_ERROR_OPTION || text(vaa_error_message(err)).find(key) == std::string::npos) ++wrong;
        vaa_error_free(err);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("border: one checker serves many threads", "[border][threads]") {
  const Checker checker = new_checker();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      vaa_tally* tally = nullptr;
      vaa_sample* sample = nullptr;
      if (vaa_tally_new(checker.get(), str(""), &tally, nullptr) || vaa_sample_new(&sample, nullptr)) {
        ++wrong;
        return;
      }
      for (int i = 0; i < 200; ++i) {
        std::string answer = "Answer " + std::to_string(i * 8 + t) + ". ";
        if (i % 2) for (int k = 0; k < 40; ++k) answer += "and the same again, ";
        vaa_sample_clear(sample);
        vaa_sample_set_str(sample, VAA_FIELD_OUTPUT_TEXT, str(answer), nullptr);
        vaa_sample_set_str(sample, VAA_FIELD_FINISH_REASON, str(i % 2 ? "length" : "stop"), nullptr);
        vaa_findings findings{};
        if (vaa_tally_push(tally, sample, &findings, nullptr) || has_flag(findings, "repetition_loop") != (i % 2 == 1)) ++wrong;
      }
      vaa_sample_free(sample);
      vaa_tally_free(tally);
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("border: a size that no memory has is refused", "[border]") {
  const Sample sample = new_sample();
  const Error error = fault([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), VAA_FIELD_ID, {"x", SIZE_MAX}, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
  const int32_t id = 1;
  const Error ids = fault([&](vaa_error** err) { return vaa_sample_set_ids(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, {&id, SIZE_MAX / 4}, err); });
  CHECK(vaa_error_status(ids.get()) == VAA_ERROR_ARGUMENT);
}
