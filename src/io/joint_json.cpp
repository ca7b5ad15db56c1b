// Joints of scenes as JSON (docs/scene.md).
#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "io/scene_fields.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace {

constexpr std::array kJoints{Joint::Type::hinge, Joint::Type::point, Joint::Type::slider,
                             Joint::Type::generic, Joint::Type::fixed};

// [lower, upper], null for an infinite one; null for a free axis.
Joint::Limit read_limit(const JsonFields& fields, const std::string& field, const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_array() || value.size() != 2) fields.fail(field, "expected [lower, upper] or null");
  std::string what;
  const Joint::Limit limit{json_number(value[0], -kNoLimit, what),
                           json_number(value[1], kNoLimit, what)};
  if (!what.empty()) fields.fail(field, what);
  if (limit.free()) fields.fail(field, "lower is above upper; a free axis is null");
  return limit;
}

Joint::Motor read_motor(const JsonFields& fields, const std::string& field, const Json& value,
                        const Place& place) {
  if (value.is_null()) return {};
  JsonFields motor = place.inside(field).fields(value);
  const double speed = motor.number("speed");
  std::string what;
  const double max_force = json_number(motor.get("max_force"), kNoLimit, what);
  if (!what.empty()) fields.fail(field, "max_force: " + what);
  motor.done();
  return {true, speed, max_force};
}

// The joint it follows may be given by its name, for which it is looked at the end.
Joint::Mimic read_mimic(const Json& value, const Place& place, std::string& name) {
  JsonFields fields = place.fields(value);
  Joint::Mimic mimic;
  if (fields.get("joint").is_string())
    name = fields.text("joint");
  else
    mimic.joint = fields.integer("joint");
  mimic.ratio = fields.number("ratio", mimic.ratio);
  mimic.offset = fields.number("offset", mimic.offset);
  fields.done();
  if (name.empty() && mimic.joint < 0)
    fields.fail("joint", "no joint " + std::to_string(mimic.joint));
  return mimic;
}

// The index of the joint that is called so.
Index joint_called(const std::string& name, const std::vector<Joint>& joints,
                   const JsonFields& fields) {
  Index found = -1;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (joints[k].name != name) continue;
    if (found >= 0) fields.fail("joint", "several joints are called \"" + name + "\"");
    found = static_cast<Index>(k);
  }
  if (found < 0) fields.fail("joint", "no joint is called \"" + name + "\"");
  return found;
}

// Six entries, one for each axis.
void six(JsonFields& fields, const std::string& field,
         const std::function<void(const std::string& entry, const Json&, std::size_t)>& read) {
  if (!fields.find(field)) return;
  const Json& entries = array_field(fields, field);
  if (entries.size() != 6) fields.fail(field, "expected six entries");
  for (std::size_t k = 0; k < 6; ++k) read(field + " " + std::to_string(k), entries[k], k);
}

Joint read_joint(const Json& value, const Place& place, std::string& followed) {
  JsonFields fields = place.fields(value);
  Joint joint;
  joint.name = fields.text("name");
  if (fields.find("id")) joint.id = fields.integer("id");
  joint.type = one_of_field(fields, "type", kJoints);
  joint.first = fields.integer("first");
  joint.second = fields.integer("second");
  joint.frame = read_pose(fields);
  const std::span<const std::size_t> axes = free_axes(joint.type);
  if (axes.size() == 1) {
    const std::size_t k = axes[0];
    if (const Json* limit = fields.find("limit"))
      joint.limits[k] = read_limit(fields, "limit", *limit);
    if (const Json* motor = fields.find("motor"))
      joint.motors[k] = read_motor(fields, "motor", *motor, place);
    if (const Json* drive = fields.find("drive"))
      joint.drives[k] = read_drive(*drive, place.inside("drive"));
    if (const Json* mimic = fields.find("mimic"))
      joint.mimic = read_mimic(*mimic, place.inside("mimic"), followed);
  }
  if (joint.type == Joint::Type::generic) {
    six(fields, "limits", [&](const std::string& entry, const Json& limit, std::size_t k) {
      joint.limits[k] = read_limit(fields, entry, limit);
    });
    six(fields, "motors", [&](const std::string& entry, const Json& motor, std::size_t k) {
      joint.motors[k] = read_motor(fields, entry, motor, place);
    });
  }
  if (axes.size() > 1)
    six(fields, "drives", [&](const std::string& entry, const Json& drive, std::size_t k) {
      joint.drives[k] = read_drive(drive, place.inside(entry));
    });
  joint.collide = boolean_field(fields, "collide", joint.collide);
  fields.done();
  return joint;
}

// What is left out stays.
void read_drive_fields(JsonFields& fields, Joint::Drive& drive) {
  for (const DriveField& one : drive_fields()) {
    const std::string name(one.name);
    const Json* number = fields.find(name);
    if (!number) continue;
    std::string what;
    const std::optional<double> null = one.unlimited ? std::optional(kNoLimit) : std::nullopt;
    drive.*one.member = json_number(*number, null, what);
    if (!what.empty()) fields.fail(name, what);
  }
}

// A joint by number or name.
Index read_joint_index(JsonFields& fields, const std::vector<Joint>& joints) {
  return fields.get("joint").is_string() ? joint_called(fields.text("joint"), joints, fields)
                                         : fields.integer("joint");
}

// -1: not told.
int read_axis(JsonFields& fields) {
  if (!fields.find("axis")) return -1;
  const std::int64_t axis = fields.integer("axis");
  if (axis < 0 || axis > 5) fields.fail("axis", "not in 0 ... 5");
  return static_cast<int>(axis);
}

// ---- writing ----

OrderedJson limit_json(const Joint::Limit& limit) {
  if (limit.free()) return nullptr;
  return {written(limit.lower), written(limit.upper)};
}

OrderedJson motor_json(const Joint::Motor& motor) {
  if (!motor.on) return nullptr;
  return {{"speed", written(motor.speed)}, {"max_force", written(motor.max_force)}};
}

}  // namespace

Joint::Drive read_drive(const Json& value, const Place& place) {
  Joint::Drive drive;
  if (value.is_null()) return drive;
  JsonFields fields = place.fields(value);
  read_drive_fields(fields, drive);
  fields.done();
  return drive;
}

void read_drives(const Json& list, const Place& top, std::vector<Joint>& joints) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonFields fields = top.inside("drives", i).fields(list[i]);
    const Index k = read_joint_index(fields, joints);
    if (k < 0 || k >= static_cast<Index>(joints.size()))
      fields.fail("joint", "no joint " + std::to_string(k));
    Joint& joint = joints[static_cast<std::size_t>(k)];
    const std::span<const std::size_t> axes = free_axes(joint.type);
    int axis = read_axis(fields);
    if (axis < 0 && axes.size() == 1) axis = static_cast<int>(axes[0]);
    if (axis < 0) fields.fail("axis", "needed: the joint has " + std::to_string(axes.size()));
    if (std::find(axes.begin(), axes.end(), static_cast<std::size_t>(axis)) == axes.end())
      fields.fail("axis", "the joint does not move along it");
    read_drive_fields(fields, joint.drives[static_cast<std::size_t>(axis)]);
    fields.done();
  }
}

OrderedJson drive_json(const Joint::Drive& drive) {
  if (drive == Joint::Drive{}) return nullptr;
  OrderedJson o;
  for (const DriveField& one : drive_fields())
    if (drive.*one.member != Joint::Drive{}.*one.member)
      o[std::string(one.name)] = written(drive.*one.member);
  return o;
}

std::vector<Joint> read_joints(const Json& list, const Place& top) {
  std::vector<Joint> joints;
  std::vector<std::string> followed(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    joints.push_back(read_joint(list[i], top.inside("joints", i), followed[i]));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (followed[i].empty()) continue;
    const JsonFields place(list[i], top.file, top.inside("joints", i).prefix + "mimic/");
    joints[i].mimic.joint = joint_called(followed[i], joints, place);
  }
  return joints;
}

// Fields that are newer than version 0.9 are written only where they say something, so that other
// scenes have the same text as ever.
OrderedJson joint_json(const Joint& joint) {
  OrderedJson o;
  if (!joint.name.empty()) o["name"] = joint.name;
  if (joint.id) o["id"] = *joint.id;
  o["type"] = perpend::name(joint.type);
  o["first"] = joint.first;
  o["second"] = joint.second;
  write_pose(o, joint.frame);
  const std::span<const std::size_t> axes = free_axes(joint.type);
  if (axes.size() == 1) {
    const std::size_t k = axes[0];
    if (!joint.limits[k].free()) o["limit"] = limit_json(joint.limits[k]);
    if (joint.motors[k].on) o["motor"] = motor_json(joint.motors[k]);
    if (joint.drives[k] != Joint::Drive{}) o["drive"] = drive_json(joint.drives[k]);
    if (joint.mimic.joint >= 0)
      o["mimic"] = {{"joint", joint.mimic.joint},
                    {"ratio", written(joint.mimic.ratio)},
                    {"offset", written(joint.mimic.offset)}};
  }
  if (joint.type == Joint::Type::generic) {
    o["limits"] = OrderedJson::array();
    o["motors"] = OrderedJson::array();
    for (const Joint::Limit& limit : joint.limits) o["limits"].push_back(limit_json(limit));
    for (const Joint::Motor& motor : joint.motors) o["motors"].push_back(motor_json(motor));
  }
  if (axes.size() > 1 && joint.drives != std::array<Joint::Drive, 6>{}) {
    o["drives"] = OrderedJson::array();
    for (const Joint::Drive& drive : joint.drives) o["drives"].push_back(drive_json(drive));
  }
  o["collide"] = joint.collide;
  return o;
}

std::vector<Control> read_controls(const Json& list, const Place& top,
                                   const std::vector<Joint>& joints) {
  std::vector<Control> controls;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Place place = top.inside("control", i);
    JsonFields fields = place.fields(list[i]);
    Control control;
    control.joint = read_joint_index(fields, joints);
    control.axis = read_axis(fields);
    const Json& keys = array_field(fields, "keys");
    for (std::size_t k = 0; k < keys.size(); ++k) {
      JsonFields given = place.inside("keys", k).fields(keys[k]);
      Control::Key key;
      key.time = given.number("time");
      if (given.find("position")) key.position = given.number("position");
      if (given.find("speed")) key.speed = given.number("speed");
      if (given.find("force")) key.force = given.number("force");
      given.done();
      control.keys.push_back(key);
    }
    fields.done();
    controls.push_back(std::move(control));
  }
  return controls;
}

OrderedJson control_json(const Control& control) {
  OrderedJson o;
  o["joint"] = control.joint;
  if (control.axis >= 0) o["axis"] = control.axis;
  o["keys"] = OrderedJson::array();
  for (const Control::Key& key : control.keys) {
    OrderedJson k{{"time", written(key.time)}};
    if (key.position) k["position"] = written(*key.position);
    if (key.speed) k["speed"] = written(*key.speed);
    if (key.force) k["force"] = written(*key.force);
    o["keys"].push_back(std::move(k));
  }
  return o;
}

}  // namespace perpend::io
