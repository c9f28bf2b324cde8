#include "align/align.h"
#include "catch.h"

using namespace vaa;

namespace {

Report aligned(const std::string& a, const std::string& b) { return align({read_setup(a, "reference"), read_setup(b, "target")}); }
const std::string kVllm = R"({"engine": "vllm", "generation_config": null, "request": )";

}  // namespace

TEST_CASE("align: a setup is like itself", "[align]") {
  CHECK(aligned(kVllm + R"({"temperature": 0.6, "top_p": 0.95}})", kVllm + R"({"temperature": 0.6, "top_p": 0.95}})").verdict() == Verdict::kPass);
}

TEST_CASE("align: what changes the law of answers fails, and is named", "[align]") {
  const Report r = aligned(kVllm + R"({"temperature": 0.6}})", kVllm + R"({"temperature": 1.0}})");
  CHECK(r.verdict() == Verdict::kFail);
  CHECK(r.json().find("they do not sample alike: temperature\"") != std::string::npos);
  CHECK(aligned(kVllm + R"({"max_tokens": 100}})", kVllm + R"({"max_tokens": 200}})").verdict() == Verdict::kFail);
}

TEST_CASE("align: what only draws would show does not matter to greedy answers", "[align]") {
  CHECK(aligned(kVllm + R"({"temperature": 0, "top_p": 0.5}})", kVllm + R"({"temperature": 0}})").verdict() == Verdict::kPass);
  CHECK(aligned(kVllm + R"({"temperature": 0, "repetition_penalty": 1.1}})", kVllm + R"({"temperature": 0}})").verdict() == Verdict::kFail);
}

TEST_CASE("align: another seed draws other answers of the same law", "[align]") {
  CHECK(aligned(kVllm + R"({"temperature": 1, "seed": 1}})", kVllm + R"({"temperature": 1, "seed": 2}})").verdict() == Verdict::kPass);
}

TEST_CASE("align: a value that could matter and is not known leaves it undecided", "[align]") {
  const std::string unknown = R"({"engine": "vllm", "request": {"top_p": 0.9}})";
  CHECK(aligned(unknown, unknown).verdict() == Verdict::kUndecided);
  CHECK(aligned(R"({"engine": "mindie", "request": {"temperature": 1}})", kVllm + R"({"temperature": 1}})").verdict() == Verdict::kUndecided);
}

TEST_CASE("align: rules of samplers count where the parameters let them show", "[align]") {
  const std::string llama = R"({"engine": "llama_cpp", "request": {"max_tokens": 9, "min_p": 0, "top_k": 0, "top_p": 1, "temperature": 0.5}})";
  const std::string vllm = kVllm + R"({"max_tokens": 9, "temperature": 0.5}})";
  CHECK(aligned(llama, vllm).verdict() == Verdict::kPass);  // one law: temperature alone
  const Report cut = aligned(R"({"engine": "llama_cpp", "request": {"max_tokens": 9, "min_p": 0, "top_k": 0, "top_p": 0.9, "temperature": 0.5}})", kVllm + R"({"max_tokens": 9, "temperature": 0.5, "top_p": 0.9}})");
  CHECK(cut.verdict() == Verdict::kFail);
  CHECK(cut.json().find("they do not sample alike: order") != std::string::npos);
}

TEST_CASE("align: stages that are not set have no order", "[align]") {
  const std::string request = R"({"temperature": 0.6, "top_k": 20, "top_p": 0.95, "max_tokens": 9}})";
  const std::string sglang = R"({"engine": "sglang", "generation_config": null, "request": )";
  const Report r = aligned(kVllm + request, sglang + request);  // min_p, which stands elsewhere, is off
  CHECK(r.json().find("they do not sample alike: top_k_top_p\"") != std::string::npos);
}

TEST_CASE("align: a rule that only values which are not known would let show leaves it undecided", "[align]") {
  CHECK(aligned(R"({"engine": "vllm", "launch": "vllm serve m"})", R"({"engine": "sglang", "generation_config": null})").verdict() == Verdict::kUndecided);
}
