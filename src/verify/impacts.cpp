// Blows: balls that bounce, and two spheres that meet.
//
// A blow falls somewhere within a step, and with the step the error jumps about below a first-order
// envelope. Many copies that meet at different moments, and the root mean square of their errors,
// show the envelope.
#include <algorithm>
#include <cmath>

#include "verify/cases.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

constexpr int kBalls = 32;
constexpr double kBounce = 0.8, kBallRadius = 0.1, kBouncing = 2;  // -, m, s

double height_of(int ball) { return 1 + 0.5 * ball / kBalls; }  // of the lowest point, m

// Height of the lowest point of a ball that is let go at t = 0.
double bouncing(double height, double t) {
  double fall = std::sqrt(2 * height / kGravity);  // half the time between two bounces
  if (t < fall) return height - kGravity * t * t / 2;
  t -= fall;
  while (true) {
    fall *= kBounce;
    if (t < 2 * fall) return kGravity * t * (2 * fall - t) / 2;
    t -= 2 * fall;
  }
}

std::vector<double> bouncing_errors(const Simulator& simulate, double h) {
  Scene scene;
  scene.name = "bouncing balls";
  scene.bodies = {ground(0.5)};
  scene.bodies[0].restitution = kBounce;
  for (int i = 0; i < kBalls; ++i) {
    Body ball =
        moving(sphere(kBallRadius), 1, {static_cast<double>(i), 0, kBallRadius + height_of(i)});
    ball.restitution = kBounce;
    scene.bodies.push_back(ball);
  }
  const Path path = simulate(scene, h, kBouncing);
  double sum = 0, highest = 0;
  for (int i = 0; i < kBalls; ++i) {
    const double error =
        position(path.back(), i + 1).z() - kBallRadius - bouncing(height_of(i), kBouncing);
    sum += error * error;
    // The top of the flight after the first bounce.
    const double landed = std::sqrt(2 * height_of(i) / kGravity);
    double top = 0;
    for (const State& state : path)
      if (state.time > landed && state.time < landed * (1 + 2 * kBounce))
        top = std::max(top, position(state, i + 1).z() - kBallRadius);
    const double off = top - kBounce * kBounce * height_of(i);
    highest += off * off;
  }
  return {std::sqrt(sum / kBalls), std::sqrt(highest / kBalls)};
}

constexpr int kPairs = 16;
constexpr double kMeeting = 1, kFriction = 0.3, kElastic = 0.5;  // s, -, -
constexpr double kMass1 = 1, kMass2 = 3, kR1 = 0.2, kR2 = 0.3;

struct Spheres {
  Vector3d x1, x2, v1, v2, w1, w2;
};

Spheres spheres(int pair) {
  const double way = 0.5 + 0.3 * pair / kPairs;
  return {{-way, 0.1, 0}, {way + 0.2, -0.05, 0.1}, {2, 0, 0.1}, {-1, 0.1, -0.1}, {1, 5, 3},
          {-2, 1, 4}};
}

// Velocities after the blow. The line of centres is that of the moment when the spheres touch;
// along it the blow takes Newton's restitution, across it Coulomb's friction, which either stops
// the sliding or is mu times the normal impulse. With spheres the two do not mix: across, the two
// bodies answer (1 + 5/2) times as easily as along.
Spheres after_the_blow(Spheres s) {
  const Vector3d d = s.x2 - s.x1, v = s.v2 - s.v1;
  const double r = kR1 + kR2, b = d.dot(v), a = v.squaredNorm();
  const double t = (-b - std::sqrt(b * b - a * (d.squaredNorm() - r * r))) / a;
  const Vector3d n = (d + t * v).normalized();
  const Vector3d u = v - s.w2.cross(kR2 * n) - s.w1.cross(kR1 * n);  // of 2 relative to 1
  const double un = u.dot(n), answer = 1 / kMass1 + 1 / kMass2;
  const Vector3d across = u - un * n;
  const double push = -(1 + kElastic) * un / answer;
  const double stop = across.norm() / (3.5 * answer);
  const Vector3d impulse =
      push * n - std::min(stop, kFriction * push) * across / std::max(across.norm(), 1e-300);
  s.v1 -= impulse / kMass1;
  s.v2 += impulse / kMass2;
  s.w1 -= (kR1 * n).cross(impulse) / (0.4 * kMass1 * kR1 * kR1);
  s.w2 += (-kR2 * n).cross(impulse) / (0.4 * kMass2 * kR2 * kR2);
  return s;
}

std::vector<double> two_body_errors(const Simulator& simulate, double h) {
  Scene scene;
  scene.name = "two spheres meet";
  scene.gravity.setZero();
  for (int i = 0; i < kPairs; ++i) {
    const Spheres s = spheres(i);
    const Vector3d aside(0, 2.0 * i, 0);
    Body one = moving(sphere(kR1), kMass1, s.x1 + aside);
    Body two = moving(sphere(kR2), kMass2, s.x2 + aside);
    one.velocity << s.v1, s.w1;
    two.velocity << s.v2, s.w2;
    one.mu = two.mu = kFriction;
    one.restitution = two.restitution = kElastic;
    scene.bodies.push_back(one);
    scene.bodies.push_back(two);
  }
  const Path path = simulate(scene, h, kMeeting);
  const State &start = path.front(), &end = path.back();
  double linear = 0, angular = 0, speed = 0;
  for (int i = 0; i < kPairs; ++i) {
    const auto momenta = [&](const State& state, Vector3d& p, Vector3d& l) {
      p = l = Vector3d::Zero();
      for (Index k : {2 * i, 2 * i + 1}) {
        const Body& body = scene.bodies[static_cast<std::size_t>(k)];
        p += body.mass * velocity(state, k);
        l += body.mass * (position(state, k) - Vector3d(0, 2.0 * i, 0)).cross(velocity(state, k)) +
             0.4 * body.mass * body.shape.radius * body.shape.radius * spin(state, k);
      }
    };
    Vector3d p0, l0, p1, l1;
    momenta(start, p0, l0);
    momenta(end, p1, l1);
    linear = std::max(linear, (p1 - p0).norm());
    angular += (l1 - l0).squaredNorm();
    const Spheres s = after_the_blow(spheres(i));
    speed += (velocity(end, 2 * i) - s.v1).squaredNorm() +
             (velocity(end, 2 * i + 1) - s.v2).squaredNorm() +
             (kR1 * (spin(end, 2 * i) - s.w1)).squaredNorm() +
             (kR2 * (spin(end, 2 * i + 1) - s.w2)).squaredNorm();
  }
  return {linear, std::sqrt(angular / kPairs), std::sqrt(speed / kPairs)};
}

}  // namespace

Case bouncing_ball() {
  return {
      "bouncing-ball",
      "32 balls, e = 0.8, dropped from 1 to 1.5 m",
      "Between impacts the motion is a parabola; each impact multiplies the speed by e. There are "
      "three or four impacts in 2 s. An impact happens somewhere within a step, up to |v| h above "
      "the floor, so single errors vary below a first-order envelope. The error is the root mean "
      "square over 32 heights.",
      kStep,
      {{"height", "m", "parabolas, v⁺ = −e v⁻", 1, 0},
       {"top after the first bounce", "m", "e² H", 1, 0}},
      bouncing_errors};
}

Case two_bodies() {
  return {
      "two-bodies",
      "two spinning spheres of 1 and 3 kg meet off-centre, mu 0.3, e = 0.5",
      "Momentum is conserved to the last bit. The friction impulse acts on the two spheres at "
      "points up to |v| h apart, so angular momentum is conserved to first order. After the "
      "impact: "
      "Newton's restitution along the line of centres, Coulomb's friction across it. The error is "
      "the root mean square over 16 pairs that meet at different moments.",
      kStep,
      {{"momentum", "N s", "constant", 0, 1e-11},
       {"angular momentum", "N m s", "constant", 1, 0},
       {"velocities after", "m/s", "impulse (1 + e) uₙ/(1/m₁ + 1/m₂), friction ≤ μ of it", 1, 0}},
      two_body_errors};
}

}  // namespace perpend::verify
