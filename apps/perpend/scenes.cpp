// perpend scenes: every built-in scene, with the rows and rank of its first frame beside those of
// Silcowitz-Hansen et al. 2010, Table 1; or one scene as JSON.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "json.hpp"
#include "model_program.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/scene.hpp"
#include "perpend/sim.hpp"
#include "progress_bar.hpp"
#include "scene_argument.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct Entry {
  const SceneInfo* info;
  Index moving = 0, fixed = 0, joints = 0;
  Index rows = 0, rank = 0;  // of our first frame
};

// Parametric ones by their default.
std::vector<Entry> entries(const Globals& globals) {
  const std::span<const SceneInfo> infos = scenes();
  ProgressBar bar(globals, "scenes", static_cast<Index>(infos.size()));
  std::vector<Entry> list;
  for (const SceneInfo& info : infos) {
    const Scene scene = info.make(info.parameter, globals.seed);
    Entry entry{&info};
    entry.moving = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                 [](const Body& body) { return body.mass > 0; });
    entry.fixed = static_cast<Index>(scene.bodies.size()) - entry.moving;
    entry.joints = static_cast<Index>(scene.joints.size());
    const System system = assemble(first_frame(scene));
    entry.rows = system.rows();
    entry.rank = rank(system);
    list.push_back(entry);
    bar.show(static_cast<Index>(list.size()));
  }
  return list;
}

Json count_or_null(Index count) { return count > 0 ? Json(count) : Json(nullptr); }

void print_scenes_json(const std::vector<Entry>& list) {
  Json described = Json::array();
  for (const Entry& entry : list) {
    const SceneInfo& info = *entry.info;
    described.push_back({{"name", info.name},
                         {"title", info.title},
                         {"bodies", entry.moving + entry.fixed},
                         {"moving", entry.moving},
                         {"joints", entry.joints},
                         {"source", info.source},
                         {"parameter", info.parameter > 0 ? Json(info.parameter) : Json(nullptr)},
                         {"rows", entry.rows},
                         {"rank", entry.rank},
                         {"table_rows", count_or_null(info.table_rows)},
                         {"table_rank", count_or_null(info.table_rank)}});
  }
  print(Json{{"format_version", kJsonVersion}, {"scenes", described}});
}

void print_scenes(const std::vector<Entry>& list) {
  Table table;
  table.column("scene", Table::Align::left);
  for (const char* title : {"moving", "fixed", "joints", "rows", "rank", "rows*", "rank*"})
    table.column(title);
  table.column("source", Table::Align::left);
  table.column("what it is", Table::Align::left);
  const auto count = [](Index n) { return n > 0 ? std::to_string(n) : std::string(); };
  for (const Entry& entry : list) {
    const SceneInfo& info = *entry.info;
    std::string title = info.title;
    if (info.parameter > 0)
      title.append(" (counted with ").append(brief(info.parameter)).append(")");
    table.row({info.name, std::to_string(entry.moving), std::to_string(entry.fixed),
               std::to_string(entry.joints), std::to_string(entry.rows), std::to_string(entry.rank),
               count(info.table_rows), count(info.table_rank), info.source, title});
  }
  table.print(std::cout);
  std::cout << "\nrows, rank: size and rank of A in the first step. "
               "*: from Silcowitz-Hansen et al. 2010, Table 1 and Fig. 7.\n";
}

bool looks_like_a_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".json");
}

Scene scene_called(const std::string& text, const Globals& globals) {
  if (text == "-") return io::scene_from_json(io::read_text(text), "standard input");
  std::string why;
  if (text.find('/') == std::string::npos)
    if (std::optional<Scene> scene = scene_named(text, globals.seed, why)) return *std::move(scene);
  std::error_code error;
  if (std::filesystem::exists(text, error)) {
    if (io::kind_of(text) != io::Kind::scene)
      throw UsageError(text + ": is not a scene file (docs/scene.md)");
    return io::read_scene(text);
  }
  if (why.empty() || looks_like_a_path(text)) throw UsageError(text + ": no such scene file");
  throw UsageError(why + "; there is no such file either");
}

// A built-in scene wins over a model of the same name.
bool is_built_in(const std::string& text, const Globals& globals) {
  std::string why;
  return text.find('/') == std::string::npos && scene_named(text, globals.seed, why);
}

}  // namespace

Scene scene_argument(const std::string& text, const Globals& globals, const SceneOptions& options) {
  std::optional<ImportedModel> model;
  if (text != "-" && !is_built_in(text, globals) && is_model(text))
    model = imported(text, options.for_reader(), {});
  if (!model && !options.mesh_path.empty())
    throw UsageError("--mesh-path is for models, and " + text + " is a scene");
  Scene out = model ? model->scene : scene_called(text, globals);
  if (!options.control.empty()) io::add_control(out, options.control);
  if (model) tell_import(*model, globals);
  return out;
}

void add_scenes(CLI::App& program, const Globals& globals, int&) {
  CLI::App* command =
      program.add_subcommand("scenes", "List the built-in scenes, or print one as JSON");
  struct Request {
    std::string name;
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option(
      "NAME", request->name,
      "Built-in scene (stack, stack:10, ...) or scene file (-: standard input) to print as "
      "JSON");
  command->add_flag("--json", request->json, "Print the list as one JSON document");
  command->footer("Example:\n  perpend scenes stack:10 > my_stack.json");
  command->callback([request, &globals] {
    if (!request->name.empty()) {
      std::cout << io::printable_json(io::to_json(scene_argument(request->name, globals)));
      return;
    }
    const std::vector<Entry> list = entries(globals);
    request->json ? print_scenes_json(list) : print_scenes(list);
  });
}

}  // namespace perpend::app
