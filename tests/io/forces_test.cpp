// Forces and energies of a step against closed forms: a box at rest, a hanging chain, a leaning
// body, a box that falls.
#include "perpend/io/forces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace perpend::io {
namespace forces_test {

constexpr double kG = 9.81, kTolerance = 1e-9;
using Eigen::Vector3d;

StepForces solved(const Frame& frame) {
  const System system = assemble(frame);
  Options options;
  options.tolerance = 1e-13;
  const Result result = solve(system, "ncp/auto", options);
  return forces(frame, contact_rows(system, result.impulses),
                result.impulses.tail(system.joint_rows()));
}

// Body 0 is the floor; a box of 1 kg and 0.2 m stands on four corners.
Frame box_on_plane(const Vector3d& sideways = Vector3d::Zero()) {
  Frame f = make_frame(2, 4);
  f.step = 0.01;
  f.bodies.masses << 0, 1;
  f.bodies.positions.row(1) << 0, 0, 0.1;
  f.bodies.inertia.row(1) << 0.04 / 6, 0, 0, 0, 0.04 / 6, 0, 0, 0, 0.04 / 6;
  f.bodies.forces.row(1).head<3>() = (Vector3d(0, 0, -kG) + sideways).transpose();
  for (Index i = 0; i < 4; ++i) {
    f.contacts.pairs.row(i) << 0, 1;
    f.contacts.normals.row(i) << 0, 0, 1;
    f.contacts.points.row(i) << (i % 2 ? 0.1 : -0.1), (i / 2 ? 0.1 : -0.1), 0;
    f.contacts.mu[i] = 0.5;
  }
  return f;
}

TEST(Forces, ABoxAtRestIsCarriedByItsWeight) {
  const StepForces got = solved(box_on_plane());
  EXPECT_NEAR(got.contacts.col(2).sum(), kG, kTolerance);
  EXPECT_NEAR(got.by_contacts(1, 2), kG, kTolerance);
  EXPECT_NEAR(got.by_contacts(0, 2), -kG, kTolerance);
  EXPECT_NEAR(got.by_contacts.row(1).tail<3>().norm(), 0, kTolerance);
  EXPECT_NEAR(got.contacts_took, 0, kTolerance);
}

TEST(Forces, FrictionHoldsABoxThatIsPushed) {
  const StepForces got = solved(box_on_plane(Vector3d(3, 0, 0)));
  EXPECT_NEAR(got.by_contacts(1, 0), -3, kTolerance);
  EXPECT_NEAR(got.by_contacts(1, 2), kG, kTolerance);
  // About the centre of mass friction turns the box by 0.3 N m, and the corners hold it.
  EXPECT_NEAR(got.by_contacts(1, 4), 0, kTolerance);
}

// A rod of 2 kg and 2 m leans with 60 degrees between the floor (rough) and a wall without
// friction: the wall pushes m g / (2 tan 60), the floor's friction the other way.
TEST(Forces, ALeaningRodIsHeldByTheFrictionOfItsFoot) {
  Frame f = make_frame(3, 2);
  f.step = 0.01;
  f.bodies.masses << 0, 0, 2;
  const double angle = std::acos(-1.0) / 3, x = std::cos(angle), z = std::sin(angle);
  f.bodies.positions.row(2) << x, 0, z;
  f.bodies.inertia.row(2) << 0.7, 0, 0, 0, 0.7, 0, 0, 0, 0.7;
  f.bodies.forces.row(2) << 0, 0, -2 * kG, 0, 0, 0;
  f.contacts.pairs << 0, 2, 1, 2;
  f.contacts.normals << 0, 0, 1, 1, 0, 0;
  f.contacts.points << 2 * x, 0, 0, 0, 0, 2 * z;  // the foot at 2x, the head at the wall x = 0
  f.contacts.mu << 1, 0;
  const StepForces got = solved(f);
  const double wall = 2 * kG / (2 * std::tan(angle));
  EXPECT_NEAR(got.contacts(1, 0), wall, 1e-8);
  EXPECT_NEAR(got.contacts(0, 0), -wall, 1e-8);
  EXPECT_NEAR(got.contacts(0, 2), 2 * kG, 1e-8);
  EXPECT_NEAR(got.contact_points(0, 0), 2 * x, 1e-15);
}

// Three links of 1 m hang under each other on point joints, below the fixed body 0.
Frame chain() {
  Frame f = make_frame(4, 0, {3, 3, 3});
  f.step = 0.01;
  f.bodies.masses << 0, 1, 2, 3;
  for (Index i = 1; i < 4; ++i) {
    f.bodies.positions.row(i) << 0.25, 0, 0.5 - static_cast<double>(i);
    f.bodies.forces.row(i) << 0, 0, -kG * f.bodies.masses[i], 0, 0, 0;
  }
  f.bodies.positions.row(0) << 0.25, 0, 0;
  for (Index joint = 0; joint < 3; ++joint) {
    f.joints.pairs.row(joint) << joint, joint + 1;
    const Vector3d r1(0, 0, joint == 0 ? 0 : -0.5), r2(0, 0, 0.5);
    for (Index k = 0; k < 3; ++k) {
      const Vector3d d = Vector3d::Unit(k);
      f.joints.jacobian.row(3 * joint + k) << -d.transpose(), -r1.cross(d).transpose(),
          d.transpose(), r2.cross(d).transpose();
    }
  }
  return f;
}

TEST(Forces, TheTopJointOfAChainCarriesTheWholeWeight) {
  const StepForces got = solved(chain());
  for (const auto& [joint, mass] : {std::pair<Index, double>{0, 6}, {1, 5}, {2, 3}}) {
    EXPECT_NEAR(got.joints(joint, 2), mass * kG, 1e-8) << joint;
    EXPECT_NEAR(got.joints.row(joint).tail<3>().norm(), 0, 1e-8) << joint;
    EXPECT_NEAR(
        (got.joint_points.row(joint) - Eigen::RowVector3d(0.25, 0, -static_cast<double>(joint)))
            .norm(),
        0, 1e-12);
  }
  EXPECT_NEAR(got.by_joints(0, 2), -6 * kG, 1e-8);  // what it hangs on
}

// A beam of 1 kg is welded to a wall 0.5 m beside its centre: the joint carries m g and m g 0.5.
// ODE, DART and Siconos write zeros for their world, as the first or as the second body.
TEST(Forces, AWorldWithoutAJacobianFeelsTheOppositeForce) {
  for (const bool second : {false, true}) {
    Frame f = chain();
    for (Index row = 0; row < 3; ++row) {
      f.joints.jacobian.row(row).head<6>().setZero();
      if (second) {
        f.joints.jacobian.row(row).head<6>() = f.joints.jacobian.row(row).tail<6>().eval();
        f.joints.jacobian.row(row).tail<6>().setZero();
      }
    }
    if (second) f.joints.pairs.row(0) << 1, 0;
    const StepForces got = solved(f);
    EXPECT_NEAR(got.by_joints(0, 2), -6 * kG, 1e-8) << second;
    EXPECT_NEAR(got.by_joints.row(0).tail<3>().norm(), 0, 1e-8) << second;
    EXPECT_NEAR(got.joints(0, 2), (second ? -6 : 6) * kG, 1e-8) << second;
    EXPECT_NEAR(got.joints.row(0).tail<3>().norm(), 0, 1e-8) << second;
    EXPECT_NEAR((got.joint_points.row(0) - Eigen::RowVector3d(0.25, 0, 0)).norm(), 0, 1e-12);
  }
}

TEST(Forces, AWeldTellsItsTorqueAboutItsOwnPlace) {
  Frame f = make_frame(2, 0, {6});
  f.step = 0.01;
  f.bodies.masses << 0, 1;
  f.bodies.positions.row(1) << 0.5, 0, 0;
  f.bodies.forces.row(1) << 0, 0, -kG, 0, 0, 0;
  f.joints.pairs << 0, 1;
  const Vector3d r1(0, 0, 0), r2(-0.5, 0, 0);
  for (Index k = 0; k < 3; ++k) {
    const Vector3d d = Vector3d::Unit(k);
    f.joints.jacobian.row(k) << -d.transpose(), -r1.cross(d).transpose(), d.transpose(),
        r2.cross(d).transpose();
    f.joints.jacobian.row(3 + k).setZero();
    f.joints.jacobian.row(3 + k).segment<3>(3) = -d.transpose();
    f.joints.jacobian.row(3 + k).segment<3>(9) = d.transpose();
  }
  const StepForces got = solved(f);
  EXPECT_NEAR(got.joints(0, 2), kG, kTolerance);
  EXPECT_NEAR(got.joints(0, 4), -0.5 * kG, kTolerance);  // gravity turns the beam about +y
  EXPECT_NEAR(got.joint_points.row(0).norm(), 0, 1e-12);
  EXPECT_NEAR(got.by_joints.row(1).tail<3>().norm(), 0, kTolerance);  // about its centre
}

TEST(Forces, AJointOfRotationsAloneHasATorqueAndNoPlace) {
  Frame f = make_frame(2, 0, {1});
  f.step = 0.5;
  f.joints.pairs << 0, 1;
  f.joints.jacobian.row(0) << 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1;
  f.bodies.positions.row(1) << 1, 2, 3;
  const StepForces got = forces(f, Rows3(0, 3), VectorXd::Constant(1, 4));
  EXPECT_EQ(got.joints(0, 5), 8);
  EXPECT_EQ(got.joints.row(0).head<5>().norm(), 0);
  EXPECT_EQ(got.joint_points.row(0), f.bodies.positions.row(1));
}

// 1 kg lands at 2 m/s and stops: the contact takes 2 J, and what gravity gave in the step.
TEST(Forces, AContactTakesTheEnergyOfABodyThatLands) {
  Frame f = box_on_plane();
  f.bodies.velocities(1, 2) = -2;
  const StepForces got = solved(f);
  EXPECT_NEAR(got.kinetic, 2, 1e-15);
  EXPECT_NEAR(got.kinetic_plus, 0, 1e-12);
  EXPECT_NEAR(got.applied, kG * f.step * 1, 1e-9);  // mean speed 1 m/s
  EXPECT_NEAR(got.contacts_took, 2 + kG * f.step * 1, 1e-9);
}

TEST(Forces, EnergiesBalanceForAnyImpulses) {
  Frame f = box_on_plane(Vector3d(1, 2, 0));
  f.bodies.velocities.row(1) << 0.3, -0.2, 0.1, 1, 2, 3;
  Rows3 z(4, 3);
  z << 1, 0.2, 0.3, 2, -0.1, 0, 0.5, 0, 0.25, 0.125, 0.1, 0.1;
  const StepForces got = forces(f, z, {});
  EXPECT_NEAR(got.kinetic_plus - got.kinetic, got.applied - got.contacts_took - got.joints_took,
              1e-12);
  const System system = assemble(f);
  const Rows6 plus = velocity_plus(f, system, from_rows(system, z, {}));
  EXPECT_NEAR(got.kinetic_plus,
              0.5 * plus.row(1).head<3>().squaredNorm() +
                  0.5 * 0.04 / 6 * plus.row(1).tail<3>().squaredNorm(),
              1e-12);
}

TEST(Forces, GravityIsWhatMostBodiesFeel) {
  Frame f = make_frame(4, 0);
  f.bodies.masses << 0, 1, 2, 4;
  for (Index i = 1; i < 4; ++i) f.bodies.forces(i, 2) = -kG * f.bodies.masses[i];
  f.bodies.forces(3, 0) = 7;  // a hand
  const auto found = gravity_of({}, f);
  ASSERT_TRUE(found);
  EXPECT_NEAR((*found - Vector3d(0, 0, -kG)).norm(), 0, 1e-12);
  f.bodies.positions(2, 2) = 3;
  EXPECT_NEAR(potential_energy(f, *found), 2 * kG * 3, 1e-12);
  f.bodies.forces(1, 0) = 5;
  EXPECT_FALSE(gravity_of({}, f));
}

}  // namespace forces_test
}  // namespace perpend::io
