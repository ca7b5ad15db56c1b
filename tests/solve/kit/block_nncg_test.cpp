#include "solve/kit/block_nncg.hpp"

#include <gtest/gtest.h>

#include "support/cone_checks.hpp"
#include "support/measured_progress.hpp"

namespace perpend {
namespace block_nncg_test {

// Two columns of `levels` cubes on one floor, with explicit A.
System columns(Index levels) {
  boxes::World w;
  const Index floor = w.fixed();
  for (int column = 0; column < 2; ++column) {
    Index below = floor;
    for (Index level = 0; level < levels; ++level) {
      const double x = 3.0 * column, z = static_cast<double>(level);
      const Index cube = w.cube(1, 1, {x, 0, z + 0.5});
      w.face(below, cube, {x, 0, z}, 1, 0.5);
      below = cube;
    }
  }
  return with_blocks(assemble(boxes::shaken(w.frame(), 0.5, 3)));
}

TEST(BlockNncg, PartsAreSolvedAndNoneIsSlow) {
  const System s = columns(3);
  checks::MeasuredProgress measured(s, 1e-8);
  BlockNncg nncg(
      s, [](Index) { return 1e6; }, measured.progress);
  nncg.run(VectorXd::Zero(s.rows()));
  EXPECT_TRUE(measured.progress.met());
  EXPECT_TRUE(nncg.slow().empty());
  EXPECT_LE(measure(s, nncg.lambda(), Measure::velocity_error), 1e-8);
  EXPECT_EQ(measured.progress.take_result().path, "2 parts: nncg");
}

TEST(BlockNncg, PartsThatCrawlAreNamed) {
  const System s = columns(8);
  checks::MeasuredProgress measured(s, 1e-12);
  BlockNncg nncg(
      s, [](Index) { return 20; }, measured.progress);
  nncg.run(VectorXd::Zero(s.rows()));
  EXPECT_FALSE(measured.progress.finished());
  ASSERT_EQ(nncg.parts().count(), 2u);
  EXPECT_EQ(nncg.slow(), (std::vector<std::size_t>{0, 1}));
  // Eight sweeps over all, then no more than what each part is worth.
  const Result r = measured.progress.take_result();
  EXPECT_LE(r.work[static_cast<std::size_t>(Work::sweep)], 8 + 21 + 1);
}

TEST(BlockNncg, ASweepOverAPartIsAPartOfASweep) {
  const System s = columns(8);
  checks::MeasuredProgress measured(s, 1e-12, 40);
  BlockNncg nncg(
      s, [](Index) { return 1e6; }, measured.progress);
  nncg.run(VectorXd::Zero(s.rows()));
  const Result r = measured.progress.take_result();
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.work[static_cast<std::size_t>(Work::sweep)], 40);
}

}  // namespace block_nncg_test
}  // namespace perpend
