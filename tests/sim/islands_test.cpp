#include "sim/islands.hpp"

#include <gtest/gtest.h>

#include "perpend/system.hpp"
#include "support/boxes.hpp"

namespace perpend::sim {
namespace islands_test {

TEST(Islands, TwoStacksOnOneFloorAreTwoIslands) {
  boxes::World world;
  const Index floor = world.fixed();
  std::vector<Index> cubes;
  for (double x : {0.0, 5.0})
    for (double z : {0.5, 1.5}) cubes.push_back(world.cube(1, 1, Vector3d(x, 0, z)));
  const Index lonely = world.cube(1, 1, Vector3d(20, 0, 9));
  world.face(floor, cubes[0], Vector3d(0, 0, 0), 1, 0.5);
  world.face(floor, cubes[2], Vector3d(5, 0, 0), 1, 0.5);
  world.face(cubes[0], cubes[1], Vector3d(0, 0, 1), 1, 0.5);
  world.face(cubes[2], cubes[3], Vector3d(5, 0, 1), 1, 0.5);
  const std::vector<Island> list = islands(world.frame());
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].bodies, (std::vector<Index>{floor, cubes[0], cubes[1]}));
  EXPECT_EQ(list[1].bodies, (std::vector<Index>{floor, cubes[2], cubes[3]}));
  EXPECT_EQ(list[0].contacts.size(), 8u);
  EXPECT_FALSE(is_all(world.frame(), list[0]));
  for (const Island& island : list)
    for (Index body : island.bodies) EXPECT_NE(body, lonely);

  // The islands' systems are the diagonal blocks of the whole one.
  const System whole = assemble(world.frame());
  const SparseMatrix all = to_sparse(whole);
  for (const Island& island : list) {
    const Frame own = part(world.frame(), island);
    EXPECT_EQ(invalid(own), "");
    const System system = assemble(own);
    const SparseMatrix block = to_sparse(system);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
      for (std::size_t j = 0; j < island.contacts.size(); ++j)
        for (Index r = 0; r < 3; ++r)
          for (Index c = 0; c < 3; ++c)
            EXPECT_EQ(block.coeff(static_cast<Index>(3 * i) + r, static_cast<Index>(3 * j) + c),
                      all.coeff(3 * island.contacts[i] + r, 3 * island.contacts[j] + c));
  }
}

// A row over two pairs of bodies: one island, whose system is that of the whole frame.
TEST(Islands, ARowOverFourBodiesJoinsThem) {
  boxes::World world;
  const Index floor = world.fixed();
  for (double x : {0.0, 5.0, 10.0, 15.0}) {
    const Index cube = world.cube(1, 1, Vector3d(x, 0, 0.5));
    world.face(floor, cube, Vector3d(x, 0, 0), 1, 0.5);
  }
  const Index lonely = world.cube(1, 1, Vector3d(20, 0, 0.5));
  world.face(floor, lonely, Vector3d(20, 0, 0), 1, 0.5);
  Frame frame = world.frame();
  frame.joints = make_frame(0, 0, {1}).joints;
  frame.joints.pairs << 1, 2;
  frame.joints.pairs2 = frame.joints.pairs;
  frame.joints.pairs2 << 3, 4;
  frame.joints.jacobian = Rows<12>::Constant(1, 12, 0.5);
  frame.joints.jacobian2 = Rows<12>::Constant(1, 12, -0.25);
  ASSERT_EQ(invalid(frame), "");
  const std::vector<Island> list = islands(frame);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].bodies, (std::vector<Index>{0, 1, 2, 3, 4}));
  const Frame own = part(frame, list[0]);
  EXPECT_EQ(invalid(own), "");
  const System whole = assemble(frame), system = assemble(own);
  EXPECT_EQ(joint_diagonal(system, 0), joint_diagonal(whole, 0));
  Frame changed = frame;
  changed.joints.jacobian2(0, 3) = 7;
  EXPECT_EQ(unchanged(frame, list, changed, islands(changed)), (std::vector<Index>{-1, 1}));
}

TEST(Islands, AreUnchangedWhereNoRowOfThemIs) {
  boxes::World world;
  const Index floor = world.fixed();
  std::vector<Index> cubes;
  for (double x : {0.0, 5.0, 10.0}) {
    cubes.push_back(world.cube(1, 1, Vector3d(x, 0, 0.5)));
    world.face(floor, cubes.back(), Vector3d(x, 0, 0), 1, 0.5);
  }
  const Frame before = world.frame();
  const std::vector<Island> list = islands(before);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(unchanged(before, list, before, list), (std::vector<Index>{0, 1, 2}));

  Frame now = before;
  now.contacts.gap[list[1].contacts[2]] += 1e-15;
  EXPECT_EQ(unchanged(before, list, now, islands(now)), (std::vector<Index>{0, -1, 2}));

  // The first two become one: the third has another number and is the same.
  world.face(cubes[0], cubes[1], Vector3d(2.5, 0, 0.5), 1, 0.5);
  now = world.frame();
  const std::vector<Island> joined = islands(now);
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(unchanged(before, list, now, joined), (std::vector<Index>{-1, 2}));
}

}  // namespace islands_test
}  // namespace perpend::sim
