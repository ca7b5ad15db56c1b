// A writer killed at any moment, or whose disk is full, leaves every flushed frame behind, readable
// and bit for bit; and the recording gets its name whatever ended it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"
#include "perpend/io.hpp"

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
      if (column.since() > 1) continue;
      const h5::Handle data(H5Dopen2(plain, column.path().c_str(), H5P_DEFAULT), H5Dclose);
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
  EXPECT_THAT(test::complaint([&] { repair(file); }), testing::HasSubstr("No such file"));
  std::ofstream(file.path()) << "not HDF5 at all";
  EXPECT_EQ(test::complaint([&] { repair(file); }), file.path() + ": not an HDF5 file");
}

// In a process of its own: writes until the file may not grow any more, without a word about the
// signal that would end it. 0: every append after that said so, and memory did not grow.
int write_until_full(const std::string& path, rlim_t limit, Index flush_every,
                     std::atomic<Index>& flushed) {
  const rlimit small{limit, limit};
  setrlimit(RLIMIT_FSIZE, &small);
  int refused = 0;
  rusage before{}, after{};
  try {
    FrameWriter writer(path, {}, 64);
    for (Index i = 0; i < 100'000 && refused < 200; ++i) {
      const Record record = numbered(i);
      try {
        writer.append(record);
        if (refused) return 3;
        if (i % flush_every == flush_every - 1) {
          writer.flush();
          flushed = i + 1;
        }
      } catch (const InputError& error) {
        if (std::string(error.what()).find("File too large") == std::string::npos) return 1;
        if (++refused == 1) getrusage(RUSAGE_SELF, &before);
      }
    }
    getrusage(RUSAGE_SELF, &after);
  } catch (const InputError& error) {  // not even the empty file
    return std::string(error.what()).find("File too large") == std::string::npos ? 2 : 0;
  }
  return after.ru_maxrss - before.ru_maxrss < 16 * 1024 ? 0 : 4;  // kB
}

TEST(FrameWriter, KeepsWhatWasFlushedWhenTheDiskIsFull) {
  Index most = 0;
  for (int time = 0; time < 40; ++time) {
    const rlim_t limit = 100'000 + 20'011 * static_cast<rlim_t>(time);  // also inside of a page
    SCOPED_TRACE(limit);
    const TemporaryFile file;
    Shared flushed;
    const pid_t child = fork();
    if (child == 0) _exit(write_until_full(file, limit, 1 + time % 5, *flushed));
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    if (*flushed == 0) continue;
    {
      const FrameReader reader(file);
      EXPECT_GE(reader.frames(), *flushed);
      expect_numbered(reader);
    }
    const Index safe = repair(file);
    EXPECT_GE(safe, *flushed);
    EXPECT_THAT(validate(file), testing::IsEmpty());
    most = std::max(most, safe);
  }
  EXPECT_GT(most, 10);  // else the limits are too small to show anything
}

// Repairing where nothing may grow: its end is then where it ends.
TEST(KilledWriter, IsRepairedWhereTheFileMayNotGrow) {
  const TemporaryFile file;
  const Index flushed = kill_a_writer(file, 3, 30000);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t size = std::filesystem::file_size(file.path());
    const rlimit small{size, size};
    setrlimit(RLIMIT_FSIZE, &small);
    _exit(test::complaint([&] { repair(file); }).empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(validate(file), testing::IsEmpty());
  const FrameReader reader(file);
  EXPECT_GE(reader.frames(), flushed);
  expect_numbered(reader);
}

TEST(KilledWriter, KeepsItsFirstFrameAndEverySixtyFourthWithoutAFlushByHand) {
  for (const Index frames : {1, 100}) {
    const TemporaryFile file;
    const pid_t child = fork();
    if (child == 0) {
      FrameWriter writer(file, {}, 64);
      for (Index i = 0; i < frames; ++i) writer.append(numbered(i));
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    const FrameReader reader(file);
    EXPECT_GE(reader.frames(), frames == 1 ? 1 : 65);
    expect_numbered(reader);
  }
}

// It has the open file and all that HDF5 keeps in memory, and HDF5 writes that when it ends.
TEST(KilledWriter, AForkOfTheWriterThatEndsWritesNothing) {
  const TemporaryFile file;
  FrameWriter writer(file, {}, 64);
  for (Index i = 0; i < 5; ++i) writer.append(numbered(i));
  const pid_t child = fork();
  if (child == 0) {
    H5close();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_THAT(test::complaint([&] { repair(file); }),
              testing::HasSubstr("another program is writing"));
  for (Index i = 5; i < 30; ++i) writer.append(numbered(i));
  writer.close("0123456789abcdef");
  EXPECT_THAT(validate(file), testing::IsEmpty());
  const FrameReader reader(file);
  EXPECT_EQ(reader.frames(), 30);
  EXPECT_EQ(reader.header().state_hash, "0123456789abcdef");
  expect_numbered(reader);
}

// As `info` does, which asks whether a file is being written.
TEST(FrameWriter, WaitsForThoseWhoOnlyLook) {
  const TemporaryFile file;
  const int descriptor = open(file.path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
  std::thread looking([&] {
    usleep(50'000);
    close(descriptor);
  });
  EXPECT_EQ(test::complaint([&] { FrameWriter(file, {}, 64).append(numbered(0)); }), "");
  looking.join();
  EXPECT_EQ(FrameReader(file).frames(), 1);
}

class PartFiles : public testing::Test {
 protected:
  // What a process that was killed leaves of NAME: its part, `frames` of them flushed.
  std::string killed_part(Index frames) {
    const pid_t child = fork();
    if (child == 0) {
      const PartFile part(name);
      FrameWriter writer(part.path(), {}, 64);
      for (Index i = 0; i < frames; ++i) writer.append(numbered(i));
      writer.flush();
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    return parts_of(name).front().path;
  }
  void write(const std::string& path, Index frames) {
    FrameWriter writer(path, {}, 64);
    for (Index i = 0; i < frames; ++i) writer.append(numbered(i));
    writer.close();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
      out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }

  test::Scratch folder;
  std::string name = folder.path("run.h5");
};

TEST_F(PartFiles, HaveNamesThatNobodyGuesses) {
  const PartFile one(name), other(name);
  EXPECT_THAT(one.path(), testing::MatchesRegex(".*run\\.h5\\.part-[a-z2-7]{16}"));
  EXPECT_NE(one.path(), other.path());
  struct stat info {};
  ASSERT_EQ(stat(one.path().c_str(), &info), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(info.st_mode & 0777, 0666 & ~mask);
}

TEST_F(PartFiles, BecomeTheFileWhenTheyHaveFramesAndVanishWhenNot) {
  write(name, 2);
  {
    const PartFile none(name);
    EXPECT_EQ(files().size(), 2u);
  }
  EXPECT_EQ(FrameReader(name).frames(), 2);  // the older one
  {
    PartFile part(name);
    write(part.path(), 0);
    EXPECT_EQ(part.end().frames, 0);
  }
  EXPECT_EQ(FrameReader(name).frames(), 2);
  {
    PartFile part(name);
    write(part.path(), 3);
    EXPECT_EQ(FrameReader(name).frames(), 2);
    const RecordingEnd ended = part.end();
    EXPECT_EQ(ended.frames, 3);
    EXPECT_TRUE(ended.closed);
  }
  EXPECT_EQ(FrameReader(name).frames(), 3);
  {
    PartFile part(name);
    const pid_t child = fork();
    if (child == 0) {
      FrameWriter writer(part.path(), {}, 64);
      for (Index i = 0; i < 4; ++i) writer.append(numbered(i));
      writer.flush();
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    const RecordingEnd ended = part.end();
    EXPECT_EQ(ended.frames, 4);
    EXPECT_FALSE(ended.closed);
  }
  EXPECT_THAT(validate(name), testing::IsEmpty());
  EXPECT_EQ(FrameReader(name).frames(), 4);
  EXPECT_THAT(files(), testing::ElementsAre("run.h5"));
}

TEST_F(PartFiles, ThatCannotBeReadAreNotRemoved) {
  write(name, 1);
  std::string path;
  {
    PartFile part(name);
    path = part.path();
    write(path, 3);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THAT(test::complaint([&] { part.end(); }), testing::EndsWith("; the file is kept"));
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(FrameReader(name).frames(), 1);
}

TEST_F(PartFiles, FollowALinkAndRefuseWhatIsNoFile) {
  const std::string real = folder.path("real.h5");
  std::filesystem::create_symlink("real.h5", name);
  {
    PartFile part(name);
    write(part.path(), 2);
    part.commit();
  }
  EXPECT_TRUE(std::filesystem::is_symlink(name));
  EXPECT_EQ(FrameReader(real).frames(), 2);
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(test::complaint([&] { PartFile part(pipe); }),
              testing::HasSubstr("not a plain file"));
  EXPECT_THAT(test::complaint([&] { PartFile part("/dev/null"); }),
              testing::HasSubstr("/dev/null"));
  EXPECT_THAT(test::complaint([&] { PartFile part(folder.path("no/run.h5")); }),
              testing::HasSubstr("there is no folder"));
}

TEST_F(PartFiles, OfAKilledProcessAreFoundAndGetTheirName) {
  const std::string older = killed_part(2), newer = killed_part(5);
  std::filesystem::last_write_time(
      older, std::filesystem::last_write_time(newer) - std::chrono::seconds(1));
  std::vector<LeftPart> parts = parts_of(name);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].path, newer);
  EXPECT_EQ(parts[0].frames, 5);
  EXPECT_FALSE(parts[0].writing);
  parts = repair_parts(name);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].path, name);
  EXPECT_EQ(parts[1].path, older);
  EXPECT_EQ(FrameReader(name).frames(), 5);
  EXPECT_THAT(validate(older), testing::IsEmpty());
  // A file that is there is never replaced.
  const std::string third = killed_part(7);
  parts = repair_parts(name);
  EXPECT_EQ(FrameReader(name).frames(), 5);
  EXPECT_EQ(FrameReader(third).frames(), 7);
}

TEST_F(PartFiles, ThatAreBeingWrittenAreLeftInPeace) {
  PartFile part(name);
  FrameWriter writer(part.path(), {}, 64);
  writer.append(numbered(0));
  const std::vector<LeftPart> parts = parts_of(name);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_TRUE(parts[0].writing);
  EXPECT_EQ(parts[0].frames, 1);
  EXPECT_THAT(repair_parts(name), testing::IsEmpty());
  writer.append(numbered(1));
  writer.close();
  EXPECT_EQ(part.end().frames, 2);
}

}  // namespace killed_writer_test
}  // namespace perpend::io
