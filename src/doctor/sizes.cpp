// How large a body is, from what the recording tells: shapes, else its farthest contact or the
// sphere with its inertia.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "doctor/vitals.hpp"
#include "perpend/io.hpp"
#include "perpend/scene.hpp"

namespace perpend::doctor {
namespace {

constexpr double kCentred = 1e-3;  // of the size

bool is_solid(Shape::Type type) {
  using Type = Shape::Type;
  return type == Type::box || type == Type::sphere || type == Type::cylinder ||
         type == Type::cone || type == Type::capsule;
}

double half_of(const io::ModelColumns& model, Index shape) {
  using Kind = io::ModelColumns::Kind;
  const Vector3d s = model.shape_sizes.row(shape);
  switch (model.shape_kinds[static_cast<std::size_t>(shape)]) {
    case Kind::box:
      return s.norm();
    case Kind::sphere:
      return s[0];
    case Kind::cylinder:
    case Kind::cone:
      return std::hypot(s[0], s[1] / 2);
    case Kind::capsule:
      return s[0] + s[1] / 2;
    case Kind::hull:
    case Kind::mesh: {
      double half = 0;
      for (Index i = 0; i < model.shape_meshes(shape, 1); ++i)
        half = std::max(half, model.vertices.row(model.shape_meshes(shape, 0) + i).norm());
      return half;
    }
    case Kind::plane:
      break;
  }
  return 0;
}

}  // namespace

void Sizes::add(const io::ModelColumns& model) {
  if (model.shape_bodies.empty()) return;
  std::map<std::int64_t, double> found(by_id_.begin(), by_id_.end());
  for (std::size_t i = 0; i < model.shape_bodies.size(); ++i) {
    const auto row = static_cast<Index>(i);
    double& half = found[model.shape_bodies[i]];
    half = std::max(half, half_of(model, row) + model.shape_poses.row(row).head<3>().norm());
  }
  by_id_.assign(found.begin(), found.end());
  for (const Body& body : io::scene_of(model).bodies) {
    const std::vector<Part>& parts = body.shape.parts;
    if (parts.empty() || !std::all_of(parts.begin(), parts.end(),
                                      [](const Part& part) { return is_solid(part.shape.type); }))
      continue;
    const MassProperties uniform = mass_properties(body.shape);
    if (uniform.centre.norm() < kCentred * found[*body.id]) solid_[*body.id] = uniform.inertia;
  }
}

const Matrix3d* Sizes::solid(std::int64_t id) const {
  const auto known = solid_.find(id);
  return known == solid_.end() ? nullptr : &known->second;
}

double Sizes::of_shapes(std::int64_t id) const {
  const auto known = std::lower_bound(
      by_id_.begin(), by_id_.end(), id,
      [](const std::pair<std::int64_t, double>& a, std::int64_t b) { return a.first < b; });
  return known != by_id_.end() && known->first == id ? known->second : 0;
}

double Sizes::smaller(const Frame& frame, Index first, Index second) const {
  double size = std::numeric_limits<double>::infinity();
  for (const Index body : {first, second})
    if (!frame.bodies.fixed(body)) size = std::min(size, of(frame, body));
  return size;
}

double Sizes::of(const Frame& frame, Index body) const {
  const double shapes = of_shapes(frame.bodies.ids[static_cast<std::size_t>(body)]);
  if (shapes > 0) return shapes;
  // A solid sphere has I = 2/5 m R^2.
  const auto inertia = frame.bodies.inertia.row(body);
  const double trace = inertia[0] + inertia[4] + inertia[8];
  const double mass = frame.bodies.masses[body];
  return mass > 0 && trace > 0 ? std::sqrt(trace / (1.2 * mass)) : 0;
}

}  // namespace perpend::doctor
