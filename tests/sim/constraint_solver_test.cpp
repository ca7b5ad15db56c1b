// perpend::ConstraintSolver in Bullet's own world: heavy on light stands, impulses carry the
// weight, joints hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/bullet_world.hpp"

namespace perpend {
namespace constraint_solver_test {

using worlds::at;
using worlds::kGravity;
using worlds::kStep;
using worlds::Stock;

struct Column {
  btRigidBody* floor;
  std::vector<btRigidBody*> boxes;
};

// 100 kg on four cubes of 1 kg, sleeping off.
Column heavy_column(Stock& bullet) {
  Column column;
  column.floor = &bullet.plane();
  for (int i = 0; i < 5; ++i) {
    column.boxes.push_back(&bullet.cube(i < 4 ? 1 : 100, 0, 0, 0.5 + i));
    column.boxes.back()->setActivationState(DISABLE_DEACTIVATION);
  }
  return column;
}

// Bullet's own solver lets the heavy one sink through the light ones within 10 s.
TEST(ConstraintSolver, HoldsWhatBulletsOwnSolverDrops) {
  Stock stock;
  const Column fallen = heavy_column(stock);
  stock.step(600);
  EXPECT_LT(fallen.boxes[4]->getWorldTransform().getOrigin().z(), 3);

  ConstraintSolver ours;
  Stock bullet(&ours);
  const Column column = heavy_column(bullet);
  double lowest = 10;
  for (int i = 0; i < 600; ++i) {
    bullet.step();
    EXPECT_EQ(ours.last().status, Status::converged) << ours.last().message;
    lowest = std::min(lowest, column.boxes[4]->getWorldTransform().getOrigin().z());
  }
  // Bullet's detection keeps its boxes a little apart or in each other: its own 0.04 m margins are
  // inside the boxes, its points move by rounding. Nothing more is lost than that.
  EXPECT_GT(lowest, 4.5 - 1e-3);
  for (int i = 0; i < 5; ++i) {
    const btVector3& x = column.boxes[static_cast<std::size_t>(i)]->getWorldTransform().getOrigin();
    EXPECT_NEAR(x.z(), 0.5 + i, 1e-3);
    EXPECT_LT(std::hypot(x.x(), x.y()), 1e-3);
  }
}

TEST(ConstraintSolver, WritesTheImpulsesThatCarryTheWeight) {
  ConstraintSolver ours;
  Stock bullet(&ours);
  const Column column = heavy_column(bullet);
  bullet.step(300);
  double carried = 104;
  const btCollisionObject* below = column.floor;
  for (const btRigidBody* box : column.boxes) {
    const btVector3 force = bullet.impulse(*box, *below) / kStep;
    // At rest to what still moves in a step: 100 kg times some 1e-6 m/s.
    EXPECT_NEAR(force.z(), carried * kGravity, 1e-2);
    EXPECT_LT(std::hypot(force.x(), force.y()), 1e-2);
    carried -= 1;
    below = box;
  }
}

// Joints keep Bullet's recovery (erp): the anchors drift apart in motion and come back at erp
// Phi/h.
TEST(ConstraintSolver, HoldsJoints) {
  ConstraintSolver ours;
  Stock bullet(&ours);
  btBoxShape& link = bullet.shape<btBoxShape>(btVector3(0.5, 0.05, 0.05));
  std::vector<btRigidBody*> links;
  std::vector<btHingeConstraint*> hinges;
  btRigidBody* before = &bullet.body(0, link, at(-0.5, 0, 5));
  for (int i = 0; i < 6; ++i) {
    links.push_back(&bullet.body(i < 5 ? 1 : 50, link, at(0.5 + i, 0, 5)));
    links.back()->setActivationState(DISABLE_DEACTIVATION);
    hinges.push_back(&bullet.joint<btHingeConstraint>(true, *before, *links.back(),
                                                      btVector3(0.5, 0, 0), btVector3(-0.5, 0, 0),
                                                      btVector3(0, 1, 0), btVector3(0, 1, 0)));
    before = links.back();
  }
  const auto apart = [&] {
    double worst = 0;
    for (const btHingeConstraint* hinge : hinges)
      worst = std::max(
          worst, (hinge->getRigidBodyA().getWorldTransform() * hinge->getAFrame().getOrigin() -
                  hinge->getRigidBodyB().getWorldTransform() * hinge->getBFrame().getOrigin())
                     .length());
    return worst;
  };
  // A step adds (w h)^2 R / 2 for each of two bodies and takes erp of what was there.
  const double kept = 1 - bullet.world.getSolverInfo().m_erp;
  double allowed = 0;
  for (int i = 0; i < 600; ++i) {
    bullet.step();
    double added = 0, last = 0;
    for (const btRigidBody* body : links) {
      const double turn = body->getAngularVelocity().length() * kStep;
      const double own = turn * turn * 0.5 / 2;
      added = std::max(added, last + own);
      last = own;
    }
    allowed = kept * allowed + added;
    ASSERT_LT(apart(), allowed + 1e-9);
  }
  // With damping it comes to rest: nothing of it is left.
  for (btRigidBody* body : links) body->setDamping(0.9, 0.9);
  bullet.step(1200);
  EXPECT_LT(apart(), 1e-6);
}

TEST(ConstraintSolver, TwoRunsGiveTheSameBits) {
  const auto run = [] {
    ConstraintSolver ours;
    Stock bullet(&ours);
    bullet.plane();
    std::vector<double> state;
    std::vector<btRigidBody*> boxes;
    for (int i = 0; i < 4; ++i) boxes.push_back(&bullet.cube(1, 0.3 * i, 0.1 * i, 0.7 + 1.1 * i));
    bullet.step(120);
    for (const btRigidBody* box : boxes)
      for (int k = 0; k < 3; ++k) {
        state.push_back(box->getWorldTransform().getOrigin()[k]);
        state.push_back(box->getAngularVelocity()[k]);
      }
    return state;
  };
  EXPECT_EQ(run(), run());
}

TEST(ConstraintSolver, NamesAnUnknownSolver) {
  const ConstraintSolver ours("ncp/nothing");
  EXPECT_EQ(ours.last().status, Status::invalid_input);
  EXPECT_NE(ours.last().message.find("ncp/nothing"), std::string::npos);
}

}  // namespace constraint_solver_test
}  // namespace perpend
