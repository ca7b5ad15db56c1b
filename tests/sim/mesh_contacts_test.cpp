// A box on a flat mesh of triangles has the contacts it would have on a plane, however deep it is.
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/bullet_types.hpp"
#include "sim/contacts.hpp"

namespace perpend::sim {
namespace mesh_contacts_test {

TEST(MeshContacts, HoldEveryCornerThatIsOverlapped) {
  btTriangleMesh grid;
  const auto vertex = [](int i, int j) { return btVector3(0.45 * i - 1.9, 0.45 * j - 1.7, 0); };
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      grid.addTriangle(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1));
      grid.addTriangle(vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1));
    }
  btBvhTriangleMeshShape mesh(&grid, true);
  mesh.setMargin(0);
  btBoxShape cube(btVector3(0.25, 0.25, 0.25));
  btCollisionObject ground, box;
  ground.setCollisionShape(&mesh);
  box.setCollisionShape(&cube);
  constexpr double kReach = 2e-3;
  std::mt19937 random(1);
  const auto draw = [&] {  // in [-1, 1], the same everywhere
    return 2 * static_cast<double>(random()) / 4294967295.0 - 1;
  };
  for (double tilt : {0.0, 1e-5, 1e-3, 0.03, 0.3})
    for (double depth : {0.0, 1e-7, 5e-6, 1e-4, 3e-3})
      for (int sample = 0; sample < 50; ++sample) {
        const Vector3d about(draw(), draw(), 0);
        const Eigen::Quaterniond turn =
            Eigen::AngleAxisd(tilt, about.normalized()) *
            Eigen::Quaterniond(Eigen::AngleAxisd(3 * draw(), Vector3d::UnitZ()));
        std::vector<Vector3d> corners;
        double lowest = 1;
        for (int k = 0; k < 8; ++k) {
          corners.push_back(
              turn * Vector3d(k & 1 ? 0.25 : -0.25, k & 2 ? 0.25 : -0.25, k & 4 ? 0.25 : -0.25));
          lowest = std::min(lowest, corners.back().z());
        }
        const Vector3d centre(draw() / 2, draw() / 2, -lowest - depth), zero = Vector3d::Zero();
        box.setWorldTransform(to_bullet(Pose{centre, turn}));
        std::vector<ContactPoint> found;
        find_contacts(ground, box, kReach, {zero, zero, zero, centre, zero, zero}, found);
        for (const ContactPoint& c : found) EXPECT_GT(c.normal.z(), 0.95);
        for (const Vector3d& corner : corners) {
          const Vector3d x = centre + corner;
          if (x.z() > kReach / 2) continue;
          const auto holds = [&](const ContactPoint& c) {
            return (c.second - x).norm() < 2e-5 && std::abs(c.gap - x.z()) < 1e-9;
          };
          EXPECT_EQ(std::count_if(found.begin(), found.end(), holds), 1)
              << "tilt " << tilt << ", depth " << depth << ", sample " << sample;
        }
      }
}

}  // namespace mesh_contacts_test
}  // namespace perpend::sim
