// The geometry of one frame: contacts twice at one place, limits that are violated, turns that are
// too wide, overlaps that compliance keeps.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

// Of the smaller body's size. One corner in two faces of a round body has two gaps.
constexpr double kSamePlace = 1e-6, kSameGap = 1e-9;
constexpr double kBeside = 5e-4;
constexpr double kSameDirection = 1e-6;  // 1 - cosine

// Two contacts at one place, with one gap, that push alike.
bool within(const Frame& frame, Index i, Index j, double place, double gap) {
  const Contacts& k = frame.contacts;
  const bool same = k.pairs(i, 0) == k.pairs(j, 0) || k.pairs(i, 1) == k.pairs(j, 1);
  if (1 - (same ? 1 : -1) * k.normals.row(i).dot(k.normals.row(j)) > kSameDirection) return false;
  const Vector3d x = frame.bodies.positions.row(k.pairs(i, 0)) + k.points.row(i);
  const Vector3d y = frame.bodies.positions.row(k.pairs(j, 0)) + k.points.row(j);
  return (x - y).norm() <= place && std::abs(k.gap[i] - k.gap[j]) <= gap;
}

bool same_place(const Frame& frame, Index i, Index j, double size) {
  return within(frame, i, j, kSamePlace * size, kSameGap * size);
}

// Of the moving bodies of a contact; infinite: not known.
double smaller_size(const Frame& frame, Index contact, const Sizes& sizes) {
  double out = std::numeric_limits<double>::infinity();
  for (const Index body :
       {Index(frame.contacts.pairs(contact, 0)), Index(frame.contacts.pairs(contact, 1))})
    if (const double size = sizes.of(frame, body); !frame.bodies.fixed(body) && size > 0)
      out = std::min(out, size);
  return out;
}

// A body on two fixed ones that are one above the other: each contact of one has a twin on the
// other. Fewer than three may be a seam.
void count_doubled_supports(const Frame& frame, const Sizes& sizes, Share& out) {
  const Contacts& k = frame.contacts;
  std::map<Index, std::map<Index, std::vector<Index>>> supports;  // contacts by body, fixed body
  for (Index i = 0; i < k.count(); ++i)
    for (Index side = 0; side < 2; ++side)
      if (const Index body = k.pairs(i, side), on = k.pairs(i, 1 - side);
          frame.bodies.fixed(on) && !frame.bodies.fixed(body))
        supports[body][on].push_back(i);
  for (const auto& [body, all] : supports)
    for (auto a = all.begin(); a != all.end(); ++a)
      for (auto b = all.begin(); b != a; ++b) {
        const auto &rows = a->second, &others = b->second;
        if (rows.size() < 3 || rows.size() != others.size()) continue;
        const double size = sizes.of(frame, body);
        if (!std::all_of(rows.begin(), rows.end(), [&](Index i) {
              return std::any_of(others.begin(), others.end(),
                                 [&](Index j) { return same_place(frame, i, j, size); });
            }))
          continue;
        out.showed += static_cast<Index>(rows.size());
        out.worst.raise(1, rows.front());
      }
}

void count_twins(const Frame& frame, const Sizes& sizes, Vitals& out) {
  const Contacts& k = frame.contacts;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Index>> pairs;
  for (Index i = 0; i < k.count(); ++i)
    pairs[std::minmax(k.pairs(i, 0), k.pairs(i, 1))].push_back(i);
  for (const auto& [pair, rows] : pairs) {
    const double size = smaller_size(frame, rows.front(), sizes);
    for (Share* share : {&out.twins, &out.beside}) share->looked += static_cast<Index>(rows.size());
    if (!std::isfinite(size)) continue;
    for (std::size_t a = 1; a < rows.size(); ++a) {
      bool same = false, near = false;
      for (std::size_t b = 0; b < a; ++b) {
        near = near || beside(frame, rows[a], rows[b], size);
        same = same || (near && same_place(frame, rows[a], rows[b], size));
      }
      for (Share* share : {same ? &out.twins : nullptr, near ? &out.beside : nullptr}) {
        if (!share) continue;
        ++share->showed;
        share->worst.raise(1, rows[a]);
      }
    }
  }
}

}  // namespace

bool beside(const Frame& frame, Index i, Index j, double size) {
  return within(frame, i, j, kBeside * size, kBeside * size);
}

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
  count_twins(frame, sizes, out);
  count_doubled_supports(frame, sizes, out.twins);
  std::vector<bool> touched(static_cast<std::size_t>(frame.bodies.count()), false);
  const Contacts& k = frame.contacts;
  for (Index i = 0; i < k.count(); ++i)
    for (Index side = 0; side < 2; ++side)
      touched[static_cast<std::size_t>(k.pairs(i, side))] = true;
  for (const Pairs* pairs : {&frame.joints.pairs, &frame.joints.pairs2})
    for (Index j = 0; j < pairs->size(); ++j)
      touched[static_cast<std::size_t>(pairs->data()[j])] = true;
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
  for (Index i = 0; i < k.count(); ++i)
    if (k.gap[i] < 0) out.inside.raise(-k.gap[i] / smaller_size(frame, i, sizes), i);
  const bool soft = k.cfm.rows() > 0;
  if (record.answer.z.rows() == k.count())
    for (Index i = 0; i < k.count(); ++i) {
      if (!soft || !(k.gap[i] < 0) || !(record.answer.z(i, 0) > 0)) continue;
      // Compliance keeps it open if it takes up most of what the row does about the overlap.
      const double keeps = k.cfm(i, 0) * record.answer.z(i, 0);
      const double asks = k.bias.rows() > 0 ? -k.bias(i, 0) : -0.1 * k.gap[i] / frame.step;
      if (!(keeps > 0) || !(keeps > 0.5 * asks)) continue;
      out.soft.raise(-k.gap[i] / smaller_size(frame, i, sizes), i);
    }
}

}  // namespace perpend::doctor
