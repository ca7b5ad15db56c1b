// The two parts of bench/pareto that are no script: another engine's recording measured by the
// ruler of `perpend simulate`, and the plots.
// Usage: perpend_pareto_bench measure SCENE FILE.h5   one JSON object
//        perpend_pareto_bench draw FIGURES.csv FOLDER  FOLDER/SCENE.svg for each scene of the table
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "perpend/base.hpp"
#include "perpend/bullet.hpp"
#include "perpend/draw.hpp"
#include "perpend/io.hpp"
#include "perpend/scene.hpp"
#include "sim/contacts.hpp"
#include "sim/state_of_world.hpp"

namespace {

using namespace perpend;

std::string number(double x) { return std::isfinite(x) ? formatted("%.9g", x) : "null"; }

// The poses at which the steps of the recording begin. Bodies are named by their place in the
// scene; those that the engine did not record stay where they are.
int measure(const std::string& name, const std::string& path) {
  std::string why;
  const std::optional<Scene> scene = scene_named(name, 1, why);
  if (!scene) throw std::runtime_error(why);
  const io::FrameReader file(path);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  bullet::SceneInWorld inside(*scene, scene->step, world);
  Trajectory trajectory(*scene, inside.state());
  sim::ContactFinder ruler;
  double deep = 0, deep_last = 0, apart = 0;
  std::vector<double> ms;
  for (Index k = 0; k < file.frames(); ++k) {
    const io::Record record = file.read(k);
    const Bodies& rows = record.frame.bodies;
    State state = inside.state();
    state.time = record.frame.time;
    for (Index row = 0; row < rows.count(); ++row) {
      const auto id = rows.ids[static_cast<std::size_t>(row)];
      if (id < 0 || id >= static_cast<std::int64_t>(scene->bodies.size())) continue;
      state.positions.row(id) = rows.positions.row(row);
      state.quaternions.row(id) = rows.quaternions.row(row);
      state.velocities.row(id) = rows.velocities.row(row);
      const auto x = rows.positions.row(row);
      const auto q = rows.quaternions.row(row);
      inside.body(static_cast<std::size_t>(id))
          .setCenterOfMassTransform(
              btTransform(btQuaternion(q[1], q[2], q[3], q[0]), btVector3(x[0], x[1], x[2])));
    }
    if (k > 0) trajectory.add(state);
    const double now = sim::penetration(world, ruler);
    deep = std::max(deep, now);
    if (static_cast<double>(file.frames() - k) * scene->step <= 1)
      deep_last = std::max(deep_last, now);
    apart = std::max(apart, sim::joint_violation(world));
    ms.push_back(1e3 * record.timing.total);
  }
  std::cout << "{\"max_penetration\": " << number(deep)
            << ", \"max_penetration_last_second\": " << number(deep_last)
            << ", \"max_joint_violation\": " << number(apart)
            << ", \"drift\": " << number(trajectory.drift())
            << ", \"fell\": " << (trajectory.fell() ? "true" : "false")
            << ", \"step_ms\": {\"median\": " << number(quantile(ms, 0.5))
            << ", \"p99\": " << number(quantile(ms, 0.99))
            << ", \"worst\": " << number(quantile(ms, 1)) << "}}\n";
  return 0;
}

using Line = std::map<std::string, std::string>;  // by the names of the columns

std::vector<Line> read_table(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be opened");
  std::vector<std::string> names;
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    std::istringstream cells(text);
    std::vector<std::string> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
    if (names.empty()) {
      names = values;
      continue;
    }
    Line line;
    for (std::size_t k = 0; k < std::min(names.size(), values.size()); ++k)
      line[names[k]] = values[k];
    lines.push_back(std::move(line));
  }
  return lines;
}

double value(const Line& line, const std::string& column) {
  const auto found = line.find(column);
  if (found == line.end() || found->second.empty()) return NAN;
  return std::stod(found->second);
}

// Zero has no place on a logarithmic axis: rounding stands for it.
constexpr double kRounding = 1e-16;

draw::Plot plot(const std::vector<Line>& lines, const std::string& scene, const std::string& column,
                const std::string& unit) {
  draw::Plot out{scene, {"ms per step, median", true}, {column + " [" + unit + "]", true}, {}};
  std::vector<std::string> engines;
  for (const Line& line : lines)
    if (std::find(engines.begin(), engines.end(), line.at("engine")) == engines.end())
      engines.push_back(line.at("engine"));
  double slowest = 0;
  for (const std::string& engine : engines) {
    std::vector<std::pair<double, double>> points;
    for (const Line& line : lines)
      if (line.at("scene") == scene && line.at("engine") == engine &&
          line.at("outcome") == "finished")
        points.emplace_back(value(line, "ms_median"), std::max(value(line, column), kRounding));
    std::sort(points.begin(), points.end());
    draw::Curve curve{engine, {}, {}, true, false};
    for (const auto& [ms, error] : points)
      if (std::isfinite(ms) && std::isfinite(error)) {
        curve.x.push_back(ms);
        curve.y.push_back(error);
        slowest = std::max(slowest, ms);
      }
    out.curves.push_back(std::move(curve));
  }
  // Nothing is drawn at one point: it makes room for the legend, which would hide slow engines.
  if (slowest > 0) out.curves.push_back({"", {10 * slowest}, {1}, false, false});
  return out;
}

constexpr std::array<std::pair<const char*, const char*>, 4> kDrawn{
    {{"penetration", "m"}, {"drift", "m"}, {"joint_violation", "m"}, {"velocity_error", "m/s"}}};

// Nothing comes to rest, no joint is there, nothing touches: then there is nothing to draw.
bool tells(const std::vector<Line>& lines, const std::string& scene, const std::string& column) {
  return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
    return line.at("scene") == scene && value(line, column) > 0;
  });
}

int draw_all(const std::string& table, const std::string& folder) {
  const std::vector<Line> lines = read_table(table);
  std::vector<std::string> scenes;
  for (const Line& line : lines)
    if (std::find(scenes.begin(), scenes.end(), line.at("scene")) == scenes.end())
      scenes.push_back(line.at("scene"));
  for (const std::string& scene : scenes) {
    std::string file = folder + "/" + scene + ".svg";
    std::replace(file.begin() + static_cast<std::ptrdiff_t>(folder.size()), file.end(), ':', '-');
    std::vector<draw::Plot> plots;
    for (const auto& [column, unit] : kDrawn)
      if (tells(lines, scene, column)) plots.push_back(plot(lines, scene, column, unit));
    std::ofstream(file) << draw::svg(plots, 500 * static_cast<int>(plots.size()), 420);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> given(argv + 1, argv + argc);
  if (given.size() == 3 && given[0] == "measure") return measure(given[1], given[2]);
  if (given.size() == 3 && given[0] == "draw") return draw_all(given[1], given[2]);
  std::cerr << "usage: perpend_pareto_bench measure SCENE FILE.h5 | draw FIGURES.csv FOLDER\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "perpend_pareto_bench: " << error.what() << '\n';
  return 1;
}
