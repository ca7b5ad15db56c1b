// JSON inside this room: documents in memory, objects of described fields, and numbers as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/fields.hpp"

namespace perpend::bench {

using Json = nlohmann::ordered_json;

// The fields of an object by their names; those that are only stored are left out.
template <class T>
Json object_of(const T& object) {
  Json out = Json::object();
  for_each_field(object, [&](const auto& field, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if (field.role == Role::stored) return;
    if constexpr (std::is_same_v<Value, io::FrameCounts>)
      out.update(object_of(value));
    else if constexpr (std::is_same_v<Value, std::vector<HistoryMeasure>>)
      for (const HistoryMeasure& one : value) out[std::string(field.name)].push_back(name(one));
    else if constexpr (std::is_enum_v<Value>)
      out[std::string(field.name)] = name(value);
    else
      out[std::string(field.name)] = value;
  });
  return out;
}

// The shortest text that reads back as the same number; "null" when it is not finite.
std::string exact(double);
// The nearest number of so many significant digits; itself where that would be infinite.
double rounded(double, int digits);

}  // namespace perpend::bench
