#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "perpend/host.hpp"

namespace perpend {
namespace thread_pool_test {

TEST(ThreadPool, GivesEveryItemOnceToAWorkerOfItsOwn) {
  ThreadPool pool(3);
  EXPECT_EQ(pool.workers(), 3);
  for (int loop = 0; loop < 50; ++loop) {
    std::vector<std::atomic<int>> times(100);
    std::vector<std::atomic<bool>> busy(3);
    std::atomic<bool> alone = true;
    pool.for_each(100, [&](std::ptrdiff_t i, int worker) {
      if (busy[static_cast<std::size_t>(worker)].exchange(true)) alone = false;
      ++times[static_cast<std::size_t>(i)];
      busy[static_cast<std::size_t>(worker)] = false;
    });
    EXPECT_TRUE(alone);
    for (const auto& count : times) EXPECT_EQ(count, 1);
  }
}

TEST(ThreadPool, TellsTheCallerOfTheFirstItemThatThrew) {
  ThreadPool pool(2);
  const auto item = [](std::ptrdiff_t i, int) {
    if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
  };
  for (int loop = 0; loop < 20; ++loop) try {
      pool.for_each(40, item);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  int sum = 0;  // and it works on
  pool.for_each(1, [&](std::ptrdiff_t, int) { ++sum; });
  EXPECT_EQ(sum, 1);
}

}  // namespace thread_pool_test
}  // namespace perpend
