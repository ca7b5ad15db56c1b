#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_nncg_test {

using boxes::kGravity;

TEST(NcpNncg, WallStandsToTheTolerance) {
  const Frame f = boxes::wall(5, 5);
  const System s = assemble(f);
  const Result r = solve(s, "ncp/nncg");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-8);
}

TEST(NcpNncg, BothLocalSolversReachTheSameVelocity) {
  const System s = assemble(boxes::wall(4, 4));
  Options coulomb, associated;
  coulomb.set["local"] = "coulomb";
  associated.set["local"] = "associated";
  const Result a = solve(s, "ncp/nncg", coulomb), b = solve(s, "ncp/nncg", associated);
  EXPECT_EQ(a.path, "nncg, coulomb");
  EXPECT_EQ(b.path, "nncg, associated");
  checks::expect_same_motion(s, a, b, 1e-6);
}

TEST(NcpNncg, ChangesTheLocalSolverWhenOneStagnatesAndSaysSo) {
  // Run on beyond what double precision can give: the residual cannot halve for ever.
  Options o;
  o.tolerance = 0;
  o.max_iterations = 1000;
  const Result r = solve(assemble(boxes::wall(3, 3)), "ncp/nncg", o);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_NE(r.path.find("turns"), std::string::npos) << r.path;
  EXPECT_LT(r.errors[Measure::velocity_error], 1e-13);
}

TEST(NcpNncg, NeedsFewerSweepsThanPgsUnderAHeavyTop) {
  const System s = assemble(boxes::column(4, 1, 10));
  const Options o = checks::at_most(5000);
  const Result nncg = solve(s, "ncp/nncg", o), pgs = solve(s, "ncp/pgs", o);
  ASSERT_EQ(nncg.status, Status::converged);
  EXPECT_LT(3 * nncg.iterations, pgs.iterations);  // pgs may well end at its limit
}

TEST(NcpNncg, AnswerDoesNotDependOnTheUnitOfMass) {
  cones::expect_same_answer_in_another_unit_of_mass("ncp/nncg", 1024);
}

// Peak memory of this process, bytes (VmHWM).
double peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "VmHWM:") {
      double kilobytes;
      status >> kilobytes;
      return 1024 * kilobytes;
    }
  return -1;
}

// Sanitizers keep shadow memory and quarantine; 1 GB is still far below the explicit 28.8 GB.
#ifdef PERPEND_SANITIZED
constexpr double kMemory = 1e9;
#else
constexpr double kMemory = 100e6;
#endif

TEST(BodySpace, TwentyThousandContactsOnOneBodySweepInLessThan100MB) {
  // All contacts touch one moving plate: its explicit A would have 20,000^2 blocks of 72 bytes,
  // 28.8 GB. A solver that stays in body space cannot notice.
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    boxes::World w;
    const Index floor = w.fixed(), plate = w.cube(10, 1, {0, 0, 0.5});
    Frame f = w.frame();
    const Index m = 20000;
    f.contacts = make_frame(0, m).contacts;
    f.contacts.pairs.col(0).setConstant(floor);
    f.contacts.pairs.col(1).setConstant(plate);
    f.contacts.normals.col(2).setOnes();
    f.contacts.mu.setConstant(0.5);
    for (Index i = 0; i < m; ++i)
      f.contacts.points.row(i) << static_cast<double>(i % 200) / 200 - 0.5,
          static_cast<double>(i / 200) / 100 - 0.5, 0;
    const System s = assemble(f);
    Options o;
    o.max_iterations = 3;
    o.tolerance = 0;
    bool ran = true;
    for (const char* solver : {"box/pgs", "box/nncg", "ncp/pgs", "ncp/nncg"})
      ran = ran && solve(s, solver, o).iterations == 3;
    _exit(!ran ? 1 : peak_memory() < kMemory ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: did not sweep, 2: too much memory";
}

}  // namespace ncp_nncg_test
}  // namespace perpend
