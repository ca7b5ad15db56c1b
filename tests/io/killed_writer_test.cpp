// A writer killed at any moment leaves every flushed frame behind, readable and bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace killed_writer_test {

// What the frame of this number looks like: sizes change, optional columns come and go.
Record numbered(Index i) {
  const Index bodies = 2 + i % 40, contacts = i * 37 % 120;
  const std::uint64_t seed = static_cast<std::uint64_t>(i);
  return i % 5 == 0 ? bare_record(bodies, contacts, {2, i % 4}, seed)
                    : full_record(bodies, contacts, {1, i % 3}, seed);
}

// A counter that parent and child share.
class Shared {
 public:
  Shared() {
    void* memory = mmap(nullptr, sizeof(std::atomic<Index>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    value_ = new (memory) std::atomic<Index>(0);
  }
  ~Shared() { munmap(value_, sizeof(std::atomic<Index>)); }
  std::atomic<Index>& operator*() { return *value_; }

 private:
  std::atomic<Index>* value_;
};

// Waits for the child's first flush; false when the child ended instead.
bool begun(pid_t child, std::atomic<Index>& flushed) {
  while (flushed == 0) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return false;
    usleep(100);
  }
  return true;
}

// Writes frames until it is killed after `microseconds`; returns how many it knew to be flushed.
Index kill_a_writer(const std::string& path, Index flush_every, useconds_t microseconds) {
  Shared flushed;
  const pid_t child = fork();
  if (child == 0) {
    FrameWriter writer(path, {}, 64);
    for (Index i = 0;; ++i) {
      writer.append(numbered(i));
      if (i % flush_every == flush_every - 1) {
        writer.flush();
        *flushed = i + 1;
      }
    }
  }
  // The clock starts when the first frames are safe: creating the file is not what is tested here.
  if (!begun(child, *flushed)) {
    ADD_FAILURE() << "the writer ended by itself";
    return 0;
  }
  usleep(microseconds);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return *flushed;
}

void expect_numbered(const FrameReader& reader) {
  for (Index i = 0; i < reader.frames(); ++i)
    expect_same(numbered(i), reader.read(i), "frame " + std::to_string(i));
}

TEST(KilledWriter, LeavesEveryFlushedFrameReadable) {
  Numbers numbers(7);
  for (int time = 0; time < 20; ++time) {
    SCOPED_TRACE(time);
    const TemporaryFile file;
    const Index flush_every = 1 + time % 7;
    const Index flushed =
        kill_a_writer(file, flush_every, static_cast<useconds_t>(30000 * (1 + numbers.next())));
    const FrameReader reader(file);
    EXPECT_GE(reader.frames(), flushed);
    expect_numbered(reader);
  }
}

TEST(KilledWriter, RepairMakesAPlainFileOfIt) {
  Numbers numbers(8);
  for (int time = 0; time < 5; ++time) {
    SCOPED_TRACE(time);
    const TemporaryFile file;
    const Index flushed =
        kill_a_writer(file, 3, static_cast<useconds_t>(20000 * (1 + numbers.next())));
    {
      const h5::Silence quiet;
      EXPECT_LT(H5Fopen(file.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
      EXPECT_TRUE(h5::File::open(file).unclosed());
    }
    EXPECT_THAT(validate(file), testing::ElementsAre(testing::HasSubstr("repair")));
    const std::uintmax_t before = std::filesystem::file_size(file.path());
    const Index safe = repair(file);
    EXPECT_GE(safe, flushed);
    EXPECT_GE(std::filesystem::file_size(file.path()), before);
    EXPECT_FALSE(h5::File::open(file).unclosed());
    EXPECT_THAT(validate(file), testing::IsEmpty());
    const FrameReader reader(file);
    EXPECT_EQ(reader.frames(), safe);
    expect_numbered(reader);
    // Every dataset can be read as a whole, rows beyond the offsets included, as h5dump does.
    const h5::File plain = h5::File::open(file);
    for (const Column& column : columns()) {
      const h5::Handle data(H5Dopen2(plain, ("/" + column.name).c_str(), H5P_DEFAULT), H5Dclose);
      const h5::Handle space(H5Dget_space(data), H5Sclose);
      std::vector<char> bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * 8 +
                              1);
      EXPECT_GE(
          H5Dread(data, memory_type(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0)
          << column.name;
    }
    EXPECT_EQ(repair(file), safe);  // nothing left to do
  }
}

TEST(KilledWriter, RepairLeavesAClosedFileAsItIs) {
  const TemporaryFile file;
  {
    FrameWriter writer(file, {}, 64);
    for (Index i = 0; i < 3; ++i) writer.append(numbered(i));
    writer.close();
  }
  const std::string before = test::contents(file);
  EXPECT_EQ(repair(file), 3);
  EXPECT_EQ(test::contents(file), before);
}

TEST(KilledWriter, AFileStillBeingWrittenCanBeRead) {
  const TemporaryFile file;
  Shared flushed, done;
  const pid_t child = fork();
  if (child == 0) {
    FrameWriter writer(file, {}, 64);
    for (Index i = 0; *done == 0; ++i) {
      writer.append(numbered(i));
      writer.flush();
      *flushed = i + 1;
    }
    writer.close();
    _exit(0);
  }
  ASSERT_TRUE(begun(child, *flushed));
  Index before = 0;
  for (int time = 0; time < 5; ++time) {
    const Index safe = *flushed;
    const FrameReader reader(file);
    EXPECT_GE(reader.frames(), safe);
    EXPECT_GE(reader.frames(), before);
    before = reader.frames();
    expect_numbered(reader);
  }
  *done = 1;
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_GE(FrameReader(file).frames(), before);
}

TEST(KilledWriter, RepairRefusesWhatIsNotOurs) {
  const TemporaryFile file;
  EXPECT_THAT(complaint_of([&] { repair(file); }), testing::HasSubstr("No such file"));
  std::ofstream(file.path()) << "not HDF5 at all";
  EXPECT_EQ(complaint_of([&] { repair(file); }), file.path() + ": not an HDF5 file");
}

}  // namespace killed_writer_test
}  // namespace perpend::io
