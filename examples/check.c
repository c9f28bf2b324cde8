/* Checks a file or run folder and prints the report: cc check.c $(pkg-config --cflags --libs vaa) && ./a.out RUN
 * The exit code is the verdict: 0 passes, 1 fails, 2 could not check, 3 undecided. */
#include <stdio.h>
#include <string.h>
#include <vaa/vaa.h>

int main(int argc, char **argv) {
  const vaa_str none = {"", 0}, as_text = {"{\"format\":\"text\"}", 17};
  vaa_records *records = NULL; vaa_checker *checker = NULL; vaa_report *report = NULL; vaa_text *text = NULL; vaa_error *err = NULL;
  const vaa_str path = {argc > 1 ? argv[1] : "", argc > 1 ? strlen(argv[1]) : 0};
  int code = VAA_VERDICT_NOT_CHECKED;
  if (!vaa_records_open(path, none, &records, &err) && !vaa_checker_new(none, NULL, &checker, &err) &&
      !vaa_check_records(checker, records, none, NULL, &report, &err) && !vaa_report_render(report, as_text, &text, &err)) {
    fwrite(vaa_text_str(text).data, 1, vaa_text_str(text).size, stdout);
    code = vaa_report_verdict(report);
  } else {
    fprintf(stderr, "%s\n", vaa_error_message(err).data);
  }
  vaa_error_free(err); vaa_text_free(text); vaa_report_free(report); vaa_checker_free(checker); vaa_records_free(records);
  return code;
}
