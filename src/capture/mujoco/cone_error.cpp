// MuJoCo's problem with the elliptic cone K: K > lambda, orthogonal to y = (A + R) lambda + b in
// the dual of K. The natural map of a contact is |lambda - P_K(lambda - rho y)|/rho; that of a
// joint row the same with its bounds. With a pyramid every edge is a row of its own: f >= 0, w >=
// 0, f w = 0,
//   w = y_n +- mu y_k + R f.
// The edges' forces are not recorded, n, t and o are: of all f that add up to them the one with the
// smallest sum of squares is taken, because the compliance makes it MuJoCo's solution.
#include <algorithm>
#include <cmath>

#include "capture/mujoco/titles.hpp"
#include "perpend/capture/mujoco.hpp"

namespace perpend::capture {
namespace {

double pyramid_error(const Matrix3d& A, const Vector3d& y, const Vector3d& z, double mu, double R) {
  const double t = std::abs(z[1]) / mu, o = std::abs(z[2]) / mu;
  const double along_t = std::max(t, std::min(z[0] / 2, z[0] - o));  // sum of the two edges of t
  double worst = 0;
  for (int k = 1; k < 3; ++k)
    for (const double sign : {1.0, -1.0}) {
      const Vector3d edge = Vector3d::UnitX() + sign * mu * Vector3d::Unit(k);
      const double sum = k == 1 ? along_t : z[0] - along_t;
      const double f = (sum + sign * z[k] / mu) / 2;
      const double rho = 1 / (edge.dot(A * edge) + R);
      const double w = edge.dot(y) + R * f;
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
  for (Index i = 0; i < system.contacts(); ++i) {
    const Index row = system.frame_contact[static_cast<std::size_t>(i)];
    const Vector3d own = z.segment<3>(3 * i), u = y.segment<3>(3 * i);
    const double mu = system.mu[i];
    if (pyramidal && mu > 0) {
      const Vector3d cfm = frame.contacts.cfm.row(row);
      Matrix3d A = contact_block(system, i);
      A.diagonal() -= cfm;
      const Vector3d hard = u - cfm.cwiseProduct(own);
      worst = std::max(worst, pyramid_error(A, hard, own, mu, 2 * mu * mu * cfm[1]));
    } else {
      const double rho = effective_mass(system, i);
      worst = std::max(worst, (own - project_cone(own - rho * u, mu)).norm() / rho);
    }
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

}  // namespace perpend::capture
