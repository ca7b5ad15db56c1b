#include "capture/dart/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/Contact.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/DynamicJointConstraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "capture/dart/coupling.hpp"

namespace perpend::capture::from_dart {
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

// What a unit impulse along d at the point gives to its speed there.
double mobility(const Link& link, const Vector3d& point, const Vector3d& d) {
  if (!link.moving) return 0;
  const Vector3d turn = (point - link.position).cross(d);
  return 1 / link.mass + turn.dot(link.inverse_inertia * turn);
}

// What a limit, a motor or a closed loop is about, where that is known; see docs/capture.md.
void explain(ConstraintRow& row, const dart::constraint::ConstraintBase& constraint,
             const dart::dynamics::Joint* joint, std::size_t coordinate, double h) {
  if (dynamic_cast<const Coupling*>(&constraint)) {
    row.violation = row.bias * h;
    return;
  }
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

// Impulses on a body and along the coordinates of the joint above it, as DART keeps them.
class ConstraintImpulses {
 public:
  explicit ConstraintImpulses(BodyNode& node) : node_(node), on_body_(node.getConstraintImpulse()) {
    const dart::dynamics::Joint& joint = *node.getParentJoint();
    on_joint_.resize(static_cast<Index>(joint.getNumDofs()));
    for (Index k = 0; k < on_joint_.size(); ++k)
      on_joint_[k] = joint.getConstraintImpulse(static_cast<std::size_t>(k));
  }
  const Vector6& on_body() const { return on_body_; }
  bool any() const { return !on_body_.isZero(0) || !on_joint_.isZero(0); }
  void put_on_joint() const {
    for (Index k = 0; k < on_joint_.size(); ++k)
      node_.getParentJoint()->setConstraintImpulse(static_cast<std::size_t>(k), on_joint_[k]);
  }
  void put_back() const {
    node_.setConstraintImpulse(on_body_);
    put_on_joint();
  }

 private:
  BodyNode& node_;
  Vector6 on_body_;
  UpToSix on_joint_;
};

// Adds what the impulses on a skeleton's bodies and joints change, by DART's forward dynamics. That
// takes the impulses of one body at a time; the skeleton is left as it was.
void add_response(const Range& range, std::vector<Link>& links) {
  dart::dynamics::Skeleton& skeleton = *range.skeleton;
  if (range.end - range.begin == 1) {  // the impulses on its joint stay where they are
    Link& link = links[range.begin];
    const Vector6 on_body = link.node->getConstraintImpulse();
    link.node->setConstraintImpulse(Vector6::Zero());
    skeleton.updateBiasImpulse(link.node, on_body);
    skeleton.updateVelocityChange();
    link.plus += link.twist(link.node->getBodyVelocityChange());
    link.node->setConstraintImpulse(on_body);
    return;
  }
  std::vector<ConstraintImpulses> given;
  given.reserve(range.end - range.begin);
  for (std::size_t i = range.begin; i < range.end; ++i) given.emplace_back(*links[i].node);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const ConstraintImpulses& one = given[i - range.begin];
    if (!one.any()) continue;
    skeleton.clearConstraintImpulses();
    one.put_on_joint();
    skeleton.updateBiasImpulse(links[i].node, one.on_body());
    skeleton.updateVelocityChange();
    for (std::size_t k = range.begin; k < range.end; ++k)
      if (links[k].moving) links[k].plus += links[k].twist(links[k].node->getBodyVelocityChange());
  }
  skeleton.clearConstraintImpulses();
  for (const ConstraintImpulses& one : given) one.put_back();
}

}  // namespace

LcpRows::LcpRows(std::vector<Link>& links, const std::vector<Range>& skeletons, double h)
    : links_(links), skeletons_(skeletons), h_(h) {
  for (std::size_t i = 0; i < links_.size(); ++i) places_[links_[i].node] = i;
}

std::size_t LcpRows::link_of(const BodyNode* node) const { return places_.at(node); }

std::size_t LcpRows::range_of(std::size_t link) const {
  const auto found = std::partition_point(skeletons_.begin(), skeletons_.end(),
                                          [&](const Range& range) { return range.end <= link; });
  return static_cast<std::size_t>(found - skeletons_.begin());
}

// The response of a constraint's row to its own unit impulse.
double LcpRows::respond(dart::constraint::ConstraintBase& constraint, Index component,
                        const std::vector<std::size_t>& touched) const {
  std::vector<double> response(constraint.getDimension());
  constraint.applyUnitImpulse(static_cast<std::size_t>(component));
  constraint.getVelocityChange(response.data(), false);
  clear(touched);
  return response[static_cast<std::size_t>(component)];
}

// DART keeps its tangents to itself, and the force of a unit impulse tells them. The second is the
// first turned about the normal by a right angle, in all contacts to the same side; one that is
// asked for both tells to which.
void LcpRows::find_tangents(dart::constraint::ConstraintBase& constraint,
                            dart::collision::Contact& contact, ContactRow& out) {
  const auto tangent = [&](Index k) -> Vector3d {
    std::array<double, 3> one{};
    one[static_cast<std::size_t>(k)] = 1;
    constraint.applyImpulse(one.data());
    for (const Index link : {out.first, out.second}) {
      const Link& on = links_[static_cast<std::size_t>(link)];
      if (on.moving) on.node->setConstraintImpulse(Vector6::Zero());
    }
    return kDart.direction(h_ * contact.force);
  };
  out.t = tangent(1);
  // Where a detector's normal is a unit vector only roughly, DART's directions are not orthogonal.
  constexpr double kRounding = 1e-15;
  const Vector3d turned = out.n.cross(out.t);
  const bool exact = std::abs(out.n.squaredNorm() - 1) < kRounding;
  out.o = exact && side_ != 0 ? side_ * turned : tangent(2);
  if (exact && side_ == 0) side_ = out.o.dot(turned) > 0 ? 1 : -1;
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
  out.n = kDart.direction(contact.normal);
  const Tangents by_rule = tangents(out.n);
  out.t = by_rule.t;
  out.o = by_rule.o;
  const Vector3d& point = contact.point;
  out.r1 = point - links_[first].position;
  out.r2 = point - links_[second].position;
  out.gap = kDart.gap(contact.penetrationDepth);
  out.restitution = std::clamp(restitution(shape1) * restitution(shape2), 0.0, 1.0);

  std::vector<std::size_t> touched;
  bool alone = true;
  for (const std::size_t link : {first, second}) {
    if (!links_[link].moving) continue;
    alone = alone && links_[link].alone;
    const std::size_t range = range_of(link);
    if (touched.empty() || touched[0] != range) touched.push_back(range);
    in_group_[range] = true;
  }
  const Vector3d apart = at_point(links_[second], point) - at_point(links_[first], point);
  const auto dimension = static_cast<Index>(constraint.getDimension());
  if (dimension == 3) find_tangents(constraint, contact, out);
  if (!alone) constraint.excite();
  for (Index k = 0; k < dimension; ++k) {
    const auto place = static_cast<Index>(group_.size());
    const Vector3d& direction = k == 0 ? out.n : k == 1 ? out.t : out.o;
    out.cfm[k] =
        lcp.A[place * lcp.stride + place] - (alone ? mobility(links_[first], point, direction) +
                                                         mobility(links_[second], point, direction)
                                                   : respond(constraint, k, touched));
    out.bias[k] = -lcp.b[place] - direction.dot(apart);
    if (k == 1) out.mu = lcp.hi[place];
    group_.push_back({LcpRow::Kind::contact, contacts.size(), 1, k});
  }
  if (!alone) constraint.unexcite();
  contacts.push_back(out);
}

// The row of the Jacobian that the impulses on bodies and joints are, with the joint and the
// coordinate that it is about when it is about one. False: more than two bodies, or none.
bool LcpRows::read_row(const std::vector<std::size_t>& touched, ConstraintRow& row,
                       std::size_t& coordinate) const {
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
  for (const std::size_t range : touched)
    for (std::size_t i = skeletons_[range].begin; i < skeletons_[range].end; ++i) {
      const Link& link = links_[i];
      const auto place = static_cast<Index>(i);
      const Vector6 impulse = link.node->getConstraintImpulse();
      if (!impulse.isZero(0)) add(place, link.wrench(impulse));
      const dart::dynamics::Joint* above = link.node->getParentJoint();
      for (std::size_t k = 0; k < above->getNumDofs(); ++k) {
        const double along = above->getConstraintImpulse(k);
        if (along == 0) continue;
        row.joint = place;
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

// The impulses on bodies and joints, each as a row.
void LcpRows::add_parts(const std::vector<std::size_t>& touched,
                        const dart::constraint::ConstraintBase& constraint) {
  for (const std::size_t range : touched)
    for (std::size_t i = skeletons_[range].begin; i < skeletons_[range].end; ++i) {
      const Link& link = links_[i];
      ConstraintRow part;
      part.constraint = &constraint;
      part.second = static_cast<Index>(i);
      const Vector6 impulse = link.node->getConstraintImpulse();
      if (!impulse.isZero(0)) {
        part.on_second = link.wrench(impulse);
        constraints.push_back(part);
      }
      const dart::dynamics::Joint& above = *link.node->getParentJoint();
      for (std::size_t k = 0; k < above.getNumDofs(); ++k) {
        const double along = above.getConstraintImpulse(k);
        if (along == 0) continue;
        const Vector6 d = along * link.joint.coordinate.col(static_cast<Index>(k));
        part.joint = part.second;
        part.first = link.parent;
        part.on_second = on_child(link, d);
        if (link.parent >= 0)
          part.on_first =
              on_parent(link, links_[static_cast<std::size_t>(link.parent)].position, d);
        constraints.push_back(part);
      }
    }
}

void LcpRows::add_constraint(dart::constraint::ConstraintBase& constraint, const BoxedLcp& lcp) {
  std::vector<std::size_t> idle, touched;
  for (std::size_t i = 0; i < skeletons_.size(); ++i)
    if (!skeletons_[i].skeleton->isImpulseApplied()) idle.push_back(i);
  constraint.excite();
  for (const std::size_t i : idle)
    if (skeletons_[i].skeleton->isImpulseApplied()) {
      touched.push_back(i);
      in_group_[i] = true;
    }
  std::vector<double> one(constraint.getDimension(), 0.0);
  for (std::size_t k = 0; k < one.size(); ++k) {
    const auto place = static_cast<Index>(group_.size());
    LcpRow row;
    ConstraintRow out;
    out.cfm =
        lcp.A[place * lcp.stride + place] - respond(constraint, static_cast<Index>(k), touched);
    one[k] = 1;
    constraint.applyImpulse(one.data());
    one[k] = 0;
    std::size_t coordinate = 0;
    if (read_row(touched, out, coordinate)) {
      const auto free = [&](Index link, const Vector6& j) {
        return link < 0 ? 0.0 : j.dot(links_[static_cast<std::size_t>(link)].free);
      };
      out.bias = -lcp.b[place] - free(out.first, out.on_first) - free(out.second, out.on_second);
      out.lower = lcp.lo[place];
      out.upper = lcp.hi[place];
      const dart::dynamics::Joint* joint =
          out.joint < 0 ? nullptr
                        : links_[static_cast<std::size_t>(out.joint)].node->getParentJoint();
      out.constraint = &constraint;
      explain(out, constraint, joint, coordinate, h_);
      out.starts = k == 0 || constraints.empty() || constraints.back().first != out.first ||
                   constraints.back().second != out.second;
      row.kind = LcpRow::Kind::constraint;
      row.at = constraints.size();
      constraints.push_back(out);
    } else {
      row.at = constraints.size();
      add_parts(touched, constraint);
      row.count = constraints.size() - row.at;
    }
    clear(touched);
    group_.push_back(row);
  }
  constraint.unexcite();
}

void LcpRows::clear(const std::vector<std::size_t>& touched) const {
  for (const std::size_t range : touched) skeletons_[range].skeleton->clearConstraintImpulses();
}

void LcpRows::start_group() {
  group_.clear();
  in_group_.assign(skeletons_.size(), false);
  frictionless_ = {};
}

void LcpRows::keep_frictionless(const BoxedLcp& lcp) {
  Frictionless& kept = frictionless_;
  std::vector<Index> rows;
  for (Index i = 0; i < lcp.n; ++i) {
    const bool friction = lcp.normal[i] >= 0;
    kept.row.push_back(friction ? -1 : static_cast<Index>(rows.size()));
    if (friction)
      kept.friction.push_back({i, lcp.normal[i], lcp.hi[i]});
    else
      rows.push_back(i);
  }
  if (kept.friction.empty()) return;
  const auto m = static_cast<Index>(rows.size());
  kept.A.resize(m, padded(m));
  kept.b.resize(m);
  kept.lo.resize(m);
  kept.hi.resize(m);
  for (Index i = 0; i < m; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    const double* from = lcp.A + row * lcp.stride;
    for (Index j = 0; j < m; ++j) kept.A(i, j) = from[rows[static_cast<std::size_t>(j)]];
    kept.b[i] = lcp.b[row];
    kept.lo[i] = lcp.lo[row];
    kept.hi[i] = lcp.hi[row];
  }
}

// Dantzig's method, as DART has it from ODE, solves the rows without friction first, bounds those
// of friction by mu times that normal impulse, and then lets normal impulses change. Its bounds are
// found by having it solve those rows alone, which is what it does.
void LcpRows::find_dantzig_bounds() {
  Frictionless& kept = frictionless_;
  if (kept.friction.empty()) return;
  const Index m = kept.b.size();
  VectorXd x = VectorXd::Zero(m);
  Eigen::VectorXi none = Eigen::VectorXi::Constant(m, -1);
  dart::constraint::DantzigBoxedLcpSolver().solve(static_cast<int>(m), kept.A.data(), x.data(),
                                                  kept.b.data(), 0, kept.lo.data(), kept.hi.data(),
                                                  none.data(), true);
  for (const Frictionless::FrictionRow& row : kept.friction) {
    const LcpRow& told = group_[static_cast<std::size_t>(row.at)];
    if (told.kind == LcpRow::Kind::contact)
      contacts[told.at].bounds[told.component - 1] =
          std::abs(row.mu * x[kept.row[static_cast<std::size_t>(row.by)]]);
  }
}

void LcpRows::answer(const VectorXd& x, bool by_dantzig) {
  if (by_dantzig) find_dantzig_bounds();
  for (std::size_t r = 0; r < group_.size(); ++r) {
    const LcpRow& row = group_[r];
    const double lambda = x[static_cast<Index>(r)];
    if (row.kind == LcpRow::Kind::contact) contacts[row.at].z[row.component] = lambda;
    if (row.kind == LcpRow::Kind::constraint) constraints[row.at].z = lambda;
    for (std::size_t k = row.at; row.kind == LcpRow::Kind::given && k < row.at + row.count; ++k)
      constraints[k].z = constraints[k].lower = constraints[k].upper = lambda;
  }
  for (std::size_t i = 0; i < skeletons_.size(); ++i)
    if (in_group_[i]) add_response(skeletons_[i], links_);
}

}  // namespace perpend::capture::from_dart
