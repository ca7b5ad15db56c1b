// The one list of the standard file's datasets: writer, reader, validate, both layouts and
// docs/format.md follow it.
#pragma once

#include <hdf5.h>

#include <array>
#include <span>
#include <string>

#include "perpend/io.hpp"

namespace perpend::io {

// What the rows of a dataset are counted by. The first four are in /frames/offsets, the next seven
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
using Counts = std::array<std::int64_t, kRowCounts>;

enum class Type {
  float64,
  int64,
  int8,
  body_id,   // int64; an id in the file, a row index in memory
  answerer,  // int64; a place in Header::answerers in the file, a name in memory
};
std::string_view name(Type);  // "float64", ...
std::size_t bytes(Type);
hid_t file_type(Type);
hid_t memory_type(Type);
// What an optional column holds in rows of frames that lack it: NaN; the lowest int64; -1 (int8).
const void* absent_value(Type);

struct Column {
  std::string name;            // "contacts/normals"
  std::vector<hsize_t> width;  // of a row: {} one number, {3}, {3, 3}
  Type type;
  Count count;
  bool optional;
  std::string_view unit, meaning;

  struct View {
    const void* data;
    Index rows;
  };
  View (*view)(const Record&);
  void* (*resize)(Record&, Index rows);

  std::size_t numbers() const;  // per row
  std::size_t row_bytes() const { return numbers() * bytes(type); }
  std::string shape() const;  // "(M, 3)"
};
std::span<const Column> columns();

// Rows of a record by what they are counted by. Throws InputError naming `where` and the dataset
// when columns of one count disagree.
Counts count(const Record&, const std::string& where);

// True when every number is absent_value.
bool is_absent(const Column&, const void* data, Index rows);
// True when the record says nothing in this optional column. `stepper` is the file's.
bool lacks(const Column&, const Column::View&, const Record&, Stepper stepper);

// The tangents to write for a record that has z but none: impulses mean nothing without the
// directions they act along. No rows when none are needed.
Rows6 needed_tangents(const Record&);

// Body ids in place of row indices, and back. Both throw InputError naming `where` and the dataset.
Integers ids_of_pairs(const Bodies&, const Pairs&, const std::string& where, const Column&);
void indices_of_pairs(const Bodies&, Pairs&, const std::string& where, const Column&);

// Who answered as a place among the names, and back; -1: unknown. Both throw InputError naming
// `where` and the dataset.
std::int64_t place_of_answerer(const Answer&, const std::vector<std::string>& names,
                               const std::string& where);
void name_answerer(Answer&, std::int64_t place, const std::vector<std::string>& names,
                   const std::string& where);

// Root attributes, in one list as well.
struct Attribute {
  std::string_view name;
  std::string Header::*text;
  std::string_view meaning;
};
std::span<const Attribute> attributes();
// Those that only recordings of perpend simulate have.
std::span<const Attribute> recipe_attributes();

}  // namespace perpend::io
