// The numbers of a column, whatever its type: absent, out of range, different.
#include <cmath>
#include <cstring>
#include <limits>

#include "io/columns.hpp"
#include "perpend/record/limits.h"

namespace perpend::io {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kNoInteger = std::numeric_limits<std::int64_t>::min();
constexpr std::int8_t kNoByte = -1;

// Calls with the numbers as doubles, 64 or 8 bits.
template <class Visitor>
auto visit(Type type, const void* data, Visitor visitor) {
  if (type == Type::float64) return visitor(static_cast<const double*>(data));
  if (bytes(type) == 1) return visitor(static_cast<const std::int8_t*>(data));
  return visitor(static_cast<const std::int64_t*>(data));
}

// Why a number may not stand in the column; null: it may.
template <class Number>
const char* objection(Values values, Number x) {
  const double value = static_cast<double>(x);
  switch (values) {
    case Values::finite:
      return std::isfinite(value) ? nullptr : "is not finite";
    case Values::size:
      return !std::isfinite(value) ? "is not finite" : value < 0 ? "is negative" : nullptr;
    case Values::share:
      return !std::isfinite(value) ? "is not finite"
             : value < 0           ? "is negative"
             : value > 1           ? "is above 1"
                                   : nullptr;
    case Values::bound:
      return value >= 0 ? nullptr : "is negative or not a number";
    case Values::state:
      return value >= 0 && value <= 2 ? nullptr : "is not 0, 1 or 2";
    case Values::group:
      return value >= -1 ? nullptr : "is below -1";
    case Values::any:
    case Values::range:   // of two numbers together
    case Values::moving:  // where the body moves
      break;
  }
  return nullptr;
}

template <class Number>
bool same(Number a, Number b) {
  if constexpr (std::is_floating_point_v<Number>)
    if (std::isnan(a) && std::isnan(b)) return true;
  return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison): bits
}

// What a reader would find of it in a file.
Column::View as_read(const Column& column, const Record& record) {
  const Column::View view = column.view(record);
  const bool nothing =
      column.optional() && column.count != Count::frame && is_absent(column, view.data, view.rows);
  return nothing ? Column::View{nullptr, 0} : view;
}

std::optional<Difference> difference(const Column& column, const Column::View& recorded,
                                     const Column::View& now) {
  if (recorded.rows != now.rows)
    return Difference{column.path(), -1, static_cast<double>(recorded.rows),
                      static_cast<double>(now.rows)};
  const std::size_t per_row = column.numbers();
  const std::size_t size = static_cast<std::size_t>(now.rows) * per_row;
  return visit(column.type, recorded.data, [&](const auto* a) -> std::optional<Difference> {
    const auto* b = static_cast<decltype(a)>(now.data);
    for (std::size_t i = 0; i < size; ++i)
      if (!same(a[i], b[i]))
        return Difference{column.path(), static_cast<Index>(i / per_row), static_cast<double>(a[i]),
                          static_cast<double>(b[i])};
    return {};
  });
}

}  // namespace

std::string_view name(Type type) {
  if (type == Type::float64) return "float64";
  if (is_text(type)) return "text";
  return bytes(type) == 1 ? "int8" : "int64";
}

bool is_text(Type type) { return type == Type::name || type == Type::event; }

std::size_t bytes(Type type) {
  switch (type) {
    case Type::int8:
    case Type::stepper:
    case Type::kind:
      return 1;
    case Type::name:
      return sizeof(NameText);
    case Type::event:
      return sizeof(EventText);
    default:
      return 8;
  }
}

const void* absent_value(Type type) {
  if (type == Type::float64) return &kNaN;
  if (bytes(type) == 1) return &kNoByte;
  return &kNoInteger;
}

std::string Column::path() const {
  std::string text = "/";
  text += name;
  return text;
}

std::string_view Column::group() const {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

std::string_view Column::last() const { return name.substr(name.find('/') + 1); }

std::int64_t Column::since() const {
  if (name == "constraints/compliance") return 2;
  return name == "constraints/pairs2" || name == "constraints/jacobian2" ||
                 name == "contacts/push" || name == "contacts/surface_velocity"
             ? 3
             : 1;
}

std::int64_t needed_version(const Record& record) {
  std::int64_t needed = 1;
  for (const Column& column : columns())
    if (column.since() > needed && column.view(record).rows > 0) needed = column.since();
  return needed;
}

void expect_version(const Header& header, const Record& record, const std::string& where) {
  for (const Column& column : columns())
    if (column.since() > header.format_version && column.view(record).rows > 0)
      throw InputError(where + ": " + column.path() + ": needs format_version " +
                       std::to_string(column.since()) + ", the file's header says " +
                       std::to_string(header.format_version));
}

std::size_t Column::numbers() const {
  std::size_t product = 1;
  for (int w : width)
    if (w > 0) product *= static_cast<std::size_t>(w);
  return product;
}

std::string Column::shape() const {
  constexpr std::string_view kLetters[] = {"N",  "K",  "R", "M", "V", "S", "C", "Q", "Em",
                                           "Ej", "Ea", "F", "B", "G", "P", "T", "L", "E"};
  std::string text = "(";
  text += kLetters[static_cast<std::size_t>(count)];
  for (int w : width)
    if (w > 0) text += ", " + std::to_string(w);
  return text + ")";
}

bool is_absent(const Column& column, const void* data, Index rows) {
  const std::size_t size = static_cast<std::size_t>(rows) * column.numbers();
  return visit(column.type, data, [&](const auto* numbers) {
    for (std::size_t i = 0; i < size; ++i)
      if constexpr (std::is_same_v<decltype(numbers), const double*>) {
        if (!std::isnan(numbers[i])) return false;
      } else if constexpr (std::is_same_v<decltype(numbers), const std::int8_t*>) {
        if (numbers[i] != kNoByte) return false;
      } else {
        if (numbers[i] != kNoInteger) return false;
      }
    return true;
  });
}

bool lacks(const Column& column, const Record& record, Stepper stepper) {
  const Column::View view = column.view(record);
  if (!column.optional()) return false;
  if (column.count != Count::frame) return view.rows == 0;
  if (column.type == Type::answerer) return record.answer.answered.empty();
  if (column.type == Type::stepper) return record.frame.stepper == stepper;
  if (column.type == Type::int64) return *static_cast<const std::int64_t*>(view.data) < 0;
  return is_absent(column, view.data, view.rows);
}

std::string out_of_range(const Column& column, const Record& record) {
  const Column::View view = column.view(record);
  const std::size_t per_row = column.numbers();
  const auto say = [&](std::size_t row, const char* why) {
    return std::string(column.name) + " row " + std::to_string(row) + " " + why;
  };
  if (column.values == Values::any || column.values == Values::moving) return {};
  return visit(column.type, view.data, [&](const auto* numbers) -> std::string {
    for (std::size_t row = 0; row < static_cast<std::size_t>(view.rows); ++row) {
      const auto* first = numbers + row * per_row;
      if (column.values == Values::range) {
        const double bound[2] = {static_cast<double>(first[0]), static_cast<double>(first[1])};
        if (!perpend_record_is_range(bound)) return say(row, "is not a range");
        continue;
      }
      for (std::size_t i = 0; i < per_row; ++i)
        if (const char* why = objection(column.values, first[i])) return say(row, why);
    }
    return {};
  });
}

Index rows_of(const Column& column, const Frame& frame) {
  switch (column.count) {
    case Count::body:
      return frame.bodies.count();
    case Count::joint:
      return frame.joints.count();
    case Count::joint_row:
      return frame.joints.row_count();
    case Count::contact:
      return frame.contacts.count();
    case Count::frame:
      return 1;
    default:
      return 0;
  }
}

std::string invalid(const Record& record) {
  if (std::string why = invalid(record.frame); !why.empty()) return why;
  for (const Column& column : columns()) {
    if (column.about != About::asked) continue;
    const Index rows = column.view(record).rows, expected = rows_of(column, record.frame);
    if (rows != expected && !(column.optional() && rows == 0))
      return std::string(column.name) + " has " + std::to_string(rows) + " rows, expected " +
             std::to_string(expected);
    if (std::string why = out_of_range(column, record); !why.empty()) return why;
  }
  return {};
}

std::optional<Difference> difference(const Record& recorded, const Record& now) {
  const Rows6 tangents = needed_tangents(now);
  for (const About about : {About::asked, About::answer, About::error, About::system})
    for (const Column& column : columns()) {
      if (column.about != about || column.type == Type::answerer) continue;
      // Older recordings do not say which joint is which.
      if (column.name == "constraints/ids" && as_read(column, recorded).rows == 0) continue;
      Column::View view = as_read(column, now);
      if (tangents.rows() && column.name == "contacts/tangents")
        view = {tangents.data(), tangents.rows()};
      if (auto found = difference(column, as_read(column, recorded), view)) return found;
    }
  return {};
}

}  // namespace perpend::io
