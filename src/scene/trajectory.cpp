// What a run looked like, from poses and velocities alone.
//
// The reference pose is the start when the scene is at rest then, else the first state after which
// |v| + |w| R < 1e-2 m/s for every moving body (R: its radius) during 0.25 s. From it on, the
// largest displacement of any centre of mass orthogonal to gravity (drift) and along it (sag), and
// the largest angle of any body (turn), over bodies and over time. Without gravity the whole
// displacement is drift.
//
// creep is the largest distance between a body's places at the end and in the middle of the run,
// per second: every state is kept for it while there are few, then every second, fourth, ... one;
// the middle is the kept state nearest to it.
//
// fell compares the end with the start. A scene at rest fell when a body lies lower than at the
// start by a quarter of its radius. One that is dropped and ought to stand fell when that is true
// of a body's height over the lowest moving body.
#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/scene.hpp"

namespace perpend {
namespace {

constexpr double kRestSpeed = 1e-2;       // m/s
constexpr double kRestTime = 0.25;        // s
constexpr double kLostHeight = 0.25;      // of the radius
constexpr Index kMostKept = 1024;         // states
constexpr Index kMostKeptRows = 1 << 20;  // of positions, over all states: 24 MiB

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct MovingBody {
  Index row;
  double mass, radius;
  Matrix3d inertia;  // about the centre of mass, axes of the shape
};

struct KeptState {
  Index step;
  double time;
  Rows3 positions;
};

struct Largest {
  double drift = 0, sag = 0, turn = 0;
};

Eigen::Quaterniond orientation(const State& state, Index row) {
  const auto q = state.quaternions.row(row);
  return {q[0], q[1], q[2], q[3]};
}

// |angle| of the turn from one to the other; q and -q are the same orientation.
double angle_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  const Eigen::Quaterniond turn = to * from.conjugate();
  return 2 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}

}  // namespace

struct Trajectory::Bookkeeping {
  Vector3d gravity, down;  // down: a unit vector, zero without gravity
  bool at_rest, stands;
  std::vector<MovingBody> moving;
  Index rows;
  State start, last, reference;
  bool quiet = false, referenced = false;  // `reference` is a candidate while quiet only
  Largest since;                           // the candidate or the reference
  std::vector<KeptState> kept;
  Index step = 0, stride = 1, most_kept = 0;

  bool is_quiet(const State& state) const {
    return std::all_of(moving.begin(), moving.end(), [&](const MovingBody& body) {
      const auto v = state.velocities.row(body.row);
      return v.head<3>().norm() + v.tail<3>().norm() * body.radius < kRestSpeed;
    });
  }

  void refer_to(const State& state) {
    reference = state;
    since = {};
  }

  void compare(const State& state) {
    for (const MovingBody& body : moving) {
      const Vector3d moved = (state.positions.row(body.row) - reference.positions.row(body.row));
      const double along = moved.dot(down);
      since.drift = std::max(since.drift, (moved - along * down).norm());
      since.sag = std::max(since.sag, std::abs(along));
      since.turn = std::max(since.turn, angle_between(orientation(reference, body.row),
                                                      orientation(state, body.row)));
    }
  }

  void keep(const State& state) {
    if (step % stride != 0) return;
    kept.push_back({step, state.time, state.positions});
    if (static_cast<Index>(kept.size()) <= most_kept) return;
    stride *= 2;
    std::erase_if(kept, [&](const KeptState& k) { return k.step % stride != 0; });
  }

  double height(const State& state, const MovingBody& body) const {
    return -down.dot(state.positions.row(body.row));
  }

  double lowest(const State& state) const {
    double least = std::numeric_limits<double>::infinity();
    for (const MovingBody& body : moving) least = std::min(least, height(state, body));
    return least;
  }
};

Trajectory::Trajectory(const Scene& scene, const State& start)
    : kept_(std::make_shared<Bookkeeping>()) {
  Bookkeeping& b = *kept_;
  b.gravity = scene.gravity;
  b.down = scene.gravity.norm() > 0 ? scene.gravity.normalized() : Vector3d::Zero();
  b.at_rest = scene.at_rest;
  b.stands = scene.stands;
  b.rows = start.positions.rows();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (body.mass == 0) continue;
    b.moving.push_back({static_cast<Index>(i), body.mass, radius(body), inertia(body)});
  }
  b.most_kept = std::clamp<Index>(kMostKeptRows / std::max<Index>(b.rows, 1), 64, kMostKept);
  b.start = start;
  b.last = start;
  b.referenced = scene.at_rest;
  b.quiet = b.is_quiet(start);
  b.refer_to(start);
  b.keep(start);
}

void Trajectory::add(const State& state) {
  Bookkeeping& b = *kept_;
  ++b.step;
  b.last = state;
  if (!b.referenced) {
    if (!b.is_quiet(state)) {
      b.quiet = false;
    } else if (!b.quiet) {
      b.quiet = true;
      b.refer_to(state);
    }
  }
  if (b.referenced || b.quiet) b.compare(state);
  // A step's rounding must not cost another step of waiting.
  if (b.quiet && state.time - b.reference.time >= kRestTime - 1e-9) b.referenced = true;
  b.keep(state);
}

double Trajectory::drift() const { return kept_->referenced ? kept_->since.drift : kNone; }
double Trajectory::sag() const { return kept_->referenced ? kept_->since.sag : kNone; }
double Trajectory::turn() const { return kept_->referenced ? kept_->since.turn : kNone; }

double Trajectory::creep() const {
  const Bookkeeping& b = *kept_;
  const double middle = (b.start.time + b.last.time) / 2;
  const auto nearest =
      std::min_element(b.kept.begin(), b.kept.end(), [&](const KeptState& x, const KeptState& y) {
        return std::abs(x.time - middle) < std::abs(y.time - middle);
      });
  const double seconds = b.last.time - nearest->time;
  if (seconds <= 0) return 0;
  double farthest = 0;
  for (const MovingBody& body : b.moving)
    farthest = std::max(farthest,
                        (b.last.positions.row(body.row) - nearest->positions.row(body.row)).norm());
  return farthest / seconds;
}

bool Trajectory::fell() const {
  const Bookkeeping& b = *kept_;
  if (!b.at_rest && !b.stands) return false;
  const double ground_then = b.at_rest ? 0 : b.lowest(b.start);
  const double ground_now = b.at_rest ? 0 : b.lowest(b.last);
  return std::any_of(b.moving.begin(), b.moving.end(), [&](const MovingBody& body) {
    const double lost =
        (b.height(b.start, body) - ground_then) - (b.height(b.last, body) - ground_now);
    // Not a number counts as fallen.
    return !(lost <= kLostHeight * body.radius);
  });
}

double Trajectory::kinetic_energy() const {
  const Bookkeeping& b = *kept_;
  double sum = 0;
  for (const MovingBody& body : b.moving) {
    const Vector3d v = b.last.velocities.row(body.row).head<3>();
    const Vector3d w = orientation(b.last, body.row).conjugate() *
                       Vector3d(b.last.velocities.row(body.row).tail<3>());
    sum += 0.5 * body.mass * v.squaredNorm() + 0.5 * w.dot(body.inertia * w);
  }
  return sum;
}

double Trajectory::energy() const {
  const Bookkeeping& b = *kept_;
  double potential = 0;
  for (const MovingBody& body : b.moving)
    potential -= body.mass * b.gravity.dot(b.last.positions.row(body.row));
  return kinetic_energy() + potential;
}

}  // namespace perpend
