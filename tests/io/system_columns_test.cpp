// Systems that come without bodies: through the columns of /system/, through a file, and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/files.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace system_columns_test {

using test::complaint;
using ::testing::HasSubstr;

Record record_of(const System& system) {
  Record record;
  record.frame = make_frame(0, 0);
  record.frame.step = system.step;
  record.system = to_columns(system);
  return record;
}

// Two coordinates of 2 kg and 4 kg; a contact of the first (rows n, t, o), a joint row between
// both.
Generalized two_coordinates() {
  Generalized g;
  g.mass.resize(2, 2);
  g.mass.insert(0, 0) = 2;
  g.mass.insert(1, 1) = 4;
  g.jacobian.resize(4, 2);
  g.jacobian.insert(0, 0) = 1;
  g.jacobian.insert(3, 0) = -1;
  g.jacobian.insert(3, 1) = 1;
  g.free_velocity = Eigen::Vector2d(-0.1, 0.3);
  g.c = Eigen::Vector4d(0.01, 0, 0, 0.02);
  g.mu = VectorXd::Constant(1, 0.5);
  g.lower = VectorXd::Constant(1, -3);
  g.upper = VectorXd::Constant(1, std::numeric_limits<double>::infinity());
  return g;
}

System two_coordinate_system(const Generalized& g) {
  std::string why;
  std::optional<System> system = assemble(g, why);
  EXPECT_TRUE(system) << why;
  return *system;
}

void expect_equal(const System& a, const System& b) {
  EXPECT_EQ(Eigen::MatrixXd(to_sparse(a)), Eigen::MatrixXd(to_sparse(b)));
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  ASSERT_EQ(a.dynamics.has_value(), b.dynamics.has_value());
  if (!a.dynamics) return;
  const VectorXd impulse = VectorXd::LinSpaced(a.rows(), 1, 2);
  EXPECT_EQ(velocity_plus(a, impulse), velocity_plus(b, impulse));
}

System through_a_file(const System& system, const std::string& path) {
  FrameWriter writer(path, {});
  writer.append(record_of(system));
  writer.close();
  return system_of(FrameReader(path).read(0), path);
}

TEST(SystemColumns, AandBComeBackFromAFileBitForBit) {
  SparseMatrix A(3, 3);
  for (int i = 0; i < 3; ++i) A.insert(i, i) = 1.0 / (3 + i);
  A.insert(0, 2) = 0.1;  // real recordings are not symmetric
  const System system =
      assemble(A, Vector3d(-1, 0.1, 1e-300), VectorXd::Constant(1, 0.7), VectorXd(), VectorXd());
  const test::Scratch scratch;
  expect_equal(system, through_a_file(system, scratch.path("local.h5")));
}

TEST(SystemColumns, MassAndJacobianComeBackFromAFileBitForBit) {
  const System system = two_coordinate_system(two_coordinates());
  const test::Scratch scratch;
  expect_equal(system, through_a_file(system, scratch.path("global.h5")));
}

TEST(SystemColumns, WithAStepTheFreeVelocityIsVPlusHFOverM) {
  Generalized g = two_coordinates();
  g.velocity = Eigen::Vector2d(0.4, 0.3);
  g.step = 0.5;
  const SystemColumns columns = to_columns(two_coordinate_system(g));
  // f = M (v_free - v)/h = 2 (-0.1 - 0.4)/0.5 = -2; the second coordinate is not pushed.
  EXPECT_NEAR(columns.f[0], -2, 1e-15);
  EXPECT_EQ(columns.f[1], 0);
  Record record;
  record.frame.step = 0.5;
  record.system = columns;
  // A product, a sum and a quotient there, a product, a sum and a solve back: a few roundings of
  // numbers below 1.
  EXPECT_LT((system_of(record, "").dynamics->free_velocity - g.free_velocity).norm(), 1e-15);
}

TEST(SystemColumns, ASolutionIsStoredBesideASystemWithoutBodies) {
  const test::Scratch scratch;
  const std::string file = scratch.path("solved.h5");
  through_a_file(two_coordinate_system(two_coordinates()), file);
  StoredSolution solution;
  solution.name = "ncp/hand";
  solution.frames = {0};
  solution.z = {Rows3::Constant(1, 3, 0.5)};
  solution.z_joints = {VectorXd::Constant(1, 2)};
  solution.results.resize(1);
  add_solution(file, solution);
  EXPECT_EQ(read_solution(file, "ncp/hand").z[0], solution.z[0]);
  EXPECT_TRUE(validate(file).empty());
  solution.z = {Rows3::Constant(2, 3, 0.5)};
  EXPECT_THROW(add_solution(file, solution), InputError);
}

TEST(SystemColumns, DamageIsToldByTheNameOfTheColumn) {
  const Record sound = record_of(two_coordinate_system(two_coordinates()));
  const auto told = [](const Record& record) {
    return complaint([&] { system_of(record, "here"); });
  };
  EXPECT_EQ(told(sound), "");
  Record record = sound;
  record.system.J.columns[0] = 2;
  EXPECT_THAT(told(record), HasSubstr("here: /system/J_columns"));
  record = sound;
  record.system.M.rows[0] = 1000;
  EXPECT_THAT(told(record), HasSubstr("/system/M_rows"));
  record = sound;
  record.system.M.values[0] = -1;
  EXPECT_THAT(told(record), HasSubstr("/system/M"));
  record = sound;
  record.system.mu.resize(2);
  EXPECT_THAT(told(record), HasSubstr("/system/b"));
  record = sound;
  record.system.v[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(told(record), HasSubstr("/system/v"));
}

TEST(SystemColumns, ARecordWithBodiesIsAssembledFromItsFrame) {
  Record record;
  record.frame = make_frame(1, 0);
  EXPECT_THROW(system_of(record, "here"), InputError);  // no step
  record.frame.step = 0.01;
  EXPECT_EQ(system_of(record, "here").rows(), 0);
}

}  // namespace system_columns_test
}  // namespace perpend::io
