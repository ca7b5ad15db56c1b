#include "view/hand.hpp"

#include <nlohmann/json.hpp>

#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/json.hpp"

namespace perpend::view {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "perpend-hand";

}  // namespace

std::string to_json(const Event& event) {
  Json one{{"step", event.step}};
  one.update(to_json(event.message));
  return one.dump();
}

std::string to_json(const Hand& hand) {
  std::string out = "{\"format\": \"" + std::string(kFormat) +
                    "\", \"format_version\": 1, \"scene\": " + Json(hand.scene).dump() +
                    ", \"events\": [";
  const char* before = "\n  ";
  for (const Event& event : hand.events) {
    out += before + to_json(event);
    before = ",\n  ";
  }
  return out + "\n]}\n";
}

Hand hand_from_json(const std::string& text, const std::string& where) {
  const auto fail = [&](const std::string& what) {
    throw io::InputError(where + ": " + io::printable(what));
  };
  const Json document = io::parse_json<Json>(text, where);
  if (!document.is_object() || !document.contains("format") || document["format"] != kFormat)
    fail("format: is not \"perpend-hand\"");
  for (const auto& [name, value] : document.items())
    if (name != "format" && name != "format_version" && name != "scene" && name != "events")
      fail(name + " is unknown");
  if (document.contains("format_version") && document["format_version"] != 1)
    fail("format_version: this program reads 1");
  Hand out;
  out.where = where;
  if (document.contains("scene")) {
    if (!document["scene"].is_string()) fail("scene is not a text");
    out.scene = document["scene"].get<std::string>();
  }
  if (!document.contains("events") || !document["events"].is_array()) fail("events is not a list");
  for (const Json& one : document["events"]) {
    const std::string place = "events " + std::to_string(out.events.size()) + ": ";
    if (!one.is_object()) fail(place + "is not an object");
    const auto step = one.find("step");
    if (step == one.end() || !step->is_number_unsigned() ||
        step->get<std::uint64_t>() > (std::uint64_t{1} << 53))
      fail(place + "step is not a whole number");
    Event event;
    event.step = step->get<Index>();
    if (!out.events.empty() && event.step < out.events.back().step)
      fail(place + "step is smaller than that of the event before");
    std::string why;
    event.message = from_json(one, "step", why);
    if (!why.empty()) fail(place + why);
    out.events.push_back(std::move(event));
  }
  return out;
}

}  // namespace perpend::view
