// A program on Gazebo's physics (gz-physics, here Ignition Physics 5 with its DART plugin) that
// records itself: three lines. Then the last step is read back, and the forces of the floor on the
// box are added up: its weight.
//
//   recorded_gazebo FILE.h5
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

#include "weight.hpp"

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

  print_weight(path, kMass * kGravity);
}
