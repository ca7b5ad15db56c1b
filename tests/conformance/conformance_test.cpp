// Every registered solver on every sample frame it accepts, against velocities derived by hand.
//
// The frames and their derivations are in examples/frames/*.jsonl; generate.py writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "perpend/io.hpp"
#include "support/every_solver.hpp"
#include "support/scratch.hpp"

namespace perpend {
namespace conformance_test {

const std::filesystem::path kFolder = PERPEND_SOURCE_DIR "/examples/frames";
constexpr double kTolerance = 1e-8;  // m/s, of own_error

// How far v+ may be off when no row's residual exceeds e. A closed or sticking row has |y| <= e; a
// body on three or more such rows at arms of at least 0.5 m is off by at most e + e/0.5 against
// the body below, a stack of three by 9 e. A sliding contact's friction is off by rho e, which
// moves a body by less than e per contact: 16 e for the largest patch. Together below 32 e.
constexpr double kVelocityTolerance = 32 * kTolerance;

// Gauss-Seidel needs about 150,000 sweeps for the mass ratio of 1:1000; nothing here may be stopped
// by the limit.
constexpr long kSweeps = 1000000;

// A sanitized sweep costs several hundred times as much: there those frames are left out.
#ifdef PERPEND_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

const std::vector<io::Record>& frames() {
  static const std::vector<io::Record> all = [] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<io::Record> records;
    for (const auto& file : files)
      for (io::Record& r : io::read_json_lines(file.string())) records.push_back(std::move(r));
    return records;
  }();
  return all;
}

bool tagged(const io::Record& r, std::string_view tag) {
  return std::find(r.tags.begin(), r.tags.end(), tag) != r.tags.end();
}

double distance(const io::Record& r, const System& s, const Impulses& impulses) {
  const Rows6 plus = velocity_plus(r.frame, s, impulses);
  return (plus - r.answer.velocities_plus).cwiseAbs().maxCoeff();
}

TEST(SampleFrames, NameDeriveAndExpect) {
  std::set<std::string> names;
  for (const io::Record& r : frames()) {
    SCOPED_TRACE(r.name);
    EXPECT_TRUE(names.insert(r.name).second);
    EXPECT_FALSE(r.name.empty());
    EXPECT_FALSE(r.derivation.empty());
    EXPECT_EQ(r.answer.velocities_plus.rows(), r.frame.bodies.count());
    for (const std::string& tag : r.tags)
      EXPECT_THAT(tag, testing::AnyOf("frictionless", "cone-only", "many-sweeps"));
  }
  EXPECT_GE(names.size(), 60u);
}

// No solver is asked: the impulses of the derivation, put into the laws, leave nothing but rounding
// (a few sums of numbers below 20, or of 1000 kg boxes: 1e-13), and they give the velocities.
TEST(SampleFrames, ImpulsesOfTheDerivationObeyCoulombExactly) {
  for (const io::Record& r : frames()) {
    SCOPED_TRACE(r.name);
    const System s = assemble(r.frame);
    const Impulses impulses = from_rows(s, r.answer.z, r.answer.z_joints);
    EXPECT_LE(measure(s, impulses, Measure::velocity_error), 1e-13);
    EXPECT_LE(distance(r, s, impulses), 1e-13);
  }
}

TEST(SampleFrames, GeneratorsWriteThemByteForByte) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "no /usr/bin/python3";
  int files = 0;
  for (const std::filesystem::path& examples : {kFolder, kFolder.parent_path() / "hard"}) {
    const scratch::Folder folder;
    const std::string command =
        "/usr/bin/python3 -B '" + (examples / "generate.py").string() + "' '" + folder.path() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const auto& entry : std::filesystem::directory_iterator(examples))
      if (entry.path().extension() == ".jsonl") {
        ++files;
        EXPECT_TRUE(scratch::contents(entry.path()) ==
                    scratch::contents(folder.path(entry.path().filename())))
            << entry.path() << " is not what its generate.py writes";
      }
  }
  EXPECT_EQ(files, 8);
}

// What a method cannot do by its nature, within any number of iterations a test can wait for. The
// rest is still asked of it: an honest status, and nothing worse than the start.
struct Excuse {
  std::string_view solver, what;  // a tag or a frame's name
  std::string_view why;
};
// lcp/pgs: the rows of the sliding speeds have no diagonal. Where several contacts of one body
// slide together, or nearly, their speeds and frictions push each other around without end (Lu et
// al. 2013, Fig. 9, sees the same).
constexpr const char* kSpeeds = "speed rows have no diagonal";
const std::vector<Excuse> kExcuses = {
    {"mlcp/fixed-point", "many-sweeps", "a first-order method at a mass ratio of 1:1000"},
    {"mlcp/jacobi", "many-sweeps", "a first-order method at a mass ratio of 1:1000"},
    {"mlcp/jacobi", "group: the side pushes",
     "the group's impulse acts along one face and its row reads another: it has no diagonal"},
    {"mlcp/jacobi", "group: the side pushes, with friction", "the same"},
    {"lcp/pgs", "block on a slope just below the friction angle", kSpeeds},
    {"lcp/pgs", "block on a slope just above the friction angle", kSpeeds},
    {"lcp/pgs", "block on a slope well above it", kSpeeds},
    {"lcp/pgs", "pushed block holds", kSpeeds},
    {"lcp/pgs", "pushed block gives way", kSpeeds},
    {"lcp/pgs", "redundant contacts: sixteen under one sliding box", kSpeeds},
    {"lcp/pgs", "conveyor: box dragged by a fast belt", kSpeeds},
    {"lcp/pgs", "two islands and ids out of order", kSpeeds},
    {"lcp/pgs", "motor at its bound drags a box over the floor", kSpeeds},
    {"lcp/pgs", "spring stronger than friction", kSpeeds},
    {"lcp/pgs", "block sliding at 22.5 degrees to t", kSpeeds},
    {"lcp/pgs", "block pushed at 45 degrees beyond the cone, within the box", kSpeeds},
    {"lcp/pgs", "mass ratio 1:1000, the light box below", "Gauss-Seidel, stalled by its own rule"},
    {"lcp/dantzig", "group: the side pushes", "rows of groups: not sufficient, a ray"},
    {"box/nncg-armijo", "many-sweeps",
     "a line search over sweeps takes several for each step of a method as slow as PGS"},
};

TEST(Conformance, ExcusesNameASolverAndAFrame) {
  for (const Excuse& e : kExcuses) {
    EXPECT_NE(solver_named(e.solver), nullptr) << e.solver;
    EXPECT_TRUE(std::any_of(frames().begin(), frames().end(), [&](const io::Record& r) {
      return r.name == e.what || tagged(r, e.what);
    })) << e.what;
    EXPECT_FALSE(e.why.empty());
  }
}

class EverySolver : public testing::TestWithParam<std::string> {
 protected:
  const SolverInfo& info() const { return *solver_named(GetParam()); }
  bool accepts(const io::Record& r) const {
    if (kSanitized && tagged(r, "many-sweeps")) return false;
    return info().joints || !r.frame.joints.count();
  }
  // Whether the expected velocity holds for this solver's formulation.
  bool agrees(const io::Record& r) const {
    const std::string_view formulation = info().formulation();
    if (formulation == "normal") return tagged(r, "frictionless");
    return formulation == "ncp" || formulation == "mncp" || !tagged(r, "cone-only");
  }
  bool excused(const io::Record& r) const {
    return std::any_of(kExcuses.begin(), kExcuses.end(), [&](const Excuse& e) {
      return e.solver == GetParam() && (e.what == r.name || tagged(r, e.what));
    });
  }
  Result run(const System& s, long iterations = kSweeps) const {
    Options options;
    options.tolerance = kTolerance;
    options.max_iterations = iterations;
    return solve(s, GetParam(), options);
  }
};

TEST_P(EverySolver, ReachesTheVelocityDerivedByHand) {
  int compared = 0;
  for (const io::Record& r : frames()) {
    if (!accepts(r)) continue;
    SCOPED_TRACE(r.name);
    const System s = assemble(r.frame);
    std::string why;
    const auto problem = formulate(s, info().formulation(), {}, why);
    ASSERT_TRUE(problem) << why;
    const Result result = run(s, excused(r) ? 2000 : kSweeps);
    ASSERT_EQ(result.impulses.size(), s.rows());
    if (excused(r) && result.status != Status::converged) {
      EXPECT_THAT(result.status,
                  testing::AnyOf(Status::iteration_limit, Status::stalled, Status::failed))
          << result.message;
      EXPECT_TRUE(result.impulses.allFinite());
      EXPECT_LE(problem->own_error(result.z), problem->own_error(VectorXd::Zero(problem->size())));
      continue;
    }
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(problem->own_error(result.z), kTolerance);
    if (info().formulation() == "ncp" || info().formulation() == "mncp") {
      EXPECT_LE(measure(s, result.impulses, Measure::velocity_error), kTolerance);
    }
    if (!agrees(r)) continue;
    EXPECT_LE(distance(r, s, result.impulses), kVelocityTolerance);
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

TEST_P(EverySolver, SeesTheSameProblemInExplicitBlocks) {
  for (const io::Record& r : frames()) {
    if (!accepts(r) || !agrees(r) || excused(r)) continue;
    SCOPED_TRACE(r.name);
    const System s = with_blocks(assemble(r.frame));
    const Result result = run(s);
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(distance(r, s, result.impulses), kVelocityTolerance);
  }
}

TEST(Conformance, OnlyFrictionlessSolversRefuseJointsAndTheySaySo) {
  for (const SolverInfo& info : solvers()) {
    if (info.joints || info.origin != "perpend") continue;  // peers may lack them: docs/peers.md
    EXPECT_EQ(info.formulation(), "normal") << info.name;
    int refused = 0;
    for (const io::Record& r : frames()) {
      if (!r.frame.joints.count()) continue;
      SCOPED_TRACE(info.name + ": " + r.name);
      const Result result = solve(assemble(r.frame), info.name);
      EXPECT_EQ(result.status, Status::invalid_input);
      EXPECT_THAT(result.message, testing::HasSubstr("joint"));
      ++refused;
    }
    EXPECT_GE(refused, 10);
  }
}

// Where a slide lies between the axes, two independent bounds are another law than the cone's: the
// solver has solved its problem, and the second column of every table still tells.
TEST(Conformance, BoxSolversKeepTheErrorOfTheirModel) {
  int kept = 0;
  for (const SolverInfo& info : solvers())
    for (const io::Record& r : frames()) {
      if (info.formulation() != "box" || !tagged(r, "cone-only")) continue;
      SCOPED_TRACE(info.name + ": " + r.name);
      const System s = assemble(r.frame);
      const Result result = solve(s, info.name);
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_GT(result.errors[Measure::velocity_error], 1e-3);
      EXPECT_GT(distance(r, s, result.impulses), 1e-3);
      ++kept;
    }
  EXPECT_GE(kept, 4);
}

INSTANTIATE_TEST_SUITE_P(Conformance, EverySolver, testing::ValuesIn(every_solver::names()),
                         every_solver::test_name);

}  // namespace conformance_test
}  // namespace perpend
