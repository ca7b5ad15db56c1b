#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "solve/kit/nncg_step.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace box_nncg_pr_test {

// A state that is nothing but lambda, to be swept by hand.
class Plain {
 public:
  explicit Plain(VectorXd lambda) : lambda_(std::move(lambda)) {}
  const VectorXd& lambda() const { return lambda_; }
  void set(const VectorXd& lambda) { lambda_ = lambda; }
  void extrapolate(double alpha, const VectorXd& p, const Rows6&) { lambda_ += alpha * p; }
  const Rows6& velocity() const { return none_; }

 private:
  VectorXd lambda_;
  Rows6 none_ = Rows6(0, 6);
};

double dot(const VectorXd& g, const VectorXd& h) { return g.dot(h); }

TEST(BoxNncgPr, StepIsPolakAndRibieres) {
  // x = 0, sweeps to (1, 0): g = (1, 0), no direction yet. Then to (1, 1/2): g = (0, 1/2),
  // g.(g - g_prev)/|g_prev|^2 = 1/4: x = y + p/4 with p = (1, 0).
  Plain state(VectorXd::Zero(2));
  NncgStep step(state);
  state.set(Eigen::Vector2d(1, 0));
  EXPECT_FALSE(step.advance_polak_ribiere(dot));
  EXPECT_EQ(state.lambda(), Eigen::Vector2d(1, 0));
  state.set(Eigen::Vector2d(1, 0.5));
  EXPECT_FALSE(step.advance_polak_ribiere(dot));
  EXPECT_EQ(state.lambda(), Eigen::Vector2d(1.25, 0.5));
  // |g| grows: restart at y.
  state.set(Eigen::Vector2d(3, 0.5));
  EXPECT_TRUE(step.advance_polak_ribiere(dot));
  EXPECT_EQ(state.lambda(), Eigen::Vector2d(3, 0.5));
}

TEST(BoxNncgPr, ParallelStepsLeaveNextToNoDirection) {
  // g = 0.9 g_prev, as slow sweeps give it: beta = 0.9 (0.9 - 1) = -0.09, where Fletcher and Reeves
  // have 0.81.
  Plain one(VectorXd::Zero(1)), other(VectorXd::Zero(1));
  NncgStep pr(one), fr(other);
  const auto norm2 = [](const VectorXd& g) { return g.squaredNorm(); };
  for (Plain* s : {&one, &other}) s->set(VectorXd::Constant(1, 1));
  pr.advance_polak_ribiere(dot);
  fr.advance(norm2);
  for (Plain* s : {&one, &other}) s->set(VectorXd::Constant(1, 1.9));
  pr.advance_polak_ribiere(dot);
  fr.advance(norm2);
  EXPECT_NEAR(one.lambda()[0], 1.9 - 0.09, 1e-15);
  EXPECT_NEAR(other.lambda()[0], 1.9 + 0.81, 1e-15);
}

TEST(BoxNncgPr, EndsAtTheVelocityOfPgs) {
  const System s = assemble(boxes::column(4, 1, 2));
  const Result a = solve(s, "box/nncg-pr"), b = solve(s, "box/pgs");
  EXPECT_EQ(a.iterations, a.work[static_cast<std::size_t>(Work::sweep)]);
  // At rest v+ = 0 is unique; each is there to its own_error of 1e-8 times a stack of four.
  checks::expect_same_motion(s, a, b, 1e-6);
}

TEST(BoxNncgPr, IsNoMatchForFletcherAndReevesWithoutALineSearch) {
  const System s = assemble(boxes::column(6, 1, 1));
  const Options o = checks::at_most(100000);
  const Result pr = solve(s, "box/nncg-pr", o), fr = solve(s, "box/nncg", o);
  ASSERT_EQ(pr.status, Status::converged);
  ASSERT_EQ(fr.status, Status::converged);
  EXPECT_GT(pr.iterations, 3 * fr.iterations);
}

TEST(BoxNncgPr, BodySpaceAndExplicitBlocksAgree) {
  const System s = assemble(boxes::shaken(boxes::wall(2, 2), 0.3));
  const Options o = checks::at_most(100000);
  const Result a = solve(s, "box/nncg-pr", o), b = solve(with_blocks(s), "box/nncg-pr", o);
  ASSERT_EQ(a.status, Status::converged);
  ASSERT_EQ(b.status, Status::converged);
  // The same sweeps but for rounding: the same answer among many.
  EXPECT_LT((a.impulses - b.impulses).norm(), 1e-6);
}

}  // namespace box_nncg_pr_test
}  // namespace perpend
