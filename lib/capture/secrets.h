// Keys: read from where an option says, sent, and never shown, neither they nor their length.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace vaa::capture {

// The key of the environment variable `key_env`, or of the first line of the file `key_file`; "" where neither is given. Line feeds at its end are cut. Throws Failure: VAA_ERROR_OPTION, both are
// given, or it is empty or holds what no header can (a line break inside, a control character); VAA_ERROR_NOT_FOUND, there is no such variable or file; VAA_ERROR_IO, it cannot be read.
std::string read_key(const std::string& key_env, const std::string& key_file);

// "Name: value" of option headers; a message names the header, never its value. Throws Failure (VAA_ERROR_OPTION).
void check_headers(const std::vector<std::string>& headers, bool has_key);

// `text` with the key, where a server sent it back, as "<key>".
std::string without_key(std::string text, const std::string& key);
// Of a connection: its key, and the values of headers whose names say that they are secret, from eight characters on. A shorter one ("EMPTY", "x") stands in names and texts by chance.
std::vector<std::string> secrets_of(const std::string& key, const std::vector<std::string>& headers);
// `text` with each of the secrets as "<key>".
std::string without_keys(std::string text, const std::vector<std::string>& secrets);
// A JSON object without the members, at any depth, whose names say that they are secret (api_key, password, …): what servers tell of their own options. "" where it is no JSON object.
std::string without_secrets(std::string_view json);

}  // namespace vaa::capture
