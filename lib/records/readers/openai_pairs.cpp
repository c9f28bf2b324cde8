// A request and its response, one pair a line: {"request": …, "response": …, "status": 200, "elapsed_s": 1.4}. The response is the body of any server that is read here, or
// an error body; what is no JSON there (a proxy's page) is a failed request, too.
#include "records/readers/any_body.h"
#include "records/readers/openai_common.h"
#include "records/readers/request_body.h"

namespace vaa {
namespace {

class PairReader : public BodyReader {
 public:
  bool read(JsonReader* json, SampleQueue* out, Problems* problems, std::string* why) override {
    if (!enter_object(json, "pair", why)) return false;
    around_.clear();
    request_.clear();
    body_ = {};
    int64_t status = 0;
    std::string_view key;
    while (json->key(&key)) {
      bool good = false;
      if (key == "request") good = read_request(json, &request_, why);
      else if (key == "response") good = json->raw(&body_) || bad_json(*json, why);
      else if (key == "status") good = read_integer(json, "status", &around_, IntField::kErrorStatus, why);
      else if (key == "elapsed_s") good = read_real(json, "elapsed_s", &around_, RealField::kE2eS, why);
      else if (key == "error") good = read_error(json, &around_, why);
      else good = pass(json, why);
      if (!good) return false;
    }
    if (json->failed()) return bad_json(*json, why);
    status = around_.integer(IntField::kErrorStatus, 0);
    return read_response(status, out, problems, why);
  }

 private:
  bool read_response(int64_t status, SampleQueue* out, Problems* problems, std::string* why) {
    const size_t first = out->size();
    JsonReader json(body_);
    const JsonKind kind = body_.empty() ? JsonKind::kNull : json.peek();
    if (kind == JsonKind::kObject || kind == JsonKind::kArray) {
      // An error body of any shape has a reader; a body of no known shape is an error where the status says so.
      if (!any_.read(body_, out, problems, why)) {
        if (status < 400) return false;
        why->clear();
        set_error_body(&out->add(), body_);
      }
    } else {
      read_other(&json, kind, &out->add());
    }
    for (size_t i = first; i < out->size(); ++i) {
      Sample& sample = (*out)[i];
      fill_missing(around_, &sample);
      apply_status(status, &sample);
      if (!sample.failed()) sample.ints.unset(IntField::kErrorStatus);
      fill_missing(request_, &sample);
    }
    return true;
  }

  // No JSON object: a page, or nothing at all.
  void read_other(JsonReader* json, JsonKind kind, Sample* sample) {
    std::string_view text;
    if (kind == JsonKind::kString && json->string(&text)) set_error_body(sample, text);
    else if (kind != JsonKind::kNull) set_error_body(sample, body_);
    else if (!around_.failed()) sample->set(TextField::kErrorMessage, "no response");
  }

  AnyBody any_;
  Sample around_;   // status, time, error beside the response
  Sample request_;
  std::string_view body_;
};

bool recognise(const Probe& probe) { return probe.has("response") && (probe.has("request") || probe.has("status")); }

std::unique_ptr<UnitParser> parser(const FileContext& context) { return body_parser(std::make_unique<PairReader>(), "openai_pairs", context); }

}  // namespace

extern const Format kOpenaiPairs;
const Format kOpenaiPairs = {
    {"openai_pairs", "requests with their responses", "{\"request\", \"response\", \"status\"}, one a line; request may be missing", "response beside request or status"},
    Unit::kLines,
    recognise,
    parser,
};

}  // namespace vaa
