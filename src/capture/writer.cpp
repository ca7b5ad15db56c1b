// A thread of its own writes what the engine's thread puts into a queue, so that no step waits for
// a disk, nor for the errors that are measured on the way. The queue is bounded by bytes: when it
// is full the engine's thread waits, and the time is counted (the backpressure of docs/capture.md).
//
// HDF5 is not made for threads: it is called from here alone, by one writer at a time.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;

// Two recordings in one process take turns.
std::mutex& hdf5() {
  static std::mutex mutex;
  return mutex;
}

// Not less than what the numbers of a record take in memory, all optional columns included.
std::size_t bytes_of(const io::Record& record) {
  const auto entries = [](const io::SystemColumns::Matrix& m) {
    return m.rows.size() + m.columns.size() + static_cast<std::size_t>(m.values.size());
  };
  const io::SystemColumns& s = record.system;
  constexpr std::size_t kBody = 42, kContact = 42, kJointRow = 22, kRest = 64;
  const Frame& f = record.frame;
  const std::size_t numbers = kBody * static_cast<std::size_t>(f.bodies.count()) +
                              kContact * static_cast<std::size_t>(f.contacts.count()) +
                              kJointRow * static_cast<std::size_t>(f.joints.row_count()) +
                              entries(s.M) + entries(s.J) + entries(s.A) +
                              static_cast<std::size_t>(s.v.size() + s.f.size() + s.b.size() +
                                                       s.mu.size() + 2 * s.bounds.rows());
  return sizeof(double) * (numbers + kRest);
}

}  // namespace

struct Writer::Work {
  WriterOptions options;
  mutable std::mutex mutex;
  std::condition_variable filled, emptied;
  std::deque<io::Record> queue;
  std::size_t bytes = 0;
  bool open = true;
  std::string error, state_hash;
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
    while (std::optional<io::Record> record = next(file)) {
      attempt([&] {
        if (options.measure) options.measure(*record);
        {
          const std::lock_guard one(hdf5());
          file->append(*record);
        }
        if (options.written) options.written(*record);
      });
    }
    const std::lock_guard one(hdf5());
    attempt([&] { state_hash.empty() ? file->close() : file->close(state_hash); });
    file.reset();
  }

  // The next record; none: there will be no more. What has come is flushed while nothing comes.
  std::optional<io::Record> next(std::optional<io::FrameWriter>& file) {
    std::unique_lock lock(mutex);
    const auto ready = [&] { return !queue.empty() || !open || !error.empty(); };
    while (!filled.wait_for(lock, std::chrono::milliseconds(500), ready)) {
      lock.unlock();
      attempt([&] {
        const std::lock_guard one(hdf5());
        file->flush();
      });
      lock.lock();
    }
    if (!error.empty() || queue.empty()) return std::nullopt;
    std::optional<io::Record> out(std::move(queue.front()));
    queue.pop_front();
    bytes -= bytes_of(*out);
    emptied.notify_one();
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
      bytes = 0;
      emptied.notify_one();
    }
  }

  void put(io::Record record) {
    const std::size_t size = bytes_of(record);
    std::unique_lock lock(mutex);
    if (!open) throw std::logic_error("Writer::put after close");
    const auto room = [&] {
      return !error.empty() || queue.empty() || bytes + size <= options.queue_bytes;
    };
    if (!room()) {
      ++statistics.waits;
      const Clock::time_point start = Clock::now();
      emptied.wait(lock, room);
      statistics.waited += std::chrono::duration<double>(Clock::now() - start).count();
    }
    if (!error.empty()) return;
    bytes += size;
    statistics.most_bytes = std::max(statistics.most_bytes, bytes);
    queue.push_back(std::move(record));
    filled.notify_one();
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

void Writer::put(io::Record record) { work_->put(std::move(record)); }

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
