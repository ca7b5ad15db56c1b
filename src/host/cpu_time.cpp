// Processor time, which a busy machine does not stretch as it does the time on the wall.
#include <time.h>

#include "perpend/host.hpp"

namespace perpend::host {

double cpu_seconds(bool all_threads) {
  timespec now{};
  ::clock_gettime(all_threads ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace perpend::host
