// The same on recorded problems: the FCLIB files of the shared data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "measure/siconos/compare.hpp"
#include "perpend/io.hpp"
#include "perpend/solve.hpp"

namespace perpend {
namespace fclib_test {

std::vector<std::filesystem::path> files() {
  const char* shared = std::getenv("PERPEND_SHARED");
  const std::filesystem::path folder =
      std::filesystem::path(shared ? shared : PERPEND_SOURCE_DIR "/../shared") / "data" / "fclib";
  std::vector<std::filesystem::path> found;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent))
    if (entry.path().extension() == ".hdf5") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// At rest, and at the impulses an unfinished solve leaves.
TEST(Siconos, ReportsOurNumberOnRecordedProblems) {
  const auto paths = files();
  if (paths.empty()) GTEST_SKIP() << "no FCLIB files in ../shared/data/fclib";
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename().string());
    const System system = io::read_fclib(path.string()).system;
    if (system.joint_rows() > 0) continue;  // Siconos' fc3d has no equality rows
    siconos::expect_equal(system, Impulses::Zero(system.rows()));
    Options options;
    options.max_iterations = 10;
    const Impulses lambda = solve(system, "ncp/pgs", options).impulses;
    ASSERT_EQ(lambda.size(), system.rows());
    siconos::expect_equal(system, lambda);
    EXPECT_GT(lambda.norm(), 0);
  }
}

}  // namespace fclib_test
}  // namespace perpend
