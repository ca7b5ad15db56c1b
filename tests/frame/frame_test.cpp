#include "perpend/frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <limits>

#include "support/boxes.hpp"

namespace perpend {
namespace frame_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Frame block_with_joint() {
  Frame f = boxes::column(2, 1, 1);
  f.joints = make_frame(0, 0, {2}).joints;
  f.joints.pairs << 0, 1;
  f.joints.jacobian(0, 6) = 1;
  f.joints.jacobian(1, 7) = 1;
  return f;
}

TEST(Frame, SoundFrameHasNoReasonForRefusal) { EXPECT_EQ(invalid(block_with_joint()), ""); }

TEST(Frame, EmptyFrameIsValidOnceItHasAStep) {
  Frame f = make_frame(0, 0);
  EXPECT_EQ(invalid(f), "step is not a positive number");
  f.step = 0.01;
  EXPECT_EQ(invalid(f), "");
}

TEST(Frame, ForceAndInertiaOfAFixedBodyAreNotRead) {
  const Frame f = boxes::column(1, 1, 1);
  EXPECT_TRUE(f.bodies.inertia.row(0).hasNaN());
  EXPECT_EQ(invalid(f), "");
}

struct Flaw {
  std::string name, reason;
  std::function<void(Frame&)> plant;
};
void PrintTo(const Flaw& flaw, std::ostream* out) { *out << flaw.name; }

class FrameFlaw : public testing::TestWithParam<Flaw> {};

TEST_P(FrameFlaw, IsNamedInWords) {
  Frame f = block_with_joint();
  GetParam().plant(f);
  EXPECT_EQ(invalid(f), GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Every, FrameFlaw,
    testing::Values(
        Flaw{"ZeroStep", "step is not a positive number", [](Frame& f) { f.step = 0; }},
        Flaw{"NegativeStep", "step is not a positive number", [](Frame& f) { f.step = -1; }},
        Flaw{"NaNStep", "step is not a positive number", [](Frame& f) { f.step = kNaN; }},
        Flaw{"NonUnitNormal", "contacts/normals row 3 is not a unit vector",
             [](Frame& f) { f.contacts.normals(3, 2) = 1.001; }},
        Flaw{"NaNVelocity", "bodies/velocities row 1 is not finite",
             [](Frame& f) { f.bodies.velocities(1, 4) = kNaN; }},
        Flaw{"NaNForceOfAMovingBody", "bodies/forces row 1 is not finite",
             [](Frame& f) { f.bodies.forces(1, 0) = kNaN; }},
        Flaw{"NegativeMass", "bodies/masses row 2 is negative",
             [](Frame& f) { f.bodies.masses[2] = -1; }},
        Flaw{"InfiniteMass", "bodies/masses row 2 is not finite",
             [](Frame& f) { f.bodies.masses[2] = kInf; }},
        Flaw{"MassWhoseSquareUnderflows", "bodies/masses row 2 is outside 1e-140 to 1e140 kg",
             [](Frame& f) { f.bodies.masses[2] = 1e-161; }},
        Flaw{"InertiaWhoseSquareUnderflows",
             "bodies/inertia row 1 is outside 1e-140 to 1e140 kg m^2",
             [](Frame& f) { f.bodies.inertia.row(1) *= 1e-200; }},
        Flaw{"LeverWhoseFourthPowerOverflows",
             "contacts/points row 2 is farther than 1e70 m from the centre of mass",
             [](Frame& f) { f.contacts.points(2, 0) = 1e78; }},
        Flaw{"LeverOfTheSecondBody",
             "contacts/points row 4 is farther than 1e70 m from the centre of mass",
             [](Frame& f) { f.bodies.positions(2, 0) = 1e78; }},
        Flaw{"GivenLeverOfTheSecondBody",
             "contacts/points2 row 5 is farther than 1e70 m from the centre of mass",
             [](Frame& f) {
               f.contacts.points2 = Rows3::Zero(8, 3);
               f.contacts.points2(5, 1) = -1e300;
             }},
        Flaw{"LeverOfAJoint", "constraints/jacobian row 1 has an entry above 1e70",
             [](Frame& f) { f.joints.jacobian(1, 11) = -1e78; }},
        Flaw{"RepeatedId", "bodies/ids row 2 repeats id 1", [](Frame& f) { f.bodies.ids[2] = 1; }},
        Flaw{"UnknownBody", "contacts/pairs row 0 names an unknown body",
             [](Frame& f) { f.contacts.pairs(0, 1) = 7; }},
        Flaw{"BodyWithItself", "contacts/pairs row 0 names the same body twice",
             [](Frame& f) { f.contacts.pairs(0, 0) = f.contacts.pairs(0, 1); }},
        Flaw{"TwoFixedBodies", "contacts/pairs row 4: contact between two fixed bodies",
             [](Frame& f) {
               f.bodies.masses[1] = 0;
               f.contacts.pairs.row(4) << 0, 1;
               f.contacts.pairs.topRows(4).col(0).setConstant(2);
             }},
        Flaw{"IndefiniteInertia", "bodies/inertia row 1 is not symmetric positive definite",
             [](Frame& f) { f.bodies.inertia(1, 4) = -1; }},
        Flaw{"AsymmetricInertia", "bodies/inertia row 1 is not symmetric positive definite",
             [](Frame& f) { f.bodies.inertia(1, 1) = 0.01; }},
        Flaw{"ZeroInertia", "bodies/inertia row 1 is not symmetric positive definite",
             [](Frame& f) { f.bodies.inertia.row(1).setZero(); }},
        Flaw{"NonUnitQuaternion", "bodies/quaternions row 0 is not a unit quaternion",
             [](Frame& f) { f.bodies.quaternions(0, 0) = 2; }},
        Flaw{"MismatchedLengths", "contacts/mu has 7 rows, expected 8",
             [](Frame& f) { f.contacts.mu.conservativeResize(7); }},
        Flaw{"MismatchedOptionalColumn", "contacts/restitution has 2 rows, expected 8",
             [](Frame& f) { f.contacts.restitution = VectorXd::Zero(2); }},
        Flaw{"NegativeMu", "contacts/mu row 1 is negative",
             [](Frame& f) { f.contacts.mu[1] = -0.1; }},
        Flaw{"RestitutionAboveOne", "contacts/restitution row 0 is above 1",
             [](Frame& f) { f.contacts.restitution = VectorXd::Constant(8, 1.5); }},
        Flaw{"TangentsNotOrthonormal", "contacts/tangents row 0 is not orthonormal to the normal",
             [](Frame& f) { f.contacts.tangents = Rows6::Ones(8, 6); }},
        Flaw{"GroupBelowMinusOne", "contacts/group row 0 is below -1",
             [](Frame& f) { f.contacts.group.assign(8, -2); }},
        Flaw{"CrossedBounds", "constraints/bounds row 1 is not a range",
             [](Frame& f) { f.joints.bounds.row(1) << 1, -1; }},
        Flaw{"NaNBound", "constraints/bounds row 0 is not a range",
             [](Frame& f) { f.joints.bounds(0, 0) = kNaN; }},
        Flaw{"RowsThatDoNotAddUp", "constraints/rows add up to 1, but there are 2 joint rows",
             [](Frame& f) { f.joints.rows[0] = 1; }},
        Flaw{"NegativeRowCount", "constraints/rows row 0 is out of range",
             [](Frame& f) { f.joints.rows[0] = -1; }},
        Flaw{"JointOfAnUnknownBody", "constraints/pairs row 0 names an unknown body",
             [](Frame& f) { f.joints.pairs(0, 0) = -1; }}),
    [](const auto& flaw) { return flaw.param.name; });

TEST(Tangents, FollowTheSmallestComponentOfTheNormal) {
  // n = z: |n_x| = |n_y| = 0, the first counts: t = x, o = z x x = y.
  const Tangents up = tangents(Vector3d::UnitZ());
  EXPECT_EQ(up.t, Vector3d::UnitX());
  EXPECT_EQ(up.o, Vector3d::UnitY());
  // n = x: the smallest is y.
  const Tangents side = tangents(Vector3d::UnitX());
  EXPECT_EQ(side.t, Vector3d::UnitY());
  EXPECT_EQ(side.o, Vector3d::UnitZ());
  // n = (2, -1, 3)/sqrt(14): k = y, t = (e_y + n/sqrt(14))/|.| up to the factor.
  const Vector3d n = Vector3d(2, -1, 3).normalized();
  const Tangents skew = tangents(n);
  const Vector3d expected = Vector3d(2, 13, 3).normalized();  // 14 e_y + (2, -1, 3)
  EXPECT_LT((skew.t - expected).norm(), 1e-15);
  EXPECT_LT((skew.o - n.cross(expected)).norm(), 1e-15);
}

}  // namespace frame_test
}  // namespace perpend
