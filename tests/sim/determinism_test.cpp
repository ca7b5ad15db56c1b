// The same bits: with any number of threads, in any order of bodies once they have ids, beside
// bodies that have nothing to do with them, and in a world that was used before.
//
// No tolerance appears here. Bodies are compared by their ids, all numbers bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <numeric>
#include <stdexcept>

#include "perpend/sim.hpp"
#include "sim/build.hpp"
#include "support/bullet_world.hpp"

namespace perpend {
namespace determinism_test {

using sim::Built;

Scene named(const std::string& name) {
  std::string why;
  return *scene_named(name, 1, why);
}

// Ids that are neither in order nor without gaps.
Scene with_ids(Scene scene) {
  const auto n = static_cast<std::int64_t>(scene.bodies.size());
  for (std::int64_t i = 0; i < n; ++i)
    scene.bodies[static_cast<std::size_t>(i)].id = 10 * ((i * 7919) % n) + 3;
  for (std::size_t k = 0; k < scene.joints.size(); ++k)
    scene.joints[k].id = static_cast<std::int64_t>(5 * (scene.joints.size() - k));
  return scene;
}

// Body i of the new scene is body order[i] of the old one; joints in the reverse order.
Scene reordered(const Scene& scene, const std::vector<std::size_t>& order) {
  Scene other = scene;
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    other.bodies[i] = scene.bodies[order[i]];
    place[order[i]] = static_cast<Index>(i);
  }
  for (Joint& joint : other.joints)
    for (Index* body : {&joint.first, &joint.second})
      if (*body >= 0) *body = place[static_cast<std::size_t>(*body)];
  std::reverse(other.joints.begin(), other.joints.end());
  return other;
}

std::vector<std::size_t> reversed(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return order;
}

// A fixed permutation: Fisher and Yates with a small generator of its own.
std::vector<std::size_t> shuffled(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t state = 12345;
  for (std::size_t i = n; i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(state >> 33) % i]);
  }
  return order;
}

using Bits = std::map<std::int64_t, std::array<double, 13>>;  // by id; no NaN: == compares bits

Bits bits(const Scene& scene, const State& state) {
  Bits out;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto row = static_cast<Index>(i);
    auto& numbers = out[scene.bodies[i].id.value_or(static_cast<std::int64_t>(i))];
    Eigen::Map<Eigen::Matrix<double, 13, 1>>(numbers.data())
        << state.positions.row(row).transpose(),
        state.quaternions.row(row).transpose(), state.velocities.row(row).transpose();
  }
  return out;
}

struct Ended {
  Bits bits;
  std::uint64_t hash;
};

Ended run(const Scene& scene, int steps, int threads = 1, bool nonconvex = false) {
  Built built(scene, scene.step, Built::Engine::perpend);
  ThreadPool pool(threads);
  built.ours()->set_executor(pool);
  if (nonconvex) built.ours()->options().contacts = ContactModel::nonconvex;
  for (int k = 0; k < steps; ++k) built.step();
  return {bits(scene, built.state()), built.hash()};
}

class Threads : public ::testing::TestWithParam<std::pair<const char*, int>> {};
TEST_P(Threads, AnyNumberOfThemGivesTheSameBits) {
  const auto [name, steps] = GetParam();
  const Scene scene = named(name);
  const Ended one = run(scene, steps, 1);
  for (int threads : {2, 3}) {
    const Ended several = run(scene, steps, threads);
    EXPECT_EQ(one.hash, several.hash) << threads << " threads";
    EXPECT_EQ(one.bits, several.bits) << threads << " threads";
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, Threads,
                         ::testing::Values(std::pair("pile-boxes:100", 45),
                                           std::pair("ragdolls", 60), std::pair("pyramid:10", 60),
                                           std::pair("logs", 40)));

TEST(LargeIsland, ThatThreadsShareGivesTheSameBits) {
  // One island of 210 bodies and 1,600 contacts, swept at a limited effort.
  const Scene scene = named("pyramid:20");
  const auto swept = [&](int threads) {
    Built built(scene, scene.step, Built::Engine::perpend);
    ThreadPool pool(threads);
    built.ours()->set_executor(pool);
    built.ours()->options().effort.kind = Effort::Kind::real_time;
    built.ours()->options().solver = "ncp/nncg";
    for (int k = 0; k < 8; ++k) built.step();
    const StepReport& report = built.ours()->report();
    EXPECT_GT(report.contacts, 1000);
    EXPECT_GT(report.iterations, 0);
    return Ended{bits(scene, built.state()), built.hash()};
  };
  const Ended one = swept(1);
  for (int threads : {2, 3}) {
    const Ended several = swept(threads);
    EXPECT_EQ(one.hash, several.hash) << threads << " threads";
    EXPECT_EQ(one.bits, several.bits) << threads << " threads";
  }
}

class Order : public ::testing::TestWithParam<std::pair<const char*, int>> {};
TEST_P(Order, OfBodiesAndJointsDoesNotMatterOnceTheyHaveIds) {
  const auto [name, steps] = GetParam();
  const Scene scene = with_ids(named(name));
  const Ended as_is = run(scene, steps);
  const std::size_t n = scene.bodies.size();
  for (const auto& order : {reversed(n), shuffled(n)}) {
    const Ended other = run(reordered(scene, order), steps);
    EXPECT_EQ(as_is.hash, other.hash);
    EXPECT_EQ(as_is.bits, other.bits);
  }
  // Without ids it does matter, or this test would show nothing.
  Scene without = reordered(scene, shuffled(n));
  for (Body& body : without.bodies) body.id.reset();
  Ended nameless = run(without, steps);
  EXPECT_NE(as_is.hash, nameless.hash);
}
INSTANTIATE_TEST_SUITE_P(Scenes, Order,
                         ::testing::Values(std::pair("wall:6", 150),
                                           std::pair("pile-boxes:20", 150),
                                           std::pair("ragdolls", 100), std::pair("gears", 300)));

TEST(Order, OfJointsFollowsTheirBodiesWhereNoTwoLinkTheSame) {
  Scene scene = with_ids(named("ragdolls"));
  for (Joint& joint : scene.joints) joint.id.reset();
  EXPECT_EQ(run(scene, 100).bits, run(reordered(scene, reversed(scene.bodies.size())), 100).bits);
}

TEST(Order, DoesNotMatterBesideEdgesAndCornersEither) {
  const Scene scene = with_ids(named("pile-boxes:10"));
  const Ended as_is = run(scene, 150, 1, true);
  EXPECT_EQ(as_is.bits, run(reordered(scene, shuffled(scene.bodies.size())), 150, 2, true).bits);
}

// A spinning box that falls beside the scene, and lands: it turns, hits, and is solved and
// projected in the same steps.
Scene with_stranger(const Scene& scene, std::int64_t id, bool first) {
  Scene other = scene;
  Body floor, box;
  floor.shape.half_extents = {1, 1, 0.5};
  floor.pose.position = {1000, 0, -0.5};
  floor.id = id;
  box.mass = 3;
  box.pose.position = {1000, 0, 1.2};
  box.velocity << 0, 0.1, 0, 5, 3, 1;
  box.id = id + 1;
  if (!first) {
    other.bodies.push_back(floor);
    other.bodies.push_back(box);
    return other;
  }
  other.bodies.insert(other.bodies.begin(), {floor, box});
  for (Joint& joint : other.joints)
    for (Index* body : {&joint.first, &joint.second})
      if (*body >= 0) *body += 2;
  return other;
}

class Stranger : public ::testing::TestWithParam<std::pair<const char*, int>> {};
TEST_P(Stranger, FarAwayChangesNothing) {
  const auto [name, steps] = GetParam();
  const Scene scene = with_ids(named(name));
  const Bits alone = run(scene, steps).bits;
  for (bool first : {true, false}) {
    // 1000000 comes after all others' ids, 0 before.
    const std::int64_t id = first ? 0 : 1000000;
    Bits beside = run(with_stranger(scene, id, first), steps).bits;
    beside.erase(id);
    beside.erase(id + 1);
    EXPECT_EQ(alone, beside);
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, Stranger,
                         ::testing::Values(std::pair("stack:10", 100), std::pair("wall:5", 100),
                                           std::pair("pile-boxes:20", 150),
                                           std::pair("ragdolls", 80)));

// Bullet's user takes bodies out and puts them back in, in another order, and starts again.
TEST(UsedWorld, IsAsGoodAsANewOne) {
  worlds::Ours bullet;
  std::vector<btRigidBody*> cubes;
  btRigidBody& plane = bullet.plane();
  for (int i = 0; i < 8; ++i) cubes.push_back(&bullet.cube(1, 0.1 * i, 0.05 * i, 0.5 + 1.05 * i));
  std::vector<btTransform> start;
  for (const btRigidBody* cube : cubes) start.push_back(cube->getWorldTransform());
  const auto ids = [&] {
    EXPECT_TRUE(bullet.world.set_id(&plane, 100));
    for (std::size_t i = 0; i < cubes.size(); ++i)
      EXPECT_TRUE(bullet.world.set_id(cubes[i], static_cast<std::int64_t>(i)));
  };
  const auto falls = [&] {
    bullet.step(90);
    std::vector<double> numbers;
    for (const btRigidBody* cube : cubes)
      for (int k = 0; k < 3; ++k) {
        numbers.push_back(cube->getWorldTransform().getOrigin()[k]);
        numbers.push_back(cube->getAngularVelocity()[k]);
        numbers.push_back(cube->getLinearVelocity()[k]);
      }
    return numbers;
  };
  ids();
  const std::vector<double> first = falls();
  bullet.world.removeRigidBody(&plane);
  for (btRigidBody* cube : cubes) bullet.world.removeRigidBody(cube);
  for (std::size_t i = cubes.size(); i-- > 0;) {
    cubes[i]->setWorldTransform(start[i]);
    cubes[i]->setInterpolationWorldTransform(start[i]);
    cubes[i]->setLinearVelocity(btVector3(0, 0, 0));
    cubes[i]->setAngularVelocity(btVector3(0, 0, 0));
    cubes[i]->forceActivationState(ACTIVE_TAG);
    cubes[i]->setDeactivationTime(0);
    bullet.world.addRigidBody(cubes[i]);
  }
  bullet.world.addRigidBody(&plane);
  ids();
  EXPECT_EQ(first, falls());
}

TEST(Ids, AreUniqueAndForgottenWithTheirBody) {
  worlds::Ours bullet;
  btRigidBody &a = bullet.cube(1, 0, 0, 0), &b = bullet.cube(1, 5, 0, 0);
  const std::int64_t by_insertion = bullet.world.id(&a);
  EXPECT_LT(by_insertion, bullet.world.id(&b));
  EXPECT_TRUE(bullet.world.set_id(&b, 4));
  EXPECT_FALSE(bullet.world.set_id(&a, 4));
  EXPECT_FALSE(bullet.world.set_id(&a, -1));
  EXPECT_EQ(bullet.world.id(&b), 4);
  EXPECT_GT(bullet.world.id(&a), std::int64_t{1} << 53);  // after all that can be given
  EXPECT_EQ(bullet.world.frame(worlds::kStep).bodies.ids.front(), 4);
  bullet.world.removeRigidBody(&b);
  EXPECT_TRUE(bullet.world.set_id(&a, 4));
  bullet.world.addRigidBody(&b);
  EXPECT_NE(bullet.world.id(&b), 4);
}

// How deep bodies overlap is measured by Bullet's broad phase: asking must change nothing.
TEST(Measuring, BetweenStepsChangesNothing) {
  const Scene scene = named("pile-boxes:20");
  Built built(scene, scene.step, Built::Engine::perpend);
  for (int k = 0; k < 150; ++k) {
    built.step();
    built.ours()->penetration();
    built.ours()->frame(scene.step);
  }
  EXPECT_EQ(built.hash(), run(scene, 150).hash);
}

}  // namespace determinism_test
}  // namespace perpend
