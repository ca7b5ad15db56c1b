// A world of an SDF file as Gazebo has it: gz-physics loads the plugin of its DART engine, which
// makes a world of DART from the parsed file. What Gazebo's physics system does besides is done
// here too: the step, the collision detector and the solver that <physics> asks for, meshes.
#pragma once

#include <memory>
#include <string>

namespace dart::simulation {
class World;
}

namespace perpend::capture::from_gazebo {

struct GazeboOptions {
  double h = 0;        // s; 0: max_step_size of the file
  std::string solver;  // "dantzig" or "pgs"; empty: what the file says
};

class GazeboWorld {
 public:
  // Throws io::InputError, one line that names the file and what of it cannot be had.
  GazeboWorld(const std::string& sdf, const GazeboOptions&);
  ~GazeboWorld();
  dart::simulation::World& world() const;
  void step();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

std::string gazebo_version();  // of gz-physics

}  // namespace perpend::capture::from_gazebo
