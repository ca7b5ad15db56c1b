// What every first-order solver of the mixed linear problem is asked.
#pragma once

#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/solved.hpp"

namespace perpend::mlcp_cases {

// A cube of 2 kg that slides along the first facet's direction, where facets and cone agree:
// v+ = v - mu g h.
inline void slides_along_a_facet(const char* solver) {
  const double mu = 0.25;
  boxes::World w(0.01);
  const Index floor = w.fixed(), block = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, block, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities(block, 0) = 0.6;
  const System s = assemble(w.frame());
  for (const Index facets : {4, 8}) {
    Options o;
    o.facets = facets;
    const Result r = solve(s, solver, o);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    const VectorXd v = velocity_plus(s, r.impulses);
    EXPECT_NEAR(v[0], 0.6 - mu * boxes::kGravity * 0.01, 1e-7);
    EXPECT_NEAR(v[2], 0, 1e-7);
  }
}

// A cube on three feet that is pushed and turned: v+ is unique (on four it may be braked in more
// than one way), and Lemke's answer to the same facets. Residuals of 1e-8 leave it within a small
// multiple of that.
inline void agrees_with_lemke(const char* solver) {
  boxes::World w(0.01);
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  for (const Vector3d& foot :
       {Vector3d(-0.5, -0.5, 0), Vector3d(-0.5, 0.5, 0), Vector3d(0.5, 0, 0)})
    w.contact(floor, cube, foot, Vector3d::UnitZ(), 0.2);
  Frame f = w.frame();
  f.bodies.velocities.row(cube) << 0.3, -0.2, -0.1, 0, 0, 0.4;
  const System s = assemble(f);
  checks::expect_same_motion(s, solve(s, solver), solve(s, "lcp/lemke"), 1e-6);
}

// A motor of 10 N s moves 2 kg to 0.3 m/s, one of 0.1 N s by 0.05; three copies of a bilateral row
// hold it against gravity.
inline void joints_hold_and_give_way(const char* solver) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [strength, speed] : {std::pair{10.0, 0.3}, std::pair{0.1, 0.05}}) {
    boxes::World w(0.01);
    const Index world = w.fixed(), cube = w.cube(2, 1, {0, 0, 0});
    Frame f = w.frame();
    f.joints = make_frame(0, 0, {4}).joints;
    f.joints.pairs.row(0) << world, cube;
    f.joints.jacobian.setZero();
    f.joints.rate = VectorXd::Zero(4);
    for (Index k = 0; k < 3; ++k) {
      f.joints.jacobian(k, 2) = -1;
      f.joints.jacobian(k, 8) = 1;
      f.joints.bounds.row(k) << -kInfinity, kInfinity;
    }
    f.joints.jacobian(3, 0) = -1;
    f.joints.jacobian(3, 6) = 1;
    f.joints.bounds.row(3) << -strength, strength;
    f.joints.rate[3] = -0.3;
    const System s = assemble(f);
    const Result r = solve(s, solver);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    const VectorXd v = velocity_plus(s, r.impulses);
    EXPECT_NEAR(v[0], speed, 1e-7);
    EXPECT_NEAR(v[2], 0, 1e-7);
  }
}

// A raw problem: z_0 free, 0 <= z_1 <= 0.2. Without bounds z = A^-1 (1, 1) = (1/3, 1/3); z_1 stops
// at 0.2, and z_0 = (1 - 0.2)/2.
inline void raw_problem_with_two_bounds(const char* solver) {
  SparseMatrix A(2, 2);
  A.insert(0, 0) = 2;
  A.insert(0, 1) = 1;
  A.insert(1, 0) = 1;
  A.insert(1, 1) = 2;
  const double inf = std::numeric_limits<double>::infinity();
  const auto p = raw_problem("mlcp", A, Eigen::Vector2d(-1, -1), Eigen::Vector2d(-inf, 0),
                             Eigen::Vector2d(inf, 0.2));
  const Result r = solve(*p, solver);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR(r.z[0], 0.4, 1e-7);
  EXPECT_NEAR(r.z[1], 0.2, 1e-12);
}

}  // namespace perpend::mlcp_cases
