/* What a consumer of the installed library writes: checks one text and a missing file. C99. */
#include <stdio.h>
#include <string.h>

#include "vaa/vaa.h"

static vaa_str text(const char *s) {
  vaa_str view = {s, strlen(s)};
  return view;
}

int main(void) {
  const vaa_str none = {NULL, 0};
  vaa_checker *checker = NULL;
  vaa_tally *tally = NULL;
  vaa_sample *sample = NULL;
  vaa_records *records = NULL;
  vaa_error *err = NULL;
  vaa_findings found;
  int good = vaa_abi_version() == VAA_ABI_VERSION;
  good = good && vaa_checker_new(none, NULL, &checker, &err) == VAA_OK && vaa_tally_new(checker, none, &tally, &err) == VAA_OK &&
         vaa_sample_new(&sample, &err) == VAA_OK && vaa_sample_set_str(sample, VAA_FIELD_OUTPUT_TEXT, text(""), &err) == VAA_OK &&
         vaa_tally_push(tally, sample, &found, &err) == VAA_OK && found.size == 1 && strcmp(vaa_flag_name(found.data[0].flag).data, "empty") == 0;
  good = good && vaa_records_open(text("/no/such/file"), none, &records, &err) == VAA_ERROR_NOT_FOUND && err != NULL && records == NULL;
  vaa_error_free(err);
  vaa_sample_free(sample);
  vaa_tally_free(tally);
  vaa_checker_free(checker);
  vaa_records_free(records);
  printf("%s\n", good ? "consumer: good" : "consumer: wrong");
  return good ? 0 : 1;
}
