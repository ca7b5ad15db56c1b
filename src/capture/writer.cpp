// A thread of its own writes what the engine's thread puts into a queue, so that no step waits for
// a disk, nor for the record that is made of what was gathered, nor for the errors that are
// measured on the way. The queue is bounded by bytes: when it is full the engine's thread waits,
// and the time is counted (the backpressure of docs/capture.md).
//
// Steps that were written are kept, for the engine's thread to fill again: memory that comes fresh
// from the system costs more than all the copying. Kept ones and those that wait share one bound,
// and those that wait come first.
//
// HDF5 is not made for threads: it is called from here alone, by one writer at a time.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unordered_set>

#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;

// To wake the writer's thread costs the engine's more than the copying of a small step, so it is
// woken for the first one, which is flushed at once, and then for so many bytes together; of fewer
// it finds out by itself.
constexpr std::size_t kWakeBytes = std::size_t{1} << 20;
constexpr std::chrono::milliseconds kLookEvery(20), kFlushEvery(500);

// Two recordings in one process take turns.
std::mutex& hdf5() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

struct Writer::Work {
  struct QueueItem {
    std::unique_ptr<StepRecord> step;
    std::size_t bytes;
  };
  WriterOptions options;
  mutable std::mutex mutex;
  std::condition_variable filled, emptied;
  std::deque<QueueItem> queue;
  std::vector<QueueItem> kept;  // the last one is the warmest in the caches
  std::size_t bytes = 0, kept_bytes = 0;
  bool open = true, begun = false;
  std::string error, state_hash;
  bool begun_model = false;
  std::unordered_set<std::int64_t> told_bodies;
  WriterStatistics statistics;
  std::thread thread;

  // In the thread: makes the file, which `made` waits for, and writes until it is closed.
  void run(const std::string& path, const io::Header& header, const std::function<void()>& made) {
    std::optional<io::FrameWriter> file;
    attempt([&] {
      const std::lock_guard one(hdf5());
      file.emplace(path, header, 1024);
    });
    made();
    while (std::optional<QueueItem> next = wait(file)) {
      attempt([&] {
        io::Record record = record_of(*next->step);
        tell_model(record);
        if (options.measure) options.measure(record);
        {
          const std::lock_guard one(hdf5());
          file->append(record);
        }
        if (options.written) options.written(record);
        keep(std::move(*next));
      });
    }
    const std::lock_guard one(hdf5());
    attempt([&] { state_hash.empty() ? file->close() : file->close(state_hash); });
    file.reset();
  }

  // Names and shapes of the scene's bodies come with the first frame that has the body: an engine
  // may leave out fixed ones that nothing touches.
  void tell_model(io::Record& record) {
    if (!options.scene) return;
    bool more = !begun_model;
    begun_model = true;
    for (const std::int64_t id : record.frame.bodies.ids)
      more = told_bodies.insert(id).second || more;
    if (more)
      record.model = io::model_of(*options.scene, io::body_ids(*options.scene), record.frame.bodies,
                                  record.frame.time);
  }

  // The next step; none: there will be no more. What has come is flushed while nothing comes.
  std::optional<QueueItem> wait(std::optional<io::FrameWriter>& file) {
    std::unique_lock lock(mutex);
    const auto ready = [&] { return !queue.empty() || !open || !error.empty(); };
    Clock::time_point flush_at = Clock::now() + kFlushEvery;
    while (!filled.wait_for(lock, kLookEvery, ready)) {
      if (Clock::now() < flush_at) continue;
      lock.unlock();
      attempt([&] {
        const std::lock_guard one(hdf5());
        file->flush();
      });
      lock.lock();
      flush_at = Clock::now() + kFlushEvery;
    }
    if (!error.empty() || queue.empty()) return std::nullopt;
    std::optional<QueueItem> out(std::move(queue.front()));
    queue.pop_front();
    bytes -= out->bytes;
    emptied.notify_one();
    return out;
  }

  void keep(QueueItem written) {
    if (!written.step->reusable()) return;
    const std::lock_guard lock(mutex);
    if (bytes + kept_bytes + written.bytes > options.queue_bytes) return;
    kept_bytes += written.bytes;
    kept.push_back(std::move(written));
    statistics.most_held = std::max(statistics.most_held, bytes + kept_bytes);
  }

  std::unique_ptr<StepRecord> take() {
    const std::lock_guard lock(mutex);
    if (kept.empty()) return nullptr;
    std::unique_ptr<StepRecord> out = std::move(kept.back().step);
    kept_bytes -= kept.back().bytes;
    kept.pop_back();
    return out;
  }

  // The first failure ends the recording.
  template <class Function>
  void attempt(Function&& function) {
    {
      const std::lock_guard lock(mutex);
      if (!error.empty()) return;
    }
    try {
      function();
    } catch (const std::exception& why) {
      const std::lock_guard lock(mutex);
      error = why.what();
      queue.clear();
      kept.clear();
      bytes = kept_bytes = 0;
      emptied.notify_one();
    }
  }

  void put(std::unique_ptr<StepRecord> step) {
    const std::size_t size = step->bytes();
    std::vector<QueueItem> given_up;  // freed when the lock is open again
    std::unique_lock lock(mutex);
    if (!open) throw std::logic_error("Writer::put after close");
    const auto room = [&] {
      return !error.empty() || queue.empty() || bytes + size <= options.queue_bytes;
    };
    if (!room()) {
      ++statistics.waits;
      filled.notify_one();
      const Clock::time_point start = Clock::now();
      emptied.wait(lock, room);
      statistics.waited += std::chrono::duration<double>(Clock::now() - start).count();
    }
    if (!error.empty()) return;
    bytes += size;
    while (bytes + kept_bytes > options.queue_bytes && !kept.empty()) {
      kept_bytes -= kept.back().bytes;
      given_up.push_back(std::move(kept.back()));
      kept.pop_back();
    }
    statistics.most_bytes = std::max(statistics.most_bytes, bytes);
    statistics.most_held = std::max(statistics.most_held, bytes + kept_bytes);
    queue.push_back({std::move(step), size});
    if (bytes >= kWakeBytes || !begun) filled.notify_one();
    begun = true;
  }

  void end(const std::string& hash) {
    {
      const std::lock_guard lock(mutex);
      if (!open) return;
      open = false;
      state_hash = hash;
      filled.notify_one();
    }
    thread.join();
  }
};

Writer::Writer(const std::string& path, const io::Header& header, WriterOptions options)
    : work_(std::make_unique<Work>()) {
  work_->options = std::move(options);
  std::mutex mutex;
  std::condition_variable changed;
  bool made = false;
  work_->thread = std::thread([&, work = work_.get(), path, header] {
    work->run(path, header, [&] {
      const std::lock_guard lock(mutex);
      made = true;
      changed.notify_one();
    });
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return made; });
  }
  if (const std::string why = error(); !why.empty()) {
    work_->end({});
    throw io::InputError(why);
  }
}

Writer::~Writer() { work_->end({}); }

void Writer::put(std::unique_ptr<StepRecord> step) { work_->put(std::move(step)); }

std::unique_ptr<StepRecord> Writer::emptied() { return work_->take(); }

std::string Writer::error() const {
  const std::lock_guard lock(work_->mutex);
  return work_->error;
}

WriterStatistics Writer::statistics() const {
  const std::lock_guard lock(work_->mutex);
  return work_->statistics;
}

void Writer::close(const std::string& state_hash) {
  work_->end(state_hash);
  if (const std::string why = error(); !why.empty()) throw io::InputError(why);
}

}  // namespace perpend::capture
