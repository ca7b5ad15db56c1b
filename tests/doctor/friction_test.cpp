// Verdicts on friction, each with the number that can be computed by hand.
#include <gtest/gtest.h>

#include "doctor/records.hpp"

namespace perpend::doctor {
namespace friction_test {

constexpr double kDegrees = 180 / 3.14159265358979323846;

// A push F on four contacts with the compliance R in every tangential row: v = F h/m - 4 lambda/m
// and v = R lambda, so that the cube creeps at R F h/(m R + 4).
TEST(FrictionCreeps, AtComplianceTimesImpulse) {
  io::Record record = cube(kMass * kGravity / 4);
  const double R = 0.2;
  record.frame.contacts.cfm = Rows3::Zero(4, 3);
  record.frame.contacts.cfm.rightCols<2>().setConstant(R);
  answer(record);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "friction_creeps");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, R * kMass * kGravity / 4 * kStep / (kMass * R + 4), 1e-6);
  EXPECT_NEAR(found->predicted_value, found->value / 10, 1e-9);
  EXPECT_EQ(d.verdict(), std::vector<std::string>{"model"});
  EXPECT_EQ(found->where, "contact 0 of body 0 and body 7");
}

// One contact below the centre, about which the body spins: the same creep, and what rolls at 1 m/s
// may slip by a hundredth of that.
TEST(FrictionCreeps, NotByWhatIsPartOfRolling) {
  for (const double spin : {0.0, 1.0}) {
    io::Record record = cube(kMass * kGravity / 4);
    record.frame.contacts.points.setZero();
    record.frame.bodies.forces(1, 4) = 0;
    record.frame.bodies.velocities(1, 5) = spin;
    record.frame.contacts.cfm = Rows3::Zero(4, 3);
    record.frame.contacts.cfm.rightCols<2>().setConstant(0.2);
    answer(record);
    EXPECT_EQ(named(diagnose(ten(record), {}), "friction_creeps") != nullptr, spin == 0) << spin;
  }
}

// A soft row that asks the cube to sink at half of g h still bears: it is 0.05 m inside the floor.
TEST(FrictionCreeps, SinksWhereTheRowAsksForNoSpeedOutwards) {
  io::Record record = cube();
  record.frame.contacts.gap.setConstant(-0.05);
  record.frame.contacts.cfm = Rows3::Zero(4, 3);
  record.frame.contacts.cfm.col(0).setConstant(0.1);
  record.frame.contacts.bias = Rows3::Zero(4, 3);
  record.frame.contacts.bias.col(0).setConstant(0.5 * kGravity * kStep);
  answer(record);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "friction_creeps");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.05, 1e-12);
  EXPECT_EQ(found->unit, "m");
}

// Softness lets the first ten frames slide. Then nothing pulls for a second: the cube stands.
TEST(FrictionCreeps, NotBySettling) {
  io::Record record = cube(kMass * kGravity / 4);
  record.frame.contacts.cfm = Rows3::Zero(4, 3);
  record.frame.contacts.cfm.rightCols<2>().setConstant(0.2);
  answer(record);
  io::Record rest = cube();
  rest.frame.contacts.cfm = record.frame.contacts.cfm;
  answer(rest);
  std::vector<io::Record> run(10, record);
  run.resize(110, rest);
  EXPECT_EQ(diagnose(recording(run), {}).verdict(), std::vector<std::string>{"sound"});
}

TEST(FrictionCreeps, NotIfRigid) {
  io::Record record = cube(kMass * kGravity / 4);
  answer(record);
  EXPECT_EQ(diagnose(ten(record), {}).verdict(), std::vector<std::string>{"sound"});
}

// In a box friction along the diagonal is sqrt(2) times too large: atan(sqrt(2)) - 45 degrees.
TEST(Anisotropy, OfABoxAlongItsDiagonal) {
  io::Record record = cube(0, 4, std::atan(1.0));
  answer(record, "box/pgs");
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "friction_anisotropy");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, kDegrees * (std::atan(std::sqrt(2.0)) - std::atan(1.0)), 0.1);
  EXPECT_NEAR(found->predicted_value, 0, 1e-3);
}

TEST(Anisotropy, NotOfTheConeNorAlongAnAxisOfTheBox) {
  io::Record record = cube(0, 4, 0.6);
  answer(record);
  EXPECT_EQ(diagnose(ten(record), {}).verdict(), std::vector<std::string>{"sound"});
  record = cube(0, 4, 0);
  answer(record, "box/pgs");
  // Its contacts strain against each other across the motion; that is not seen in it.
  EXPECT_EQ(diagnose(ten(record), {}).verdict(), std::vector<std::string>{"sound"});
}

// Ten frames at a metre a second.
TEST(Anisotropy, OfASlowSlide) {
  io::Record record = cube(0, 1, std::atan(1.0));
  answer(record, "box/pgs");
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "friction_anisotropy");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, (std::atan(std::sqrt(2.0)) - std::atan(1.0)) * kDegrees, 0.1);
}

// What settles slides too, for a hundredth of the energy of the cube.
TEST(Anisotropy, NotOfWhatSettles) {
  io::Record record = cube(0, 0.1, std::atan(1.0));
  answer(record, "box/pgs");
  EXPECT_FALSE(named(diagnose(ten(record), {}), "friction_anisotropy"));
}

// Friction in four directions is none of the laws that the doctor knows; the recording says that it
// is solved. It acts along the direction that is nearest to the way back, 30 degrees beside it.
TEST(Anisotropy, OfAPyramidOfFourDirections) {
  io::Record record = cube(0, 4, 30 / kDegrees);
  Options options;
  options.facets = 4;
  const System system = assemble(record.frame);
  const Result result = solve(system, "lcp/lemke", options);
  record.answer.z = contact_rows(system, result.impulses);
  record.answer.velocities_plus = velocity_plus(record.frame, system, result.impulses);
  record.answer.errors = result.errors;
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "friction_anisotropy");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 30, 1);
  EXPECT_EQ(d.verdict(), std::vector<std::string>{"model"});
}

// Friction of a round cone that its solver left 5 degrees beside the way back is no box.
TEST(Anisotropy, NotOfARoundConeThatIsSolvedRoughly) {
  io::Record record = cube(0, 4, 0.6);
  answer(record);
  const double turn = 5 / kDegrees;
  for (Index i = 0; i < 4; ++i) {
    const double t = record.answer.z(i, 1), o = record.answer.z(i, 2);
    record.answer.z(i, 1) = std::cos(turn) * t - std::sin(turn) * o;
    record.answer.z(i, 2) = std::sin(turn) * t + std::cos(turn) * o;
  }
  const System system = assemble(record.frame);
  record.answer.velocities_plus =
      velocity_plus(record.frame, system, from_rows(system, record.answer.z, VectorXd()));
  EXPECT_FALSE(named(diagnose(ten(record), {}), "friction_anisotropy"));
}

// In the convex law what slides at s lifts at mu s. The impulse takes gravity away and gives that
// speed: s = v - mu (g h + mu s), so that s = (v - mu g h)/(1 + mu^2).
io::Record lifted(double speed, double& slide) {
  io::Record record = cube(0, speed, 0.3);
  const double mu = 0.5;
  slide = (speed - mu * kGravity * kStep) / (1 + mu * mu);
  const double n = kMass * (kGravity * kStep + mu * slide) / 4;
  const Tangents t = tangents(Vector3d::UnitZ());
  const Vector3d way(std::cos(0.3), std::sin(0.3), 0);
  Rows3 z(4, 3);
  for (Index i = 0; i < 4; ++i) z.row(i) << n, -mu * n * way.dot(t.t), -mu * n * way.dot(t.o);
  // A torque that keeps the cube from tipping over.
  record.frame.bodies.forces.row(1).tail<3>() =
      -kHalf * mu * 4 * n / kStep * Vector3d::UnitZ().cross(way);
  record.answer.z = z;
  const System system = assemble(record.frame);
  record.answer.velocities_plus =
      velocity_plus(record.frame, system, from_rows(system, z, VectorXd()));
  return record;
}

TEST(ConeLifts, ByStepTimesFrictionTimesSpeed) {
  double slide = 0;
  const Diagnosis d = diagnose(ten(lifted(4, slide)), {});
  const Finding* found = named(d, "cone_lifts");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, kStep * 0.5 * slide, 1e-9);
  EXPECT_FALSE(named(d, "solver_stopped_early"));
}

// 0.2 mm under a cube of 1 m.
TEST(ConeLifts, NotByAGapThatShowsNowhere) {
  double slide = 0;
  const io::Record record = lifted(0.1, slide);
  ASSERT_GT(slide, 0.3 * kGravity * kStep);
  EXPECT_FALSE(named(diagnose(ten(record), {}), "cone_lifts"));
}

}  // namespace friction_test
}  // namespace perpend::doctor
