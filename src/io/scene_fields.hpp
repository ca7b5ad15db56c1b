// What the readers and writers of scenes share: where an object stands in the file, and fields of
// vectors, poses and names.
#pragma once

#include <cmath>
#include <limits>

#include "io/json_fields.hpp"

namespace perpend::io {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// ---- reading ----

// An object that stands at `where`, and the prefix of its fields in complaints.
struct Place {
  std::string file, prefix;
  JsonFields fields(const Json& value) const {
    if (!value.is_object())
      throw InputError(file + ": " + prefix.substr(0, prefix.size() - 1) +
                       ": expected an object, found " + value.type_name());
    return JsonFields(value, file, prefix);
  }
  Place inside(const std::string& field) const { return {file, prefix + field + "/"}; }
  Place inside(const std::string& field, std::size_t i) const {
    return inside(field + " " + std::to_string(i));
  }
};

inline const Json& array_field(JsonFields& fields, const std::string& field) {
  const Json& value = fields.get(field);
  if (!value.is_array())
    fields.fail(field, std::string("expected an array, found ") + value.type_name());
  return value;
}

template <class Vector>
Vector vector_field(JsonFields& fields, const std::string& field, const Vector& fallback) {
  if (!fields.find(field)) return fallback;
  const VectorXd values = fields.numbers(field);
  if (values.size() != fallback.size())
    fields.fail(field, std::to_string(values.size()) + " numbers, expected " +
                           std::to_string(fallback.size()));
  return values;
}

template <class Vector>
Vector vector_field(JsonFields& fields, const std::string& field) {
  fields.get(field);
  return vector_field<Vector>(fields, field, Vector::Zero());
}

inline bool boolean_field(JsonFields& fields, const std::string& field, bool fallback) {
  const Json* value = fields.find(field);
  if (!value) return fallback;
  if (!value->is_boolean())
    fields.fail(field, std::string("expected true or false, found ") + value->type_name());
  return value->get<bool>();
}

inline std::vector<Vector3d> points_field(JsonFields& fields, const std::string& field) {
  fields.get(field);
  const Rows3 rows = fields.rows<3>(field);
  std::vector<Vector3d> list(static_cast<std::size_t>(rows.rows()));
  for (Index i = 0; i < rows.rows(); ++i) list[static_cast<std::size_t>(i)] = rows.row(i);
  return list;
}

template <class List>
auto one_of_field(JsonFields& fields, const std::string& field, const List& known) {
  fields.get(field);
  const std::string text = fields.text(field);
  std::string names;
  for (const auto type : known) {
    if (name(type) == text) return type;
    names += (names.empty() ? "" : ", ") + std::string(name(type));
  }
  fields.fail(field, "\"" + text + "\" is not one of " + names);
}

inline Pose read_pose(JsonFields& fields) {
  Pose pose;
  pose.position = vector_field<Vector3d>(fields, "position", pose.position);
  const Eigen::Vector4d q = vector_field<Eigen::Vector4d>(fields, "orientation", {1, 0, 0, 0});
  pose.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  return pose;
}

// ---- writing ----

using OrderedJson = nlohmann::ordered_json;

inline OrderedJson written(double x) {
  return std::isfinite(x) ? OrderedJson(x) : OrderedJson(nullptr);
}

template <class Vector>
OrderedJson written_list(const Vector& values) {
  OrderedJson list = OrderedJson::array();
  for (Index i = 0; i < values.size(); ++i) list.push_back(written(values[i]));
  return list;
}

inline void write_pose(OrderedJson& o, const Pose& pose) {
  const Eigen::Quaterniond& q = pose.orientation;
  o["position"] = written_list(pose.position);
  o["orientation"] = written_list(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
}

// ---- joints (joint_json.cpp) ----

// Joints that were given by name are found by it in the scene.
std::vector<Joint> read_joints(const Json& list, const Place& top);
OrderedJson joint_json(const Joint&);
// What is left out has its default; null is no drive.
Joint::Drive read_drive(const Json&, const Place&);
OrderedJson drive_json(const Joint::Drive&);
// Drives by joint, and axis where it has several: what is left out stays.
void read_drives(const Json& list, const Place& top, std::vector<Joint>&);
std::vector<Control> read_controls(const Json& list, const Place& top, const std::vector<Joint>&);
OrderedJson control_json(const Control&);

}  // namespace perpend::io
