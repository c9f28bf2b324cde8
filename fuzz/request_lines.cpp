// Request lines from any bytes: taken, or refused with VAA_ERROR_FORMAT and one readable line. What is taken is fitted to every kind of server, stays JSON with each member that is set
// standing once, keeps what is not set byte for byte, and is the same question as before to request_hash.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "base/utf8_sequence.h"
#include "capture/answer_fault.h"
#include "capture/json_members.h"
#include "capture/recognise.h"
#include "capture/request.h"
#include "capture/secrets.h"
#include "must.h"

using namespace vaa;
using namespace vaa::capture;

namespace {

void must_be_one_line(const std::string& text) {
  VAA_MUST(!text.empty() && text.size() < 4096);
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end; p += utf8_sequence(p, end)) VAA_MUST(utf8_sequence(p, end) > 0 && static_cast<uint8_t>(*p) >= 0x20 && *p != 0x7F);
}

size_t count(const std::vector<JsonMember>& members, std::string_view key) {
  return static_cast<size_t>(std::count_if(members.begin(), members.end(), [&](const JsonMember& member) { return member.key == key; }));
}

void fit(const Request& request, const Dialect& dialect, const Purpose& purpose) {
  Server server;
  server.dialect = &dialect;
  server.model = "toy";
  std::vector<Both> notes;
  std::string body;
  try {
    body = fitted_body(request, server, purpose, {}, &notes);
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_ARGUMENT && purpose.refuse_against_speculation);
    must_be_one_line(failure.message());
    return;
  }
  const auto before = json_members(request.body), after = json_members(body);
  VAA_MUST(count(after, "model") == 1 && member_value(after, "model") == "\"toy\"");
  VAA_MUST(count(after, "stream") == 1 && count(after, "stream_options") == 1);
  const char* prompt = is_chat(request.path) ? "messages" : "prompt";
  VAA_MUST(member_value(after, prompt) == member_value(before, prompt) && count(after, prompt) == count(before, prompt));
  if (!purpose.greedy) VAA_MUST(request_hash(request.path, body) == request_hash(request.path, request.body));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  HttpResponse answer;
  answer.end.status = 400;
  answer.body = bytes;
  const std::string fault = answer_fault(answer, "http://h", "/v1/models");
  must_be_one_line(fault);
  std::vector<ServedModel> models;
  Both why;
  if (!read_models(bytes, &models, &why)) must_be_one_line(why.en);
  without_secrets(bytes);
  try {
    const Request request = parse_request_line(bytes);
    request_hash(request.path, request.body);
    for (const Dialect& dialect : dialect_table())
      for (const Purpose& purpose : purpose_table()) fit(request, dialect, purpose);
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT);
    must_be_one_line(failure.message());
  }
  return 0;
}
