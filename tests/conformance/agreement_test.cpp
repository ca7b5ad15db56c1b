// What different solvers must have in common, and what they must not.
//
// Solvers of one friction model find the same velocities where those are unique. Facets tend to the
// cone as they become many, at the rate that plane geometry says. Where contacts are redundant,
// impulses differ and what they do to the bodies does not. And no two names are one engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace agreement_test {

constexpr double kTolerance = 1e-9;  // m/s, of own_error

// Formulations that hold the same law of friction.
std::string model(std::string_view formulation) {
  if (formulation == "ncp" || formulation == "mncp") return "cone";
  if (formulation == "lcp" || formulation == "mlcp") return "facets";
  return std::string(formulation);
}

// Two cubes side by side on a floor and one across both, pushed and turned about the vertical. Each
// stands on three contacts: the normal impulses are then unique, and with mu this small so is what
// friction does while all slide. On four, a turning cube may be braked in more than one way.
Frame bridge() {
  boxes::World w;
  const Index floor = w.fixed();
  const Index left = w.cube(2, 1, {-0.6, 0, 0.5}), right = w.cube(1, 1, {0.6, 0, 0.5});
  const Index top = w.cube(0.5, 1, {0, 0, 1.5});
  const auto tripod = [&](Index first, Index second, const Vector3d& centre, double mu) {
    for (const Vector3d& foot :
         {Vector3d(-0.5, -0.5, 0), Vector3d(-0.5, 0.5, 0), Vector3d(0.5, 0, 0)})
      w.contact(first, second, centre + foot, Vector3d::UnitZ(), mu);
  };
  tripod(floor, left, {-0.6, 0, 0}, 0.3);
  tripod(floor, right, {0.6, 0, 0}, 0.3);
  for (double y : {-0.5, 0.5}) w.contact(left, top, {-0.4, y, 1}, Vector3d::UnitZ(), 0.2);
  w.contact(right, top, {0.4, 0, 1}, Vector3d::UnitZ(), 0.2);
  Rows6& v = w.frame().bodies.velocities;
  v.row(left) << 0.7, 0.2, 0, 0, 0, 0;
  v.row(right) << -0.1, 0.4, 0, 0, 0, 0.3;
  v.row(top) << 0.2, -0.9, 0, 0, 0, 0;
  return w.frame();
}

Frame landing() {
  Frame f = boxes::column(2, 1, 3, 0.4);
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (!f.bodies.fixed(i)) f.bodies.velocities.row(i) << 0.3, -0.2, -1, 0, 0, 0;
  return f;
}

std::vector<Frame> unique_velocity() { return {boxes::column(3, 1, 2), bridge(), landing()}; }

// 100 times the tolerance: a residual of e in a row of a stack of three moves the bodies by less
// than 32 e (conformance_test.cpp), the two that are compared by twice that.
TEST(Agreement, SolversOfOneFrictionModelFindTheSameVelocities) {
  const std::vector<Frame> frames = unique_velocity();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const System s = assemble(frames[k]);
    std::map<std::string, std::pair<std::string, VectorXd>> first;
    for (const SolverInfo& info : solvers()) {
      Options o;
      o.tolerance = kTolerance;
      o.max_iterations = 20000;
      const Result r = solve(s, info.name, o);
      if (r.status != Status::converged) continue;
      const VectorXd v = velocity_plus(s, r.impulses);
      const auto [known, is_new] = first.try_emplace(model(info.formulation()), info.name, v);
      if (is_new) continue;
      EXPECT_LE((v - known->second.second).cwiseAbs().maxCoeff(), 100 * kTolerance)
          << info.name << " and " << known->second.first << " on frame " << k;
    }
    EXPECT_EQ(first.count("cone") + first.count("facets") + first.count("box"), 3U);
  }
}

// How many of the solvers the comparison above really compares.
TEST(Agreement, NearlyEverySolverTakesPart) {
  int converged = 0, asked = 0;
  for (const Frame& frame : unique_velocity())
    for (const SolverInfo& info : solvers()) {
      Options o;
      o.tolerance = kTolerance;
      o.max_iterations = 20000;
      ++asked;
      converged += solve(assemble(frame), info.name, o).status == Status::converged;
    }
  EXPECT_GE(converged, 0.9 * asked);
}

constexpr double kStep = 0.01;

// A cube that friction cannot turn, because its one contact is at its centre, on a slope of that
// angle, the downhill direction turned by `turn` from the tangent t.
Frame on_slope(double angle, double turn, double mu, const Vector3d& velocity = Vector3d::Zero()) {
  boxes::World w(kStep);
  const Index floor = w.fixed();
  const Vector3d down(std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn),
                      -std::cos(angle));
  const Index cube = w.cube(1, 1, {0, 0, 0.5}, down);
  w.contact(floor, cube, {0, 0, 0.5}, Vector3d::UnitZ(), mu);
  w.frame().bodies.velocities.row(cube).head<3>() = velocity;
  return w.frame();
}

Vector3d slid(const Frame& f, std::string_view solver, Index facets) {
  const System s = assemble(f);
  Options o;
  o.tolerance = 1e-12;
  o.facets = facets;
  o.max_iterations = 100000;
  const Result r = solve(s, solver, o);
  EXPECT_EQ(r.status, Status::converged) << solver << ": " << r.message;
  return velocity_plus(f, s, r.impulses).row(1).head<3>().transpose();
}

// Friction acts along the facet nearest to the direction of sliding. It bends the path most when
// the path lies just between two facets, pi/n_d off that facet; there the sine rule of the triangle
// of weight, friction and sliding says sin(off) = mu/tan(slope) sin(pi/n_d). At 35 degrees with
// mu = 0.5 that is 30.3, 15.9, 8.0 and 4.0 degrees: about half with twice the facets.
TEST(Agreement, FacetsBendThePathOfASlidingBlockAsTheSineRuleSays) {
  const double slope = 35 * std::numbers::pi / 180, mu = 0.5;
  const double stated[] = {30.3, 15.9, 8.0, 4.0};
  for (int k = 0; k < 4; ++k) {
    const Index facets = Index(4) << k;
    const double half = std::numbers::pi / static_cast<double>(facets);
    const double off = std::asin(mu / std::tan(slope) * std::sin(half));
    EXPECT_NEAR(off * 180 / std::numbers::pi, stated[k], 0.05);
    // A hair inside the sector of the first facet, so that the law chooses that one.
    const double turn = half - off - 1e-6;
    const Frame f = on_slope(slope, turn, mu);
    for (const char* solver : {"lcp/lemke", "mlcp/path"}) {
      if (!solver_named(solver)) continue;
      SCOPED_TRACE(std::string(solver) + " with " + std::to_string(facets) + " facets");
      const Vector3d v = slid(f, solver, facets);
      // A path turns by less than 1/(1 - mu/tan(slope)) = 3.5 times what the slope turns.
      EXPECT_NEAR(std::atan2(v.y(), v.x()) - turn, off, 3.5e-6);
    }
    const Vector3d v = slid(f, "ncp/auto", facets);
    EXPECT_NEAR(std::atan2(v.y(), v.x()), turn, 1e-9);
  }
}

// On the level, a block that slides between two facets is braked by their mean, cos(pi/n_d) mu g.
TEST(Agreement, FacetsBrakeLessByOneMinusCosine) {
  const double mu = 0.5;
  for (const Index facets : {4, 8, 16, 32}) {
    const double half = std::numbers::pi / static_cast<double>(facets);
    const Vector3d along(std::cos(half), std::sin(half), 0);
    const Frame f = on_slope(0, 0, mu, 10 * along);
    const double cone = 10 - slid(f, "ncp/auto", facets).norm();
    const double pyramid = 10 - slid(f, "lcp/lemke", facets).dot(along);
    EXPECT_NEAR(cone, mu * boxes::kGravity * kStep, 1e-10);
    EXPECT_NEAR(1 - pyramid / cone, 1 - std::cos(half), 1e-8);
  }
}

// Sixteen contacts, one body: impulses may be shared in many ways, what the body feels may not.
TEST(Agreement, RedundantContactsShareTheLoadDifferentlyAndCarryTheSame) {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      w.contact(floor, cube, {x / 3.0 - 0.5, y / 3.0 - 0.5, 0}, Vector3d::UnitZ(), 0.5);
  w.frame().bodies.velocities(cube, 0) = 0.02;  // it comes to rest within the step
  const System s = assemble(w.frame());
  const SparseMatrix J = jacobian(s);
  std::vector<std::pair<std::string, Impulses>> answers;
  for (const SolverInfo& info : solvers()) {
    if (info.formulation() == "normal") continue;
    Options o;
    o.tolerance = kTolerance;
    o.max_iterations = 20000;
    Result r = solve(s, info.name, o);
    if (r.status == Status::converged) answers.emplace_back(info.name, std::move(r.impulses));
  }
  ASSERT_GE(answers.size(), 5U);
  double shared_differently = 0;
  for (const auto& [name, impulses] : answers) {
    // 1 kg, 1/6 kg m^2: a velocity off by e is a wrench off by at most e.
    EXPECT_LE((J.transpose() * (impulses - answers[0].second)).cwiseAbs().maxCoeff(),
              100 * kTolerance)
        << name << " and " << answers[0].first;
    shared_differently =
        std::max(shared_differently, (impulses - answers[0].second).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(shared_differently, 1e-3);
}

// A solver's way to the answer is its signature: the impulses after every iteration, bit for bit.
// A solver made of others, whose path tells so, may go the way of one of them.
TEST(Agreement, NoTwoNamesAreOneEngine) {
  const System frames[] = {assemble(boxes::shaken(boxes::wall(2, 3, 0.6), 0.4)),
                           assemble(boxes::column(4, 1, 7)), assemble(bridge())};
  std::vector<std::vector<std::vector<Impulses>>> ways;
  std::vector<std::set<std::string>> paths;
  for (const SolverInfo& info : solvers()) {
    auto& way = ways.emplace_back();
    auto& told = paths.emplace_back();
    for (const System& s : frames) {
      std::string why;
      const auto problem = formulate(s, info.formulation(), {}, why);
      ASSERT_TRUE(problem) << why;
      Options o;
      o.max_iterations = 40;
      auto& steps = way.emplace_back();
      o.observer = [&](const Iteration& i) {
        steps.push_back(problem->impulses(i.z));
        return true;
      };
      const Result r = solve(s, info.name, o);
      steps.push_back(r.impulses);
      told.insert(r.path);
    }
  }
  for (std::size_t a = 0; a < ways.size(); ++a)
    for (std::size_t b = a + 1; b < ways.size(); ++b) {
      int same = 0;
      for (std::size_t k = 0; k < std::size(frames); ++k) same += ways[a][k] == ways[b][k];
      const auto tells = [&](std::size_t one, std::size_t other) {
        const std::string& name = solvers()[other].name;
        const std::string method = name.substr(name.find('/') + 1);
        return std::all_of(paths[one].begin(), paths[one].end(), [&](const std::string& path) {
          return path == method || path.starts_with(method + " > ");
        });
      };
      EXPECT_TRUE(same < 3 || tells(a, b) || tells(b, a))
          << solvers()[a].name << " and " << solvers()[b].name;
    }
}

}  // namespace agreement_test
}  // namespace perpend
