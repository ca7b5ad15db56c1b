#include "solve/kit/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace perpend {
namespace team_test {

// The caller and one more thread.
class Two final : public Executor {
 public:
  int workers() const override { return 2; }
  void for_each(std::ptrdiff_t count,
                const std::function<void(std::ptrdiff_t, int)>& item) override {
    std::atomic<std::ptrdiff_t> next{0};
    std::exception_ptr error;
    const auto work = [&](int worker) {
      for (std::ptrdiff_t i = next++; i < count; i = next++) item(i, worker);
    };
    {
      const std::jthread other(work, 1);
      try {
        work(0);
      } catch (...) {
        error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
  }
};

TEST(Team, LoopsFollowEachOther) {
  // Chunk k of loop l adds up what loop l - 1 has left: any overlap of loops changes the sums.
  Two executor;
  Team team(executor);
  const std::vector<std::int32_t> start{0, 8, 16, 24, 32};
  std::vector<long> value(32);
  std::atomic<int> calls{0};
  team.together([&] {
    for (int round = 0; round < 200; ++round) {
      std::fill(value.begin(), value.end(), 0);
      team.run(start, [&](std::int32_t k) {
        ++calls;
        if (k < 8) {
          value[static_cast<std::size_t>(k)] = 1;
          return;
        }
        const std::size_t before = static_cast<std::size_t>(k / 8 - 1) * 8;
        for (std::size_t i = before; i < before + 8; ++i)
          value[static_cast<std::size_t>(k)] += value[i];
      });
      for (std::size_t k = 24; k < 32; ++k) ASSERT_EQ(value[k], 8 * 8 * 8);
    }
  });
  EXPECT_EQ(calls, 200 * 32);
}

TEST(Team, OthersHelpWhileTheLeaderIsBusy) {
  // A chunk waits for the other one to begin, which only another thread can do; for a while, since
  // a busy machine may be late with that thread, and then again.
  Two executor;
  Team team(executor);
  const std::vector<std::int32_t> start{0, 2};
  bool both = false;
  for (int attempt = 0; attempt < 100 && !both; ++attempt) {
    std::atomic<int> begun{0};
    std::atomic<bool> met{false};
    team.together([&] {
      team.run(start, [&](std::int32_t) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
        ++begun;
        while (begun < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        if (begun == 2 && std::chrono::steady_clock::now() < until) met = true;
      });
    });
    both = met;
  }
  EXPECT_TRUE(both);
}

TEST(Team, WithoutThreadsAndOutsideOfAMethodTheCallerDoesAll) {
  Executor serial;
  Two executor;
  for (Executor* with : {&serial, static_cast<Executor*>(&executor)}) {
    Team team(*with);
    const std::vector<std::int32_t> start{0, 3, 3, 5};
    std::vector<std::int32_t> order;
    team.run(start, [&](std::int32_t k) { order.push_back(k); });
    EXPECT_EQ(order, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  }
}

TEST(Team, WhatTheMethodThrowsArrives) {
  Two executor;
  Team team(executor);
  EXPECT_THROW(team.together([] { throw std::runtime_error("stop"); }), std::runtime_error);
}

}  // namespace team_test
}  // namespace perpend
