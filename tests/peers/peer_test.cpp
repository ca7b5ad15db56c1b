// What a peer does at its worst is a status of ours, with its name in the message.
#include "peers/peer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/boxes.hpp"

namespace perpend::peers {
namespace peer_test {

using testing::HasSubstr;

SolverInfo misbehaving(const PeerInfo& info) {
  return solver_info(info, PERPEND_BINARY_DIR "/bin/perpend-misbehaving-peer");
}

constexpr PeerInfo peer(const char* name) {
  return {name, "", "", "Nobody 1.0", Manner::tolerance, true, Work::sweep, "10", 0, true, false};
}

const System& sample() {
  static const System system = assemble(boxes::column(2, 1, 1));
  return system;
}

TEST(Peer, MisbehaviourIsAStatusThatNamesIt) {
  struct Case {
    const char* name;
    Status status;
    const char* says;
  };
  for (const Case& c : {Case{"ncp/crash", Status::crashed, "Segmentation fault"},
                        {"ncp/abort", Status::crashed, "Abort"},
                        {"ncp/exit", Status::crashed, "exit code 17"},
                        {"ncp/stranger", Status::crashed, "exit code 6"},
                        {"ncp/hang", Status::time_limit, "did not answer within 0.2 s"},
                        {"ncp/nan", Status::failed, "not finite"},
                        {"ncp/short", Status::failed, "not finite"},
                        {"ncp/fail", Status::failed, "no pivot"},
                        {"ncp/print", Status::stalled, "reports success"}}) {
    SCOPED_TRACE(c.name);
    const PeerInfo info = peer(c.name);
    const SolverInfo solver = misbehaving(info);
    Options options;
    options.set["patience"] = "0.2";
    const std::unique_ptr<Solver> kept = solver.make();
    for (int time = 0; time < 2; ++time) {  // the second time in a new process
      const Result result = solve(sample(), solver, *kept, options);
      EXPECT_EQ(result.status, c.status) << result.message;
      EXPECT_THAT(result.message, HasSubstr(c.says));
      EXPECT_THAT(result.message, HasSubstr("Nobody 1.0"));
      EXPECT_THAT(result.message, HasSubstr(c.name));
      EXPECT_TRUE(result.impulses.allFinite());
      EXPECT_EQ(result.impulses.size(), sample().rows());
    }
  }
}

// Its patience of 20 s is longer than any test waits.
TEST(Peer, IsEndedAtTheTimeLimitAndTheNextProblemGetsANewProcess) {
  const PeerInfo info = peer("ncp/sometimes");
  const SolverInfo solver = misbehaving(info);
  System other = sample();
  other.b[0] = 1;  // there it does not hang
  Options options;
  options.time_limit = 0.3;
  const std::unique_ptr<Solver> kept = solver.make();
  for (int time = 0; time < 2; ++time) {
    const auto started = std::chrono::steady_clock::now();
    const Result hung = solve(sample(), solver, *kept, options);
    EXPECT_EQ(hung.status, Status::time_limit) << hung.message;
    EXPECT_THAT(hung.message, HasSubstr("killed at the time limit"));
    EXPECT_FALSE(hung.reproducible);
    EXPECT_EQ(hung.impulses.size(), sample().rows());
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
    const Result answered = solve(other, solver, *kept, options);
    EXPECT_EQ(answered.status, Status::stalled) << answered.message;
    EXPECT_TRUE(answered.reproducible);
  }
}

// It says 2^-30 s of each call; 0.2 s of translation in its process are not billed to it.
TEST(Peer, IsBilledTheSumOfItsOwnCallsAndTheWayThereIsShownApart) {
  for (const char* name : {"ncp/quick", "ncp/slow-to-translate"}) {
    SCOPED_TRACE(name);
    const PeerInfo info = peer(name);
    const SolverInfo solver = misbehaving(info);
    Options options;
    options.history = true;
    const Result result = solve(sample(), solver, *solver.make(), options);
    ASSERT_GT(result.iterations, 1);
    EXPECT_EQ(result.seconds, static_cast<double>(result.iterations) * 0x1p-30);
    EXPECT_EQ(result.history[1].seconds, 0x1p-30);
    EXPECT_GT(result.transfer_seconds, info.name == std::string("ncp/quick") ? 0 : 0.2);
  }
}

// A clock that claims more than we waited, or says nothing, is not believed.
TEST(Peer, IsBilledNoMoreThanWeWaited) {
  for (const char* name : {"ncp/boasts", "ncp/no-time", "ncp/crash"}) {
    SCOPED_TRACE(name);
    const PeerInfo info = peer(name);
    const SolverInfo solver = misbehaving(info);
    const auto started = std::chrono::steady_clock::now();
    const Result result = solve(sample(), solver, *solver.make(), {});
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - started;
    EXPECT_GT(result.seconds, 0);
    EXPECT_LT(result.seconds, waited.count());
  }
}

TEST(Peer, WhoseProgramIsMissingSaysSo) {
  const PeerInfo info = peer("ncp/none");
  const SolverInfo solver = solver_info(info, "/nowhere/perpend-peers");
  const Result result = solve(sample(), solver, *solver.make(), {});
  EXPECT_EQ(result.status, Status::crashed);
  EXPECT_THAT(result.message, HasSubstr("cannot be started"));
}

TEST(Peer, ThatNeedsMoreMemoryThanAllowedIsNotStarted) {
  PeerInfo info = peer("ncp/crash");
  info.matrices = 3;  // of 24 x 24 numbers
  const SolverInfo solver = misbehaving(info);
  Options options;
  options.memory_limit = 3 * 8 * 24 * 24 - 1;
  EXPECT_EQ(solve(sample(), solver, *solver.make(), options).status, Status::too_large);
  options.memory_limit += 1e9;
  EXPECT_EQ(solve(sample(), solver, *solver.make(), options).status, Status::crashed);
}

}  // namespace peer_test
}  // namespace perpend::peers
