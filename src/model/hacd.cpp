#ifdef PERPEND_HAS_HACD
#include <HACD/hacdHACD.h>
#endif

#include "model/mesh.hpp"

namespace perpend::model {

#ifdef PERPEND_HAS_HACD
std::vector<std::vector<Vector3d>> convex_pieces(const Mesh& mesh) {
  // Its lengths are relative: it wants a model of this size.
  constexpr double kSize = 1000, kConcavity = 20;
  constexpr std::size_t kCorners = 64;
  Vector3d low = mesh.points.front(), high = low;
  for (const Vector3d& point : mesh.points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const double scale = kSize / std::max((high - low).norm(), 1e-12);
  std::vector<HACD::Vec3<HACD::Real>> points;
  std::vector<HACD::Vec3<long>> triangles;
  for (const Vector3d& given : mesh.points) {
    const Vector3d point = scale * (given - low);
    points.emplace_back(point.x(), point.y(), point.z());
  }
  for (const auto& corners : mesh.triangles)
    triangles.emplace_back(corners[0], corners[1], corners[2]);
  HACD::HACD hacd;
  hacd.SetPoints(points.data());
  hacd.SetNPoints(points.size());
  hacd.SetTriangles(triangles.data());
  hacd.SetNTriangles(triangles.size());
  hacd.SetCompacityWeight(0.1);
  hacd.SetVolumeWeight(0);
  hacd.SetNClusters(1);
  hacd.SetNVerticesPerCH(kCorners);
  hacd.SetConcavity(kConcavity);
  hacd.SetAddExtraDistPoints(true);
  hacd.SetAddNeighboursDistPoints(true);
  hacd.SetAddFacesPoints(true);
  if (!hacd.Compute()) return {};
  std::vector<std::vector<Vector3d>> out;
  for (std::size_t c = 0; c < hacd.GetNClusters(); ++c) {
    std::vector<HACD::Vec3<HACD::Real>> corners(hacd.GetNPointsCH(c));
    std::vector<HACD::Vec3<long>> faces(hacd.GetNTrianglesCH(c));
    hacd.GetCH(c, corners.data(), faces.data());
    std::vector<Vector3d> piece;
    piece.reserve(corners.size());
    for (const auto& corner : corners)
      piece.push_back(low + Vector3d(corner.X(), corner.Y(), corner.Z()) / scale);
    out.push_back(piece);
  }
  return out;
}
#else
std::vector<std::vector<Vector3d>> convex_pieces(const Mesh&) { return {}; }
#endif

}  // namespace perpend::model
