#include "recorders.hpp"

#include <unistd.h>

#include "command.hpp"
#include "perpend/host.hpp"

namespace perpend::app {
namespace {

// Every engine there is a recorder for; what each can do it says itself (--describe).
struct Engine {
  const char* name;
  const char* package;  // of Debian, without which its recorder is not built
};
constexpr Engine kEngines[] = {
    {"bullet", "libbullet-dev"}, {"ode", "libode-dev"},
    {"dart", "libdart-dev"},     {"gazebo", "libignition-physics-dev"},
    {"mujoco", "libmujoco-dev"}, {"siconos", "libsiconos-mechanics-dev"}};

std::string path_of(const std::string& engine) {
  return host::program_folder() + "/perpend-capture-" + engine;
}

bool there(const std::string& program) { return access(program.c_str(), X_OK) == 0; }

}  // namespace

std::string recorder(const std::string& name) {
  std::string known;
  for (const Engine& engine : kEngines) {
    known += (known.empty() ? "" : ", ") + std::string(engine.name);
    if (engine.name != name) continue;
    std::string path = path_of(name);
    if (!there(path))
      throw UsageError("capture: the recorder of " + name + " was not built (" + path +
                       " does not exist); it needs the Debian package " + engine.package);
    return path;
  }
  throw UsageError("capture: unknown engine '" + name + "'; choose one of: " + known);
}

std::vector<std::string> recorded_engines() {
  std::vector<std::string> out;
  for (const Engine& engine : kEngines)
    if (there(path_of(engine.name))) out.emplace_back(engine.name);
  return out;
}

}  // namespace perpend::app
