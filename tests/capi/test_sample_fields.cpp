// include/vaa/sample.h
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "support.h"

TEST_CASE("sample: what was not set is not recorded, what was set empty is", "[sample]") {
  const Checker checker = new_checker();
  const Tally tally = new_tally(checker);
  const Sample sample = new_sample();
  vaa_findings findings{};
  ok([&](vaa_error** err) { return vaa_tally_push(tally.get(), sample.get(), &findings, err); });
  CHECK_FALSE(has_flag(findings, "empty"));
  CHECK(unknown(findings, "empty"));
  set(sample, VAA_FIELD_OUTPUT_TEXT, "");
  ok([&](vaa_error** err) { return vaa_tally_push(tally.get(), sample.get(), &findings, err); });
  CHECK(has_flag(findings, "empty"));
  CHECK_FALSE(unknown(findings, "empty"));
}

TEST_CASE("sample: each field has one name, found again by it", "[sample]") {
  std::set<std::string> names;
  int fields = 0;
  for (vaa_field field = 0; field < 1000; ++field) {
    const std::string name = text(vaa_field_name(field));
    if (name.empty()) continue;
    ++fields;
    names.insert(name);
    vaa_field found = -1;
    ok([&](vaa_error** err) { return vaa_field_find(str(name), &found, err); });
    CHECK(found == field);
  }
  CHECK(names.size() == static_cast<size_t>(fields));
  CHECK(text(vaa_field_name(VAA_FIELD_OUTPUT_TEXT)) == "output.text");
  CHECK(text(vaa_field_name(VAA_FIELD_SPEC_ACCEPTED_PER_POSITION)) == "spec.accepted_per_position");
  CHECK(fields == 26 + 19 + 11 + 4 + 4 + 3);
  vaa_field none = 5;
  const Error error = fault([&](vaa_error** err) { return vaa_field_find(str("output.txt"), &none, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_NOT_FOUND);
  CHECK(none == 5);
}

TEST_CASE("sample: a value of another type names the field", "[sample]") {
  const Sample sample = new_sample();
  const Error error = fault([&](vaa_error** err) { return vaa_sample_set_i64(sample.get(), VAA_FIELD_OUTPUT_TEXT, 3, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(error) == "output.text: is text, not an integer");
  const Error none = fault([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), 12345, str("x"), err); });
  CHECK(message(none) == "field: 12345 is no field");
  const Error reason = fault([&](vaa_error** err) { return vaa_sample_set_str(sample.get(), VAA_FIELD_FINISH_REASON, str("done"), err); });
  CHECK(vaa_error_status(reason.get()) == VAA_ERROR_ARGUMENT);
  CHECK(message(reason).find("length") != std::string::npos);
}

TEST_CASE("sample: every type comes back as it went in", "[sample]") {
  const Sample sample = new_sample();
  const std::string bytes("a\0\xFF\xED\xA0\xBD", 6);
  set(sample, VAA_FIELD_OUTPUT_TEXT, bytes);
  set(sample, VAA_FIELD_SEED, "18446744073709551615");
  ok([&](vaa_error** err) { return vaa_sample_set_i64(sample.get(), VAA_FIELD_MAX_TOKENS, 32768, err); });
  ok([&](vaa_error** err) { return vaa_sample_set_f64(sample.get(), VAA_FIELD_TEMPERATURE, 0.6, err); });
  const std::vector<int32_t> ids{-1, 0, 2147483647};
  ok([&](vaa_error** err) { return vaa_sample_set_ids(sample.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, {ids.data(), ids.size()}, err); });
  const std::vector<double> logprobs{-0.5, -INFINITY, std::numeric_limits<double>::quiet_NaN()};
  ok([&](vaa_error** err) { return vaa_sample_set_f64s(sample.get(), VAA_FIELD_OUTPUT_LOGPROBS, {logprobs.data(), logprobs.size()}, err); });
  const std::vector<int64_t> accepted{5, 3, 1};
  ok([&](vaa_error** err) { return vaa_sample_set_i64s(sample.get(), VAA_FIELD_SPEC_ACCEPTED_PER_POSITION, {accepted.data(), accepted.size()}, err); });

  vaa_str out_text{};
  ok([&](vaa_error** err) { return vaa_sample_str(sample.get(), VAA_FIELD_OUTPUT_TEXT, &out_text, err); });
  CHECK(text(out_text) == bytes);
  CHECK(out_text.data[out_text.size] == '\0');
  vaa_f64s out_logprobs{};
  ok([&](vaa_error** err) { return vaa_sample_f64s(sample.get(), VAA_FIELD_OUTPUT_LOGPROBS, &out_logprobs, err); });
  REQUIRE(out_logprobs.size == 3);
  CHECK(out_logprobs.data[1] == -INFINITY);
  CHECK(std::isnan(out_logprobs.data[2]));

  // Through a record line and back.
  vaa_text* line = nullptr;
  ok([&](vaa_error** err) { return vaa_sample_to_json(sample.get(), &line, err); });
  const Text owned(line);
  const Sample again = new_sample();
  ok([&](vaa_error** err) { return vaa_sample_from_json(again.get(), vaa_text_str(line), err); });
  vaa_str seed{};
  ok([&](vaa_error** err) { return vaa_sample_str(again.get(), VAA_FIELD_SEED, &seed, err); });
  CHECK(text(seed) == "18446744073709551615");
  vaa_i64s out_accepted{};
  ok([&](vaa_error** err) { return vaa_sample_i64s(again.get(), VAA_FIELD_SPEC_ACCEPTED_PER_POSITION, &out_accepted, err); });
  REQUIRE(out_accepted.size == 3);
  CHECK(out_accepted.data[0] == 5);
  vaa_ids out_ids{};
  ok([&](vaa_error** err) { return vaa_sample_ids(again.get(), VAA_FIELD_OUTPUT_TOKEN_IDS, &out_ids, err); });
  REQUIRE(out_ids.size == 3);
  CHECK(out_ids.data[2] == 2147483647);

  ok([&](vaa_error** err) { return vaa_sample_unset(sample.get(), VAA_FIELD_SEED, err); });
  CHECK(vaa_sample_has(sample.get(), VAA_FIELD_SEED) == 0);
  vaa_sample_clear(sample.get());
  CHECK(vaa_sample_has(sample.get(), VAA_FIELD_OUTPUT_TEXT) == 0);
}

TEST_CASE("sample: a record that is bad leaves the sample as it was", "[sample]") {
  const Sample sample = new_sample();
  set(sample, VAA_FIELD_ID, "before");
  for (std::string_view bad : {"", "[]", "{", "{\"id\":}", "{\"output\":{\"text\":5}}", "{\"output\":{\"token_ids\":[1.5]}}", "{\"repeat\":-1}"}) {
    INFO(bad);
    const Error error = fault([&](vaa_error** err) { return vaa_sample_from_json(sample.get(), str(bad), err); });
    CHECK(vaa_error_status(error.get()) == VAA_ERROR_FORMAT);
    vaa_str id{};
    ok([&](vaa_error** err) { return vaa_sample_str(sample.get(), VAA_FIELD_ID, &id, err); });
    CHECK(text(id) == "before");
  }
}

TEST_CASE("sample: a field that holds JSON takes nothing else", "[sample]") {
  const Sample sample = new_sample();
  const std::pair<vaa_field, const char*> bad[] = {{VAA_FIELD_PROMPT_MESSAGES, "stop"},   {VAA_FIELD_PROMPT_MESSAGES, "{}"},       {VAA_FIELD_PROMPT_MESSAGES, "[1"},
                                                   {VAA_FIELD_PROMPT_MESSAGES, "[] []"}, {VAA_FIELD_TOOL_CALLS, "\"x\""}, {VAA_FIELD_EXTRA, "[]"},
                                                   {VAA_FIELD_EXTRA, ""}};
  for (const auto& [field, value] : bad) {
    INFO(value);
    const Error error = fault([&, f = field, v = value](vaa_error** err) { return vaa_sample_set_str(sample.get(), f, str(v), err); });
    CHECK(vaa_error_status(error.get()) == VAA_ERROR_ARGUMENT);
    CHECK(message(error).find(text(vaa_field_name(field))) == 0);
    CHECK(vaa_sample_has(sample.get(), field) == 0);
  }
  set(sample, VAA_FIELD_PROMPT_MESSAGES, R"([{"role":"user","content":"hi"}])");
  set(sample, VAA_FIELD_EXTRA, " {\"a\":1} ");
}

TEST_CASE("sample: its prompt as a request, and an error where none is recorded", "[sample]") {
  const Sample sample = new_sample();
  vaa_text* none = nullptr;
  const Error error = fault([&](vaa_error** err) { return vaa_sample_request(sample.get(), &none, err); });
  CHECK(vaa_error_status(error.get()) == VAA_ERROR_NOT_FOUND);
  CHECK(message(error) == "prompt: is not recorded");
  CHECK(none == nullptr);
  set(sample, VAA_FIELD_ID, "17");
  set(sample, VAA_FIELD_PROMPT_TEXT, "What is 6 * 7?");
  ok([&](vaa_error** err) { return vaa_sample_request(sample.get(), &none, err); });
  CHECK(text(vaa_text_str(none)) == R"({"custom_id": "17/0", "method": "POST", "url": "/v1/completions", "body": {"prompt": "What is 6 * 7?"}})");
  vaa_text_free(none);
}
