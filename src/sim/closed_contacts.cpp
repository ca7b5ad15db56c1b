#include "sim/closed_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/project.hpp"

namespace perpend::sim {
namespace {

constexpr double kClosed = 1e-5;   // of the smaller body's radius: gaps below it
constexpr double kAtOnce = 0.05;   // of that: what the curved way may add in one step
constexpr double kAtLimit = 1e-5;  // of its limit: friction this near to it is at it

bool loaded(const Start& start, Index i) { return start.impulses[3 * i] > 0; }

bool slides(const Start& start, Index i, double mu) {
  return loaded(start, i) && mu > 0 &&
         start.impulses.segment<2>(3 * i + 1).norm() >= (1 - kAtLimit) * mu * start.impulses[3 * i];
}

// Of its two bodies; contacts of a pair follow each other.
bool only(const Contacts& contacts, Index i) {
  const auto same = [&](Index k) {
    return k >= 0 && k < contacts.count() && contacts.pairs.row(k) == contacts.pairs.row(i);
  };
  return !same(i - 1) && !same(i + 1);
}

// By how much a step of two balls of this radius, past each other, opens their contact. m
double curved(const Frame& frame, Index i, double radius) {
  const Contacts& c = frame.contacts;
  const auto speed =
      (frame.bodies.velocities.row(c.pairs(i, 1)) - frame.bodies.velocities.row(c.pairs(i, 0)))
          .head<3>();
  const double way = frame.step * speed.cross(c.normals.row(i)).norm();
  return way * way / (2 * radius);
}

}  // namespace

void keep_closed(Frame& frame, const std::vector<Island>& islands, const StepBodies& bodies,
                 const Start& start) {
  Contacts& contacts = frame.contacts;
  if (start.impulses.size() < 3 * contacts.count()) return;
  const auto sliding = [&](Index i) { return slides(start, i, contacts.mu[i]); };
  const auto moves = [&](Index row) { return bodies.moves(row); };
  const auto radius = [&](Index row) {
    return moves(row) ? bodies[row].radius : std::numeric_limits<double>::infinity();
  };
  for (const Island& island : islands) {
    const auto rows = 3 * std::count_if(island.contacts.begin(), island.contacts.end(),
                                        [&](Index i) { return loaded(start, i); });
    if (rows <= 6 * std::count_if(island.bodies.begin(), island.bodies.end(), moves)) continue;
    if (std::none_of(island.contacts.begin(), island.contacts.end(), sliding)) continue;
    for (const Index i : island.contacts) {
      const double gap = contacts.asked_gap()[i];
      if (!loaded(start, i)) continue;
      if (std::abs(gap) < kAccurate) ask_for(contacts, i, 0);
      if (!(gap >= kAccurate) || !only(contacts, i)) continue;
      const double smaller = std::min(radius(contacts.pairs(i, 0)), radius(contacts.pairs(i, 1)));
      const double most = kClosed * smaller;
      if (gap < most && curved(frame, i, smaller) < kAtOnce * most) ask_for(contacts, i, 0);
    }
  }
}

}  // namespace perpend::sim
