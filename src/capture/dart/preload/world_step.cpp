// Stands before dart::simulation::World::step in a program that uses DART, Gazebo's among them.
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/simulation/World.hpp>
#include <mutex>

#include "capture/preload/preload.hpp"
#include "perpend/capture/dart.hpp"

namespace {

using dart::simulation::World;
using perpend::capture::DartFile;
namespace preload = perpend::capture::preload;

// Of the process. Worlds may be stepped by several threads.
struct RecordingState {
  std::mutex mutex;
  std::unique_ptr<DartFile> file;
  const World* world = nullptr;
  const void* solver = nullptr;  // of ours, in that world
  bool refused = false;

  // Whether this step is to be recorded.
  bool begins(World& stepped) {
    const std::lock_guard lock(mutex);
    const std::string path = preload::asked_for();
    if (path.empty() || refused || (world && world != &stepped)) return false;
    try {
      if (!file) {
        file = std::make_unique<DartFile>(path, stepped.getName());
        preload::at_end([this] { close(); });
      }
      if (!world || stepped.getConstraintSolver() != solver) {  // or it was given another one
        file->record(stepped);
        solver = stepped.getConstraintSolver();
        world = &stepped;
      }
      return true;
    } catch (const perpend::io::InputError& error) {
      preload::say(error.what());
      refused = true;
      return false;
    }
  }
  void ends() {
    const std::lock_guard lock(mutex);
    if (file) file->finish();
  }
  void close() {
    const std::lock_guard lock(mutex);
    preload::close(file.get());
    refused = true;  // threads that still step
  }
};

RecordingState& recorded() {
  static auto* const out = new RecordingState;  // outlives every thread
  return *out;
}

}  // namespace

namespace dart::simulation {

PERPEND_STANDS_BEFORE void World::step(bool reset) {
  static auto* const engine =
      preload::behind<void(World*, bool)>("_ZN4dart10simulation5World4stepEb", "libdart.so");
  const bool seen = recorded().begins(*this);
  engine(this, reset);
  if (seen) recorded().ends();
}

}  // namespace dart::simulation
