// A program on Gazebo's physics (gz-physics, here Ignition Physics 5 with its DART plugin) that
// records itself: three lines. Then the last step is read back, and the forces of the floor on the
// box are added up: its weight.
//
//   recorded_gazebo FILE.h5
#include <cstdio>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/config.hh>
#include <ignition/physics/dartsim/World.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <perpend/capture/dart.hpp>
#include <sdf/Root.hh>
#include <sdf/World.hh>
#include <string>

namespace {

namespace gz = ignition::physics;
using Features =
    gz::FeatureList<gz::sdf::ConstructSdfWorld, gz::ForwardStep, gz::dartsim::RetrieveWorld>;

constexpr double kGravity = 9.81, kMass = 3;  // m/s^2, kg
constexpr char kWorld[] = R"(<sdf version="1.9"><world name="box on a floor">
  <gravity>0 0 -9.81</gravity>
  <model name="floor"><static>true</static><link name="plane"><collision name="plane"><geometry>
    <plane><normal>0 0 1</normal><size>10 10</size></plane></geometry></collision></link></model>
  <model name="box"><pose>0 0 0.55 0 0 0</pose><link name="box">
    <inertial><mass>3</mass>
      <inertia><ixx>0.5</ixx><iyy>0.5</iyy><izz>0.5</izz></inertia></inertial>
    <collision name="box"><geometry><box><size>1 1 1</size></box></geometry></collision>
  </link></model></world></sdf>)";

// Force on body `id`, N: impulses act on the second body of a pair along n, t, o, on the first
// against them.
perpend::Vector3d contact_force(const perpend::io::Record& record, std::int64_t id) {
  const perpend::Contacts& contacts = record.frame.contacts;
  perpend::Vector3d force = perpend::Vector3d::Zero();
  for (perpend::Index i = 0; i < contacts.count(); ++i) {
    perpend::Matrix3d axes;
    axes << contacts.normals.row(i), contacts.tangents.row(i).head<3>(),
        contacts.tangents.row(i).tail<3>();
    const perpend::Vector3d impulse = axes.transpose() * record.answer.z.row(i).transpose();
    for (const int side : {0, 1}) {
      const auto body = static_cast<std::size_t>(contacts.pairs(i, side));
      if (record.frame.bodies.ids[body] == id)
        force += (side == 1 ? 1 : -1) * impulse / record.frame.step;
    }
  }
  return force;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "run.h5";
  ignition::plugin::Loader loader;
  loader.LoadLib(std::string(IGNITION_PHYSICS_ENGINE_INSTALL_DIR) +
                 "/libignition-physics-dartsim-plugin.so");
  const auto engine =
      gz::RequestEngine3d<Features>::From(loader.Instantiate("ignition::physics::dartsim::Plugin"));
  sdf::Root root;
  if (!engine || !root.LoadSdfString(kWorld).empty()) return 1;
  const auto world = engine->ConstructWorld(*root.WorldByIndex(0));
  perpend::capture::DartFile file(path);
  file.record(*world->GetDartsimWorld());
  gz::ForwardStep::Input input;
  gz::ForwardStep::Output output;
  gz::ForwardStep::State state;
  for (int step = 0; step < 600; ++step) world->Step(output, state, input);
  file.close();

  const perpend::io::FrameReader reader(path);
  const perpend::io::Record last = reader.read(reader.frames() - 1);
  const perpend::Vector3d force = contact_force(last, 1);  // the second body of the world
  std::printf("%lld steps, contact force %.4f %.4f %.4f N, weight %.4f N\n",
              static_cast<long long>(reader.frames()), force.x(), force.y(), force.z(),
              kMass * kGravity);
}
