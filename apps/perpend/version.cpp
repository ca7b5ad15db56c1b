// perpend --version: version, commit, the libraries it was built with, the engines it can record.
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "model_program.hpp"
#include "perpend/sim.hpp"
#include "recorders.hpp"
#include "share.hpp"

namespace perpend::app {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::string version() {
  std::string engines;
  for (const std::string& engine : recorded_engines())
    engines += (engines.empty() ? "" : ", ") + engine;
  const std::string models = imported_formats();
  return "perpend " PERPEND_VERSION ", " PERPEND_DATE " (commit " + commit() + ")\nEigen " +
         dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) +
         "\nHDF5 " PERPEND_HDF5_VERSION "\nnlohmann-json " +
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                NLOHMANN_JSON_VERSION_PATCH) +
         "\nCLI11 " CLI11_VERSION "\nBullet " + bullet_version() +
         ", double precision\nrecorders: " + (engines.empty() ? "none" : engines) +
         "\nmodels: " + (models.empty() ? "none" : models) +
         "\nPython: " PERPEND_PYTHON "\npages to share: " + (makes_pages() ? "yes" : "no");
}

}  // namespace perpend::app
