#include "solve/kit/block_sweep.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "solve/kit/cone_sweep.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace block_sweep_test {

using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

std::vector<Index> all_of(const System& s) {
  std::vector<Index> contacts(static_cast<std::size_t>(s.contacts()));
  std::iota(contacts.begin(), contacts.end(), Index{0});
  return contacts;
}

TEST(LocalBlock, ItsAnswerIsThatOfLocalContact) {
  RowMajor3 a;
  a << 2, 0.7, -0.3, 0.7, 3, 0.4, -0.3, 0.4, 1.5;
  for (double mu : {0.0, 0.1, 0.7, 2.0})
    for (double normal : {-1.0, 0.5})
      for (int k = 0; k < 36; ++k)
        for (double speed : {0.01, 0.3, 1.0, 30.0}) {
          const double angle = 0.1745 * k;
          const Vector3d b(normal, speed * std::cos(angle), speed * std::sin(angle));
          LocalContact other(a, mu);
          const Vector3d expected = other.coulomb(b);
          Vector3d x(0.3, -0.2, 0.1);
          const Vector3d u = a * x + b;
          LocalBlock local(a.data(), mu);
          local.solve(u.data(), x.data());
          // Both solve the scalar equation to rounding; b comes back from u with that of its terms.
          EXPECT_LT((x - expected).norm(), 1e-13 * (1 + speed)) << mu << " " << k << " " << speed;
          EXPECT_LE(x.tail<2>().norm(), mu * x[0] * (1 + 1e-15));
        }
}

TEST(LocalBlock, ABlockThatMovesAlongTheNormalOnlyPushesThere) {
  RowMajor3 a = RowMajor3::Zero();
  a(0, 0) = 2;
  LocalBlock local(a.data(), 0.5);
  EXPECT_EQ(local.rho(), 1.5);
  Vector3d x = Vector3d::Zero();
  const Vector3d u(-1, 0, 0);
  local.solve(u.data(), x.data());
  EXPECT_EQ(x, Vector3d(0.5, 0, 0));
}

TEST(BlockSweep, ASweepIsThatOfConeSweep) {
  const System s = with_blocks(assemble(boxes::shaken(boxes::wall(3, 3, 0.4), 1, 3)));
  const std::vector<Index> contacts = all_of(s);
  BlockSweep quick(s);
  quick.set(VectorXd::Zero(s.rows()));
  BlocksState state(s, std::get<Blocks>(s.A));
  ConeSweep sweep(s);
  for (int k = 0; k < 5; ++k) {
    const VectorXd before = state.lambda();
    sweep(state, Local::coulomb);
    const BlockSweep::Change change = quick.sweep(contacts);
    const VectorXd g = state.lambda() - before;
    // Sums of other order, carried on by five sweeps.
    EXPECT_LT((quick.lambda() - state.lambda()).norm(), 1e-11 * state.lambda().norm()) << k;
    EXPECT_NEAR(change.norm2, sweep.scaled_norm2(g), 1e-9 * change.norm2) << k;
  }
  EXPECT_NEAR(quick.error(contacts), measure(s, quick.lambda(), Measure::velocity_error),
              1e-12 * s.b.lpNorm<Eigen::Infinity>());
}

TEST(BlockSweep, StepsGoAlongTheChangesBefore) {
  const System s = with_blocks(assemble(boxes::shaken(boxes::column(3, 1, 1), 1, 3)));
  const std::vector<Index> contacts = all_of(s);
  BlockSweep sweep(s);
  VectorXd x = VectorXd::Zero(s.rows()), p = VectorXd::Zero(s.rows());
  sweep.set(x);
  for (const double beta : {0.0, 0.5, 0.25}) {
    sweep.sweep(contacts);
    const VectorXd y = sweep.lambda(), g = y - x;
    sweep.extrapolate(contacts, beta);
    x = y + beta * p;
    p = beta * p + g;
    EXPECT_EQ(sweep.lambda(), x) << beta;
  }
}

}  // namespace block_sweep_test
}  // namespace perpend
