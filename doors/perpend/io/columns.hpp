// The one list of what a record holds: each column's name, shape, type, unit and meaning, what may
// stand in it, and where it lies in a Record.
//
// The standard file in both layouts, JSON lines, `info`, `validate` and `rerun` follow it, and
// scripts/columns.py makes perpend_record.h and the tables of docs/format.md from it. A column that
// is recorded and not computed with is one line of that list and nothing else: Record::more keeps
// it.
#pragma once

#include <array>
#include <span>

#include "perpend/io.hpp"

namespace perpend::io {

// What the rows of a column are counted by. The first four are in /frames/offsets, the next seven
// in /system/offsets, in this order.
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
};
inline constexpr std::size_t kFrameCounts = 4, kSystemCounts = 7;
inline constexpr std::size_t kRowCounts = kFrameCounts + kSystemCounts;

enum class Type {
  float64,
  int64,
  int8,
  body_id,   // int64; an id in the file, a row index in memory
  answerer,  // int64; a place in Header::answerers in the file, a name in memory
  stepper,   // int8
};
std::string_view name(Type);  // as the file stores it: "float64", "int64" or "int8"
std::size_t bytes(Type);

// Which numbers a column may hold. What one column must be to another (a unit normal, a body that
// is there) is invalid()'s to say.
enum class Values {
  any,
  finite,
  size,    // finite, not negative
  share,   // 0 to 1
  bound,   // not negative; may be infinite
  range,   // lower and upper, either may be infinite
  moving,  // of a fixed body it is not read, and may be NaN
  state,   // 0, 1, 2
  group,   // -1 and above
};

// What a column tells: what was asked, what was answered, how good the answer is, how long it took;
// a system in generalized coordinates.
enum class About { asked, answer, error, clock, system };

enum class Needed {
  always,
  in_files,  // JSON lines may leave it out: ids count from 0, the rest is 0 or a unit
  never,
};

// The place among its group in the struct of perpend_record.h and in a JSON object, from 1; 0:
// after those that have one, in the order of the list. The list itself has the order of the
// datasets.
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
  std::size_t numbers() const;     // per row
  std::size_t row_bytes() const { return numbers() * bytes(type); }
  std::string shape() const;  // "(M, 3)"
};
std::span<const Column> columns();

// True when the record says nothing in this optional column. `stepper` is the file's.
bool lacks(const Column&, const Record&, Stepper stepper);

// The first row of a column whose numbers it may not hold: "contacts/mu row 3 is negative". Empty
// when there is none.
std::string out_of_range(const Column&, const Record&);

// Why the frame cannot be assembled, or the first of its columns that is too long or short or out
// of range; empty when all is well.
std::string invalid(const Record&);

// Rows that a column has in a record of this frame; of a system's columns: 0.
Index rows_of(const Column&, const Frame&);

// Of two records of a frame: the first column that differs, what was asked before what was
// answered, by a bit (NaN is NaN). Times are not compared. The second may lack what a writer adds.
struct Difference {
  std::string column;  // "/bodies/velocities"
  Index row;           // -1: then the numbers are counts of rows
  double recorded, now;
};
std::optional<Difference> difference(const Record& recorded, const Record& now);

}  // namespace perpend::io
