#include "sim/open_rows.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/base.hpp"
#include "perpend/io/names.hpp"

namespace perpend::sim {
namespace {

constexpr double kTold = 1e-6;  // m or rad
constexpr std::size_t kNamed = 3;

// The worst row of a joint.
void append(const StepSetup& setup, Index joint, std::vector<OpenRow>& list) {
  const HeldJoint& held = setup.joints.list[static_cast<std::size_t>(joint)];
  OpenRow worst;
  for (Index r = held.start; r < held.start + held.count; ++r) {
    const JointRow& row = setup.joints.rows[static_cast<std::size_t>(r)];
    if (!row.position || row.compliance != 0) continue;
    const double open = row.bilateral() ? std::abs(row.violation) : -row.violation;
    if (open <= std::max(worst.open, kTold)) continue;
    const auto& j = row.jacobian;
    const bool turns = j.segment<3>(0).isZero(0) && j.segment<3>(6).isZero(0);
    worst = {-1, r, open, turns ? "rad" : "m", {}};
  }
  if (worst.joint_row >= 0) list.push_back(worst);
}

// The worst first, by name.
void sort(const StepSetup& setup, std::vector<OpenRow>& list, std::size_t most) {
  std::stable_sort(list.begin(), list.end(),
                   [](const OpenRow& a, const OpenRow& b) { return a.open > b.open; });
  if (list.size() > most) list.resize(most);
  const Integers ids = joint_ids(setup.joints);
  static const io::Names none;
  const io::FrameNames names(none, setup.frame, ids);
  for (OpenRow& one : list) {
    if (one.contact >= 0) {
      one.where = names.contact(one.contact);
      continue;
    }
    const Index joint = names.joint_of(one.joint_row);
    const auto pair = setup.frame.joints.pairs.row(joint);
    one.where = names.joint(joint) + " of " + names.pair(pair[0], pair[1]);
  }
}

}  // namespace

std::vector<OpenRow> most_open(const StepSetup& setup, const Solution& solution) {
  std::vector<OpenRow> list;
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    if (!solution.outcomes[k].held) continue;
    for (const Index joint : solution.islands[k].joints) append(setup, joint, list);
    for (const Index i : solution.islands[k].contacts)
      if (const double deep = -setup.touches.list[static_cast<std::size_t>(i)].point.gap;
          deep > kTold)
        list.push_back({i, -1, deep, "m", {}});
  }
  sort(setup, list, kNamed);
  return list;
}

std::string open_at_start(const StepSetup& setup) {
  std::vector<OpenRow> list;
  for (Index k = 0; k < setup.frame.joints.count(); ++k) append(setup, k, list);
  if (list.empty()) return {};
  const std::size_t count = list.size();
  sort(setup, list, kNamed);
  std::string told = "open at the start: ";
  for (std::size_t k = 0; k < list.size(); ++k)
    told += (k > 0 ? ", " : "") + list[k].where + formatted(" by %.3g ", list[k].open) +
            std::string(list[k].unit);
  if (count > kNamed) told += ", and more joints: " + std::to_string(count - kNamed);
  return told;
}

}  // namespace perpend::sim
