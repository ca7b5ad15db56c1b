#include "solve/kit/admm.hpp"

#include <gtest/gtest.h>

#include "support/cone_checks.hpp"
#include "support/measured_progress.hpp"

namespace perpend {
namespace admm_test {

TEST(Admm, TheBestIterateIsKept) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.3, 2));
  for (const System& form : {s, with_blocks(s)}) {
    checks::MeasuredProgress measured(form, 1e-9);
    Admm admm;
    ASSERT_TRUE(admm.run(form, VectorXd::Zero(s.rows()), {}, measured.progress));
    EXPECT_TRUE(measured.progress.met());
    // The step of the iteration, relaxed by 1.7, is about the error.
    EXPECT_LE(admm.best_residual(), 1e-8);
    EXPECT_LE(measure(form, admm.best(), Measure::velocity_error), 1e-8);
  }
}

TEST(Admm, ItEndsWhereItIsWorthNoMore) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4, 1.0), 3, 2));
  checks::MeasuredProgress measured(s, 1e-12);
  Pace pace(
      1e-12, [] { return 30; }, 10);
  Admm admm;
  ASSERT_TRUE(admm.run(s, VectorXd::Zero(s.rows()), {}, measured.progress, &pace));
  EXPECT_FALSE(measured.progress.finished());
  EXPECT_LE(measured.progress.take_result().iterations, 31);
  EXPECT_EQ(admm.best().size(), s.rows());
}

}  // namespace admm_test
}  // namespace perpend
