// Seconds of a core that this thread, or all threads of this process, have used: what other work on the machine changes least.
#pragma once
#include <ctime>

inline double cpu_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
