// What readers and writers of records share: rows counted, what is another thing in a file than in
// memory, and the root attributes.
#pragma once

#include <string>

#include "perpend/io/columns.hpp"

namespace perpend::io {

// What an optional column holds in rows of frames that lack it: NaN; the lowest int64; -1 (int8).
const void* absent_value(Type);

// Rows of a record by what they are counted by. Throws InputError naming `where` and the dataset
// when columns of one count disagree.
using Counts = std::array<std::int64_t, kRowCounts>;
Counts count(const Record&, const std::string& where);

// True when every number is absent_value.
bool is_absent(const Column&, const void* data, Index rows);

// The tangents to write for a record that has z but none: impulses mean nothing without the
// directions they act along. No rows when none are needed.
Rows6 needed_tangents(const Record&);

// Body ids in place of row indices, and back. Both throw InputError naming `where` and the dataset.
Integers ids_of_pairs(const Record&, const std::string& where, const Column&);
void indices_of_pairs(Record&, const std::string& where, const Column&);

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
