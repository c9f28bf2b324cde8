// The same headers in C++17.
#include <cstdio>
#include <string>

#include "vaa/vaa.h"

int main() {
  vaa_text* formats = nullptr;
  if (vaa_records_formats(&formats, nullptr) != VAA_OK) return 1;
  const vaa_str list = vaa_text_str(formats);
  const bool good = std::string(list.data, list.size).find("\"aisbench\"") != std::string::npos;
  vaa_text_free(formats);
  std::puts(good ? "consumer: good" : "consumer: wrong");
  return good ? 0 : 1;
}
