// What a real engine answered to one request (tests/golden/engines), as the response of a transfer.
#pragma once
#include <fstream>
#include <sstream>
#include <string>

#include "capture/transport.h"
#include "catch.h"

inline vaa::capture::HttpResponse recorded_answer(const std::string& engine, const std::string& name) {
  std::ifstream in(std::string(VAA_GOLDEN) + "/engines/" + engine + "/" + name + ".http", std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  const std::string http = bytes.str();
  const size_t end = http.find("\r\n\r\n");
  INFO(engine << " " << name);
  REQUIRE(end != http.npos);
  std::string head = http.substr(0, end + 2);
  for (char& c : head) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  vaa::capture::HttpResponse answer;
  answer.end.status = std::stoi(head.substr(9, 3));
  const size_t type = head.find("content-type: ");
  if (type != head.npos) answer.content_type = head.substr(type + 14, head.find("\r\n", type) - type - 14);
  if (head.find("transfer-encoding: chunked") == head.npos) {
    answer.body = http.substr(end + 4);
    return answer;
  }
  for (size_t at = end + 4; at < http.size();) {
    const size_t line = http.find("\r\n", at), size = std::stoul(http.substr(at, line - at), nullptr, 16);
    answer.body += http.substr(line + 2, size);
    at = line + 2 + size + 2;
  }
  return answer;
}
