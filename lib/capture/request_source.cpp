// The requests of an input: found by content, chosen in a first pass, given out in a second.
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <queue>
#include <set>

#include "base/failure.h"
#include "capture/draw_order.h"
#include "capture/request_pass.h"
#include "vaa/task.h"

namespace vaa::capture {
namespace {

constexpr size_t kProblems = 20;

using Item = RequestPass::Item;

void check(const vaa_task* task) {
  if (vaa_task_cancelled(task)) fail(VAA_ERROR_CANCELLED, "cancelled");
}

class Source final : public RequestSource {
 public:
  Source(std::string path, bool lines, const SourceOptions& options, const vaa_task* task) : path_(std::move(path)), lines_(lines), options_(options), task_(task) {
    choose();
    pass_ = open({});
  }

  bool next(Request* request) override {
    if (repeat_ == options_.repeat && !advance()) return false;
    *request = current_;
    request->repeat = current_.repeat * options_.repeat + repeat_++;
    return true;
  }
  int64_t total() const override { return count_ * options_.repeat; }
  int64_t skipped() const override { return skipped_; }
  const std::vector<std::string>& problems() const override { return problems_; }

 private:
  std::unique_ptr<RequestPass> open(const std::string& flag) const { return lines_ ? open_line_pass(path_) : open_run_pass(path_, flag); }

  bool wanted(const Request& request) {
    if (options_.ids.empty()) return true;
    bool found = false;
    for (const std::string& name : {request.id, request.dataset + "/" + request.id})
      if (std::find(options_.ids.begin(), options_.ids.end(), name) != options_.ids.end()) found = seen_.insert(name).second || true;
    return found;
  }

  void choose() {
    const bool some = options_.sample > 0 || !options_.ids.empty() || !options_.flag.empty();
    std::vector<int64_t> chosen;
    std::priority_queue<std::pair<uint64_t, int64_t>> drawn;  // the last of those drawn so far on top
    const auto pass = open(options_.flag);
    std::string problem;
    Request request;
    int64_t place = 0;
    for (Item item; (item = pass->next(&request, &problem)) != Item::kEnd; ++place) {
      check(task_);
      if (item == Item::kProblem) {
        ++skipped_;
        if (problems_.size() < kProblems) problems_.push_back(problem);
      } else if (item == Item::kRequest && wanted(request)) {
        ++count_;
        if (options_.sample == 0 && some) chosen.push_back(place);
        if (options_.sample == 0) continue;
        drawn.emplace(draw_order(options_.seed, request.dataset, request.id, request.repeat), place);
        if (static_cast<int64_t>(drawn.size()) > options_.sample) drawn.pop();
      }
    }
    for (; !drawn.empty(); drawn.pop()) chosen.push_back(drawn.top().second);
    std::sort(chosen.begin(), chosen.end());
    if (options_.sample > 0) count_ = static_cast<int64_t>(chosen.size());
    if (some) chosen_ = std::move(chosen);
    for (const std::string& id : options_.ids)
      if (!seen_.count(id) && problems_.size() < kProblems) problems_.push_back("ids: " + quoted(id) + " is not in " + path_);
  }

  // The next chosen request into current_.
  bool advance() {
    std::string problem;
    for (;; ++place_) {
      check(task_);
      if (chosen_ && taken_ == chosen_->size()) return false;
      const Item item = pass_->next(&current_, &problem);
      if (item == Item::kEnd) return false;
      if (item != Item::kRequest || (chosen_ && (*chosen_)[taken_] != place_)) continue;
      ++place_;
      ++taken_;
      repeat_ = 0;
      return true;
    }
  }

  std::string path_;
  bool lines_;
  SourceOptions options_;
  const vaa_task* task_;
  std::optional<std::vector<int64_t>> chosen_;  // places in the input; none: all
  std::set<std::string> seen_;                  // of options_.ids
  std::vector<std::string> problems_;
  int64_t count_ = 0, skipped_ = 0;
  std::unique_ptr<RequestPass> pass_;
  Request current_;
  int64_t place_ = 0, repeat_ = options_.repeat;
  size_t taken_ = 0;
};

// A batch file by its lines; else a run where vaa knows it; else bare bodies.
bool is_request_file(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) fail(VAA_ERROR_NOT_FOUND, path + ": no such file or folder");
  if (S_ISDIR(facts.st_mode)) return false;
  if (!S_ISREG(facts.st_mode)) fail(VAA_ERROR_ARGUMENT, path + ": is no plain file; requests are read twice, once to choose and once to ask");
  if (holds_requests(path, false)) return true;
  vaa_records* records = nullptr;
  vaa_error* error = nullptr;
  const vaa_status status = vaa_records_open(border(path), vaa_str{"", 0}, &records, &error);
  const OwnedRecords owned(records);
  const std::string message(view(vaa_error_message(error)));
  vaa_error_free(error);
  if (status == VAA_OK) return false;
  if (holds_requests(path, true)) return true;
  fail(status, message + "; and none of its first lines is a request (a line of an OpenAI batch file, or a body with messages or prompt)");
}

}  // namespace

std::unique_ptr<RequestSource> open_requests(const std::string& path, const SourceOptions& options, const vaa_task* task) {
  const bool lines = is_request_file(path);
  if (lines && !options.flag.empty()) fail(VAA_ERROR_OPTION, "flag: " + path + " holds requests, not answers; a flag is of an answer");
  return std::make_unique<Source>(path, lines, options, task);
}

}  // namespace vaa::capture
