// Tables of the fields of structs. A struct has one table, `kFields<T>`; code for files, JSON,
// pipes between processes, comparisons and the reference pages loops over it.
//
//   template <>
//   inline constexpr auto kFields<Point> = std::tuple{
//       Field{"iteration", "", "number of the iteration", &Point::iteration}, ...};
//
//   for_each_field(point, [](const auto& field, const auto& value) { ... });
#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace perpend {

// The name of a field in every file, its unit, and its meaning in one line.
struct Description {
  std::string_view name, unit, meaning;
};

enum class Role {
  compared,  // shown; two objects that differ in it are different
  told,      // shown, but not compared: a circumstance such as a time
  stored,    // only in files that keep everything
};

// `access` is a pointer to the member, or a function that returns a reference into the object.
template <class Access>
struct Field : Description {
  Access access;
  Role role;

  constexpr Field(std::string_view called, std::string_view in, std::string_view means, Access to,
                  Role what = Role::compared)
      : Description{called, in, means}, access(to), role(what) {}
  constexpr Field(const Description& described, Access to, Role what = Role::compared)
      : Description(described), access(to), role(what) {}

  template <class Object>
  constexpr decltype(auto) operator()(Object& object) const {
    return std::invoke(access, object);
  }
};

template <class T>
inline constexpr std::tuple<> kFields{};

// Calls visit(field) in the order of the table.
template <class T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, kFields<T>);
}
// Calls visit(field, value).
template <class Object, class Visit>
constexpr void for_each_field(Object& object, Visit&& visit) {
  for_each_field<std::remove_const_t<Object>>(
      [&](const auto& field) { visit(field, field(object)); });
}

// The type of a field, or of a part of it.
template <class Get, class Object>
using FieldValue = std::remove_cvref_t<std::invoke_result_t<const Get&, Object&>>;

// The description of a field of T, for another struct with the same field.
template <class T>
constexpr Description described(std::string_view name) {
  Description found;
  for_each_field<T>([&](const auto& field) {
    if (field.name == name) found = field;
  });
  if (found.name.empty()) throw std::logic_error("no such field");
  return found;
}

// Copies the fields that have the same name and type in both.
template <class From, class To>
void copy_shared_fields(const From& from, To& to) {
  for_each_field(from, [&](const auto& field, const auto& value) {
    for_each_field(to, [&](const auto& other, auto& into) {
      if constexpr (std::is_same_v<decltype(value), const std::remove_reference_t<decltype(into)>&>)
        if (field.name == other.name) into = value;
    });
  });
}

// True if all fields with Role::compared are equal.
template <class T>
bool same_fields(const T& a, const T& b) {
  bool same = true;
  for_each_field<T>([&](const auto& field) {
    if (field.role == Role::compared) same = same && field(a) == field(b);
  });
  return same;
}

}  // namespace perpend
