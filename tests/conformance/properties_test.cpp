// What physics says of every solver's answer, on random scenes: the order of contacts does not
// matter, a turned scene gives turned velocities, and other units of length, mass and time give the
// same velocities in those units.
//
// Scenes are small and sparing with friction, so that their velocity is unique. The seed is fixed:
// every run draws the same scenes.
#include <gtest/gtest.h>

#ifdef PERPEND_HAS_RAPIDCHECK

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <numeric>
#include <sstream>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/every_solver.hpp"

namespace perpend {
namespace properties_test {

constexpr int kScenes = 30;          // of every solver and property
constexpr double kTolerance = 1e-9;  // m/s, of own_error
// Two answers whose rows are off by e differ by less than 32 e each (see the conformance test), and
// by some more where a body is light against the effective mass of its contact.
constexpr double kAgreement = 200 * kTolerance;
constexpr long kIterations = 5000;

// A number in [low, high] with a thousand steps; shrinks towards low.
double draw(double low, double high) {
  return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000;
}

Vector3d draw_vector(double size) {
  return {draw(-size, size), draw(-size, size), draw(-size, size)};
}

// A ball on a plane, a second one leaning on the first, or a box on three feet; pushed and turned
// at random. Tangents are given, so that they can be turned with the scene.
Frame draw_scene() {
  boxes::World w(draw(0.005, 0.02));
  const Index floor = w.fixed();
  const double mu = draw(0, 0.3), gap = draw(0, 0.002);
  const int kind = *rc::gen::inRange(0, 3);
  const double edge = draw(0.8, 1.2), half = 0.5 * edge;
  const Index body = w.cube(draw(0.5, 3), edge, {0, 0, half});
  if (kind == 2) {
    for (const Vector3d& foot :
         {Vector3d(-half, -half, 0), Vector3d(-half, half, 0), Vector3d(half, draw(-0.3, 0.3), 0)})
      w.contact(floor, body, foot, Vector3d::UnitZ(), mu, gap);
  } else {
    w.contact(floor, body, {0, 0, 0}, Vector3d::UnitZ(), mu, gap);
  }
  if (kind == 1) {
    const Vector3d n = Vector3d(draw(-0.5, 0.5), draw(-0.5, 0.5), 1).normalized();
    const Vector3d centre(0, 0, half);
    const Index second = w.cube(draw(0.5, 3), edge, centre + 2 * half * n);
    w.contact(body, second, centre + half * n, n, mu);
  }
  Frame f = w.frame();
  for (Index i = 1; i < f.bodies.count(); ++i)
    f.bodies.velocities.row(i) << draw_vector(1).transpose(), draw_vector(1).transpose();
  f.contacts.tangents.resize(f.contacts.count(), 6);
  for (Index i = 0; i < f.contacts.count(); ++i) {
    const Tangents t = tangents(f.contacts.normals.row(i).transpose());
    f.contacts.tangents.row(i) << t.t.transpose(), t.o.transpose();
  }
  return f;
}

Frame permuted(const Frame& f, const std::vector<Index>& order) {
  Frame out = f;
  const Contacts& k = f.contacts;
  out.contacts.pairs = k.pairs(order, Eigen::all);
  out.contacts.normals = k.normals(order, Eigen::all);
  out.contacts.points = k.points(order, Eigen::all);
  out.contacts.tangents = k.tangents(order, Eigen::all);
  out.contacts.gap = k.gap(order);
  out.contacts.mu = k.mu(order);
  return out;
}

Rows6 turned(const Rows6& rows, const Matrix3d& R) {
  Rows6 out(rows.rows(), 6);
  out.leftCols<3>() = rows.leftCols<3>() * R.transpose();
  out.rightCols<3>() = rows.rightCols<3>() * R.transpose();
  return out;
}

Frame turned(const Frame& f, const Matrix3d& R) {
  Frame out = f;
  Bodies& b = out.bodies;
  b.positions = b.positions * R.transpose();
  b.velocities = turned(b.velocities, R);
  b.forces = turned(b.forces, R);
  for (Index i = 0; i < b.count(); ++i) {
    using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    Eigen::Map<RowMajor> inertia(b.inertia.row(i).data());
    inertia = (R * inertia * R.transpose()).eval();
  }
  out.contacts.normals = f.contacts.normals * R.transpose();
  out.contacts.points = f.contacts.points * R.transpose();
  out.contacts.tangents = turned(f.contacts.tangents, R);
  return out;
}

struct Units {
  double length, mass, time;
};

Frame in_units(const Frame& f, const Units& u) {
  Frame out = f;
  Bodies& b = out.bodies;
  b.positions *= u.length;
  b.masses *= u.mass;
  b.inertia *= u.mass * u.length * u.length;
  b.velocities.leftCols<3>() *= u.length / u.time;
  b.velocities.rightCols<3>() /= u.time;
  b.forces.leftCols<3>() *= u.mass * u.length / (u.time * u.time);
  b.forces.rightCols<3>() *= u.mass * u.length * u.length / (u.time * u.time);
  out.contacts.points *= u.length;
  out.contacts.gap *= u.length;
  out.step *= u.time;
  return out;
}

class EverySolverKnows : public testing::TestWithParam<std::string> {
 protected:
  // The velocities after the step, or no rows where the solver did not get there and says so.
  static Rows6 velocities(const Frame& f, double speed = 1) {
    const System s = assemble(f);
    Options o;
    o.tolerance = kTolerance * speed;
    o.max_iterations = kIterations;
    const Result r = solve(s, GetParam(), o);
    RC_ASSERT(r.impulses.size() == s.rows());
    RC_ASSERT(r.impulses.allFinite());
    if (r.status == Status::converged) {
      RC_ASSERT(r.errors[Measure::own_error] <= o.tolerance);
      return velocity_plus(f, s, r.impulses);
    }
    RC_ASSERT(r.status == Status::iteration_limit || r.status == Status::stalled ||
              r.status == Status::failed || r.status == Status::infeasible);
    RC_ASSERT(r.errors[Measure::own_error] > o.tolerance);
    return {};
  }
  void expect_equal(const Rows6& a, const Rows6& b) {
    if (a.rows() == 0 || b.rows() == 0) return;
    ++compared_;
    const double off = (a - b).cwiseAbs().maxCoeff();
    if (off > kAgreement) RC_LOG() << "off by " << off << " m/s\n";
    RC_ASSERT(off <= kAgreement);
  }
  template <class Property>
  void check(const Property& property) {
    rc::detail::TestParams params;
    params.seed = 20100615;
    params.maxSuccess = kScenes;
    rc::detail::TestListenerAdapter listener;
    const rc::detail::TestResult result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata(), params, listener);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
    EXPECT_GE(compared_, kScenes / 2) << "most scenes are too hard for it";
  }

 private:
  int compared_ = 0;
};

TEST_P(EverySolverKnows, TheOrderOfContactsDoesNotMatter) {
  check([&] {
    const Frame f = draw_scene();
    std::vector<Index> order(static_cast<std::size_t>(f.contacts.count()));
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    if (order.size() > 2) std::swap(order[0], order[static_cast<std::size_t>(draw(1, 2))]);
    expect_equal(velocities(f), velocities(permuted(f, order)));
  });
}

TEST_P(EverySolverKnows, ATurnedSceneGivesTurnedVelocities) {
  check([&] {
    const Frame f = draw_scene();
    const Vector3d axis = (draw_vector(1) + Vector3d(0, 0, 1e-3)).normalized();
    const Matrix3d R = Eigen::AngleAxisd(draw(0, std::numbers::pi), axis).toRotationMatrix();
    const Rows6 v = velocities(f);
    if (v.rows()) expect_equal(turned(v, R), velocities(turned(f, R)));
  });
}

TEST_P(EverySolverKnows, UnitsDoNotMatter) {
  check([&] {
    const Frame f = draw_scene();
    const Units u{std::pow(10, draw(-2, 2)), std::pow(10, draw(-3, 3)), std::pow(10, draw(-1, 1))};
    const double speed = u.length / u.time;
    Rows6 v = velocities(in_units(f, u), speed);
    v.leftCols<3>() /= speed;
    v.rightCols<3>() *= u.time;
    expect_equal(velocities(f), v);
  });
}

INSTANTIATE_TEST_SUITE_P(Properties, EverySolverKnows, testing::ValuesIn(every_solver::names()),
                         every_solver::test_name);

}  // namespace properties_test
}  // namespace perpend

#else

TEST(Properties, NeedRapidcheck) { GTEST_SKIP() << "librapidcheck-dev was not found"; }

#endif
