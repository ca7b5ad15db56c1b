#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "perpend/host.hpp"

namespace perpend::host {
namespace child_test {

// What a program writes until it ends.
std::string heard(int file) {
  std::string text;
  char letter;
  while (::read(file, &letter, 1) == 1) text += letter;
  return text;
}

TEST(Child, IsGivenItsWordsItsVariablesAndItsFiles) {
  int in[2], out[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  ::setenv("PERPEND_OURS", "ours", 1);
  ::setenv("PERPEND_BOTH", "ours", 1);
  const std::map<std::string, std::string> set{{"PERPEND_BOTH", "set"}};
  Environment environment(set);
  Child child;
  EXPECT_FALSE(child.runs());
  ASSERT_EQ(
      child.start({"/bin/sh", "-c", "echo $0 $PERPEND_OURS $PERPEND_BOTH; cat; exit 3", "word"},
                  environment, in[0], out[1]),
      0);
  EXPECT_TRUE(child.runs());
  ::close(in[0]);
  ::close(out[1]);
  ASSERT_EQ(::write(in[1], "more", 4), 4);
  ::close(in[1]);
  EXPECT_EQ(heard(out[0]), "word ours set\nmore");
  ::close(out[0]);
  const ExitStatus how = child.wait();
  EXPECT_EQ(how.code(), 3);
  EXPECT_EQ(how.signal(), 0);
  EXPECT_EQ(how.words(), "exit code 3");
  EXPECT_FALSE(child.runs());
}

TEST(Child, ThatCannotBeStartedTellsWhy) {
  Environment environment;
  Child child;
  EXPECT_EQ(child.start({"/nonexistent/program"}, environment), ENOENT);
  EXPECT_FALSE(child.runs());
  EXPECT_EQ(child.wait().code(), 0);  // and nobody is waited for
}

TEST(Child, ForkedOffEndsWithItsTaskAndNotWithItsCaller) {
  int out[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  Child child;
  ASSERT_EQ(child.fork(SIGKILL, [&] { (void)!::write(out[1], "done", 4); }), 0);
  ::close(out[1]);
  EXPECT_EQ(heard(out[0]), "done");
  EXPECT_EQ(child.wait().code(), 0);
  ::close(out[0]);
  ASSERT_EQ(child.fork(SIGKILL, [] { throw std::runtime_error("not ours"); }), 0);
  EXPECT_EQ(child.wait().code(), 1);
}

TEST(Child, TellsWhichSignalEndedIt) {
  Child child;
  ExitStatus how;
  ASSERT_EQ(child.fork(SIGKILL, [] { ::pause(); }), 0);
  EXPECT_FALSE(child.ended(how));
  child.signal(SIGTERM);
  how = child.wait();
  EXPECT_EQ(how.signal(), SIGTERM);
  EXPECT_EQ(how.code(), 128 + SIGTERM);
  EXPECT_EQ(how.words(), "Terminated");
  ASSERT_EQ(child.fork(SIGKILL, [] { ::pause(); }), 0);
  EXPECT_EQ(child.kill().signal(), SIGKILL);
  EXPECT_TRUE(child.ended(how));
}

TEST(Child, IsKilledWhenItIsDropped) {
  int out[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  {
    Child child;
    ASSERT_EQ(child.fork(SIGKILL, [] { ::pause(); }), 0);
  }
  ::close(out[1]);
  EXPECT_EQ(heard(out[0]), "");  // the child held the other end open
  ::close(out[0]);
}

TEST(Readable, WaitsUntilSomethingComesNobodyWritesOrTimeIsUp) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  EXPECT_FALSE(readable(ends[0], 0));
  EXPECT_FALSE(readable(ends[0], 0.01));
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(readable(ends[0], 0));
  EXPECT_TRUE(readable(ends[0], std::numeric_limits<double>::infinity()));
  char letter;
  ASSERT_EQ(::read(ends[0], &letter, 1), 1);
  ::close(ends[1]);
  EXPECT_TRUE(readable(ends[0], std::numeric_limits<double>::infinity()));
  ::close(ends[0]);
}

TEST(ProgramFolder, HoldsTheRunningProgram) {
  const std::string folder = program_folder();
  EXPECT_EQ(::access((folder + "/perpend_host_test").c_str(), X_OK), 0) << folder;
}

TEST(Child, ItsErrorsGoWhereTheyAreSent) {
  int out[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  Environment environment;
  Child child;
  ASSERT_EQ(child.start({"/bin/sh", "-c", "echo wrong >&2"}, environment, -1, -1, out[1]), 0);
  ::close(out[1]);
  EXPECT_EQ(heard(out[0]), "wrong\n");
  ::close(out[0]);
  EXPECT_EQ(child.wait().code(), 0);
}

TEST(ProgramOnPath, IsTheFirstThatCanBeRun) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent:/etc:/bin", 1);
  EXPECT_EQ(program_on_path("sh"), "/bin/sh");
  EXPECT_EQ(program_on_path("no-such-program"), "");
  ::setenv("PATH", "/:/bin", 1);
  EXPECT_EQ(program_on_path("etc"), "");  // a folder is no program
  ::setenv("PATH", before.c_str(), 1);
}

}  // namespace child_test
}  // namespace perpend::host
