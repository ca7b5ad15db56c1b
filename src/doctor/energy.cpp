// Energy that nobody gives: the work of contacts and hard joints in a step is lambda . u, with u
// the mean of their speeds before and after. Friction and contact only take; what they give comes
// from overlaps and joint errors that are pushed apart, or from an answer that is wrong. Motors,
// springs and moving bodies give by right.
#include <algorithm>
#include <cmath>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

bool drives(const Joints& joints, Index row) {
  const bool motor = std::isfinite(joints.bounds(row, 0)) && std::isfinite(joints.bounds(row, 1));
  const bool moves = joints.rate.size() > 0 && joints.rate[row] != 0;
  const bool soft = joints.compliance.size() > 0 && joints.compliance[row] != 0;
  return motor || moves || soft;
}

}  // namespace

void examine_energy(const io::Record& record, const System& rigid, const Sizes& sizes,
                    Vitals& out) {
  const Frame& frame = record.frame;
  const Impulses lambda = answer_of(record, rigid);
  const Index m = rigid.contacts();
  VectorXd before = rigid.b - rigid.c, after = relative_velocity(rigid, lambda) - rigid.c;
  if (frame.joints.compliance.size() > 0)
    after.tail(rigid.joint_rows()) -=
        frame.joints.compliance.cwiseProduct(lambda.tail(rigid.joint_rows()));
  double work = 0;
  for (Index i = 0; i < m; ++i) {
    const Index row = rigid.frame_contact[static_cast<std::size_t>(i)];
    work += lambda.segment<3>(3 * i).dot(before.segment<3>(3 * i) + after.segment<3>(3 * i)) / 2;
    const double e = frame.contacts.restitution.size() ? frame.contacts.restitution[row] : 0;
    const double bounce = std::max(0.0, -e * rigid.normal_velocity[i]);
    if (lambda[3 * i] > 0) out.push.raise(after[3 * i] - bounce, row);
  }
  for (Index j = 0; j < rigid.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    if (drives(frame.joints, j)) continue;
    work += lambda[row] * (before[row] + after[row]) / 2;
    // As the speed of the masses that it moves, whatever the row's unit.
    const double rho = effective_joint_mass(rigid, j);
    if (lambda[row] * after[row] <= 0) continue;
    double mass = 0;
    const auto& space = std::get<BodySpace>(rigid.A);
    const BodySpace::JointRow* pair = &space.joints[static_cast<std::size_t>(j)];
    for (; pair; pair = space.other(*pair))
      for (const Index body : {pair->first, pair->second})
        if (!frame.bodies.fixed(body)) mass = std::max(mass, frame.bodies.masses[body]);
    out.push.raise(std::abs(after[row]) * std::sqrt(std::min(1.0, rho / mass)),
                   frame.contacts.count() + j);
  }
  out.injected = std::max(0.0, work);
  for (Index i = 0; i < frame.bodies.count(); ++i) {
    if (frame.bodies.fixed(i)) continue;
    const double mass = frame.bodies.masses[i];
    out.energy += mass * (out.gravity * sizes.of(frame, i) +
                          frame.bodies.velocities.row(i).head<3>().squaredNorm() / 2);
  }
}

}  // namespace perpend::doctor
