#include "solve/kit/wide_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace wide_sweep_test {

// Threads that come and go with each loop. The caller is one of them, or only waits for them.
class Threads final : public Executor {
 public:
  explicit Threads(int count, bool caller_works = true)
      : count_(count), caller_works_(caller_works) {}
  int workers() const override { return count_; }
  void for_each(std::ptrdiff_t count,
                const std::function<void(std::ptrdiff_t, int)>& item) override {
    std::atomic<std::ptrdiff_t> next{0};
    const auto work = [&](int worker) {
      for (std::ptrdiff_t i = next++; i < count; i = next++) item(i, worker);
    };
    std::vector<std::jthread> threads;
    for (int worker = caller_works_ ? 1 : 0; worker < count_; ++worker)
      threads.emplace_back(work, worker);
    if (caller_works_) work(0);
  }

 private:
  int count_;
  bool caller_works_;
};

// Says it has three workers and has one: items that wait for each other would hang.
class OneByOne final : public Executor {
 public:
  int workers() const override { return 3; }
};

bool same_bits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

// 144 cubes, about 1,000 contacts: open, sticking and sliding ones.
System thrown_wall() { return assemble(boxes::shaken(boxes::wall(12, 12), 0.3)); }

// Cubes of different masses side by side on a floor with different friction, 1 m/s fast along
// (0.6, -0.8).
Frame sliding_cubes(Index count) {
  boxes::World w;
  const Index floor = w.fixed();
  for (Index i = 0; i < count; ++i) {
    const double x = 3 * static_cast<double>(i);
    const Index cube = w.cube(1 + static_cast<double>(i % 7), 1, {x, 0, 0.5});
    w.frame().bodies.velocities.row(cube).head<3>() << 0.6, -0.8, 0;
    w.face(floor, cube, {x, 0, 0}, 1, 0.05 * static_cast<double>(i % 5));
  }
  return w.frame();
}

TEST(WideSweep, SmallSystemsAndThoseInBlocksKeepTheirOrder) {
  Executor serial;
  EXPECT_FALSE(WideSweep::of(assemble(boxes::wall(3, 3)), serial));
  EXPECT_FALSE(WideSweep::of(with_blocks(thrown_wall()), serial));
  EXPECT_TRUE(WideSweep::of(thrown_wall(), serial));
}

TEST(WideSweep, APlateUnderAllBodiesIsSweptContactByContact) {
  // One lane of four would be in use.
  boxes::World w;
  const Index plate = w.cube(1, 1, {0, 0, 0});
  for (Index i = 0; i < 300; ++i) {
    const Vector3d at(static_cast<double>(i), 0, 0.5);
    w.contact(plate, w.cube(1, 1, at), at, Vector3d::UnitZ(), 0.5);
  }
  Executor serial;
  EXPECT_FALSE(WideSweep::of(assemble(w.frame()), serial));
}

TEST(WideSweep, BothKernelsGiveTheSameBits) {
  if (best_kernel() == Kernel::base) GTEST_SKIP() << "this machine has no AVX2";
  const System s = thrown_wall();
  Executor serial;
  for (const Local local : {Local::coulomb, Local::associated}) {
    std::optional<WideSweep> a = WideSweep::of(s, serial, Kernel::base),
                             b = WideSweep::of(s, serial, Kernel::avx2);
    a->set(VectorXd::Zero(s.rows()));
    b->set(VectorXd::Zero(s.rows()));
    for (int k = 0; k < 40; ++k) {
      EXPECT_EQ(a->sweep(local), b->sweep(local));
      ASSERT_TRUE(same_bits(a->lambda(), b->lambda())) << "sweep " << k;
      EXPECT_EQ(a->energy(), b->energy());
      EXPECT_EQ(a->advance(), b->advance());
    }
    EXPECT_GT(a->lambda().norm(), 0);
  }
}

TEST(WideSweep, AnyNumberOfThreadsGivesTheSameBits) {
  const System s = thrown_wall();
  const Impulses one = [&] {
    Options o;
    o.max_iterations = 50;
    return solve(s, "ncp/nncg", o).impulses;
  }();
  OneByOne pretends;
  Threads two(2), three(3), others(2, false);
  for (Executor* executor : std::initializer_list<Executor*>{&pretends, &two, &three, &others}) {
    Options o;
    o.max_iterations = 50;
    o.executor = executor;
    EXPECT_TRUE(same_bits(one, solve(s, "ncp/nncg", o).impulses)) << executor->workers();
  }
}

TEST(WideSweep, SlidingCubesLoseWhatFrictionTakes) {
  // v+ = v - mu g h along v where that is less than v; here it always is. No cube is lifted.
  const Frame f = sliding_cubes(80);
  const System s = assemble(f);
  Options o;
  o.tolerance = 1e-12;
  const Result r = solve(s, "ncp/pgs", o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const Rows6 v = velocity_plus(f, s, r.impulses);
  for (Index i = 1; i < f.bodies.count(); ++i) {
    const double speed = 1 - 0.05 * static_cast<double>((i - 1) % 5) * boxes::kGravity * f.step;
    EXPECT_NEAR(v(i, 0), 0.6 * speed, 1e-11);
    EXPECT_NEAR(v(i, 1), -0.8 * speed, 1e-11);
    EXPECT_NEAR(v(i, 2), 0, 1e-11);
  }
}

TEST(WideSweep, AnswersAreThoseOfTheLaw) {
  // Cubes on cubes, thrown about: they open, stick and slide. Whatever the sweep believes,
  // velocity_error is measured from the impulses alone.
  boxes::World w;
  const Index floor = w.fixed();
  for (Index i = 0; i < 40; ++i) {
    const double x = 3 * static_cast<double>(i);
    const Index low = w.cube(2, 1, {x, 0, 0.5}), high = w.cube(1, 1, {x, 0, 1.5});
    w.face(floor, low, {x, 0, 0}, 1, 0.5);
    w.face(low, high, {x, 0, 1}, 1, 0.3);
  }
  const System s = assemble(boxes::shaken(w.frame(), 0.5));
  for (const char* local : {"coulomb", "associated"}) {
    Options o;
    o.tolerance = 1e-9;
    o.set["local"] = local;
    const Result r = solve(s, "ncp/nncg", o);
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-9) << local;
    const std::vector<std::int8_t> kinds = slide_or_stick(s, r.impulses);
    for (const int kind : {0, 1, 2})
      EXPECT_GT(std::count(kinds.begin(), kinds.end(), kind), 5) << local << ' ' << kind;
  }
}

TEST(WideSweep, ResidualIsOfTheSizeOfTheError) {
  // The residual is met contact by contact while others have already moved: within a factor.
  const System s = thrown_wall();
  Executor serial;
  std::optional<WideSweep> sweep = WideSweep::of(s, serial);
  sweep->set(VectorXd::Zero(s.rows()));
  for (int k = 0; k < 60; ++k) {
    const double residual = sweep->sweep(Local::coulomb);
    const double error = measure(s, sweep->x(), Measure::velocity_error);
    EXPECT_GT(residual, 0.1 * error) << k;
    EXPECT_LT(residual, 10 * error) << k;
    sweep->advance();
  }
}

TEST(WideSweep, EnergyIsThatOfTheImpulses) {
  const System s = thrown_wall();
  Executor serial;
  std::optional<WideSweep> sweep = WideSweep::of(s, serial);
  VectorXd start = VectorXd::Zero(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) start.segment<3>(3 * i) << 0.01, 0.002, -0.001;
  sweep->set(start);
  EXPECT_TRUE(same_bits(start, sweep->lambda()));
  const double scale = std::abs(impulse_energy(s, start));
  EXPECT_NEAR(sweep->energy(), impulse_energy(s, start), 1e-12 * scale);
  for (int k = 0; k < 40; ++k) {
    sweep->sweep(Local::coulomb);
    const double energy = impulse_energy(s, sweep->lambda());
    // Rounding of some hundred pushes and extrapolations.
    EXPECT_NEAR(sweep->energy(), energy, 1e-11 * (scale + std::abs(energy)));
    sweep->advance();
  }
}

TEST(WideSweep, KeepsTheImpulsesOfLowestEnergy) {
  const System s = thrown_wall();
  Executor serial;
  std::optional<WideSweep> sweep = WideSweep::of(s, serial);
  sweep->set(VectorXd::Zero(s.rows()));
  EXPECT_FALSE(sweep->kept());
  VectorXd lowest;
  for (const double energy : {-1.0, -3.0, -2.0}) {  // told, not computed
    sweep->sweep(Local::coulomb);
    sweep->keep_lowest(energy);
    if (energy == -3) lowest = sweep->lambda();
    sweep->advance();
  }
  EXPECT_TRUE(sweep->kept());
  EXPECT_EQ(sweep->kept_energy(), -3);
  EXPECT_TRUE(same_bits(sweep->kept_lambda(), lowest));
}

TEST(WideSweep, AJointRowHoldsItsCube) {
  // The second cube is held along x: it slides along y alone and loses mu g h there.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Frame f = sliding_cubes(80);
  f.joints = make_frame(0, 0, {1}).joints;
  f.joints.pairs.row(0) << 0, 2;
  f.joints.jacobian.row(0).setZero();
  f.joints.jacobian(0, 0) = -1;
  f.joints.jacobian(0, 6) = 1;
  f.joints.bounds.row(0) << -kInfinity, kInfinity;
  f.joints.violation[0] = 0;
  f.joints.rate = VectorXd::Zero(1);
  const System s = assemble(f);
  Executor serial;
  ASSERT_TRUE(WideSweep::of(s, serial));
  Options o;
  o.tolerance = 1e-12;
  for (const char* solver : {"ncp/pgs", "ncp/nncg"}) {
    const Result r = solve(s, solver, o);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    const Rows6 v = velocity_plus(f, s, r.impulses);
    EXPECT_NEAR(v(2, 0), 0, 1e-11);
    EXPECT_NEAR(v(2, 1), -(0.8 - 0.05 * boxes::kGravity * f.step), 1e-11);
    EXPECT_NEAR(v(2, 2), 0, 1e-11);
  }
}

TEST(WideSweep, WhatNobodyCanMoveIsToldAsAResidual) {
  // Two fixed bodies overlap by 1 mm, which would have to close within 10 ms: 0.1 m/s are left.
  boxes::World w;
  w.frame() = sliding_cubes(80);
  w.contact(0, w.fixed(), Vector3d::Zero(), Vector3d::UnitZ(), 0.5, -1e-3);
  const System s = assemble(w.frame());
  Executor serial;
  std::optional<WideSweep> sweep = WideSweep::of(s, serial);
  ASSERT_TRUE(sweep);
  sweep->set(VectorXd::Zero(s.rows()));
  double residual = 0;
  for (int k = 0; k < 200; ++k) residual = sweep->sweep(Local::coulomb);
  EXPECT_NEAR(residual, 0.1, 1e-12);
}

}  // namespace wide_sweep_test
}  // namespace perpend
