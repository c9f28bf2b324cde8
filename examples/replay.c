/* Do the rules of an engine give the tokens that it put out? Rows of logits, captured noise, and the engine's ids, teacher-forced.
 *   cc replay.c $(pkg-config --cflags --libs vaa) -o replay && ./replay */
#include <stdio.h>
#include <string.h>

#include "vaa/vaa.h"

static vaa_str str(const char *s) {
  vaa_str view;
  view.data = s;
  view.size = strlen(s);
  return view;
}

static const char *const states[] = {"same", "within the band", "departed", "unknown"};

int main(void) {
  const float rows[3][4] = {{2.0f, 1.0f, 0.5f, -1.0f}, {0.0f, 3.0f, 1.0f, 0.5f}, {1.0f, 1.5f, 0.0f, 2.0f}};
  const double exponentials[3][4] = {{2.0, 0.5, 1.0, 1.0}, {1.0, 1.0, 0.1, 1.0}, {1.0, 1.0, 1.0, 1.0}};
  const int32_t ids[3] = {1, 2, 0}; /* the engine's */
  double numbers[3][VAA_REPLAY_COLUMNS];
  const vaa_f32_rows logits = {rows[0], 3, 4, 4};
  const vaa_f64_rows noise = {exponentials[0], 3, 4, 4};
  const vaa_ids tokens = {ids, 3}, prompt = {NULL, 0};
  const vaa_f64_rows_out results = {numbers[0], 3, VAA_REPLAY_COLUMNS, VAA_REPLAY_COLUMNS};
  vaa_engine *engine = NULL;
  vaa_replay *replay = NULL;
  vaa_report *report = NULL;
  vaa_text *text = NULL;
  vaa_error *err = NULL;
  int row, code = 2;
  if (vaa_engine_new(str("vllm_v1"), &engine, &err) == VAA_OK && vaa_replay_new(engine, str("{\"temperature\": 0.8, \"top_k\": 2}"), &replay, &err) == VAA_OK &&
      vaa_replay_begin(replay, str(""), prompt, &err) == VAA_OK && vaa_replay_push(replay, logits, tokens, noise, results, &err) == VAA_OK) {
    for (row = 0; row < 3; ++row)
      printf("row %d: the engine's token %d, ours %.0f, margin %.3f: %s\n", row, ids[row], numbers[row][VAA_REPLAY_TOKEN], numbers[row][VAA_REPLAY_MARGIN], states[(int)numbers[row][VAA_REPLAY_STATE]]);
    if (vaa_replay_report(replay, &report, &err) == VAA_OK && vaa_report_render(report, str("{\"format\": \"text\"}"), &text, &err) == VAA_OK) {
      const vaa_str words = vaa_text_str(text);
      printf("%.*s\n", (int)(strchr(words.data, '\n') - words.data), words.data);
      code = vaa_report_verdict(report);
    }
  }
  if (err) fprintf(stderr, "%s\n", vaa_error_message(err).data);
  vaa_error_free(err);
  vaa_text_free(text);
  vaa_report_free(report);
  vaa_replay_free(replay);
  vaa_engine_free(engine);
  return code;
}
