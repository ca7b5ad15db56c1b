// Every complaint about a standard file, in the order in which a reader would meet them.
#include <algorithm>
#include <limits>
#include <unordered_set>

#include "io/file_columns.hpp"
#include "io/json_fields.hpp"
#include "io/layouts.hpp"
#include "io/probe.hpp"
#include "perpend/base.hpp"
#include "perpend/io/damage.hpp"
#include "perpend/io/names.hpp"
#include "perpend/record/limits.h"

namespace perpend::io {
namespace {

class Complaints {
 public:
  explicit Complaints(const std::string& path) : path_(path) {}
  void add(const std::string& text) {
    if (known_.insert(text).second) list_.push_back(text);
  }
  void say(const std::string& what) { add(path_ + ": " + what); }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::string path_;
  std::vector<std::string> list_;
  std::unordered_set<std::string> known_;
};

void check_attributes(const h5::File& file, Complaints& complaints) {
  std::vector<std::string_view> names{"format", "format_version", "stepper", "scalar_bytes"};
  for (const Attribute& attribute : attributes()) names.push_back(attribute.name);
  for (std::string_view name : names)
    if (H5Aexists(file, std::string(name).c_str()) <= 0)
      complaints.say("attribute " + std::string(name) + " is missing");
}

// A misspelt optional column would be silently ignored by every reader.
void check_names(const h5::File& file, const std::string& root, Complaints& complaints) {
  std::vector<std::string> groups;
  for (const Column& column : columns())
    if (const std::string group(column.group());
        !group.empty() && std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(group);
  for (const std::string& group : groups) {
    if (h5::find(file, root + group) != h5::Found::group) continue;
    for (const std::string& member : h5::members(file, root + group)) {
      const std::string name = group + "/" + member;
      const bool known = name == "system/offsets" ||
                         std::any_of(columns().begin(), columns().end(),
                                     [&](const Column& column) { return column.name == name; });
      if (!known) complaints.say(root + name + ": is not part of the format");
    }
  }
}

void check_file_columns(const h5::File& file, Complaints& complaints) {
  if (h5::find(file, "/model") != h5::Found::group) return;
  for (const std::string& member : h5::members(file, "/model"))
    if (std::none_of(file_columns().begin(), file_columns().end(),
                     [&](const Column& column) { return column.path() == "/model/" + member; }))
      complaints.say("/model/" + member + ": is not part of the format");
}

void check_events(const std::vector<std::string>& events, Complaints& complaints) {
  for (std::size_t i = 0; i < events.size(); ++i)
    if (const auto event = json_or_null(events[i]);
        !event.is_object() || !event.contains("step") || !event["step"].is_number_unsigned() ||
        !event.contains("kind") || !event["kind"].is_string())
      complaints.say("/events: row " + std::to_string(i) +
                     " is not a JSON object with a step and a kind");
}

void check_matrix(const SystemColumns::Matrix& matrix, std::int64_t columns_of_matrix,
                  const std::string& name, const std::function<void(const std::string&)>& say) {
  const auto entries = static_cast<std::int64_t>(matrix.columns.size());
  if (!perpend_record_add_up(matrix.rows.data(), static_cast<std::int64_t>(matrix.rows.size()),
                             entries))
    return say(name + "_rows: do not add up to the " + std::to_string(entries) +
               " entries there are");
  for (std::int64_t column : matrix.columns)
    if (column < 0 || column >= columns_of_matrix)
      return say(name + "_columns: has column " + std::to_string(column) + " of " +
                 std::to_string(columns_of_matrix));
}

void check_record(const Record& record, const std::function<void(const std::string&)>& say) {
  // A system that comes without bodies need not know its step.
  const bool only_system = record.system.b.size() > 0 && record.frame.bodies.count() == 0;
  if (const std::string why = invalid(record.frame); !why.empty() && !only_system) say(why);
  for (const Column& column : columns())
    if (const std::string why = out_of_range(column, record); !why.empty()) say(why);
  if (record.answer.z.rows() && !record.frame.contacts.tangents.rows())
    say("contacts/tangents: is missing, but z needs it");
  const SystemColumns& system = record.system;
  const std::int64_t rows = system.b.size();
  check_matrix(system.M, system.v.size(), "system/M", say);
  check_matrix(system.J, system.v.size(), "system/J", say);
  check_matrix(system.A, rows, "system/A", say);
  if (rows != 3 * system.mu.size() + system.bounds.rows())
    say("system/b: has " + std::to_string(rows) + " rows, expected three per contact and one per " +
        "joint row");
}

// x1 + r1 + psi n = x2 + r2, but for rounding: each number is stored to half an eps of its size, an
// engine takes a point from a pose and a distance from two points (about 10 operations each), and
// recorders subtract the centre. The arms of an engine's rows need not be places on surfaces: many
// have one point for both bodies, Bullet lets the two of an old contact drift apart, and Siconos
// takes them at another moment than the gap. So its recordings are noted, and ours refused.
class ContactPlaces {
 public:
  explicit ContactPlaces(const Header& header)
      : eps_(header.scalar_bytes == 4 ? std::numeric_limits<float>::epsilon()
                                      : std::numeric_limits<double>::epsilon()),
        ours_(header.engine == "perpend") {}

  // Precondition: the frame is valid.
  void check(const Frame& frame, const std::function<void(const std::string&)>& say) {
    const Contacts& k = frame.contacts;
    for (Index i = 0; i < k.points2.rows(); ++i) {
      const Vector3d x1 = frame.bodies.positions.row(k.pairs(i, 0)), r1 = k.points.row(i),
                     x2 = frame.bodies.positions.row(k.pairs(i, 1)), r2 = k.points2.row(i),
                     n = k.normals.row(i);
      const Vector3d between = x2 + r2 - x1 - r1, wrong = between - k.gap[i] * n;
      const double rounding = 32 * eps_ * (x1.norm() + r1.norm() + x2.norm() + r2.norm());
      if (wrong.norm() <= rounding || (!ours_ && between.norm() <= rounding)) continue;
      if (ours_)
        say("contacts/points2 row " + std::to_string(i) + ": x2 + r2 is " +
            short_number(wrong.norm()) + " m from x1 + r1 + psi n");
      else
        farthest_ = std::max(farthest_, wrong.norm());
    }
  }
  double farthest() const { return farthest_; }  // of an engine's points, m

 private:
  double eps_, farthest_ = 0;
  bool ours_;
};

}  // namespace

std::vector<std::string> validate(const std::string& path, std::vector<std::string>* notes) {
  const h5::Silence quiet;
  Complaints complaints(path);
  const Complain collect = [&](const InputError& error) { complaints.add(error.what()); };
  attempt(collect, [&] {
    probe(path);
    const h5::File file = h5::File::open(path);
    if (file.unclosed()) complaints.say("was not closed by its writer; perpend repair repairs it");
    std::int64_t version = 0;
    const Header header = read_header(file, version, collect);
    check_attributes(file, complaints);
    const std::unique_ptr<Layout> layout = open_layout(file, header, collect);
    const bool by_frame = layout->name() == "frames";
    ContactPlaces places(header);
    if (!by_frame) check_names(file, "/", complaints);
    Names names;
    attempt([](const InputError&) {}, [&] { names = Names(read_model(file), header); });
    for (Index frame = 0; frame < layout->frames(); ++frame)
      attempt(collect, [&] {
        if (by_frame) check_names(file, frame_group(frame) + "/", complaints);
        const Record record = layout->read(frame);
        const auto say = [&](const std::string& why) {
          complaints.say("frame " + std::to_string(frame) + ": " +
                         with_names(why, FrameNames(names, record)));
        };
        check_record(record, say);
        if (invalid(record.frame).empty()) places.check(record.frame, say);
      });
    if (notes && places.farthest() > 0)
      notes->push_back("contacts/points2: x2 + r2 is up to " + short_number(places.farthest()) +
                       " m from x1 + r1 + psi n, in the engine's own numbers");
    check_file_columns(file, complaints);
    attempt(collect, [&] {
      bool repeated = false;
      read_model(file, &repeated);
      if (repeated)
        complaints.say("/model/: names are given again; perpend repair leaves them out");
    });
    attempt(collect, [&] { check_events(read_events(file), complaints); });
    for (const std::string& name : stored_solutions(file))
      attempt(collect, [&] { read_solution(path, name); });
  });
  return complaints.take();
}

Damage damage(const std::string& path) {
  const h5::Silence quiet;
  const FrameReader reader(path);
  Damage out;
  read_model(h5::File::open(path), &out.names_repeated);
  for (Index frame = 0; frame < reader.frames(); ++frame) {
    std::string why;
    try {
      check_record(reader.read(frame), [&](const std::string& text) {
        if (why.empty()) why = "frame " + std::to_string(frame) + ": " + text;
      });
    } catch (const InputError& error) {
      why = error.what();
    }
    if (why.empty()) out.sound.push_back(frame);
    if (out.why.empty()) out.why = why;
  }
  return out;
}

}  // namespace perpend::io
