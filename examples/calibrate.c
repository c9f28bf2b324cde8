/* Does a run's sampler draw what was asked? By its chosen tokens and the lists of logprobs beside them.
 *   cc calibrate.c $(pkg-config --cflags --libs vaa) -o calibrate && ./calibrate RUN [OPTIONS]
 * OPTIONS is the JSON of vaa_calibrate_records, such as {"temperature": 0.6}. Exit code: the report's verdict. */
#include <stdio.h>
#include <string.h>

#include "vaa/vaa.h"

static vaa_str str(const char *s) {
  vaa_str view;
  view.data = s;
  view.size = strlen(s);
  return view;
}

int main(int argc, char **argv) {
  vaa_records *run = NULL;
  vaa_report *report = NULL;
  vaa_text *text = NULL;
  vaa_error *err = NULL;
  const char *options = argc > 2 ? argv[2] : "{}";
  int code = 2;
  if (argc < 2) {
    fprintf(stderr, "usage: calibrate RUN [OPTIONS]\n");
    return code;
  }
  if (vaa_records_open(str(argv[1]), str(""), &run, &err) == VAA_OK && vaa_calibrate_records(run, NULL, str(options), NULL, &report, &err) == VAA_OK &&
      vaa_report_render(report, str("{\"format\": \"text\"}"), &text, &err) == VAA_OK) {
    const vaa_str words = vaa_text_str(text);
    double answers = 0, illegal = 0;
    if (vaa_report_number(report, str("/sampler/groups/0/answers"), &answers, NULL) == VAA_OK) printf("answers of the first group: %.0f\n", answers);
    if (vaa_report_number(report, str("/sampler/groups/0/checks/1/data/illegal"), &illegal, NULL) == VAA_OK) printf("tokens that were forbidden: %.0f\n", illegal);
    fwrite(words.data, 1, words.size, stdout);
    code = vaa_report_verdict(report);
  }
  if (err) fprintf(stderr, "%s\n", vaa_error_message(err).data);
  vaa_error_free(err);
  vaa_text_free(text);
  vaa_report_free(report);
  vaa_records_free(run);
  return code;
}
