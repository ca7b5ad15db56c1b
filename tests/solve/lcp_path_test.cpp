#include <gtest/gtest.h>

#include <limits>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace lcp_path_test {

TEST(LcpPath, MovesBodiesAsLemkeDoes) {
  // Both solve the same pyramid to 1e-12 m/s; a column of three amplifies that by less than 100.
  for (const Index facets : {4, 8}) {
    const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.01));
    Options o;
    o.facets = facets;
    o.tolerance = 1e-12;
    const Result ours = solve(s, "lcp/path", o), lemke = solve(s, "lcp/lemke", o);
    ASSERT_EQ(ours.status, Status::converged) << ours.message;
    ASSERT_EQ(lemke.status, Status::converged) << lemke.message;
    EXPECT_LT((velocity_plus(s, ours.impulses) - velocity_plus(s, lemke.impulses)).norm(), 1e-10);
  }
}

TEST(LcpPath, HoldsAMassRatioOnWhichLemkeMeetsARay) {
  // 1e5 kg on four cubes of 1 kg, which a resting stack of the small suite shows too.
  const System s = assemble(boxes::column(5, 1, 1e5));
  Options o;
  o.tolerance = 1e-10;
  const Result r = solve(s, "lcp/path", o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
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
