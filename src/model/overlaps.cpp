// Bodies that overlap in the pose of the start, as the simulator finds contacts.
#include <algorithm>
#include <map>
#include <set>

#include "model/assembly.hpp"
#include "perpend/base.hpp"
#include "perpend/sim.hpp"

namespace perpend::model {
namespace {

constexpr double kOverlap = 1e-4;  // m

}  // namespace

void check_overlaps(const Built& built, Report& report) {
  const Scene& scene = built.scene;
  Scene free = scene;
  // A step turns overlaps into speed; of a second and at rest it tells them as they are.
  free.apart.clear();
  free.step = 1;
  free.gravity.setZero();
  for (Body& body : free.bodies) body.velocity.setZero();
  const auto count = static_cast<Index>(scene.bodies.size());
  const auto body = [&](Index i) -> const Body& {
    return scene.bodies[static_cast<std::size_t>(i)];
  };
  BodyPairs neighbours = built.meant;
  std::multimap<Index, Index> behind;  // of links without shapes
  for (const Joint& joint : scene.joints) {
    neighbours.insert(std::minmax(joint.first, joint.second));
    behind.emplace(joint.first, joint.second);
  }
  for (const Joint& joint : scene.joints) {
    std::vector<Index> next{joint.second};
    for (Index steps = 0; !next.empty() && steps < count; ++steps) {
      const Index at = next.back();
      next.pop_back();
      neighbours.insert(std::minmax(joint.first, at));
      if (at < 0 || body(at).mask != 0) continue;
      const auto [from, to] = behind.equal_range(at);
      for (auto one = from; one != to; ++one) next.push_back(one->second);
    }
  }
  std::map<std::pair<Index, Index>, double> deepest;
  const Frame frame = first_frame(free);
  for (Index c = 0; c < frame.contacts.count(); ++c) {
    const double depth = -frame.contacts.gap[c];
    const Index a = frame.contacts.pairs(c, 0), b = frame.contacts.pairs(c, 1);
    if (depth < kOverlap || a < 0 || b < 0 || a >= count || b >= count) continue;
    if (!(body(a).group & body(b).mask) || !(body(b).group & body(a).mask)) continue;
    if (neighbours.contains(std::minmax(a, b))) continue;
    double& found = deepest[std::minmax(a, b)];
    found = std::max(found, depth);
  }
  for (const auto& [pair, depth] : deepest)
    report.find("overlap",
                "links '" + body(pair.first).name + "' and '" + body(pair.second).name + "'",
                built.places[static_cast<std::size_t>(pair.first)], depth, "m",
                "they overlap by " + short_number(1e3 * depth) + " mm at the start");
}

}  // namespace perpend::model
