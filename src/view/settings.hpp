// What a person may change during a run, as one list: the page makes its controls from it, and a
// hand sets by the names in it.
#pragma once

#include <string>
#include <vector>

#include "perpend/sim.hpp"

namespace perpend::view {

struct Settings {
  StepOptions step;
  double h = 0;          // s
  double friction = 1;   // times the scene's coefficients
  double gravity = 0;    // m/s^2, along the scene's
  double strength = 20;  // of a hand: times the weight of what it holds
};

struct Setting {
  std::string name, label, unit;
  bool own = false;                  // of one pane; others are the same in all
  std::vector<std::string> choices;  // empty: a number
  double lowest = 0, highest = 0;
  bool whole = false;
  std::string (*get)(const Settings&) = nullptr;
  // Changes it; or returns why not, and leaves it.
  std::string (*set)(Settings&, const Setting&, const std::string&) = nullptr;
};

// The settings of a scene; of solvers only those that accept its joints.
std::vector<Setting> settings_of(const Scene&);
// As they are when it starts.
Settings start_settings(const Scene&, const StepOptions&);
// A name may say of which pane: "2:solver"; 0: of all.
struct SettingName {
  std::size_t pane = 0;
  std::string name;
};
SettingName setting_name(const std::string&);
// Changes one, or returns why not in a line that names it.
std::string change(Settings&, const std::vector<Setting>&, const std::string& name,
                   const std::string& value);
// For the page: docs of the message `settings`. Of several panes each has its own, named as above;
// those that are the same in all come once. Stock Bullet has but few.
struct PaneSettings {
  const Settings& settings;
  bool stock = false;
};
std::string to_json(const std::vector<PaneSettings>&, const std::vector<Setting>&);

}  // namespace perpend::view
