#include "json.hpp"

#include <cmath>
#include <iostream>

#include "perpend/io/files.hpp"
#include "perpend/solve/fields.hpp"

namespace perpend::app {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const VectorXd& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json errors(const Errors& values, bool at_iterate) {
  Json object = Json::object();
  for (const MeasureInfo& info : measures())
    if (values.has(info.measure))
      object[name(HistoryMeasure(info.measure, at_iterate))] = number(values[info.measure]);
  return object;
}

namespace {

Json works(const decltype(Result::work)& counts) {
  Json object = Json::object();
  for (std::size_t i = 0; i < kWorks; ++i)
    if (counts[i] != 0) object[std::string(name(static_cast<Work>(i)))] = counts[i];
  return object;
}

Json history(const std::vector<HistoryPoint>& points) {
  Json list = Json::array();
  for (const HistoryPoint& point : points) {
    Json& entry = list.emplace_back(Json::object());
    for_each_field(point, [&](const auto& field, const auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, Errors>)
        entry.update(errors(value, field.name == "iterate"));
      else if constexpr (std::is_same_v<Value, double>)
        entry[std::string(field.name)] = number(value);
      else if (!std::is_same_v<Value, bool> || value)  // a mark is there or not
        entry[std::string(field.name)] = value;
    });
  }
  return list;
}

// A field of a result.
Json told(const std::string& text) { return text; }
Json told(Status status) { return name(status); }
Json told(bool yes) { return yes; }
Json told(long count) { return count; }
Json told(double value) { return number(value); }
Json told(const decltype(Result::work)& counts) { return works(counts); }
Json told(const Errors& values) { return errors(values); }
Json told(const std::vector<HistoryPoint>& points) { return history(points); }

// What was not measured is absent; a time that is not known is null.
bool is_told(const Description&, const auto&) { return true; }
bool is_told(const Description& field, double value) {
  return field.unit == "s" || !std::isnan(value);
}
bool is_told(const Description&, const std::vector<HistoryPoint>& points) {
  return !points.empty();
}

}  // namespace

void add_result(Json& document, const Result& result) {
  for_each_field(result, [&](const auto& field, const auto& value) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(value)>, VectorXd>)
      if (field.role != Role::stored && is_told(field, value))
        document[std::string(field.name)] = told(value);
  });
}

void print(const Json& document) {
  // A file name need not be UTF-8; the document must.
  std::cout << io::printable_json(document.dump(-1, ' ', false, Json::error_handler_t::replace))
            << "\n";
}

}  // namespace perpend::app
