// The geometry of one frame: contacts twice at one place, limits that are violated, turns that are
// too wide, overlaps that compliance keeps.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

constexpr double kSamePlace = 1e-6;      // of the smaller body's size
constexpr double kSameGap = 1e-9;        // of it
constexpr double kSameDirection = 1e-6;  // 1 - cosine

void count_twins(const Frame& frame, const Sizes& sizes, Share& out) {
  const Contacts& k = frame.contacts;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Index>> pairs;
  for (Index i = 0; i < k.count(); ++i)
    pairs[std::minmax(k.pairs(i, 0), k.pairs(i, 1))].push_back(i);
  for (const auto& [pair, rows] : pairs) {
    double size = std::numeric_limits<double>::infinity();
    for (const std::int64_t body : {pair.first, pair.second})
      if (!frame.bodies.fixed(body)) size = std::min(size, sizes.of(frame, body));
    out.looked += static_cast<Index>(rows.size());
    for (std::size_t a = 1; a < rows.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Index i = rows[a], j = rows[b];
        const bool same = k.pairs(i, 0) == k.pairs(j, 0);
        const double sign = same ? 1 : -1;
        if (1 - sign * k.normals.row(i).dot(k.normals.row(j)) > kSameDirection) continue;
        const Vector3d x = frame.bodies.positions.row(k.pairs(i, 0)) + k.points.row(i);
        const Vector3d y = frame.bodies.positions.row(k.pairs(j, 0)) + k.points.row(j);
        if ((x - y).norm() > kSamePlace * size) continue;
        // One corner in two faces of a round body has two gaps.
        if (std::abs(k.gap[i] - k.gap[j]) > kSameGap * size) continue;
        ++out.showed;
        out.worst.raise(1, i);
        break;
      }
  }
}

}  // namespace

Peak mass_ratio(const Frame& frame) {
  Peak out;
  const auto look = [&](Index a, Index b, Index row) {
    const double m = frame.bodies.masses[a], n = frame.bodies.masses[b];
    if (m > 0 && n > 0) out.raise(std::max(m / n, n / m), row);
  };
  const Contacts& k = frame.contacts;
  for (Index i = 0; i < k.count(); ++i) look(k.pairs(i, 0), k.pairs(i, 1), i);
  for (Index j = 0; j < frame.joints.count(); ++j)
    look(frame.joints.pairs(j, 0), frame.joints.pairs(j, 1), k.count() + j);
  return out;
}

void examine_geometry(const io::Record& record, const Sizes& sizes, Vitals& out) {
  const Frame& frame = record.frame;
  out.ratio = mass_ratio(frame);
  count_twins(frame, sizes, out.twins);
  std::vector<bool> touched(static_cast<std::size_t>(frame.bodies.count()), false);
  const Contacts& k = frame.contacts;
  for (Index i = 0; i < k.count(); ++i)
    for (Index side = 0; side < 2; ++side)
      touched[static_cast<std::size_t>(k.pairs(i, side))] = true;
  for (Index j = 0; j < frame.joints.count(); ++j)
    for (Index side = 0; side < 2; ++side)
      touched[static_cast<std::size_t>(frame.joints.pairs(j, side))] = true;
  for (Index i = 0; i < frame.bodies.count(); ++i)
    if (!frame.bodies.fixed(i) && touched[static_cast<std::size_t>(i)])
      out.turn.raise(frame.step * frame.bodies.velocities.row(i).tail<3>().norm(), i);
  for (Index j = 0; j < frame.joints.row_count(); ++j) {
    const bool one_sided =
        std::isfinite(frame.joints.bounds(j, 0)) != std::isfinite(frame.joints.bounds(j, 1));
    if (!one_sided) continue;
    const double inside = std::isfinite(frame.joints.bounds(j, 0)) ? frame.joints.violation[j]
                                                                   : -frame.joints.violation[j];
    out.limit.raise(-inside, j);
  }
  const bool soft = k.cfm.rows() > 0;
  if (record.answer.z.rows() == k.count())
    for (Index i = 0; i < k.count(); ++i) {
      if (!soft || !(k.gap[i] < 0) || !(record.answer.z(i, 0) > 0)) continue;
      // Compliance keeps it open if it takes up most of what the row does about the overlap.
      const double keeps = k.cfm(i, 0) * record.answer.z(i, 0);
      const double asks = k.bias.rows() > 0 ? -k.bias(i, 0) : -0.1 * k.gap[i] / frame.step;
      if (!(keeps > 0) || !(keeps > 0.5 * asks)) continue;
      double size = std::numeric_limits<double>::infinity();
      for (Index side = 0; side < 2; ++side)
        if (!frame.bodies.fixed(k.pairs(i, side)))
          size = std::min(size, sizes.of(frame, k.pairs(i, side)));
      out.soft.raise(-k.gap[i] / size, i);
    }
}

}  // namespace perpend::doctor
