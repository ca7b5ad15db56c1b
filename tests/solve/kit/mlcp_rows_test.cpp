#include "solve/kit/mlcp_rows.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"

namespace perpend {
namespace mlcp_rows_test {

constexpr Index kFacets = 8;

struct Formulated {
  System system;
  std::unique_ptr<Problem> problem;
  const LinearProblem& linear() const { return dynamic_cast<const LinearProblem&>(*problem); }
};

Formulated mlcp(const Frame& frame) {
  Formulated f{assemble(frame), nullptr};
  std::string why;
  FormulationOptions how;
  how.facets = kFacets;
  f.problem = formulate(f.system, "mlcp", how, why);
  EXPECT_TRUE(f.problem) << why;
  return f;
}

// A cube on four contacts: six velocities are eliminated, each contact has a normal row, eight
// facets, and a sliding speed that is the multiplier of their budget mu pn.
TEST(MlcpRows, FindTheBudgetOfEveryContact) {
  const Formulated f = mlcp(boxes::column(1, 1, 1, 0.3));
  const MlcpRows rows(f.linear(), MlcpRows::Eliminate::momentum);
  EXPECT_EQ(rows.iterated().size(), 4U * (1 + kFacets));
  ASSERT_EQ(rows.budgets().size(), 4U);
  for (const MlcpRows::Budget& budget : rows.budgets()) {
    EXPECT_EQ(budget.members.size(), static_cast<std::size_t>(kFacets));
    ASSERT_EQ(budget.sources.size(), 1U);
    EXPECT_EQ(budget.sources[0].second, 0.3);
    for (const Index member : budget.members) EXPECT_EQ(rows.budget_of(member), nullptr);
    EXPECT_EQ(rows.budget_of(budget.row), &budget);
  }
}

// Without impulses the velocities that elimination gives are those of free fall.
TEST(MlcpRows, EliminationIsNewtonsLaw) {
  const Formulated f = mlcp(boxes::column(2, 1, 3));
  const MlcpRows rows(f.linear(), MlcpRows::Eliminate::momentum);
  VectorXd z = VectorXd::Zero(f.problem->size());
  rows.complete(z);
  const VectorXd& free = f.system.dynamics->free_velocity;
  EXPECT_LE((z.head(free.size()) - free).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(rows.error(z, rows.w(z)), f.problem->own_error(z), 1e-16);
}

// A step with r = 0 moves nothing that is within its bounds, and takes the rest back to them.
TEST(MlcpRows, AStepProjectsOntoBoundsAndBudgets) {
  const Formulated f = mlcp(boxes::column(1, 1, 1, 0.5));
  const MlcpRows rows(f.linear(), MlcpRows::Eliminate::momentum);
  const MlcpRows::Budget& budget = rows.budgets().front();
  const Index normal = budget.sources[0].first;
  VectorXd z = VectorXd::Zero(f.problem->size());
  z[normal] = 2;
  for (const Index member : budget.members) z[member] = 1;  // 8 where 0.5 * 2 may be
  rows.step(rows.w(z), VectorXd::Zero(z.size()), z);
  double sum = 0;
  for (const Index member : budget.members) {
    EXPECT_GE(z[member], 0);
    sum += z[member];
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  EXPECT_EQ(z[normal], 2);
}

}  // namespace mlcp_rows_test
}  // namespace perpend
