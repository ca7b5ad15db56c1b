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

// Of OpenBLAS, behind Siconos. Its threads wait for each other without sleeping: on a busy machine
// a step takes a thousand times longer.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace perpend::capture {
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

std::shared_ptr<FrictionContact> problem_of(const SiconosScene& scene) {
  std::map<std::string, int> solvers{{"nsgs", SICONOS_FRICTION_3D_NSGS},
                                     {"nsgs-exact", SICONOS_FRICTION_3D_NSGS},
                                     {"prox", SICONOS_FRICTION_3D_PROX},
                                     {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC}};
  const int id = solvers.at(scene.solver);
  auto problem = std::make_shared<FrictionContact>(3, id);
  SolverOptions& options = *problem->numericsSolverOptions();
  if (scene.solver == "nsgs-exact") {
    options.dparam[SICONOS_DPARAM_TOL] = 1e-13;
    options.iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  }
  if (scene.iterations > 0) options.iparam[SICONOS_IPARAM_MAX_ITER] = scene.iterations;
  problem->setMStorageType(id == SICONOS_FRICTION_3D_NSN_AC ? NM_SPARSE : NM_SPARSE_BLOCK);
  problem->setNumericsVerboseMode(false);
  return problem;
}

void say_nothing(int, Simulation*) {}

}  // namespace

struct SiconosWorld::Inside {
  SP::NonSmoothDynamicalSystem bodies;
  std::shared_ptr<FrictionContact> problem;
  std::shared_ptr<MoreauJeanOSI> integrator;
  std::shared_ptr<RecordingMoreauJean> recording;  // the same, or null
  std::shared_ptr<TimeStepping> stepping;
  std::vector<std::shared_ptr<RigidBodyDS>> moving;
  std::map<const DynamicalSystem*, std::int64_t> ids;
  std::map<const SiconosShape*, std::int64_t> fixed_ids;

  Inside(const SiconosScene& scene, std::function<void(SiconosStep&)> sink)
      : bodies(std::make_shared<NonSmoothDynamicalSystem>(0, std::numeric_limits<double>::max())),
        problem(problem_of(scene)) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    for (const SiconosScene::Body& body : scene.bodies)
      if (body.mass > 0) add_moving(body, scene.gravity);
    if (sink) {
      recording = std::make_shared<RecordingMoreauJean>(std::move(sink), 0.5);
      recording->id = [this](const DynamicalSystem& body) { return ids.at(&body); };
      recording->fixed_id = [this](const SiconosShape& shape) { return fixed_ids.at(&shape); };
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
    stepping->insertInteractionManager(manager);
    for (const SiconosScene::Body& body : scene.bodies) {
      group(body);
      if (body.mass > 0) continue;
      const SP::SiconosContactorSet set = contactors(body);
      for (const auto& contactor : *set) fixed_ids[contactor->shape.get()] = body.id;
      manager->insertStaticContactorSet(set);
    }
    for (const auto& [a, i] : groups)
      for (const auto& [b, j] : groups)
        if (i <= j)
          manager->insertNonSmoothLaw(
              std::make_shared<NewtonImpactFrictionNSL>(std::sqrt(a.second * b.second), 0.0,
                                                        std::sqrt(a.first * b.first), 3),
              static_cast<unsigned long>(i), static_cast<unsigned long>(j));
  }

  // Bodies of the same friction and restitution share a collision group: laws are given by pairs of
  // groups.
  std::map<std::pair<double, double>, int> groups;
  int group(const SiconosScene::Body& body) {
    return groups.emplace(std::pair(body.mu, body.restitution), static_cast<int>(groups.size()))
        .first->second;
  }

  SP::SiconosContactorSet contactors(const SiconosScene::Body& body) {
    auto out = std::make_shared<SiconosContactorSet>();
    for (const SiconosScene::Shape& shape : body.shapes) {
      const SP::SiconosShape made = shape_of(shape);
      made->setInsideMargin(0);
      made->setOutsideMargin(0);
      out->push_back(std::make_shared<SiconosContactor>(made, vector(pose_of(shape)), group(body)));
    }
    return out;
  }

  void add_moving(const SiconosScene::Body& body, const std::array<double, 3>& gravity) {
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    for (unsigned i = 0; i < 9; ++i) inertia->setValue(i / 3, i % 3, body.inertia[i]);
    const Eigen::Quaterniond turn(body.pose[3], body.pose[4], body.pose[5], body.pose[6]);
    const Eigen::Vector3d omega(body.velocity[3], body.velocity[4], body.velocity[5]);
    const Eigen::Vector3d own =
        turn.conjugate() * omega;  // its angular velocities are a body's own
    const std::array<double, 6> velocity{body.velocity[0], body.velocity[1], body.velocity[2],
                                         own.x(),          own.y(),          own.z()};
    auto made =
        std::make_shared<RigidBodyDS>(vector(body.pose), vector(velocity), body.mass, inertia);
    made->setUseContactorInertia(false);
    made->setContactors(contactors(body));
    made->setFExtPtr(vector(std::array<double, 3>{body.mass * gravity[0], body.mass * gravity[1],
                                                  body.mass * gravity[2]}));
    bodies->insertDynamicalSystem(made);
    ids[made.get()] = body.id;
    moving.push_back(made);
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
    for (unsigned i = 0; i < 7; ++i) out.push_back(body->q()->getValue(i));
    for (unsigned i = 0; i < 6; ++i) out.push_back(body->twist()->getValue(i));
  }
  return out;
}

std::vector<std::string> siconos_solvers() {
  std::vector<std::string> names;
  for (int id = SICONOS_FRICTION_3D_NSGS; id <= SICONOS_FRICTION_3D_ADMM; ++id)
    if (const char* name = solver_options_id_to_name(id))
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.emplace_back(name);
        names.push_back(std::string(name) + kNotApplied);
      }
  return names;
}

// Siconos tells its version nowhere; the libraries this was written for, number 7, are 4.4's.
std::string siconos_version() { return "4.4"; }

}  // namespace perpend::capture
