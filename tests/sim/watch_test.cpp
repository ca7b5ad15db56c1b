// What a run tells of its moments: the contacts of a step with forces that balance weights, in our
// world and in Bullet's, and energy by the closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/sim.hpp"

namespace perpend {
namespace watch_test {

std::vector<Moment> watched(const Scene& scene, const std::string& engine, Index steps) {
  std::vector<Moment> out;
  SimulateOptions options;
  options.engine = engine;
  options.steps = steps;
  options.watch = [&](const Moment& moment) { out.push_back(moment); };
  simulate(scene, options);
  return out;
}

Scene stack() {
  std::string why;
  return *scene_named("stack:2", 1, why);
}

double pushed(const Moment& moment, std::uint32_t body) {
  double sum = 0;
  for (const ContactForce& contact : moment.contacts)
    if (contact.second == body) sum += contact.force.z();
  return sum;
}

TEST(Watch, ForcesOnTheBodiesOfAStackCarryTheirWeight) {
  const Scene scene = stack();
  const std::vector<Moment> moments = watched(scene, "perpend", 20);
  ASSERT_EQ(moments.size(), 21u);
  EXPECT_TRUE(moments.front().contacts.empty());
  EXPECT_TRUE(std::isnan(moments.front().error));
  const Moment& last = moments.back();
  ASSERT_FALSE(last.contacts.empty());
  // Boxes are pushed by what comes before them in the scene: the floor, then the box below.
  const double weight = 9.81 * scene.bodies[1].mass;
  EXPECT_NEAR(pushed(last, 2), 9.81 * scene.bodies[2].mass, 1e-6);
  EXPECT_NEAR(pushed(last, 1), weight + 9.81 * scene.bodies[2].mass, 1e-6);
  for (const ContactForce& contact : last.contacts) {
    EXPECT_GE(contact.error, 0);
    EXPECT_LT(contact.error, 1e-8);
    EXPECT_NEAR(contact.normal.z(), 1, 1e-12);
  }
  EXPECT_LT(last.error, 1e-8);
  EXPECT_LT(last.penetration, 1e-9);
}

TEST(Watch, StockBulletTellsForcesAndNoErrors) {
  const Scene scene = stack();
  const std::vector<Moment> moments = watched(scene, "bullet", 120);
  double mean = 0;
  for (std::size_t i = 60; i < moments.size(); ++i) mean += pushed(moments[i], 1) / 61;
  const double weights = 9.81 * (scene.bodies[1].mass + scene.bodies[2].mass);
  EXPECT_NEAR(mean, weights, 0.1 * weights);  // its impulses vary from step to step
  EXPECT_TRUE(std::isnan(moments.back().error));
  for (const ContactForce& contact : moments.back().contacts) EXPECT_LT(contact.error, 0);
}

TEST(Watch, ARunThatIsWatchedHasTheSameBits) {
  const Scene scene = stack();
  SimulateOptions options;
  options.steps = 30;
  const std::uint64_t alone = simulate(scene, options).state_hash;
  options.watch = [](const Moment&) {};
  EXPECT_EQ(simulate(scene, options).state_hash, alone);
}

TEST(Watch, TheEnergyOfAFallingBodyIsMGHAndItsMotion) {
  Scene scene;
  scene.bodies.resize(1);
  scene.bodies[0].mass = 3;
  scene.bodies[0].pose.position = {0, 0, 10};
  scene.bodies[0].velocity << 1, 0, 0, 0, 0, 2;
  const std::vector<Moment> moments = watched(scene, "perpend", 30);
  Trajectory path(scene, moments.front().state);
  for (const Moment& moment : moments) {
    if (moment.state.time > 0) path.add(moment.state);
    // After n steps of h the speed is n h g, and the way h^2 g n (n + 1) / 2.
    const double h = scene.step, n = std::round(moment.state.time / h), g = 9.81;
    const double height = 10 - h * h * g * n * (n + 1) / 2, speed = n * h * g;
    const double turning = 0.5 * (3.0 / 6) * 4;  // a cube of 1 m: I = m / 6
    const double expected = 3 * g * height + 0.5 * 3 * (1 + speed * speed) + turning;
    EXPECT_NEAR(path.energy(), expected, 1e-9 * expected);
  }
}

}  // namespace watch_test
}  // namespace perpend
