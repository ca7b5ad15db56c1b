// perpend-import: a model of another program as a scene, and what is lost. A program of its own:
// the readers are libraries of others, and perpend starts it with limits on memory and time.
//
// Standard output: one line of JSON, {"report": ...} or {"error": ...}, then the scene as JSON.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "perpend/base.hpp"
#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/model.hpp"

namespace {

using namespace perpend;
using Json = nlohmann::ordered_json;

// Libraries print: what is ours goes where standard output was.
int apart() {
  const int out = dup(STDOUT_FILENO);
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  return out;
}

bool put(int out, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json at(const model::Place& place) {
  return {{"file", place.file}, {"line", place.line > 0 ? Json(place.line) : Json()}};
}

Json report(const model::Model& found, const std::string& path) {
  Index moving = 0;
  double mass = 0;
  for (const Body& body : found.scene.bodies) {
    moving += body.mass > 0;
    mass += body.mass;
  }
  Json lost = Json::array(), findings = Json::array();
  for (const model::Loss& loss : found.lost) {
    Json one = at(loss.place);
    one.update({{"tag", loss.tag}, {"kind", model::name(loss.kind)}, {"why", loss.why}});
    lost.push_back(one);
  }
  for (const model::Finding& finding : found.findings) {
    Json one = at(finding.place);
    one.update({{"check", finding.check},
                {"where", finding.where},
                {"value", finding.value},
                {"unit", finding.unit},
                {"why", finding.why}});
    findings.push_back(one);
  }
  return {{"file", path},
          {"format", model::name(found.format)},
          {"scene", found.scene.name},
          {"bodies", static_cast<Index>(found.scene.bodies.size())},
          {"moving", moving},
          {"joints", static_cast<Index>(found.scene.joints.size())},
          {"mass", mass},
          {"lost", lost},
          {"findings", findings},
          {"files", found.files}};
}

Json table() {
  Json out = Json::array();
  for (const model::Tag& tag : model::tags())
    out.push_back({{"format", model::name(tag.format)},
                   {"tag", tag.path},
                   {"attributes", tag.attributes},
                   {"becomes", tag.becomes},
                   {"lost", tag.why}});
  Json formats = Json::array();
  for (const model::Format format : model::formats()) formats.push_back(model::name(format));
  return {{"formats", formats}, {"tags", out}};
}

int run(int argc, char** argv, int out) {
  std::string path;
  model::Options options;
  bool no_floor = false, tags = false;
  CLI::App app("Read a model of another program as a scene.", "perpend-import");
  app.formatter(std::make_shared<cli::Formatter>());
  app.add_option("MODEL", path, "URDF, SDF, MJCF, .bullet, OBJ or STL");
  app.add_option("--mesh-path", options.mesh_path)->allow_extra_args(false);
  app.add_flag("--keep-fixed", options.keep_fixed);
  app.add_flag("--self-collide", options.self_collide);
  app.add_flag("--fixed-base", options.fixed_base);
  app.add_flag("--no-floor", no_floor);
  app.add_flag("--decompose", options.decompose);
  app.add_option("--hull-points", options.hull_points)->transform(cli::whole(4, 100000));
  app.add_option("--density", options.density)->check(cli::positive());
  app.add_flag("--tags", tags, "Only print what comes over");
  app.footer("perpend import does the same and shows the report.");
  try {
    app.parse(argc, argv);
    if (tags) return put(out, line(table())) ? 0 : 1;
    if (path.empty()) throw CLI::RequiredError("MODEL");
    options.floor = !no_floor;
    const model::Model found = model::import_model(path, options);
    return put(out, line({{"report", report(found, path)}}) + io::to_json(found.scene)) ? 0 : 1;
  } catch (const CLI::Success&) {
    put(out, app.help());
    return 0;
  } catch (const std::bad_alloc&) {
    put(out, line({{"error", path + ": needs more memory than it may have"}}));
    return 2;
  } catch (const std::exception& error) {
    std::string why = error.what();
    std::replace(why.begin(), why.end(), '\n', ' ');
    put(out, line({{"error", why}}));
    return 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return run(argc, argv, apart());
}
