#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "perpend/io.hpp"
#include "perpend/peers.hpp"

namespace perpend::peers {
namespace worker_test {

const System& sample() {
  static const System kSystem = [] {
    const auto records =
        io::read_json_lines(std::string(PERPEND_SOURCE_DIR) + "/examples/frames/blocks.jsonl");
    return io::system_of(records.back(), "blocks");
  }();
  return kSystem;
}

TEST(Worker, AnswersWithTheBitsOfASolveAtHome) {
  Worker worker;
  worker.give(sample());
  for (const char* solver : {"ncp/nncg", "ncp/prox-newton", "box/pgs"}) {
    Options options;
    options.history = true;
    const Result home = solve(sample(), solver, options);
    worker.start(solver, options);
    const Result there = worker.wait();
    EXPECT_EQ(there.status, home.status);
    EXPECT_EQ(there.impulses, home.impulses) << solver;
    EXPECT_EQ(there.iterations, home.iterations);
    EXPECT_EQ(there.path, home.path);
    ASSERT_EQ(there.history.size(), home.history.size());
    EXPECT_EQ(there.history.back().errors[Measure::velocity_error],
              home.history.back().errors[Measure::velocity_error]);
  }
}

// Announces a result of 2^62 bytes on whatever the process has open for writing.
void babble() {
  const std::array<std::uint64_t, 2> opening{2, std::uint64_t{1} << 62};
  for (int file = 3; file < 64; ++file)
    if (::write(file, opening.data(), sizeof opening) < 0) continue;
  _exit(0);
}

Result misbehave(const System& system, std::string_view how, const Options& options) {
  if (how == "babble") babble();
  if (how == "crash") {
    volatile int* nothing = nullptr;
    *nothing = 1;
  }
  if (how == "abort") std::abort();
  if (how == "exit") _exit(17);
  if (how == "exit 5") _exit(5);
  if (how == "closed") {
    for (int file = 3; file < 64; ++file) ::close(file);
    ::pause();
  }
  if (how == "stop") ::raise(SIGSTOP);
  while (how == "hang") ::sleep(1);
  if (how == "eat") {
    std::vector<std::vector<double>> all;
    while (true) all.emplace_back(1 << 20, 1.0);
  }
  if (how == "throw") throw std::runtime_error("no");
  if (how == "print") std::puts("this must not be seen");
  return solve(system, "ncp/nncg", options);
}

TEST(Worker, MisbehaviourIsAResultAndTheNextSolveGoesOn) {
  constexpr double kMemory = 2e8;
  Worker worker(kMemory, misbehave);
  struct Case {
    const char* how;
    Status status;
    const char* says;
  };
  for (const Case& one : {Case{"crash", Status::crashed, "Segmentation fault"},
                          {"abort", Status::crashed, "Aborted"},
                          {"exit", Status::crashed, "exit code 17"},
                          {"exit 5", Status::crashed, "exit code 5"},
                          {"closed", Status::crashed, "Killed"},
                          {"throw", Status::crashed, "exit code"},
                          {"babble", Status::crashed, "exit code"},
                          {"hang", Status::time_limit, "killed after"},
                          {"eat", Status::too_large, "memory"}}) {
    const Result bad = solve(worker, sample(), one.how, {}, 0.3 + 10 * (one.how[0] == 'e'));
    EXPECT_EQ(bad.status, one.status) << one.how << ": " << bad.message;
    EXPECT_NE(bad.message.find(one.says), std::string::npos) << bad.message;
    worker.start("well", {});  // the same problem, told to a new process where the old one died
    EXPECT_EQ(worker.wait(10).status, Status::converged) << one.how;
  }
}

TEST(Worker, WhatSolversPrintIsNotSeen) {
  testing::internal::CaptureStdout();
  Worker worker(0, misbehave);
  EXPECT_EQ(solve(worker, sample(), "print").status, Status::converged);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Worker, SeveralWorkSideBySide) {
  std::vector<Worker> workers(3);
  for (Worker& worker : workers) {
    worker.give(sample());
    worker.start("ncp/nncg", {});
  }
  for (Worker& worker : workers) EXPECT_EQ(worker.wait(10).status, Status::converged);
}

TEST(Worker, CanBeEndedInTheMiddle) {
  Worker worker(0, misbehave);
  worker.give(sample());
  worker.start("hang", {});
  worker.kill();
  worker.start("well", {});
  EXPECT_EQ(worker.wait(10).status, Status::converged);
}

// A problem that no socket holds.
System large() {
  System system = sample();
  system.b = VectorXd::Zero(1 << 22);
  return system;
}

TEST(Worker, AStoppedChildIsWaitedForNoLongerThanTheLimit) {
  Worker worker(0, misbehave);
  EXPECT_EQ(solve(worker, sample(), "stop", {}, 0.2).status, Status::time_limit);
  worker.give(sample());
  worker.start("stop", {});
  const Result late = solve(worker, large(), "well", {}, 0.3);  // it is not read
  EXPECT_EQ(late.status, Status::time_limit) << late.message;
  EXPECT_EQ(solve(worker, sample(), "well").status, Status::converged);
}

TEST(Worker, NoChildIsWaitedForWhenTheRunIsStopped) {
  bool stopped = false;
  Worker worker(0, misbehave, [&] { return stopped; });
  worker.give(sample());
  worker.start("stop", {});
  stopped = true;
  EXPECT_EQ(worker.wait().status, Status::stopped);
  stopped = false;
  worker.start("stop", {});
  stopped = true;
  EXPECT_EQ(solve(worker, large(), "well").status, Status::stopped);
}

}  // namespace worker_test
}  // namespace perpend::peers
