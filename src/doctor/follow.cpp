// Contacts from one frame to the next: do their normals turn faster than the bodies, do they come
// and go while the bodies rest, do bodies overlap that nothing announced?
//
// A contact is followed by its place. In a step its normal turns by (|w1| + |w2|) h and, on round
// bodies, by the distance that it travels over their size.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

constexpr double kNoise = 0.03;  // rad
constexpr double kNear = 0.02;   // of the smaller body's size
constexpr double kReversed = 2;  // rad: it points the other way

using Ids = std::pair<std::int64_t, std::int64_t>;

struct Followed {
  Index row;
  Vector3d place, normal;  // the normal away from the body with the smaller id
  double gap, impulse;
  double closing;  // m/s, of the gap after the step; NaN: unknown
};

struct Pair {
  Index first, second;  // bodies of the frame
  std::vector<Followed> contacts;
};

Vector3d speed_at(const Rows6& v, Index body, const Vector3d& arm) {
  const Vector3d turn = v.row(body).tail<3>();
  return v.row(body).head<3>().transpose() + turn.cross(arm);
}

std::map<Ids, Pair> pairs_of(const io::Record& record) {
  const Frame& frame = record.frame;
  const Contacts& k = frame.contacts;
  const bool answered = record.answer.z.rows() == k.count();
  const bool plus = record.answer.velocities_plus.rows() == frame.bodies.count();
  std::map<Ids, Pair> out;
  for (Index i = 0; i < k.count(); ++i) {
    const Index a = k.pairs(i, 0), b = k.pairs(i, 1);
    const std::int64_t id_a = frame.bodies.ids[static_cast<std::size_t>(a)],
                       id_b = frame.bodies.ids[static_cast<std::size_t>(b)];
    const bool kept = id_a < id_b;
    Pair& pair = out[kept ? Ids{id_a, id_b} : Ids{id_b, id_a}];
    pair.first = kept ? a : b;
    pair.second = kept ? b : a;
    Followed one;
    one.row = i;
    one.place = frame.bodies.positions.row(a) + k.points.row(i);
    one.normal = (kept ? 1 : -1) * k.normals.row(i);
    one.gap = k.gap[i];
    one.impulse = answered ? record.answer.z(i, 0) : 1;
    one.closing = kUnknown;
    if (plus) {
      const Rows6& v = record.answer.velocities_plus;
      const Vector3d r2 = one.place - frame.bodies.positions.row(b).transpose();
      one.closing =
          k.normals.row(i).dot(speed_at(v, b, r2) - speed_at(v, a, k.points.row(i).transpose()));
    }
    pair.contacts.push_back(one);
  }
  return out;
}

double between(const Vector3d& a, const Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// The smallest angle to a contact of the other frame that is near; infinite: none is near.
struct Nearest {
  double angle = std::numeric_limits<double>::infinity();
  const Followed* contact = nullptr;
};
Nearest nearest(const Followed& one, const Pair& others, double reach) {
  Nearest out;
  for (const Followed& other : others.contacts) {
    if ((other.place - one.place).norm() > reach) continue;
    const double angle = between(one.normal, other.normal);
    if (angle < out.angle) out = {angle, &other};
  }
  return out;
}

struct Motion {
  double turn, travel;  // rad/s of both; m/s of both at the contact
};
Motion motion_of(const Frame& frame, const Pair& pair, const Vector3d& place) {
  Motion out{0, 0};
  Vector3d v[2];
  int side = 0;
  for (const Index body : {pair.first, pair.second}) {
    const Rows6& all = frame.bodies.velocities;
    v[side] = speed_at(all, body, place - frame.bodies.positions.row(body).transpose());
    out.turn += all.row(body).tail<3>().norm();
    out.travel += v[side++].norm();
  }
  return out;
}

void follow_normals(const Frame& frame, const Pair& was, const Pair& is, double size, Vitals& out) {
  for (const Followed& one : is.contacts) {
    const Motion motion = motion_of(frame, is, one.place);
    const double h = frame.step;
    const double reach = kNear * size + 2 * h * motion.travel;
    const double allowed = kNoise + 2 * h * (motion.turn + motion.travel / size);
    const Nearest old = nearest(one, was, reach);
    if (!old.contact || (one.impulse <= 0 && old.contact->impulse <= 0)) continue;
    ++out.jumps.looked;
    if (old.angle <= allowed) continue;
    // Beside a contact that stays, a new one with another normal is a new face.
    if (nearest(*old.contact, is, reach).angle <= allowed) continue;
    ++out.jumps.showed;
    out.jumps.worst.raise(old.angle, one.row);
    if (old.angle > kReversed && motion.travel * h < 0.2 * size) ++out.flips;
  }
}

// Overlap beyond what the frame before predicted with its own speeds after the step.
void find_surprise(double h, const Pair* was, const Pair& is, double size, Vitals& out) {
  double predicted = 0;
  if (was)
    for (const Followed& one : was->contacts) {
      const double gap = one.gap + h * (std::isnan(one.closing) ? 0 : one.closing);
      predicted = std::max({predicted, -gap, -one.gap});
    }
  for (const Followed& one : is.contacts)
    out.surprise.raise((-one.gap - predicted) / size, one.row);
}

void find_flicker(const Frame& frame, const Pair& was, const Pair& is, double size, Vitals& out) {
  double speed = 0;
  for (const Index body : {is.first, is.second})
    if (!frame.bodies.fixed(body))
      speed = std::max(speed, frame.bodies.velocities.row(body).head<3>().norm() +
                                  size * frame.bodies.velocities.row(body).tail<3>().norm());
  if (speed > 0.05 * frame.step * out.gravity) return;
  double load = 0;
  for (const Followed& one : is.contacts) load = std::max(load, one.impulse);
  if (!(load > 0)) return;
  ++out.flicker.looked;
  Index lost = 0;
  for (const Followed& one : was.contacts)
    if (!nearest(one, is, kNear * size).contact) ++lost;
  for (const Followed& one : is.contacts)
    if (!nearest(one, was, kNear * size).contact) ++lost;
  if (lost == 0) return;
  ++out.flicker.showed;
  out.flicker.sum += speed;
  out.flicker.worst.raise(static_cast<double>(lost), is.contacts.front().row);
}

// A contact of a moving body on a fixed one.
struct Support {
  Index row, body;
  Vector3d place, normal;  // on the fixed body, towards the moving one
  bool loaded;
};

std::vector<Support> supports_of(const io::Record& record) {
  const Frame& frame = record.frame;
  const Contacts& k = frame.contacts;
  std::vector<Support> out;
  if (record.answer.z.rows() != k.count()) return out;
  for (Index i = 0; i < k.count(); ++i) {
    const Index a = k.pairs(i, 0), b = k.pairs(i, 1);
    if (frame.bodies.fixed(a) == frame.bodies.fixed(b)) continue;
    const bool moves_second = frame.bodies.fixed(a);
    Vector3d place = frame.bodies.positions.row(a) + k.points.row(i);
    if (!moves_second) place += k.gap[i] * k.normals.row(i);  // off rounded corners
    const Vector3d normal = (moves_second ? 1 : -1) * k.normals.row(i);
    out.push_back({i, moves_second ? b : a, place, normal, record.answer.z(i, 0) > 0});
  }
  return out;
}

// A ghost edge: a contact that pushes against the way of a body, in the plane on which it slides,
// and is gone in the next frame, where the body has moved through it.
void find_ghosts(const io::Record& before, const io::Record& now, const Sizes& sizes, Vitals& out) {
  constexpr double kTilted = 0.15, kFlush = 2e-3, kPassed = 5e-3;  // rad; of the body's size
  const std::vector<Support> old = supports_of(before);
  if (old.size() < 2) return;
  const Bodies &b = before.frame.bodies, &c = now.frame.bodies;
  if (b.ids != c.ids) return;
  const std::vector<Support> current = supports_of(now);
  const auto stays = [&](const Support& one, bool loaded) {
    return std::any_of(current.begin(), current.end(), [&](const Support& other) {
      return other.body == one.body && (other.loaded || !loaded) &&
             between(other.normal, one.normal) < kTilted / 2;
    });
  };
  for (const Support& ghost : old) {
    if (!ghost.loaded) continue;
    const double size = sizes.of(before.frame, ghost.body);
    const bool flush = std::any_of(old.begin(), old.end(), [&](const Support& support) {
      return support.body == ghost.body && support.loaded &&
             between(support.normal, ghost.normal) > kTilted &&
             support.normal.dot(ghost.normal) > -0.5 &&
             std::abs(support.normal.dot(ghost.place - support.place)) < kFlush * size &&
             stays(support, false);
    });
    if (!flush) continue;
    ++out.ghosts.looked;
    const Vector3d arm = ghost.place - b.positions.row(ghost.body).transpose();
    const Vector3d turn = c.velocities.row(ghost.body).tail<3>();
    const Vector3d moved = (c.positions.row(ghost.body) - b.positions.row(ghost.body)).transpose() +
                           before.frame.step * turn.cross(arm);
    if (stays(ghost, true) || moved.dot(ghost.normal) > -kPassed * size) continue;
    ++out.ghosts.showed;
    out.ghosts.worst.raise(-moved.dot(ghost.normal), ghost.row);
  }
}

}  // namespace

void follow(const io::Record& before, const io::Record& now, const Sizes& sizes, Vitals& out) {
  find_ghosts(before, now, sizes, out);
  const std::map<Ids, Pair> old = pairs_of(before), current = pairs_of(now);
  for (const auto& [ids, is] : current) {
    const double size = sizes.smaller(now.frame, is.first, is.second);
    if (!(size > 0) || !std::isfinite(size)) continue;
    const auto found = old.find(ids);
    const Pair* was = found == old.end() ? nullptr : &found->second;
    find_surprise(before.frame.step, was, is, size, out);
    if (!was) continue;
    follow_normals(now.frame, *was, is, size, out);
    find_flicker(now.frame, *was, is, size, out);
  }
}

}  // namespace perpend::doctor
