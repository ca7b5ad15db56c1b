// box, ncp, mncp and normal: unknowns that are impulses (and velocities).
#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "perpend/formulate.hpp"

namespace perpend {
namespace impulse_test {

using Eigen::MatrixXd;
using scenes::impulses;
using scenes::kInf;

constexpr double kRounding = 1e-14;

TEST(Box, ExactSolutionsHaveNoError) {
  const System stick = assemble(scenes::sticking()), slide = assemble(scenes::sliding());
  EXPECT_EQ(BoxProblem(stick).own_error(impulses({2, -0.5, 0})), 0);
  EXPECT_EQ(BoxProblem(slide).own_error(impulses({2, -1, 0})), 0);
}

TEST(Box, ErrorIsAVelocityRowByRow) {
  const System s = assemble(scenes::sticking());  // b = (-1, 1/4, 0), rho = 2 kg
  const BoxProblem box(s);
  EXPECT_EQ(box.own_error(impulses({0, 0, 0})), 1);            // sinks at 1 m/s
  EXPECT_EQ(box.own_error(impulses({2, 0, 0})), 0.25);         // creeps at 1/4 m/s
  EXPECT_EQ(box.own_error(impulses({-2, 0, 0})), 2);           // pulls: y_n = -2, asks for +2 N s
  EXPECT_EQ(box.own_error(impulses({2, -0.5, 0.25})), 0.125);  // pushed along o for nothing
}

TEST(Box, CornersOfTheBoxAreAllowed) {
  // b = (-1, 1, 1): the box lets both directions reach mu lambda_n, the cone does not.
  const System s = assemble(scenes::block({0, 0, 0}, {16, 16, -16}));
  EXPECT_EQ(BoxProblem(s).own_error(impulses({2, -1, -1})), 0);
  EXPECT_GT(ConeProblem(s).own_error(impulses({2, -1, -1})), 0.1);
}

TEST(Box, FixedFrictionBoundsReplaceMuLambda) {
  Frame f = scenes::sliding();
  f.contacts.friction_bounds.resize(1, 2);
  f.contacts.friction_bounds << 0.5, kInf;
  const System s = assemble(f, Model::engine);
  EXPECT_EQ(BoxProblem(s).own_error(impulses({2, -0.5, 0})), 0);
  EXPECT_EQ(BoxProblem(s).own_error(impulses({2, -1, 0})), 0.25);
}

TEST(Box, JointsKeepTheirBounds) {
  const System s = assemble(scenes::slider(-1, -0.25, 1));
  EXPECT_EQ(BoxProblem(s).own_error(impulses({1})), 0);
  EXPECT_EQ(BoxProblem(s).own_error(impulses({0})), 0.5);
}

TEST(Box, NaNIsTheWorstOfAllErrors) {
  const System s = assemble(scenes::sticking());
  EXPECT_EQ(BoxProblem(s).own_error(impulses({2, scenes::kNaN, 0})), kInf);
}

TEST(Groups, EveryImpulseFormulationKeepsFaceUAlone) {
  const System s = assemble(scenes::corner());  // and its answer along face 0:
  const Impulses lambda = impulses({1, 0, 0, 0, 0, 0});
  for (const std::string_view name : {"normal", "box", "ncp", "mncp"}) {
    std::string why;
    const auto problem = formulate(s, name, {}, why);
    ASSERT_TRUE(problem) << why;
    const VectorXd z = problem->unknowns(lambda + impulses({0, 0, 0, 5, 0, 0}));
    EXPECT_EQ(problem->own_error(z), 0) << name;
    EXPECT_EQ(problem->impulses(z), lambda) << name;
    EXPECT_EQ(problem->own_error(problem->unknowns(Impulses::Zero(6))), 1) << name;
  }
}

TEST(Ncp, OwnErrorIsTheVelocityError) {
  const System s = assemble(scenes::sliding());
  for (const Impulses& lambda : {impulses({0, 0, 0}), impulses({2, -1, 0}), impulses({1, 1, 1})})
    EXPECT_EQ(ConeProblem(s).own_error(lambda), measure(s, lambda, Measure::velocity_error));
  EXPECT_EQ(ConeProblem(s).own_error(impulses({2, -1, 0})), 0);
}

TEST(Mncp, KeepsVelocitiesBeforeImpulses) {
  const System s = assemble(scenes::sliding());
  const MixedConeProblem problem(s);
  ASSERT_EQ(problem.size(), 6 + 3);
  const VectorXd z = problem.unknowns(impulses({2, -1, 0}));
  EXPECT_EQ(z, impulses({0.5, 0, 0, 0, 0, 0, 2, -1, 0}));
  EXPECT_EQ(problem.own_error(z), 0);
  EXPECT_EQ(problem.impulses(z), impulses({2, -1, 0}));
}

TEST(Mncp, AgreesWithNcpWhereMomentumIsKept) {
  const System s = assemble(scenes::sliding());
  const MixedConeProblem problem(s);
  for (const Impulses& lambda : {impulses({0, 0, 0}), impulses({2, 0, 0}), impulses({1, -1, 0.5})})
    EXPECT_NEAR(problem.own_error(problem.unknowns(lambda)), ConeProblem(s).own_error(lambda),
                kRounding);
}

TEST(Mncp, VelocityOfItsOwnCannotBuyASmallError) {
  // own_error is velocity_error, from the impulses alone: a v that lost momentum changes nothing.
  const System s = assemble(scenes::sliding());
  const MixedConeProblem problem(s);
  VectorXd z = problem.unknowns(impulses({1, 0, 0}));
  const double honest = problem.own_error(z);
  EXPECT_GT(honest, 0.1);
  z.head<6>() = problem.unknowns(impulses({2, -1, 0})).head<6>();  // the solution's velocity
  EXPECT_EQ(problem.own_error(z), honest);
}

TEST(Normal, IsTheNormalPartOfTheSystem) {
  const System s = assemble(scenes::sliding());
  const NormalProblem problem(s, Level::velocity);
  EXPECT_EQ(MatrixXd(problem.A), MatrixXd::Constant(1, 1, 0.5));
  EXPECT_EQ(problem.b, impulses({-1}));
  EXPECT_EQ(problem.own_error(impulses({2})), 0);
  EXPECT_EQ(problem.own_error(impulses({0})), 1);
  EXPECT_EQ(problem.impulses(impulses({2})), impulses({2, 0, 0}));
  EXPECT_EQ(problem.unknowns(impulses({2, -1, 0})), impulses({2}));
}

TEST(Normal, AtAccelerationLevelOnlyContactsAtRestTakePart) {
  // Three blocks of 2 kg under 16 N: one rests, one is 1 mm above, one comes at 1 mm/s.
  Frame f = scenes::empty_frame(4, 3);
  scenes::add_floor(f, 0);
  f.bodies.masses.tail(3).setConstant(2);
  f.bodies.forces.bottomRows(3).col(2).setConstant(-16);
  f.bodies.velocities(3, 2) = -1e-3;
  scenes::touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0);
  scenes::touch(f, 1, 0, 2, Vector3d::UnitZ(), 1e-3, 0);
  scenes::touch(f, 2, 0, 3, Vector3d::UnitZ(), 0, 0);
  const System s = assemble(f);
  const NormalProblem problem(s, Level::acceleration);
  EXPECT_EQ(problem.contact, std::vector<Index>{0});
  EXPECT_EQ(problem.b, impulses({-1}));  // h a = 1/8 s times -8 m/s^2
  // The force 16 N for 1/8 s.
  EXPECT_EQ(problem.own_error(impulses({2})), 0);
  EXPECT_EQ(problem.impulses(impulses({2})), impulses({2, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Normal, AccelerationLevelSeesTheCentripetalTerm) {
  // A wheel of 2 kg that spins at 4 rad/s, its contact 1/2 m below its centre: the material point
  // accelerates upwards by w^2 r = 8 m/s^2 and the weight of 16 N pulls down by 8 (Preda and
  // Florian 2005, eq. 9).
  Frame f = scenes::empty_frame(2, 1);
  scenes::add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.bodies.forces(1, 2) = -16;
  f.bodies.velocities(1, 4) = 4;
  scenes::touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0);
  f.contacts.points2.row(0) << 0, 0, -0.5;
  const System s = assemble(f);
  EXPECT_EQ(NormalProblem(s, Level::acceleration).b, impulses({0}));
}

}  // namespace impulse_test
}  // namespace perpend
