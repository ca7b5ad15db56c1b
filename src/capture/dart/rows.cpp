#include "capture/dart/rows.hpp"

#include <algorithm>
#include <cmath>
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/Contact.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/DynamicJointConstraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>

namespace perpend::capture {
namespace {

using dart::dynamics::BodyNode;

const dart::dynamics::ShapeNode* shape_of(const dart::collision::CollisionObject* object) {
  return object->getShapeFrame()->asShapeNode();
}

double restitution(const dart::dynamics::ShapeNode* shape) {
  const auto* aspect = shape->getDynamicsAspect();
  return aspect ? aspect->getRestitutionCoeff() : 0;
}

Vector3d at_point(const Link& link, const Vector3d& point) {
  return link.free.head<3>() + Vector3d(link.free.tail<3>()).cross(point - link.position);
}

void clear(const std::vector<const Range*>& touched) {
  for (const Range* range : touched) range->skeleton->clearConstraintImpulses();
}

// What a limit, a motor or a closed loop is about, where that is known; see docs/capture.md.
void explain(ConstraintRow& row, const dart::constraint::ConstraintBase& constraint,
             const dart::dynamics::Joint* joint, std::size_t coordinate, double h) {
  if (dynamic_cast<const dart::constraint::DynamicJointConstraint*>(&constraint)) {
    const double part = dart::constraint::DynamicJointConstraint::getErrorReductionParameter();
    row.violation = part > 0 ? row.bias * h / part : 0;
    return;
  }
  const bool at_lower = row.lower == 0 && std::isinf(row.upper);
  const bool at_upper = row.upper == 0 && std::isinf(row.lower);
  if (!joint || !(at_lower || at_upper)) {
    row.rate = row.bias;  // a motor or friction: a speed, and no position
    return;
  }
  const double limit = at_lower ? joint->getPositionLowerLimit(coordinate)
                                : joint->getPositionUpperLimit(coordinate);
  const double fastest = at_lower ? joint->getVelocityLowerLimit(coordinate)
                                  : joint->getVelocityUpperLimit(coordinate);
  const double distance = joint->getPosition(coordinate) - limit;
  // DART keeps whichever speed is stricter: the one that leads to the limit, or the highest.
  const bool by_speed = at_lower ? fastest > -distance / h : fastest < -distance / h;
  const bool beyond = at_lower ? distance < 0 : distance > 0;
  if (by_speed && !beyond)
    row.rate = -fastest;
  else
    row.violation = distance;
}

}  // namespace

LcpRows::LcpRows(std::vector<Link>& links, const std::vector<Range>& skeletons, double h)
    : links_(links), skeletons_(skeletons), h_(h) {
  for (std::size_t i = 0; i < links_.size(); ++i) places_[links_[i].node] = i;
}

std::size_t LcpRows::link_of(const BodyNode* node) const { return places_.at(node); }

const Range& LcpRows::range_of(std::size_t link) const {
  return *std::partition_point(skeletons_.begin(), skeletons_.end(),
                               [&](const Range& range) { return range.end <= link; });
}

// The response to a unit impulse of the constraint's row, and the compliance beside it.
double LcpRows::respond(dart::constraint::ConstraintBase& constraint, Index component,
                        const BoxedLcp& lcp, const std::vector<const Range*>& touched,
                        LcpRow& row) const {
  std::vector<double> response(constraint.getDimension());
  constraint.applyUnitImpulse(static_cast<std::size_t>(component));
  constraint.getVelocityChange(response.data(), false);
  for (const Range* range : touched)
    for (std::size_t i = range->begin; i < range->end; ++i)
      if (links_[i].moving)
        row.changes.push_back({i, links_[i].twist(links_[i].node->getBodyVelocityChange())});
  clear(touched);
  const auto place = static_cast<Index>(group_.size());
  return lcp.A[place * lcp.stride + place] - response[static_cast<std::size_t>(component)];
}

void LcpRows::add_contact(dart::constraint::ConstraintBase& constraint,
                          dart::collision::Contact& contact, const BoxedLcp& lcp) {
  const auto* shape1 = shape_of(contact.collisionObject1);
  const auto* shape2 = shape_of(contact.collisionObject2);
  const std::size_t first = link_of(shape1->getBodyNodePtr()),
                    second = link_of(shape2->getBodyNodePtr());
  ContactRow out;
  out.first = static_cast<Index>(first);
  out.second = static_cast<Index>(second);
  out.n = -contact.normal;
  const Tangents by_rule = tangents(out.n);
  out.t = by_rule.t;
  out.o = by_rule.o;
  out.point = contact.point;
  out.gap = -contact.penetrationDepth;
  out.restitution = std::clamp(restitution(shape1) * restitution(shape2), 0.0, 1.0);

  std::vector<const Range*> touched;
  for (const std::size_t link : {first, second})
    if (links_[link].moving && (touched.empty() || touched[0] != &range_of(link)))
      touched.push_back(&range_of(link));
  const Vector3d apart = at_point(links_[second], out.point) - at_point(links_[first], out.point);
  const auto dimension = static_cast<Index>(constraint.getDimension());
  std::vector<double> one(constraint.getDimension(), 0.0);
  constraint.excite();
  for (Index k = 0; k < dimension; ++k) {
    const std::size_t place = group_.size();
    LcpRow row;
    row.kind = LcpRow::Kind::contact;
    row.at = contacts.size();
    row.component = k;
    out.cfm[k] = respond(constraint, k, lcp, touched, row);
    if (k > 0) {  // DART keeps its tangents to itself, and the force of a unit impulse tells them
      one[static_cast<std::size_t>(k)] = 1;
      constraint.applyImpulse(one.data());
      one[static_cast<std::size_t>(k)] = 0;
      (k == 1 ? out.t : out.o) = -h_ * contact.force;
      clear(touched);
    }
    const Vector3d& direction = k == 0 ? out.n : k == 1 ? out.t : out.o;
    out.bias[k] = -lcp.b[place] - direction.dot(apart);
    if (k == 1) out.mu = lcp.hi[place];
    group_.push_back(std::move(row));
  }
  constraint.unexcite();
  contacts.push_back(out);
}

// The row of the Jacobian that the impulses on bodies and joints are, with the joint and the
// coordinate that it is about when it is about one. False: more than two bodies, or none.
bool LcpRows::read_row(const std::vector<const Range*>& touched, ConstraintRow& row,
                       const dart::dynamics::Joint*& joint, std::size_t& coordinate) const {
  bool any = false, fits = true;
  const auto add = [&](Index link, const Vector6& wrench) {
    if (!any) {
      row.second = link;
      any = true;
    }
    if (row.second == link)
      row.on_second += wrench;
    else if (row.first < 0 || row.first == link) {
      row.first = link;
      row.on_first += wrench;
    } else
      fits = false;
  };
  for (const Range* range : touched)
    for (std::size_t i = range->begin; i < range->end; ++i) {
      const Link& link = links_[i];
      const auto place = static_cast<Index>(i);
      const Vector6 impulse = link.node->getConstraintImpulse();
      if (!impulse.isZero(0)) add(place, link.wrench(impulse));
      const dart::dynamics::Joint* above = link.node->getParentJoint();
      for (std::size_t k = 0; k < above->getNumDofs(); ++k) {
        const double along = above->getConstraintImpulse(k);
        if (along == 0) continue;
        joint = above;
        coordinate = k;
        const Vector6 d = along * link.joint.coordinate.col(static_cast<Index>(k));
        add(place, on_child(link, d));
        if (link.parent >= 0)
          add(link.parent,
              on_parent(link, links_[static_cast<std::size_t>(link.parent)].position, d));
      }
    }
  return any && fits;
}

void LcpRows::add_constraint(dart::constraint::ConstraintBase& constraint, const BoxedLcp& lcp) {
  std::vector<const Range*> idle, touched;
  for (const Range& range : skeletons_)
    if (!range.skeleton->isImpulseApplied()) idle.push_back(&range);
  constraint.excite();
  for (const Range* range : idle)
    if (range->skeleton->isImpulseApplied()) touched.push_back(range);
  std::vector<double> one(constraint.getDimension(), 0.0);
  for (std::size_t k = 0; k < one.size(); ++k) {
    const std::size_t place = group_.size();
    LcpRow row;
    ConstraintRow out;
    out.cfm = respond(constraint, static_cast<Index>(k), lcp, touched, row);
    one[k] = 1;
    constraint.applyImpulse(one.data());
    one[k] = 0;
    const dart::dynamics::Joint* joint = nullptr;
    std::size_t coordinate = 0;
    if (read_row(touched, out, joint, coordinate)) {
      const auto free = [&](Index link, const Vector6& j) {
        return link < 0 ? 0.0 : j.dot(links_[static_cast<std::size_t>(link)].free);
      };
      out.bias = -lcp.b[place] - free(out.first, out.on_first) - free(out.second, out.on_second);
      out.lower = lcp.lo[place];
      out.upper = lcp.hi[place];
      explain(out, constraint, joint, coordinate, h_);
      out.starts = k == 0 || constraints.empty() || constraints.back().first != out.first ||
                   constraints.back().second != out.second;
      row.kind = LcpRow::Kind::constraint;
      row.at = constraints.size();
      constraints.push_back(out);
    }
    clear(touched);
    group_.push_back(std::move(row));
  }
  constraint.unexcite();
}

void LcpRows::start_group() {
  group_.clear();
  bounds_.resize(0);
}

void LcpRows::find_dantzig_bounds(const BoxedLcp& lcp) {
  std::vector<Index> rows;
  std::vector<int> place(static_cast<std::size_t>(lcp.n), -1);
  for (Index i = 0; i < lcp.n; ++i)
    if (lcp.normal[i] < 0) {
      place[static_cast<std::size_t>(i)] = static_cast<int>(rows.size());
      rows.push_back(i);
    }
  const auto m = static_cast<Index>(rows.size());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(m, padded(m));
  VectorXd x = VectorXd::Zero(m), b(m), lo(m), hi(m);
  Eigen::VectorXi none = Eigen::VectorXi::Constant(m, -1);
  for (Index i = 0; i < m; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < m; ++j)
      A(i, j) = lcp.A[row * lcp.stride + rows[static_cast<std::size_t>(j)]];
    b[i] = lcp.b[row];
    lo[i] = lcp.lo[row];
    hi[i] = lcp.hi[row];
  }
  dart::constraint::DantzigBoxedLcpSolver().solve(static_cast<int>(m), A.data(), x.data(), b.data(),
                                                  0, lo.data(), hi.data(), none.data(), true);
  bounds_.resize(lcp.n);
  for (Index i = 0; i < lcp.n; ++i)
    bounds_[i] = lcp.normal[i] < 0
                     ? 0
                     : std::abs(lcp.hi[i] * x[place[static_cast<std::size_t>(lcp.normal[i])]]);
}

void LcpRows::answer(const VectorXd& x, bool by_dantzig) {
  for (std::size_t r = 0; r < group_.size(); ++r) {
    const LcpRow& row = group_[r];
    const auto place = static_cast<Index>(r);
    const double lambda = x[place];
    if (row.kind == LcpRow::Kind::contact) {
      contacts[row.at].z[row.component] = lambda;
      if (row.component > 0 && by_dantzig)
        contacts[row.at].bounds[row.component - 1] = bounds_[place];
    }
    if (row.kind == LcpRow::Kind::constraint) constraints[row.at].z = lambda;
    for (const Change& change : row.changes) links_[change.link].plus += lambda * change.velocity;
  }
}

}  // namespace perpend::capture
