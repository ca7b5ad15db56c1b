// Outputs that appear whole or not at all, inputs of bounded size, texts for terminals.
#include "perpend/io/files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <set>
#include <thread>

#include "io/files.hpp"
#include "io/json_fields.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace files_test {

namespace fs = std::filesystem;
using Content = OutputFile::Content;
using testing::EndsWith;
using testing::HasSubstr;

std::string said(const std::function<void()>& what) { return test::complaint(what); }

std::set<std::string> names_in(const test::Scratch& scratch) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(scratch.path("")))
    names.insert(entry.path().filename().string());
  return names;
}

mode_t rights(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST(Temporary, NamesAreNeverTheSameAndCarryTheMark) {
  const test::Scratch scratch;
  std::set<std::string> names;
  for (int i = 0; i < 50; ++i) {
    const Temporary made = make_temporary(scratch.path("x.h5"), ".part-");
    EXPECT_TRUE(made.path.starts_with(scratch.path("x.h5.part-")));
    EXPECT_EQ(made.path.size(), scratch.path("x.h5.part-").size() + 16);
    EXPECT_EQ(::close(made.descriptor), 0);
    names.insert(made.path);
  }
  EXPECT_EQ(names.size(), 50u);
}

TEST(Temporary, ALongNameLeavesRoomForIt) {
  const test::Scratch scratch;
  write_text(scratch.path(std::string(255, 'n')), "text");
  EXPECT_EQ(names_in(scratch), std::set{std::string(255, 'n')});
}

TEST(OutputFile, IsThereWholeOrNotAtAll) {
  const test::Scratch scratch;
  const std::string path = scratch.write("x.json", "old");
  {
    OutputFile file(path, Content::text);
    file.write("half of it");
  }
  EXPECT_EQ(test::contents(path), "old");
  EXPECT_EQ(names_in(scratch), std::set<std::string>{"x.json"});
  write_text(path, "new");
  EXPECT_EQ(test::contents(path), "new");
  EXPECT_EQ(names_in(scratch), std::set<std::string>{"x.json"});
}

TEST(OutputFile, KeepsTheRightsOfTheFileItReplacesAndElseObeysTheUmask) {
  const test::Scratch scratch;
  const std::string shared = scratch.write("shared", "");
  fs::permissions(shared, fs::perms(0664));
  const mode_t before = ::umask(027);
  write_text(scratch.path("new"), "x");
  write_text(shared, "x");
  ::umask(before);
  EXPECT_EQ(rights(scratch.path("new")), 0640u);
  EXPECT_EQ(rights(shared), 0664u);
  fs::permissions(shared, fs::perms(0600));
  EXPECT_EQ(rights(OutputFile(shared, Content::text).path()), 0600u);  // from the beginning
}

TEST(OutputFile, FollowsLinksAndLeavesThemLinks) {
  const test::Scratch scratch;
  fs::create_directory(scratch.path("far"));
  fs::create_symlink("far/b", scratch.path("a"));          // relative to its own folder
  fs::create_symlink("../target", scratch.path("far/b"));  // leads nowhere yet
  write_text(scratch.path("a"), "first");
  write_text(scratch.path("a"), "second");
  EXPECT_TRUE(fs::is_symlink(scratch.path("a")));
  EXPECT_TRUE(fs::is_symlink(scratch.path("far/b")));
  EXPECT_FALSE(fs::is_symlink(scratch.path("target")));
  EXPECT_EQ(test::contents(scratch.path("target")), "second");
  EXPECT_EQ(names_in(scratch), (std::set<std::string>{"a", "far", "target"}));
  fs::create_symlink("loop", scratch.path("loop"));
  EXPECT_THAT(said([&] { write_text(scratch.path("loop"), "x"); }), HasSubstr("symbolic links"));
}

TEST(OutputFile, DoesNotFollowTheLinkOfAnotherUserInAFolderOpenToAll) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
  const test::Scratch scratch;
  fs::permissions(scratch.path(""), fs::perms(01777));
  fs::create_symlink("victim", scratch.path("link"));
  ASSERT_EQ(::lchown(scratch.path("link").c_str(), 12345, 12345), 0);
  EXPECT_THAT(said([&] { write_text(scratch.path("link"), "x"); }), HasSubstr("another user"));
  EXPECT_FALSE(fs::exists(scratch.path("victim")));
}

TEST(OutputFile, WritesIntoPipesDevicesAndDescriptorsWithoutReplacingThem) {
  const test::Scratch scratch;
  const std::string pipe = scratch.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string heard;
  std::thread reader([&] { heard = test::contents(pipe); });
  write_text(pipe, "through the pipe");
  reader.join();
  EXPECT_EQ(heard, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
  write_text("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const int file = ::open(scratch.write("plain", "begun ").c_str(), O_WRONLY | O_APPEND);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"})
    write_text(folder + std::to_string(file), "and on ");
  ::close(file);
  EXPECT_EQ(test::contents(scratch.path("plain")), "begun and on and on ");
  EXPECT_EQ(names_in(scratch), (std::set<std::string>{"pipe", "plain"}));
}

TEST(OutputFile, ThatIsHdf5NeedsAPlainFile) {
  const test::Scratch scratch;
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  for (const std::string& path : {scratch.path("pipe"), std::string("/dev/null"), std::string("-"),
                                  std::string("/dev/stdout")}) {
    EXPECT_THAT(said([&] { OutputFile(path, Content::hdf5); }),
                HasSubstr("HDF5 cannot be written"));
    EXPECT_THAT(said([&] { plain_target(path); }), HasSubstr("HDF5 cannot be written"));
  }
  EXPECT_TRUE(fs::is_fifo(scratch.path("pipe")));
}

TEST(OutputFile, ReplacesNothingButAPlainFile) {
  const test::Scratch scratch;
  OutputFile file(scratch.path("x"), Content::text);
  file.write("x");
  ASSERT_EQ(::mkfifo(scratch.path("x").c_str(), 0600), 0);
  EXPECT_THAT(said([&] { file.commit(); }), HasSubstr("no longer a plain file"));
  EXPECT_TRUE(fs::is_fifo(scratch.path("x")));
}

TEST(OutputFile, SaysWhyItCannotBe) {
  const test::Scratch scratch;
  const std::string folder = scratch.path("");
  EXPECT_EQ(said([&] { write_text(folder, "x"); }), folder + ": is a directory");
  const std::string nowhere = scratch.path("no/where");
  EXPECT_EQ(said([&] { write_text(nowhere, "x"); }),
            nowhere + ": there is no folder " + scratch.path("no"));
  EXPECT_EQ(said([&] { write_text("/dev/full", "x"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(said([&] { write_text("/dev/fd/987654", "x"); }),
            "/dev/fd/987654: cannot be written: Bad file descriptor");
}

TEST(ReadText, TakesPlainFilesAlone) {
  const test::Scratch scratch;
  EXPECT_EQ(read_text(scratch.write("x", "words")), "words");
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(said([&] { read_text(scratch.path("pipe")); }),
              EndsWith("is a pipe, not a plain file"));
  EXPECT_THAT(said([&] { read_snapshot(scratch.path("pipe")); }), EndsWith("not a plain file"));
  EXPECT_THAT(said([&] { read_scene(scratch.path("pipe")); }), EndsWith("not a plain file"));
  EXPECT_THAT(said([&] { read_raw_problem(scratch.path("pipe")); }), EndsWith("not a plain file"));
  EXPECT_THAT(said([&] { read_json_lines(scratch.path("pipe")); }), EndsWith("not a plain file"));
  EXPECT_THAT(said([] { read_text("/dev/zero"); }), EndsWith("is a device, not a plain file"));
  EXPECT_THAT(said([&] { read_text(scratch.path("")); }), EndsWith("is a directory"));
}

TEST(ReadText, RefusesWhatIsTooLongBeforeReadingIt) {
  const test::Scratch scratch;
  const std::string path = scratch.write("long", "{");
  fs::resize_file(path, std::uint64_t{3} << 30);  // a hole: takes no room
  const std::string most = "the limit is 256 MiB";
  EXPECT_THAT(said([&] { read_text(path); }), EndsWith("has 3072 MiB; " + most));
  EXPECT_THAT(said([&] { read_snapshot(path); }), EndsWith(most));
  EXPECT_THAT(said([&] { read_scene(path); }), EndsWith(most));
  EXPECT_THAT(said([&] { read_raw_problem(path); }), EndsWith(most));
  EXPECT_THAT(said([&] { read_json_lines(path); }), EndsWith("is 1024 MiB"));
  EXPECT_THAT(said([&] { kind_of(path); }), EndsWith("is 1024 MiB"));
}

TEST(ReadText, RefusesADocumentOfTooManyValues) {
  EXPECT_EQ(said([] { parse_json("{\"a\": [[], {}, 1]}", "x", Text::document, 4); }),
            "x:1:17: has more than 4 values");
  EXPECT_EQ(said([] { parse_json("{\"a\": [[], {}, 1]}", "x", Text::document, 5); }), "");
}

TEST(JsonLines, StayOnTheDiskAndAreReadInAnyOrder) {
  const test::Scratch scratch;
  const auto line = [](double time, const char* who) {
    return "{\"step\":0.01,\"time\":" + std::to_string(time) +
           ",\"bodies\":{\"masses\":[1],\"positions\":[[0,0,0]],\"inertia\":[[1,0,0,0,1,0,0,0,1]]},"
           "\"expected\":{\"answered\":\"" +
           who + "\"}}";
  };
  const std::string path =
      scratch.write("x.jsonl", "# words\n\n" + line(1, "a") + "\r\n" + line(2, "b") + "\n" +
                                   line(3, "a"));  // without an end
  const JsonLines lines(path);
  ASSERT_EQ(lines.frames(), 3);
  EXPECT_EQ(lines.read(2).frame.time, 3);
  EXPECT_EQ(lines.read(0).frame.time, 1);
  EXPECT_EQ(lines.read(1).frame.time, 2);
  EXPECT_EQ(lines.counts(1).bodies, 1);
  EXPECT_EQ(lines.answerers(), (std::vector<std::string>{"a", "b"}));
  scratch.write("x.jsonl", "");
  EXPECT_EQ(said([&] { lines.read(2); }), path + ":5: has disappeared");
}

TEST(Spool, KeepsWhatAPipeHoldsAndIsGoneWithIt) {
  const test::Scratch scratch;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    const std::string text(200'000, 'x');
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
  });
  std::string path;
  {
    const Spool spool(ends[0]);
    writer.join();
    path = spool.path();
    EXPECT_EQ(test::contents(path), std::string(200'000, 'x'));
    EXPECT_EQ(rights(path), 0600u);
  }
  EXPECT_FALSE(fs::exists(path));
  ::close(ends[0]);
}

TEST(Spool, EndsAtItsLimit) {
  const int zeros = ::open("/dev/zero", O_RDONLY);
  EXPECT_EQ(said([&] {
              Spool(
                  zeros, [](const std::string&) {}, std::uint64_t{5} << 20);
            }),
            "standard input: has more than 5 MiB, which is the limit");
  ::close(zeros);
}

TEST(FolderLock, IsHeldByOneAtATime) {
  const test::Scratch scratch;
  std::atomic<int> inside = 0, most = 0, entered = 0;
  const auto work = [&] {
    for (int i = 0; i < 5; ++i) {
      const FolderLock turn(scratch.path("x.h5"));
      most = std::max<int>(most, ++inside);
      ++entered;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --inside;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(entered, 10);
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("Grün, λ ≤ 1 · 🙂 C:\\x"), "Grün, λ ≤ 1 · 🙂 C:\\x");
  EXPECT_EQ(printable("a\x1b[31mred\a\x7f"), "a\\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(printable("two\nlines\r\t"), "two\\nlines\\r\\t");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\x85"),
            "\\u009b31m \\u0085");  // C1
  EXPECT_EQ(printable("\u202egpj.exe\u2066\u200f\u061c"), "\\u202egpj.exe\\u2066\\u200f\\u061c");
  EXPECT_EQ(printable("\u2028\u2029\ufeff"), "\\u2028\\u2029\\ufeff");
  EXPECT_EQ(printable("\x9b"
                      "31m\xff"),
            "\\x9b31m\\xff");                                                   // not UTF-8
  EXPECT_EQ(printable("\xc0\x9b \xe0\x80\x9b"), "\\xc0\\x9b \\xe0\\x80\\x9b");  // overlong
  EXPECT_EQ(printable("\xed\xa0\x80 \xf4\x90\x80\x80"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("cut \xe2\x82"), "cut \\xe2\\x82");
}

TEST(Printable, LeavesJsonTheSameDocument) {
  EXPECT_EQ(printable_json("{\n  \"name\": \"\\u001b grün\x7f\xc2\x9b\u202e\"\n}\n"),
            "{\n  \"name\": \"\\u001b grün\\u007f\\u009b\\u202e\"\n}\n");
}

}  // namespace files_test
}  // namespace perpend::io
