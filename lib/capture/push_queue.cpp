#include "capture/push_queue.h"

#include "base/json_writer.h"
#include "capture/json_members.h"
#include "capture/sample_fields.h"

namespace vaa::capture {
namespace {

constexpr double kWaitS = 0.25;

void copy(const vaa_sample* from, vaa_sample* to) {
  vaa_text* text = nullptr;
  must([&](vaa_error** err) { return vaa_sample_to_json(from, &text, err); });
  const OwnedText owned(text);
  must([&](vaa_error** err) { return vaa_sample_from_json(to, vaa_text_str(text), err); });
}

}  // namespace

void PushQueue::push(std::string_view line) { pushed_.push_back(parse_request_line(line)); }

// Servers take turns.
void PushQueue::send(Asker* asker, const vaa_task* task) {
  if (pushed_.empty()) return;
  Session& session = asker->session(task);
  for (; !pushed_.empty(); pushed_.pop_front()) {
    Request& request = pushed_.front();
    const size_t at = static_cast<size_t>(place_) % session.servers().size();
    const Server& server = session.servers()[at];
    std::string model;
    if (!server.model.empty()) append_json_string(&model, server.model);
    session.ask({place_, at, request.path, model.empty() ? std::move(request.body) : with_members(json_members(request.body), {{"model", model}})});
    ids_.emplace(place_++, std::move(request.id));
  }
}

bool PushQueue::next(Asker* asker, vaa_task* task, vaa_sample* sample) {
  if (!pushed_.empty()) send(asker, task);
  Answer answer;
  while (arrived_.empty() && !ids_.empty()) {
    try {
      if (!asker->session(task).next(&answer, kWaitS, task)) continue;
    } catch (const Failure&) {
      ids_.clear();
      throw;
    }
    const auto found = ids_.find(answer.question.place);
    for (OwnedSample& one : answer.samples) {
      if (!found->second.empty()) set_text(one.get(), VAA_FIELD_ID, found->second);
      arrived_.push_back(std::move(one));
    }
    ids_.erase(found);
  }
  if (arrived_.empty()) {
    vaa_sample_clear(sample);
    return false;
  }
  copy(arrived_.front().get(), sample);
  arrived_.pop_front();
  return true;
}

}  // namespace vaa::capture
