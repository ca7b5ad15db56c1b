#include "capture/ode/step_reader.hpp"

#include <algorithm>

namespace perpend::capture::from_ode {

void OdeStepReader::begin(std::unique_ptr<OdeStepRecord> made, dWorldID world, OdeMethod method,
                          double h) {
  made_ = std::move(made);
  made_->clear();
  made_->method = method;
  made_->settings = read_world(world, h);
  made_->iterations = dWorldGetQuickStepNumIterations(world);
  places_.clear();
  here_ = nullptr;
  lent_.clear();
  theirs_.clear();
}

void OdeStepReader::add(dSpaceID space) {
  const int count = dSpaceGetNumGeoms(space);
  for (int i = 0; i < count; ++i) {
    const dGeomID geom = dSpaceGetGeom(space, i);
    if (dGeomIsSpace(geom))
      add(reinterpret_cast<dSpaceID>(geom));
    else if (const dBodyID body = dGeomGetBody(geom))
      add(body);
  }
}

Index OdeStepReader::add(dBodyID body) {
  const auto [place, added] =
      places_.emplace(body, static_cast<std::int64_t>(made_->bodies.size()));
  if (added) copy_body(body, made_->bodies.emplace_back());
  return place;
}

Index OdeStepReader::add_fixed(dGeomID geom) {
  const auto [place, added] =
      places_.emplace(geom, static_cast<std::int64_t>(made_->bodies.size()));
  if (added) copy_fixed(geom, made_->bodies.emplace_back());
  return place;
}

dJointFeedback* OdeStepReader::lend(dJointID joint) {
  dJointFeedback* ours = made_->feedback.next();
  if (const dJointFeedback* theirs = dJointGetFeedback(joint)) {
    theirs_.push_back({theirs, ours});
  } else {
    dJointSetFeedback(joint, ours);
    lent_.push_back(joint);
  }
  return ours;
}

void OdeStepReader::add_contact(dJointID joint, const OdePair& pair, const dContact& made) {
  const Index first = place(pair.first);
  // Where ODE has no second body it is the geom that is not the first one's.
  const dGeomID other = pair.reversed ? made.geom.g1 : made.geom.g2;
  const Index second =
      pair.second ? place(pair.second) : add_fixed(other && !dGeomGetBody(other) ? other : nullptr);
  ContactOfOde& out = made_->contacts.emplace_back();
  out.joint = joint;
  out.felt = lend(joint);
  out.first = static_cast<std::int32_t>(first);
  out.second = static_cast<std::int32_t>(second);
  out.reversed = pair.reversed;
  out.made = made;
}

void OdeStepReader::add_joint(dJointID joint, const OdePair& pair, const OdeRest& rest) {
  const Index first = place(pair.first);
  const Index second = pair.second ? place(pair.second) : add_fixed(nullptr);
  JointOfOde out{joint, lend(joint), pair, first, second, std::nullopt, std::nullopt, -1};
  if (dJointGetType(joint) == dJointTypeAMotor)
    out.motor = motor_axes(joint);
  else
    out.rows = joint_rows(joint, pair, rest, made_->settings, body(first), body(second));
  made_->joints.push_back(std::move(out));
}

// A body that sleeps after the step slept in it, and so did joints between sleepers: a step wakes
// whatever is joined to somebody awake.
void OdeStepReader::leave_out_sleepers() {
  std::vector<OdeBodyCopy>& bodies = made_->bodies;
  bool all = true;
  for (OdeBodyCopy& one : bodies) {
    one.awake = one.body && dBodyIsEnabled(one.body);
    all = all && (one.awake || !one.body);
  }
  if (all) return;
  const auto asleep = [&](const auto& joint) {
    return !bodies[static_cast<std::size_t>(joint.first)].awake &&
           !bodies[static_cast<std::size_t>(joint.second)].awake;
  };
  std::erase_if(made_->contacts, asleep);
  std::erase_if(made_->joints, asleep);
  std::vector<Index> moved(bodies.size(), -1);
  const auto keep = [&](Index i) { moved[static_cast<std::size_t>(i)] = 0; };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].awake) moved[i] = 0;
  for (const ContactOfOde& one : made_->contacts) keep(one.first), keep(one.second);
  for (const JointOfOde& one : made_->joints) keep(one.first), keep(one.second);
  std::size_t next = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (moved[i] < 0) continue;
    moved[i] = static_cast<Index>(next);
    bodies[next] = bodies[i];
    ++next;
  }
  bodies.resize(next);
  const auto follow = [&](auto& joint) {
    using Place = decltype(joint.first);
    joint.first = static_cast<Place>(moved[static_cast<std::size_t>(joint.first)]);
    joint.second = static_cast<Place>(moved[static_cast<std::size_t>(joint.second)]);
  };
  for (ContactOfOde& one : made_->contacts) follow(one);
  for (JointOfOde& one : made_->joints) follow(one);
}

std::unique_ptr<OdeStepRecord> OdeStepReader::answered(const Id& id_of, const JointId& joint_id,
                                                       const JointTurned& joint_turned) {
  for (const dJointID joint : lent_) dJointSetFeedback(joint, nullptr);
  for (const Theirs& one : theirs_) *one.to = *one.from;
  leave_out_sleepers();
  for (OdeBodyCopy& one : made_->bodies) {
    one.id = id_of(one.body, one.geom);
    if (!one.fixed) copy_velocity_after(one);
  }
  if (joint_id)
    for (JointOfOde& one : made_->joints) one.id = joint_id(one.joint);
  if (joint_turned)
    for (JointOfOde& one : made_->joints) one.turned = joint_turned(one.joint);
  // Now the angles of angular motors are known.
  for (JointOfOde& one : made_->joints)
    if (one.motor)
      one.rows = motor_rows(one.joint, *one.motor, one.pair, made_->settings, body(one.first),
                            body(one.second));
  return std::move(made_);
}

}  // namespace perpend::capture::from_ode
