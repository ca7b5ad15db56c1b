// What the parts of a recording are called: "crate3", "contact 12 of crate3 and floor",
// "knee2, lower limit", "hinge4, row 2 of 5 (x)"; without names "body 7", "joint 3".
//
// Names come from /model/ (docs/format.md) and are for people: nothing is computed from them.
// Control characters in them are printed as escapes.
#pragma once

#include <unordered_map>

#include "perpend/io.hpp"

namespace perpend::io {

// What a row of a joint does, told from its bounds and compliance, and from the rows beside it.
enum class RowKind : std::int8_t {
  locked,       // bilateral: it holds a direction
  lower_limit,  // one-sided
  upper_limit,
  limit,     // one-sided; which end it is cannot be told
  drive,     // a spring, damper or servo: it has a compliance
  motor,     // two finite bounds and a target speed
  friction,  // two finite bounds and none: dry friction, or a motor that is told to stand still
};

// Names of bodies and joints by their ids.
class Names {
 public:
  Names() = default;
  explicit Names(const ModelColumns& model) { add(model); }
  // The header tells by whom, and so how limits were recorded (names.cpp).
  Names(const ModelColumns&, const Header&);
  void add(const ModelColumns&);  // of a later frame; the first name counts

  // "crate3"; "body 7" without a name; "box (body 7)" where several are called box; "the world" for
  // id -1, which recorders give to what an engine has no body for.
  std::string body(std::int64_t id) const;
  std::string joint(std::int64_t id) const { return told(joints_, "joint ", id); }
  bool names_body(std::int64_t id) const { return bodies_.names.contains(id); }
  bool names_joint(std::int64_t id) const { return joints_.names.contains(id); }
  // Ids of the bodies or joints with this name; that of "body 7" or "joint 3" if none has it.
  Integers bodies_called(const std::string& name) const;
  Integers joints_called(const std::string& name) const { return called(joints_, "joint ", name); }

  // How the recorder of the file writes limits, where that tells which end they are.
  enum class Limits : std::int8_t { unknown, bounds_tell, first_is_lower, axis_tells };
  Limits limits() const { return limits_; }

 private:
  struct Table {
    std::unordered_map<std::int64_t, std::string> names;
    std::unordered_map<std::string, int> uses;
  };
  static void add(Table&, const Integers& ids, const std::vector<NameText>& names);
  static std::string told(const Table&, const char* what, std::int64_t id);
  static Integers called(const Table&, const std::string& what, const std::string& name);

  Table bodies_, joints_;
  Limits limits_ = Limits::unknown;
};

// Names of the rows of one frame. It keeps references to all three; `joint_ids` may be empty.
class FrameNames {
 public:
  FrameNames(const Names& names, const Frame& frame, const Integers& joint_ids)
      : names_(names), frame_(frame), joint_ids_(joint_ids) {}
  FrameNames(const Names& names, const Record& record)
      : FrameNames(names, record.frame, record.joint_ids) {}

  std::string body(Index row) const;
  std::string pair(std::int64_t first, std::int64_t second) const;  // "crate3 and floor"
  std::string contact(Index row) const;  // "contact 12 of crate3 and floor"
  // "knee2". Without a name "joint 3 of arm and hand", by its id, or its row in the frame if it has
  // none; "joint 3" if the bodies have no names either.
  std::string joint(Index joint) const;
  std::string joint_row(Index row) const;  // "knee2, lower limit"

  // What a row of a system of this frame is called: contacts first, then joint rows.
  std::string unit(const System&, Index unit) const;

  RowKind kind(Index row) const;
  Index joint_of(Index row) const;  // -1: there is no such row
  // Of a row of /bodies/, /contacts/, a joint or a joint row; empty: the frame has no such row, or
  // its columns do not fit together.
  enum class Of { body, contact, joint, joint_row };
  std::string row_of(Of, Index row) const;

 private:
  struct Range {
    Index joint = -1, first = 0, count = 0;
  };
  Range rows_of(Index row) const;
  RowKind kind(const Range&, Index row) const;
  RowKind end_of_limit(const Range&, Index row) const;

  const Names& names_;
  const Frame& frame_;
  const Integers& joint_ids_;
};

// A frame's columns with its names, to name rows of its system.
class NamedFrame {
 public:
  NamedFrame(std::shared_ptr<const Names> names, Record record)
      : names_(std::move(names)), record_(std::move(record)) {}
  FrameNames names() const { return FrameNames(*names_, record_); }
  const Frame& frame() const { return record_.frame; }

 private:
  std::shared_ptr<const Names> names_;
  Record record_;
};

// The row with the largest part of velocity_error.
struct Worst {
  Index unit = -1;       // of the system: contacts, then joint rows; -1: it has no rows
  Index contact = -1;    // of the frame
  Index joint_row = -1;  // of the frame
  std::string where;     // "knee2, lower limit"
  double residual = 0;
  std::string_view unit_of_residual = "m/s";  // rad/s for rotations
};
Worst worst(const System&, const Impulses&, const FrameNames&);
Worst worst(const Case&, const Impulses&);

// "contacts/mu row 3 is negative" with "(contact 3 of crate3 and floor)" behind it, if its row has
// a name. The frame may be the one that is wrong.
std::string with_names(const std::string& complaint, const FrameNames&);

}  // namespace perpend::io
