// What a fuzz target holds true; when it is not, the target ends with the line that says so.
#pragma once
#include <cstdio>
#include <cstdlib>

#define VAA_MUST(condition)                                                          \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                  \
    }                                                                                \
  } while (false)
