#include "catch.h"
#include "reading.h"
#include "records/python_literals.h"

using namespace vaa;

namespace {
std::string json(const std::string& python) { return read_python_literals(python).json(); }
}  // namespace

TEST_CASE("python: literals of every kind", "[records]") {
  CHECK(json("a = 1\nb=-2.5e-3\nc = .5\nd = 5.\ne = 1_000\nf = +7") == R"({"a": 1, "b": -2.5e-3, "c": 0.5, "d": 5.0, "e": 1000, "f": 7})");
  CHECK(json("a = True\nb = False\nc = None") == R"({"a": true, "b": false, "c": null})");
  CHECK(json("a = [1, (2, 3), (4,), (5), []]\nb = {'x': 1, \"y\": {}, 3: 'z',}") == R"({"a": [1, [2, 3], [4], 5, []], "b": {"x": 1, "y": {}, "3": "z"}})");
  CHECK(json("a = dict(b=dict(c='d'),\n  e=[\n    1, # one\n    ],\n)") == R"({"a": {"b": {"c": "d"}, "e": [1]}})");
  CHECK(json("seed = 18446744073709551615") == R"({"seed": 18446744073709551615})");
}

TEST_CASE("python: strings with prefixes, escapes, joining and triple marks", "[records]") {
  CHECK(json(R"(a = 'it\'s\n\x41\u00e9\N{DASH}\q')") == "{\"a\": \"it's\\nA\xc3\xa9\\\\N{DASH}\\\\q\"}");
  CHECK(json("a = r'\\boxed{}' \"!\"") == R"({"a": "\\boxed{}!"})");
  CHECK(json("a = ('one '\n     u'two')") == R"({"a": "one two"})");
  CHECK(json("a = \"\"\"x\n'\"y\"\"\"\nb = ''''q'''") == "{\"a\": \"x\\n'\\\"y\", \"b\": \"'q\"}");
  CHECK(json("a = 'one \\\n two'") == R"({"a": "one  two"})");
}

TEST_CASE("python: anything else is not recorded, and what follows still is", "[records]") {
  CHECK(json("import os\nfrom x import (a,\n b)\nk = os.environ['KEY']\nn = 1") == R"({"k": null, "n": 1})");
  CHECK(json("a = 1 + 2\nb = [1] * 3\nc = f'x{a}'\nd = open('f', 'w').write('x')\ne = 'x' if a else 'y'\nf = 5") == R"({"a": null, "b": null, "c": null, "d": null, "e": null, "f": 5})");
  CHECK(json("a = dict(type=VLLMCustomAPIChat, n=float('inf'), **more, m=2)") == R"({"a": {"type": null, "n": null, "m": 2}})");
  CHECK(json("a = [x for x in range(3)]\nb = {1, 2}\nc = lambda x: x\nd = 0x10\ne = 2j\ng = 1") == R"({"a": [null], "b": null, "c": null, "d": null, "e": null, "g": 1})");
  CHECK(json("def f(a, b={1: 2}):\n    return a\n\nx = 1\n") == R"({"x": 1})");
  CHECK(json("models.append(dict(a=1))\nx == 2\ny = 3") == R"({"y": 3})");
}

TEST_CASE("python: hostile text ends, in time in proportion to its length", "[records]") {
  for (const std::string unit : {"(", "[", "{", "dict(", "a=", "'", "\"\"\"", "\\", "#", "a=(", "a='\\", "{1:", "-", ",", ")", "\xff", "f'"}) {
    std::string text = "a = ";
    while (text.size() < 200000) text += unit;
    read_python_literals(text);
    read_python_literals(text + "\nb = 1");
  }
  const std::string good = reading::file_bytes(reading::golden("run_aisbench/configs/20260820_101502_4242.py"));
  for (size_t cut = 0; cut < good.size(); cut += 7) read_python_literals(good.substr(0, cut));
  CHECK(json("a = " + std::string(150, '[') + "1" + std::string(150, ']')).find("1]") != std::string::npos);
  CHECK(json("a = " + std::string(1000, '[') + "1" + std::string(1000, ']') + "\nb = 2").find("\"b\": 2") != std::string::npos);
}

TEST_CASE("python: a config as users edit it", "[records]") {
  const JsonTree tree = read_python_literals(reading::file_bytes(reading::golden("aisbench_model_config.py")));
  const JsonTree& model = member(tree, "models").members.at(0).second;
  CHECK(member(model, "max_out_len").integer() == 32768);
  CHECK(member(model, "path").string() == "/data/weights/DeepSeek-R1-W8A8");
  CHECK(member(model, "type").is(JsonKind::kInvalid));
  CHECK(member(member(model, "generation_kwargs"), "temperature").real() == 0.6);
}
