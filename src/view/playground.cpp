#include "view/playground.hpp"

#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"
#include "view/samples.hpp"
#include "view/scratch.hpp"

namespace perpend::view {
namespace {

using Example = nlohmann::ordered_json;

// One step of a scene, and what a student may look at.
struct SceneStep {
  const char* scene;
  Index step;  // from 0
  const char* title;
  const char* words;
};
constexpr std::array kSceneSteps{
    SceneStep{"heavy-column", 0, "100 kg on a column of 13 cubes",
              "The weight must get through 13 cubes to the floor. Gauss-Seidel passes it on from "
              "contact to contact and stops long before it is there. Compare box/pgs and ncp/pgs "
              "with ncp/nncg and ncp/interior-point."},
    SceneStep{"stack:10", 0, "Ten cubes, one on the other",
              "Forty contacts, where three for each cube would be enough: the forces are not "
              "unique. Show one solver after the other in the picture. Do their forces differ? "
              "Do their errors?"},
    SceneStep{"wall:5", 40, "A wall of bricks has just landed",
              "Bricks in running bond, some steps after they were dropped on the floor. Every "
              "brick rests on two others, so forces spread sideways. Which solvers pass 1e-8?"},
    SceneStep{"spheres", 112, "Fifteen balls in a box",
              "Rolling balls slide in all directions. A box or a pyramid in place of the friction "
              "cone gives them the wrong direction: box/pgs and lcp/path solve their own "
              "equations, but not Coulomb's law. Switch the plot between the two errors."},
    SceneStep{"pile-boxes:30", 100, "A pile of thirty boxes",
              "Boxes in a heap: edges on faces, corners on faces, some slide and some stick. See "
              "which contacts slide, and add some Newton methods to the plot."},
    SceneStep{"arch", 20, "An arch of hinged links",
              "Six links on five hinges stand on two feet. Joints are equations without bounds: "
              "they push and pull. Solvers of the group normal do not take them."},
    SceneStep{"hose", 60, "A hand grasps a hose",
              "A chain of 26 bodies with joints, and contacts with friction at its end and on the "
              "table. Long chains are hard for Gauss-Seidel: information goes from link to link."},
};

struct Samples {
  const char* group;
  std::string_view (*text)();
};
constexpr std::array kSamples{
    Samples{"Samples: blocks", sample_blocks},
    Samples{"Samples: one contact", sample_single_contact},
    Samples{"Samples: joints", sample_joints},
    Samples{"Samples: box or cone", sample_models},
    Samples{"Samples: corners", sample_groups},
};

// For addresses: small letters, digits and dashes.
std::string plain_name(const std::string& title) {
  std::string out;
  for (const char letter : title)
    if (std::isalnum(static_cast<unsigned char>(letter)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  return out;
}

// The problem alone: answers and times are those of one run on one machine.
std::string line_of(const SceneStep& one) {
  std::string why;
  const std::optional<Scene> scene = scene_named(one.scene, 1, why);
  if (!scene) throw std::logic_error(why);
  const ScratchFile file;
  SimulateOptions options;
  options.steps = one.step + 1;
  options.out = file.path();
  options.record = [&](Index step, const Frame&) { return step == one.step; };
  simulate(*scene, options);
  const io::FrameReader reader(file.path());
  io::Record record = reader.read(0);
  record.model = reader.model();
  record.name = one.title;
  record.answer = {};
  record.timing = {};
  return io::to_json_line(record);
}

}  // namespace

std::string playground_examples(const std::function<bool()>& stop) {
  Example list = Example::array();
  const auto add = [&](std::string group, const std::string& title, const std::string& words,
                       const std::string& text) {
    list.push_back({{"group", std::move(group)},
                    {"name", plain_name(title)},
                    {"title", title},
                    {"words", words},
                    {"text", text}});
  };
  for (const SceneStep& one : kSceneSteps) {
    if (stop()) return {};
    add("One step of a scene", one.title, one.words, line_of(one));
  }
  for (const Samples& samples : kSamples) {
    std::istringstream lines{std::string(samples.text())};
    for (std::string line; std::getline(lines, line);) {
      std::string title = Example::parse(line)["name"];
      title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
      add(samples.group, title,
          "A sample frame: one step whose answer is known by hand. Do the solvers find it?", line);
    }
  }
  return Example{{"examples", list}}.dump();
}

}  // namespace perpend::view
