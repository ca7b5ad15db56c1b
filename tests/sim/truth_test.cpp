// A recording says what the geometry says: contact points lie on the surfaces of both bodies, the
// gap is the distance between them, and what the step was asked for instead stands beside it.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"
#include "perpend/solve.hpp"
#include "support/scratch.hpp"

namespace perpend::sim {
namespace truth_test {

constexpr double kExact = 1e-12;  // m

Body box(const Vector3d& half, const Vector3d& at, double mass) {
  Body body;
  body.shape.half_extents = half;
  body.pose.position = at;
  body.mass = mass;
  body.mu = 0.8;
  return body;
}

Body round_body(Shape::Type type, const Vector3d& at) {
  Body body = box({1, 1, 1}, at, 3);
  body.shape.type = type;
  body.shape.radius = 0.3;
  body.shape.height = 0.4;
  return body;
}

// A table that turns about z; its top is z = 0.
Body table(double spin, Motion::Type how = Motion::Type::conveyor) {
  Body body = box({4, 4, 0.1}, {0, 0, -0.1}, 0);
  body.motion = Motion{};
  body.motion->type = how;
  body.motion->velocity << 0, 0, 0, 0, 0, spin;
  return body;
}

std::vector<io::Record> recorded(const Scene& scene, Index steps, const StepOptions& step = {}) {
  const scratch::Folder folder;
  SimulateOptions options;
  options.steps = steps;
  options.step = step;
  options.out = folder.path("run.h5");
  simulate(scene, options);
  std::vector<std::string> notes;
  EXPECT_EQ(io::validate(options.out, &notes), std::vector<std::string>{});
  EXPECT_EQ(notes, std::vector<std::string>{});
  const io::FrameReader reader(options.out);
  std::vector<io::Record> out;
  bool asked = false;
  for (Index i = 0; i < reader.frames(); ++i) {
    out.push_back(reader.read(i));
    const Contacts& k = out.back().frame.contacts;
    asked |= k.push.size() > 0 || k.surface_velocity.rows() > 0;
  }
  EXPECT_EQ(reader.format_version(), asked ? 3 : 1);
  return out;
}

// x1 + r1 and x2 + r2 = x1 + r1 + psi n, in the world.
std::pair<Vector3d, Vector3d> places(const Frame& f, Index i) {
  const Vector3d first = f.bodies.positions.row(f.contacts.pairs(i, 0)) + f.contacts.points.row(i);
  return {first, first + f.contacts.gap[i] * f.contacts.normals.row(i).transpose()};
}

// A place on the body in the body's own axes.
Vector3d in_axes_of(const Bodies& bodies, Index body, const Vector3d& place) {
  const auto q = bodies.quaternions.row(body);
  const Vector3d x = bodies.positions.row(body);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).conjugate() * (place - x);
}

// What was recorded is the problem that was solved: its impulses make the velocities after the
// step, and a solver finds the same ones.
void expect_the_same_problem(const io::Record& record) {
  const System system = assemble(record.frame);
  const Impulses given = from_rows(system, record.answer.z, record.answer.z_joints);
  const Rows6 plus = velocity_plus(record.frame, system, given);
  EXPECT_LT((plus - record.answer.velocities_plus).cwiseAbs().maxCoeff(), 1e-9);
  Options options;
  options.tolerance = 1e-11;
  const Result result = solve(system, "ncp/auto", options);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Rows6 again = velocity_plus(record.frame, system, result.impulses);
  EXPECT_LT((again - record.answer.velocities_plus).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Truth, RoundBodiesOnATurningTableTouchItWhereTheyAre) {
  constexpr double kSpin = 1.5;  // rad/s
  for (const auto how : {Motion::Type::conveyor, Motion::Type::path}) {
    Scene scene;
    scene.bodies = {table(kSpin, how), round_body(Shape::Type::sphere, {1, 0, 0.3}),
                    round_body(Shape::Type::cylinder, {-1, 0.5, 0.2})};
    if (how == Motion::Type::path)
      scene.bodies[0].motion->keys = {{0, scene.bodies[0].motion->velocity}};
    for (std::size_t i : {1, 2}) {
      const Vector3d x = scene.bodies[i].pose.position;
      scene.bodies[i].velocity << -kSpin * x.y(), kSpin * x.x(), 0, 0, 0, kSpin;
    }
    bool turned = false;
    Index touched = 0;
    for (const io::Record& record : recorded(scene, 90)) {
      const Frame& f = record.frame;
      for (Index i = 0; i < f.contacts.count(); ++i) {
        ++touched;
        const auto [first, second] = places(f, i);
        const bool down = f.contacts.pairs(i, 0) == 0;
        const Vector3d on_table = down ? first : second, on_body = down ? second : first;
        const auto body = static_cast<Index>(f.contacts.pairs(i, down ? 1 : 0));
        const Vector3d x = f.bodies.positions.row(body);
        EXPECT_NEAR(on_table.z(), 0, kExact);
        if (body == 1) {
          EXPECT_NEAR((on_body - x).norm(), 0.3, kExact);
        } else {
          const Vector3d own = in_axes_of(f.bodies, body, on_body);
          EXPECT_NEAR(std::abs(own.z()), 0.2, kExact);
          EXPECT_LE(own.head<2>().norm(), 0.3 + kExact);
        }
      }
      turned |= f.contacts.surface_velocity.rows() > 0;
      EXPECT_EQ(f.contacts.points2.rows(), 0);
      expect_the_same_problem(record);
    }
    EXPECT_GT(touched, 300);
    EXPECT_TRUE(turned);
  }
}

TEST(Truth, ACrateOnAConveyorHasTheVelocityOfItsBelt) {
  Scene scene;
  scene.bodies = {table(0), box({0.25, 0.25, 0.25}, {-2, 0, 0.25}, 10)};
  scene.bodies[0].motion->velocity << 1.5, 0, 0, 0, 0, 0;
  for (const io::Record& record : recorded(scene, 60)) {
    const Frame& f = record.frame;
    EXPECT_EQ(f.bodies.velocities(0, 0), 1.5);
    EXPECT_EQ(f.contacts.surface_velocity.rows(), 0);
    for (Index i = 0; i < f.contacts.count(); ++i) {
      const auto [first, second] = places(f, i);
      EXPECT_NEAR(first.z(), 0, kExact);
      EXPECT_NEAR(in_axes_of(f.bodies, 1, second).z(), -0.25, kExact);
    }
    expect_the_same_problem(record);
  }
}

TEST(Truth, AnOverlapAtTheStartIsRecordedAsDeepAsItIs) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {box({0.5, 0.5, 0.5}, {0, 0, 0}, 2), box({0.5, 0.5, 0.5}, {0, 0, 0.8}, 2)};
  StepOptions step;
  step.max_push = 1;
  double before = -0.2;
  const std::vector<io::Record> records = recorded(scene, 12, step);
  EXPECT_EQ(records[0].frame.contacts.count(), 4);
  for (const io::Record& record : records) {
    const Frame& f = record.frame;
    const double deep = std::abs(f.bodies.positions(1, 2) - f.bodies.positions(0, 2)) - 1;
    EXPECT_NEAR(deep, before, 1e-9) << "opens by max_push h";
    for (Index i = 0; i < f.contacts.count(); ++i) {
      EXPECT_NEAR(f.contacts.gap[i], deep, kExact);
      const double asked = std::max(f.contacts.gap[i], -step.max_push * f.step);
      EXPECT_EQ(f.contacts.asked_gap()[i], asked);
    }
    EXPECT_EQ(f.contacts.push.size() > 0, f.contacts.count() > 0 && deep < -step.max_push * f.step);
    if (f.contacts.push.size() > 0) {
      EXPECT_NEAR(record.answer.errors[Measure::max_penetration], -deep - step.max_push * f.step,
                  1e-9);
    }
    expect_the_same_problem(record);
    before = std::min(0.0, deep + step.max_push * f.step);
  }
}

TEST(Truth, AtALimitedEffortTheGapIsStillTheDistance) {
  Scene scene;
  scene.bodies = {box({4, 4, 0.5}, {0, 0, -0.5}, 0)};
  for (int i = 0; i < 12; ++i)
    scene.bodies.push_back(box({0.25, 0.25, 0.25}, {0.01 * i, 0, 0.249 + 0.498 * i}, 1 + 9 * i));
  StepOptions step;
  step.effort = *effort_named("2");
  Index softened = 0;
  for (const io::Record& record : recorded(scene, 60, step)) {
    const Frame& f = record.frame;
    for (Index i = 0; i < f.contacts.count(); ++i) {
      if (f.contacts.pairs(i, 0) != 0) continue;
      const auto [first, second] = places(f, i);
      EXPECT_NEAR(first.z(), 0, kExact);
      const auto body = static_cast<Index>(f.contacts.pairs(i, 1));
      EXPECT_NEAR(in_axes_of(f.bodies, body, second).cwiseAbs().maxCoeff(), 0.25, 1e-9);
    }
    softened += f.contacts.push.size() > 0;
  }
  EXPECT_GT(softened, 0);
}

}  // namespace truth_test
}  // namespace perpend::sim
