// Dumps of steps, written here by the page that describes them (docs/reject-dump.md), whole, cut and damaged.
#include "reject/steps/step_dump.h"

#include <unistd.h>

#include <cstring>
#include <fstream>

#include "base/failure.h"
#include "catch.h"
#include "reject/file_evidence.h"
#include "reject/reject_audit.h"
#include "report/document.h"

using namespace vaa;

namespace {

template <class T>
void put(std::string* out, std::initializer_list<T> values) {
  for (const T value : values) out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string record(const char* kind, const std::string& payload) {
  std::string out = kind;
  put<uint32_t>(&out, {static_cast<uint32_t>(payload.size())});
  return out + payload;
}

// Two rows: of request 1 drafts 3, 5 and the ids 3, 2; of request 2 one draft that was taken.
std::string step() {
  std::string out;
  put<uint32_t>(&out, {2, 3, 4, 1 | 4});
  put<int64_t>(&out, {1, 2});
  put<int32_t>(&out, {12, 40});
  put<float>(&out, {0.6F, 1.0F});
  put<uint8_t>(&out, {2, 1, 2, 2});
  put<int32_t>(&out, {3, 5, 7, 3, 2, 7, 1});
  put<float>(&out, {0.75F, 0.5F, 0.25F});
  put<int32_t>(&out, {3, 5, 1});
  return record("STEP", out);
}

// All probabilities of the second row, two of draft and bonus over 8 ids.
std::string rows() {
  std::string out;
  put<uint32_t>(&out, {1, 1, 8, 4});
  for (int r = 0; r < 2; ++r)
    for (int x = 0; x < 8; ++x) put<float>(&out, {0.125F});
  put<double>(&out, {0.1});
  return record("ROWS", out);
}

std::string head(const std::string& json = R"({"format":"vaa.steps/1","vocab_size":8,"draft_probs":"one_hot"})") {
  std::string out = "vaasteps";
  put<uint32_t>(&out, {static_cast<uint32_t>(json.size())});
  return out + json;
}

class File {
 public:
  explicit File(const std::string& bytes) {
    path_ = "test_step_dump." + std::to_string(::getpid()) + "." + std::to_string(++count());
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static int& count() {
    static int value = 0;
    return value;
  }
  std::string path_;
};

struct Read {
  std::unique_ptr<RejectAudit> audit = std::make_unique<RejectAudit>(RejectAuditOptions());
  explicit Read(const std::string& bytes) {
    const File file(bytes);
    push_file(audit.get(), file.path(), FileEvidenceOptions(), nullptr);
  }
  const StepOddities& oddities() const { return audit->steps().oddities(); }
  const StepGroup& group() const { return *audit->steps().groups().at(0); }
};

vaa_status status_of(const std::string& bytes) {
  try {
    Read read(bytes);
  } catch (const Failure& failure) {
    return failure.status();
  }
  return VAA_OK;
}

}  // namespace

TEST_CASE("step dump: rows, drafts and full rows are read as they stand", "[reject]") {
  const Read read(head() + step() + rows());
  const StepGroup& group = read.group();
  CHECK((group.rows == 2 && group.draft_tokens == 3 && group.accepted == 2 && group.emitted == 4 && group.full_rows == 1));
  CHECK((group.with_p && group.with_argmax && !group.with_q && group.with_noise));
  CHECK((group.places.size() == 2 && group.places[1].drafted == 1 && group.places[1].reached == 1 && group.places[1].accepted == 0));
  CHECK((read.oddities().bad_rows == 0 && read.oddities().cut_files == 0));
}

TEST_CASE("step dump: a file that was cut anywhere is read to its last whole record", "[reject]") {
  const std::string whole = head() + step() + step() + rows();
  for (size_t size = head().size(); size < whole.size(); ++size) {
    const Read read(whole.substr(0, size));
    const size_t steps = (size - head().size()) / step().size();
    CHECK(read.group().rows == static_cast<int64_t>(2 * std::min<size_t>(steps, 2)));
    const bool at_record = size == head().size() || size == head().size() + step().size() || size == head().size() + 2 * step().size();
    CHECK(read.oddities().cut_files == !at_record);
  }
  CHECK(Read(whole.substr(0, whole.size() - 1)).oddities().first_cut.find(": at byte " + std::to_string(head().size() + 2 * step().size())) != std::string::npos);
}

TEST_CASE("step dump: what contradicts itself is counted and named, and the rest is read", "[reject]") {
  std::string wrong = step();
  const int32_t outside = 8;
  std::memcpy(wrong.data() + 8 + 16 + 16 + 8 + 8 + 4, &outside, 4);  // the first draft
  const Read row(head() + wrong + step());
  CHECK((row.oddities().bad_rows == 1 && row.group().rows == 3));
  CHECK(row.oddities().first_bad.find("draft id 8 lies outside the vocabulary of 8") != std::string::npos);
  std::string more = step();
  more[8] = 3;  // rows
  CHECK((Read(head() + more + step()).oddities().bad_rows == 1 && Read(head() + more + step()).group().rows == 2));
  CHECK(Read(head() + rows() + step()).oddities().bad_rows == 1);  // of no step
  const Read unknown(head() + record("MORE", "abc") + step());
  CHECK((unknown.oddities().unknown_records == 1 && unknown.group().rows == 2));
  const Read damaged(head() + step() + std::string(64, '\xff') + step());
  CHECK((damaged.oddities().damaged_files == 1 && damaged.group().rows == 2));
}

TEST_CASE("step dump: a header that says nothing is refused", "[reject]") {
  CHECK(status_of("vaasteps") == VAA_ERROR_FORMAT);
  CHECK(status_of(head("{}")) == VAA_ERROR_FORMAT);
  CHECK(status_of(head("[1]")) == VAA_ERROR_FORMAT);
  CHECK(status_of(head().substr(0, 20)) == VAA_ERROR_FORMAT);
  CHECK(status_of("{\"format\":\"vaa.steps/1\",\"vocab_size\":0}\n") == VAA_ERROR_FORMAT);
}

TEST_CASE("step dump: lines say the same as binary", "[reject]") {
  const Read binary(head() + step() + rows());
  const Read lines(R"({"format":"vaa.steps/1","vocab_size":8,"draft_probs":"one_hot"}
{"request":1,"position":12,"temperature":0.6,"drafts":[3,5],"ids":[3,2],"p":[0.75,0.5],"argmax":[3,5]}

{"request":2,"position":40,"temperature":1,"drafts":[7],"ids":[7,1],"p":[0.25],"argmax":[1],"rows":{"p":[[0.125,0.125,0.125,0.125,0.125,0.125,0.125,0.125],[0.125,0.125,0.125,0.125,0.125,0.125,0.125,0.125]],"uniforms":[0.1]}}
)");
  const auto findings = [](const Read& read) { return Document::parse(read.audit->report().json()).at("reject", "findings").items().size(); };
  CHECK((lines.group().rows == 2 && lines.group().full_rows == 1 && lines.group().accepted == 2 && findings(lines) == findings(binary)));
  const Read bad(R"({"format":"vaa.steps/1","vocab_size":8}
{"request":1,"temperature":0.6,"drafts":[3]}
{"request":1,"temperature":0.6,"drafts":[3],"ids":[3,
{"request":1,"temperature":0.6,"drafts":[3,99],"ids":[3]}
{"request":1,"temperature":0.6,"drafts":[3],"ids":[3,1],"p":[1]}
)");
  CHECK((bad.oddities().bad_rows == 3 && bad.group().rows == 1));
  CHECK(bad.oddities().first_bad.find(": line 2: a row needs") != std::string::npos);
}

TEST_CASE("step dump: ranks and headers are judged apart, parts of one rank together", "[reject]") {
  RejectAudit audit{RejectAuditOptions()};
  for (const char* more : {R"("part":0)", R"("part":1)", R"("rank":3)", R"("rank":3,"policy":"vllm_v2")"}) {
    const File file(head(R"({"vocab_size":8,"draft_probs":"one_hot",)" + std::string(more) + "}") + step());
    push_file(&audit, file.path(), FileEvidenceOptions(), nullptr);
  }
  REQUIRE(audit.steps().groups().size() == 3);
  CHECK(audit.steps().groups()[0]->rows == 4);
  const Document report = Document::parse(audit.report().json());
  CHECK(report.at("reject", "evidence").text() == "steps");
  CHECK(report.at("reject", "steps")["ranks"].items()[2]["engine"].text() == "rank 3 (2)");
}
