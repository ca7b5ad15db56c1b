#include <gtest/gtest.h>

#include <limits>

#include "perpend/solve.hpp"
#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_path_test {

TEST(LcpPath, MovesBodiesAsLemkeDoes) { lcps::expect_moves_bodies_as_lemke_does("lcp/path", 0.01); }

TEST(LcpPath, HoldsAMassRatioOnWhichLemkeMeetsARay) {
  // 1e5 kg on four cubes of 1 kg, which a resting stack of the small suite shows too.
  const System s = assemble(boxes::column(5, 1, 1e5));
  const Result r = checks::solved(s, "lcp/path", checks::within(1e-10));
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-7);
}

TEST(LcpPath, TellsARayAndWhatCannotBeSolved) {
  const auto lcp = [](const Eigen::MatrixXd& A, const VectorXd& b) {
    const double inf = std::numeric_limits<double>::infinity();
    return solve(*raw_problem("lcp", A.sparseView(), b, VectorXd::Zero(b.size()),
                              VectorXd::Constant(b.size(), inf)),
                 "lcp/path");
  };
  // w = -z - 1 >= 0 has no z >= 0.
  const Result none = lcp(-Eigen::MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1));
  EXPECT_EQ(none.status, Status::infeasible) << none.message;
  // w = (z_2 - 1, z_2 + 1) >= 0 at z_2 = 1, but there z_2 w_2 = 2: feasible, without a solution.
  const Eigen::MatrixXd A = (Eigen::MatrixXd(2, 2) << 0, 1, 0, 1).finished();
  EXPECT_EQ(lcp(A, (VectorXd(2) << -1, 1).finished()).status, Status::failed);
}

}  // namespace lcp_path_test
}  // namespace perpend
