// Snapshots as JSON (docs/snapshot.md). Numbers are written with the shortest digits that read back
// to the same bits; features, which have 64 bits, as hexadecimal texts.
#include <algorithm>
#include <cstdio>

#include "io/scene_fields.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/snapshots.hpp"

namespace perpend::io {
namespace {

constexpr const char* kFormat = "perpend-snapshot";

// ---- reading ----

VectorXd numbers(JsonFields& fields, const std::string& field, Index count) {
  fields.get(field);
  VectorXd values = fields.numbers(field);
  if (values.size() != count)
    fields.fail(field,
                std::to_string(values.size()) + " numbers, expected " + std::to_string(count));
  return values;
}

bool flag(JsonFields& fields, const std::string& field) {
  const Json& value = fields.get(field);
  if (!value.is_boolean())
    fields.fail(field, std::string("expected true or false, found ") + value.type_name());
  return value.get<bool>();
}

Snapshot::Placement placed(JsonFields& fields, const std::string& field) {
  const VectorXd values = numbers(fields, field, 12);
  Snapshot::Placement out;
  out.position = values.head<3>();
  for (Index r = 0; r < 3; ++r) out.axes.row(r) = values.segment<3>(3 + 3 * r).transpose();
  return out;
}

Snapshot::Body read_body(JsonFields fields) {
  Snapshot::Body body;
  body.id = fields.integer("id");
  body.pose = placed(fields, "pose");
  body.previous = fields.find("previous") ? placed(fields, "previous") : body.pose;
  body.velocity = numbers(fields, "velocity", 6);
  if (fields.find("force")) body.force = numbers(fields, "force", 6);
  const std::int64_t activation = fields.integer("activation");
  if (activation < 1 || activation > 6) fields.fail("activation", "is not in 1 ... 6");
  body.activation = static_cast<int>(activation);
  body.resting = fields.number("resting");
  body.fell_short = fields.find("fell_short") && flag(fields, "fell_short");
  body.held = fields.find("held") && flag(fields, "held");
  fields.done();
  return body;
}

Snapshot::Pair read_pair(JsonFields fields) {
  Snapshot::Pair pair;
  pair.first = fields.integer("first");
  pair.second = fields.integer("second");
  const Json& impulses = array_field(fields, "impulses");
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Json& one = impulses[i];
    if (!one.is_array() || one.size() != 4 || !one[0].is_string())
      fields.fail("impulses", i, "expected [feature, x, y, z]");
    const std::string text = one[0].get<std::string>();
    Snapshot::Contact contact;
    if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
      fields.fail("impulses", i, "a feature is 16 hexadecimal digits");
    contact.feature = std::stoull(text, nullptr, 16);
    std::string what;
    for (Index k = 0; k < 3; ++k)
      contact.impulse[k] = json_number(one[static_cast<std::size_t>(k + 1)], {}, what);
    if (!what.empty()) fields.fail("impulses", i, what);
    pair.contacts.push_back(contact);
  }
  fields.done();
  return pair;
}

Snapshot::Joint read_joint(JsonFields fields, const std::string& where, const std::string& prefix) {
  Snapshot::Joint joint;
  joint.first = fields.integer("first");
  joint.second = fields.integer("second");
  joint.enabled = flag(fields, "enabled");
  joint.impulse = fields.number("impulse");
  const Json& rows = array_field(fields, "rows");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string what;
    if (!rows[i].is_array() || rows[i].size() != 2)
      fields.fail("rows", i, "expected [key, impulse]");
    const std::int64_t key = json_integer(rows[i][0], what);
    const double impulse = json_number(rows[i][1], {}, what);
    if (!what.empty()) fields.fail("rows", i, what);
    if (key < 0 || key > 1000000) fields.fail("rows", i, "key is not in 0 ... 1000000");
    joint.rows.push_back({static_cast<int>(key), impulse});
  }
  if (fields.find("drives")) {
    const Json& drives = array_field(fields, "drives");
    for (std::size_t i = 0; i < drives.size(); ++i) {
      JsonFields one = Place{where, prefix}.inside("drives", i).fields(drives[i]);
      Snapshot::Drive drive;
      drive.axis = static_cast<int>(std::clamp<std::int64_t>(one.integer("axis"), -1, 6));
      drive.coordinate = one.number("coordinate");
      drive.force = one.number("force");
      if (const Json* given = one.find("drive"))
        drive.drive = read_drive(*given, Place{where, prefix}.inside("drives", i).inside("drive"));
      one.done();
      joint.drives.push_back(drive);
    }
  }
  fields.done();
  return joint;
}

// ---- writing ----

OrderedJson placed(const Snapshot::Placement& p) {
  OrderedJson out = written_list(p.position);
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 3; ++c) out.push_back(p.axes(r, c));
  return out;
}

OrderedJson to_object(const Snapshot::Body& body) {
  OrderedJson o;
  o["id"] = body.id;
  o["pose"] = placed(body.pose);
  if (body.previous.position != body.pose.position || body.previous.axes != body.pose.axes)
    o["previous"] = placed(body.previous);
  o["velocity"] = written_list(body.velocity);
  if (!body.force.isZero(0)) o["force"] = written_list(body.force);
  o["activation"] = body.activation;
  o["resting"] = body.resting;
  if (body.fell_short) o["fell_short"] = true;
  if (body.held) o["held"] = true;
  return o;
}

OrderedJson to_object(const Snapshot::Pair& pair) {
  OrderedJson o;
  o["first"] = pair.first;
  o["second"] = pair.second;
  o["impulses"] = OrderedJson::array();
  for (const Snapshot::Contact& contact : pair.contacts) {
    o["impulses"].push_back({hexadecimal(contact.feature), contact.impulse.x(), contact.impulse.y(),
                             contact.impulse.z()});
  }
  return o;
}

OrderedJson to_object(const Snapshot::Joint& joint) {
  OrderedJson o;
  o["first"] = joint.first;
  o["second"] = joint.second;
  o["enabled"] = joint.enabled;
  o["impulse"] = joint.impulse;
  o["rows"] = OrderedJson::array();
  for (const Snapshot::Row& row : joint.rows) o["rows"].push_back({row.key, row.impulse});
  if (joint.drives.empty()) return o;
  o["drives"] = OrderedJson::array();
  for (const Snapshot::Drive& drive : joint.drives)
    o["drives"].push_back({{"axis", drive.axis},
                           {"coordinate", drive.coordinate},
                           {"force", drive.force},
                           {"drive", drive_json(drive.drive)}});
  return o;
}

template <class List>
void append_list(std::string& text, const char* field, const List& items) {
  text.append(",\n  \"").append(field).append("\": [");
  for (std::size_t i = 0; i < items.size(); ++i)
    text.append(i == 0 ? "\n    " : ",\n    ").append(to_object(items[i]).dump());
  text += items.empty() ? "]" : "\n  ]";
}

}  // namespace

Snapshot read_snapshot(const std::string& path) {
  return snapshot_from_json(read_text(path), path == "-" ? "standard input" : path);
}

Snapshot snapshot_from_json(const std::string& text, const std::string& path) {
  const Json document = parse_json(text, path);
  if (!document.is_object()) throw InputError(path + ": expected one object");
  JsonFields fields(document, path);
  fields.expect_format(kFormat, kSnapshotVersion);
  Snapshot s;
  s.scene = fields.text("scene");
  s.h = fields.number("dt");
  s.step = fields.integer("step");
  s.remaining = fields.number("remaining", 0);
  const auto each = [&](const char* field, const auto& take) {
    const Json& items = array_field(fields, field);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string place = std::string(field) + " " + std::to_string(i);
      if (!items[i].is_object())
        fields.fail(place, std::string("expected an object, found ") + items[i].type_name());
      take(JsonFields(items[i], path, place + "/"));
    }
  };
  each("bodies", [&](JsonFields item) { s.bodies.push_back(read_body(std::move(item))); });
  each("contacts", [&](JsonFields item) { s.pairs.push_back(read_pair(std::move(item))); });
  each("joints", [&](JsonFields item) {
    const std::string prefix = "joints " + std::to_string(s.joints.size()) + "/";
    s.joints.push_back(read_joint(std::move(item), path, prefix));
  });
  fields.done();
  if (const std::string why = invalid(s); !why.empty()) throw InputError(path + ": " + why);
  return s;
}

void write_snapshot(const Snapshot& s, const std::string& path) {
  if (const std::string why = invalid(s); !why.empty()) throw InputError(path + ": " + why);
  write_text(path, to_json(s));
}

std::string to_json(const Snapshot& s) {
  OrderedJson head;
  head["format"] = kFormat;
  head["format_version"] = kSnapshotVersion;
  head["scene"] = s.scene;
  head["dt"] = s.h;
  head["step"] = s.step;
  head["remaining"] = s.remaining;
  std::string text = head.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
  text.resize(text.size() - 2);  // without the closing brace
  append_list(text, "bodies", s.bodies);
  append_list(text, "contacts", s.pairs);
  append_list(text, "joints", s.joints);
  return text + "\n}\n";
}

}  // namespace perpend::io
