// How long the bytes of a stream may wait in the kernel before they are read: several tokens come with one read then. Each read costs the kernel and libcurl some 10 µs, whatever it brings.
#pragma once
#include <cstddef>

namespace vaa::capture {

constexpr double kLookS = 0.05;  // between two looks at all streams; nothing waits for less

// Seconds that what comes next may wait; 0: it is read as it comes. A 16th of the stream's age, so that a place that becomes free is seen soon beside what its answer took, 0.25 s at most; and as long as
// half a buffer takes to arrive at the rate of the last `period_s`, so that no stream is slowed by a full window. A buffer that was filled has more behind it: 0.
double may_wait(double age_s, size_t bytes, double period_s);
// Seconds since this socket last received data, by the kernel's clock (TCP_INFO): exact to one of its ticks, 1 to 10 ms. 0 where it does not say.
double quiet_s(int socket);

}  // namespace vaa::capture
