#include "measure/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "measure/exact.hpp"
#include "support/boxes.hpp"
#include "support/quad.hpp"

namespace perpend {
namespace rounding_test {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The bits of the generator alone: the same numbers everywhere.
class Numbers {
 public:
  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11), -53);
  }
  double power_of_ten(double low, double high) { return std::pow(10, between(low, high)); }

 private:
  std::mt19937_64 bits_{1};
};

struct Contact {
  Vector3d lambda, u;
  double mu, rho;
};

// Impulses of up to 1e12 m/s inside, outside, and within some last bits of the cone; velocities
// that stick, slide exactly against friction, open, or are anything.
Contact random_contact(Numbers& r, int k) {
  Contact c;
  c.mu = k % 8 == 0 ? 0 : r.power_of_ten(-2, 1);
  c.rho = r.power_of_ten(-9, 6);
  const double speed = r.power_of_ten(-4, 2), angle = r.between(0, 6.3);
  double normal = c.rho * r.power_of_ten(-3, 12), friction = c.mu * normal;
  if (k % 5 == 1) friction *= r.between(0, 1);
  if (k % 5 == 2) friction *= 1 + 1e-12 * r.between(-1, 1);
  if (k % 5 == 3) friction += c.rho * speed * r.between(-2, 2);
  if (k % 5 == 4) friction *= r.between(0, 3);
  if (k % 10 == 4) normal = -normal;
  c.lambda << normal, friction * std::cos(angle), friction * std::sin(angle);
  c.u << r.between(-1, 1), r.between(-1, 1), r.between(-1, 1);
  c.u *= speed;
  if (k % 7 == 3) c.u << 0, -speed * std::cos(angle), -speed * std::sin(angle);
  if (k % 11 == 4) c.lambda.setZero();
  if (k % 13 == 5) c.lambda.tail<2>().setZero();
  if (k % 17 == 5) c.u.tail<2>().setZero();
  return c;
}

TEST(NaturalMap, AgreesWith113BitsOn16000RandomContacts) {
  Numbers r;
  int lost = 0;
  double worst = 0;
  for (int k = 0; k < 16000; ++k) {
    const Contact c = random_contact(r, k);
    const double e = coulomb_error(c.lambda, c.u, c.mu, c.rho);
    const quad::Quad exact = quad::coulomb_error({c.lambda[0], c.lambda[1], c.lambda[2]},
                                                 {c.u[0], c.u[1], c.u[2]}, c.mu, c.rho);
    const double hat = std::hypot(c.u[0] + c.mu * c.u.tail<2>().norm(), c.u[1], c.u[2]);
    const double unit = kEpsilon * (hat + static_cast<double>(exact));
    const double off = static_cast<double>(quad::absolute(exact - e));
    worst = std::max(worst, off / unit);
    // As the definition stands, in 53 bits.
    Vector3d u_hat = c.u;
    u_hat[0] += c.mu * c.u.tail<2>().norm();
    const double naive = (c.lambda - project_cone(c.lambda - c.rho * u_hat, c.mu)).norm() / c.rho;
    lost += static_cast<double>(quad::absolute(exact - naive)) > 1000 * unit;
  }
  EXPECT_LE(worst, 47);
  EXPECT_GT(lost, 1000);  // the cases are hard ones
}

TEST(NaturalMap, KeepsASpeedBelowTheLastBitOfTheImpulse) {
  // 1e20 N s at 1 kg: lambda - P(lambda - rho u) is 0 in doubles, whatever u.
  EXPECT_EQ(coulomb_error({1e20, 0, 0}, {2, 0, 0}, 0.5, 1), 2);
  EXPECT_EQ(bounded_residual(1e20, 2, 1, -kInfinity, kInfinity), 2);
  EXPECT_EQ(bounded_residual(1e20, 2, 1, 0, kInfinity), 2);
  EXPECT_EQ(bounded_residual(1e20, 2, 1, 0, 1e20), 2);
  EXPECT_EQ(bounded_residual(1e20, -2, 1, 0, 1e20), 0);  // at its upper bound it may fall back
  EXPECT_EQ(bounded_residual(0, 2, 1, 0, 1e20), 0);
  EXPECT_EQ(bounded_residual(3, 2, 2, 0, 1), 1.5);  // it falls to its lower bound
  EXPECT_EQ(bounded_residual(3, 0.5, 2, 0, 1), 1);  // outside by 1 m/s
  EXPECT_EQ(bounded_residual(-3, 0.5, 2, 0, 1), -1.5);
}

TEST(NaturalMap, ScalesWithUnitsFarFromOne) {
  const double e = coulomb_error({2, -2, 0}, {0.1, 0.3, -0.2}, 0.5, 2);
  for (const double scale : {0x1p-500, 0x1p-300, 0x1p300, 0x1p500}) {
    EXPECT_EQ(coulomb_error(scale * Vector3d(2, -2, 0), {0.1, 0.3, -0.2}, 0.5, 2 * scale), e);
    EXPECT_NEAR(coulomb_error(scale * Vector3d(2, -2, 0), scale * Vector3d(0.1, 0.3, -0.2), 0.5, 2),
                scale * e, 8 * kEpsilon * scale * e);
  }
}

// Compensated sums take the one or the other, by what the machine has.
TEST(Exact, ProductsBySplittingAreThoseOfAFusedMultiplyAdd) {
  Numbers numbers;
  for (int k = 0; k < 10000; ++k) {
    const double a = numbers.between(-1, 1) * numbers.power_of_ten(-60, 60);
    const double b = numbers.between(-1, 1) * numbers.power_of_ten(-60, 60);
    const Exact product = two_product(a, b);
    EXPECT_EQ(product.value, a * b);
    EXPECT_EQ(product.error, std::fma(a, b, -product.value)) << a << " " << b;
  }
}

TEST(CompensatedSum, KeepsWhatPlainSumsLose) {
  CompensatedSum sum(1e20);
  sum.add_product(3, 0.125);
  sum.add_product(1e10, -1e10);
  sum.add(1e-3);
  EXPECT_EQ(sum.value(), 0.376);
}

// Three boxes of 1 kg at rest: sums of some tens of terms of about 1 m/s.
TEST(Rounding, IsFarBelowAnyToleranceAtOrdinaryImpulses) {
  const System s = assemble(boxes::column(3, 1, 1));
  const Impulses some = Impulses::Constant(s.rows(), 0.1);
  for (const System& form : {s, with_blocks(s)}) {
    const double plain = bounded_velocity_error(form, some).rounding;
    const double compensated = bounded_velocity_error(form, some, Sums::compensated).rounding;
    EXPECT_GT(compensated, 1e-16);
    EXPECT_GT(plain, compensated);
    EXPECT_LT(plain, 1e-12);
  }
  EXPECT_EQ(bounded_velocity_error(assemble(make_frame(0, 0)), Impulses()).rounding, 0);
}

// A box of 1e5 kg on top: by plain sums 1e-10 m/s is not certain, by compensated ones it is.
TEST(Rounding, OfBothKindsOfSumsComesFromTheSameMagnitudes) {
  const System s = assemble(boxes::column(3, 1, 1e5));
  Impulses some = Impulses::Zero(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) some[3 * i] = 4000 + static_cast<double>(i);
  const RowMagnitudes sizes = row_magnitudes(s, some);
  for (const Sums sums : {Sums::plain, Sums::compensated})
    EXPECT_EQ(velocity_rounding(s, sizes, sums), velocity_rounding(s, some, sums));
  EXPECT_GT(sizes.least(), 0);
  EXPECT_LE(sizes.least(), velocity_rounding(s, some, Sums::plain).maxCoeff());
  const Bounded exact = bounded_velocity_error(s, some, Sums::compensated);
  const Bounded again = bounded_velocity_error(s, some, sizes, effective_masses(s));
  EXPECT_EQ(again.error, exact.error);
  EXPECT_EQ(again.rounding, exact.rounding);
  EXPECT_GT(velocity_rounding(s, some, Sums::plain).maxCoeff(), 1e-10);
  EXPECT_LT(velocity_rounding(s, some, Sums::compensated).maxCoeff(), 1e-10);
}

// Opposite contacts that push against each other with 1e18 N s: 1 m/s is below the last bit, and
// the velocity error of such impulses may come out as anything.
TEST(Rounding, ExceedsWhateverHugeImpulsesHide) {
  boxes::World w;
  const Index below = w.fixed({0, 0, -0.5}, {0, 0, 1}), above = w.fixed({0, 0, 1.5}, {0, 0, -1});
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  w.contact(below, cube, {0, 0, 0}, Vector3d::UnitZ(), 0);
  w.contact(cube, above, {0, 0, 1}, Vector3d::UnitZ(), 0);
  const System s = assemble(w.frame());
  Impulses huge = Impulses::Zero(s.rows());
  huge[0] = huge[3] = 1e18;
  for (const System& form : {s, with_blocks(s)})
    for (const Sums sums : {Sums::plain, Sums::compensated})
      EXPECT_GT(bounded_velocity_error(form, huge, sums).rounding, 100);
}

// A contact that nothing pushes and that opens is right to the last bit, however fast it opens.
TEST(Rounding, HidesNothingWhereABodyFliesAway) {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  w.contact(floor, cube, {0, 0, 0}, Vector3d::UnitZ(), 0.5);
  Frame f = w.frame();
  f.bodies.velocities(cube, 2) = 1e6;
  const System s = assemble(f);
  const Bounded e = bounded_velocity_error(s, Impulses::Zero(3));
  EXPECT_EQ(e.error, 0);
  EXPECT_EQ(e.rounding, 0);
}

// y by compensated sums is y to its last bits: mass ratios of 1e10, impulses that cancel.
TEST(Rounding, OfCompensatedSumsBoundsWhatTheyAreOff) {
  for (const bool blocks : {false, true}) {
    System s = assemble(boxes::column(3, 1e-5, 1e5));
    if (blocks) s = with_blocks(s);
    Impulses lambda(s.rows());
    for (Index i = 0; i < s.rows(); ++i) lambda[i] = 1e6 * std::sin(static_cast<double>(i + 1));
    const SparseMatrix A = to_sparse(s);
    const RoundedVelocity plain = rounded_velocity(s, lambda, Sums::plain);
    const RoundedVelocity better = rounded_velocity(s, lambda, Sums::compensated);
    for (Index i = 0; i < s.rows(); ++i) {
      quad::Quad y = s.b[i];
      for (SparseMatrix::InnerIterator it(A, i); it; ++it)
        y += quad::Quad(it.value()) * lambda[it.col()];
      // In body space the entries of A are themselves sums: off by their rounding.
      EXPECT_LE(static_cast<double>(quad::absolute(y - better.y[i])),
                blocks ? better.delta[i] : plain.delta[i]);
      EXPECT_LE(std::abs(plain.y[i] - better.y[i]), plain.delta[i]);
      EXPECT_LT(better.delta[i], 0.2 * plain.delta[i]);
    }
  }
}

}  // namespace rounding_test
}  // namespace perpend
