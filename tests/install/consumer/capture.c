/* What a consumer of the installed vaa_capture writes: an asker of a server that is not there. C99. */
#include <stdio.h>
#include <string.h>

#include "vaa/capture.h"

static vaa_str text(const char *s) {
  vaa_str view = {s, strlen(s)};
  return view;
}

int main(void) {
  vaa_asker *asker = NULL;
  vaa_text *servers = NULL;
  vaa_error *err = NULL;
  int good = vaa_asker_new(text("{\"urls\": [\"http://127.0.0.1:9\"], \"retries\": 0, \"connect_timeout_s\": 2}"), &asker, &err) == VAA_OK;
  good = good && vaa_asker_servers(asker, NULL, &servers, &err) == VAA_ERROR_IO && servers == NULL && strstr(vaa_error_message(err).data, "127.0.0.1:9") != NULL;
  vaa_error_free(err);
  vaa_asker_free(asker);
  good = good && vaa_asker_new(text("{\"urls\": []}"), &asker, &err) == VAA_ERROR_OPTION;
  vaa_error_free(err);
  printf("%s\n", good ? "consumer of vaa_capture: good" : "consumer of vaa_capture: wrong");
  return good ? 0 : 1;
}
