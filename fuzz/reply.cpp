// A response of any bytes, of any type and status: however it is cut it gives the same samples, every sample says what it is, and the object is as new for the next.
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "must.h"
#include "records/reply.h"

using namespace vaa;

namespace {

struct Head {
  int32_t status;
  std::string_view type, fault, request;
};

// cut: bytes a push; 0: all at once; below 0: by the bytes themselves.
std::vector<std::string> replies(Reply* reply, const Head& head, std::string_view body, int cut) {
  reply->begin(head.request, 100);
  if (head.status) reply->head(head.status, head.type);
  int64_t tokens = 0;
  while (!body.empty()) {
    const size_t n = cut == 0 ? body.size() : cut > 0 ? static_cast<size_t>(cut) : 1 + static_cast<unsigned char>(body[0]) % 9;
    const std::string piece(body.substr(0, n));  // of its own size, so that a read past it is seen
    reply->push(piece, 101);
    body.remove_prefix(piece.size());
    VAA_MUST(reply->tokens() >= tokens || tokens > 0);
    tokens = reply->tokens();
  }
  reply->end(102, head.fault);
  std::vector<std::string> records;
  Sample sample;
  while (reply->next(&sample)) {
    VAA_MUST(sample.failed() || sample.has_output());
    VAA_MUST(sample.has(IntField::kRepeat) && sample.real(RealField::kStartS, 0) == 100);
    VAA_MUST(head.status < 400 || sample.failed());
    const std::string_view end = sample.text(TextField::kStreamEnd);
    VAA_MUST((end != "cut" && end != "cut_in_event") || sample.failed());
    VAA_MUST(end != "complete" || sample.has(TextField::kFinishReason));
    std::string line;
    append_record(&line, sample);
    Sample copy;
    std::string why;
    VAA_MUST(read_record(line, &copy, &why));
    records.push_back(std::move(line));
    sample.clear();
  }
  VAA_MUST(!records.empty());
  return records;
}

}  // namespace

// The first two bytes choose status, type, fault and request, the rest is the body.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  static constexpr int32_t kStatus[] = {0, 200, 429, 503};
  static constexpr std::string_view kTypes[] = {"", "text/event-stream", "application/json", "text/html"};
  static constexpr std::string_view kRequests[] = {"", R"({"prompt":[1,2],"temperature":0})"};
  const std::string_view body(reinterpret_cast<const char*>(data) + 2, size - 2);
  const Head head{kStatus[data[0] & 3], kTypes[data[0] >> 2 & 3], data[0] & 16 ? "reset" : "", kRequests[data[0] >> 5 & 1]};
  const int64_t max_event = data[1] & 1 ? 1024 : 1 << 20;
  Reply reply(max_event);
  const std::vector<std::string> whole = replies(&reply, head, body, 0);
  // The times are the same, so that the records are too.
  for (const int cut : {1, 3, -1}) VAA_MUST(replies(&reply, head, body, cut) == whole);
  return 0;
}
