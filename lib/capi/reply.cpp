// include/vaa/reply.h
#include "vaa/reply.h"

#include "base/options.h"
#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "records/reply.h"

using vaa::given;
using vaa::guard;

struct vaa_reply {
  vaa::Reply reply;
};

namespace {

constexpr vaa::OptionSpec kReplyOptions[] = {
    {"max_event", vaa::OptionSpec::Type::kInt, 1024, 1099511627776.0, "", "268435456", "bytes of one event or of a whole body"},
};

}  // namespace

extern "C" {

vaa_status vaa_reply_new(vaa_str options, vaa_reply** out_reply, vaa_error** err) {
  return guard(err, [&] {
    given(out_reply, "out_reply");
    *out_reply = new vaa_reply{vaa::Reply(vaa::Options(vaa::view(options), kReplyOptions, "vaa_reply_new").integer("max_event"))};
  });
}
vaa_status vaa_reply_begin(vaa_reply* reply, vaa_str request, double start_s, vaa_error** err) {
  return guard(err, [&] { given(reply, "reply")->reply.begin(vaa::view(request), start_s); });
}
vaa_status vaa_reply_head(vaa_reply* reply, int32_t status, vaa_str content_type, vaa_error** err) {
  return guard(err, [&] { given(reply, "reply")->reply.head(status, vaa::view(content_type)); });
}
vaa_status vaa_reply_push(vaa_reply* reply, vaa_str bytes, double time_s, vaa_error** err) {
  return guard(err, [&] { given(reply, "reply")->reply.push(vaa::view(bytes), time_s); });
}
int64_t vaa_reply_tokens(const vaa_reply* reply) { return reply ? reply->reply.tokens() : 0; }
vaa_status vaa_reply_end(vaa_reply* reply, double end_s, vaa_str fault, vaa_error** err) {
  return guard(err, [&] { given(reply, "reply")->reply.end(end_s, vaa::view(fault)); });
}
vaa_status vaa_reply_next(vaa_reply* reply, vaa_sample* sample, int32_t* out_more, vaa_error** err) {
  return guard(err, [&] {
    given(reply, "reply");
    given(out_more, "out_more");
    auto& s = given(sample, "sample")->sample;
    const bool more = reply->reply.next(&s);
    if (!more) s.clear();
    *out_more = more;
  });
}
void vaa_reply_free(vaa_reply* reply) { delete reply; }

}  // extern "C"
