// Residuals of the natural map: how far an impulse is from being its own projection.
//
// De Saxce's velocity uhat = y + mu s n, s = |y_f|, turns Coulomb's law into
// K contains lambda, orthogonal to uhat in K's dual, that is lambda = P_K(lambda - rho uhat) for
// any rho > 0. The residual of a contact is |lambda - P_K(lambda - rho uhat)|, that of a joint row
// |lambda - clamp(lambda - rho y, lower, upper)|. How they are evaluated: natural_map.hpp.
//
//   velocity_error     the largest residual / rho, with rho the effective mass: m/s
//   rms_violation      root mean square of the same (Lu et al. 2013, Fig. 5)
//   joint_error        the largest of the joint rows that are not rotations: m/s
//   joint_turn_error   the largest of those that are: rad/s
//   natural_map_error  norm of all with rho = 1 / max(|b|, |lambda|, |y|), 0/0 = 0 (Siconos)
//
// A group (units.hpp) counts once: in the root mean square by the residual of its worst judged
// face; in the natural map by the rows of its judged faces, with (max w, y_f) as their y, and no
// others, also in the three norms.
#include <cmath>

#include "measure/natural_map.hpp"
#include "measure/terms.hpp"
#include "measure/units.hpp"
#include "perpend/frame/rotation.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend::measure_terms {
namespace {

// Residuals in m/s: of a face with the velocity it is judged by, of a joint row.
double face_error(const System& system, Index i, const Vector3d& impulse,
                  const Vector3d& velocity) {
  return coulomb_error(impulse, velocity, system.mu[i], effective_mass(system, i));
}

double joint_error(const System& system, const Impulses& lambda, const VectorXd& y, Index j) {
  const Index row = 3 * system.contacts() + j;
  const double rho = effective_joint_mass(system, j);
  return std::abs(bounded_residual(lambda[row], y[row], rho, system.lower[j], system.upper[j]));
}

// Calls visit with the residual, in m/s, of every unit and every joint row.
template <class Visit>
void for_each_velocity(const System& system, const Impulses& lambda, const VectorXd& y,
                       Visit visit) {
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    double worst = 0;
    for_each_face(unit, lambda, y, [&](Index i, const Vector3d& impulse, const Vector3d& velocity) {
      worst = std::max(worst, face_error(system, i, impulse, velocity));
    });
    visit(worst);
  });
  for (Index j = 0; j < system.joint_rows(); ++j) visit(joint_error(system, lambda, y, j));
}

}  // namespace

double velocity_error(const System& system, const Impulses& lambda, const VectorXd& y) {
  return velocity_residuals(system, lambda, y).worst;
}

double rms_violation(const System& system, const Impulses& lambda, const VectorXd& y) {
  return velocity_residuals(system, lambda, y).root_mean_square;
}

VelocityResiduals velocity_residuals(const System& system, const Impulses& lambda,
                                     const VectorXd& y) {
  VelocityResiduals out;
  double sum = 0;
  Index count = 0;
  for_each_velocity(system, lambda, y, [&](double r) {
    out.worst = std::max(out.worst, r);
    sum += r * r;
    ++count;
  });
  if (count > 0) out.root_mean_square = std::sqrt(sum / static_cast<double>(count));
  return out;
}

bool knows_joints(const System& system) {
  return system.joint_rows() == 0 || std::holds_alternative<BodySpace>(system.A);
}

JointErrors joint_errors(const System& system, const Impulses& lambda, const VectorXd& y) {
  JointErrors out;
  for (Index j = 0; j < system.joint_rows(); ++j) {
    const BodySpace::JointRow& row =
        std::get<BodySpace>(system.A).joints[static_cast<std::size_t>(j)];
    double& worst = turns(row.j1, row.j2) ? out.worst_turn : out.worst;
    worst = std::max(worst, joint_error(system, lambda, y, j));
  }
  return out;
}

double natural_map_error(const System& system, const Impulses& lambda, const VectorXd& y) {
  double residuals = 0, bb = 0, ll = 0, yy = 0;
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    for_each_face(unit, lambda, y, [&](Index i, const Vector3d& impulse, const Vector3d& velocity) {
      residuals += coulomb_residual(impulse, velocity, system.mu[i], 1).squaredNorm();
      bb += triple(system.b, i).squaredNorm();
      ll += impulse.squaredNorm();
      yy += velocity.squaredNorm();
    });
  });
  const Index first = 3 * system.contacts();
  for (Index j = 0; j < system.joint_rows(); ++j) {
    const double b = system.b[first + j], l = lambda[first + j], v = y[first + j];
    const double r = bounded_residual(l, v, 1, system.lower[j], system.upper[j]);
    residuals += r * r;
    bb += b * b;
    ll += l * l;
    yy += v * v;
  }
  return residuals == 0 ? 0 : std::sqrt(residuals) / std::sqrt(std::max({bb, ll, yy}));
}

VectorXd velocity_errors(const System& system, const Impulses& lambda, const VectorXd& y) {
  const Index m = system.contacts();
  VectorXd out = VectorXd::Zero(m + system.joint_rows());
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    for_each_face(unit, lambda, y, [&](Index i, const Vector3d& impulse, const Vector3d& velocity) {
      out[i] = face_error(system, i, impulse, velocity);
    });
  });
  for (Index j = 0; j < system.joint_rows(); ++j) out[m + j] = joint_error(system, lambda, y, j);
  return out;
}

}  // namespace perpend::measure_terms

namespace perpend {

VectorXd velocity_errors(const System& system, const Impulses& lambda) {
  return measure_terms::velocity_errors(system, lambda, relative_velocity(system, lambda));
}

}  // namespace perpend
