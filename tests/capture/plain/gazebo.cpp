// A program on Gazebo's physics that knows nothing of Perpend: what Gazebo's server does with a
// world. Prints the poses at the end, bit for bit.
//
//   plain_gazebo WORLD.sdf STEPS
#include <cstdio>
#include <cstdlib>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/World.hh>
#include <ignition/physics/config.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>
#include <string>

namespace gz = ignition::physics;
using Features =
    gz::FeatureList<gz::sdf::ConstructSdfWorld, gz::ForwardStep, gz::CollisionDetector>;

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  ignition::plugin::Loader loader;
  loader.LoadLib(std::string(IGNITION_PHYSICS_ENGINE_INSTALL_DIR) +
                 "/libignition-physics-dartsim-plugin.so");
  const auto engine =
      gz::RequestEngine3d<Features>::From(loader.Instantiate("ignition::physics::dartsim::Plugin"));
  sdf::Root root;
  if (!root.Load(argv[1]).empty()) return 3;
  const auto world = engine->ConstructWorld(*root.WorldByIndex(0));
  // Contacts in an order that does not hang on where things lie in memory.
  world->SetCollisionDetector("bullet");
  gz::ForwardStep::Input input;
  gz::ForwardStep::Output output;
  gz::ForwardStep::State state;
  for (int k = 0; k < std::atoi(argv[2]); ++k) world->Step(output, state, input);
  for (const auto& [pose, body] : output.Get<gz::ChangedWorldPoses>().entries)
    std::printf("%a %a %a %a\n", pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z(), pose.Rot().W());
}
