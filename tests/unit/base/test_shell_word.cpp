#include "base/shell_word.h"
#include "catch.h"

using vaa::shell_word;

TEST_CASE("shell_word: a plain path or URL is as it is", "[base]") {
  CHECK(shell_word("runs/2026_08-20.jsonl") == "runs/2026_08-20.jsonl");
  CHECK(shell_word("http://127.0.0.1:8000/v1") == "http://127.0.0.1:8000/v1");
}

TEST_CASE("shell_word: whatever a shell would read is quoted", "[base]") {
  CHECK(shell_word("my run") == "'my run'");
  CHECK(shell_word("a'b") == "'a'\\''b'");
  CHECK(shell_word("$(rm x)") == "'$(rm x)'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("\xe8\xbf\x90\xe8\xa1\x8c") == "'\xe8\xbf\x90\xe8\xa1\x8c'");
}
