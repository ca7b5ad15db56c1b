// The list of all columns of a record: name, shape, type, unit, meaning, allowed values, and where
// it is in a Record.
//
// The standard file in both layouts, JSON lines, `info`, `validate` and `rerun` use this list, and
// scripts/columns.py makes perpend_record.h and the tables of docs/format.md from it. To add a
// column that is only recorded, add one line to the list; Record::more stores it.
#pragma once

#include <array>
#include <span>

#include "perpend/io.hpp"

namespace perpend::io {

// What the rows of a column count. The first four are in /frames/offsets, the next seven in
// /system/offsets, in this order.
enum class Count {
  body,
  joint,
  joint_row,
  contact,
  coordinate,
  system_row,
  system_contact,
  system_joint_row,
  mass_entry,
  jacobian_entry,
  matrix_entry,
  frame,
  // Of the file, not of a frame.
  model_body,
  shape,
  vertex,
  triangle,
  model_joint,
  event,
};
inline constexpr std::size_t kFrameCounts = 4, kSystemCounts = 7;
inline constexpr std::size_t kRowCounts = kFrameCounts + kSystemCounts;

enum class Type {
  float64,
  int64,
  int8,
  body_id,   // int64; an id in the file, a row index in memory
  answerer,  // int64; an index into Header::answerers in the file, a name in memory
  stepper,   // int8
  kind,      // int8: ModelColumns::Kind
  name,      // text of fixed length: NameText
  event,     // the same: EventText
};
std::string_view name(Type);  // as the file stores it: "float64", "int64", "int8" or "text"
std::size_t bytes(Type);
bool is_text(Type);

// The allowed numbers of a column. Conditions between columns (an existing body, a unit normal) are
// checked by invalid().
enum class Values {
  any,
  finite,
  size,    // finite, not negative
  share,   // 0 to 1
  bound,   // not negative; may be infinite
  range,   // lower and upper; either may be infinite
  moving,  // finite; for fixed bodies it is not used and may be NaN
  state,   // 0, 1, 2
  group,   // -1 and above
};

// What a column is about: the problem, the answer, its errors, times, a system in generalized
// coordinates, or what belongs to the file: names, shapes, and what hands did.
enum class About { asked, answer, error, clock, system, file };

enum class Needed {
  always,
  in_files,  // optional in JSON lines: ids count from 0, the rest is 0 or a unit
  never,
};

// The column's place in its group, from 1, in the struct of perpend_record.h and in JSON objects.
// 0: after the others, in the order of the list. The list has the order of the datasets.
struct Order {
  int c = 0, json = 0;
};

struct Column {
  std::string_view name;  // "contacts/normals"
  Type type = Type::float64;
  std::array<int, 2> width{};  // of a row: {} one number, {3}, {3, 3}
  Count count = Count::frame;
  Needed needed = Needed::never;
  Values values = Values::any;
  std::string_view unit, meaning;
  Order order;
  About about = About::asked;

  struct View {
    const void* data;
    Index rows;
  };
  View (*look)(const Column&, const Record&) = nullptr;
  void* (*make)(const Column&, Record&, Index rows) = nullptr;

  View view(const Record& record) const { return look(*this, record); }
  void* resize(Record& record, Index rows) const { return make(*this, record, rows); }
  bool optional() const { return needed == Needed::never; }
  std::string path() const;        // "/contacts/normals"
  std::string_view group() const;  // "contacts"; empty: one of /step, /time, /stepper
  std::string_view last() const;   // "normals"
  std::int64_t since() const;      // the format_version from which on files have it
  std::size_t numbers() const;     // per row
  std::size_t row_bytes() const { return numbers() * bytes(type); }
  std::string shape() const;  // "(M, 3)"
};
std::span<const Column> columns();  // of frames
// Of the file: Record::model and Record::events. Their datasets need not be there.
std::span<const Column> file_columns();

// True if the record does not have this optional column. `stepper` is that of the file.
bool lacks(const Column&, const Record&, Stepper stepper);

// The format_version that a file with this record needs.
std::int64_t needed_version(const Record&);
// Complains where the header tells an older version. `where`: "FILE: frame 3".
void expect_version(const Header&, const Record&, const std::string& where);

// The first number of a column that is not allowed: "contacts/mu row 3 is negative". Empty if there
// is none.
std::string out_of_range(const Column&, const Record&);

// Why the record cannot be used: the frame cannot be assembled, or a column has a wrong length or a
// number that is not allowed. Empty if it can.
std::string invalid(const Record&);

// The number of rows of a column for this frame; 0 for columns of a system.
Index rows_of(const Column&, const Frame&);

// The first column of two records that differs in any bit (NaN equals NaN), problems before
// answers. Times are not compared. The second record may lack what a writer adds.
struct Difference {
  std::string column;  // "/bodies/velocities"
  Index row;           // -1: the numbers are row counts
  double recorded, now;
};
std::optional<Difference> difference(const Record& recorded, const Record& now);

}  // namespace perpend::io
