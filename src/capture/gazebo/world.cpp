#include "capture/gazebo/world.hpp"

#include <chrono>
#include <cmath>
#include <dart/simulation/World.hpp>
#include <filesystem>
#include <fstream>
#include <ignition/common/Console.hh>
#include <ignition/common/MeshManager.hh>
#include <ignition/math/eigen3/Conversions.hh>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/World.hh>
#include <ignition/physics/config.hh>
#include <ignition/physics/dartsim/World.hh>
#include <ignition/physics/mesh/MeshShape.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <sdf/Collision.hh>
#include <sdf/Console.hh>
#include <sdf/Geometry.hh>
#include <sdf/Link.hh>
#include <sdf/Mesh.hh>
#include <sdf/Model.hh>
#include <sdf/Physics.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>

#include "perpend/io.hpp"

namespace perpend::capture::from_gazebo {
namespace {

namespace gz = ignition::physics;
using Features = gz::FeatureList<gz::sdf::ConstructSdfWorld, gz::ForwardStep, gz::Solver,
                                 gz::CollisionDetector, gz::GetModelFromWorld, gz::GetLinkFromModel,
                                 gz::mesh::AttachMeshShapeFeature, gz::dartsim::RetrieveWorld>;
using Engine3d = gz::Engine3dPtr<Features>;
using World3d = gz::World3dPtr<Features>;
using Nanoseconds = std::chrono::steady_clock::duration;  // Gazebo's time

// With the version's number: the name without is of Debian's package for developers.
std::filesystem::path plugin() {
  const std::string major = std::to_string(IGNITION_PHYSICS_MAJOR_VERSION);
  std::string name = "libignition-physics";
  name += major + "-dartsim-plugin.so." + major;
  return std::filesystem::path(IGNITION_PHYSICS_ENGINE_INSTALL_DIR) / name;
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

Engine3d engine(ignition::plugin::Loader& loader) {
  const std::filesystem::path path = plugin();
  if (loader.LoadLib(path.string()).empty())
    throw io::InputError(path.string() + ": the DART plugin of Gazebo's physics is missing");
  const Engine3d out =
      gz::RequestEngine3d<Features>::From(loader.Instantiate("ignition::physics::dartsim::Plugin"));
  if (!out) throw io::InputError(path.string() + ": lacks a feature that recording needs");
  return out;
}

// The errors of the parser, of which there may be many; the first says what is wrong.
void load(sdf::Root& root, const std::string& path) {
  if (!std::ifstream(path)) throw io::InputError(path + ": cannot be read");
  // By a relative name libsdformat finds its own description of <world> for world.sdf first.
  for (const sdf::Error& error : root.Load(std::filesystem::absolute(path).string())) {
    std::string line = path;
    if (error.LineNumber()) line += ", line " + std::to_string(*error.LineNumber());
    throw io::InputError(line + ": " + one_line(error.Message()));
  }
  if (root.WorldCount() == 0)
    throw io::InputError(path + ": has no <world>; put the model into one");
}

// gz-physics makes all shapes but meshes from the file; those Gazebo attaches itself.
void attach_mesh(const World3d& world, const sdf::Model& model, const sdf::Link& link,
                 const sdf::Collision& collision, const std::string& path) {
  const std::string name =
      path + ": collision '" + model.Name() + "::" + link.Name() + "::" + collision.Name() + "'";
  const sdf::Mesh& given = *collision.Geom()->MeshShape();
  std::filesystem::path file = given.Uri();
  if (file.is_relative()) file = std::filesystem::path(path).parent_path() / file;
  const ignition::common::Mesh* mesh =
      std::filesystem::is_regular_file(file)
          ? ignition::common::MeshManager::Instance()->Load(file.string())
          : nullptr;
  if (!mesh) throw io::InputError(name + ": the mesh " + given.Uri() + " cannot be read");
  const auto owner = world->GetModel(model.Name());
  const auto body = owner ? owner->GetLink(link.Name()) : nullptr;
  ignition::math::Pose3d pose;
  if (!body || !collision.SemanticPose().Resolve(pose, link.Name()).empty())
    throw io::InputError(name + ": has no pose");
  body->AttachMeshShape(collision.Name(), *mesh, ignition::math::eigen3::convert(pose),
                        ignition::math::eigen3::convert(given.Scale()));
}

void attach_meshes(const World3d& world, const sdf::World& given, const std::string& path) {
  for (std::uint64_t m = 0; m < given.ModelCount(); ++m) {
    const sdf::Model& model = *given.ModelByIndex(m);
    for (std::uint64_t l = 0; l < model.LinkCount(); ++l) {
      const sdf::Link& link = *model.LinkByIndex(l);
      for (std::uint64_t c = 0; c < link.CollisionCount(); ++c) {
        const sdf::Collision& collision = *link.CollisionByIndex(c);
        switch (collision.Geom()->Type()) {
          case sdf::GeometryType::MESH:
            attach_mesh(world, model, link, collision, path);
            break;
          case sdf::GeometryType::HEIGHTMAP:
            throw io::InputError(path + ": collision '" + model.Name() + "::" + link.Name() +
                                 "::" + collision.Name() + "': height maps cannot be recorded");
          default:
            break;
        }
      }
    }
  }
}

// <physics><dart>: detector and solver, as Gazebo hands them on.
void configure(const World3d& world, const sdf::Physics* physics, const std::string& solver) {
  std::string name = solver;
  if (physics && physics->Element() && physics->Element()->HasElement("dart")) {
    const sdf::ElementPtr dart = physics->Element()->GetElement("dart");
    if (dart->HasElement("collision_detector"))
      world->SetCollisionDetector(dart->Get<std::string>("collision_detector"));
    if (name.empty() && dart->HasElement("solver"))
      name = dart->GetElement("solver")->Get<std::string>("solver_type");
  }
  if (!name.empty()) world->SetSolver(name);
}

}  // namespace

struct GazeboWorld::Parts {
  ignition::plugin::Loader loader;  // before what comes out of its library
  World3d world;
  dart::simulation::WorldPtr dart;
  gz::ForwardStep::Input input;
  gz::ForwardStep::Output output;
  gz::ForwardStep::State state;
};

GazeboWorld::GazeboWorld(const std::string& path, const GazeboOptions& options)
    : parts_(std::make_unique<Parts>()) {
  // Both libraries print; what matters they return.
  sdf::Console::Instance()->SetQuiet(true);
  ignition::common::Console::SetVerbosity(0);
  sdf::Root root;
  load(root, path);
  const sdf::World& given = *root.WorldByIndex(0);
  const sdf::Physics* physics = given.PhysicsByIndex(0);
  parts_->world = engine(parts_->loader)->ConstructWorld(given);
  attach_meshes(parts_->world, given, path);
  configure(parts_->world, physics, options.solver);
  parts_->dart = parts_->world->GetDartsimWorld();

  const double h = options.h > 0 ? options.h : physics ? physics->MaxStepSize() : 0.001;
  const Nanoseconds step{std::llround(1e9 * h)};
  if (step.count() <= 0) throw io::InputError(path + ": <max_step_size> is below a nanosecond");
  parts_->input.Get<Nanoseconds>() = step;
  parts_->dart->setTimeStep(std::chrono::duration<double>(step).count());
}

GazeboWorld::~GazeboWorld() = default;

dart::simulation::World& GazeboWorld::world() const { return *parts_->dart; }

void GazeboWorld::step() { parts_->world->Step(parts_->output, parts_->state, parts_->input); }

std::string gazebo_version() { return IGNITION_PHYSICS_VERSION_FULL; }

}  // namespace perpend::capture::from_gazebo
