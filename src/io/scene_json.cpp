// Scenes as JSON (docs/scene.md): one object, bodies and joints as lists of objects.
//
// Numbers are written with the shortest digits that read back to the same bits. null stands for
// what JSON has no word for: an infinite limit or force, and the free axis of a joint.
#include <array>

#include "io/scene_fields.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

using Row6 = Eigen::Matrix<double, 6, 1>;
using ShapeType = Shape::Type;

constexpr const char* kControlFormat = "perpend-control";
constexpr std::int64_t kControlVersion = 1;
constexpr std::array kShapes{ShapeType::box,      ShapeType::sphere,       ShapeType::cylinder,
                             ShapeType::cone,     ShapeType::capsule,      ShapeType::hull,
                             ShapeType::compound, ShapeType::height_field, ShapeType::mesh,
                             ShapeType::plane};
constexpr std::array kMotions{Motion::Type::path, Motion::Type::vibration, Motion::Type::conveyor};

// ---- reading ----

Shape read_shape(const Json& value, const Place& place) {
  JsonFields fields = place.fields(value);
  Shape shape;
  shape.type = one_of_field(fields, "type", kShapes);
  if (shape.type == ShapeType::box)
    shape.half_extents = vector_field<Vector3d>(fields, "half_extents");
  if (shape.type == ShapeType::sphere || shape.type == ShapeType::cylinder ||
      shape.type == ShapeType::cone || shape.type == ShapeType::capsule)
    shape.radius = fields.number("radius");
  if (shape.type == ShapeType::cylinder || shape.type == ShapeType::cone ||
      shape.type == ShapeType::capsule)
    shape.height = fields.number("height");
  if (shape.type == ShapeType::hull || shape.type == ShapeType::mesh)
    shape.points = points_field(fields, "points");
  if (shape.type == ShapeType::mesh) {
    const Json& triangles = array_field(fields, "triangles");
    std::string what;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      if (!triangles[i].is_array() || triangles[i].size() != 3)
        fields.fail("triangles", i, "expected an array of 3");
      std::array<Index, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) corners[k] = json_integer(triangles[i][k], what);
      if (!what.empty()) fields.fail("triangles", i, what);
      shape.triangles.push_back(corners);
    }
  }
  if (shape.type == ShapeType::height_field) {
    shape.rows = fields.integer("rows");
    shape.columns = fields.integer("columns");
    shape.spacing = fields.number("spacing");
    fields.get("heights");
    const VectorXd heights = fields.numbers("heights");
    shape.heights.assign(heights.begin(), heights.end());
  }
  if (shape.type == ShapeType::compound) {
    const Json& parts = array_field(fields, "parts");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Place inner = place.inside("parts", i);
      JsonFields part = inner.fields(parts[i]);
      shape.parts.push_back(
          {read_shape(part.get("shape"), inner.inside("shape")), read_pose(part)});
      part.done();
    }
  }
  fields.done();
  return shape;
}

Motion read_motion(const Json& value, const Place& place) {
  JsonFields fields = place.fields(value);
  Motion motion;
  motion.type = one_of_field(fields, "type", kMotions);
  if (motion.type == Motion::Type::path) {
    const Json& keys = array_field(fields, "keys");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      JsonFields key = place.inside("keys", i).fields(keys[i]);
      motion.keys.push_back({key.number("time"), vector_field<Row6>(key, "velocity")});
      key.done();
    }
  }
  if (motion.type == Motion::Type::vibration) {
    motion.direction = vector_field<Vector3d>(fields, "direction");
    motion.amplitude = fields.number("amplitude");
    motion.frequency = fields.number("frequency");
    motion.phase = fields.number("phase", 0);
  }
  if (motion.type == Motion::Type::conveyor)
    motion.velocity = vector_field<Row6>(fields, "velocity");
  fields.done();
  return motion;
}

// A set of 32 bits.
std::uint32_t bits(JsonFields& fields, const std::string& field, std::uint32_t fallback) {
  const std::int64_t value = fields.integer(field, fallback);
  if (value < 0 || value > std::int64_t{~std::uint32_t{0}})
    fields.fail(field, "not in 0 ... 2^32 - 1");
  return static_cast<std::uint32_t>(value);
}

Body read_body(const Json& value, const Place& place) {
  JsonFields fields = place.fields(value);
  Body body;
  body.name = fields.text("name");
  if (fields.find("id")) body.id = fields.integer("id");
  body.shape = read_shape(fields.get("shape"), place.inside("shape"));
  body.mass = fields.number("mass", body.mass);
  if (fields.find("centre_of_mass"))
    body.centre_of_mass = vector_field<Vector3d>(fields, "centre_of_mass");
  if (fields.find("inertia")) {
    const Rows3 rows = fields.rows<3>("inertia");
    if (rows.rows() != 3) fields.fail("inertia", "expected three rows of three numbers");
    body.inertia = rows;
  }
  body.mu = fields.number("mu", body.mu);
  body.restitution = fields.number("restitution", body.restitution);
  body.group = bits(fields, "group", body.group);
  body.mask = bits(fields, "mask", body.mask);
  body.pose = read_pose(fields);
  body.velocity = vector_field<Row6>(fields, "velocity", body.velocity);
  if (const Json* motion = fields.find("motion"))
    body.motion = read_motion(*motion, place.inside("motion"));
  fields.done();
  return body;
}

// ---- writing ----

OrderedJson shape_json(const Shape& shape) {
  OrderedJson o;
  o["type"] = perpend::name(shape.type);
  switch (shape.type) {
    case ShapeType::box:
      o["half_extents"] = written_list(shape.half_extents);
      break;
    case ShapeType::sphere:
      o["radius"] = written(shape.radius);
      break;
    case ShapeType::cylinder:
    case ShapeType::cone:
    case ShapeType::capsule:
      o["radius"] = written(shape.radius);
      o["height"] = written(shape.height);
      break;
    case ShapeType::hull:
    case ShapeType::mesh:
      o["points"] = OrderedJson::array();
      for (const Vector3d& point : shape.points) o["points"].push_back(written_list(point));
      if (shape.type == ShapeType::mesh) o["triangles"] = shape.triangles;
      break;
    case ShapeType::height_field:
      o["rows"] = shape.rows;
      o["columns"] = shape.columns;
      o["spacing"] = written(shape.spacing);
      o["heights"] = shape.heights;
      break;
    case ShapeType::compound:
      o["parts"] = OrderedJson::array();
      for (const Part& part : shape.parts) {
        OrderedJson p;
        p["shape"] = shape_json(part.shape);
        write_pose(p, part.pose);
        o["parts"].push_back(std::move(p));
      }
      break;
    case ShapeType::plane:
      break;
  }
  return o;
}

OrderedJson motion_json(const Motion& motion) {
  OrderedJson o;
  o["type"] = perpend::name(motion.type);
  switch (motion.type) {
    case Motion::Type::path:
      o["keys"] = OrderedJson::array();
      for (const Motion::Key& key : motion.keys)
        o["keys"].push_back(
            {{"time", written(key.time)}, {"velocity", written_list(key.velocity)}});
      break;
    case Motion::Type::vibration:
      o["direction"] = written_list(motion.direction);
      o["amplitude"] = written(motion.amplitude);
      o["frequency"] = written(motion.frequency);
      o["phase"] = written(motion.phase);
      break;
    case Motion::Type::conveyor:
      o["velocity"] = written_list(motion.velocity);
      break;
  }
  return o;
}

OrderedJson body_json(const Body& body) {
  OrderedJson o;
  if (!body.name.empty()) o["name"] = body.name;
  if (body.id) o["id"] = *body.id;
  o["shape"] = shape_json(body.shape);
  o["mass"] = written(body.mass);
  if (body.centre_of_mass) o["centre_of_mass"] = written_list(*body.centre_of_mass);
  if (body.inertia) {
    o["inertia"] = OrderedJson::array();
    for (Index i = 0; i < 3; ++i) o["inertia"].push_back(written_list(body.inertia->row(i)));
  }
  o["mu"] = written(body.mu);
  o["restitution"] = written(body.restitution);
  if (body.group != Body{}.group) o["group"] = body.group;
  if (body.mask != Body{}.mask) o["mask"] = body.mask;
  write_pose(o, body.pose);
  o["velocity"] = written_list(body.velocity);
  if (body.motion) o["motion"] = motion_json(*body.motion);
  return o;
}

// Names come from anywhere: bytes that are not UTF-8 are replaced, not thrown about.
std::string dump(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

template <class List, class Write>
void append_list(std::string& text, const char* field, const List& list, Write write) {
  text.append("  \"").append(field).append("\": [");
  for (std::size_t i = 0; i < list.size(); ++i)
    text.append(i == 0 ? "\n    " : ",\n    ").append(dump(write(list[i])));
  text += list.empty() ? "]" : "\n  ]";
}

}  // namespace

Scene read_scene(const std::string& path) { return scene_from_json(read_text(path), path); }

Scene scene_from_json(const std::string& text, const std::string& path) {
  const Json document = parse_json(text, path);
  if (!document.is_object()) throw InputError(path + ": expected one object");

  JsonFields fields(document, path);
  fields.expect_format(kSceneFormat, kSceneVersion);
  Scene scene;
  scene.name = fields.text("name");
  scene.title = fields.text("title");
  scene.source = fields.text("source");
  scene.gravity = vector_field<Vector3d>(fields, "gravity", scene.gravity);
  scene.step = fields.number("step", scene.step);
  scene.steps = fields.integer("steps", scene.steps);
  if (const Json* seed = fields.find("seed")) {
    if (!seed->is_number_unsigned()) fields.fail("seed", "expected a whole number, 0 or more");
    scene.seed = seed->get<std::uint64_t>();
  }
  scene.at_rest = boolean_field(fields, "at_rest", scene.at_rest);
  scene.stands = boolean_field(fields, "stands", scene.stands);
  const Place top{path, ""};
  const Json& bodies = array_field(fields, "bodies");
  scene.bodies.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    scene.bodies.push_back(read_body(bodies[i], top.inside("bodies", i)));
  if (fields.find("joints")) scene.joints = read_joints(array_field(fields, "joints"), top);
  if (fields.find("apart")) {
    scene.apart.resize(fields.rows("apart"));
    std::vector<std::int64_t> pairs(2 * scene.apart.size());
    fields.wholes("apart", 2, pairs.data());
    for (std::size_t i = 0; i < scene.apart.size(); ++i)
      scene.apart[i] = {static_cast<Index>(pairs[2 * i]), static_cast<Index>(pairs[2 * i + 1])};
  }
  if (fields.find("control"))
    scene.control = read_controls(array_field(fields, "control"), top, scene.joints);
  fields.done();
  if (const std::string reason = invalid(scene); !reason.empty())
    throw InputError(path + ": " + reason);
  return scene;
}

void add_control(Scene& scene, const std::string& path) {
  const Json document = parse_json(read_text(path), path);
  if (!document.is_object()) throw InputError(path + ": expected one object");
  JsonFields fields(document, path);
  fields.expect_format(kControlFormat, kControlVersion);
  const Place top{path, ""};
  if (fields.find("drives")) read_drives(array_field(fields, "drives"), top, scene.joints);
  if (fields.find("control")) {
    std::vector<Control> more = read_controls(array_field(fields, "control"), top, scene.joints);
    std::move(more.begin(), more.end(), std::back_inserter(scene.control));
  }
  if (fields.find("steps")) scene.steps = fields.integer("steps");
  if (fields.find("step")) scene.step = fields.number("step");
  fields.done();
  if (const std::string reason = invalid(scene); !reason.empty())
    throw InputError(path + ": " + reason);
}

std::string to_json(const Scene& scene) {
  std::string text = "{\n";
  const auto field = [&](const char* key, const OrderedJson& value) {
    text.append("  \"").append(key).append("\": ").append(dump(value)).append(",\n");
  };
  field("format", kSceneFormat);
  field("format_version", kSceneVersion);
  field("name", scene.name);
  field("title", scene.title);
  field("source", scene.source);
  field("gravity", written_list(scene.gravity));
  field("step", written(scene.step));
  field("steps", scene.steps);
  field("seed", scene.seed);
  field("at_rest", scene.at_rest);
  field("stands", scene.stands);
  append_list(text, "bodies", scene.bodies, body_json);
  text += ",\n";
  append_list(text, "joints", scene.joints, joint_json);
  if (!scene.apart.empty()) {
    text += ",\n";
    append_list(text, "apart", scene.apart, [](const auto& pair) { return OrderedJson(pair); });
  }
  if (!scene.control.empty()) {
    text += ",\n";
    append_list(text, "control", scene.control, control_json);
  }
  return text + "\n}\n";
}

void write_scene(const Scene& scene, const std::string& path) {
  if (const std::string reason = invalid(scene); !reason.empty())
    throw InputError(path + ": " + reason);
  write_text(path, to_json(scene));
}

}  // namespace perpend::io
