// What holds for all formulations: who refuses what, agreement, units, raw problems.
#include "perpend/formulate.hpp"

#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace formulate_test {

using scenes::impulses;
using scenes::kInf;

std::string refusal(const System& s, std::string_view name, const FormulationOptions& o = {}) {
  std::string why;
  const bool refused = formulate(s, name, o, why) == nullptr;
  EXPECT_EQ(refused, !why.empty());
  return why;
}

TEST(Formulate, ListsTheSixAndMakesEachOfThem) {
  const System s = assemble(scenes::sliding());
  EXPECT_EQ(formulations().size(), 6u);
  for (const std::string_view name : formulations()) {
    std::string why;
    const auto problem = formulate(s, name, {}, why);
    ASSERT_TRUE(problem) << why;
    EXPECT_EQ(problem->formulation(), name);
  }
  EXPECT_NE(refusal(s, "qcqp").find("there is no formulation 'qcqp'"), std::string::npos);
}

TEST(Formulate, RefusesInWords) {
  const System local = assemble(scenes::matrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}),
                                impulses({-1, 0, 0}), impulses({0.5}));
  EXPECT_NE(refusal(local, "mlcp").find("masses"), std::string::npos);
  EXPECT_NE(refusal(local, "mncp").find("masses"), std::string::npos);
  for (const std::string_view name : {"normal", "box", "ncp", "lcp"})
    EXPECT_EQ(refusal(local, name), "") << name;
  EXPECT_NE(refusal(local, "normal", {8, Level::acceleration}).find("step"), std::string::npos);
  EXPECT_NE(refusal(local, "lcp", {2, Level::velocity}).find("at least 3 facets"),
            std::string::npos);
  const System joint = assemble(scenes::slider(1, -kInf, kInf));
  EXPECT_NE(refusal(joint, "normal").find("1 joint rows"), std::string::npos);
}

TEST(Formulate, OnlyLinearProblemsTellTheLcpMerit) {
  const System s = assemble(scenes::sliding());
  for (const std::string_view name : formulations()) {
    std::string why;
    const auto problem = formulate(s, name, {}, why);
    const bool linear = name == "lcp" || name == "mlcp";
    EXPECT_EQ(std::isnan(problem->lcp_merit(VectorXd::Zero(problem->size()))), !linear) << name;
    EXPECT_EQ(problem->dense_bytes(), 8.0 * static_cast<double>(problem->size() * problem->size()));
  }
}

TEST(Formulate, NothingAtAllHasNoError) {
  const System s = assemble(scenes::empty_frame(1, 0));
  for (const std::string_view name : formulations()) {
    std::string why;
    const auto problem = formulate(s, name, {}, why);
    EXPECT_EQ(problem->own_error(problem->unknowns(Impulses())), 0) << name;
    EXPECT_EQ(problem->impulses(problem->unknowns(Impulses())).size(), 0) << name;
  }
}

// Impulses of a heap, repeatable, friction inside any polygon (|lambda_f| <= mu/2 lambda_n).
Impulses some_impulses(const System& s) {
  Impulses lambda(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) {
    const double n = 0.01 * static_cast<double>(1 + i % 5);
    const double angle = static_cast<double>(i);
    lambda.segment<3>(3 * i) << n, 0.5 * s.mu[i] * n * std::cos(angle),
        0.5 * s.mu[i] * n * std::sin(angle);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) lambda[3 * s.contacts() + j] = 0.01;
  return lambda;
}

TEST(Formulate, ImpulsesComeBackFromEveryWarmStart) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 5), 0.5));
  const Impulses lambda = some_impulses(s);
  for (const std::string_view name : formulations()) {
    std::string why;
    const auto problem = formulate(s, name, {}, why);
    Impulses expected = lambda;
    if (name == "normal")
      for (Index i = 0; i < s.contacts(); ++i) expected.segment<2>(3 * i + 1).setZero();
    // Impulses of 0.05 N s, rounded a few times.
    EXPECT_NEAR((problem->impulses(problem->unknowns(lambda)) - expected).norm(), 0, 1e-15) << name;
  }
}

TEST(Formulate, OwnErrorDoesNotDependOnTheUnitOfMass) {
  // Masses, inertia, forces, impulses in units of 1/1024 kg: exact in binary, so equal bit by bit
  // up to the rounding of inverse inertias.
  constexpr double kUnit = 1024;
  Frame f = boxes::shaken(boxes::column(2, 1, 5), 0.5), g = f;
  g.bodies.masses *= kUnit;
  g.bodies.inertia *= kUnit;
  g.bodies.forces *= kUnit;
  const System a = assemble(f), b = assemble(g);
  const Impulses lambda = some_impulses(a);
  for (const std::string_view name : formulations()) {
    std::string why;
    const auto p = formulate(a, name, {}, why), q = formulate(b, name, {}, why);
    const double error = p->own_error(p->unknowns(lambda));
    EXPECT_GT(error, 0.01) << name;
    EXPECT_LT(error, 10) << name;
    EXPECT_NEAR(q->own_error(q->unknowns(kUnit * lambda)), error, 1e-12) << name;
  }
}

TEST(Formulate, SingleContactSolutionsAgreeEverywhere) {
  // Along the axes box, cone and polygon of four coincide.
  for (const auto& [frame, lambda] : {std::pair{scenes::sticking(), impulses({2, -0.5, 0})},
                                      std::pair{scenes::sliding(), impulses({2, -1, 0})},
                                      std::pair{scenes::separating(), impulses({0, 0, 0})}}) {
    const System s = assemble(frame);
    for (const std::string_view name : {"box", "ncp", "mncp", "lcp", "mlcp"}) {
      std::string why;
      const auto problem = formulate(s, name, {4, Level::velocity}, why);
      EXPECT_NEAR(problem->own_error(problem->unknowns(lambda)), 0, 1e-15) << name;
    }
  }
}

TEST(RawProblem, IsTakenAsItIs) {
  const SparseMatrix A = scenes::matrix(2, {2, 1, 1, 2});
  const auto lcp = raw_problem("lcp", A, impulses({-5, -6}), {}, {});
  EXPECT_EQ(lcp->formulation(), "lcp");
  EXPECT_EQ(lcp->own_error(impulses({0, 0})), 6);
  EXPECT_NEAR(lcp->own_error(impulses({4.0 / 3, 7.0 / 3})), 0, 1e-15);
  EXPECT_EQ(lcp->impulses(impulses({1, 2})), impulses({1, 2}));
  EXPECT_EQ(lcp->unknowns(impulses({1, 2})), impulses({1, 2}));

  const auto mlcp =
      raw_problem("mlcp", A, impulses({-5, -6}), impulses({-kInf, 0}), impulses({kInf, 1}));
  EXPECT_EQ(mlcp->formulation(), "mlcp");
  // z_2 stops at its bound 1, z_1 = 2, w_2 = 2 + 2 - 6 <= 0.
  EXPECT_EQ(mlcp->own_error(impulses({2, 1})), 0);
  EXPECT_EQ(mlcp->lcp_merit(impulses({2, 1})), 0);
  EXPECT_EQ(mlcp->own_error(impulses({2, 0})), 1);
  // Without bounds a mixed problem is a linear system.
  const auto free = raw_problem("mlcp", A, impulses({-3, -3}), {}, {});
  EXPECT_EQ(free->own_error(impulses({1, 1})), 0);
  EXPECT_EQ(free->own_error(impulses({0, 0})), 3);
  EXPECT_EQ(free->lcp_merit(impulses({0, 0})), 9);
}

}  // namespace formulate_test
}  // namespace perpend
