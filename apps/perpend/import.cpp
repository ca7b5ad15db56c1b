// perpend import: a model of another program as a scene, with a list of what is lost and of what is
// wrong with it (docs/import.md).
#include <iostream>
#include <map>
#include <memory>
#include <tuple>

#include "common_options.hpp"
#include "interrupt.hpp"
#include "model_program.hpp"
#include "output.hpp"
#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct ImportRequest {
  std::string model, out;
  SceneOptions scene;
  bool keep_fixed = false, self_collide = false, fixed_base = false, no_floor = false;
  bool decompose = false, strict = false, json = false, tags = false;
  std::string hull_points, density;
  ImportLimits limits;

  std::vector<std::string> options() const {
    std::vector<std::string> out_ = scene.for_reader();
    const auto flag = [&](bool given, const char* name) {
      if (given) out_.emplace_back(name);
    };
    flag(keep_fixed, "--keep-fixed");
    flag(self_collide, "--self-collide");
    flag(fixed_base, "--fixed-base");
    flag(no_floor, "--no-floor");
    flag(decompose, "--decompose");
    if (!hull_points.empty()) out_.insert(out_.end(), {"--hull-points", hull_points});
    if (!density.empty()) out_.insert(out_.end(), {"--density", density});
    return out_;
  }
};

// Equal losses of a file as one row with all their lines.
void print_lost(const Json& lost) {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, std::size_t> places;
  std::vector<std::pair<Key, std::string>> rows;
  for (const Json& one : lost) {
    const Key key{one.at("file"), one.at("kind"), one.at("tag"), one.at("why")};
    const auto [found, fresh] = places.emplace(key, rows.size());
    if (fresh) rows.push_back({key, ""});
    if (!one.at("line").is_number()) continue;
    std::string& lines = rows[found->second].second;
    const std::string line = std::to_string(one.at("line").get<long>());
    if (lines != line && !lines.ends_with("," + line)) lines += (lines.empty() ? "" : ",") + line;
  }
  Table table;
  for (const char* title : {"lost at", "tag", "kind", "why"})
    table.column(title, Table::Align::left);
  for (const auto& [key, lines] : rows)
    table.row({std::get<0>(key) + (lines.empty() ? "" : ":" + lines), std::get<2>(key),
               std::get<1>(key), std::get<3>(key)});
  if (!table.empty()) table.print(std::cout);
}

void print_import(const Json& report) {
  const auto count = [&](const char* key) { return report.at(key).get<long>(); };
  Table about;
  about.column(report.at("scene"), Table::Align::left);
  about.column(report.at("format"), Table::Align::left);
  about.row({"bodies", std::to_string(count("moving")) + " moving, " +
                           std::to_string(count("bodies") - count("moving")) + " fixed"});
  about.row({"joints", std::to_string(count("joints"))});
  about.row({"mass", brief(report.at("mass").get<double>()) + " kg"});
  about.row({"lost", std::to_string(report.at("lost").size())});
  about.row({"unsound", std::to_string(report.at("findings").size())});
  about.print(std::cout);
  print_lost(report.at("lost"));
  Table wrong;
  for (const char* title : {"unsound at", "check", "what", "why"})
    wrong.column(title, Table::Align::left);
  for (const Json& one : report.at("findings")) {
    const std::string line =
        one.at("line").is_number() ? ":" + std::to_string(one.at("line").get<long>()) : "";
    wrong.row({one.at("file").get<std::string>() + line, one.at("check"), one.at("where"),
               one.at("why")});
  }
  if (!wrong.empty()) wrong.print(std::cout);
}

int run_import(const ImportRequest& request) {
  const Patient patient;
  if (request.tags) {
    Json document{{"format_version", kJsonVersion}};
    document.update(imported_tags());
    print(document);
    return kSuccess;
  }
  if (request.model.empty()) throw UsageError("import: MODEL is required");
  std::optional<Output> out;
  if (!request.out.empty()) {
    out.emplace(request.out, Output::Content::text);
  }
  ImportedModel found = imported(request.model, request.options(), request.limits);
  if (interrupted()) return kInterrupted;
  if (!request.scene.control.empty()) io::add_control(found.scene, request.scene.control);
  if (out) {
    out->write(io::to_json(found.scene));
    out->commit();
  }
  if (request.json) {
    Json document{{"format_version", kJsonVersion}};
    document.update(found.report);
    print(document);
  } else {
    print_import(found.report);
  }
  return request.strict && !found.report.at("lost").empty() ? kFailed : kSuccess;
}

}  // namespace

void add_import(CLI::App& program, const Globals&, int& exit) {
  CLI::App* command = program.add_subcommand(
      "import", "Make a scene of a URDF, SDF, MJCF, .bullet, OBJ or STL file");
  const auto request = std::make_shared<ImportRequest>();
  command->add_option("MODEL", request->model, "URDF, SDF, MJCF, .bullet, OBJ or STL");
  command->add_option("--out", request->out, "Scene file to write; - is standard output")
      ->type_name("SCENE.json");
  add_scene_options(*command, request->scene);
  command->add_flag("--strict", request->strict, "Exit code 1 if anything is lost");
  command->add_flag("--keep-fixed", request->keep_fixed,
                    "Keep fixed joints; else their bodies become one");
  command->add_flag("--self-collide", request->self_collide,
                    "Links of a robot touch each other where the file does not say");
  command->add_flag("--fixed-base", request->fixed_base, "Hold the root of a URDF");
  command->add_flag("--no-floor", request->no_floor, "Put no floor below a URDF or a mesh");
  command->add_flag("--decompose", request->decompose,
                    "Cut meshes into convex pieces; else their convex hull is taken");
  command->add_option("--hull-points", request->hull_points, "Corners of a hull at most [256]")
      ->transform(cli::whole(4, 100000))
      ->type_name("N");
  command->add_option("--density", request->density, "Of what has no mass and needs one [1000]")
      ->check(positive())
      ->type_name("KG/M3");
  command->add_option("--memory-limit", request->limits.memory, "Memory of the reader")
      ->check(positive())
      ->type_name("BYTES")
      ->capture_default_str();
  command->add_option("--time-limit", request->limits.seconds, "Processor time of the reader")
      ->check(positive())
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_flag("--tags", request->tags, "Print, as JSON, every tag that comes over");
  add_json(*command, request->json);
  command->footer(
      "Example:\n  perpend import robot.urdf --out robot.json\n"
      "  perpend simulate robot.urdf");
  command->callback([request, &exit] { exit = run_import(*request); });
}

}  // namespace perpend::app
