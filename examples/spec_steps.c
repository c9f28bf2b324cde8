/* Verify steps of a sampler, pushed as they come, and the verdict on them. With an argument the sampler rejects every draft, as one did that lost p(d).
 *   cc spec_steps.c $(pkg-config --cflags --libs vaa) -o spec_steps && ./spec_steps && ./spec_steps faulty */
#include <stdio.h>
#include <string.h>

#include "vaa/vaa.h"

enum { kRows = 20000 };

static vaa_str str(const char *s) {
  vaa_str view;
  view.data = s;
  view.size = strlen(s);
  return view;
}

/* In [0, 1): what the engine draws. */
static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 33) / 2147483648.0;
}

/* One row: one draft, which the target gives p, and after it what the target draws. */
static vaa_status push_row(vaa_audit *audit, int64_t request, int faulty, uint64_t *state, vaa_error **err) {
  static const float chances[3] = {0.875f, 0.5f, 0.25f};
  const vaa_ids no_ids = {NULL, 0};
  const vaa_f32s no_reals = {NULL, 0};
  const int32_t draft = (int32_t)(request % 5);
  const float p = chances[request % 3], temperature = 0.6f;
  const int64_t position = 100, draft_end = 1;
  const int accepted = !faulty && uniform(state) <= p;
  const int32_t ids[2] = {accepted ? draft : 6, 7};
  const int64_t id_end = accepted ? 2 : 1;
  const vaa_i64s requests = {&request, 1}, positions = {&position, 1}, draft_ends = {&draft_end, 1}, id_ends = {&id_end, 1};
  const vaa_f32s temperatures = {&temperature, 1}, chance = {&p, 1};
  const vaa_ids drafts = {&draft, 1}, out = {ids, (size_t)id_end};
  return vaa_audit_push_steps(audit, requests, positions, temperatures, draft_ends, drafts, id_ends, out, chance, no_reals, no_ids, no_reals, VAA_STEP_P, err);
}

int main(int argc, char **argv) {
  vaa_audit *audit = NULL;
  vaa_report *report = NULL;
  vaa_text *text = NULL;
  vaa_error *err = NULL;
  vaa_status status;
  uint64_t state = 1;
  int64_t row;
  int verdict = VAA_VERDICT_NOT_CHECKED;
  (void)argv;
  status = vaa_audit_new(str(""), &audit, &err);
  if (status == VAA_OK) status = vaa_audit_begin_steps(audit, str("{\"vocab_size\": 8, \"draft_probs\": \"one_hot\", \"policy\": \"vllm_v1\"}"), &err);
  for (row = 0; row < kRows && status == VAA_OK; ++row) status = push_row(audit, row, argc > 1, &state, &err);
  if (status == VAA_OK) status = vaa_audit_report(audit, &report, &err);
  if (status == VAA_OK) status = vaa_report_render(report, str("{\"format\": \"text\", \"lang\": \"en\"}"), &text, &err);
  if (status == VAA_OK) {
    verdict = vaa_report_verdict(report);
    printf("%s", vaa_text_str(text).data);
  } else {
    fprintf(stderr, "%s\n", vaa_error_message(err).data);
  }
  vaa_text_free(text);
  vaa_report_free(report);
  vaa_audit_free(audit);
  vaa_error_free(err);
  return verdict;
}
