// Validity of a frame, its default tangents, and an empty frame of a given size.
#include "perpend/frame.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "perpend/record/limits.h"

namespace perpend {
namespace {

std::string at(std::string_view column, Index row) {
  return std::string(column) + " row " + std::to_string(row);
}

// Collects the first complaint; every later check is skipped.
class Complaint {
 public:
  explicit operator bool() const { return !text_.empty(); }
  std::string take() { return std::move(text_); }
  void say(std::string text) {
    if (text_.empty()) text_ = std::move(text);
  }

  void wrong(std::string_view column, Index row, const char* what) {
    if (what) say(at(column, row) + " " + what);
  }
  void length(std::string_view column, Index rows, Index expected) {
    if (rows != expected)
      say(std::string(column) + " has " + std::to_string(rows) + " rows, expected " +
          std::to_string(expected));
  }
  void optional_length(std::string_view column, Index rows, Index expected) {
    if (rows != 0) length(column, rows, expected);
  }
  template <class Derived>
  void finite(std::string_view column, const Eigen::MatrixBase<Derived>& values) {
    if (text_.empty() && !values.allFinite())
      for (Index i = 0; i < values.rows(); ++i)
        if (!values.row(i).allFinite()) return say(at(column, i) + " is not finite");
  }
  template <class Derived>
  void not_negative(std::string_view column, const Eigen::MatrixBase<Derived>& values) {
    finite(column, values);
    for (Index i = 0; !*this && i < values.rows(); ++i)
      if (values.row(i).minCoeff() < 0) say(at(column, i) + " is negative");
  }

 private:
  std::string text_;
};

void check_lengths(const Frame& f, Complaint& c) {
  const Bodies& b = f.bodies;
  const Index n = b.count();
  c.length("bodies/ids", static_cast<Index>(b.ids.size()), n);
  c.length("bodies/inertia", b.inertia.rows(), n);
  c.length("bodies/positions", b.positions.rows(), n);
  c.length("bodies/quaternions", b.quaternions.rows(), n);
  c.length("bodies/velocities", b.velocities.rows(), n);
  c.length("bodies/forces", b.forces.rows(), n);

  const Contacts& k = f.contacts;
  const Index m = k.count();
  c.length("contacts/pairs", k.pairs.rows(), m);
  c.length("contacts/normals", k.normals.rows(), m);
  c.length("contacts/points", k.points.rows(), m);
  c.length("contacts/mu", k.mu.size(), m);
  c.optional_length("contacts/points2", k.points2.rows(), m);
  c.optional_length("contacts/tangents", k.tangents.rows(), m);
  c.optional_length("contacts/restitution", k.restitution.size(), m);
  c.optional_length("contacts/push", k.push.size(), m);
  c.optional_length("contacts/surface_velocity", k.surface_velocity.rows(), m);
  c.optional_length("contacts/group", static_cast<Index>(k.group.size()), m);
  c.optional_length("contacts/ids", static_cast<Index>(k.ids.size()), m);
  c.optional_length("contacts/rolling_mu", k.rolling_mu.size(), m);
  c.optional_length("contacts/torsional_mu", k.torsional_mu.size(), m);
  c.optional_length("contacts/bias", k.bias.rows(), m);
  c.optional_length("contacts/cfm", k.cfm.rows(), m);
  c.optional_length("contacts/friction_bounds", k.friction_bounds.rows(), m);

  const Joints& j = f.joints;
  const Index r = j.row_count();
  c.length("constraints/rows", static_cast<Index>(j.rows.size()), j.count());
  c.length("constraints/jacobian", j.jacobian.rows(), r);
  c.length("constraints/bounds", j.bounds.rows(), r);
  c.optional_length("constraints/rate", j.rate.size(), r);
  c.optional_length("constraints/pairs2", j.pairs2.rows(), j.count());
  c.optional_length("constraints/jacobian2", j.jacobian2.rows(), r);
  if ((j.pairs2.rows() > 0) != (j.jacobian2.rows() > 0))
    c.say("constraints/pairs2 and constraints/jacobian2 need each other");
  c.optional_length("constraints/compliance", j.compliance.size(), r);
  c.optional_length("constraints/cfm", j.cfm.size(), r);
  c.optional_length("constraints/bias", j.bias.size(), r);
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < j.rows.size(); ++i) {
    if (j.rows[i] < 0 || j.rows[i] > r)
      return c.say(at("constraints/rows", static_cast<Index>(i)) + " is out of range");
    rows += j.rows[i];
  }
  if (rows != r)
    c.say("constraints/rows add up to " + std::to_string(rows) + ", but there are " +
          std::to_string(r) + " joint rows");
}

void check_bodies(const Bodies& b, Complaint& c) {
  c.finite("bodies/masses", b.masses);
  c.finite("bodies/positions", b.positions);
  c.finite("bodies/velocities", b.velocities);
  c.finite("bodies/quaternions", b.quaternions);
  std::unordered_set<std::int64_t> ids;
  for (Index i = 0; !c && i < b.count(); ++i) {
    if (!ids.insert(b.ids[static_cast<std::size_t>(i)]).second)
      c.say(at("bodies/ids", i) + " repeats id " +
            std::to_string(b.ids[static_cast<std::size_t>(i)]));
    c.wrong("bodies/masses", i, perpend_record_wrong_mass(b.masses[i]));
    if (!perpend_record_is_unit(b.quaternions.row(i).data(), 4))
      c.say(at("bodies/quaternions", i) + " is not a unit quaternion");
    if (c || b.fixed(i)) continue;
    if (!b.forces.row(i).allFinite()) c.say(at("bodies/forces", i) + " is not finite");
    c.wrong("bodies/inertia", i, perpend_record_wrong_inertia(b.inertia.row(i).data()));
  }
}

void check_pair(const Bodies& b, const Pairs& pairs, Index i, std::string_view column,
                std::string_view what, Complaint& c) {
  const std::int64_t first = pairs(i, 0), second = pairs(i, 1);
  if (first < 0 || second < 0 || first >= b.count() || second >= b.count())
    return c.say(at(column, i) + " names an unknown body");
  if (first == second) return c.say(at(column, i) + " names the same body twice");
  if (b.fixed(first) && b.fixed(second))
    c.say(at(column, i) + ": " + std::string(what) + " between two fixed bodies");
}

void check_contacts(const Frame& f, Complaint& c) {
  const Contacts& k = f.contacts;
  c.finite("contacts/normals", k.normals);
  c.finite("contacts/points", k.points);
  c.finite("contacts/gap", k.gap);
  c.not_negative("contacts/mu", k.mu);
  c.finite("contacts/points2", k.points2);
  c.finite("contacts/tangents", k.tangents);
  c.not_negative("contacts/restitution", k.restitution);
  c.finite("contacts/push", k.push);
  c.finite("contacts/surface_velocity", k.surface_velocity);
  c.finite("contacts/bias", k.bias);
  c.not_negative("contacts/cfm", k.cfm);
  for (Index i = 0; !c && i < k.count(); ++i) {
    check_pair(f.bodies, k.pairs, i, "contacts/pairs", "contact", c);
    if (!perpend_record_is_unit(k.normals.row(i).data(), 3))
      c.say(at("contacts/normals", i) + " is not a unit vector");
    if (k.tangents.rows())
      c.wrong("contacts/tangents", i,
              perpend_record_wrong_tangents(k.normals.row(i).data(), k.tangents.row(i).data()));
    const auto lever = [&](std::string_view column, const auto& r) {
      c.wrong(column, i, perpend_record_wrong_lever(r.data()));
    };
    lever("contacts/points", k.points.row(i));
    if (k.points2.rows())
      lever("contacts/points2", k.points2.row(i));
    else if (!c)
      lever("contacts/points", second_point(f, i));
    if (k.restitution.size() && k.restitution[i] > 1)
      c.say(at("contacts/restitution", i) + " is above 1");
    if (!k.group.empty() && k.group[static_cast<std::size_t>(i)] < -1)
      c.say(at("contacts/group", i) + " is below -1");
    if (k.friction_bounds.rows() && !(k.friction_bounds.row(i).array() >= 0).all())
      c.say(at("contacts/friction_bounds", i) + " is negative or not a number");
  }
}

void check_joints(const Frame& f, Complaint& c) {
  const Joints& j = f.joints;
  c.finite("constraints/jacobian", j.jacobian);
  c.finite("constraints/jacobian2", j.jacobian2);
  c.finite("constraints/violation", j.violation);
  c.finite("constraints/rate", j.rate);
  c.not_negative("constraints/compliance", j.compliance);
  c.not_negative("constraints/cfm", j.cfm);
  c.finite("constraints/bias", j.bias);
  for (Index i = 0; !c && i < j.count(); ++i)
    check_pair(f.bodies, j.pairs, i, "constraints/pairs", "joint", c);
  for (Index i = 0; !c && i < j.pairs2.rows(); ++i)
    check_pair(f.bodies, j.pairs2, i, "constraints/pairs2", "joint", c);
  for (Index i = 0; !c && i < j.row_count(); ++i) {
    c.wrong("constraints/jacobian", i, perpend_record_wrong_jacobian(j.jacobian.row(i).data()));
    if (j.jacobian2.rows())
      c.wrong("constraints/jacobian2", i, perpend_record_wrong_jacobian(j.jacobian2.row(i).data()));
    if (!perpend_record_is_range(j.bounds.row(i).data()))
      c.say(at("constraints/bounds", i) + " is not a range");
  }
}

}  // namespace

Vector3d second_point(const Frame& f, Index i) {
  const Contacts& k = f.contacts;
  if (k.points2.rows()) return k.points2.row(i);
  return (f.bodies.positions.row(k.pairs(i, 0)) + k.points.row(i) +
          k.asked_gap()[i] * k.normals.row(i) - f.bodies.positions.row(k.pairs(i, 1)))
      .transpose();
}

std::string_view name(Stepper stepper) { return stepper == Stepper::st ? "st" : "ap"; }

std::string invalid(const Frame& f) {
  Complaint c;
  if (!(f.step > 0) || !std::isfinite(f.step)) c.say("step is not a positive number");
  if (!std::isfinite(f.time)) c.say("time is not finite");
  if (!c) check_lengths(f, c);
  if (!c) check_bodies(f.bodies, c);
  if (!c) check_contacts(f, c);
  if (!c) check_joints(f, c);
  return c.take();
}

Tangents tangents(const Vector3d& n) {
  Index k = 0;
  for (Index i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[k])) k = i;
  const Vector3d t = (Vector3d::Unit(k) - n[k] * n).normalized();
  return {t, n.cross(t)};
}

Frame make_frame(Index n, Index m, const Integers& rows_of_joints) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Frame f;
  Bodies& b = f.bodies;
  for (Index i = 0; i < n; ++i) b.ids.push_back(i);
  b.masses = VectorXd::Ones(n);
  b.inertia = Rows<9>::Zero(n, 9);
  for (Index k : {0, 4, 8}) b.inertia.col(k).setOnes();
  b.positions = Rows3::Zero(n, 3);
  b.quaternions = Rows<4>::Zero(n, 4);
  b.quaternions.col(0).setOnes();
  b.velocities = Rows6::Zero(n, 6);
  b.forces = Rows6::Zero(n, 6);

  Contacts& k = f.contacts;
  k.pairs = Pairs::Zero(m, 2);
  k.normals = Rows3::Zero(m, 3);
  k.points = Rows3::Zero(m, 3);
  k.gap = VectorXd::Zero(m);
  k.mu = VectorXd::Zero(m);

  Joints& j = f.joints;
  j.rows = rows_of_joints;
  Index rows = 0;
  for (std::int64_t count : rows_of_joints) rows += count;
  j.pairs = Pairs::Zero(static_cast<Index>(rows_of_joints.size()), 2);
  j.jacobian = Rows<12>::Zero(rows, 12);
  j.bounds = Rows<2>::Zero(rows, 2);
  j.bounds.col(0).setConstant(-inf);
  j.bounds.col(1).setConstant(inf);
  j.violation = VectorXd::Zero(rows);
  return f;
}

}  // namespace perpend
