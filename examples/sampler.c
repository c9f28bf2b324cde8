/* Which tokens are legal under two engines for the same logits, and which one a given noise picks.
 *   cc sampler.c $(pkg-config --cflags --libs vaa) -o sampler && ./sampler */
#include <stdio.h>
#include <string.h>

#include "vaa/vaa.h"

static vaa_str str(const char *s) {
  vaa_str view;
  view.data = s;
  view.size = strlen(s);
  return view;
}

/* Prints the legal ids and the token of one row; 0, or 2 with the reason on stderr. */
static int show(const char *name, vaa_f32_rows logits, vaa_f64_rows noise) {
  const vaa_ids no_ids = {NULL, 0};
  const vaa_i64s no_spans = {NULL, 0};
  const vaa_f64_rows no_params = {NULL, 0, 0, 0};
  vaa_engine *engine = NULL;
  vaa_sampler *sampler = NULL;
  vaa_error *err = NULL;
  vaa_ids kept;
  vaa_i64s ends;
  int32_t token = -1;
  vaa_ids_out tokens;
  size_t i, size;
  tokens.data = &token;
  tokens.capacity = 1;
  if (vaa_engine_new(str(name), &engine, &err) == VAA_OK && vaa_sampler_new(engine, str("{\"top_k\": 2, \"top_p\": 0.5}"), &sampler, &err) == VAA_OK &&
      vaa_sampler_kept(sampler, logits, no_ids, no_spans, no_params, &kept, &ends, &err) == VAA_OK) {
    printf("%s keeps", name);
    for (i = 0; i < kept.size; ++i) printf(" %d", kept.data[i]);
    if (vaa_sampler_draw(sampler, logits, no_ids, no_spans, no_params, noise, tokens, &size, &err) == VAA_OK) printf(", picks %d", token);
    printf("\n");
  }
  if (err) fprintf(stderr, "%s\n", vaa_error_message(err).data);
  vaa_sampler_free(sampler);
  vaa_engine_free(engine);
  i = err ? 2 : 0;
  vaa_error_free(err);
  return (int)i;
}

int main(void) {
  const float row[4] = {-0.916291f, -1.203973f, -1.609438f, -2.302585f}; /* log of 0.4, 0.3, 0.2, 0.1 */
  const double exponential[4] = {2, 0.5, 0.1, 1};
  const vaa_f32_rows logits = {row, 1, 4, 4};
  const vaa_f64_rows noise = {exponential, 1, 4, 4};
  const int first = show("vllm_v1", logits, noise), second = show("vllm_ascend_torch", logits, noise);
  return first ? first : second;
}
