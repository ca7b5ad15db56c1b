#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "perpend/system.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace assemble_test {

using boxes::kGravity;
using boxes::kNaN;
constexpr double kInf = std::numeric_limits<double>::infinity();

// A cube of 2 kg and edge 1 m touches the floor with one corner at r2 = (1/2, 0, -1/2).
Frame cube_on_one_point(double gap = 0) {
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(2, 1, {0, 0, 0.5 + gap});
  w.contact(floor, cube, {0.5, 0, 0}, Vector3d::UnitZ(), 0.5, gap);
  return w.frame();
}

TEST(Assemble, BlockOfOneContactIsTheInverseEffectiveMass) {
  // I = m/6 = 1/3. r2 x n = (0, -1/2, 0), r2 x t = (0, -1/2, 0), r2 x o = (1/2, 0, 1/2):
  // A_nn = 1/2 + 3/4, A_nt = 3/4, A_tt = 5/4, A_oo = 1/2 + 3/4 + 3/4, the rest 0.
  const System s = assemble(cube_on_one_point());
  Matrix3d expected;
  expected << 1.25, 0.75, 0, 0.75, 1.25, 0, 0, 0, 2;
  EXPECT_LT((contact_block(s, 0) - expected).cwiseAbs().maxCoeff(), 4e-16);
}

TEST(Assemble, FreeVelocityAndGapMakeB) {
  // v_free = -g h along z; st adds psi/h to the normal row.
  Frame f = cube_on_one_point(0.003);
  const double fall = -kGravity * f.step;
  const Vector3d st(fall + 0.3, 0, 0);
  EXPECT_LT((assemble(f).b - st).norm(), 1e-15);
  EXPECT_EQ(assemble(f).c[0], 0.003 / f.step);
  f.contacts.gap[0] = 1e-7;
  f.stepper = Stepper::ap;
  EXPECT_NEAR(assemble(f).b[0], fall, 1e-15);
  EXPECT_EQ(assemble(f).c[0], 0);
}

TEST(Assemble, AnitescuPotraLeavesDistantContactsOut) {
  Frame f = boxes::column(2, 1, 1);
  f.stepper = Stepper::ap;
  f.contacts.gap[1] = 2e-6;
  f.contacts.gap[2] = 1e-6;
  const System s = assemble(f);
  EXPECT_EQ(s.contacts(), 7);
  EXPECT_EQ(s.frame_contact, (std::vector<Index>{0, 2, 3, 4, 5, 6, 7}));
  // Impulses go back to the frame's rows, those left out get zero.
  const Rows3 rows = contact_rows(s, Impulses::Ones(s.rows()));
  EXPECT_EQ(rows.rows(), 8);
  EXPECT_EQ(rows.row(1).norm(), 0);
  EXPECT_EQ(rows.sum(), 21);
  EXPECT_EQ(from_rows(s, rows, {}), Impulses::Ones(21));
  // The same when none is near.
  f.contacts.gap.setConstant(1);
  EXPECT_EQ(contact_rows(assemble(f), Impulses()).rows(), 8);
}

TEST(Assemble, TheGapThatTheStepWasAskedForIsInTheProblemAndTheDistanceInTheSystem) {
  Frame f = cube_on_one_point(-0.2);
  Frame clamped = cube_on_one_point(-0.2);
  clamped.contacts.gap[0] = -0.01;
  f.contacts.push = VectorXd::Constant(1, -0.01);
  EXPECT_EQ(assemble(f).b, assemble(clamped).b);
  EXPECT_EQ(assemble(f).c[0], -0.01 / f.step);
  EXPECT_EQ(assemble(f).gap[0], -0.2);
}

TEST(Assemble, SurfacesMoveBesideTheirBodies) {
  // The second surface relative to the first: 3 m/s along t = (1, 0, 0) or its opposite.
  Frame f = cube_on_one_point();
  const System still = assemble(f);
  f.contacts.surface_velocity = Rows3::Zero(1, 3);
  f.contacts.surface_velocity.row(0) << 3, 0, 0;
  const System belt = assemble(f);
  const Vector3d t = std::get<BodySpace>(belt.A).contacts[0].j2.row(1).head<3>();
  EXPECT_EQ(belt.b, still.b + Vector3d(0, 3 * t.x(), 3 * t.y()));
  EXPECT_EQ(belt.c, still.c);
  EXPECT_EQ(contact_block(belt, 0), contact_block(still, 0));
  EXPECT_LT(
      (belt.b - jacobian(belt) * belt.dynamics->free_velocity - constant_velocity(belt)).norm(),
      1e-15);
  // A fixed body that moves alike does the same.
  Frame driven = cube_on_one_point();
  driven.bodies.velocities.row(0).head<3>() << -3, 0, 0;
  EXPECT_LT((assemble(driven).b - belt.b).norm(), 1e-15);
  EXPECT_LT((assemble(driven).carried - belt.carried).norm(), 1e-15);
}

TEST(Assemble, SecondPointIsTheFirstMovedByTheGap) {
  // Two moving bodies: r2 = x1 + r1 + psi n - x2 enters the angular columns of body 2.
  boxes::World w;
  const Index a = w.cube(1, 1, {0, 0, 0});
  const Index b = w.cube(1, 1, {0.25, 0, 1.1});
  w.contact(a, b, {0.5, 0, 0.5}, Vector3d::UnitZ(), 0.5, 0.1);
  const System s = assemble(w.frame());
  const BodySpace::Contact& c = std::get<BodySpace>(s.A).contacts[0];
  const Vector3d r1(0.5, 0, 0.5), r2(0.25, 0, -0.5), n = Vector3d::UnitZ();
  Vector6 j1, j2;
  j1 << -n, -r1.cross(n);
  j2 << n, r2.cross(n);
  EXPECT_LT((c.j1.row(0).transpose() - j1).norm(), 1e-15);
  EXPECT_LT((c.j2.row(0).transpose() - j2).norm(), 1e-15);
  // Given explicitly, it is taken as it is.
  w.frame().contacts.points2 = Rows3::Zero(1, 3);
  const System given = assemble(w.frame());
  EXPECT_EQ(std::get<BodySpace>(given.A).contacts[0].j2.row(0).tail<3>().norm(), 0);
}

TEST(Assemble, GivenTangentsReplaceTheRule) {
  Frame f = cube_on_one_point();
  f.contacts.tangents = Rows6::Zero(1, 6);
  f.contacts.tangents.row(0) << 0, 1, 0, -1, 0, 0;
  const Matrix3d a = contact_block(assemble(f), 0);
  // t = y has now the inertia that o had (2), o = -x couples with n (-3/4).
  EXPECT_NEAR(a(1, 1), 2, 4e-16);
  EXPECT_NEAR(a(0, 2), -0.75, 4e-16);
}

TEST(Assemble, RestitutionReversesAFastApproachThatClosesInTheStep) {
  Frame f = cube_on_one_point();
  f.contacts.restitution = VectorXd::Constant(1, 0.5);
  f.bodies.velocities(1, 2) = -2;
  EXPECT_NEAR(assemble(f).c[0], -1, 1e-15);  // c = e u-
  f.bodies.velocities(1, 2) = -0.005;        // slower than 0.01 m/s: no bounce
  EXPECT_EQ(assemble(f).c[0], 0);
  f.bodies.velocities(1, 2) = -2;
  f.contacts.gap[0] = 0.1;  // 0.02 m of fall in this step do not close 0.1 m
  EXPECT_NEAR(assemble(f).c[0], 10, 1e-14);
}

TEST(Assemble, MovingFixedBodyLendsItsVelocityAndNoInertia) {
  boxes::World w;
  const Index belt = w.fixed(Vector3d::Zero(), {3, 0, 0});
  const Index cube = w.cube(2, 1, {0, 0, 0.5});
  w.contact(belt, cube, {0, 0, 0}, Vector3d::UnitZ(), 0.5);
  const System s = assemble(w.frame());
  EXPECT_NEAR(s.b[1], -3, 1e-15);  // the cube slides backwards on the belt
  EXPECT_NEAR(contact_block(s, 0)(0, 0), 0.5, 1e-15);
  const Rows6 v = velocity_plus(w.frame(), s, Impulses::Zero(3));
  EXPECT_EQ(v(belt, 0), 3);
  EXPECT_NEAR(v(cube, 2), -kGravity * 0.01, 1e-15);
}

TEST(Assemble, JointRowsCarryViolationRateAndBounds) {
  Frame f = cube_on_one_point();
  f.contacts = Contacts();
  f.contacts.pairs.resize(0, 2);
  f.joints = make_frame(0, 0, {1}).joints;
  f.joints.pairs << 0, 1;
  f.joints.jacobian(0, 9) = 1;  // rotation of the cube about x
  f.joints.violation[0] = 0.02;
  f.joints.rate = VectorXd::Constant(1, -5);
  f.joints.bounds.row(0) << -1, 2;
  f.bodies.velocities(1, 3) = 7;
  const System s = assemble(f);
  EXPECT_NEAR(s.b[0], 7 + 0.02 / 0.01 - 5, 1e-14);
  EXPECT_NEAR(joint_diagonal(s, 0), 3, 1e-15);  // 1/I
  EXPECT_EQ(s.lower[0], -1);
  EXPECT_EQ(s.upper[0], 2);
}

TEST(Assemble, EngineModelAddsBiasComplianceAndFrictionBounds) {
  Frame f = cube_on_one_point(0.003);
  f.contacts.bias = Rows3::Zero(1, 3);
  f.contacts.bias.row(0) << 0.7, 0.1, 0;
  f.contacts.cfm = Rows3::Constant(1, 3, 0.25);
  f.contacts.friction_bounds = Rows<2>::Constant(1, 2, 4.0);
  const double fall = -kGravity * f.step;
  const System rigid = assemble(f), engine = assemble(f, Model::engine);
  EXPECT_NEAR(rigid.b[0], fall + 0.3, 1e-15);
  EXPECT_EQ(rigid.friction_bounds.rows(), 0);
  EXPECT_NEAR(engine.b[0], fall + 0.7, 1e-15);
  EXPECT_NEAR(engine.b[1], 0.1, 1e-15);
  EXPECT_EQ(engine.friction_bounds(0, 1), 4.0);
  EXPECT_NEAR(contact_block(engine, 0)(2, 2) - contact_block(rigid, 0)(2, 2), 0.25, 1e-15);
  // Compliance acts in products with A in both forms.
  const Impulses x = Impulses::LinSpaced(3, 1, 3);
  EXPECT_LT((apply(engine, x) - apply(rigid, x) - 0.25 * x).norm(), 1e-14);
  EXPECT_LT((apply(with_blocks(engine), x) - apply(engine, x)).norm(), 1e-14);
}

// A spring is a part of the law, what an engine adds is its own.
TEST(Assemble, ComplianceStandsOnTheDiagonalInEveryModel) {
  boxes::World w;
  w.fixed();
  w.cube(2, 1, {0, 0, 0.5});
  Frame f = w.frame();
  f.joints.pairs = Pairs::Zero(1, 2);
  f.joints.pairs(0, 1) = 1;
  f.joints.rows = {2};
  f.joints.jacobian = Rows<12>::Zero(2, 12);
  f.joints.jacobian(0, 8) = f.joints.jacobian(1, 6) = 1;
  f.joints.bounds.resize(2, 2);
  f.joints.bounds << -kInf, kInf, -kInf, kInf;
  f.joints.violation = VectorXd::Zero(2);
  EXPECT_EQ(to_sparse(assemble(f)).toDense().diagonal(), VectorXd(Eigen::Vector2d(0.5, 0.5)));
  f.joints.compliance = Eigen::Vector2d(0, 0.25);
  f.joints.cfm = Eigen::Vector2d(4, 8);
  const VectorXd rigid = to_sparse(assemble(f)).toDense().diagonal();
  EXPECT_EQ(rigid, VectorXd(Eigen::Vector2d(0.5, 0.75)));
  const VectorXd engine = to_sparse(assemble(f, Model::engine)).toDense().diagonal();
  EXPECT_EQ(engine, VectorXd(Eigen::Vector2d(4.5, 8.75)));
  // y = J v + compliance lambda.
  const VectorXd y = relative_velocity(assemble(f), Eigen::Vector2d(0, 2));
  EXPECT_NEAR(y[1], 1.5, 1e-15);
}

TEST(Assemble, MomentumCloses) {
  // M (v+ - v_free) = J^T lambda for bodies that all move and touch.
  const Frame f = boxes::wall(3, 3);
  const System s = assemble(f);
  const Impulses lambda = Impulses::LinSpaced(s.rows(), -1, 2);
  const VectorXd gained = s.dynamics->mass * (velocity_plus(s, lambda) - s.dynamics->free_velocity);
  // 36 rows of size <= 2 meet in a body: rounding below 100 eps.
  EXPECT_LT((gained - jacobian(s).transpose() * lambda).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Groups, TheFaceWithTheLargestPredictedGapPushes) {
  // A vertex falls beside a corner: face 0 looks up, face 1 sideways (+x).
  boxes::World w;
  const Index corner = w.fixed();
  const Index particle = w.cube(1, 0.01, {0.02, 0, 0.01});
  w.contact(corner, particle, {0.02, 0, 0}, Vector3d::UnitZ(), 0.5, 0.01);
  w.contact(corner, particle, {0, 0, 0.01}, Vector3d::UnitX(), 0.5, 0.02);
  Frame& f = w.frame();
  f.contacts.group = {4, 4};
  f.bodies.velocities(particle, 2) = -3;  // predicted gaps: 0.01 - 0.03 and 0.02
  EXPECT_EQ(assemble(f).groups.at(0).u, 1);
  f.bodies.velocities.row(particle) << -5, 0, -1, 0, 0, 0;  // -0.03 and about -0.001
  EXPECT_EQ(assemble(f).groups.at(0).u, 0);
  f.contacts.gap << -0.1, -0.2;  // inside: the shallowest face
  EXPECT_EQ(assemble(f).groups.at(0).u, 0);
  f.contacts.gap << -0.1, 0.0;  // a face the vertex is behind does not push
  f.bodies.velocities.row(particle) << -5, 0, 90, 0, 0, 0;
  EXPECT_EQ(assemble(f).groups.at(0).u, 1);
}

TEST(Groups, ReducedSystemKeepsTheOtherContactsAndTheJoints) {
  Frame f = boxes::column(2, 1, 1);
  f.contacts.group = {-1, 0, 0, -1, -1, -1, -1, -1};
  f.contacts.gap[1] = -1e-4;
  f.joints = make_frame(0, 0, {1}).joints;
  f.joints.pairs << 0, 2;
  f.joints.jacobian(0, 8) = 1;
  const System s = assemble(f);
  EXPECT_EQ(s.groups.at(0).u, 2);
  std::vector<Index> kept;
  const System reduced = without_groups(s, kept);
  EXPECT_EQ(kept, (std::vector<Index>{0, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(reduced.contacts(), 7);
  EXPECT_EQ(reduced.joint_rows(), 1);
  EXPECT_TRUE(reduced.groups.empty());
  std::vector<Index> again;
  const System blocks = without_groups(with_blocks(s), again);
  EXPECT_LT((to_sparse(blocks).toDense() - to_sparse(reduced).toDense()).cwiseAbs().maxCoeff(),
            1e-15);
  EXPECT_EQ(reduced.b, blocks.b);
}

TEST(Groups, AnitescuPotraDropsAGroupWhoseVertexIsOutside) {
  Frame f = boxes::column(1, 1, 1);
  f.stepper = Stepper::ap;
  f.contacts.group = {0, 0, 1, 1};
  f.contacts.gap << 0.01, -0.5, 0, -0.5;
  const System s = assemble(f);
  ASSERT_EQ(s.contacts(), 1);
  EXPECT_EQ(s.frame_contact[0], 2);
}

TEST(Assemble, RestingAccelerationIsTheOneOf003) {
  // A cube spinning about z at w: its corner at r = (1/2, 0, -1/2) feels n.(w x (w x r)) = 0 for
  // n = z and gravity -g (Preda and Florian 2005, eq. 9).
  Frame f = cube_on_one_point();
  f.bodies.velocities.row(1) << 0, 0, 0, 0, 0, 4;
  EXPECT_NEAR(assemble(f).resting_acceleration[0], -kGravity, 1e-14);
  // About y: w x (w x r) = -w^2 (r_x, 0, r_z): z-component +8.
  f.bodies.velocities.row(1) << 0, 0, 0, 0, 4, 0;
  EXPECT_NEAR(assemble(f).resting_acceleration[0], -kGravity + 8, 1e-13);
}

TEST(Generalized, GivesTheSameSystemAsBodies) {
  const System bodies = assemble(boxes::wall(3, 3));
  Generalized g;
  g.mass = bodies.dynamics->mass;
  g.jacobian = jacobian(bodies);
  g.free_velocity = bodies.dynamics->free_velocity;
  g.velocity = bodies.dynamics->velocity;
  g.c = bodies.c;
  g.mu = bodies.mu;
  std::string why;
  const auto s = assemble(g, why);
  ASSERT_TRUE(s) << why;
  const Impulses lambda = Impulses::LinSpaced(bodies.rows(), -1, 2);
  EXPECT_LT((relative_velocity(*s, lambda) - relative_velocity(bodies, lambda)).norm(), 1e-12);
  EXPECT_LT((velocity_plus(*s, lambda) - velocity_plus(bodies, lambda)).norm(), 1e-12);
}

TEST(Generalized, RefusesAMassThatIsNotPositiveDefinite) {
  Generalized g;
  g.mass.resize(1, 1);
  g.mass.insert(0, 0) = -1;
  g.jacobian.resize(3, 1);
  g.free_velocity = VectorXd::Zero(1);
  g.c = VectorXd::Zero(3);
  g.mu = VectorXd::Zero(1);
  std::string why;
  EXPECT_FALSE(assemble(g, why));
  EXPECT_EQ(why, "M is not symmetric positive definite");
  g.free_velocity.resize(2);
  EXPECT_FALSE(assemble(g, why));
  EXPECT_EQ(why, "sizes of M, J, v, c and mu do not fit together");
}

TEST(Blocks, BothFormsGiveTheSameProductsForNonsymmetricInput) {
  // FCLIB's recordings are not always symmetric: blocks keep what they are given.
  SparseMatrix A(7, 7);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) entries.emplace_back(i, j, 1.0 + i + 0.1 * j * j);
  A.setFromTriplets(entries.begin(), entries.end());
  const VectorXd b = VectorXd::LinSpaced(7, 0, 1), mu = VectorXd::Ones(2);
  const System s = assemble(A, b, mu, VectorXd::Constant(1, -kInf), VectorXd::Constant(1, kInf));
  const VectorXd x = VectorXd::LinSpaced(7, -2, 3);
  EXPECT_LT((relative_velocity(s, x) - (A * x + b)).norm(), 1e-13);
  EXPECT_EQ(to_sparse(s).toDense(), A.toDense());
}

}  // namespace assemble_test
}  // namespace perpend
