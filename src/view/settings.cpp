#include "view/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace perpend::view {
namespace {

// The shortest digits that read back to the same bits.
std::string digits(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string number_of(const std::string& text, const Setting& setting, double& out) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value))
    return "'" + text + "' is not a number";
  if (value < setting.lowest || value > setting.highest)
    return "'" + text + "' is not between " + digits(setting.lowest) + " and " +
           digits(setting.highest);
  if (setting.whole && value != std::floor(value)) return "'" + text + "' is not a whole number";
  out = value;
  return {};
}

// The member that a setting is about.
template <auto Member>
std::string set_number(Settings& settings, const Setting& setting, const std::string& text) {
  double value = 0;
  if (std::string why = number_of(text, setting, value); !why.empty()) return why;
  auto& member = Member(settings);
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
  return {};
}
template <auto Member>
std::string get_number(const Settings& settings) {
  return digits(static_cast<double>(Member(const_cast<Settings&>(settings))));
}

template <auto Member>
Setting number(std::string name, std::string label, std::string unit, double lowest, double highest,
               bool whole = false) {
  Setting out;
  out.name = std::move(name);
  out.label = std::move(label);
  out.unit = std::move(unit);
  out.lowest = lowest;
  out.highest = highest;
  out.whole = whole;
  out.get = get_number<Member>;
  out.set = set_number<Member>;
  return out;
}

bool among(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string none_of(const std::string& text, const std::vector<std::string>& list) {
  std::string known;
  for (const std::string& one : list) known += (known.empty() ? "" : ", ") + one;
  return "'" + text + "' is none of " + known;
}

Setting solver(const Scene& scene) {
  Setting out;
  out.name = "solver";
  out.label = "Solver";
  for (const SolverInfo& info : solvers())
    if (info.joints || scene.joints.empty()) out.choices.push_back(info.name);
  out.get = [](const Settings& s) { return s.step.solver; };
  out.set = [](Settings& s, const Setting& setting, const std::string& text) -> std::string {
    if (!among(setting.choices, text))
      return solver_named(text) ? text + " does not accept the scene's joints"
                                : "no solver is called '" + text + "'";
    s.step.solver = text;
    return {};
  };
  return out;
}

Setting effort() {
  Setting out;
  out.name = "effort";
  out.label = "Effort";
  out.unit = "sweeps";
  out.choices = {"exact", "real-time", "5", "10", "20", "50", "100", "200"};
  out.get = [](const Settings& s) { return name(s.step.effort); };
  out.set = [](Settings& s, const Setting&, const std::string& text) -> std::string {
    const std::optional<Effort> found = effort_named(text);
    if (!found) return "'" + text + "' is none of exact, real-time and a number of sweeps";
    s.step.effort = *found;
    return {};
  };
  return out;
}

Setting stepper() {
  Setting out;
  out.name = "stepper";
  out.label = "Time stepper";
  out.choices = {std::string(name(Stepper::st)), std::string(name(Stepper::ap))};
  out.get = [](const Settings& s) { return std::string(name(s.step.stepper)); };
  out.set = [](Settings& s, const Setting& setting, const std::string& text) -> std::string {
    if (!among(setting.choices, text)) return none_of(text, setting.choices);
    s.step.stepper = text == setting.choices[1] ? Stepper::ap : Stepper::st;
    return {};
  };
  return out;
}

constexpr std::array kModels{ContactModel::one_direction, ContactModel::nonconvex,
                             ContactModel::conjunctive};

Setting contacts() {
  Setting out;
  out.name = "contacts";
  out.label = "Contact model";
  for (const ContactModel model : kModels) out.choices.emplace_back(name(model));
  out.get = [](const Settings& s) { return std::string(name(s.step.contacts)); };
  out.set = [](Settings& s, const Setting& setting, const std::string& text) -> std::string {
    for (const ContactModel model : kModels)
      if (name(model) == text) {
        s.step.contacts = model;
        return {};
      }
    return none_of(text, setting.choices);
  };
  return out;
}

}  // namespace

std::vector<Setting> settings_of(const Scene& scene) {
  using S = Settings&;
  std::vector<Setting> own{solver(scene),
                           effort(),
                           number<[](S s) -> long& { return s.step.solve.max_iterations; }>(
                               "iterations", "Iterations at most", "", 1, 1e6, true),
                           number<[](S s) -> double& { return s.step.solve.tolerance; }>(
                               "tolerance", "Tolerance", "m/s", 1e-14, 1),
                           stepper(),
                           contacts(),
                           number<[](S s) -> int& { return s.step.correct; }>(
                               "correct", "Rounds of correction", "", 0, 100, true)};
  for (Setting& setting : own) setting.own = true;
  const std::vector<Setting> common{
      number<[](S s) -> double& { return s.h; }>("h", "Time step", "s", 1e-5, 0.1),
      number<[](S s) -> double& { return s.friction; }>("friction", "Friction", "× scene", 0, 10),
      number<[](S s) -> double& { return s.gravity; }>("gravity", "Gravity", "m/s²", -100, 100),
      number<[](S s) -> double& { return s.strength; }>("strength", "Strength of the hand",
                                                        "× weight", 0.1, 1000)};
  own.insert(own.end(), common.begin(), common.end());
  return own;
}

Settings start_settings(const Scene& scene, const StepOptions& options) {
  Settings out;
  out.step = options;
  out.h = scene.step;
  out.gravity = scene.gravity.norm();
  return out;
}

std::string change(Settings& settings, const std::vector<Setting>& list, const std::string& name,
                   const std::string& value) {
  for (const Setting& setting : list) {
    if (setting.name != name) continue;
    const std::string why = setting.set(settings, setting, value);
    return why.empty() ? why : name + ": " + why;
  }
  return "no setting is called '" + name + "'";
}

SettingName setting_name(const std::string& text) {
  SettingName out{0, text};
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string::npos) return out;
  const auto [end, error] = std::from_chars(text.data(), text.data() + colon, out.pane);
  if (error == std::errc() && end == text.data() + colon && out.pane > 0)
    out.name = text.substr(colon + 1);
  else
    out.pane = 0;
  return out;
}

std::string to_json(const std::vector<PaneSettings>& panes, const std::vector<Setting>& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  const auto add = [&](const Setting& setting, const Settings& settings, std::size_t pane) {
    nlohmann::ordered_json one{
        {"name", (pane > 0 ? std::to_string(pane) + ":" : std::string()) + setting.name},
        {"label", setting.label},
        {"unit", setting.unit},
        {"value", setting.get(settings)}};
    if (pane > 0) one["pane"] = pane;
    if (setting.choices.empty()) {
      one["lowest"] = setting.lowest;
      one["highest"] = setting.highest;
      one["whole"] = setting.whole;
    } else {
      one["choices"] = setting.choices;
    }
    out.push_back(std::move(one));
  };
  for (std::size_t k = 0; k < panes.size(); ++k)
    for (const Setting& setting : list)
      if (setting.own && (!panes[k].stock || setting.name == "iterations"))
        add(setting, panes[k].settings, panes.size() > 1 ? k + 1 : 0);
  for (const Setting& setting : list)
    if (!setting.own) add(setting, panes.front().settings, 0);
  return out.dump();
}

}  // namespace perpend::view
