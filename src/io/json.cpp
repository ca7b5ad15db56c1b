// JSON lines: one frame per line, the field names of the standard file (docs/json.md).
//
// Numbers are written with the shortest digits that read back to the same bits. null stands for
// what JSON has no word for: an infinite bound, and the inertia and force of fixed bodies, which
// nobody reads.
#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <unordered_map>

#include "io/json_fields.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/json_lines.hpp"

namespace perpend::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <int Columns>
std::array<double, Columns> all(double value) {
  std::array<double, Columns> row;
  row.fill(value);
  return row;
}

// ---- reading ----

Bodies read_bodies(JsonFields fields) {
  Bodies b;
  fields.get("masses");
  fields.get("positions");
  fields.get("inertia");
  b.masses = fields.numbers("masses");
  b.positions = fields.rows<3>("positions");
  b.inertia = fields.rows<9>("inertia", all<9>(kNaN));
  const Frame defaults = make_frame(b.count(), 0);
  b.ids = fields.find("ids") ? fields.integers("ids") : defaults.bodies.ids;
  b.quaternions =
      fields.find("quaternions") ? fields.rows<4>("quaternions") : defaults.bodies.quaternions;
  b.velocities =
      fields.find("velocities") ? fields.rows<6>("velocities") : defaults.bodies.velocities;
  b.forces =
      fields.find("forces") ? fields.rows<6>("forces", all<6>(kNaN)) : defaults.bodies.forces;
  fields.done();
  return b;
}

// Pairs hold body ids in files, row indices in memory.
class BodyIndex {
 public:
  explicit BodyIndex(const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.ids.size(); ++i)
      index_.emplace(bodies.ids[i], static_cast<std::int64_t>(i));
  }
  Pairs pairs(JsonFields& fields) const {
    Pairs pairs = fields.pairs("pairs");
    for (Index i = 0; i < pairs.rows(); ++i)
      for (Index k = 0; k < 2; ++k) {
        const auto found = index_.find(pairs(i, k));
        if (found == index_.end())
          fields.fail("pairs", static_cast<std::size_t>(i),
                      "no body has the id " + std::to_string(pairs(i, k)));
        pairs(i, k) = found->second;
      }
    return pairs;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> index_;
};

Contacts read_contacts(JsonFields fields, const BodyIndex& bodies) {
  for (const char* field : {"pairs", "normals", "points", "gap", "mu"}) fields.get(field);
  Contacts c;
  c.pairs = bodies.pairs(fields);
  c.normals = fields.rows<3>("normals");
  c.points = fields.rows<3>("points");
  c.gap = fields.numbers("gap");
  c.mu = fields.numbers("mu");
  c.points2 = fields.rows<3>("points2");
  c.tangents = fields.rows<6>("tangents");
  c.restitution = fields.numbers("restitution");
  c.group = fields.integers("group");
  c.ids = fields.integers("ids");
  c.rolling_mu = fields.numbers("rolling_mu");
  c.torsional_mu = fields.numbers("torsional_mu");
  c.bias = fields.rows<3>("bias");
  c.cfm = fields.rows<3>("cfm");
  c.friction_bounds = fields.rows<2>("friction_bounds", all<2>(kInf));
  fields.done();
  return c;
}

Joints read_joints(JsonFields fields, const BodyIndex& bodies) {
  for (const char* field : {"pairs", "rows", "jacobian", "bounds", "violation"}) fields.get(field);
  Joints j;
  j.pairs = bodies.pairs(fields);
  j.rows = fields.integers("rows");
  j.jacobian = fields.rows<12>("jacobian");
  j.bounds = fields.rows<2>("bounds", std::array{-kInf, kInf});
  j.violation = fields.numbers("violation");
  j.rate = fields.numbers("rate");
  j.cfm = fields.numbers("cfm");
  j.bias = fields.numbers("bias");
  fields.done();
  return j;
}

void check_length(const JsonFields& fields, const std::string& field, Index rows, Index expected) {
  if (rows != 0 && rows != expected)
    fields.fail(field, std::to_string(rows) + " rows, expected " + std::to_string(expected));
}

Answer read_answer(JsonFields fields, const Frame& frame) {
  Answer a;
  a.velocities_plus = fields.rows<6>("velocities_plus");
  a.z = fields.rows<3>("z");
  a.z_joints = fields.numbers("z_joints");
  a.iterations = fields.integer("iterations", -1);
  a.answered = fields.text("answered");
  const Integers states = fields.integers("slide_or_stick");
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] < 0 || states[i] > 2) fields.fail("slide_or_stick", i, "expected 0, 1 or 2");
    a.slide_or_stick.push_back(static_cast<std::int8_t>(states[i]));
  }
  JsonFields errors = fields.object("errors");
  for (const MeasureInfo& m : measures())
    a.errors[m.measure] = errors.number(std::string(m.name), kNaN);
  errors.done();
  check_length(fields, "velocities_plus", a.velocities_plus.rows(), frame.bodies.count());
  check_length(fields, "z", a.z.rows(), frame.contacts.count());
  check_length(fields, "z_joints", a.z_joints.size(), frame.joints.row_count());
  check_length(fields, "slide_or_stick", static_cast<Index>(states.size()), frame.contacts.count());
  fields.done();
  return a;
}

Timing read_timing(JsonFields fields) {
  Timing t;
  t.collision = fields.number("collision", kNaN);
  t.formulation = fields.number("formulation", kNaN);
  t.solver = fields.number("solver", kNaN);
  t.total = fields.number("total", kNaN);
  fields.done();
  return t;
}

Record read_record(const std::string& line, const std::string& where) {
  const Json document = parse_json(line, where, Text::line);
  if (!document.is_object()) throw InputError(where + ": expected one object per line");
  JsonFields fields(document, where);
  Record record;
  record.name = fields.text("name");
  record.derivation = fields.text("derivation");
  record.tags = fields.texts("tags");
  Frame& frame = record.frame;
  frame = make_frame(0, 0);
  frame.step = fields.number("step");
  frame.time = fields.number("time", 0);
  if (const std::string stepper = fields.text("stepper"); !stepper.empty()) {
    if (stepper != "st" && stepper != "ap") fields.fail("stepper", "expected \"st\" or \"ap\"");
    frame.stepper = stepper == "st" ? Stepper::st : Stepper::ap;
  }
  fields.get("bodies");
  frame.bodies = read_bodies(fields.object("bodies"));
  const BodyIndex bodies(frame.bodies);
  if (fields.find("contacts")) frame.contacts = read_contacts(fields.object("contacts"), bodies);
  if (fields.find("constraints")) frame.joints = read_joints(fields.object("constraints"), bodies);
  // Before the lengths of the answer are compared with those of a frame that may be wrong.
  if (const std::string reason = invalid(frame); !reason.empty())
    throw InputError(where + ": " + reason);
  record.answer = read_answer(fields.object("expected"), frame);
  record.timing = read_timing(fields.object("timing"));
  fields.done();
  return record;
}

std::string place(const std::string& name, long number) {
  return name + ":" + std::to_string(number);
}

// The next line without its end; false when there is none.
bool next_line(std::istream& text, std::string& line, const std::string& where) {
  line.clear();
  std::streambuf& buffer = *text.rdbuf();
  using Traits = std::istream::traits_type;
  for (Traits::int_type c = buffer.sbumpc(); c != '\n'; c = buffer.sbumpc()) {
    if (Traits::eq_int_type(c, Traits::eof())) {
      text.setstate(std::ios::eofbit);
      return !line.empty();
    }
    if (line.size() == kLongestDocument)
      throw InputError(where + ": has more than " + std::to_string(kLongestDocument >> 20) +
                       " MiB, the most a line may have");
    line += Traits::to_char_type(c);
  }
  return true;
}

// Lines that are empty or begin with # are comments.
bool holds_a_frame(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string::npos && line[first] != '#';
}

// ---- writing ----

OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

template <class Matrix>
OrderedJson column(const Matrix& values) {
  OrderedJson result = OrderedJson::array();
  for (Index i = 0; i < values.rows(); ++i) {
    if constexpr (Matrix::ColsAtCompileTime == 1) {
      result.push_back(number(values(i)));
    } else {
      OrderedJson row = OrderedJson::array();
      for (Index k = 0; k < values.cols(); ++k) row.push_back(number(values(i, k)));
      result.push_back(std::move(row));
    }
  }
  return result;
}

template <class Matrix>
void optional_column(OrderedJson& object, const char* field, const Matrix& values) {
  if (values.rows()) object[field] = column(values);
}

OrderedJson ids_of(const Pairs& pairs, const Integers& ids) {
  OrderedJson result = OrderedJson::array();
  for (Index i = 0; i < pairs.rows(); ++i)
    result.push_back(
        {ids[static_cast<std::size_t>(pairs(i, 0))], ids[static_cast<std::size_t>(pairs(i, 1))]});
  return result;
}

OrderedJson bodies_json(const Bodies& b) {
  OrderedJson o;
  o["ids"] = b.ids;
  o["masses"] = column(b.masses);
  o["inertia"] = column(b.inertia);
  o["positions"] = column(b.positions);
  o["quaternions"] = column(b.quaternions);
  o["velocities"] = column(b.velocities);
  o["forces"] = column(b.forces);
  return o;
}

OrderedJson contacts_json(const Contacts& c, const Integers& ids) {
  OrderedJson o;
  o["pairs"] = ids_of(c.pairs, ids);
  o["normals"] = column(c.normals);
  o["points"] = column(c.points);
  o["gap"] = column(c.gap);
  o["mu"] = column(c.mu);
  optional_column(o, "points2", c.points2);
  optional_column(o, "tangents", c.tangents);
  optional_column(o, "restitution", c.restitution);
  if (!c.group.empty()) o["group"] = c.group;
  if (!c.ids.empty()) o["ids"] = c.ids;
  optional_column(o, "rolling_mu", c.rolling_mu);
  optional_column(o, "torsional_mu", c.torsional_mu);
  optional_column(o, "bias", c.bias);
  optional_column(o, "cfm", c.cfm);
  optional_column(o, "friction_bounds", c.friction_bounds);
  return o;
}

OrderedJson joints_json(const Joints& j, const Integers& ids) {
  OrderedJson o;
  o["pairs"] = ids_of(j.pairs, ids);
  o["rows"] = j.rows;
  o["jacobian"] = column(j.jacobian);
  o["bounds"] = column(j.bounds);
  o["violation"] = column(j.violation);
  optional_column(o, "rate", j.rate);
  optional_column(o, "cfm", j.cfm);
  optional_column(o, "bias", j.bias);
  return o;
}

OrderedJson answer_json(const Answer& a) {
  OrderedJson o = OrderedJson::object();
  optional_column(o, "velocities_plus", a.velocities_plus);
  optional_column(o, "z", a.z);
  optional_column(o, "z_joints", a.z_joints);
  if (a.iterations >= 0) o["iterations"] = a.iterations;
  if (!a.answered.empty()) o["answered"] = a.answered;
  if (!a.slide_or_stick.empty()) o["slide_or_stick"] = a.slide_or_stick;
  for (const MeasureInfo& m : measures())
    if (std::isfinite(a.errors[m.measure])) o["errors"][std::string(m.name)] = a.errors[m.measure];
  return o;
}

OrderedJson timing_json(const Timing& t) {
  OrderedJson o = OrderedJson::object();
  const std::array<std::pair<const char*, double>, 4> entries{{{"collision", t.collision},
                                                               {"formulation", t.formulation},
                                                               {"solver", t.solver},
                                                               {"total", t.total}}};
  for (const auto& [field, seconds] : entries)
    if (std::isfinite(seconds)) o[field] = seconds;
  return o;
}

}  // namespace

std::string to_json_line(const Record& record) {
  const Frame& frame = record.frame;
  OrderedJson o;
  if (!record.name.empty()) o["name"] = record.name;
  if (!record.derivation.empty()) o["derivation"] = record.derivation;
  if (!record.tags.empty()) o["tags"] = record.tags;
  o["step"] = frame.step;
  o["time"] = frame.time;
  o["stepper"] = std::string(name(frame.stepper));
  o["bodies"] = bodies_json(frame.bodies);
  if (frame.contacts.count()) o["contacts"] = contacts_json(frame.contacts, frame.bodies.ids);
  if (frame.joints.count()) o["constraints"] = joints_json(frame.joints, frame.bodies.ids);
  if (OrderedJson answer = answer_json(record.answer); !answer.empty())
    o["expected"] = std::move(answer);
  if (OrderedJson timing = timing_json(record.timing); !timing.empty())
    o["timing"] = std::move(timing);
  // Names come from anywhere: bytes that are not UTF-8 are replaced, not thrown about.
  return o.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void write_json_lines(const std::vector<Record>& records, const std::string& path) {
  OutputFile file(path, OutputFile::Content::text);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (const std::string reason = invalid(records[i].frame); !reason.empty())
      throw InputError(path + ": frame " + std::to_string(i) + ": " + reason);
    file.write(to_json_line(records[i]) + "\n");
  }
  file.commit();
}

JsonLines::JsonLines(const std::string& path) : path_(path) {
  if (const std::uint64_t size = plain_size(path); size > kLongestLines)
    throw InputError(path + ": has " + std::to_string(size >> 20) +
                     " MiB; JSON lines have at most " + std::to_string(kLongestLines >> 20) +
                     " MiB");
  file_.open(path, std::ios::binary);
  if (!file_) throw InputError(path + ": cannot be opened");
  std::int32_t number = 1;
  std::int64_t next = 0;
  for (std::string line; next_line(file_, line, place(path, number)); ++number) {
    const std::int64_t at = next;
    next += static_cast<std::int64_t>(line.size()) + 1;
    if (!holds_a_frame(line)) continue;
    const Record record = read_record(line, place(path, number));
    if (lines_.empty()) stepper_ = record.frame.stepper;
    const std::string& who = record.answer.answered;
    if (!who.empty() && std::find(answerers_.begin(), answerers_.end(), who) == answerers_.end())
      answerers_.push_back(who);
    const FrameCounts counts = counts_of(record);
    lines_.push_back({at, number, static_cast<std::int32_t>(counts.bodies),
                      static_cast<std::int32_t>(counts.joints),
                      static_cast<std::int32_t>(counts.joint_rows),
                      static_cast<std::int32_t>(counts.contacts)});
  }
  if (file_.bad()) throw InputError(path + ": cannot be read");
  if (lines_.empty()) throw InputError(path + ": holds no frame");
}

FrameCounts JsonLines::counts(Index frame) const {
  const Line& line = lines_.at(static_cast<std::size_t>(frame));
  return {line.bodies, line.joints, line.joint_rows, line.contacts};
}

Record JsonLines::read(Index frame) const {
  const Line& known = lines_.at(static_cast<std::size_t>(frame));
  file_.clear();
  file_.seekg(known.at);
  std::string line;
  if (!next_line(file_, line, place(path_, known.number)))
    throw InputError(place(path_, known.number) + ": is not there any more");
  return read_record(line, place(path_, known.number));
}

std::vector<Record> read_json_lines(const std::string& path) {
  const JsonLines lines(path);
  std::vector<Record> records;
  for (Index frame = 0; frame < lines.frames(); ++frame) records.push_back(lines.read(frame));
  return records;
}

std::vector<Record> read_json_lines(std::istream& text, const std::string& name) {
  std::vector<Record> records;
  long number = 1;
  for (std::string line; next_line(text, line, place(name, number)); ++number)
    if (holds_a_frame(line)) records.push_back(read_record(line, place(name, number)));
  if (text.bad()) throw InputError(name + ": cannot be read");
  if (records.empty()) throw InputError(name + ": holds no frame");
  return records;
}

}  // namespace perpend::io
