// The proof of a recording: M (v+ - v) = h f + J^T lambda, from the recorded numbers alone.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

// The terms of one body's balance, added up with and without their signs.
struct Balance {
  Vector6 sum = Vector6::Zero();
  Eigen::Vector2d size = Eigen::Vector2d::Zero();  // linear, angular
  void add(const Vector6& term) {
    sum += term;
    size += Eigen::Vector2d(term.head<3>().norm(), term.tail<3>().norm());
  }
};

Vector6 wrench(const Vector3d& force, const Vector3d& arm) {
  Vector6 out;
  out << force, arm.cross(force);
  return out;
}

void add_contacts(const io::Record& record, std::vector<Balance>& bodies) {
  const Contacts& k = record.frame.contacts;
  for (Index i = 0; i < k.count(); ++i) {
    const Vector3d n = k.normals.row(i);
    const Tangents by_rule = tangents(n);
    const Vector3d t = k.tangents.rows() ? Vector3d(k.tangents.row(i).head<3>()) : by_rule.t;
    const Vector3d o = k.tangents.rows() ? Vector3d(k.tangents.row(i).tail<3>()) : by_rule.o;
    const Index first = k.pairs(i, 0), second = k.pairs(i, 1);
    const Vector3d r1 = k.points.row(i);
    const Vector3d r2 = second_point(record.frame, i);
    const Vector3d directions[3] = {n, t, o};
    for (Index row = 0; row < 3; ++row) {
      const Vector3d impulse = record.answer.z(i, row) * directions[row];
      bodies[static_cast<std::size_t>(first)].add(wrench(-impulse, r1));
      bodies[static_cast<std::size_t>(second)].add(wrench(impulse, r2));
    }
  }
}

void add_joints(const io::Record& record, std::vector<Balance>& bodies) {
  const Joints& q = record.frame.joints;
  Index row = 0;
  for (Index joint = 0; joint < q.count(); ++joint)
    for (std::int64_t k = 0; k < q.rows[static_cast<std::size_t>(joint)]; ++k, ++row) {
      const double impulse = record.answer.z_joints[row];
      bodies[static_cast<std::size_t>(q.pairs(joint, 0))].add(
          impulse * q.jacobian.row(row).head<6>().transpose());
      bodies[static_cast<std::size_t>(q.pairs(joint, 1))].add(
          impulse * q.jacobian.row(row).tail<6>().transpose());
    }
}

}  // namespace

double momentum_gap(const io::Record& record) {
  const Bodies& b = record.frame.bodies;
  const io::Answer& answer = record.answer;
  if (answer.velocities_plus.rows() != b.count() ||
      answer.z.rows() != record.frame.contacts.count() ||
      answer.z_joints.size() != record.frame.joints.row_count())
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<Balance> bodies(static_cast<std::size_t>(b.count()));
  add_contacts(record, bodies);
  add_joints(record, bodies);
  double worst = 0;
  for (Index i = 0; i < b.count(); ++i) {
    if (b.fixed(i)) continue;
    Balance& balance = bodies[static_cast<std::size_t>(i)];
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const auto momentum = [&](const Rows6& v) {
      Vector6 out;
      out << b.masses[i] * v.row(i).head<3>().transpose(), inertia * v.row(i).tail<3>().transpose();
      return out;
    };
    balance.add(momentum(b.velocities));
    balance.add(record.frame.step * b.forces.row(i).transpose());
    balance.add(-momentum(answer.velocities_plus));
    // Both parts against all terms, by the radius of gyration: where a part has no terms but those
    // that rounding left, they are small beside the others.
    const double radius = std::sqrt(inertia.trace() / b.masses[i]);
    const double size = radius * balance.size[0] + balance.size[1];
    if (!std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
    const double open =
        std::max(radius * balance.sum.head<3>().norm(), balance.sum.tail<3>().norm());
    if (open > 0) worst = std::max(worst, open / size);
  }
  return worst;
}

}  // namespace perpend::capture
