#include <cstdlib>

#include "capture/secrets.h"
#include "refused.h"
#include "written_file.h"

using namespace vaa;
using namespace vaa::capture;

namespace {
constexpr const char* kSecret = "sk-XYZZY-0123456789";
}

TEST_CASE("secrets: a key comes from a file or a variable, its last line feed cut", "[capture]") {
  CHECK(read_key("", "").empty());
  for (const char* end : {"", "\n", "\r\n"}) CHECK(read_key("", WrittenFile(kSecret + std::string(end), ".key").path()) == kSecret);
  setenv("VAA_TEST_KEY", (std::string(kSecret) + "\n").c_str(), 1);
  CHECK(read_key("VAA_TEST_KEY", "") == kSecret);
  unsetenv("VAA_TEST_KEY");
}

TEST_CASE("secrets: what is no key is refused, and no message shows it or how long it is", "[capture]") {
  const WrittenFile two("first-" + std::string(kSecret) + "\nsecond\n", ".key"), empty("\n", ".key"), large(std::string(70000, 'k'), ".key");
  const std::string messages[] = {
      refused(VAA_ERROR_OPTION, [&] { read_key("", two.path()); }),      refused(VAA_ERROR_OPTION, [&] { read_key("", empty.path()); }),
      refused(VAA_ERROR_OPTION, [&] { read_key("", large.path()); }),    refused(VAA_ERROR_OPTION, [&] { read_key("A", "b"); }),
      refused(VAA_ERROR_NOT_FOUND, [&] { read_key("", "/nowhere/key"); }), refused(VAA_ERROR_NOT_FOUND, [&] { read_key("VAA_TEST_NO_SUCH", ""); }),
      refused(VAA_ERROR_IO, [&] { read_key("", std::filesystem::temp_directory_path().string()); })};
  CHECK(holds(messages[0], "line break"));
  CHECK(holds(messages[1], "empty"));
  CHECK(holds(messages[2], "too large"));
  CHECK(holds(messages[3], "not both"));
  CHECK(holds(messages[4], "/nowhere/key: No such file"));
  CHECK(holds(messages[5], "\"VAA_TEST_NO_SUCH\" is no variable"));
  for (const std::string& message : messages) {
    CHECK_FALSE(holds(message, "XYZZY"));
    CHECK_FALSE(holds(message, "70000"));
  }
}

TEST_CASE("secrets: headers are names and values, and a message never shows a value", "[capture]") {
  CHECK_NOTHROW(check_headers({"X-Team: evals", "Authorization: Basic eA=="}, false));
  CHECK(holds(refused(VAA_ERROR_OPTION, [] { check_headers({"Authorization: Basic XYZZY"}, true); }), "beside a key"));
  CHECK(holds(refused(VAA_ERROR_OPTION, [] { check_headers({"XYZZY"}, false); }), "\"Name: value\""));
  CHECK(holds(refused(VAA_ERROR_OPTION, [] { check_headers({"Content-Length: 3"}, false); }), "set by each request"));
  for (const char* wrong : {"X-A: XYZZY\r\nX-B: 1", ": XYZZY", "X A: XYZZY", "X-A: XYZZY\n"}) CHECK_FALSE(holds(refused(VAA_ERROR_OPTION, [&] { check_headers({wrong}, false); }), "XYZZY"));
}

TEST_CASE("secrets: a key that a server sends back is not repeated", "[capture]") {
  CHECK(without_key("Incorrect key sk-1 given, sk-1", "sk-1") == "Incorrect key <key> given, <key>");
  CHECK(without_key("text", "") == "text");
}

TEST_CASE("secrets: the key and secret headers of a connection are hidden, short stand-ins for keys are not", "[capture]") {
  const auto secrets = secrets_of("sk-0123456", {"X-Api-Key:  hdr-SECRET ", "Authorization: Bearer tok-9876543", "X-Team: evaluation", "Cookie:"});
  CHECK(without_keys("a sk-0123456 b hdr-SECRET c tok-9876543 d evaluation", secrets) == "a <key> b <key> c <key> d evaluation");
  CHECK(secrets_of("EMPTY", {"X-Api-Key: x"}).empty());
}

TEST_CASE("secrets: what a server tells of its options loses the secret ones, at any depth", "[capture]") {
  CHECK(without_secrets(R"({"model_path": "m", "api_key": "XYZZY", "max_total_tokens": 9, "internal": [{"ssl_keyfile_password": "XYZZY", "dp": 2}]})") ==
        R"({"model_path": "m", "max_total_tokens": 9, "internal": [{"dp": 2}]})");
  CHECK(without_secrets("[]").empty());
  CHECK(without_secrets("{").empty());
}
