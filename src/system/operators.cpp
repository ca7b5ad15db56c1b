// Products with A, its diagonal, and the velocities that impulses lead to.
#include <algorithm>

#include "perpend/system.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {

VectorXd relative_velocity(const System& s, const Impulses& lambda) {
  return with_state(s, [&](auto& state) {
    state.set(lambda);
    VectorXd y(s.rows());
    for (Index i = 0; i < s.contacts(); ++i) y.segment<3>(3 * i) = state.u(i);
    for (Index j = 0; j < s.joint_rows(); ++j) y[3 * s.contacts() + j] = state.u_joint(j);
    return y;
  });
}

VectorXd apply(const System& s, const VectorXd& x) { return relative_velocity(s, x) - s.b; }

Matrix3d contact_block(const System& s, Index contact) {
  return std::visit([&](const auto& a) { return diagonal_block(a, contact); }, s.A);
}

double contact_trace(const System& s, Index contact) {
  const BodySpace* a = std::get_if<BodySpace>(&s.A);
  if (!a) return contact_block(s, contact).trace();
  // tr J M^-1 J^T is the sum of products of entries: a quarter of the work of the block.
  const BodySpace::Contact& c = a->contacts[static_cast<std::size_t>(contact)];
  double trace = c.j1.cwiseProduct(c.w1).sum() + c.j2.cwiseProduct(c.w2).sum();
  if (a->cfm.size()) trace += a->cfm.segment<3>(3 * contact).sum();
  return trace;
}

double joint_diagonal(const System& s, Index joint_row) {
  return std::visit([&](const auto& a) { return diagonal_entry(a, joint_row); }, s.A);
}

double effective_mass(const System& s, Index contact) {
  const double trace = contact_trace(s, contact);
  return trace > 0 ? 3 / trace : 1;
}

double effective_joint_mass(const System& s, Index joint_row) {
  const double diagonal = joint_diagonal(s, joint_row);
  return diagonal > 0 ? 1 / diagonal : 1;
}

VectorXd effective_masses(const System& s) {
  VectorXd rho(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) rho.segment<3>(3 * i).setConstant(effective_mass(s, i));
  for (Index j = 0; j < s.joint_rows(); ++j) rho[3 * s.contacts() + j] = effective_joint_mass(s, j);
  return rho;
}

VectorXd constant_velocity(const System& s) {
  return s.carried.size() ? VectorXd(s.c + s.carried) : s.c;
}

SparseMatrix jacobian(const System& s) {
  const Dynamics& d = *s.dynamics;
  if (std::holds_alternative<Blocks>(s.A)) return d.generalized_jacobian;
  const BodySpace& a = std::get<BodySpace>(s.A);
  std::vector<Eigen::Triplet<double>> entries;
  const auto put = [&](Index row, Index body, const auto& six) {
    const Index at = d.body_column[static_cast<std::size_t>(body)];
    if (at < 0) return;
    for (Index k = 0; k < 6; ++k)
      if (six[k] != 0)
        entries.emplace_back(static_cast<int>(row), static_cast<int>(at + k), six[k]);
  };
  for (Index i = 0; i < s.contacts(); ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    for (Index row = 0; row < 3; ++row) {
      put(3 * i + row, c.first, c.j1.row(row));
      put(3 * i + row, c.second, c.j2.row(row));
    }
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)];
    for (; q; q = a.other(*q)) {
      put(3 * s.contacts() + j, q->first, q->j1);
      put(3 * s.contacts() + j, q->second, q->j2);
    }
  }
  SparseMatrix J(s.rows(), d.mass.rows());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

VectorXd velocity_plus(const System& s, const Impulses& lambda) {
  const Dynamics& d = *s.dynamics;
  VectorXd v = d.free_velocity;
  if (d.generalized_response.rows()) return v + d.generalized_response * lambda;
  BodySpaceState state(s, std::get<BodySpace>(s.A));
  state.set(lambda);
  for (std::size_t i = 0; i < d.body_column.size(); ++i)
    if (d.body_column[i] >= 0)
      v.segment<6>(d.body_column[i]) += state.velocity().row(static_cast<Index>(i)).transpose();
  return v;
}

Rows6 velocity_plus(const Frame& f, const System& s, const Impulses& lambda) {
  const VectorXd v = velocity_plus(s, lambda);
  Rows6 out = f.bodies.velocities;
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (const Index at = s.dynamics->body_column[static_cast<std::size_t>(i)]; at >= 0)
      out.row(i) = v.segment<6>(at);
  return out;
}

Rows3 contact_rows(const System& s, const Impulses& lambda) {
  Rows3 rows = Rows3::Zero(std::max(s.contacts(), s.frame_contacts), 3);
  for (Index i = 0; i < s.contacts(); ++i)
    rows.row(s.frame_contact.empty() ? i : s.frame_contact[static_cast<std::size_t>(i)]) =
        lambda.segment<3>(3 * i);
  return rows;
}

Impulses from_rows(const System& s, const Rows3& contacts, const VectorXd& joints) {
  Impulses lambda = Impulses::Zero(s.rows());
  for (Index i = 0; contacts.rows() && i < s.contacts(); ++i)
    lambda.segment<3>(3 * i) =
        contacts.row(s.frame_contact.empty() ? i : s.frame_contact[static_cast<std::size_t>(i)]);
  if (joints.size()) lambda.tail(s.joint_rows()) = joints;
  return lambda;
}

}  // namespace perpend
