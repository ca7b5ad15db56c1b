// JSON objects with named fields: every field is asked for by name, what nobody asked for is an
// error, and every complaint is one line that names the file and the field.
//
// nlohmann-json parses without recursion, but it keeps the last of two equal keys, nests without
// limit and takes 30 times the room of the text where that is short: parse_json refuses all three.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "perpend/io.hpp"

namespace perpend::io {

using Json = nlohmann::json;

// `where` opens every complaint: "FILE" of a whole document, "FILE:LINE" of a line; a complaint of
// the parser adds line and column, or the column.
// `most`: values that it may have; a hundred thousand bodies have a few million.
enum class Text { document, line };
Json parse_json(const std::string& text, const std::string& where, Text whole = Text::document,
                long most = 20'000'000);

// The number an entry holds; null stands for `null` where that is allowed. `what` is set to the
// reason when there is none.
double json_number(const Json&, std::optional<double> null, std::string& what);
std::int64_t json_integer(const Json&, std::string& what);

class JsonFields {
 public:
  // `prefix` is put before field names in complaints: "contacts/".
  JsonFields(const Json& object, std::string where, std::string prefix = {});

  // Null when the field is absent.
  const Json* find(const std::string& field);
  // Complains when the field is absent.
  const Json& get(const std::string& field);

  std::string text(const std::string& field);  // absent: empty
  std::vector<std::string> texts(const std::string& field);
  double number(const std::string& field, std::optional<double> fallback = {});
  std::int64_t integer(const std::string& field, std::optional<std::int64_t> fallback = {});
  // Columns; an absent field is an empty column.
  VectorXd numbers(const std::string& field, std::optional<double> null = {});
  Integers integers(const std::string& field);
  template <int Columns>
  Rows<Columns> rows(const std::string& field,
                     std::optional<std::array<double, Columns>> null = {});
  Pairs pairs(const std::string& field);
  // An absent field is an object without fields.
  JsonFields object(const std::string& field);

  // Reads `format` and `format_version`; the newest version is the default.
  void expect_format(const char* format, std::int64_t newest);
  [[noreturn]] void fail(const std::string& field, const std::string& what) const;
  [[noreturn]] void fail(const std::string& field, std::size_t row, const std::string& what) const;
  // Complains about fields nobody asked for.
  void done() const;

 private:
  const Json& array(const std::string& field);
  const Json& row(const std::string& field, const Json& column, std::size_t i, std::size_t size);

  const Json* object_;
  std::string where_, prefix_;
  std::set<std::string> asked_;
};

template <int Columns>
Rows<Columns> JsonFields::rows(const std::string& field,
                               std::optional<std::array<double, Columns>> null) {
  const Json& column = array(field);
  Rows<Columns> values(static_cast<Index>(column.size()), Columns);
  std::string what;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const Json& entries = row(field, column, i, Columns);
    for (std::size_t k = 0; k < Columns; ++k) {
      values(static_cast<Index>(i), static_cast<Index>(k)) =
          json_number(entries[k], null ? std::optional((*null)[k]) : std::nullopt, what);
      if (!what.empty()) fail(field, i, what);
    }
  }
  return values;
}

}  // namespace perpend::io
