// Metrics pages: the two text formats and hostile bytes; what engines counted between scrapes.
#include "catch.h"
#include "read_samples.h"

#include <cmath>

#include "base/failure.h"
#include "records/engine_counters.h"
#include "records/json_tree.h"
#include "records/readers/prometheus.h"

using namespace vaa;
using namespace vaa_test;

namespace {

std::vector<Metric> metrics_of(std::string_view page, int64_t* bad = nullptr) {
  PrometheusText text(page);
  std::vector<Metric> out;
  Metric metric;
  while (text.next(&metric)) out.push_back(metric);
  if (bad) *bad = text.bad_lines();
  return out;
}

JsonTree counted(const EngineCounters& counters) {
  JsonTree tree;
  REQUIRE(parse_json_tree(counters.json(), &tree));
  CHECK(member(tree, "schema").string() == "vaa.counters/1");
  return tree;
}
JsonTree counted(const std::vector<std::string>& pages) {
  EngineCounters counters;
  for (size_t i = 0; i < pages.size(); ++i) counters.push(pages[i], static_cast<double>(i));
  return counted(counters);
}
const JsonTree& engine(const JsonTree& tree, size_t i = 0) { return member(tree, "engines").members.at(i).second; }
std::string field(const JsonTree& tree, const char* outer, const char* inner = nullptr, size_t i = 0) {
  const JsonTree& value = member(engine(tree, i), outer);
  return (inner ? member(value, inner) : value).json();
}
std::string says(EngineCounters* counters, std::string_view page, double time_s, vaa_status status) {
  try {
    counters->push(page, time_s);
  } catch (const Failure& failure) {
    CHECK(failure.status() == status);
    return failure.message();
  }
  return "";
}

}  // namespace

TEST_CASE("prometheus: names, labels with escapes, values and timestamps", "[records]") {
  int64_t bad = 0;
  const auto found = metrics_of("# HELP a text\n# TYPE a counter\n\n a 1\r\nb{} 2\nc{x=\"1\",y=\"a\\\\b\\\"c\\nd\\q\",} 3 1395066363000\n\td{ x = \"}\" , z=\"\" }\t-4e+02 1.5\n"
                                "e:f_0 +Inf # {trace=\"x\"} 0.5 1.5\n{\"odd name\",\"lab.el\"=\"v\"} 5\n# EOF\ng NaN",
                                &bad);
  CHECK(bad == 0);
  REQUIRE(found.size() == 7);
  const char* names[] = {"a", "b", "c", "d", "e:f_0", "odd name", "g"};
  const double values[] = {1, 2, 3, -400, INFINITY, 5, NAN};
  for (size_t i = 0; i < 7; ++i) {
    CHECK(found[i].name == names[i]);
    CHECK((found[i].value == values[i] || (std::isnan(values[i]) && std::isnan(found[i].value))));
  }
  CHECK(found[2].label_count == 2);
  CHECK(found[2].label("x") == "1");
  CHECK(found[2].label("y") == "a\\b\"c\nd\\q");
  CHECK(found[3].label("x") == "}");
  CHECK(found[5].label("lab.el") == "v");
  CHECK(found[0].label("x").empty());
}

TEST_CASE("prometheus: numbers as programs print them", "[records]") {
  const std::pair<const char*, double> cases[] = {{"1", 1}, {"+1", 1}, {"-1.5", -1.5}, {".5", 0.5}, {"5.", 5}, {"007", 7}, {"1e3", 1000}, {"1.7872199e+09", 1787219900}, {"-0", 0},
                                                  {"00.250", 0.25}, {"inf", INFINITY}, {"-Inf", -INFINITY}, {"+Infinity", INFINITY}, {"5.e1", 50}, {"1e400", INFINITY}};
  for (const auto& [text, value] : cases) {
    INFO(text);
    const std::string page = std::string("a ") + text;
    const auto found = metrics_of(page);
    REQUIRE(found.size() == 1);
    CHECK(found[0].value == value);
  }
  for (const char* text : {"", ".", "-", "+", "e5", "1e", "0x10", "1_000", "1,5", "one", "--1", "1e5.5", "infinite", "\"1\""}) {
    INFO(text);
    int64_t bad = 0;
    CHECK(metrics_of(std::string("a ") + text, &bad).empty());
    CHECK(bad == 1);
  }
}

TEST_CASE("prometheus: malformed lines are counted and passed over", "[records]") {
  const char* lines[] = {"1a 2",       "a",           "a{ 1",         "a{x} 1",      "a{x=} 1",  "a{x=1} 1",      "a{x=\"1} 1",     "a{x=\"1\"",   "a{x=\"1\" y=\"2\"} 1",
                         "a{,} 1",     "a{x=\"1\"}",  "a 1 2 3",      "a 1 x",       "{} 1",     "{x=\"1\"} 1",   "<html>",         "a-b 1",       "\xFF\xFE 1",
                         "a{x=\"\\",   "a{\"x\"} 1",  "a{x=\"1\",,} 1", "}{ 1",      "= 1"};
  for (const char* line : lines) {
    INFO(line);
    int64_t bad = 0;
    const std::string page = std::string("before 1\n") + line + "\nafter 2\n";
    const auto found = metrics_of(page, &bad);
    CHECK(bad == 1);
    REQUIRE(found.size() == 2);
    CHECK(found[1].name == "after");
  }
  int64_t bad = 0;
  CHECK(metrics_of(std::string_view("a\0b 1\n\0\n", 8), &bad).empty());
  CHECK(bad == 2);
}

TEST_CASE("engine counters: the recorded scrapes of two engines", "[records]") {
  const JsonTree tree = counted({file_bytes(golden_sample("vllm_metrics_before.prom")), file_bytes(golden_sample("vllm_metrics_after.prom"))});
  CHECK(member(tree, "scrapes").integer() == 2);
  CHECK(member(tree, "bad_lines").integer() == 0);
  REQUIRE(member(tree, "engines").members.size() == 2);
  // tests/golden/samples/README.md: over both 400 drafts, 1200 drafted, 760 accepted; by position .85, .625, .425.
  double drafts = 0, drafted = 0, accepted = 0, positions[3] = {};
  for (size_t i = 0; i < 2; ++i) {
    CHECK(field(tree, "kind", nullptr, i) == "\"vllm\"");
    CHECK(field(tree, "model", nullptr, i) == "\"toy-8b\"");
    const JsonTree& spec = member(engine(tree, i), "spec");
    drafts += member(spec, "drafts").real();
    drafted += member(spec, "draft_tokens").real();
    accepted += member(spec, "accepted_tokens").real();
    for (size_t k = 0; k < 3; ++k) positions[k] += member(spec, "accepted_per_position").members.at(k).second.real();
  }
  CHECK(drafts == 400);
  CHECK(drafted == 1200);
  CHECK(accepted == 760);
  CHECK(positions[0] == 0.85 * 400);
  CHECK(positions[1] == 0.625 * 400);
  CHECK(positions[2] == 0.425 * 400);
  CHECK(field(tree, "requests", nullptr, 1) == "null");
  CHECK(field(tree, "preemptions") == "null");
}

TEST_CASE("engine counters: old and new names are one field, never added", "[records]") {
  const std::string both = "vllm:gpu_prefix_cache_queries_total{engine=\"0\"} %\nvllm:prefix_cache_queries_total{engine=\"0\"} %\nvllm:gpu_prefix_cache_hits{engine=\"0\"} %\n";
  const auto page = [&](const std::string& value) {
    std::string out = both;
    for (size_t at = out.find('%'); at != std::string::npos; at = out.find('%')) out.replace(at, 1, value);
    return out;
  };
  const JsonTree tree = counted({page("100"), page("107")});
  CHECK(field(tree, "prefix_cache", "queries") == "7");
  CHECK(field(tree, "prefix_cache", "hits") == "7");
}

TEST_CASE("engine counters: SGLang and llama.cpp", "[records]") {
  const std::string sglang = "sglang:prompt_tokens_total{model_name=\"m\",is_streaming=\"true\"} 10\nsglang:prompt_tokens_total{model_name=\"m\",is_streaming=\"false\"} 1\n"
                             "sglang:spec_verify_calls_total{model_name=\"m\",tp_rank=\"0\"} 5\nsglang:spec_verify_calls_total{model_name=\"m\",tp_rank=\"1\"} 5\n"
                             "sglang:num_running_reqs{model_name=\"m\",tp_rank=\"0\"} 3\nsglang:num_queue_reqs{model_name=\"m\"} 0\nsglang:num_running_reqs{model_name=\"m\",tp_rank=\"0\",dp_rank=\"1\"} 9\n";
  const std::string later = "sglang:prompt_tokens_total{is_streaming=\"true\",model_name=\"m\"} 30\nsglang:prompt_tokens_total{model_name=\"m\",is_streaming=\"false\"} 2\n"
                            "sglang:spec_verify_calls_total{model_name=\"m\",tp_rank=\"0\"} 7\nsglang:spec_verify_calls_total{model_name=\"m\",tp_rank=\"1\"} 7\n"
                            "sglang:num_running_reqs{model_name=\"m\",tp_rank=\"0\"} 1\n";
  const JsonTree tree = counted({sglang, later});
  REQUIRE(member(tree, "engines").members.size() == 2);
  CHECK(field(tree, "engine") == "null");
  CHECK(field(tree, "prompt_tokens") == "21");
  CHECK(field(tree, "prefix_cache", "queries") == "21");
  CHECK(field(tree, "prefix_cache", "hits") == "null");
  CHECK(field(tree, "spec", "drafts") == "2");
  CHECK(field(tree, "spec", "draft_tokens") == "null");
  CHECK(field(tree, "running_max") == "3");
  CHECK(field(tree, "waiting_max") == "0");
  CHECK(field(tree, "engine", nullptr, 1) == "\"1\"");
  CHECK(field(tree, "running_max", nullptr, 1) == "9");
  const JsonTree llama = counted({"llamacpp:tokens_predicted_total 12\nllamacpp:requests_deferred 4\n", "llamacpp:tokens_predicted_total 20\n"});
  CHECK(field(llama, "kind") == "\"llamacpp\"");
  CHECK(field(llama, "generation_tokens") == "8");
  CHECK(field(llama, "waiting_max") == "4");
}

TEST_CASE("engine counters: a counter that goes back is a restart, counted once a scrape", "[records]") {
  const auto page = [](int prompt, int generated) { return "vllm:prompt_tokens_total{engine=\"0\"} " + std::to_string(prompt) + "\nvllm:generation_tokens_total{engine=\"0\"} " + std::to_string(generated) + "\n"; };
  const JsonTree tree = counted({page(100, 50), page(110, 60), page(3, 4), page(5, 5), page(0, 0)});
  CHECK(field(tree, "restarts") == "2");
  CHECK(field(tree, "prompt_tokens") == "15");      // 10 + 3 + 2 + 0
  CHECK(field(tree, "generation_tokens") == "15");  // 10 + 4 + 1 + 0
}

TEST_CASE("engine counters: not exposed is null, one scrape tells no increase, a series that comes later began at 0", "[records]") {
  const std::string one = "vllm:request_success_total{finished_reason=\"stop\"} 7\nvllm:num_requests_running 2\nvllm:request_success_created{finished_reason=\"stop\"} 1e9\n";
  const JsonTree first = counted({one});
  CHECK(field(first, "requests") == "null");
  CHECK(field(first, "running_max") == "2");
  CHECK(field(first, "spec", "accepted_per_position") == "null");
  const JsonTree both = counted({one, one + "vllm:request_success_total{finished_reason=\"length\"} 3\n"});
  CHECK(field(both, "requests") == R"({"length": 3, "stop": 0})");
  const JsonTree none = counted({std::string("python_info 1\n")});
  CHECK(member(none, "scrapes").integer() == 1);
  CHECK(member(none, "engines").members.empty());
}

TEST_CASE("engine counters: values and labels that are none are counted as bad lines", "[records]") {
  const JsonTree tree = counted({std::string("vllm:prompt_tokens_total NaN\nvllm:prompt_tokens_total -1\nvllm:generation_tokens_total 1\nvllm:generation_tokens_total 2\nx{ 1\n"
                                             "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"x\"} 1\nvllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1024\"} 1\n"
                                             "vllm:spec_decode_num_accepted_tokens_per_pos_total 1\nvllm:num_requests_running +Inf\n")});
  CHECK(member(tree, "bad_lines").integer() == 8);
}

TEST_CASE("engine counters: what is no page, and times that go back, are errors that change nothing", "[records]") {
  EngineCounters counters;
  CHECK(says(&counters, "", 0, VAA_ERROR_FORMAT) == "page: is empty");
  CHECK(says(&counters, "<html>404</html>", 0, VAA_ERROR_FORMAT) == "page: no line of it is a metric; it begins with \"<html>404</html>\"");
  CHECK(says(&counters, "a 1", std::nan(""), VAA_ERROR_ARGUMENT) == "time_s: is no number");
  CHECK(counters.json() == R"({"schema": "vaa.counters/1", "scrapes": 0, "from_s": null, "to_s": null, "bad_lines": 0, "engines": []})");
  counters.push("a 1", 5);
  CHECK(says(&counters, "a 1", 4, VAA_ERROR_ARGUMENT) == "time_s: is before that of the page before it; pages are pushed in the order of time");
  std::string many;
  for (size_t i = 0; i <= EngineCounters::kMaxSeries; ++i) many += "vllm:num_requests_running{engine=\"" + std::to_string(i) + "\"} 1\n";
  CHECK(says(&counters, many, 6, VAA_ERROR_CAPACITY) == "page: more than 65536 series would have to be counted");
  CHECK(member(counted(counters), "scrapes").integer() == 1);
  CHECK(member(counted(counters), "engines").members.empty());
}
