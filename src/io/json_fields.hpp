// JSON objects with named fields: every field is asked for by name, what nobody asked for is an
// error, and every complaint is one line that names the file and the field.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "perpend/io.hpp"
#include "perpend/io/json.hpp"

namespace perpend::io {

using Json = nlohmann::json;

inline constexpr const char* kSceneFormat = "perpend-scene";

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
  template <int Columns>
  Rows<Columns> rows(const std::string& field);
  std::size_t rows(const std::string& field);  // how many
  // Into rows(field) * per_row numbers; a row of one is the number itself. `null` has what it
  // stands for in each number of a row, or nothing.
  void reals(const std::string& field, std::size_t per_row, std::span<const double> null,
             double* out);
  void wholes(const std::string& field, std::size_t per_row, std::int64_t* out);
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
  // Calls visit(entry, k) for each number k of each row; it returns what is wrong with it.
  template <class Visit>
  void each(const std::string& field, std::size_t per_row, Visit visit);

  const Json* object_;
  std::string where_, prefix_;
  std::set<std::string> asked_;
};

template <int Columns>
Rows<Columns> JsonFields::rows(const std::string& field) {
  Rows<Columns> values(static_cast<Index>(rows(field)), Columns);
  reals(field, Columns, {}, values.data());
  return values;
}

}  // namespace perpend::io
