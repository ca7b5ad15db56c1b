#include "solve/kit/island_step.hpp"

#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace island_step_test {

// Two columns of two cubes, side by side on one floor, their contacts in turns.
Frame two_columns(double second_mass) {
  boxes::World w;
  const Index floor = w.fixed();
  const Index a = w.cube(1, 1, {0, 0, 0.5}), b = w.cube(second_mass, 1, {3, 0, 0.5});
  const Index c = w.cube(1, 1, {0, 0, 1.5}), d = w.cube(1, 1, {3, 0, 1.5});
  w.face(floor, a, {0, 0, 0}, 1, 0.5);
  w.face(floor, b, {3, 0, 0}, 1, 0.5);
  w.face(a, c, {0, 0, 1}, 1, 0.5);
  w.face(b, d, {3, 0, 1}, 1, 0.5);
  return w.frame();
}

TEST(IslandStep, TheFloorConnectsNothing) {
  const System s = assemble(two_columns(1));
  for (const System& form : {s, with_blocks(s)}) {
    const Islands islands = find_islands(form);
    EXPECT_EQ(islands.count, 2);
    ASSERT_EQ(islands.of_row.size(), static_cast<std::size_t>(form.rows()));
    for (std::size_t row = 0; row < 48; ++row)
      EXPECT_EQ(islands.of_row[row], static_cast<Index>(row / 12 % 2));
  }
  EXPECT_EQ(find_islands(s).of_body, (std::vector<Index>{-1, 0, 1, 0, 1}));
}

TEST(IslandStep, AnIslandGoesItsWayWhateverTheOthersDo) {
  // The left column's impulses after any number of sweeps are those it has alone, to the last bit.
  const Frame f = boxes::shaken(two_columns(100), 0.2);
  boxes::World w;
  const Index floor = w.fixed();
  const Index a = w.cube(1, 1, {0, 0, 0.5}), c = w.cube(1, 1, {0, 0, 1.5});
  w.face(floor, a, {0, 0, 0}, 1, 0.5);
  w.face(a, c, {0, 0, 1}, 1, 0.5);
  w.frame().bodies.velocities.row(a) = f.bodies.velocities.row(1);
  w.frame().bodies.velocities.row(c) = f.bodies.velocities.row(3);
  Options o;
  o.set["precondition"] = "island";
  o.tolerance = 0;
  for (const long sweeps : {1L, 5L, 20L, 60L}) {
    VectorXd together, alone;
    o.max_iterations = sweeps;
    o.observer = [&](const Iteration& i) {
      together = i.z;
      return true;
    };
    solve(assemble(f), "box/nncg", o);
    o.observer = [&](const Iteration& i) {
      alone = i.z;
      return true;
    };
    solve(assemble(w.frame()), "box/nncg", o);
    EXPECT_LT((together.segment<12>(0) - alone.segment<12>(0)).norm(), 1e-12) << sweeps;
    EXPECT_LT((together.segment<12>(24) - alone.segment<12>(12)).norm(), 1e-12) << sweeps;
  }
}

TEST(IslandStep, ASingleIslandIsPlainNncg) {
  const System s = assemble(boxes::wall(3, 3));
  Options o;
  const Result plain = solve(s, "box/nncg", o);
  o.set["precondition"] = "island";
  const Result island = solve(s, "box/nncg", o);
  ASSERT_EQ(plain.status, Status::converged);
  EXPECT_EQ(plain.iterations, island.iterations);
  EXPECT_LT((plain.impulses - island.impulses).norm(), 1e-9);
}

}  // namespace island_step_test
}  // namespace perpend
