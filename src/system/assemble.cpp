// From a frame to y = A lambda + b:  A = J M^-1 J^T,  b = J (v + h M^-1 f) + c.
//
// A Jacobian row for direction d is [-d, -(r1 x d), d, r2 x d]: the velocity of body 2 relative to
// body 1; what surfaces move beside their bodies is added to it. c is 0 on friction rows; on normal
// rows psi/h (st; psi: the gap that the step was asked for) or 0 (ap, where contacts farther than
// 1e-6 m are left out); where a contact with restitution e closes in this step at
// u- < -0.01 m/s, c = min(c, e u-). Joint rows: c = Phi/h + dPhi/dt, and the compliance of springs,
// dampers and servos on the diagonal of A; rows over two pairs of bodies are the sum over both.
// With `ap`, a group of alternatives is left out when any of its faces is farther than 1e-6 m (the
// vertex is outside the piece); else its faces within 1e-6 m of touching stay, or the shallowest.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "perpend/system.hpp"
#include "system/groups.hpp"

namespace perpend {
namespace {

constexpr double kTouching = 1e-6;          // m
constexpr double kRestitutionSpeed = 0.01;  // m/s
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Mass properties by body: M^-1 (0 for fixed bodies), v and v + h M^-1 f.
struct Motion {
  VectorXd inverse_mass;
  std::vector<Matrix3d> inverse_inertia;
  Rows6 velocity, free_velocity, acceleration;
};

Matrix3d inertia_of(const Bodies& b, Index i) {
  const Matrix3d given = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
  return 0.5 * (given + given.transpose());
}

// Of a positive definite matrix, by its Cholesky factor: L^-T L^-1.
Matrix3d inverse_of(const Matrix3d& a) {
  const double l00 = std::sqrt(a(0, 0)), l10 = a(1, 0) / l00, l20 = a(2, 0) / l00;
  const double l11 = std::sqrt(a(1, 1) - l10 * l10), l21 = (a(2, 1) - l20 * l10) / l11;
  const double l22 = std::sqrt(a(2, 2) - l20 * l20 - l21 * l21);
  // K = L^-1
  const double k00 = 1 / l00, k11 = 1 / l11, k22 = 1 / l22;
  const double k10 = -l10 * k00 * k11, k21 = -l21 * k11 * k22;
  const double k20 = -(l20 * k00 + l21 * k10) * k22;
  const double xy = k10 * k11 + k20 * k21, xz = k20 * k22, yz = k21 * k22;
  Matrix3d inverse;
  inverse << k00 * k00 + k10 * k10 + k20 * k20, xy, xz,  //
      xy, k11 * k11 + k21 * k21, yz,                     //
      xz, yz, k22 * k22;
  return inverse;
}

Motion motion_of(const Frame& f) {
  const Bodies& b = f.bodies;
  const Index n = b.count();
  Motion m{VectorXd::Zero(n), std::vector<Matrix3d>(static_cast<std::size_t>(n), Matrix3d::Zero()),
           b.velocities, b.velocities, Rows6::Zero(n, 6)};
  for (Index i = 0; i < n; ++i) {
    if (b.fixed(i)) continue;
    m.inverse_mass[i] = 1 / b.masses[i];
    Matrix3d& inverse = m.inverse_inertia[static_cast<std::size_t>(i)];
    inverse = inverse_of(inertia_of(b, i));
    m.acceleration.row(i).head<3>() = m.inverse_mass[i] * b.forces.row(i).head<3>();
    m.acceleration.row(i).tail<3>() = (inverse * b.forces.row(i).tail<3>().transpose()).transpose();
    m.free_velocity.row(i) += f.step * m.acceleration.row(i);
  }
  return m;
}

std::map<std::int64_t, std::vector<Index>> groups_of(const Contacts& k) {
  std::map<std::int64_t, std::vector<Index>> groups;
  for (Index i = 0; i < static_cast<Index>(k.group.size()); ++i)
    if (k.group[static_cast<std::size_t>(i)] >= 0)
      groups[k.group[static_cast<std::size_t>(i)]].push_back(i);
  return groups;
}

// Rows of the frame's contacts that take part.
std::vector<Index> taking_part(const Frame& f) {
  const Contacts& k = f.contacts;
  const VectorXd& gap = k.asked_gap();
  std::vector<bool> out(static_cast<std::size_t>(k.count()), false);
  if (f.stepper == Stepper::ap) {
    for (Index i = 0; i < k.count(); ++i) out[static_cast<std::size_t>(i)] = gap[i] > kTouching;
    for (const auto& [id, faces] : groups_of(k)) {
      double largest = -kInfinity;
      for (Index i : faces) largest = std::max(largest, gap[i]);
      const double deepest = std::min(largest, -kTouching);
      for (Index i : faces)
        out[static_cast<std::size_t>(i)] = largest > kTouching || gap[i] < deepest;
    }
  }
  std::vector<Index> kept;
  kept.reserve(out.size());
  for (Index i = 0; i < k.count(); ++i)
    if (!out[static_cast<std::size_t>(i)]) kept.push_back(i);
  return kept;
}

// (M^-1 J^T)^T of one body's six columns.
template <class Jacobian>
Jacobian respond(const Motion& m, Index body, const Jacobian& j) {
  Jacobian w;
  if (m.inverse_mass[body] == 0) return w.setZero();  // fixed
  w.template leftCols<3>() = m.inverse_mass[body] * j.template leftCols<3>();
  w.template rightCols<3>() =
      j.template rightCols<3>() * m.inverse_inertia[static_cast<std::size_t>(body)];
  return w;
}

void respond(const Motion& m, BodySpace::JointRow& q) {
  using Row6 = Eigen::Matrix<double, 1, 6>;
  q.w1 = respond<Row6>(m, q.first, q.j1.transpose()).transpose();
  q.w2 = respond<Row6>(m, q.second, q.j2.transpose()).transpose();
}

// A row of joint number `joint`, without M^-1 J^T.
BodySpace::JointRow pair_row(const Pairs& pairs, const Rows<12>& jacobian, Index joint, Index row) {
  BodySpace::JointRow q;
  q.first = pairs(joint, 0);
  q.second = pairs(joint, 1);
  q.j1 = jacobian.row(row).head<6>();
  q.j2 = jacobian.row(row).tail<6>();
  return q;
}

// What the row's first pair does to bodies of its second one becomes part of that.
void join_shared(BodySpace::JointRow& one, BodySpace::JointRow& two) {
  const auto move = [&](Index body, Vector6& j) {
    if (body != two.first && body != two.second) return;
    (body == two.first ? two.j1 : two.j2) += j;
    j.setZero();
  };
  move(one.first, one.j1);
  move(one.second, one.j2);
}

const BodySpace::JointRow& add_joint_row(const Joints& q, const Motion& motion, Index joint,
                                         Index row, BodySpace& a) {
  BodySpace::JointRow one = pair_row(q.pairs, q.jacobian, joint, row);
  if (q.pairs2.rows() && !q.jacobian2.row(row).isZero(0)) {
    BodySpace::JointRow two = pair_row(q.pairs2, q.jacobian2, joint, row);
    join_shared(one, two);
    respond(motion, two);
    one.other = static_cast<Index>(a.others.size());
    a.others.push_back(two);
  }
  respond(motion, one);
  return a.joints.emplace_back(one);
}

double speed_of(const BodySpace& a, const BodySpace::JointRow& row, const Rows6& v) {
  double sum = v.row(row.first).dot(row.j1) + v.row(row.second).dot(row.j2);
  if (const BodySpace::JointRow* two = a.other(row))
    sum += v.row(two->first).dot(two->j1) + v.row(two->second).dot(two->j2);
  return sum;
}

// One body's half of the rows of J for the directions d, and of (M^-1 J^T)^T.
void fill_rows(const Motion& m, Index body, const Vector3d (&directions)[3], const Vector3d& r,
               double sign, Matrix36& j, Matrix36& w) {
  const double inverse_mass = m.inverse_mass[body];
  const Matrix3d& inverse = m.inverse_inertia[static_cast<std::size_t>(body)];  // 0 where fixed
  for (Index row = 0; row < 3; ++row) {
    const Vector3d d = sign * directions[row], turn = r.cross(d);
    for (Index k = 0; k < 3; ++k) {
      j(row, k) = d[k];
      j(row, 3 + k) = turn[k];
      w(row, k) = inverse_mass * d[k];
      w(row, 3 + k) = turn[0] * inverse(0, k) + turn[1] * inverse(1, k) + turn[2] * inverse(2, k);
    }
  }
}

// `r2`: of the contact.
BodySpace::Contact contact_rows(const Frame& f, const Motion& m, Index i, const Vector3d& r2) {
  const Contacts& k = f.contacts;
  BodySpace::Contact c;
  c.first = k.pairs(i, 0);
  c.second = k.pairs(i, 1);
  Vector3d directions[3] = {k.normals.row(i), {}, {}};
  if (k.tangents.rows()) {
    directions[1] = k.tangents.row(i).head<3>();
    directions[2] = k.tangents.row(i).tail<3>();
  } else {
    const Tangents tangent = tangents(directions[0]);
    directions[1] = tangent.t;
    directions[2] = tangent.o;
  }
  fill_rows(m, c.first, directions, k.points.row(i), -1, c.j1, c.w1);
  fill_rows(m, c.second, directions, r2, 1, c.j2, c.w2);
  return c;
}

// n . (w2 x (w2 x r2) - w1 x (w1 x r1)): the part of the relative normal acceleration that no
// force makes (Preda and Florian 2005, eqs. 5 and 9).
double centripetal(const Frame& f, const BodySpace::Contact& c, Index i, const Vector3d& r2) {
  const Vector3d n = f.contacts.normals.row(i);
  const Vector3d r1 = f.contacts.points.row(i);
  const Vector3d w1 = f.bodies.velocities.row(c.first).tail<3>();
  const Vector3d w2 = f.bodies.velocities.row(c.second).tail<3>();
  return n.dot(w2.cross(w2.cross(r2)) - w1.cross(w1.cross(r1)));
}

void fill(Dynamics& d, const Frame& f, const Motion& m) {
  constexpr int kEntries[6] = {1, 1, 1, 3, 3, 3};  // of a row of a body's M
  Index columns = 0;
  d.body_column.reserve(static_cast<std::size_t>(f.bodies.count()));
  for (Index i = 0; i < f.bodies.count(); ++i) {
    d.body_column.push_back(f.bodies.fixed(i) ? -1 : columns);
    if (!f.bodies.fixed(i)) columns += 6;
  }
  d.mass.resize(columns, columns);
  if (columns == 0) return;
  d.mass.resizeNonZeros(2 * columns);
  int entry = 0;
  const auto put = [&](Index column, double value) {
    d.mass.innerIndexPtr()[entry] = static_cast<int>(column);
    d.mass.valuePtr()[entry++] = value;
  };
  d.velocity.resize(columns);
  d.free_velocity.resize(columns);
  for (Index i = 0; i < f.bodies.count(); ++i) {
    const Index at = d.body_column[static_cast<std::size_t>(i)];
    if (at < 0) continue;
    const Matrix3d inertia = inertia_of(f.bodies, i);
    for (Index row = 0; row < 6; ++row)
      d.mass.outerIndexPtr()[at + row + 1] = d.mass.outerIndexPtr()[at + row] + kEntries[row];
    for (Index row = 0; row < 3; ++row) put(at + row, f.bodies.masses[i]);
    for (Index row = 0; row < 3; ++row)
      for (Index column = 0; column < 3; ++column) put(at + 3 + column, inertia(row, column));
    d.velocity.segment<6>(at) = m.velocity.row(i);
    d.free_velocity.segment<6>(at) = m.free_velocity.row(i);
  }
}

}  // namespace

System assemble(const Frame& f, Model model) {
  const Contacts& k = f.contacts;
  const Joints& q = f.joints;
  const Motion motion = motion_of(f);
  Rows6 of_fixed = motion.velocity;
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (!f.bodies.fixed(i)) of_fixed.row(i).setZero();
  const bool driven = !of_fixed.isZero(0);
  const double h = f.step;

  System s;
  s.frame_contact = taking_part(f);
  s.frame_contacts = k.count();
  const Index m = static_cast<Index>(s.frame_contact.size());
  const Index r = q.row_count();
  s.step = h;
  s.mu = k.mu(s.frame_contact);
  s.gap = k.gap(s.frame_contact);
  s.b.resize(3 * m + r);
  s.c = VectorXd::Zero(3 * m + r);
  s.carried = VectorXd::Zero(3 * m + r);
  s.resting_acceleration.resize(m);
  s.normal_velocity.resize(m);
  VectorXd asked_gap(m), predicted_gap(m);

  BodySpace body_space;
  body_space.bodies = f.bodies.count();
  body_space.contacts.reserve(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) {
    const Index row = s.frame_contact[static_cast<std::size_t>(i)];
    const Vector3d r2 = second_point(f, row);
    const BodySpace::Contact& c =
        body_space.contacts.emplace_back(contact_rows(f, motion, row, r2));
    const auto relative = [&](const Rows6& v) -> Vector3d {
      return c.j1 * v.row(c.first).transpose() + c.j2 * v.row(c.second).transpose();
    };
    const auto along_normal = [&](const Rows6& v) {
      return c.j1.row(0).dot(v.row(c.first)) + c.j2.row(0).dot(v.row(c.second));
    };
    Vector3d free = relative(motion.free_velocity);
    s.normal_velocity[i] = along_normal(motion.velocity);
    if (k.surface_velocity.rows()) {
      const Vector3d surface = c.j2.leftCols<3>() * k.surface_velocity.row(row).transpose();
      free += surface;
      s.normal_velocity[i] += surface[0];
      s.carried.segment<3>(3 * i) = surface;
    }
    s.resting_acceleration[i] = along_normal(motion.acceleration) + centripetal(f, c, row, r2);
    asked_gap[i] = k.asked_gap()[row];
    predicted_gap[i] = asked_gap[i] + h * free[0];

    double closing = f.stepper == Stepper::st ? asked_gap[i] / h : 0;
    const double e = k.restitution.size() ? k.restitution[row] : 0;
    if (e > 0 && s.normal_velocity[i] < -kRestitutionSpeed && predicted_gap[i] < 0)
      closing = std::min(closing, e * s.normal_velocity[i]);
    s.c[3 * i] = closing;
    if (model == Model::engine && k.bias.rows()) s.c.segment<3>(3 * i) = k.bias.row(row);
    s.b.segment<3>(3 * i) = free + s.c.segment<3>(3 * i);
    if (driven) s.carried.segment<3>(3 * i) += relative(of_fixed);
  }

  body_space.joints.reserve(static_cast<std::size_t>(r));
  Index row = 0;
  for (Index joint = 0; joint < q.count(); ++joint)
    for (std::int64_t k_row = 0; k_row < q.rows[static_cast<std::size_t>(joint)]; ++k_row, ++row) {
      const BodySpace::JointRow& j = add_joint_row(q, motion, joint, row, body_space);
      double& c = s.c[3 * m + row];
      c = q.violation[row] / h + (q.rate.size() ? q.rate[row] : 0);
      if (model == Model::engine && q.bias.size()) c = q.bias[row];
      s.b[3 * m + row] = speed_of(body_space, j, motion.free_velocity) + c;
      if (driven) s.carried[3 * m + row] = speed_of(body_space, j, of_fixed);
    }
  s.lower = q.bounds.col(0);
  s.upper = q.bounds.col(1);

  const bool softened = model == Model::engine && (k.cfm.rows() || q.cfm.size());
  if (softened || (q.compliance.size() && !q.compliance.isZero(0))) {
    body_space.cfm = VectorXd::Zero(3 * m + r);
    if (q.compliance.size()) body_space.cfm.tail(r) = q.compliance;
  }
  for (Index i = 0; softened && k.cfm.rows() && i < m; ++i)
    body_space.cfm.segment<3>(3 * i) = k.cfm.row(s.frame_contact[static_cast<std::size_t>(i)]);
  if (softened && q.cfm.size()) body_space.cfm.tail(r) += q.cfm;
  if (model == Model::engine && k.friction_bounds.rows())
    s.friction_bounds = k.friction_bounds(s.frame_contact, Eigen::all);
  s.A = std::move(body_space);

  const std::vector<Index>& kept = s.frame_contact;  // ascending
  for (const auto& [id, faces] : groups_of(k)) {
    Group group;
    for (Index face : faces)
      if (const auto found = std::lower_bound(kept.begin(), kept.end(), face);
          found != kept.end() && *found == face)
        group.faces.push_back(found - kept.begin());
    if (group.faces.empty()) continue;
    group.u = pushing_face(group.faces, asked_gap, predicted_gap);
    s.groups.push_back(std::move(group));
  }
  fill(s.dynamics.emplace(), f, motion);
  return s;
}

}  // namespace perpend
