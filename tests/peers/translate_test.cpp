#include "peers/translate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/boxes.hpp"

namespace perpend::peers {
namespace translate_test {

std::unique_ptr<Problem> problem(const System& system, std::string_view formulation) {
  std::string why;
  return formulate(system, formulation, {}, why);
}

// 1000 kg on 1 kg: rows of the two contacts differ by orders of magnitude.
const System& uneven() {
  static const System system = assemble(boxes::column(2, 1, 1000));
  return system;
}

// w' = D w/beta exactly, because D and beta are powers of two.
TEST(Translation, ChangesUnitsAndNoDigit) {
  for (const char* formulation : {"box", "ncp", "lcp"}) {
    SCOPED_TRACE(formulation);
    const auto p = problem(uneven(), formulation);
    const Translation t = translate(*p, true), plain = translate(*p, false);
    EXPECT_EQ(plain.unit, VectorXd::Ones(p->size()));
    for (const double u : t.unit) EXPECT_EQ(u, std::exp2(std::round(std::log2(u))));
    const VectorXd x = VectorXd::LinSpaced(p->size(), 0.1, 1.3);
    EXPECT_EQ(t.to_peer(t.from_peer(x)), x);
    const VectorXd w = plain.A * t.from_peer(x) + plain.b;
    const VectorXd scaled = t.A * x + t.b;
    const double constant = scaled[0] / (t.unit[0] * w[0]);  // 1/beta^2
    EXPECT_EQ(scaled, VectorXd(constant * t.unit.cwiseProduct(w)));
  }
}

// The three rows of a contact share one unit, or the cone would be another.
TEST(Translation, KeepsConesAndMakesDiagonalsComparable) {
  const auto p = problem(uneven(), "ncp");
  const Translation t = translate(*p, true);
  ASSERT_EQ(t.mu, uneven().mu);
  double least = 1, most = 1;
  for (Index i = 0; i < t.mu.size(); ++i) {
    EXPECT_EQ(t.unit[3 * i + 1], t.unit[3 * i]);
    EXPECT_EQ(t.unit[3 * i + 2], t.unit[3 * i]);
    const double trace = VectorXd(t.A.diagonal()).segment<3>(3 * i).sum();
    least = std::min(least, trace / 3);
    most = std::max(most, trace / 3);
  }
  // tr/3 = 1/rho, D^2 between rho/4 and rho.
  EXPECT_GE(least, 0.25);
  EXPECT_LE(most, 1);
}

// Friction rows are bounded by their contact's normal impulse, joints by their own numbers.
TEST(Translation, BoundsOfABoxFollowTheNormalImpulse) {
  System system = assemble(boxes::column(1, 2, 2, 0.5));
  const Index n = system.rows();
  const auto p = problem(system, "box");
  const Translation t = translate(*p, true);
  VectorXd x = VectorXd::Constant(n, 0.25), lower, upper;
  x[3] = -1;  // an impulse that pulls bounds like none
  t.bounds_at(x, lower, upper);
  EXPECT_EQ(lower[0], 0);
  EXPECT_EQ(upper[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(upper[1], 0.125);
  EXPECT_EQ(lower[2], -0.125);
  EXPECT_EQ(upper[4], 0);
  EXPECT_EQ(lower[5], 0);

  system.friction_bounds =
      Rows<2>::Constant(system.contacts(), 2, std::numeric_limits<double>::infinity());
  system.friction_bounds(0, 0) = 3;  // N s, by the engine
  const auto fixed = problem(system, "box");
  const Translation f = translate(*fixed, true);
  f.bounds_at(x, lower, upper);
  EXPECT_EQ(upper[1] * f.unit[1], 3);
  EXPECT_EQ(lower[2], -0.125);
}

// Peers abort on what is no number, or never end.
TEST(Translation, KnowsWhatLeavesTheRangeOfNumbers) {
  const System good = assemble(boxes::column(1, 2, 2));
  EXPECT_TRUE(translate(*problem(good, "lcp"), false).finite());
  Frame far = boxes::column(1, 2, 2);
  far.contacts.points(0, 0) = 1e300;
  const System bad = assemble(far);
  for (const char* formulation : {"box", "ncp", "lcp"})
    EXPECT_FALSE(translate(*problem(bad, formulation), true).finite()) << formulation;
}

// Two fixed bodies give rows without a diagonal: peers divide by it.
TEST(Translation, LeavesNoZeroOnTheDiagonal) {
  SparseMatrix A(3, 3);
  const System system = assemble(A, Vector3d(1, 0, 0), VectorXd::Ones(1));
  const Translation t = translate(*problem(system, "ncp"), true);
  EXPECT_GT(VectorXd(t.A.diagonal()).minCoeff(), 0);
}

}  // namespace translate_test
}  // namespace perpend::peers
