// Forces from impulses. A contact's impulse (n, t, o) acts on its second body at r2 and the other
// way on its first at r1; a joint row's impulse lambda gives each body its half of J' lambda, a
// force and a torque about the centre of mass. Divided by the step h they are mean forces.
//
// A joint's torque is told about the place where it holds its second body, which the file does not
// have. Rows of translations along d have the torque r x d, so that place is
//   argmin over r of sum |r x d - tau|^2,   (sum |d|^2 I - d d') r = sum d x tau,
// the smallest r where that leaves a direction open. Engines leave out what the rows do to their
// world: where a fixed body has no Jacobian, it feels the opposite of the other body.
//
// Energies are exact: with the mean velocity w = (v + v+)/2 of a body, an impulse p gives it p.w,
// and M (v+ - v) = h f + J' lambda makes the sum of all the change of kinetic energy.
#include "perpend/io/forces.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "perpend/frame/rotation.hpp"

namespace perpend::io {
namespace {

Vector3d row3(const Rows3& rows, Index i) { return rows.row(i).transpose(); }

void push(Rows6& wrenches, Index body, const Vector3d& force, const Vector3d& torque) {
  wrenches.row(body).head<3>() += force.transpose();
  wrenches.row(body).tail<3>() += torque.transpose();
}

void add_contacts(const Frame& f, StepForces& out) {
  const Contacts& k = f.contacts;
  for (Index i = 0; i < k.count(); ++i) {
    const Vector3d force = row3(out.contacts, i), r1 = row3(k.points, i);
    push(out.by_contacts, k.pairs(i, 0), -force, -r1.cross(force));
    push(out.by_contacts, k.pairs(i, 1), force, second_point(f, i).cross(force));
    out.contact_points.row(i) = f.bodies.positions.row(k.pairs(i, 0)) + k.points.row(i);
  }
}

// r of the joint's rows, on the body whose six columns begin at `side`.
Vector3d lever(const Frame& f, Index first, Index rows, Index side) {
  Matrix3d normal = Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  for (Index r = first; r < first + rows; ++r) {
    const Vector3d d = f.joints.jacobian.row(r).segment<3>(side).transpose();
    const Vector3d tau = f.joints.jacobian.row(r).segment<3>(side + 3).transpose();
    normal += d.squaredNorm() * Matrix3d::Identity() - d * d.transpose();
    right += d.cross(tau);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(normal);
  Vector3d out = Vector3d::Zero();
  constexpr double kOpen = 1e-9;  // of the largest
  for (Index k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > kOpen * eigen.eigenvalues()[2])
      out += eigen.eigenvectors().col(k).dot(right) / eigen.eigenvalues()[k] *
             eigen.eigenvectors().col(k);
  return out;
}

using Wrench = Eigen::Matrix<double, 1, 6>;
// The reaction on `other` to a wrench on `body`, each about its own centre.
Wrench opposite(const Frame& f, Index body, const Wrench& wrench, Index other) {
  const Vector3d arm = row3(f.bodies.positions, body) - row3(f.bodies.positions, other);
  const Vector3d force = wrench.head<3>().transpose();
  Wrench out = -wrench;
  out.tail<3>() -= arm.cross(force).transpose();
  return out;
}

void add_joints(const Frame& f, const VectorXd& z, StepForces& out) {
  Index row = 0;
  for (Index joint = 0; joint < f.joints.count(); ++joint) {
    const Index rows = f.joints.rows[static_cast<std::size_t>(joint)];
    Eigen::Matrix<double, 1, 12> wrench = Eigen::Matrix<double, 1, 12>::Zero();
    for (Index r = row; r < row + rows; ++r) wrench += z[r] / f.step * f.joints.jacobian.row(r);
    const Index first = f.joints.pairs(joint, 0), second = f.joints.pairs(joint, 1);
    const auto left_out = [&](Index body, Index side) {
      return f.bodies.fixed(body) && f.joints.jacobian.block(row, side, rows, 6).isZero(0);
    };
    if (left_out(second, 6)) wrench.tail<6>() = opposite(f, first, wrench.head<6>(), second);
    if (left_out(first, 0)) wrench.head<6>() = opposite(f, second, wrench.tail<6>(), first);
    out.by_joints.row(first) += wrench.head<6>();
    out.by_joints.row(second) += wrench.tail<6>();
    for (Index r = row; f.joints.pairs2.rows() && r < row + rows; ++r)
      for (const Index side : {0, 1})
        out.by_joints.row(f.joints.pairs2(joint, side)) +=
            z[r] / f.step * f.joints.jacobian2.row(r).segment<6>(6 * side);
    const bool told_by_first = left_out(second, 6);
    const Vector3d place = row3(f.bodies.positions, told_by_first ? first : second) +
                           lever(f, row, rows, told_by_first ? 0 : 6);
    const Vector3d r = place - row3(f.bodies.positions, second);
    out.joints.row(joint) = wrench.tail<6>();
    out.joints.row(joint).tail<3>() -= r.cross(wrench.segment<3>(6).transpose()).transpose();
    out.joint_points.row(joint) = place.transpose();
    row += rows;
  }
}

void add_energies(const Frame& f, StepForces& out) {
  const Bodies& b = f.bodies;
  using Row6 = Eigen::Matrix<double, 1, 6>;
  for (Index i = 0; i < b.count(); ++i) {
    if (b.fixed(i)) continue;
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const Row6 force = b.forces.row(i) + out.by_contacts.row(i) + out.by_joints.row(i);
    const Row6 v = b.velocities.row(i);
    Row6 plus = v;
    plus.head<3>() += f.step / b.masses[i] * force.head<3>();
    plus.tail<3>() += f.step * (inertia.inverse() * force.tail<3>().transpose()).transpose();
    const auto energy = [&](const Row6& u) {
      return 0.5 * (b.masses[i] * u.head<3>().squaredNorm() +
                    u.tail<3>().dot((inertia * u.tail<3>().transpose()).transpose()));
    };
    const Row6 moved = f.step / 2 * (v + plus);
    out.kinetic += energy(v);
    out.kinetic_plus += energy(plus);
    out.applied += moved.dot(b.forces.row(i));
    out.contacts_took -= moved.dot(out.by_contacts.row(i));
    out.joints_took -= moved.dot(out.by_joints.row(i));
  }
}

}  // namespace

Rows3 contact_forces(const Frame& f, const Rows3& z) {
  const Contacts& k = f.contacts;
  Rows3 out(k.count(), 3);
  for (Index i = 0; i < k.count(); ++i) {
    const Vector3d n = row3(k.normals, i);
    const Tangents around = k.tangents.rows() > 0
                                ? Tangents{k.tangents.row(i).head<3>().transpose(),
                                           k.tangents.row(i).tail<3>().transpose()}
                                : tangents(n);
    out.row(i) = (z(i, 0) * n + z(i, 1) * around.t + z(i, 2) * around.o).transpose() / f.step;
  }
  return out;
}

StepForces forces(const Frame& f, const Rows3& z, const VectorXd& z_joints) {
  StepForces out;
  const Index n = f.bodies.count();
  out.contacts = contact_forces(f, z);
  out.contact_points = Rows3::Zero(f.contacts.count(), 3);
  out.joints = Rows6::Zero(f.joints.count(), 6);
  out.joint_points = Rows3::Zero(f.joints.count(), 3);
  out.by_contacts = out.by_joints = Rows6::Zero(n, 6);
  add_contacts(f, out);
  add_joints(f, z_joints, out);
  add_energies(f, out);
  return out;
}

std::optional<Vector3d> gravity_of(const Header& header, const Frame& f) {
  if (!header.scene_json.empty())
    return scene_from_json(header.scene_json, "attribute scene_json").gravity;
  std::vector<Vector3d> accelerations;
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (!f.bodies.fixed(i))
      accelerations.emplace_back(f.bodies.forces.row(i).head<3>().transpose() / f.bodies.masses[i]);
  const Vector3d* common = nullptr;
  std::size_t most = 0;
  for (const Vector3d& one : accelerations) {
    constexpr double kSame = 1e-6;
    const auto alike = static_cast<std::size_t>(std::count_if(
        accelerations.begin(), accelerations.end(),
        [&](const Vector3d& other) { return (one - other).norm() <= kSame * one.norm(); }));
    if (alike > most) {
      most = alike;
      common = &one;
    }
    if (2 * most > accelerations.size()) break;
  }
  if (!common || 2 * most < accelerations.size()) return std::nullopt;
  return *common;
}

double potential_energy(const Frame& f, const Vector3d& gravity) {
  double sum = 0;
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (!f.bodies.fixed(i)) sum -= f.bodies.masses[i] * gravity.dot(row3(f.bodies.positions, i));
  return sum;
}

}  // namespace perpend::io
