// include/vaa/reject.h
#include "vaa/reject.h"

#include <algorithm>

#include "base/views.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/rows.h"
#include "reject/bug_laws/fault_law.h"
#include "reject/reject_audit.h"
#include "reject/file_evidence.h"

using vaa::given;
using vaa::guard;
using vaa::view;

namespace {

// Where rows end, without the 0 at the beginning that may be there.
std::span<const int64_t> ends_of(vaa_i64s ends, size_t rows, size_t total, const char* name) {
  std::span<const int64_t> out = view(ends);
  if (out.size() == rows + 1 && out[0] == 0) out = out.subspan(1);
  if (out.size() != rows) vaa::fail(VAA_ERROR_ARGUMENT, std::string(name) + ": has " + std::to_string(out.size()) + " entries, must have one for each of " + std::to_string(rows) + " rows");
  int64_t before = 0;
  for (size_t r = 0; r < rows; ++r) {
    if (out[r] < before) vaa::fail(VAA_ERROR_ARGUMENT, std::string(name) + ": row " + std::to_string(r) + " ends at " + std::to_string(out[r]) + ", before the row before it");
    before = out[r];
  }
  if (static_cast<uint64_t>(before) != total) vaa::fail(VAA_ERROR_ARGUMENT, std::string(name) + ": the last is " + std::to_string(before) + ", there are " + std::to_string(total));
  return out;
}

template <class T>
std::span<const T> part(std::span<const T> all, std::span<const int64_t> ends, size_t row) {
  const auto begin = static_cast<size_t>(row == 0 ? 0 : ends[row - 1]);
  return all.subspan(begin, static_cast<size_t>(ends[row]) - begin);
}

// The last push of steps, to which whole rows may belong.
struct LastSteps {
  std::vector<int64_t> requests, positions, draft_ends, id_ends;
  std::vector<float> temperatures, p, q, entropy;
  std::vector<int32_t> drafts, ids, argmax;
  uint8_t fields = 0;

  vaa::StepRow row(size_t r) const {
    const auto of = [&](const auto& values, uint8_t field) { return fields & field ? part(std::span(values), std::span(draft_ends), r) : std::span(values).first(0); };
    return {requests[r], positions[r], temperatures[r], part(std::span(drafts), std::span(draft_ends), r), part(std::span(ids), std::span(id_ends), r), of(p, VAA_STEP_P), of(q, VAA_STEP_Q), of(entropy, VAA_STEP_ENTROPY), of(argmax, VAA_STEP_ARGMAX), fields};
  }
};

template <class T>
void keep(std::span<const T> values, size_t need, const char* name, std::vector<T>* out) {
  if (values.size() != need) vaa::fail(VAA_ERROR_ARGUMENT, std::string(name) + ": has " + std::to_string(values.size()) + " entries, must have " + std::to_string(need));
  out->assign(values.begin(), values.end());
}

template <class T>
void flatten(const vaa::Matrix<T>& rows, std::vector<double>* out) {
  out->clear();
  for (size_t r = 0; r < rows.rows; ++r) {
    const auto row = rows.row(r);
    out->insert(out->end(), row.begin(), row.end());
  }
}

}  // namespace

struct vaa_audit {
  vaa::RejectAudit audit;
  vaa::StepGroup* group = nullptr;  // that steps are pushed to
  LastSteps steps = {};
  std::vector<double> p = {}, q = {};
};

extern "C" {

vaa_status vaa_audit_new(vaa_str options, vaa_audit** out_audit, vaa_error** err) {
  return guard(err, [&] {
    given(out_audit, "out_audit");
    *out_audit = new vaa_audit{vaa::RejectAudit(vaa::reject_audit_options(view(options)))};
  });
}

vaa_status vaa_audit_push_file(vaa_audit* audit, vaa_str path, vaa_str options, vaa_task* task, vaa_error** err) {
  return guard(err, [&] { vaa::push_file(&given(audit, "audit")->audit, std::string(view(path)), vaa::file_evidence_options(view(options)), task ? &task->task : nullptr); });
}

vaa_status vaa_audit_push_page(vaa_audit* audit, vaa_str server, vaa_str page, double time_s, vaa_error** err) {
  return guard(err, [&] { given(audit, "audit")->audit.scrapes().push(view(server), view(page), time_s); });
}

vaa_status vaa_audit_push_log(vaa_audit* audit, vaa_str server, vaa_str bytes, int32_t last, vaa_error** err) {
  return guard(err, [&] { given(audit, "audit")->audit.log().push(view(server), view(bytes), last != 0); });
}

vaa_status vaa_audit_push_sample(vaa_audit* audit, const vaa_sample* sample, int32_t speculation, vaa_error** err) {
  return guard(err, [&] {
    if (speculation < -1 || speculation > 1) vaa::fail(VAA_ERROR_ARGUMENT, "speculation: is " + std::to_string(speculation) + ", must be 1 (on), 0 (off) or -1 (not known)");
    given(audit, "audit")->audit.samples().push(given(sample, "sample")->sample, static_cast<vaa::Speculation>(speculation));
  });
}

vaa_status vaa_audit_begin_steps(vaa_audit* audit, vaa_str header, vaa_error** err) {
  return guard(err, [&] {
    vaa_audit* to = given(audit, "audit");
    to->group = to->audit.steps().group_of(vaa::step_header(view(header), "vaa_audit_begin_steps"));
    to->steps = {};
  });
}

vaa_status vaa_audit_push_steps(vaa_audit* audit, vaa_i64s requests, vaa_i64s positions, vaa_f32s temperatures, vaa_i64s draft_ends, vaa_ids drafts, vaa_i64s id_ends, vaa_ids ids, vaa_f32s p, vaa_f32s q,
                                vaa_ids argmax, vaa_f32s entropy, int32_t fields, vaa_error** err) {
  return guard(err, [&] {
    vaa_audit* to = given(audit, "audit");
    if (!to->group) vaa::fail(VAA_ERROR_ARGUMENT, "steps: vaa_audit_begin_steps was not called");
    if (fields < 0 || fields > (VAA_STEP_P | VAA_STEP_Q | VAA_STEP_ARGMAX | VAA_STEP_ENTROPY)) vaa::fail(VAA_ERROR_ARGUMENT, "fields: is " + std::to_string(fields) + ", must be a sum of VAA_STEP_P, _Q, _ARGMAX and _ENTROPY");
    LastSteps& steps = to->steps;
    const size_t rows = requests.size, tokens = drafts.size;
    const std::span<const int64_t> draft_end = ends_of(draft_ends, rows, tokens, "draft_ends"), id_end = ends_of(id_ends, rows, ids.size, "id_ends");
    const auto has = [&](int32_t field) { return (fields & field) != 0; };
    steps.requests.clear();  // a failure leaves no rows behind
    steps.fields = static_cast<uint8_t>(fields);
    keep(view(positions), rows, "positions", &steps.positions);
    keep(view(temperatures), rows, "temperatures", &steps.temperatures);
    keep(view(drafts), tokens, "drafts", &steps.drafts);
    keep(view(ids), ids.size, "ids", &steps.ids);
    if (has(VAA_STEP_P)) keep(view(p), tokens, "p", &steps.p);
    if (has(VAA_STEP_Q)) keep(view(q), tokens, "q", &steps.q);
    if (has(VAA_STEP_ARGMAX)) keep(view(argmax), tokens, "argmax", &steps.argmax);
    if (has(VAA_STEP_ENTROPY)) keep(view(entropy), tokens, "entropy", &steps.entropy);
    steps.draft_ends.assign(draft_end.begin(), draft_end.end());
    steps.id_ends.assign(id_end.begin(), id_end.end());
    const std::span<const int64_t> numbers = view(requests);
    steps.requests.assign(numbers.begin(), numbers.end());
    for (size_t r = 0; r < rows; ++r) {
      const std::string fault = vaa::row_fault(steps.row(r), to->group->header);
      if (fault.empty()) continue;
      steps.requests.clear();
      vaa::fail(VAA_ERROR_ARGUMENT, "row " + std::to_string(r) + ": " + fault);
    }
    for (size_t r = 0; r < rows; ++r) to->audit.steps().add(steps.row(r), to->group);
  });
}

vaa_status vaa_audit_push_rows(vaa_audit* audit, int64_t row, vaa_f32_rows p, vaa_f32_rows q, vaa_f64s uniforms, vaa_f64s noise, int32_t fields, vaa_error** err) {
  return guard(err, [&] {
    vaa_audit* to = given(audit, "audit");
    if (row < 0 || static_cast<size_t>(row) >= to->steps.requests.size()) vaa::fail(VAA_ERROR_ARGUMENT, "row: is " + std::to_string(row) + ", the last push of steps had " + std::to_string(to->steps.requests.size()) + " rows");
    if (fields < 0 || (fields & ~(VAA_STEP_Q | VAA_STEP_UNIFORMS | VAA_STEP_NOISE)) != 0) vaa::fail(VAA_ERROR_ARGUMENT, "fields: is " + std::to_string(fields) + ", must be a sum of VAA_STEP_Q, _UNIFORMS and _NOISE");
    flatten(vaa::matrix<const float>(p, "p"), &to->p);
    to->q.clear();
    if (fields & VAA_STEP_Q) flatten(vaa::matrix<const float>(q, "q"), &to->q);
    if ((fields & VAA_STEP_Q) && q.cols != p.cols) vaa::fail(VAA_ERROR_ARGUMENT, "q: has " + std::to_string(q.cols) + " ids a row, p has " + std::to_string(p.cols));
    const vaa::StepRow step = to->steps.row(static_cast<size_t>(row));
    const vaa::FullRows full{to->p, to->q, p.cols, fields & VAA_STEP_UNIFORMS ? view(uniforms) : std::span<const double>(), fields & VAA_STEP_NOISE ? view(noise) : std::span<const double>()};
    const std::string fault = vaa::full_rows_fault(step, full, to->group->header);
    if (!fault.empty()) vaa::fail(VAA_ERROR_ARGUMENT, fault);
    to->audit.steps().add_full(step, full, to->group);
  });
}

vaa_status vaa_audit_report(const vaa_audit* audit, vaa_report** out_report, vaa_error** err) {
  return guard(err, [&] {
    given(out_report, "out_report");
    *out_report = new vaa_report{given(audit, "audit")->audit.report()};
  });
}
void vaa_audit_free(vaa_audit* audit) { delete audit; }

vaa_status vaa_row_shapes(vaa_i64s draft_ends, vaa_ids drafts, vaa_i64s id_ends, vaa_ids ids, int64_t vocab_size, vaa_i64s_out shapes, size_t* out_shapes, vaa_i64s_out accepted, size_t* out_accepted, vaa_error** err) {
  return guard(err, [&] {
    given(out_shapes, "out_shapes");
    given(out_accepted, "out_accepted");
    if (vocab_size < 1) vaa::fail(VAA_ERROR_ARGUMENT, "vocab_size: is " + std::to_string(vocab_size) + ", must be at least 1");
    const size_t rows = id_ends.size;
    const std::span<const int64_t> draft_end = ends_of(draft_ends, rows, drafts.size, "draft_ends"), id_end = ends_of(id_ends, rows, ids.size, "id_ends");
    const auto to_shapes = vaa::room<int64_t>(shapes, rows, "shapes"), to_accepted = vaa::room<int64_t>(accepted, rows, "accepted");
    for (size_t r = 0; r < rows; ++r) {
      const vaa::ShapedRow shaped = vaa::shape_of(part(view(drafts), draft_end, r), part(view(ids), id_end, r), vocab_size, false);
      to_shapes[r] = static_cast<int64_t>(shaped.shape);
      to_accepted[r] = static_cast<int64_t>(shaped.accepted);
    }
    *out_shapes = *out_accepted = rows;
  });
}

vaa_status vaa_step_law(vaa_str fault, vaa_f64_rows p, vaa_f64_rows q, vaa_ids drafts, vaa_f64s draft_law, int64_t at, double temperature, double* out_accept, vaa_f64s_out recovered, size_t* out_recovered,
                        vaa_f64s_out emitted, size_t* out_emitted, vaa_error** err) {
  return guard(err, [&] {
    given(out_accept, "out_accept");
    given(out_recovered, "out_recovered");
    given(out_emitted, "out_emitted");
    if (at < 0) vaa::fail(VAA_ERROR_ARGUMENT, "at: is " + std::to_string(at) + ", must be at least 0");
    if (!(temperature > 0)) vaa::fail(VAA_ERROR_ARGUMENT, "temperature: must be above 0");
    if (q.rows != 0 && q.cols != p.cols) vaa::fail(VAA_ERROR_ARGUMENT, "q: has " + std::to_string(q.cols) + " ids a row, p has " + std::to_string(p.cols));
    std::vector<double> target, draft;
    flatten(vaa::matrix<const double>(p, "p"), &target);
    flatten(vaa::matrix<const double>(q, "q"), &draft);
    const vaa::PlaceLaw law = vaa::place_law(view(fault), {target, draft, p.cols, {}, {}}, view(drafts), view(draft_law), static_cast<size_t>(at), temperature);
    const auto to_recovered = vaa::room<double>(recovered, p.cols, "recovered"), to_emitted = vaa::room<double>(emitted, p.cols, "emitted");
    std::copy(law.recovered.begin(), law.recovered.end(), to_recovered.begin());
    std::copy(law.emitted.begin(), law.emitted.end(), to_emitted.begin());
    *out_accept = law.accept;
    *out_recovered = *out_emitted = p.cols;
  });
}

}  // extern "C"
