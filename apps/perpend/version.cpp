// perpend --version: version, commit, and the libraries it was built with.
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "perpend/sim.hpp"

namespace perpend::app {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::string version() {
  return "perpend " PERPEND_VERSION " (commit " + commit() + ")\nEigen " +
         dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) +
         "\nHDF5 " PERPEND_HDF5_VERSION "\nnlohmann-json " +
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                NLOHMANN_JSON_VERSION_PATCH) +
         "\nCLI11 " CLI11_VERSION "\nBullet " + bullet_version() + ", double precision";
}

}  // namespace perpend::app
