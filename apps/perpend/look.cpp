#include "look.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "table.hpp"

namespace perpend::app {

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    out.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> out;
  for (const std::string& word : listed(text)) {
    double value = 0;
    const char* end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || stopped != end || !std::isfinite(value))
      throw UsageError(option + ": '" + word + "' is not a number");
    out.push_back(value);
  }
  return out;
}

void add_look_options(CLI::App& command, LookRequest& request) {
  command
      .add_option("--view", request.view,
                  "Direction of view: azimuth from +x towards +y, elevation, in degrees [-65,20]")
      ->type_name("A,E");
  command
      .add_option(
          "--show", request.show,
          "Also draw contacts: forces (arrows), cones (of friction), error (marks from blue, "
          "1e-10 m/s, to red, 0.1 m/s)")
      ->type_name("WHAT,...");
  command.add_flag("--solid", request.solid,
                   "Do not draw fixed bodies transparent where they hide moving ones");
}

Look look_of(const LookRequest& request) {
  Look look;
  look.glass = !request.solid;
  if (!request.view.empty()) {
    const std::vector<double> angles = numbers("--view", request.view);
    if (angles.size() != 2) throw UsageError("--view: give AZIMUTH,ELEVATION in degrees");
    if (std::abs(angles[1]) > 90)
      throw UsageError("--view: the elevation " + brief(angles[1]) + " is not in -90..90");
    look.view.azimuth = angles[0];
    look.view.elevation = angles[1];
  }
  if (request.show.empty()) return look;
  for (const std::string& word : listed(request.show)) {
    if (word == "forces")
      look.show.forces = true;
    else if (word == "cones")
      look.show.cones = true;
    else if (word == "error")
      look.show.error = true;
    else
      throw UsageError("--show: '" + word + "' is not forces, cones or error");
  }
  return look;
}

}  // namespace perpend::app
