// Requests out of a run: the prompts of its samples, with the sampling parameters that it recorded.
#include <deque>

#include "base/json.h"
#include "capture/flag_judge.h"
#include "capture/request_pass.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

class RunPass final : public RequestPass {
 public:
  RunPass(const std::string& path, const std::string& flag) : sample_(new_sample()) {
    vaa_records* records = nullptr;
    must([&](vaa_error** err) { return vaa_records_open(border(path), vaa_str{"", 0}, &records, err); });
    records_.reset(records);
    vaa_cursor* cursor = nullptr;
    must([&](vaa_error** err) { return vaa_cursor_new(records, &cursor, err); });
    cursor_.reset(cursor);
    if (!flag.empty()) judge_ = std::make_unique<FlagJudge>(flag);
  }
  Item next(Request* request, std::string* problem) override {
    int32_t more = 0;
    if (!ended_) must([&](vaa_error** err) { return vaa_cursor_next(cursor_.get(), sample_.get(), &more, err); });
    if (!more) return unread(problem);
    if (judge_ && !judge_->has(sample_.get())) return Item::kPassedOver;
    if (request_from_sample(sample_.get(), request)) return Item::kRequest;
    *problem = where() + "sample " + quoted(text_field(sample_.get(), VAA_FIELD_ID)) + " has no prompt recorded, so it cannot be asked again";
    return Item::kProblem;
  }

 private:
  std::string where() const {
    const std::string file = text_field(sample_.get(), VAA_FIELD_SOURCE_FILE);
    return file.empty() ? "" : file + ":" + std::to_string(integer_field(sample_.get(), VAA_FIELD_SOURCE_LINE, 0)) + ": ";
  }
  // After the last sample: what could not be read, a line each.
  Item unread(std::string* problem) {
    if (!ended_) read_problems();
    ended_ = true;
    if (!named_.empty()) {
      *problem = std::move(named_.front());
      named_.pop_front();
    } else if (unnamed_ > 0) {
      --unnamed_;
      *problem = "a line that cannot be read";
    } else {
      return Item::kEnd;
    }
    return Item::kProblem;
  }
  void read_problems() {
    vaa_text* text = nullptr;
    must([&](vaa_error** err) { return vaa_cursor_problems(cursor_.get(), &text, err); });
    const OwnedText owned(text);
    JsonReader json(view(vaa_text_str(text)));
    json.object();
    for (std::string_view key; json.key(&key);) {
      if (key == "count") json.int64(&unnamed_);
      else if (key == "lines") read_lines(&json);
      else json.skip();
    }
    unnamed_ -= static_cast<int64_t>(named_.size());
  }
  void read_lines(JsonReader* json) {
    json->array();
    while (json->element()) {
      std::string file, message;
      int64_t line = 0;
      json->object();
      for (std::string_view key; json->key(&key);) {
        if (key == "file") json->string(&file);
        else if (key == "line") json->int64(&line);
        else if (key == "message") json->string(&message);
        else json->skip();
      }
      named_.push_back(file + ":" + std::to_string(line) + ": " + message);
    }
  }

  OwnedRecords records_;
  OwnedCursor cursor_;
  OwnedSample sample_;
  std::unique_ptr<FlagJudge> judge_;
  std::deque<std::string> named_;
  int64_t unnamed_ = 0;
  bool ended_ = false;
};

}  // namespace

bool request_from_sample(const vaa_sample* sample, Request* out) {
  if (!vaa_sample_has(sample, VAA_FIELD_PROMPT_MESSAGES) && !vaa_sample_has(sample, VAA_FIELD_PROMPT_TEXT) && !vaa_sample_has(sample, VAA_FIELD_PROMPT_TOKEN_IDS)) return false;
  vaa_text* text = nullptr;
  vaa_error* error = nullptr;
  const vaa_status status = vaa_sample_request(sample, &text, &error);
  const OwnedText owned(text);
  vaa_error_free(error);
  if (status != VAA_OK) return false;
  *out = parse_request_line(view(vaa_text_str(text)));
  out->id = text_field(sample, VAA_FIELD_ID);
  out->dataset = text_field(sample, VAA_FIELD_DATASET);
  out->repeat = integer_field(sample, VAA_FIELD_REPEAT, 0);
  out->source_file = text_field(sample, VAA_FIELD_SOURCE_FILE);
  out->source_line = integer_field(sample, VAA_FIELD_SOURCE_LINE, 0);
  return true;
}

std::unique_ptr<RequestPass> open_run_pass(const std::string& path, const std::string& flag) { return std::make_unique<RunPass>(path, flag); }

}  // namespace vaa::capture
