#include "solve/kit/path_search.hpp"

#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace path_search_test {

using Eigen::MatrixXd;
using scenes::kInf;
using Move = PathSearch::Move;

std::unique_ptr<LinearProblem> mlcp(const MatrixXd& A, const VectorXd& b, const VectorXd& lower,
                                    const VectorXd& upper) {
  return raw_problem("mlcp", A.sparseView(), b, lower, upper);
}

const LinearProblem& linear(const std::unique_ptr<Problem>& p) {
  return dynamic_cast<const LinearProblem&>(*p);
}

// z where the ray from a cold start ends, which must be a solution.
VectorXd end_of_the_ray(const LinearProblem& problem) {
  PathSearch search(problem);
  EXPECT_TRUE(search.start_ray(search.cold(), 0));
  Move move = search.step();
  while (move == Move::pivoted) move = search.step();
  EXPECT_EQ(move, Move::solved);
  return search.project(search.point().x);
}

TEST(PathSearch, KeepsTheResidualOnTheLineFromTheStartToZero) {
  // N(p(t)) = (1 - t) r, at every facet that the path crosses (Ralph 1994).
  std::string why;
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  const auto problem = formulate(s, "mlcp", {}, why);
  PathSearch search(linear(problem));
  NormalPoint start = search.cold();
  start.x.array() += 0.01;  // into the box: free variables anywhere, the others at their bounds
  for (std::size_t i = 0; i < start.cell.size(); ++i)
    if (start.cell[i] == Cell::lower) start.x[static_cast<Index>(i)] -= 0.02;
  const VectorXd r = search.residual(start.x);
  ASSERT_TRUE(search.start_at(start, 0));
  EXPECT_EQ(search.t(), 0);
  int facets = 0;
  Move move = search.step();
  for (; move == Move::pivoted; move = search.step(), ++facets) {
    const VectorXd rest = search.residual(search.point().x) - (1 - search.t()) * r;
    // A few rows of at most ten entries each, numbers below 10.
    EXPECT_LT(rest.lpNorm<Eigen::Infinity>(), 1e-11) << facets;
  }
  ASSERT_EQ(move, Move::solved);
  EXPECT_GT(facets, 10);
  EXPECT_EQ(search.t(), 1);
  EXPECT_LT(problem->own_error(search.unscaled(search.project(search.point().x))), 1e-11);
  // Marks lie on the same line.
  ASSERT_EQ(search.marks().size(), 12u);
  for (const PathSearch::Mark& m : search.marks())
    EXPECT_LT((search.residual(m.point.x) - (1 - m.t) * r).lpNorm<Eigen::Infinity>(), 1e-11) << m.t;
}

TEST(PathSearch, CrossesABoxFromOneBoundToTheOther) {
  // z_1 rises from its lower to its upper bound with no other variable in its way.
  const MatrixXd A = (MatrixXd(2, 2) << 0, 1, -1, 1).finished();
  const VectorXd b = scenes::impulses({-2, 0.5});
  const auto problem = mlcp(A, b, VectorXd::Zero(2), scenes::impulses({0.25, kInf}));
  EXPECT_EQ(end_of_the_ray(*problem), scenes::impulses({0.25, 0}));
}

TEST(PathSearch, FixedVariablesHaveAnyW) {
  const MatrixXd A = MatrixXd::Identity(2, 2);
  const auto problem =
      mlcp(A, scenes::impulses({-3, -1}), scenes::impulses({2, 0}), scenes::impulses({2, kInf}));
  EXPECT_EQ(end_of_the_ray(*problem), scenes::impulses({2, 1}));
}

TEST(PathSearch, ProvesThatSignsExcludeEachOther) {
  // w = -z - 1 with z >= 0: no z brings w above -1.
  const auto problem = mlcp(-MatrixXd::Identity(1, 1), scenes::impulses({-1}), VectorXd::Zero(1),
                            scenes::impulses({kInf}));
  const PathSearch search(*problem);
  EXPECT_EQ(search.excludes(scenes::impulses({1})), 1);
  EXPECT_EQ(search.excludes(scenes::impulses({-1})), 0);
  // With z free below, w = -z - 1 can be anything.
  const auto free = mlcp(-MatrixXd::Identity(1, 1), scenes::impulses({-1}),
                         scenes::impulses({-kInf}), scenes::impulses({kInf}));
  EXPECT_EQ(PathSearch(*free).excludes(scenes::impulses({1})), 0);
}

TEST(PathSearch, TellsASingularBasis) {
  const auto problem = mlcp(MatrixXd::Ones(2, 2), scenes::impulses({-1, -3}), VectorXd::Zero(2),
                            VectorXd::Constant(2, kInf));
  PathSearch search(*problem);
  const NormalPoint both = search.point_of(scenes::impulses({2, 0.5}));
  ASSERT_EQ(both.cell, (std::vector<Cell>{Cell::between, Cell::between}));
  EXPECT_FALSE(search.start_at(both, 0));
  EXPECT_TRUE(search.start_at(both, 1e-6));
}

}  // namespace path_search_test
}  // namespace perpend
