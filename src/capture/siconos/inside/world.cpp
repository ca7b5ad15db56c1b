// Siconos' settings are its own but for these: inertia as the scene says (it would take it from the
// shapes), no outer margin around shapes (bodies would stop that far apart), and no words on the
// screen where a solver did not converge.
#include "capture/siconos/world.hpp"

#include "perpend/capture/siconos.hpp"
//
#include <siconos/numerics/SolverOptions.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <siconos/kernel/FrictionContact.hpp>
#include <siconos/kernel/NewtonImpactFrictionNSL.hpp>
#include <siconos/kernel/NonSmoothDynamicalSystem.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/TimeDiscretisation.hpp>
#include <siconos/kernel/TimeStepping.hpp>
#include <siconos/mechanics/RigidBodyDS.hpp>
#include <siconos/mechanics/SiconosBulletCollisionManager.hpp>
#include <siconos/mechanics/SiconosContactor.hpp>
#include <siconos/mechanics/SiconosShape.hpp>

#include "capture/siconos/inside/graphs.hpp"
#include "capture/siconos/inside/joints.hpp"

// Of OpenBLAS, behind Siconos. Its threads wait for each other without sleeping: on a busy machine
// a step takes a thousand times longer.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace perpend::capture::from_siconos {
namespace {

template <std::size_t N>
SP::SiconosVector vector(const std::array<double, N>& values) {
  auto out = std::make_shared<SiconosVector>(static_cast<unsigned>(N));
  for (unsigned i = 0; i < N; ++i) out->setValue(i, values[i]);
  return out;
}

SP::SiconosShape shape_of(const SiconosScene::Shape& shape) {
  using Type = SiconosScene::Shape::Type;
  const auto& s = shape.size;
  switch (shape.type) {
    case Type::box:
      return std::make_shared<SiconosBox>(s[0], s[1], s[2]);
    case Type::sphere:
      return std::make_shared<SiconosSphere>(static_cast<float>(s[0]));
    case Type::cylinder:
      return std::make_shared<SiconosCylinder>(s[0], s[1]);
    case Type::cone:
      return std::make_shared<SiconosCone>(s[0], s[1]);
    case Type::capsule:
      return std::make_shared<SiconosCapsule>(s[0], s[1]);
    case Type::plane:
      return std::make_shared<SiconosPlane>();
    case Type::hull:
      break;
  }
  auto points = std::make_shared<SimpleMatrix>(static_cast<unsigned>(shape.points.size()), 3);
  for (unsigned i = 0; i < shape.points.size(); ++i)
    for (unsigned j = 0; j < 3; ++j) points->setValue(i, j, shape.points[i][j]);
  return std::make_shared<SiconosConvexHull>(points);
}

// Siconos' cylinders, cones and capsules lie along y, ours along z.
std::array<double, 7> pose_of(const SiconosScene::Shape& shape) {
  using Type = SiconosScene::Shape::Type;
  if (shape.type != Type::cylinder && shape.type != Type::cone && shape.type != Type::capsule)
    return shape.pose;
  const Eigen::Quaterniond turned =
      Eigen::Quaterniond(shape.pose[3], shape.pose[4], shape.pose[5], shape.pose[6]) *
      Eigen::Quaterniond(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
  return {shape.pose[0], shape.pose[1], shape.pose[2], turned.w(),
          turned.x(),    turned.y(),    turned.z()};
}

std::shared_ptr<LinearOSNS> problem_of(const SiconosScene& scene) {
  std::map<std::string, int> solvers{{"nsgs", SICONOS_FRICTION_3D_NSGS},
                                     {"nsgs-exact", SICONOS_FRICTION_3D_NSGS},
                                     {"prox", SICONOS_FRICTION_3D_PROX},
                                     {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC}};
  const int id = solvers.at(scene.solver);
  std::shared_ptr<LinearOSNS> problem;
  if (scene.joints.empty())
    problem = std::make_shared<FrictionContact>(3, id);
  else
    problem = std::make_shared<JointProblem>(SICONOS_FRICTION_3D_ONECONTACT_NSN);
  SolverOptions& options = *problem->numericsSolverOptions();
  if (scene.solver == "nsgs-exact") {
    options.dparam[SICONOS_DPARAM_TOL] = 1e-13;
    options.iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  }
  if (scene.iterations > 0) options.iparam[SICONOS_IPARAM_MAX_ITER] = scene.iterations;
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->setNumericsVerboseMode(false);
  return problem;
}

void say_nothing(int, Simulation*) {}

}  // namespace

struct SiconosWorld::Inside {
  const SiconosScene scene;
  SP::NonSmoothDynamicalSystem bodies;
  std::shared_ptr<LinearOSNS> problem;
  std::shared_ptr<MoreauJeanOSI> integrator;
  std::shared_ptr<RecordingMoreauJean> recording;  // the same, or null
  std::shared_ptr<TimeStepping> stepping;
  std::vector<std::shared_ptr<RigidBodyDS>> moving;  // by place in the scene; null: stands still
  std::map<const DynamicalSystem*, std::int64_t> ids;
  std::map<const SiconosShape*, std::int64_t> fixed_ids;
  std::map<const Interaction*, std::int64_t> joined_ids;  // of what stands still at a joint
  std::map<const Interaction*, std::int64_t> joint_ids;
  std::set<const Interaction*> turned;  // joints whose first body stands still

  Inside(const SiconosScene& asked, std::function<void(SiconosStep&)> sink)
      : scene(asked),
        bodies(std::make_shared<NonSmoothDynamicalSystem>(0, std::numeric_limits<double>::max())),
        problem(problem_of(scene)) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    use_graphs_without_assertions();
    group_bodies();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      moving.emplace_back();
      if (scene.bodies[i].mass > 0 || scene.bodies[i].motion) add_moving(i);
    }
    for (std::size_t k = 0; k < scene.joints.size(); ++k)
      add_joint(scene.joints[k], static_cast<std::int64_t>(k));
    if (sink) {
      recording = std::make_shared<RecordingMoreauJean>(std::move(sink), 0.5);
      recording->id = [this](const DynamicalSystem& body) { return ids.at(&body); };
      recording->fixed_id = [this](const SiconosShape& shape) { return fixed_ids.at(&shape); };
      recording->joined_id = [this](const Interaction& joint) { return joined_ids.at(&joint); };
      recording->joint_id = [this](const Interaction& joint) { return joint_ids.at(&joint); };
      recording->joint_turned = [this](const Interaction& joint) {
        return turned.count(&joint) > 0;
      };
      integrator = recording;
    } else {
      integrator = std::make_shared<MoreauJeanOSI>(0.5);
    }
    stepping =
        std::make_shared<TimeStepping>(bodies, std::make_shared<TimeDiscretisation>(0.0, scene.h));
    stepping->insertIntegrator(integrator);
    stepping->insertNonSmoothProblem(problem);
    stepping->setCheckSolverFunction(say_nothing);
    stepping->setWarnOnNonConvergence(false);
    const auto manager = std::make_shared<SiconosBulletCollisionManager>(SiconosBulletOptions());
    manager->useEqualityConstraints(!scene.joints.empty());
    stepping->insertInteractionManager(manager);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (moving[i]) continue;
      const SP::SiconosContactorSet set = contactors(i);
      for (const auto& contactor : *set) fixed_ids[contactor->shape.get()] = scene.bodies[i].id;
      manager->insertStaticContactorSet(set);
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = i; j < groups.size(); ++j)
        if (may_touch(groups[i], groups[j]))
          manager->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(
                                          std::sqrt(groups[i].restitution * groups[j].restitution),
                                          0.0, std::sqrt(groups[i].mu * groups[j].mu), 3),
                                      i, j);
  }

  // Laws are given by pairs of collision groups; two groups without one do not touch. Bodies of the
  // same friction and restitution share a group, but for those that a joint keeps from touching one
  // that stands still: that Siconos does by itself between two bodies only.
  struct Group {
    double mu, restitution;
    bool driven;  // its velocity is given
    int alone;    // the place of its only body; -1: it may have several
    bool operator==(const Group& o) const {
      return mu == o.mu && restitution == o.restitution && driven == o.driven && alone == o.alone;
    }
  };
  std::vector<Group> groups;
  std::vector<int> group_of;             // by place in the scene
  std::set<std::pair<int, int>> joined;  // bodies that do not touch, the lower place first

  void group_bodies() {
    std::set<int> alone;
    for (const SiconosScene::Joint& joint : scene.joints) {
      if (joint.collide || joint.first < 0 || joint.second < 0) continue;
      if (!stands(joint.first) && !stands(joint.second)) continue;
      joined.insert(std::minmax(joint.first, joint.second));
      alone.insert({joint.first, joint.second});
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const SiconosScene::Body& body = scene.bodies[i];
      const int place = static_cast<int>(i);
      const Group group{body.mu, body.restitution, body.mass == 0, alone.count(place) ? place : -1};
      const auto found = std::find(groups.begin(), groups.end(), group);
      group_of.push_back(static_cast<int>(found - groups.begin()));
      if (found == groups.end()) groups.push_back(group);
    }
  }
  bool stands(int place) const {
    const SiconosScene::Body& body = scene.bodies[static_cast<std::size_t>(place)];
    return body.mass == 0 && !body.motion;
  }
  bool may_touch(const Group& a, const Group& b) const {
    if (a.driven && b.driven) return false;
    return a.alone < 0 || b.alone < 0 || !joined.count(std::minmax(a.alone, b.alone));
  }

  SP::SiconosContactorSet contactors(std::size_t place) const {
    auto out = std::make_shared<SiconosContactorSet>();
    for (const SiconosScene::Shape& shape : scene.bodies[place].shapes) {
      const SP::SiconosShape made = shape_of(shape);
      made->setInsideMargin(0);
      made->setOutsideMargin(0);
      out->push_back(
          std::make_shared<SiconosContactor>(made, vector(pose_of(shape)), group_of[place]));
    }
    return out;
  }

  void add_moving(std::size_t place) {
    const SiconosScene::Body& body = scene.bodies[place];
    const bool driven = body.mass == 0;  // any mass will do then
    const double mass = driven ? 1 : body.mass;
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    inertia->eye();
    if (!driven)
      for (unsigned i = 0; i < 9; ++i) inertia->setValue(i / 3, i % 3, body.inertia[i]);
    const Eigen::Quaterniond turn(body.pose[3], body.pose[4], body.pose[5], body.pose[6]);
    const std::array<double, 6> v = driven ? body.motion(0) : body.velocity;
    const Eigen::Vector3d own =  // its angular velocities are a body's own
        turn.conjugate() * Eigen::Vector3d(v[3], v[4], v[5]);
    const std::array<double, 6> velocity{v[0], v[1], v[2], own.x(), own.y(), own.z()};
    auto made = std::make_shared<RigidBodyDS>(vector(body.pose), vector(velocity), mass, inertia);
    made->setUseContactorInertia(false);
    made->setContactors(contactors(place));
    const auto& g = scene.gravity;
    if (driven)
      made->setBoundaryConditions(std::make_shared<Motion>(body.motion, *made));
    else
      made->setFExtPtr(vector(std::array<double, 3>{mass * g[0], mass * g[1], mass * g[2]}));
    bodies->insertDynamicalSystem(made);
    ids[made.get()] = body.id;
    moving[place] = made;
  }

  void add_joint(const SiconosScene::Joint& joint, std::int64_t id) {
    const auto body = [&](int place) -> SP::NewtonEulerDS {
      return place < 0 ? nullptr : moving[static_cast<std::size_t>(place)];
    };
    const SP::NewtonEulerDS first = body(joint.first), second = body(joint.second);
    const int still = first ? joint.second : joint.first;
    for (const SP::Interaction& made : make_joint(joint, scene.h, first, second)) {
      bodies->link(made, first ? first : second, first ? second : SP::NewtonEulerDS());
      joint_ids[made.get()] = id;
      if (!first) turned.insert(made.get());
      if (!first || !second)
        joined_ids[made.get()] = still < 0 ? -1 : scene.bodies[static_cast<std::size_t>(still)].id;
    }
  }
};

SiconosWorld::SiconosWorld(const SiconosScene& scene, std::function<void(SiconosStep&)> sink)
    : inside_(std::make_unique<Inside>(scene, std::move(sink))) {}
SiconosWorld::~SiconosWorld() = default;

void SiconosWorld::step() {
  inside_->stepping->computeOneStep();
  inside_->stepping->nextStep();
  if (inside_->recording) inside_->recording->finish();
}

int SiconosWorld::iterations() const {
  return inside_->problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER];
}

std::vector<double> SiconosWorld::state() const {
  std::vector<double> out;
  for (const auto& body : inside_->moving) {
    if (!body) continue;
    for (unsigned i = 0; i < 7; ++i) out.push_back(body->q()->getValue(i));
    for (unsigned i = 0; i < 6; ++i) out.push_back(body->twist()->getValue(i));
  }
  return out;
}

std::vector<std::string> siconos_solvers() {
  std::vector<std::string> names;
  const auto add = [&](int id) {
    const char* name = solver_options_id_to_name(id);
    if (!name || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.emplace_back(name);
    names.push_back(names.back());
    names.back() += kNotApplied;
  };
  for (int id = SICONOS_FRICTION_3D_NSGS; id <= SICONOS_FRICTION_3D_ADMM; ++id) add(id);
  add(GenericMechanical().numericsSolverOptions()->solverId);
  return names;
}

// Siconos tells its version nowhere; the libraries this was written for, number 7, are 4.4's.
std::string siconos_version() { return "4.4"; }

}  // namespace perpend::capture::from_siconos
