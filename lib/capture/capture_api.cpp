// include/vaa/capture.h
#include "vaa/capture.h"

#include <memory>

#include "capture/again.h"
#include "capture/ask.h"
#include "capture/bisect.h"
#include "capture/capture_guard.h"
#include "capture/ladder.h"
#include "capture/metrics_page.h"
#include "capture/push_queue.h"

using vaa::capture::capture_guard;
using vaa::capture::required;

struct vaa_asker {
  explicit vaa_asker(vaa::capture::AskerOptions options) : asker(std::move(options)) {}
  vaa::capture::Asker asker;
  vaa::capture::PushQueue queue;
};

namespace {

using Judge = vaa::capture::AskReport(vaa::capture::Asker*, const std::string&, const std::string&, std::string_view, vaa_task*);

vaa_status judge(Judge* call, vaa_asker* asker, vaa_str input, vaa_str out_path, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return capture_guard(err, [&] {
    required(asker, "asker");
    required(out_report, "out_report");
    const vaa::capture::AskReport made = call(&asker->asker, std::string(vaa::view(input)), std::string(vaa::view(out_path)), vaa::view(options), task);
    const std::string json = vaa::report_json(made);
    vaa::capture::must([&](vaa_error** inner) { return vaa_report_from_json(vaa::border(json), out_report, inner); });
  });
}

}  // namespace

extern "C" {

vaa_status vaa_asker_new(vaa_str options, vaa_asker** out_asker, vaa_error** err) {
  return capture_guard(err, [&] {
    required(out_asker, "out_asker");
    auto asker = std::make_unique<vaa_asker>(vaa::capture::asker_options(vaa::view(options)));
    *out_asker = asker.release();
  });
}

void vaa_asker_free(vaa_asker* asker) { const std::unique_ptr<vaa_asker> owned(asker); }

vaa_status vaa_asker_servers(vaa_asker* asker, vaa_task* task, vaa_text** out_text, vaa_error** err) {
  return capture_guard(err, [&] {
    required(asker, "asker");
    required(out_text, "out_text");
    std::string json = "[";
    for (const vaa::capture::Server& server : asker->asker.servers(task)) {
      if (json.size() > 1) json += ", ";
      vaa::capture::append_server(&json, server);
    }
    json += "]";
    vaa::capture::must([&](vaa_error** inner) { return vaa_text_new(vaa::border(json), out_text, inner); });
  });
}

vaa_status vaa_asker_metrics(vaa_asker* asker, int64_t index, vaa_task* task, vaa_text** out_text, vaa_error** err) {
  return capture_guard(err, [&] {
    required(asker, "asker");
    required(out_text, "out_text");
    const std::string page = vaa::capture::metrics_page(asker->asker.options(), index, task);
    vaa::capture::must([&](vaa_error** inner) { return vaa_text_new(vaa::border(page), out_text, inner); });
  });
}

vaa_status vaa_asker_push(vaa_asker* asker, vaa_str request_line, vaa_error** err) {
  return capture_guard(err, [&] { required(asker, "asker")->queue.push(vaa::view(request_line)); });
}

vaa_status vaa_asker_next(vaa_asker* asker, vaa_task* task, vaa_sample* sample, int32_t* out_more, vaa_error** err) {
  return capture_guard(err, [&] {
    required(asker, "asker");
    required(sample, "sample");
    required(out_more, "out_more");
    *out_more = asker->queue.next(&asker->asker, task, sample) ? 1 : 0;
  });
}

vaa_status vaa_ask(vaa_asker* asker, vaa_str input, vaa_str out_path, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return judge(vaa::capture::ask, asker, input, out_path, options, task, out_report, err);
}
vaa_status vaa_ladder(vaa_asker* asker, vaa_str run, vaa_str out_path, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return judge(vaa::capture::ladder, asker, run, out_path, options, task, out_report, err);
}
vaa_status vaa_bisect(vaa_asker* asker, vaa_str run, vaa_str out_path, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return judge(vaa::capture::bisect, asker, run, out_path, options, task, out_report, err);
}
vaa_status vaa_ask_again(vaa_asker* asker, vaa_str input, vaa_str out_path, vaa_str options, vaa_task* task, vaa_report** out_report, vaa_error** err) {
  return judge(vaa::capture::ask_again, asker, input, out_path, options, task, out_report, err);
}

}  // extern "C"
