// The thread that writes what an engine's thread gives it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "capture/proof.hpp"
#include "io/files.hpp"

namespace perpend::capture {
namespace writer_test {

// A box on a floor, with an answer; `frame` is its time.
io::Record record_at(int frame) {
  io::Record record;
  record.frame = make_frame(2, 1);
  record.frame.step = 0.01;
  record.frame.time = frame;
  record.frame.bodies.masses << 0, 1;
  record.frame.contacts.pairs << 0, 1;
  record.frame.contacts.normals << 0, 0, 1;
  record.answer.z = Rows3::Constant(1, 3, 0.5);
  return record;
}

std::vector<double> times_in(const std::string& path) {
  const io::FrameReader reader(path);
  std::vector<double> times;
  for (Index k = 0; k < reader.frames(); ++k) times.push_back(reader.read(k).frame.time);
  return times;
}

std::vector<double> first(int count) {
  std::vector<double> out;
  for (int k = 0; k < count; ++k) out.push_back(k);
  return out;
}

TEST(Writer, WritesEveryRecordInItsOrderAndMeasuresItsAnswer) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  Writer writer(path, {});
  for (int k = 0; k < 300; ++k) writer.put(record_at(k));
  writer.close("0123456789abcdef");
  EXPECT_EQ(writer.error(), "");
  EXPECT_EQ(times_in(path), first(300));
  EXPECT_EQ(io::validate(path), std::vector<std::string>{});
  EXPECT_TRUE(io::FrameReader(path).read(299).answer.errors.has(Measure::velocity_error));
}

TEST(Writer, IsClosedByItsEnd) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  {
    WriterOptions options;
    options.measure = nullptr;
    Writer writer(path, {}, options);
    for (int k = 0; k < 3; ++k) writer.put(record_at(k));
  }
  EXPECT_EQ(times_in(path), first(3));
  EXPECT_EQ(io::validate(path), std::vector<std::string>{});
  EXPECT_FALSE(io::FrameReader(path).read(0).answer.errors.has(Measure::velocity_error));
}

TEST(Writer, TwoInOneProcessDoNotDisturbEachOther) {
  const io::test::Scratch folder;
  Writer one(folder.path("one.h5"), {}), two(folder.path("two.h5"), {});
  for (int k = 0; k < 500; ++k) {
    one.put(record_at(k));
    two.put(record_at(k));
  }
  one.close();
  two.close();
  EXPECT_EQ(times_in(folder.path("one.h5")), first(500));
  EXPECT_EQ(times_in(folder.path("two.h5")), first(500));
}

// Holds whoever wants to pass until it is open.
class Gate {
 public:
  explicit Gate(bool open) : open_(open) {}
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
  }
  void open() { set(true); }
  void close() { set(false); }

 private:
  void set(bool open) {
    {
      const std::lock_guard lock(mutex_);
      open_ = open;
    }
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_;
};

// The writer is held at its first record until the engine has to wait: the queue keeps its bound,
// and nothing is lost.
TEST(Writer, FullQueueMakesTheEngineWait) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  Gate gate(false);
  WriterOptions options;
  options.queue_bytes = 10000;  // a record counts for some 1500
  options.written = [&](const io::Record&) { gate.pass(); };
  Writer writer(path, {}, options);
  std::atomic<bool> all_put = false;
  std::thread engine([&] {
    for (int k = 0; k < 100; ++k) writer.put(record_at(k));
    all_put = true;
  });
  while (writer.statistics().waits == 0 && !all_put) std::this_thread::yield();
  EXPECT_FALSE(all_put);
  gate.open();
  engine.join();
  writer.close();
  EXPECT_GT(writer.statistics().waited, 0);
  EXPECT_LE(writer.statistics().most_bytes, 10000u);
  EXPECT_GT(writer.statistics().most_bytes, 5000u);
  EXPECT_EQ(times_in(path), first(100));
}

// A step of so many bytes that may be filled again; the record it makes has its number for a time.
class Box : public StepRecord {
 public:
  Box(std::size_t size, std::atomic<int>& alive) : size_(size), alive_(alive) { ++alive_; }
  ~Box() override { --alive_; }
  void fill(io::Record& record) override { record = record_at(number); }
  std::size_t bytes() const override { return size_; }
  int number = 0;

 private:
  std::size_t size_;
  std::atomic<int>& alive_;
};

// Puts so many boxes, filling emptied ones again; returns the most that were alive at once.
int put_boxes(Writer& writer, int count, std::size_t size, std::atomic<int>& alive) {
  int most = 0;
  for (int k = 0; k < count; ++k) {
    std::unique_ptr<StepRecord> box = writer.emptied();
    if (!box) box = std::make_unique<Box>(size, alive);
    static_cast<Box&>(*box).number = k;
    writer.put(std::move(box));
    most = std::max<int>(most, alive);
  }
  return most;
}

TEST(Writer, FillsStepsAgainThatWereWritten) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  std::atomic<int> written = 0, alive = 0;
  WriterOptions options;
  options.written = [&](const io::Record&) { ++written; };
  Writer writer(path, {}, options);
  EXPECT_EQ(writer.emptied(), nullptr);
  writer.put(std::make_unique<Box>(1000, alive));
  std::unique_ptr<StepRecord> again;
  while (!(again = writer.emptied())) std::this_thread::yield();
  EXPECT_EQ(written, 1);
  EXPECT_EQ(alive, 1);
  static_cast<Box&>(*again).number = 1;
  writer.put(std::move(again));
  writer.put(record_at(2));  // records are not kept
  writer.close();
  EXPECT_EQ(times_in(path), first(3));
  EXPECT_EQ(writer.statistics().most_held, 1000u + step_record(record_at(2))->bytes());
}

// A disk that stalls at every tenth record and is quick in between: what waits and what is kept
// stay together below the bound, whatever their shares.
TEST(Writer, KeepsNoMoreThanTheQueueMayHold) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  std::atomic<int> written = 0, alive = 0;
  WriterOptions options;
  options.measure = nullptr;
  options.queue_bytes = 10000;
  options.written = [&](const io::Record&) {
    if (++written % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  Writer writer(path, {}, options);
  const int most = put_boxes(writer, 1000, 900, alive);
  writer.close();
  EXPECT_EQ(times_in(path), first(1000));
  EXPECT_LE(writer.statistics().most_held, 10000u);
  // Eleven in the queue and kept, one with the writer, one with the engine.
  EXPECT_LE(most, 13);
  EXPECT_GT(most, 1);
}

// What is kept gives way when the steps that wait need the room.
TEST(Writer, GivesUpKeptStepsForThoseThatWait) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  Gate gate(true);
  std::atomic<int> written = 0, alive = 0;
  WriterOptions options;
  options.measure = nullptr;
  options.queue_bytes = 10000;
  options.written = [&](const io::Record&) {
    ++written;
    gate.pass();
  };
  Writer writer(path, {}, options);
  for (int k = 0; k < 5; ++k) {  // kept, all of them
    auto box = std::make_unique<Box>(2000, alive);
    box->number = k;
    writer.put(std::move(box));
    while (written <= k) std::this_thread::yield();
  }
  gate.close();
  for (int k = 5; k < 10; ++k) {  // one is with the writer, four wait
    auto box = std::make_unique<Box>(2000, alive);
    box->number = k;
    writer.put(std::move(box));
    while (k == 5 && written <= k) std::this_thread::yield();
  }
  EXPECT_EQ(writer.statistics().waits, 0);
  EXPECT_LE(alive, 6);  // of ten: at most 10000 bytes, and the one in work
  gate.open();
  writer.close();
  EXPECT_EQ(times_in(path), first(10));
  EXPECT_LE(writer.statistics().most_held, 10000u);
}

TEST(Writer, RecordBiggerThanTheQueueGoesByItself) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  WriterOptions options;
  options.queue_bytes = 1;
  Writer writer(path, {}, options);
  for (int k = 0; k < 5; ++k) writer.put(record_at(k));
  writer.close();
  EXPECT_EQ(times_in(path), first(5));
}

TEST(Writer, RefusalStopsTheRecordingAndKeepsWhatWasWritten) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  Writer writer(path, {});
  for (int k = 0; k < 4; ++k) writer.put(record_at(k));
  io::Record wrong = record_at(4);
  wrong.frame.contacts.pairs << 0, 7;
  writer.put(wrong);
  while (writer.error().empty()) std::this_thread::yield();
  const std::string why = path + ": frame 4: /contacts/pairs: row 0 names body 7 of 2";
  EXPECT_EQ(writer.error(), why);
  writer.put(record_at(5));  // the engine goes on
  try {
    writer.close();
    ADD_FAILURE() << "close() says nothing";
  } catch (const io::InputError& error) {
    EXPECT_EQ(error.what(), why);
  }
  EXPECT_EQ(times_in(path), first(4));
}

TEST(Writer, ThatCannotMakeItsFileSaysSoAtOnce) {
  EXPECT_THROW(Writer("/nowhere/run.h5", {}), io::InputError);
}

TEST(Writer, SecondOneOnTheSameFileIsRefusedAndTheFirstGoesOn) {
  const io::test::Scratch folder;
  const std::string path = folder.path("run.h5");
  Writer writer(path, {});
  writer.put(record_at(0));
  try {
    Writer(path, {});
    ADD_FAILURE() << "two writers on one file";
  } catch (const io::InputError& error) {
    EXPECT_EQ(error.what(), path + ": cannot be written: another program is writing or reading it");
  }
  writer.put(record_at(1));
  writer.close();
  EXPECT_EQ(times_in(path), first(2));
}

}  // namespace writer_test
}  // namespace perpend::capture
