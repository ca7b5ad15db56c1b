// Names and shapes of a recording: what is wrong with them, how they are made from a scene, and
// back. A scene's compound becomes several shapes, its height field a mesh.
#include <cmath>
#include <unordered_set>

#include "perpend/io/columns.hpp"

namespace perpend::io {
namespace {

using ShapeKind = ModelColumns::Kind;
constexpr std::array kKinds{Shape::Type::box,  Shape::Type::sphere,  Shape::Type::cylinder,
                            Shape::Type::cone, Shape::Type::capsule, Shape::Type::hull,
                            Shape::Type::mesh, Shape::Type::plane};

bool has_mesh(ShapeKind kind) { return kind == ShapeKind::hull || kind == ShapeKind::mesh; }

Pose product(const Pose& a, const Pose& b) {
  return {a.position + a.orientation * b.position, a.orientation * b.orientation};
}

Pose inverse(const Pose& pose) {
  const Eigen::Quaterniond back = pose.orientation.conjugate();
  return {-(back * pose.position), back};
}

template <class Matrix>
void append_row(Matrix& matrix, std::initializer_list<typename Matrix::Scalar> row) {
  matrix.conservativeResize(matrix.rows() + 1, matrix.cols());
  std::copy(row.begin(), row.end(), matrix.row(matrix.rows() - 1).begin());
}

// The surface of a height field: two triangles between four heights.
Shape as_mesh(const Shape& field) {
  Shape out;
  out.type = Shape::Type::mesh;
  const double x = static_cast<double>(field.columns - 1) / 2;
  const double y = static_cast<double>(field.rows - 1) / 2;
  for (Index r = 0; r < field.rows; ++r)
    for (Index c = 0; c < field.columns; ++c)
      out.points.emplace_back((static_cast<double>(c) - x) * field.spacing,
                              (static_cast<double>(r) - y) * field.spacing,
                              field.heights[static_cast<std::size_t>(r * field.columns + c)]);
  for (Index r = 0; r + 1 < field.rows; ++r)
    for (Index c = 0; c + 1 < field.columns; ++c) {
      const Index a = r * field.columns + c, b = a + 1, d = a + field.columns, e = d + 1;
      out.triangles.push_back({a, b, d});
      out.triangles.push_back({b, e, d});
    }
  return out;
}

void add_mesh(const std::vector<Vector3d>& points,
              const std::vector<std::array<Index, 3>>& triangles, ModelColumns& model) {
  const Index first = model.vertices.rows(), face = model.triangles.rows();
  const auto vertices = static_cast<Index>(points.size()),
             faces = static_cast<Index>(triangles.size());
  append_row(model.shape_meshes, {first, vertices, face, faces});
  model.vertices.conservativeResize(first + vertices, 3);
  for (Index i = 0; i < vertices; ++i)
    model.vertices.row(first + i) = points[static_cast<std::size_t>(i)].transpose();
  model.triangles.conservativeResize(face + faces, 3);
  for (Index i = 0; i < faces; ++i)
    for (Index k = 0; k < 3; ++k)
      model.triangles(face + i, k) =
          triangles[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
}

void add_shape(const Shape& shape, std::int64_t body, const Pose& pose, ModelColumns& model) {
  if (shape.type == Shape::Type::compound) {
    for (const Part& part : shape.parts)
      add_shape(part.shape, body, product(pose, part.pose), model);
    return;
  }
  if (shape.type == Shape::Type::height_field) return add_shape(as_mesh(shape), body, pose, model);
  const auto kind =
      static_cast<ShapeKind>(std::find(kKinds.begin(), kKinds.end(), shape.type) - kKinds.begin());
  const Eigen::Quaterniond q = pose.orientation.normalized();
  model.shape_bodies.push_back(body);
  model.shape_kinds.push_back(kind);
  append_row(model.shape_poses,
             {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()});
  const Vector3d& half = shape.half_extents;
  if (kind == ShapeKind::box)
    append_row(model.shape_sizes, {half.x(), half.y(), half.z()});
  else if (kind == ShapeKind::sphere)
    append_row(model.shape_sizes, {shape.radius, 0, 0});
  else if (kind == ShapeKind::plane || has_mesh(kind))
    append_row(model.shape_sizes, {0, 0, 0});
  else
    append_row(model.shape_sizes, {shape.radius, shape.height, 0});
  if (kind == ShapeKind::hull)
    add_mesh(shape.points, hull_triangles(shape.points), model);
  else if (kind == ShapeKind::mesh)
    add_mesh(shape.points, shape.triangles, model);
  else
    append_row(model.shape_meshes, {0, 0, 0, 0});
}

std::string model_row(const char* column, Index row) {
  return std::string("model/") + column + " row " + std::to_string(row);
}

// Of column lengths, allowed numbers, ids that are there once.
std::string wrong_columns(const ModelColumns& model) {
  Record record;
  record.model = model;
  std::array<Index, 6> rows{};
  rows.fill(-1);
  for (const Column& column : file_columns()) {
    Index& expected =
        rows[static_cast<std::size_t>(column.count) - static_cast<std::size_t>(Count::model_body)];
    const Index found = column.view(record).rows;
    if (expected < 0) expected = found;
    if (found != expected)
      return std::string(column.name) + " has " + std::to_string(found) + " rows, expected " +
             std::to_string(expected);
    if (is_text(column.type)) continue;
    if (std::string why = out_of_range(column, record); !why.empty()) return why;
  }
  for (const Integers* ids : {&model.body_ids, &model.joint_ids}) {
    std::unordered_set<std::int64_t> seen;
    for (std::size_t i = 0; i < ids->size(); ++i)
      if (!seen.insert((*ids)[i]).second)
        return model_row(ids == &model.body_ids ? "body_ids" : "joint_ids", static_cast<Index>(i)) +
               " repeats id " + std::to_string((*ids)[i]);
  }
  return {};
}

// Rows [first, first + count) of so many.
bool within(std::int64_t first, std::int64_t count, Index rows) {
  return first >= 0 && count >= 0 && first <= rows && count <= rows - first;
}

}  // namespace

std::string invalid(const ModelColumns& model) {
  if (std::string why = wrong_columns(model); !why.empty()) return why;
  const std::unordered_set<std::int64_t> bodies(model.body_ids.begin(), model.body_ids.end());
  for (std::size_t s = 0; s < model.shape_kinds.size(); ++s) {
    const auto i = static_cast<Index>(s);
    const auto kind = static_cast<std::size_t>(model.shape_kinds[s]);
    if (!bodies.contains(model.shape_bodies[s]))
      return model_row("shape_bodies", i) + " names body id " +
             std::to_string(model.shape_bodies[s]) + ", which body_ids lacks";
    if (kind >= kKinds.size()) return model_row("shape_kinds", i) + " is not 0 to 7";
    if (std::abs(model.shape_poses.row(i).tail<4>().norm() - 1) > 1e-6)
      return model_row("shape_poses", i) + " has no unit quaternion";
    const auto mesh = model.shape_meshes.row(i);
    if (!within(mesh[0], mesh[1], model.vertices.rows()))
      return model_row("shape_meshes", i) + " names vertices that are not there";
    if (!within(mesh[2], mesh[3], model.triangles.rows()))
      return model_row("shape_meshes", i) + " names triangles that are not there";
    for (std::int64_t t = mesh[2]; t < mesh[2] + mesh[3]; ++t)
      if (model.triangles.row(t).minCoeff() < 0 || model.triangles.row(t).maxCoeff() >= mesh[1])
        return model_row("triangles", t) + " names a vertex that its shape does not have";
  }
  return {};
}

std::vector<std::int64_t> body_ids(const Scene& scene, std::int64_t first) {
  constexpr std::int64_t kHighest = std::int64_t{1} << 53;
  const bool any = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                               [](const Body& body) { return body.id.has_value(); });
  std::vector<std::int64_t> ids;
  for (const Body& body : scene.bodies) {
    const auto number = first + static_cast<std::int64_t>(ids.size());
    ids.push_back(body.id.value_or(any ? kHighest + 1 + number : number));
  }
  return ids;
}

ModelColumns model_of(const Scene& scene, const std::vector<std::int64_t>& ids,
                      const Bodies& bodies, double time) {
  ModelColumns out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = std::find(bodies.ids.begin(), bodies.ids.end(), ids[i]);
    if (found == bodies.ids.end()) continue;
    const Index row = found - bodies.ids.begin();
    const Body& body = scene.bodies[i];
    const auto q = bodies.quaternions.row(row);
    const Pose told{bodies.positions.row(row).transpose(),
                    Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized()};
    const Pose now = body.motion ? moved(body.pose, *body.motion, time) : body.pose;
    out.body_ids.push_back(ids[i]);
    out.body_names.emplace_back(body.name);
    add_shape(body.shape, ids[i], product(inverse(told), now), out);
  }
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    out.joint_ids.push_back(static_cast<std::int64_t>(i));
    out.joint_names.emplace_back(scene.joints[i].name);
  }
  return out;
}

Scene scene_of(const ModelColumns& model) {
  Scene out;
  for (std::size_t i = 0; i < model.body_ids.size(); ++i) {
    Body body;
    body.name = model.body_names[i].str();
    body.id = model.body_ids[i];
    body.shape.type = Shape::Type::compound;
    out.bodies.push_back(std::move(body));
  }
  for (std::size_t s = 0; s < model.shape_kinds.size(); ++s) {
    const auto i = static_cast<Index>(s);
    const auto body =
        std::find(model.body_ids.begin(), model.body_ids.end(), model.shape_bodies[s]) -
        model.body_ids.begin();
    Part part;
    Shape& shape = part.shape;
    const auto pose = model.shape_poses.row(i);
    part.pose = {pose.head<3>().transpose(),
                 Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6])};
    const ShapeKind kind = model.shape_kinds[s];
    shape.type =
        kind == ShapeKind::hull ? Shape::Type::mesh : kKinds[static_cast<std::size_t>(kind)];
    const auto sizes = model.shape_sizes.row(i);
    if (kind == ShapeKind::box) shape.half_extents = sizes.transpose();
    shape.radius = sizes[0];
    shape.height = sizes[1];
    const auto mesh = model.shape_meshes.row(i);
    for (std::int64_t v = 0; v < mesh[1]; ++v)
      shape.points.emplace_back(model.vertices.row(mesh[0] + v).transpose());
    for (std::int64_t t = mesh[2]; t < mesh[2] + mesh[3]; ++t)
      shape.triangles.push_back(
          {model.triangles(t, 0), model.triangles(t, 1), model.triangles(t, 2)});
    out.bodies[static_cast<std::size_t>(body)].shape.parts.push_back(std::move(part));
  }
  for (const NameText& name : model.joint_names) {
    Joint joint;
    joint.name = name.str();
    out.joints.push_back(std::move(joint));
  }
  return out;
}

}  // namespace perpend::io
