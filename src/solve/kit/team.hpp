// Loops that follow each other, each over chunks that may run at once, shared with the threads of
// an Executor. To wake a thread takes as long as a sweep over a thousand contacts, so threads are
// called together once for a whole method and stand by between its loops.
//
// Only the thread that calls `together` leads; the others help where they are there in time. A
// chunk belongs to whoever claims it first, and only claimed chunks are waited for: with whatever
// executor nobody waits for somebody who does not run.
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
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls method() once, in this thread; its calls of `run` are shared.
  template <class Method>
  void together(const Method& method) {
    if (executor_.workers() <= 1) return method();
    led_ = over_ = false;
    const char* const leader = this_thread();
    executor_.for_each(executor_.workers(), [&](std::ptrdiff_t, int) {
      if (this_thread() != leader) return help();
      if (!led_.exchange(true)) lead(method);
    });
    if (!led_.exchange(true)) method();  // all items were run by others
  }

  // `start` has the first chunk of each loop, and the end. Calls chunk(k) for all k of a loop
  // before the first of the next loop.
  template <class Function>
  void run(std::span<const std::int32_t> start, const Function& chunk) {
    if (!shared_) {
      for (std::int32_t k = start.front(); k < start.back(); ++k) chunk(k);
      return;
    }
    if (loops_.size() != start.size() - 1) loops_ = std::vector<Loop>(start.size() - 1);
    for (Loop& loop : loops_) {
      loop.next.store(0, std::memory_order_relaxed);
      loop.done.store(0, std::memory_order_relaxed);
    }
    start_ = start;
    function_ = &chunk;
    call_ = [](const void* function, std::int32_t k) {
      (*static_cast<const Function*>(function))(k);
    };
    open_ = true;
    ++round_;
    round_.notify_all();
    take_part();
    open_ = false;
    while (inside_ != 0) pause();
  }

 private:
  struct alignas(64) Loop {
    std::atomic<std::int32_t> next{0}, done{0};
  };
  static constexpr int kLooks = 4000;   // before a thread sleeps, some 50 us
  static constexpr int kPatience = 50;  // such spells without a leader before a helper goes

  static const char* this_thread() {
    static thread_local char mark;
    return &mark;
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  template <class Method>
  void lead(const Method& method) {
    struct Shared {  // whatever ends the method lets the helpers go
      Team& team;
      ~Shared() {
        team.shared_ = false;
        team.over_ = true;
        ++team.round_;
        team.round_.notify_all();
      }
    };
    const Shared shared{*this};
    shared_ = true;
    method();
  }

  void help() {
    for (int k = 0; !led_; ++k) {
      if (k == kPatience * kLooks) return;
      pause();
    }
    std::uint32_t seen = round_;
    while (!over_) {
      // Inside first, then a look at whether it is open: the leader looks the other way round.
      ++inside_;
      if (open_) take_part();
      --inside_;
      for (int k = 0; k < kLooks && round_ == seen; ++k) pause();
      round_.wait(seen);
      seen = round_;
    }
  }

  void take_part() {
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const std::int32_t count = start_[l + 1] - start_[l];
      Loop& loop = loops_[l];
      for (std::int32_t k = loop.next.fetch_add(1, std::memory_order_relaxed); k < count;
           k = loop.next.fetch_add(1, std::memory_order_relaxed)) {
        call_(function_, start_[l] + k);
        if (loop.done.fetch_add(1, std::memory_order_acq_rel) + 1 == count) loop.done.notify_all();
      }
      std::int32_t done = loop.done.load(std::memory_order_acquire);
      for (int k = 0; done < count; ++k) {
        if (k < kLooks)
          pause();
        else
          loop.done.wait(done, std::memory_order_acquire);
        done = loop.done.load(std::memory_order_acquire);
      }
    }
  }

  Executor& executor_;
  std::atomic<bool> led_{false}, over_{false}, open_{false};
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> inside_{0};
  bool shared_ = false;  // the leader's alone
  // Of the loops that are open.
  std::vector<Loop> loops_;
  std::span<const std::int32_t> start_;
  const void* function_ = nullptr;
  void (*call_)(const void*, std::int32_t) = nullptr;
};

}  // namespace perpend
