// Suites of problems to compare solvers on: frames of our own scenes, the same on every run.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "perpend/sim.hpp"

namespace perpend {

struct SuiteScene {
  std::string scene;
  std::vector<std::string> tags;  // resting, impact, sliding, joints, mass-ratio, groups
  Index first = 0, stride = 1;    // which steps; of those with groups where these are wanted
  Index count = 1;                // frames
  bool groups = false;            // the non-convex contact model, and only frames that have groups
};

struct Suite {
  std::string name;   // small, medium, large
  std::string title;  // one line
  std::vector<SuiteScene> scenes;
  Index frames() const;
};
std::span<const Suite> suites();
const Suite* suite_named(std::string_view);

// One standard file per scene in `folder`, which exists; in the order of the suite.
struct SuiteFile {
  std::string path;
  std::vector<std::string> tags;
  Index frames = 0;
};
// `progress` is called after each scene; false stops. Throws io::InputError when a file cannot be
// written.
std::vector<SuiteFile> write_suite(const Suite&, const std::string& folder,
                                   const std::function<bool(Index done, Index of)>& progress = {});

}  // namespace perpend
