// Loops that follow each other, each over chunks that may run at once, by the threads of an
// Executor in one call of it: a thread that finds no chunk left waits for those of the others.
// Whatever the executor, every chunk is claimed by somebody who runs: nobody waits for ever.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base.hpp"

namespace perpend {

class Team {
 public:
  explicit Team(Executor& executor) : executor_(executor) {}

  // `start` has the first chunk of each loop, and the end. Calls chunk(k) for all k of a loop
  // before the first of the next loop.
  template <class Function>
  void run(std::span<const std::int32_t> start, const Function& chunk) {
    const std::size_t loops = start.size() - 1;
    std::int32_t most = 0;
    for (std::size_t l = 0; l < loops; ++l) most = std::max(most, start[l + 1] - start[l]);
    const int members = std::min(executor_.workers(), static_cast<int>(most));
    if (members <= 1) {
      for (std::int32_t k = start.front(); k < start.back(); ++k) chunk(k);
      return;
    }
    if (loops_.size() != loops) loops_ = std::vector<Loop>(loops);
    for (Loop& loop : loops_) {
      loop.next.store(0, std::memory_order_relaxed);
      loop.done.store(0, std::memory_order_relaxed);
    }
    executor_.for_each(members, [&](std::ptrdiff_t, int) {
      for (std::size_t l = 0; l < loops; ++l) {
        const std::int32_t count = start[l + 1] - start[l];
        Loop& loop = loops_[l];
        for (std::int32_t k = loop.next.fetch_add(1, std::memory_order_relaxed); k < count;
             k = loop.next.fetch_add(1, std::memory_order_relaxed)) {
          chunk(start[l] + k);
          if (loop.done.fetch_add(1, std::memory_order_acq_rel) + 1 == count)
            loop.done.notify_all();
        }
        wait(loop, count);
      }
    });
  }

 private:
  struct alignas(64) Loop {
    std::atomic<std::int32_t> next{0}, done{0};
  };
  // Looks this often before it sleeps.
  static constexpr int kLooks = 4000;

  static void wait(Loop& loop, std::int32_t count) {
    std::int32_t done = loop.done.load(std::memory_order_acquire);
    for (int k = 0; done < count && k < kLooks; ++k) {
#ifdef __SSE2__
      __builtin_ia32_pause();
#endif
      done = loop.done.load(std::memory_order_acquire);
    }
    for (; done < count; done = loop.done.load(std::memory_order_acquire))
      loop.done.wait(done, std::memory_order_acquire);
  }

  Executor& executor_;
  std::vector<Loop> loops_;
};

}  // namespace perpend
