// Why nothing can be restored from a snapshot.
#include <cmath>

#include "perpend/scene.hpp"
#include "scene/limits.hpp"

namespace perpend {
namespace {

// Bullet's matrices are rotations to rounding; who writes them by hand may have fewer digits.
constexpr double kUnitTolerance = 1e-6;

std::string invalid(const Snapshot::Placement& placed) {
  if (!placed.axes.allFinite()) return "not finite";
  if (std::string why = scene::numbers("position", placed.position); !why.empty()) return why;
  if ((placed.axes.transpose() * placed.axes - Matrix3d::Identity()).norm() > kUnitTolerance ||
      placed.axes.determinant() < 0)
    return "the axes are not a rotation";
  return {};
}

std::string invalid(const Snapshot::Body& body) {
  if (const std::string why = invalid(body.pose); !why.empty()) return "pose: " + why;
  if (const std::string why = invalid(body.previous); !why.empty()) return "previous: " + why;
  if (std::string why = scene::numbers("velocity", body.velocity); !why.empty()) return why;
  if (!body.force.allFinite()) return "force: not finite";
  if (body.activation < 1 || body.activation > 6) return "activation: not in 1 ... 6";
  if (!std::isfinite(body.resting) || body.resting < 0) return "resting: negative or not finite";
  return {};
}

std::string at(const char* list, std::size_t i, const std::string& why) {
  return std::string(list) + " " + std::to_string(i) + "/" + why;
}

}  // namespace

std::string invalid(const Snapshot& s) {
  if (!std::isfinite(s.h) || s.h < 0) return "dt: negative or not finite";
  if (s.step < 0) return "step: negative";
  if (!std::isfinite(s.remaining)) return "remaining: not finite";
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (const std::string why = invalid(s.bodies[i]); !why.empty()) return at("bodies", i, why);
    if (i > 0 && s.bodies[i - 1].id >= s.bodies[i].id)
      return at("bodies", i, "id: ids do not ascend");
  }
  for (std::size_t i = 0; i < s.pairs.size(); ++i) {
    const Snapshot::Pair& pair = s.pairs[i];
    if (i > 0 && std::pair(s.pairs[i - 1].first, s.pairs[i - 1].second) >=
                     std::pair(pair.first, pair.second))
      return at("contacts", i, "first, second: pairs do not ascend");
    for (const Snapshot::Contact& contact : pair.contacts)
      if (!contact.impulse.allFinite()) return at("contacts", i, "impulses: not finite");
  }
  for (std::size_t i = 0; i < s.joints.size(); ++i) {
    if (!std::isfinite(s.joints[i].impulse)) return at("joints", i, "impulse: not finite");
    for (const Snapshot::Row& row : s.joints[i].rows)
      if (!std::isfinite(row.impulse)) return at("joints", i, "rows: not finite");
    for (const Snapshot::Drive& drive : s.joints[i].drives) {
      if (drive.axis < 0 || drive.axis > 5) return at("joints", i, "drives: axis: not in 0 ... 5");
      if (!std::isfinite(drive.coordinate) || !std::isfinite(drive.force))
        return at("joints", i, "drives: not finite");
      if (const std::string why = invalid(drive.drive); !why.empty())
        return at("joints", i, "drives: " + why);
    }
  }
  return {};
}

}  // namespace perpend
