// What turns over an edge or a tip: a block and a stack at their critical angle, a rod that falls
// on ice, a rod that slides tip ahead (Painleve).
#include <algorithm>
#include <cmath>

#include "verify/cases.hpp"
#include "verify/exact_motion.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

using Two = Eigen::Matrix<double, 2, 1>;
using Four = Eigen::Matrix<double, 4, 1>;

// How far a rigid body that may turn about a fixed edge has turned after that time, from rest: its
// centre, at the distance d from the edge, starts at the angle `lean` past the vertical;
// k2 = I/m about the edge.
double toppled(double lean, double d, double k2, double duration) {
  const Two end = exact_motion<2>(
      [&](const Two& y) -> Two {
        return {y[1], kGravity * d / k2 * std::sin(y[0])};
      },
      Two(lean, 0), duration);
  return end[0] - lean;
}

// Turned about y since the start, rad.
double turned(const State& start, const State& end, Index body) {
  const Quaterniond turn = orientation(end, body) * orientation(start, body).conjugate();
  return 2 * std::atan2(turn.y(), turn.w());
}

std::vector<double> tipping_errors(const Simulator& simulate, double h) {
  constexpr double kWidth = 1, kHeight = 2, kTime = 1.5;
  const double critical = std::atan(kWidth / kHeight);
  const auto path_at = [&](double angle) {
    const Pose slope{Vector3d::Zero(), about(Vector3d::UnitY(), angle)};
    Scene scene;
    scene.name = "tipping block";
    scene.bodies = {ground(1, slope),
                    moving(box({kWidth, kWidth, kHeight}), 1,
                           slope.orientation * Vector3d(0, 0, kHeight / 2), slope.orientation)};
    scene.bodies[1].mu = 1;
    return simulate(scene, h, kTime);
  };
  const Path below = path_at(0.99 * critical), above = path_at(1.01 * critical);
  const double d = std::hypot(kWidth, kHeight) / 2;
  const double exact = toppled(0.01 * critical, d, 4 * d * d / 3, kTime);
  return {(position(below.back(), 1) - position(below.front(), 1)).norm() +
              std::abs(turned(below.front(), below.back(), 1)),
          std::abs(turned(above.front(), above.back(), 1) - exact)};
}

std::vector<double> stack_errors(const Simulator& simulate, double h) {
  constexpr int kCubes = 5;
  constexpr double kTime = 1.5;
  const auto scene_at = [&](double shift) {
    Scene scene;
    scene.name = "leaning stack";
    scene.bodies = {ground(1)};
    for (int i = 0; i < kCubes; ++i) {
      scene.bodies.push_back(moving(box({1, 1, 1}), 1, {i * shift, 0, i + 0.5}));
      scene.bodies.back().mu = 1;
    }
    return scene;
  };
  const Scene below = scene_at(0.99 / kCubes);
  const Path stands = simulate(below, h, kTime);
  const double shift = 1.01 / kCubes;
  const Path falls = simulate(scene_at(shift), h, kTime);
  // The upper four turn as one about the upper edge of the lowest.
  const Vector3d edge(0.5, 0, 1);
  Vector3d centre = Vector3d::Zero();
  double k2 = 0;
  for (int i = 1; i < kCubes; ++i) {
    const Vector3d r = Vector3d(i * shift, 0, i + 0.5) - edge;
    centre += r / (kCubes - 1);
    k2 += (1.0 / 6 + r.squaredNorm()) / (kCubes - 1);
  }
  const Quaterniond turn = about(
      Vector3d::UnitY(), toppled(std::atan2(centre.x(), centre.z()), centre.norm(), k2, kTime));
  double off = 0;
  for (int i = 1; i < kCubes; ++i) {
    const Vector3d r = Vector3d(i * shift, 0, i + 0.5) - edge;
    off = std::max(off, (position(falls.back(), i + 1) - edge - turn * r).norm());
  }
  return {farthest(below, stands.front(), stands.back()), off};
}

std::vector<double> rod_errors(const Simulator& simulate, double h) {
  constexpr double kHalf = 0.5, kRadius = 0.02, kLean = 0.5, kTime = 0.3;
  constexpr double kInertia = kHalf * kHalf / 3;  // per kilogram, of a slender rod
  Scene scene;
  scene.name = "rod on ice";
  Body rod = moving(capsule(kRadius, 2 * kHalf), 1, {0, 0, kRadius + kHalf * std::cos(kLean)},
                    about(Vector3d::UnitY(), kLean));
  rod.inertia = Vector3d(kInertia, kInertia, 1e-3).asDiagonal();
  rod.mu = 0;
  scene.bodies = {ground(0), rod};
  const Path path = simulate(scene, h, kTime);
  // The lean a: (I + l^2 sin^2 a) a'' = l sin a (g - l cos a a'^2), from the height l cos a of the
  // centre and the moment of the floor's force.
  const Two exact = exact_motion<2>(
      [&](const Two& y) -> Two {
        const double s = std::sin(y[0]), c = std::cos(y[0]);
        return {y[1], kHalf * s * (kGravity - kHalf * c * y[1] * y[1]) /
                          (kInertia + kHalf * kHalf * s * s)};
      },
      Two(kLean, 0), kTime);
  const State& end = path.back();
  return {std::abs(kLean + turned(path.front(), end, 1) - exact[0]),
          std::abs(position(end, 1).z() - kRadius - kHalf * std::cos(exact[0])),
          std::hypot(position(end, 1).x(), position(end, 1).y())};
}

// The rod of the scene `painleve` with one round tip: the two corners of a box give the step
// further solutions, which turn the rod out of its plane.
struct Tip {
  static constexpr double kHalf = 1, kRadius = 0.025, kSpeed = -3;
  static constexpr double kInertia = kHalf * kHalf / 3;  // mass 1
  // From the centre to the tip's middle and to where it touches, turned by an angle about y.
  Vector3d middle, touch;
  explicit Tip(double turn) {
    middle = about(Vector3d::UnitY(), turn - std::atan(2.0)) * Vector3d(-kHalf, 0, 0);
    touch = middle - kRadius * Vector3d::UnitZ();
  }
};

Scene painleve_scene(double mu) {
  Scene scene;
  scene.name = "rod, tip ahead";
  Body rod = moving(capsule(Tip::kRadius, 2 * Tip::kHalf), 1, -Tip(0).touch.z() * Vector3d::UnitZ(),
                    about(Vector3d::UnitY(), 90 * kDegree - std::atan(2.0)));
  rod.inertia = Vector3d(Tip::kInertia, Tip::kInertia, 1e-3).asDiagonal();
  rod.mu = mu;
  rod.velocity[0] = Tip::kSpeed;
  scene.bodies = {ground(mu), rod};
  return scene;
}

std::vector<double> painleve_errors(const Simulator& simulate, double h) {
  constexpr double kI = Tip::kInertia;
  const Scene scene = painleve_scene(2);
  const Vector3d r = Tip(0).touch;
  // The blow that stops the tip: A P = -u, A of the tip in the plane (x, z).
  Eigen::Matrix2d a;
  a << 1 + r.z() * r.z() / kI, -r.x() * r.z() / kI, -r.x() * r.z() / kI, 1 + r.x() * r.x() / kI;
  const Two blow = a.inverse() * Two(-Tip::kSpeed, 0);
  const Vector3d v(Tip::kSpeed + blow[0], 0, blow[1]);
  const double w = (r.z() * blow[0] - r.x() * blow[1]) / kI;
  const Path path = simulate(scene, h, 1);
  const State& after = path[std::min<std::size_t>(1, path.size() - 1)];
  double gained = 0;
  const double before = energy(scene, path.front());
  for (const State& state : path) gained = std::max(gained, energy(scene, state) - before);
  const Vector3d tip = velocity(after, 1) + spin(after, 1).cross(r);

  // With mu 1 there is a force: N (1/m + (rx^2 - mu rx rz)/I) = g + w^2 (r + radius)_z.
  constexpr double kMu = 1, kTime = 2 * kStep;
  const Path sliding = simulate(painleve_scene(kMu), h, kTime);
  const Four exact = exact_motion<4>(
      [&](const Four& y) -> Four {  // angle about y, its rate, x, its rate
        const Tip now(y[0]);
        const Vector3d& q = now.touch;
        const double n = (kGravity + y[1] * y[1] * now.middle.z()) /
                         (1 + (q.x() * q.x() - kMu * q.x() * q.z()) / kI);
        return {y[1], n * (kMu * q.z() - q.x()) / kI, y[3], kMu * n};
      },
      Four(0, 0, 0, Tip::kSpeed), kTime);
  return {(velocity(after, 1) - v).norm() + std::abs(spin(after, 1).y() - w), std::abs(tip.x()),
          gained, std::abs(turned(sliding.front(), sliding.back(), 1) - exact[0]),
          std::abs(position(sliding.back(), 1).x() - exact[2])};
}

}  // namespace

Case tipping_block() {
  return {
      "tipping-block",
      "a block twice as high as wide on a slope, 1 % below and 1 % above the angle at which it "
      "tips",
      "At tan α = width/height (μ = 1) the centre of mass is above the lower edge. 1 % below that "
      "angle nothing moves; 1 % above it the block is an inverted pendulum on that edge. 1.5 s.",
      kStep,
      {{"1 % below: moved and turned", "m, rad", "0", 0, 1e-9},
       {"1 % above: angle", "rad", "φ″ = (g d/k²) sin φ, φ₀ = α − arctan(b/h), k² = 4 d²/3", 1, 0}},
      tipping_errors};
}

Case leaning_stack() {
  return {"leaning-stack",
          "five cubes, each shifted against the one below, 1 % below and 1 % above the critical "
          "lean",
          "The centre of the upper N − 1 of N cubes of edge a is N d/2 from that of the lowest. It "
          "is over the edge when the lean d/a = tan φ is 1/N. 1 % below that the stack stands; 1 % "
          "above it the upper four turn about the edge as one body. 1.5 s.",
          kStep,
          {{"1 % below: way", "m", "0", 0, 1e-9},
           {"1 % above: position", "m", "φ″ = (g d/k²) sin φ about the edge", 1, 0}},
          stack_errors};
}

Case falling_rod() {
  return {
      "falling-rod",
      "a slender rod leaning at 0.5 rad falls on a floor without friction",
      "Nothing pushes sideways, so the centre falls straight down. The lower end slides, and the "
      "force of the floor turns the rod. 0.3 s, until shortly before it lies flat.",
      kStep / 2,
      {{"lean", "rad", "(I + l² sin²α) α″ = l sin α (g − l cos α α′²), per kg", 1, 0},
       {"height of the centre", "m", "l cos α", 1, 0},
       {"centre moved aside", "m", "0", 0, 1e-10}},
      rod_errors};
}

Case painleve_rod() {
  return {
      "painleve-rod",
      "a rod slides tip ahead at 3 m/s, mu 2 and mu 1",
      "The rod of the scene `painleve`, with a round tip; the tangent of its angle to the floor "
      "is 2. For μ > 4/3 no finite force keeps the tip out of the floor (Painlevé 1895): the "
      "motion continues with an impulse although nothing collides. The time step still has a "
      "solution: as h → 0 it is the impulse that stops the tip, A P = −u, and P lies inside the "
      "cone. The velocities after the first step are compared with it. Later everything stays "
      "finite, and the energy (1 s) never exceeds that of the start. With μ = 1 there is a finite "
      "force, and the rod slides on (1/30 s).",
      kStep,
      {{"mu 2: velocities after one step", "m/s, rad/s", "v − M⁻¹Jᵀ A⁻¹ u", 1, 0},
       {"mu 2: sliding speed after one step", "m/s", "0", 0, 1e-8},
       {"mu 2: energy gained", "J", "0", 0, 1e-8},
       {"mu 1: angle", "rad", "I ω′ = N (μ r_z − rₓ), N (1/m + (rₓ² − μ rₓ r_z)/I) = g + ω² r_z", 1,
        0},
       {"mu 1: way", "m", "x″ = μ N/m", 1, 0}},
      painleve_errors};
}

}  // namespace perpend::verify
