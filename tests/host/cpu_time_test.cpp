#include <gtest/gtest.h>

#include <thread>

#include "perpend/host.hpp"

namespace perpend::host {
namespace cpu_time_test {

void work(double seconds) {
  const double start = cpu_seconds(false);
  while (cpu_seconds(false) - start < seconds) {
  }
}

TEST(CpuSeconds, CountWhatThisThreadDoesAndNotWhatItSleeps) {
  const double start = cpu_seconds(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LT(cpu_seconds(false) - start, 0.04);
  work(0.01);
  EXPECT_GE(cpu_seconds(false) - start, 0.01);
}

TEST(CpuSeconds, CountOtherThreadsWhereAsked) {
  const double own = cpu_seconds(false), all = cpu_seconds(true);
  std::thread([] { work(0.05); }).join();
  EXPECT_LT(cpu_seconds(false) - own, 0.04);
  EXPECT_GE(cpu_seconds(true) - all, 0.05);
}

}  // namespace cpu_time_test
}  // namespace perpend::host
