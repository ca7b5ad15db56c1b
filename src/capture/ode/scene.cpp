#include "capture/ode/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "capture/ode/geoms.hpp"
#include "capture/ode/rows.hpp"
#include "perpend/base.hpp"
#include "perpend/scene.hpp"

namespace perpend::capture::from_ode {
namespace {

constexpr double kBounceSpeed = 0.01;  // m/s, below which our law has no restitution

bool has_cone(const Shape& shape) {
  return shape.type == Shape::Type::cone ||
         std::any_of(shape.parts.begin(), shape.parts.end(),
                     [](const Part& part) { return has_cone(part.shape); });
}

// "body 3 (cone)", as the scene's own errors name them.
template <class Item>
std::string called(const char* what, std::size_t i, const Item& item) {
  std::string out = std::string(what) + " " + std::to_string(i);
  if (!item.name.empty()) out += " (" + item.name + ")";
  return out;
}

bool locked(const Joint::Limit& limit) { return limit.lower == 0 && limit.upper == 0; }

// Its three rotations are free.
bool is_ball(const Joint& joint) {
  for (std::size_t k = 3; k < 6; ++k)
    if (!joint.limits[k].free() || joint.motors[k].on) return false;
  return true;
}

// How a scripted body moves in a step: it is where its script says at the start of it, and its
// velocity takes it to the end.
Vector6 velocity_between(const Pose& from, const Pose& to, double h) {
  Eigen::Quaterniond turn = to.orientation * from.orientation.conjugate();
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  const double angle = 2 * std::atan2(sine, turn.w());
  Vector6 out;
  out << (to.position - from.position) / h,
      (sine > 0 ? Vector3d(turn.vec() / sine * angle / h) : Vector3d(Vector3d::Zero()));
  return out;
}

}  // namespace

OdeLibrary::OdeLibrary() { dInitODE2(0); }
OdeLibrary::~OdeLibrary() { dCloseODE(); }

std::string inexpressible_in_ode(const Scene& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (has_cone(scene.bodies[i].shape))
      return called("body", i, scene.bodies[i]) + ": ODE has no cones";
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const Joint& joint = scene.joints[i];
    if (joint.type != Joint::Type::generic) continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (!locked(joint.limits[k]) || joint.motors[k].on)
        return called("joint", i, joint) +
               ": ODE has no joint with both translations and rotations";
    if (joint.second < 0)
      return called("joint", i, joint) +
             ": in ODE a joint with limited rotations needs a second body that is not the world";
  }
  return {};
}

struct OdeScene::Inside {
  struct ScriptedBody {
    dBodyID body;
    Pose start;
    Motion motion;
  };

  OdeLibrary library;
  double h;
  long steps = 0;
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID group = dJointGroupCreate(0);
  std::optional<Geoms> geoms;
  const std::vector<Body> described;
  std::vector<dBodyID> bodies;
  std::vector<ScriptedBody> driven;
  std::set<std::pair<std::size_t, std::size_t>> apart;  // pairs that do not touch
  OdeRecorder* recorder = nullptr;
  const std::vector<std::int64_t> ids;
  std::vector<bool> turned;  // joints whose first body is ODE's second

  Inside(const Scene&, double step);
  ~Inside() {
    dJointGroupDestroy(group);
    geoms.reset();
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }

  void add_body(const Body&);
  void add_joint(const Joint&, std::size_t place);
  void move_driven();
  void touch(dGeomID, dGeomID);
  dBodyID body_of(Index i) const { return i < 0 ? nullptr : bodies[static_cast<std::size_t>(i)]; }
  static std::size_t index(dGeomID geom) {
    return reinterpret_cast<std::uintptr_t>(dGeomGetData(geom)) - 1;
  }
};

OdeScene::Inside::Inside(const Scene& scene, double step)
    : h(step), described(scene.bodies), ids(io::body_ids(scene)) {
  geoms.emplace(space);
  dWorldSetGravity(world, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
  dRandSetSeed(static_cast<unsigned long>(scene.seed));
  for (const Body& body : scene.bodies) add_body(body);
  for (std::size_t k = 0; k < scene.joints.size(); ++k) add_joint(scene.joints[k], k);
}

void OdeScene::Inside::add_body(const Body& body) {
  void* number = reinterpret_cast<void*>(bodies.size() + 1);
  if (body.mass == 0 && !body.motion) {
    geoms->make(body.shape, body.pose, nullptr, number);
    bodies.push_back(nullptr);
    return;
  }
  const dBodyID made = dBodyCreate(world);
  bodies.push_back(made);
  dBodySetData(made, number);
  const Vector3d centre = centre_of_mass(body);
  const Vector3d place = body.pose.position + body.pose.orientation * centre;
  const Eigen::Quaterniond q = body.pose.orientation.normalized();
  const dQuaternion turn{q.w(), q.x(), q.y(), q.z()};
  dBodySetPosition(made, place.x(), place.y(), place.z());
  dBodySetQuaternion(made, turn);
  geoms->make(body.shape, {-centre, Eigen::Quaterniond::Identity()}, made, number);
  if (body.mass == 0) {
    dBodySetKinematic(made);
    driven.push_back({made, body.pose, *body.motion});
    return;
  }
  const Matrix3d i = inertia(body);
  dMass mass;
  dMassSetParameters(&mass, body.mass, 0, 0, 0, i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2),
                     i(1, 2));
  dBodySetMass(made, &mass);
  dBodySetLinearVel(made, body.velocity[0], body.velocity[1], body.velocity[2]);
  dBodySetAngularVel(made, body.velocity[3], body.velocity[4], body.velocity[5]);
}

// ODE's coordinates and motors are those of its first body relative to its second: the scene's
// second body is its first. Where that is the world the joint is seen from the other side, and its
// coordinate changes sign.
void OdeScene::Inside::add_joint(const Joint& joint, std::size_t place) {
  dBodyID first = body_of(joint.second), second = body_of(joint.first);
  double sign = 1;
  if (!first) {
    std::swap(first, second);
    sign = -1;
  }
  turned.push_back(sign > 0);
  if (joint.first >= 0 && joint.second >= 0 && !joint.collide) {
    const auto a = static_cast<std::size_t>(joint.first);
    const auto b = static_cast<std::size_t>(joint.second);
    apart.insert({std::min(a, b), std::max(a, b)});
  }
  const Vector3d& at = joint.frame.position;
  const Matrix3d axes = joint.frame.orientation.normalized().toRotationMatrix();
  const auto drive = [&](dJointID made, void (*set)(dJointID, int, dReal), std::size_t axis,
                         int group_offset) {
    const Joint::Limit& limit = joint.limits[axis];
    const Joint::Motor& motor = joint.motors[axis];
    if (!limit.free()) {
      set(made, group_offset + dParamLoStop, sign > 0 ? limit.lower : -limit.upper);
      set(made, group_offset + dParamHiStop, sign > 0 ? limit.upper : -limit.lower);
    }
    if (motor.on) {
      set(made, group_offset + dParamVel, sign * motor.speed);
      set(made, group_offset + dParamFMax, motor.max_force);
    }
  };
  // A joint of ODE's for it.
  const auto mark = [&](dJointID made) {
    dJointSetData(made, reinterpret_cast<void*>(place + 1));
    return made;
  };
  const auto ball = [&] {
    const dJointID made = mark(dJointCreateBall(world, nullptr));
    dJointAttach(made, first, second);
    dJointSetBallAnchor(made, at.x(), at.y(), at.z());
  };
  switch (joint.type) {
    case Joint::Type::hinge: {
      const dJointID made = mark(dJointCreateHinge(world, nullptr));
      dJointAttach(made, first, second);
      dJointSetHingeAnchor(made, at.x(), at.y(), at.z());
      dJointSetHingeAxis(made, axes(0, 2), axes(1, 2), axes(2, 2));
      drive(made, dJointSetHingeParam, 5, 0);
      break;
    }
    case Joint::Type::point:
      ball();
      break;
    case Joint::Type::slider: {
      const dJointID made = mark(dJointCreateSlider(world, nullptr));
      dJointAttach(made, first, second);
      dJointSetSliderAxis(made, axes(0, 2), axes(1, 2), axes(2, 2));
      drive(made, dJointSetSliderParam, 2, 0);
      break;
    }
    case Joint::Type::fixed: {
      const dJointID made = mark(dJointCreateFixed(world, nullptr));
      dJointAttach(made, first, second);
      dJointSetFixed(made);
      break;
    }
    case Joint::Type::generic: {
      ball();
      if (is_ball(joint)) break;
      const dJointID made = mark(dJointCreateAMotor(world, nullptr));
      dJointAttach(made, first, second);
      dJointSetAMotorMode(made, dAMotorEuler);
      // x turns with ODE's first body, the scene's second; z with the other one.
      dJointSetAMotorAxis(made, 0, 1, axes(0, 0), axes(1, 0), axes(2, 0));
      dJointSetAMotorAxis(made, 2, second ? 2 : 0, axes(0, 2), axes(1, 2), axes(2, 2));
      for (int k = 0; k < 3; ++k)
        drive(made, dJointSetAMotorParam, static_cast<std::size_t>(3 + k), k * dParamGroup);
      break;
    }
  }
}

void OdeScene::Inside::move_driven() {
  const double time = static_cast<double>(steps) * h;
  for (const ScriptedBody& one : driven) {
    const Pose now = moved(one.start, one.motion, time);
    const Vector6 v = one.motion.type == Motion::Type::conveyor
                          ? one.motion.velocity
                          : velocity_between(now, moved(one.start, one.motion, time + h), h);
    const dQuaternion turn{now.orientation.w(), now.orientation.x(), now.orientation.y(),
                           now.orientation.z()};
    dBodySetPosition(one.body, now.position.x(), now.position.y(), now.position.z());
    dBodySetQuaternion(one.body, turn);
    dBodySetLinearVel(one.body, v[0], v[1], v[2]);
    dBodySetAngularVel(one.body, v[3], v[4], v[5]);
  }
}

void OdeScene::Inside::touch(dGeomID a, dGeomID b) {
  const std::size_t i = index(a), j = index(b);
  if (i == j || apart.contains({std::min(i, j), std::max(i, j)})) return;
  const Body &first = described[i], &second = described[j];
  if (first.mass == 0 && second.mass == 0) return;
  constexpr int kMost = 64;
  std::array<dContact, kMost> contacts;
  const int found = dCollide(a, b, kMost, &contacts[0].geom, sizeof(dContact));
  for (int k = 0; k < found; ++k) {
    dContact& contact = contacts[static_cast<std::size_t>(k)];
    contact.surface = {};
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = std::sqrt(first.mu * second.mu);
    if (const double e = std::sqrt(first.restitution * second.restitution); e > 0) {
      contact.surface.mode |= dContactBounce;
      contact.surface.bounce = e;
      contact.surface.bounce_vel = kBounceSpeed;
    }
    const dJointID joint = dJointCreateContact(world, group, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    if (recorder) recorder->contact(joint, contact);
  }
}

OdeScene::OdeScene(const Scene& scene, double h) {
  if (const std::string why = inexpressible_in_ode(scene); !why.empty())
    throw io::InputError(scene.name + ": " + why);
  inside_ = std::make_unique<Inside>(scene, h);
}

OdeScene::~OdeScene() = default;

dWorldID OdeScene::world() const { return inside_->world; }
dSpaceID OdeScene::space() const { return inside_->space; }
dBodyID OdeScene::body(std::size_t i) const { return inside_->bodies[i]; }
double OdeScene::h() const { return inside_->h; }

void OdeScene::record(OdeRecorder* recorder) {
  inside_->recorder = recorder;
  if (!recorder) return;
  const auto place = [](dJointID joint) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(dJointGetData(joint))) - 1;
  };
  recorder->joint_id = place;
  recorder->joint_turned = [place, turned = inside_->turned](dJointID joint) {
    return turned[static_cast<std::size_t>(place(joint))];
  };
  recorder->id = [ids = inside_->ids](dBodyID body, dGeomID geom) -> std::int64_t {
    if (!body && !geom) return -1;  // the world
    const void* number = body ? dBodyGetData(body) : dGeomGetData(geom);
    return ids[reinterpret_cast<std::uintptr_t>(number) - 1];
  };
}

void OdeScene::step(OdeMethod method) {
  Inside& s = *inside_;
  s.move_driven();
  dSpaceCollide(s.space, &s, [](void* inside, dGeomID a, dGeomID b) {
    static_cast<Inside*>(inside)->touch(a, b);
  });
  const auto take = [&](auto recorded, auto plain) {
    s.recorder ? (s.recorder->*recorded)(s.h) : static_cast<void>(plain(s.world, s.h));
  };
  if (method == OdeMethod::step)
    take(&OdeRecorder::step, dWorldStep);
  else
    take(&OdeRecorder::quick_step, dWorldQuickStep);
  dJointGroupEmpty(s.group);
  ++s.steps;
}

std::uint64_t OdeScene::hash() const {
  const Inside& s = *inside_;
  std::vector<std::size_t> order(s.bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return s.ids[a] < s.ids[b]; });
  StateHash hash;
  for (const std::size_t i : order) {
    const dBodyID body = s.bodies[i];
    if (!body) continue;  // it never moves
    for (int k = 0; k < 3; ++k) hash.add(dBodyGetPosition(body)[k]);
    for (int k = 0; k < 4; ++k) hash.add(dBodyGetQuaternion(body)[k]);
    for (int k = 0; k < 3; ++k) hash.add(dBodyGetLinearVel(body)[k]);
    for (int k = 0; k < 3; ++k) hash.add(dBodyGetAngularVel(body)[k]);
  }
  return hash.value();
}

}  // namespace perpend::capture::from_ode
