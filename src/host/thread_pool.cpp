// Threads that wait for loops. Items are handed out one by one, so that long and short ones mix.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "perpend/host.hpp"

namespace perpend {

struct ThreadPool::Shared {
  std::mutex mutex;
  std::condition_variable_any begun, done;
  std::uint64_t loop = 0;  // which one, counted from 1
  bool open = false;       // a thread that comes late finds it closed and is not waited for
  int busy = 0;            // threads of the pool that are in the loop
  std::ptrdiff_t count = 0;
  const std::function<void(std::ptrdiff_t, int)>* item = nullptr;
  std::atomic<std::ptrdiff_t> next{0};
  std::exception_ptr error;
  std::ptrdiff_t error_item = 0;
  std::vector<std::jthread> threads;

  void work(int worker) {
    for (std::ptrdiff_t i = next++; i < count; i = next++) {
      try {
        (*item)(i, worker);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error || i < error_item) {
          error = std::current_exception();
          error_item = i;
        }
      }
    }
  }

  void wait_and_work(const std::stop_token& stop, int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (begun.wait(lock, stop, [&] { return loop != seen; })) {
      seen = loop;
      if (!open) continue;
      ++busy;
      lock.unlock();
      work(worker);
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : shared_(std::make_unique<Shared>()) {
  for (int worker = 1; worker < threads; ++worker)
    shared_->threads.emplace_back([shared = shared_.get(), worker](const std::stop_token& stop) {
      shared->wait_and_work(stop, worker);
    });
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::workers() const { return static_cast<int>(shared_->threads.size()) + 1; }

void ThreadPool::for_each(std::ptrdiff_t count,
                          const std::function<void(std::ptrdiff_t, int)>& item) {
  Shared& s = *shared_;
  if (count <= 1 || s.threads.empty()) {
    Executor::for_each(count, item);
    return;
  }
  {
    const std::lock_guard lock(s.mutex);
    s.count = count;
    s.item = &item;
    s.next = 0;
    s.error = nullptr;
    s.open = true;
    ++s.loop;
  }
  s.begun.notify_all();
  s.work(0);
  std::unique_lock lock(s.mutex);
  s.open = false;
  s.done.wait(lock, [&] { return s.busy == 0; });
  if (s.error) std::rethrow_exception(std::exchange(s.error, nullptr));
}

}  // namespace perpend
