// MuJoCo's problem with the elliptic cone K: K > lambda, orthogonal to y = (A + R) lambda + b in
// the dual of K. The natural map of a contact is |lambda - P_K(lambda - rho y)|/rho; that of a
// joint row the same with its bounds. A contact that resists spin (and rolling) has one (three)
// impulses more, torques with coefficients of their own; measured in units in which its cone is
// round. With a pyramid every edge is a row of its own: f >= 0, w >= 0, f w = 0,
//   w = y_n +- mu_k y_k + R f.
// The edges' forces are not recorded, their sums along n, t, o and the torques are: of all f that
// add up to them the one with the smallest sum of squares is taken, because the compliance makes it
// MuJoCo's solution.
#include "capture/mujoco/cone_error.hpp"

#include <algorithm>
#include <cmath>

#include "capture/mujoco/titles.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture::from_mujoco {
namespace {

// A contact with all its rows: n, t, o, and the torques about n, or n, t, o.
struct Contact {
  VectorXd z, y;    // impulses, velocities
  VectorXd mu;      // of every row but the first
  VectorXd A, cfm;  // diagonals
  Matrix3d block;   // of n, t, o; with cfm
};

// The joint that has the contact's torques: the next one with its bodies, about its normal, whose
// impulses are given. Recorders put them in the order of the contacts. -1: it has none.
Index torques_of(const Frame& frame, const System& system, Index contact, Index& joint,
                 Index& row) {
  const Joints& joints = frame.joints;
  for (Index k = joint, at = row; k < joints.count(); ++k) {
    const Index rows = joints.rows[static_cast<std::size_t>(k)];
    const bool same = joints.pairs.row(k) == frame.contacts.pairs.row(contact) &&
                      (rows == 1 || rows == 3) && system.lower[at] == system.upper[at] &&
                      joints.jacobian.row(at).segment<3>(9) == frame.contacts.normals.row(contact);
    if (same) {
      joint = k + 1;
      row = at + rows;
      return at;
    }
    at += rows;
  }
  return -1;
}

double elliptic_error(const Contact& c, double rho) {
  const double mu = c.mu[0];
  VectorXd z = c.z, y = c.y;
  for (Index k = 3; k < z.size(); ++k) {  // t and o have the same
    z[k] *= mu / c.mu[k - 1];
    y[k] *= c.mu[k - 1] / mu;
  }
  const VectorXd target = z - rho * y;
  const double slide = target.tail(z.size() - 1).norm();
  const Vector3d projected = project_cone({target[0], slide, 0}, mu);
  VectorXd change = z;
  change[0] -= projected[0];
  if (slide > 0) change.tail(z.size() - 1) -= projected[1] / slide * target.tail(z.size() - 1);
  return change.norm() / rho;
}

// How the normal impulse is shared by pairs of edges, each of which needs at least `least`: of all
// shares that add up to it those with the smallest sum of squares.
VectorXd shares(const VectorXd& least, double sum) {
  std::vector<bool> held(static_cast<std::size_t>(least.size()), false);
  for (;;) {
    double rest = sum;
    Index open = 0;
    for (Index k = 0; k < least.size(); ++k) {
      if (held[static_cast<std::size_t>(k)])
        rest -= least[k];
      else
        ++open;
    }
    if (open == 0) return least;
    bool changed = false;
    for (Index k = 0; k < least.size(); ++k)
      if (!held[static_cast<std::size_t>(k)] && least[k] > rest / static_cast<double>(open))
        changed = held[static_cast<std::size_t>(k)] = true;
    if (changed) continue;
    VectorXd out = least;
    for (Index k = 0; k < least.size(); ++k)
      if (!held[static_cast<std::size_t>(k)]) out[k] = rest / static_cast<double>(open);
    return out;
  }
}

double pyramid_error(const Contact& c) {
  const Index edges = c.z.size() - 1;
  const double R = 2 * c.mu[0] * c.mu[0] * c.cfm[1];
  const VectorXd y = c.y - c.cfm.cwiseProduct(c.z);
  const VectorXd sums = shares(c.z.tail(edges).cwiseAbs().cwiseQuotient(c.mu), c.z[0]);
  double worst = 0;
  for (Index k = 0; k < edges; ++k)
    for (const double sign : {1.0, -1.0}) {
      const double mu = sign * c.mu[k];
      const double f = (sums[k] + c.z[k + 1] / mu) / 2;
      const double cross = k < 2 ? c.block(0, k + 1) : 0;  // with torques only the scale knows it
      const double rho = 1 / (c.A[0] + 2 * mu * cross + mu * mu * c.A[k + 1] + R);
      const double w = y[0] + mu * y[k + 1] + R * f;
      worst = std::max(worst, std::abs(f - std::max(0.0, f - rho * w)) / rho);
    }
  return worst;
}

}  // namespace

double cone_error(const io::Record& record) {
  const bool pyramidal = record.answer.answered.find(kElliptic) == std::string::npos;
  const Frame& frame = record.frame;
  const System system = assemble(frame, Model::engine);
  const Impulses z = from_rows(system, record.answer.z, record.answer.z_joints);
  const VectorXd y = relative_velocity(system, z);
  double worst = 0;
  Index next_joint = 0, next_row = 0;
  for (Index i = 0; i < system.contacts(); ++i) {
    const Index row = system.frame_contact[static_cast<std::size_t>(i)];
    const bool spins = frame.contacts.torsional_mu.size() && frame.contacts.torsional_mu[row] > 0;
    const bool rolls = frame.contacts.rolling_mu.size() && frame.contacts.rolling_mu[row] > 0;
    const Index first = spins ? torques_of(frame, system, row, next_joint, next_row) : -1;
    const Index torques = first < 0 ? 0 : rolls ? 3 : 1;
    Contact c;
    c.z.resize(3 + torques);
    c.y.resize(3 + torques);
    c.mu.setConstant(2 + torques, system.mu[i]);
    c.A.resize(3 + torques);
    c.cfm.resize(3 + torques);
    c.block = contact_block(system, i);
    c.z.head<3>() = z.segment<3>(3 * i);
    c.y.head<3>() = y.segment<3>(3 * i);
    c.cfm.head<3>() = frame.contacts.cfm.row(row).transpose();
    c.A.head<3>() = c.block.diagonal() - c.cfm.head<3>();
    for (Index k = 0; k < torques; ++k) {
      const Index joint = first + k;
      c.z[3 + k] = z[3 * system.contacts() + joint];
      c.y[3 + k] = y[3 * system.contacts() + joint];
      c.mu[2 + k] = k == 0 ? frame.contacts.torsional_mu[row] : frame.contacts.rolling_mu[row];
      c.cfm[3 + k] = frame.joints.cfm[joint];
      c.A[3 + k] = 1 / effective_joint_mass(system, joint);
    }
    worst = std::max(worst, pyramidal && system.mu[i] > 0
                                ? pyramid_error(c)
                                : elliptic_error(c, effective_mass(system, i)));
  }
  for (Index j = 0; j < system.joint_rows(); ++j) {
    const Index row = 3 * system.contacts() + j;
    const double rho = effective_joint_mass(system, j);
    const double clamped = std::clamp(z[row] - rho * y[row], system.lower[j], system.upper[j]);
    worst = std::max(worst, std::abs(z[row] - clamped) / rho);
  }
  return worst;
}

void measure_mujoco(io::Record& record) {
  measure_answer(record);
  double& own = record.answer.errors[Measure::own_error];
  if (!std::isnan(own)) own = cone_error(record);
}

}  // namespace perpend::capture::from_mujoco
