// The suites. Frames come from a simulation at the tolerance and the limit of iterations given
// below: what solvers are compared on must be reproducible and hard in different ways, not the
// most accurate trajectory.
#include <algorithm>

#include "perpend/sim.hpp"

namespace perpend {
namespace {

constexpr double kTolerance = 1e-8;  // m/s
constexpr long kIterations = 200;

using Tags = std::vector<std::string>;

// What every suite has, `part` frames of each where the small one has one.
std::vector<SuiteScene> common(Index part) {
  const Tags resting{"resting"}, heavy{"resting", "mass-ratio"}, sliding{"sliding"},
      joints{"joints"}, impact{"impact"};
  // In longer suites frames are taken more densely.
  const auto every = [&](Index stride) { return std::max<Index>(1, stride / part); };
  return {
      {"stack:5", resting, 20, every(10), 2 * part},
      {"stack:10", resting, 20, every(10), 3 * part},
      {"slope", resting, 2, every(20), 3 * part},
      {"creep", resting, 2, every(20), 2 * part},
      {"friction-stack", resting, 2, every(20), 3 * part},
      {"heavy-top", heavy, 2, every(20), 3 * part},
      {"heavy-column", heavy, 2, every(20), 4 * part},
      {"mass-ratio:100", heavy, 2, every(20), 3 * part},
      {"mass-ratio:1e5", heavy, 2, every(20), 3 * part},
      {"arch", {"resting", "joints"}, 2, every(20), 3 * part},
      {"snake", {"resting", "joints"}, 2, every(20), 3 * part},
      {"ragdolls", {"joints", "impact"}, 30, every(8), 6 * part},
      {"hose", joints, 60, every(40), 5 * part},
      {"gears-small", resting, 2, every(20), 3 * part},
      {"spheres", impact, 40, every(10), 5 * part},
      {"yaw", sliding, 2, every(40), 4 * part},
      {"plate", sliding, 20, every(40), 5 * part},
      {"painleve", sliding, 0, every(4), 3 * part},
  };
}

void append(std::vector<SuiteScene>& to, const std::vector<SuiteScene>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<Suite> table() {
  const Tags impact{"impact"}, resting{"resting"}, groups{"sliding", "groups"},
      falling{"impact", "groups"};
  std::vector<SuiteScene> small = common(1), medium = common(8), large = common(40);
  append(small, {{"tower", impact, 103, 1, 5},
                 {"wall:5", impact, 18, 2, 5},
                 {"pyramid:5", resting, 2, 20, 4},
                 {"pile-boxes:10", impact, 30, 10, 5},
                 {"pile-boxes:20", impact, 40, 10, 6},
                 {"pile-spheres:20", impact, 40, 10, 6},
                 {"tiles", groups, 0, 1, 3, true},
                 {"cracked-ramp", groups, 0, 1, 1, true},
                 {"hole", falling, 0, 1, 1, true},
                 {"notch", falling, 0, 1, 1, true}});
  append(medium, {{"tower", impact, 103, 1, 20},
                  {"wall:10", impact, 18, 1, 60},
                  {"pyramid:10", resting, 2, 5, 60},
                  {"stack:30", resting, 2, 5, 40},
                  {"mass-ratio:1e8", {"resting", "mass-ratio"}, 2, 5, 40},
                  {"pile-boxes:50", impact, 40, 2, 120},
                  {"pile-spheres:100", impact, 40, 2, 120},
                  {"tiles", groups, 0, 1, 36, true}});
  append(large, {{"tower", impact, 103, 1, 100},
                 {"wall", impact, 18, 1, 900},
                 {"wall:20", impact, 18, 1, 500},
                 {"pyramid:20", resting, 2, 1, 700},
                 {"stack:100", resting, 2, 1, 300},
                 {"mass-ratio:1e8", {"resting", "mass-ratio"}, 2, 1, 300},
                 {"pile-boxes:100", impact, 40, 1, 1000},
                 {"pile-boxes:200", impact, 40, 1, 600},
                 {"pile-spheres:100", impact, 40, 1, 1000},
                 {"pile-spheres:200", impact, 40, 1, 600},
                 {"ragdolls", {"joints", "impact"}, 250, 1, 1000},
                 {"hose", {"joints"}, 400, 1, 444},
                 {"tiles", groups, 0, 1, 36, true}});
  return {{"small", "a hundred frames of up to 250 contacts", small},
          {"medium", "a thousand frames of up to 1,200 contacts", medium},
          {"large", "ten thousand frames of up to 4,600 contacts", large}};
}

}  // namespace

Index Suite::frames() const {
  Index count = 0;
  for (const SuiteScene& scene : scenes) count += scene.count;
  return count;
}

std::span<const Suite> suites() {
  static const std::vector<Suite> kSuites = table();
  return kSuites;
}

const Suite* suite_named(std::string_view name) {
  for (const Suite& suite : suites())
    if (suite.name == name) return &suite;
  return nullptr;
}

std::vector<SuiteFile> write_suite(const Suite& suite, const std::string& folder,
                                   const std::function<bool(Index, Index)>& progress) {
  std::vector<SuiteFile> files;
  for (const SuiteScene& entry : suite.scenes) {
    std::string why;
    const std::optional<Scene> scene = scene_named(entry.scene, 1, why);
    if (!scene) continue;  // a test holds the table to existing scenes
    std::string stem = entry.scene;
    std::replace(stem.begin(), stem.end(), ':', '-');
    SuiteFile file{folder + "/" + (files.size() < 9 ? "0" : "") + std::to_string(files.size() + 1) +
                       "-" + stem + ".h5",
                   entry.tags, 0};
    SimulateOptions options;
    options.out = file.path;
    options.step.solve.tolerance = kTolerance;
    options.step.solve.max_iterations = kIterations;
    options.steps = 1000000;  // ended below
    if (entry.groups) options.step.contacts = ContactModel::nonconvex;
    Index seen = 0;
    options.record = [&](Index, const Frame& frame) {
      if (entry.groups && frame.contacts.group.empty()) return false;
      const Index at = seen++ - entry.first;
      const bool wanted = at >= 0 && at % entry.stride == 0 && file.frames < entry.count;
      file.frames += wanted;
      return wanted;
    };
    const Index most = 4 * (entry.groups ? scene->steps : entry.first + entry.stride * entry.count);
    options.progress = [&](Index done, Index) { return file.frames < entry.count && done < most; };
    simulate(*scene, options);
    files.push_back(std::move(file));
    if (progress &&
        !progress(static_cast<Index>(files.size()), static_cast<Index>(suite.scenes.size())))
      break;
  }
  return files;
}

}  // namespace perpend
