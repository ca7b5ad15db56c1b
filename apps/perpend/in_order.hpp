// Frames solved by several threads, read and reported by one, in order.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace perpend::app {

// For i = 0, 1, ...: in = read(i) and done(i, work(in)) in the calling thread and in order, work in
// `threads` threads, at most two pieces per thread in memory. `read` may end it with nullopt. An
// exception of any of them reaches the caller.
template <class In, class Out>
void in_order(int threads, std::size_t count,
              const std::function<std::optional<In>(std::size_t)>& read,
              const std::function<Out(In&)>& work,
              const std::function<void(std::size_t, Out)>& done) {
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      std::optional<In> in = read(i);
      if (!in) return;
      done(i, work(*in));
    }
    return;
  }
  struct Piece {
    In in;
    std::optional<Out> out;
    std::exception_ptr error;
    bool taken = false;
  };
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<Piece> pieces;  // read, not yet done; references stay valid at both ends

  std::vector<std::jthread> pool;
  pool.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t)
    pool.emplace_back([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      while (true) {
        Piece* mine = nullptr;
        changed.wait(lock, stop, [&] {
          for (Piece& piece : pieces)
            if (!piece.taken) {
              mine = &piece;
              return true;
            }
          return false;
        });
        if (mine == nullptr) return;
        mine->taken = true;
        lock.unlock();
        std::optional<Out> out;
        std::exception_ptr error;
        try {
          out = work(mine->in);
        } catch (...) {
          error = std::current_exception();
        }
        lock.lock();
        mine->out = std::move(out);
        mine->error = error;
        changed.notify_all();
      }
    });

  std::size_t next = 0, finished = 0;
  bool reading = true;
  std::unique_lock lock(mutex);
  while (true) {
    while (reading && pieces.size() < 2 * static_cast<std::size_t>(threads)) {
      if (next == count) {
        reading = false;
        break;
      }
      lock.unlock();
      std::optional<In> in = read(next);
      lock.lock();
      if (!in) {
        reading = false;
        break;
      }
      pieces.push_back(Piece{std::move(*in), std::nullopt, nullptr});
      ++next;
      changed.notify_all();
    }
    if (pieces.empty()) break;
    changed.wait(lock, [&] { return pieces.front().out || pieces.front().error; });
    Piece piece = std::move(pieces.front());
    pieces.pop_front();
    if (piece.error) {
      lock.unlock();
      pool.clear();
      std::rethrow_exception(piece.error);
    }
    lock.unlock();
    done(finished++, std::move(*piece.out));
    lock.lock();
  }
  lock.unlock();
}

}  // namespace perpend::app
