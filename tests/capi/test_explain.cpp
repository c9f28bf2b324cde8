// vaa_explain: the forms it gives, and what it refuses.
#include "support.h"

namespace {

std::string explained(std::string_view name, std::string_view options = "") {
  vaa_text* out = nullptr;
  ok([&](vaa_error** err) { return vaa_explain(str(name), str(options), &out, err); });
  return text(vaa_text_str(Text(out).get()));
}

Error refused(std::string_view name, std::string_view options = "") {
  vaa_text* out = nullptr;
  Error error = fault([&](vaa_error** err) { return vaa_explain(str(name), str(options), &out, err); });
  CHECK(out == nullptr);
  return error;
}

}  // namespace

TEST_CASE("explain: a flag in both languages and every form", "[explain]") {
  CHECK(explained("empty").find(R"({"name": "empty", "kind": "flag", "severity": "fail", "ceiling": 0.01, "title": "empty")") == 0);
  CHECK(explained("empty", R"({"lang": "zh"})").find(R"("title": "空回答")") != std::string::npos);
  CHECK(explained("empty", R"({"format": "text", "lang": "zh", "width": 60})").find("\n下一步\n") != std::string::npos);
  CHECK(explained("empty", R"({"format": "markdown"})").find("## empty\n") == 0);
}

TEST_CASE("explain: without a name there is a line for every flag", "[explain]") {
  const std::string all = explained("", R"({"format": "text"})");
  for (int32_t i = 0; i < vaa_flag_count(); ++i) CHECK(("\n" + all).find("\n" + text(vaa_flag_name(i)) + " ") != std::string::npos);
  CHECK(explained("").front() == '[');
}

TEST_CASE("explain: an unknown name is not found, the nearest is named", "[explain]") {
  const Error near = refused("repetition_lop"), none = refused(std::string_view("\0", 1));
  CHECK(vaa_error_status(near.get()) == VAA_ERROR_NOT_FOUND);
  CHECK(message(near).find("did you mean repetition_loop?") != std::string::npos);
  CHECK(vaa_error_status(none.get()) == VAA_ERROR_NOT_FOUND);
  CHECK(vaa_error_status(refused("empty", R"({"lang": "de"})").get()) == VAA_ERROR_OPTION);
  CHECK(vaa_error_status(refused("empty", R"({"width": 3})").get()) == VAA_ERROR_OPTION);
  CHECK(vaa_error_status(fault([](vaa_error** err) { return vaa_explain(str("empty"), str(""), nullptr, err); }).get()) == VAA_ERROR_ARGUMENT);
}
