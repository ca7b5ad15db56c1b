#include "solve/kit/parts.hpp"

#include <gtest/gtest.h>

#include "support/cone_checks.hpp"

namespace perpend {
namespace parts_test {

// Two columns of two cubes each on one floor, their contacts in turns.
Frame two_columns() {
  boxes::World w;
  const Index floor = w.fixed();
  Index below[2] = {floor, floor};
  for (int level = 0; level < 2; ++level)
    for (int column = 0; column < 2; ++column) {
      const double x = 3.0 * column, z = level;
      const Index cube = w.cube(1, 1, {x, 0, z + 0.5});
      w.face(below[column], cube, {x, 0, z}, 1, 0.5);
      below[column] = cube;
    }
  return boxes::shaken(w.frame(), 0.3, 7);
}

TEST(Parts, AFloorConnectsNothing) {
  const System s = assemble(two_columns());
  ASSERT_EQ(s.contacts(), 16);
  for (const System& form : {s, with_blocks(s)}) {
    const Parts parts = parts_of(form);
    ASSERT_EQ(parts.count(), 2u);
    EXPECT_EQ(std::vector<Index>(parts[0].begin(), parts[0].end()),
              (std::vector<Index>{0, 1, 2, 3, 8, 9, 10, 11}));
    EXPECT_EQ(std::vector<Index>(parts[1].begin(), parts[1].end()),
              (std::vector<Index>{4, 5, 6, 7, 12, 13, 14, 15}));
  }
}

TEST(Parts, AOneWayBlockConnects) {
  // Contact 0 feels contact 1, but not the other way round.
  SparseMatrix A(6, 6);
  A.setIdentity();
  A.insert(0, 3) = 0.5;
  const System s = assemble(A, VectorXd::Ones(6), VectorXd::Ones(2));
  EXPECT_EQ(parts_of(s).count(), 1u);
}

TEST(Parts, VelocitiesOfAPartAreThoseOfTheWhole) {
  const System s = assemble(two_columns());
  const VectorXd lambda = VectorXd::LinSpaced(s.rows(), -1, 2);
  for (const System& form : {s, with_blocks(s)}) {
    const Parts parts = parts_of(form);
    const VectorXd y = relative_velocity(form, lambda);
    VectorXd together = VectorXd::Zero(s.rows());
    for (std::size_t k = 0; k < parts.count(); ++k) {
      const System own = part(form, parts[k]);
      EXPECT_EQ(own.contacts(), 8);
      scatter(form, parts[k], relative_velocity(own, gather(form, parts[k], lambda)), together);
    }
    // The same terms in the same order.
    EXPECT_EQ(together, y);
  }
}

TEST(Parts, ThePartOfBodiesHasTheirDynamicsOnly) {
  const System s = assemble(two_columns());
  const System own = part(s, parts_of(s)[1]);
  ASSERT_TRUE(own.dynamics);
  EXPECT_EQ(own.dynamics->mass.rows(), 12);
  EXPECT_EQ(std::get<BodySpace>(own.A).bodies, 3);  // two cubes and the floor
  const VectorXd lambda = VectorXd::Ones(own.rows());
  const VectorXd y = jacobian(own) * velocity_plus(own, lambda) + constant_velocity(own);
  // Sums of some ten terms of the order of 1.
  EXPECT_LT((y - relative_velocity(own, lambda)).norm(), 1e-13);
}

TEST(Parts, JointRowsAreTakenAlong) {
  // Contact 0 with joint row 0, contact 1 with joint row 1.
  SparseMatrix A(8, 8);
  A.setIdentity();
  A.insert(0, 6) = A.insert(6, 0) = 0.25;
  A.insert(4, 7) = A.insert(7, 4) = 0.125;
  VectorXd lower(2), upper(2);
  lower << -1, -2;
  upper << 1, 2;
  const System s = assemble(A, VectorXd::LinSpaced(8, 1, 8), VectorXd::Ones(2), lower, upper);
  const Parts parts = parts_of(s);
  ASSERT_EQ(parts.count(), 2u);
  const System own = part(s, parts[1]);
  EXPECT_EQ(own.contacts(), 1);
  ASSERT_EQ(own.joint_rows(), 1);
  EXPECT_EQ(own.upper[0], 2);
  EXPECT_EQ(own.b, (VectorXd(4) << 4, 5, 6, 8).finished());
  EXPECT_EQ(to_sparse(own).coeff(1, 3), 0.125);
}

}  // namespace parts_test
}  // namespace perpend
