// Prints the list of columns as one JSON document, for scripts/columns.py.
#include <iostream>
#include <nlohmann/json.hpp>

#include "perpend/io/columns.hpp"

int main() {
  using namespace perpend::io;
  constexpr const char* kCounts[] = {
      "body",        "joint",          "joint_row",      "contact",
      "coordinate",  "system_row",     "system_contact", "system_joint_row",
      "mass_entry",  "jacobian_entry", "matrix_entry",   "frame",
      "model_body",  "shape",          "vertex",         "triangle",
      "model_joint", "event"};
  constexpr const char* kValues[] = {"any",   "finite", "size",  "share", "bound",
                                     "range", "moving", "state", "group"};
  constexpr const char* kAbout[] = {"asked", "answer", "error", "clock", "system", "file"};
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<Column> all(columns().begin(), columns().end());
  all.insert(all.end(), file_columns().begin(), file_columns().end());
  for (const Column& column : all)
    list.push_back({{"name", column.name},
                    {"group", column.group()},
                    {"last", column.last()},
                    {"shape", column.shape()},
                    {"width", column.width},
                    {"type", name(column.type)},
                    {"count", kCounts[static_cast<std::size_t>(column.count)]},
                    {"optional", column.optional()},
                    {"values", kValues[static_cast<std::size_t>(column.values)]},
                    {"about", kAbout[static_cast<std::size_t>(column.about)]},
                    {"unit", column.unit},
                    {"meaning", column.meaning},
                    {"c_place", column.order.c}});
  std::cout << list.dump(1) << "\n";
}
