// Errors computed again, from the frame's columns alone and in 113 bits, must be those reported up
// to the rounding reported with them; `converged` must then be true.
#include <gtest/gtest.h>

#include "perpend/io.hpp"
#include "support/every_solver.hpp"
#include "support/reported_errors.hpp"

namespace perpend {
namespace independent_test {

std::vector<io::Record> frames() {
  std::vector<io::Record> all;
  for (const char* file : {"frames/blocks", "frames/groups", "frames/joints", "frames/models",
                           "frames/single_contact", "hard/hard"})
    for (io::Record& r :
         io::read_json_lines(std::string(PERPEND_SOURCE_DIR "/examples/") + file + ".jsonl"))
      all.push_back(std::move(r));
  // 100 kg that land at 10 m/s, with an inertia of 1e-9 kg m^2: lambda/rho is 2e11 m/s.
  Frame thin = make_frame(2, 1);
  thin.step = 0.01;
  thin.bodies.masses << 0, 100;
  thin.bodies.inertia.row(1) *= 1e-9;
  thin.bodies.positions(1, 2) = 0.5;
  thin.bodies.velocities.row(1) << 3, 0, -10, 0, 0, 0;
  thin.bodies.forces(1, 2) = -981;
  thin.contacts.pairs << 0, 1;
  thin.contacts.normals << 0, 0, 1;
  thin.contacts.mu << 0.5;
  io::Record record;
  record.name = "thin";
  record.frame = thin;
  all.push_back(record);
  return all;
}

class Independent : public testing::TestWithParam<std::string> {};

TEST_P(Independent, CheckFindsTheReportedErrors) {
  int compared = 0;
  for (const io::Record& r : frames()) {
    SCOPED_TRACE(r.name);
    ASSERT_EQ(invalid(r.frame), "");
    for (const long iterations : {3L, 300L})
      compared += quad::reported_errors_are_true(r.frame, *solver_named(GetParam()), iterations);
  }
  EXPECT_GE(compared, 80);
}

INSTANTIATE_TEST_SUITE_P(Rounding, Independent, testing::ValuesIn(every_solver::names()),
                         every_solver::test_name);

}  // namespace independent_test
}  // namespace perpend
