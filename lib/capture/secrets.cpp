#include "capture/secrets.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/failure.h"
#include "base/json.h"
#include "base/json_writer.h"

namespace vaa::capture {
namespace {

constexpr size_t kMaxKeyFile = 65536;
constexpr size_t kLeastSecret = 8;

// A key as a header may carry it (RFC 9110: visible characters, blanks inside).
void check_key(const std::string& key, const std::string& where) {
  if (key.empty()) fail(VAA_ERROR_OPTION, where + ": holds no key, it is empty");
  for (const char c : key)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) fail(VAA_ERROR_OPTION, where + ": holds a line break or a control character inside the key");
}

std::string cut(std::string key) {
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  return key;
}

std::string read_file(const std::string& path) {
  const std::string where = "key_file: " + path;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno == ENOENT ? VAA_ERROR_NOT_FOUND : VAA_ERROR_IO, where + ": " + std::strerror(errno));
  std::string key(kMaxKeyFile, '\0');
  file.read(key.data(), static_cast<std::streamsize>(key.size()));
  if (file.bad() || (file.gcount() == 0 && !file.eof())) fail(VAA_ERROR_IO, where + ": cannot be read");
  if (static_cast<size_t>(file.gcount()) == kMaxKeyFile) fail(VAA_ERROR_OPTION, where + ": is no file of a key, it is too large");
  key.resize(static_cast<size_t>(file.gcount()));
  return key;
}

bool is_token(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c && std::strchr("!#$%&'*+-.^_`|~", c)); }

bool is_name(std::string_view text, std::string_view name) {
  if (text.size() != name.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != (name[i] | 0x20)) return false;
  return true;
}

bool says_one(std::string_view name, std::initializer_list<const char*> words) {
  std::string lower;
  for (const char c : name)
    if (c != '_' && c != '-') lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return lower.find(word) != std::string::npos; });
}

bool is_secret(std::string_view name) { return says_one(name, {"apikey", "password", "secret", "accesstoken", "hftoken", "authorization", "credential"}); }
bool is_secret_header(std::string_view name) { return says_one(name, {"auth", "key", "token", "secret", "password", "cookie", "credential"}); }

void copy_open(JsonReader* json, JsonWriter* out) {
  std::string_view text;
  switch (json->peek()) {
    case JsonKind::kObject:
      out->begin_object();
      for (json->object(); json->key(&text);) {
        if (is_secret(text)) {
          json->skip();
          continue;
        }
        out->key(text);
        copy_open(json, out);
      }
      out->end_object();
      return;
    case JsonKind::kArray:
      out->begin_array();
      for (json->array(); json->element();) copy_open(json, out);
      out->end_array();
      return;
    default:
      if (json->raw(&text)) out->raw(text);
      else out->null();
  }
}

}  // namespace

std::string without_key(std::string text, const std::string& key) {
  if (key.empty()) return text;
  for (size_t at = 0; (at = text.find(key, at)) != text.npos; at += 5) text.replace(at, key.size(), "<key>");
  return text;
}

std::vector<std::string> secrets_of(const std::string& key, const std::vector<std::string>& headers) {
  std::vector<std::string> secrets = {key};
  for (const std::string& header : headers) {
    const size_t colon = header.find(':');
    if (colon == header.npos || !is_secret_header(std::string_view(header).substr(0, colon))) continue;
    const size_t from = header.find_first_not_of(" \t", colon + 1), to = header.find_last_not_of(" \t");
    if (from == header.npos) continue;
    secrets.push_back(header.substr(from, to + 1 - from));
    if (const size_t word = secrets.back().rfind(' '); word != header.npos) secrets.push_back(secrets.back().substr(word + 1));  // of "Bearer …"
  }
  secrets.erase(std::remove_if(secrets.begin(), secrets.end(), [](const std::string& one) { return one.size() < kLeastSecret; }), secrets.end());
  return secrets;
}

std::string without_keys(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) text = without_key(std::move(text), secret);
  return text;
}

std::string without_secrets(std::string_view text) {
  JsonReader json(text);
  if (json.peek() != JsonKind::kObject) return "";
  std::string out;
  JsonWriter writer(&out);
  copy_open(&json, &writer);
  return json.finish() ? out : "";
}

std::string read_key(const std::string& key_env, const std::string& key_file) {
  if (key_env.empty() && key_file.empty()) return "";
  if (!key_env.empty() && !key_file.empty()) fail(VAA_ERROR_OPTION, "key_env, key_file: one of them says where the key is, not both");
  std::string key;
  if (!key_file.empty()) {
    key = cut(read_file(key_file));
    check_key(key, "key_file: " + key_file);
    return key;
  }
  const char* value = std::getenv(key_env.c_str());
  if (!value) fail(VAA_ERROR_NOT_FOUND, "key_env: " + quoted(key_env) + " is no variable of the environment; it is the name of the variable that holds the key, not the key");
  key = cut(value);
  check_key(key, "key_env: " + quoted(key_env));
  return key;
}

void check_headers(const std::vector<std::string>& headers, bool has_key) {
  for (const std::string& header : headers) {
    const size_t colon = header.find(':');
    const std::string_view name = std::string_view(header).substr(0, colon);
    if (colon == header.npos || name.empty()) fail(VAA_ERROR_OPTION, "headers: an entry is no \"Name: value\"");
    for (const char c : name)
      if (!is_token(c)) fail(VAA_ERROR_OPTION, "headers: " + quoted(name, 40) + " is no name of a header");
    for (const char c : header)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F) fail(VAA_ERROR_OPTION, "headers: the value of " + quoted(name, 40) + " holds a line break or a control character");
    if (has_key && is_name(name, "authorization")) fail(VAA_ERROR_OPTION, "headers: Authorization is given beside a key; one of them can be sent");
    for (const char* own : {"content-length", "transfer-encoding", "content-type", "host"})
      if (is_name(name, own)) fail(VAA_ERROR_OPTION, "headers: " + quoted(name, 40) + " is set by each request itself");
  }
}

}  // namespace vaa::capture
