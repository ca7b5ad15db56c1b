// A scene in a world of DART: shapes, skeletons, joints, motors, scripted motions.
#include "capture/dart/scene.hpp"

#include <algorithm>
#include <cmath>
#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/ConeShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "capture/dart/captured_output.hpp"
#include "capture/dart/coupling.hpp"
#include "capture/dart/joints.hpp"
#include "perpend/scene.hpp"
#include "perpend/system.hpp"

namespace perpend::capture::from_dart {
namespace {

using dart::dynamics::BodyNode;

Eigen::Isometry3d isometry(const Pose& pose) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = pose.orientation.normalized().toRotationMatrix();
  out.translation() = pose.position;
  return out;
}

std::string called(const char* what, Index index, const std::string& name) {
  return std::string(what) + " " + std::to_string(index) +
         (name.empty() ? "" : " ('" + name + "')");
}

[[noreturn]] void refuse(const std::string& who, const std::string& why) {
  throw io::InputError(who + ": DART has no " + why);
}

void add_shape(BodyNode& node, const dart::dynamics::ShapePtr& shape, const Eigen::Isometry3d& pose,
               const Body& body) {
  auto* made =
      node.createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
          shape);
  made->setRelativeTransform(pose);
  made->getDynamicsAspect()->setFrictionCoeff(body.mu);
  // DART multiplies the two bodies' numbers; a pair shall have the geometric mean.
  made->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(body.restitution));
}

// `who` names the body in a complaint.
void add_shapes(BodyNode& node, const Shape& shape, const Eigen::Isometry3d& pose, const Body& body,
                const std::string& who) {
  const auto add = [&](auto made, const Vector3d& at = Vector3d::Zero()) {
    add_shape(node, made, pose * Eigen::Translation3d(at), body);
  };
  switch (shape.type) {
    case Shape::Type::box:
      return add(std::make_shared<dart::dynamics::BoxShape>(2 * shape.half_extents));
    case Shape::Type::sphere:
      return add(std::make_shared<dart::dynamics::SphereShape>(shape.radius));
    case Shape::Type::cylinder:
      return add(std::make_shared<dart::dynamics::CylinderShape>(shape.radius, shape.height));
    case Shape::Type::cone:
      return add(std::make_shared<dart::dynamics::ConeShape>(shape.radius, shape.height));
    case Shape::Type::capsule: {  // a row of balls; its detectors know no capsule
      const auto gaps = std::max(1L, std::lround(std::ceil(2 * shape.height / shape.radius)));
      for (long k = 0; k <= gaps; ++k)
        add(std::make_shared<dart::dynamics::SphereShape>(shape.radius),
            Vector3d(0, 0,
                     shape.height * (static_cast<double>(k) / static_cast<double>(gaps) - 0.5)));
      return;
    }
    case Shape::Type::plane: {                    // its detectors make a thin sheet of a plane
      constexpr double kWide = 1000, kDeep = 10;  // m
      return add(std::make_shared<dart::dynamics::BoxShape>(Vector3d(kWide, kWide, kDeep)),
                 Vector3d(0, 0, -kDeep / 2));
    }
    case Shape::Type::compound:
      for (const Part& part : shape.parts)
        add_shapes(node, part.shape, pose * isometry(part.pose), body, who);
      return;
    case Shape::Type::hull:
    case Shape::Type::height_field:
    case Shape::Type::mesh:
      refuse(who, "shape for a " + std::string(name(shape.type)) + " here");
  }
}

// Whether DART's own detector, which is exact, knows all shapes.
bool only_boxes_and_balls(const Shape& shape) {
  for (const Part& part : shape.parts)
    if (!only_boxes_and_balls(part.shape)) return false;
  return shape.type == Shape::Type::box || shape.type == Shape::Type::sphere ||
         shape.type == Shape::Type::capsule || shape.type == Shape::Type::plane ||
         shape.type == Shape::Type::compound;
}

// The coordinates' velocities that come nearest to the body's.
void add_velocity(const Body& body, BodyNode& node) {
  dart::dynamics::Joint& joint = *node.getParentJoint();
  if (joint.getNumDofs() == 0 || body.velocity.isZero(0)) return;
  const Eigen::Isometry3d& pose = node.getTransform();
  const Vector3d w = body.velocity.tail<3>();
  const Vector3d v =
      body.velocity.head<3>() - w.cross(Vector3d(pose.linear() * node.getLocalCOM()));
  Vector6 wanted;
  wanted << pose.linear().transpose() * w, pose.linear().transpose() * v;
  const dart::math::Jacobian S = joint.getRelativeJacobian();
  const Vector6 relative = wanted - node.getSpatialVelocity();  // the joint itself stands still
  joint.setVelocities(S.colPivHouseholderQr().solve(relative));
}

}  // namespace

void DartScene::add_body(const Scene& scene, const Branch& branch,
                         dart::dynamics::Skeleton& skeleton) {
  const Body& body = scene.bodies[static_cast<std::size_t>(branch.body)];
  const std::string who = called("body", branch.body, body.name);
  BodyNode::Properties properties(
      BodyNode::AspectProperties("body " + std::to_string(branch.body)));
  if (body.mass > 0)
    properties.mInertia = dart::dynamics::Inertia(body.mass, centre_of_mass(body), inertia(body));
  BodyNode* above = branch.parent < 0 ? nullptr : bodies_[static_cast<std::size_t>(branch.parent)];
  const Eigen::Isometry3d pose = isometry(body.pose);
  const Eigen::Isometry3d parent = above ? above->getTransform() : Eigen::Isometry3d::Identity();
  BodyNode* node = nullptr;
  if (branch.joint >= 0) {
    const Joint& joint = scene.joints[static_cast<std::size_t>(branch.joint)];
    MadeJoint made = make_joint(joint, joint.second != branch.body, skeleton, above, properties,
                                parent.inverse() * isometry(joint.frame),
                                pose.inverse() * isometry(joint.frame));
    if (!made.node) refuse(called("joint", branch.joint, joint.name), made.missing);
    node = made.node;
    joints_[node->getParentJoint()] = branch.joint;
    add_drives(scene, branch.joint, *node);
    if (made.speed) motors_.push_back({node->getParentJoint(), *made.speed});
  } else if (body.mass == 0 && !body.motion) {
    dart::dynamics::WeldJoint::Properties at;
    at.mT_ParentBodyToJoint = pose;
    node = skeleton.createJointAndBodyNodePair<dart::dynamics::WeldJoint>(nullptr, at, properties)
               .second;
  } else {
    if (body.motion && body.motion->type == Motion::Type::conveyor) refuse(who, "conveyors");
    dart::dynamics::FreeJoint::Properties at;
    at.mT_ParentBodyToJoint = pose;
    auto [joint, made] =
        skeleton.createJointAndBodyNodePair<dart::dynamics::FreeJoint>(nullptr, at, properties);
    node = made;
    if (body.motion) {
      joint->setActuatorType(dart::dynamics::Joint::VELOCITY);
      driven_.push_back({joint, body.pose, *body.motion});
    }
  }
  bodies_[static_cast<std::size_t>(branch.body)] = node;
  add_shapes(*node, body.shape, Eigen::Isometry3d::Identity(), body, who);
  add_velocity(body, *node);
}

// Of the joint above a node.
void DartScene::add_drives(const Scene& scene, Index index, const BodyNode& node) {
  const Joint& joint = scene.joints[static_cast<std::size_t>(index)];
  const std::string who = called("joint", index, joint.name);
  for (std::size_t axis = 0; axis < joint.drives.size(); ++axis) {
    const Joint::Drive& drive = joint.drives[axis];
    std::vector<Control> controls;
    for (const Control& control : scene.control)
      if (control.joint == index && (control.axis < 0 || control.axis == static_cast<int>(axis)) &&
          std::ranges::find(free_axes(joint.type), axis) != free_axes(joint.type).end())
        controls.push_back(control);
    if (drive == Joint::Drive{} && controls.empty()) continue;
    auto* made = const_cast<dart::dynamics::Joint*>(node.getParentJoint());
    if (made->getNumDofs() != 1) refuse(who, "drives of a joint with several axes here");
    if (joint.motors[axis].on) refuse(who, "joint with a motor and a drive");
    if (drive.armature > 0) refuse(who, "armature");
    drives_.add(*made, drive, std::move(controls));
  }
}

// A joint that follows another one.
void DartScene::follow(const Scene& scene, Index index) {
  const Joint& joint = scene.joints[static_cast<std::size_t>(index)];
  if (joint.mimic.joint < 0) return;
  const auto made = [&](Index which) -> dart::dynamics::Joint& {
    for (const auto& [one, place] : joints_)
      if (place == which) return *const_cast<dart::dynamics::Joint*>(one);
    refuse(called("joint", index, joint.name), "mimic joint that closes a loop");
  };
  const auto coupling = std::make_shared<Coupling>(made(index), made(joint.mimic.joint),
                                                   joint.mimic.ratio, joint.mimic.offset);
  loops_[coupling.get()] = index;
  world_->getConstraintSolver()->addConstraint(coupling);
}

void DartScene::close_loop(const Scene& scene, Index index) {
  const Joint& joint = scene.joints[static_cast<std::size_t>(index)];
  const auto node = [&](Index body) {
    return body < 0 ? nullptr : bodies_[static_cast<std::size_t>(body)];
  };
  BodyNode *one = node(joint.first), *other = node(joint.second);
  if (!one) std::swap(one, other);
  dart::constraint::ConstraintBasePtr made;
  if (joint.type == Joint::Type::point) {
    made = other
               ? std::make_shared<dart::constraint::BallJointConstraint>(one, other,
                                                                         joint.frame.position)
               : std::make_shared<dart::constraint::BallJointConstraint>(one, joint.frame.position);
  } else if (joint.type == Joint::Type::fixed) {
    made = other ? std::make_shared<dart::constraint::WeldJointConstraint>(one, other)
                 : std::make_shared<dart::constraint::WeldJointConstraint>(one);
  } else {
    refuse(called("joint", index, joint.name),
           "constraint that closes a loop of joints with a " + std::string(name(joint.type)));
  }
  loops_[made.get()] = index;
  world_->getConstraintSolver()->addConstraint(made);
}

// Bodies of a skeleton may touch each other, but for those that are kept apart.
void DartScene::filter_pairs(const Scene& scene) {
  const auto filter = std::make_shared<dart::collision::BodyNodeCollisionFilter>();
  for (const auto& [a, b] : kept_apart(scene))
    filter->addBodyNodePairToBlackList(bodies_[static_cast<std::size_t>(a)],
                                       bodies_[static_cast<std::size_t>(b)]);
  world_->getConstraintSolver()->getCollisionOption().collisionFilter = filter;
}

void DartScene::start(const Vector3d& gravity, double h) {
  world_->setGravity(gravity);
  world_->setTimeStep(h);
  // DART drops contacts beyond a thousand without a word.
  world_->getConstraintSolver()->getCollisionOption().maxNumContacts = 1'000'000;
}

void DartScene::add_tree(const Scene& scene, const std::vector<Branch>& tree) {
  const auto skeleton =
      dart::dynamics::Skeleton::create("skeleton " + std::to_string(world_->getNumSkeletons()));
  for (const Branch& branch : tree) add_body(scene, branch, *skeleton);
  skeleton->enableSelfCollisionCheck();
  skeleton->enableAdjacentBodyCheck();
  if (skeleton->getNumDofs() == 0) skeleton->setMobile(false);
  world_->addSkeleton(skeleton);
}

DartScene::DartScene(const Scene& scene, double h) {
  const CapturedOutput listening;  // FCL says something about every degenerate triangle of a mesh
  start(scene.gravity, h);
  bool simple = true;
  for (const Body& body : scene.bodies) simple = simple && only_boxes_and_balls(body.shape);
  if (simple)
    world_->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
  bodies_.resize(scene.bodies.size());
  const Forest forest = forest_of(scene);
  for (const std::vector<Branch>& tree : forest.trees) add_tree(scene, tree);
  filter_pairs(scene);
  for (const Index joint : forest.loops) close_loop(scene, joint);
  for (Index k = 0; k < static_cast<Index>(scene.joints.size()); ++k) follow(scene, k);
}

void DartScene::step() {
  const double h = world_->getTimeStep();
  const double next = static_cast<double>(++steps_) * h;
  for (const ScriptedBody& driven : driven_) {
    const Eigen::Isometry3d now = driven.joint->getChildBodyNode()->getTransform();
    const Eigen::Isometry3d then = isometry(moved(driven.start, driven.motion, next));
    Vector6 velocity = dart::dynamics::FreeJoint::convertToPositions(now.inverse() * then) / h;
    // DART adds this on its way from one velocity to the next.
    const Vector6 before = driven.joint->getVelocities();
    velocity.tail<3>() -= h * Vector3d(before.head<3>()).cross(Vector3d(before.tail<3>()));
    driven.joint->setCommands(velocity);
  }
  for (const Motor& motor : motors_) motor.joint->setCommand(0, motor.speed);
  drives_.set(next, h);
  world_->step();
}

void DartScene::solve_with(const std::string& solver, int iterations) {
  auto& lcp =
      dynamic_cast<dart::constraint::BoxedLcpConstraintSolver&>(*world_->getConstraintSolver());
  const auto pgs = std::make_shared<dart::constraint::PgsBoxedLcpSolver>();
  if (iterations > 0) pgs->setOption(dart::constraint::PgsBoxedLcpSolver::Option(iterations));
  lcp.setSecondaryBoxedLcpSolver(nullptr);
  if (solver == "pgs") {
    lcp.setBoxedLcpSolver(pgs);
  } else {
    lcp.setBoxedLcpSolver(std::make_shared<dart::constraint::DantzigBoxedLcpSolver>());
    lcp.setSecondaryBoxedLcpSolver(pgs);
  }
}

int DartScene::sweeps() const {
  return dart::constraint::PgsBoxedLcpSolver::Option().mMaxIteration;
}

}  // namespace perpend::capture::from_dart
