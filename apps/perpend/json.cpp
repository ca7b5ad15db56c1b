#include "json.hpp"

#include <cmath>
#include <iostream>

#include "perpend/io/files.hpp"

namespace perpend::app {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const VectorXd& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json errors(const Errors& values) {
  Json object = Json::object();
  for (const MeasureInfo& info : measures())
    if (values.has(info.measure)) object[std::string(info.name)] = number(values[info.measure]);
  return object;
}

void add_result(Json& document, const Result& result) {
  document["status"] = name(result.status);
  document["message"] = result.message;
  document["path"] = result.path;
  document["iterations"] = result.iterations;
  Json work = Json::object();
  for (std::size_t i = 0; i < kWorks; ++i)
    if (result.work[i] != 0) work[std::string(name(static_cast<Work>(i)))] = result.work[i];
  document["work"] = work;
  document["seconds"] = number(result.seconds);
  document["formulation_seconds"] = number(result.formulation_seconds);
  document["reproducible"] = result.reproducible;
  document["errors"] = errors(result.errors);
  if (!std::isnan(result.rounding)) document["rounding"] = number(result.rounding);
  if (result.history.empty()) return;
  Json history = Json::array();
  for (const HistoryPoint& point : result.history) {
    Json entry = {{"iteration", point.iteration}, {"seconds", number(point.seconds)}};
    if (point.restart) entry["restart"] = true;
    entry.update(errors(point.errors));
    history.push_back(std::move(entry));
  }
  document["history"] = std::move(history);
}

void print(const Json& document) {
  // A file name need not be UTF-8; the document must.
  std::cout << io::printable_json(document.dump(-1, ' ', false, Json::error_handler_t::replace))
            << "\n";
}

}  // namespace perpend::app
