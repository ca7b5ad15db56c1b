// How a recording was made: option names and their texts as one JSON object in a root attribute.
#include "io/json_fields.hpp"
#include "perpend/io.hpp"

namespace perpend::io {

std::string recipe_json(const std::map<std::string, std::string>& options) {
  return Json(options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, std::string> recipe_of(const Header& header, const std::string& where) {
  const std::string place = where + ": attribute simulate";
  const Json document = parse_json(header.simulate, place);
  if (!document.is_object()) throw InputError(place + ": expected one object");
  JsonFields fields(document, place);
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : document.items()) options[name] = fields.text(name);
  return options;
}

}  // namespace perpend::io
