// Nguyen and Trinkle 2010, Figs. 1 and 2: ten boxes, dropped as a stack from a height of 15, in
// Bullet and in a time step that solves the contact problem.
//
// Three equal runs in Bullet, compared bit by bit, and four in either engine that a user would call
// the same: as it is, the bodies in reverse order, two steps of half the length, and with an
// unrelated body far away.
#include <algorithm>
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kSame = 1e-3;     // m: no eye sees less
constexpr int kEqual = 3;          // runs of Fig. 1
constexpr double kStanding = 9.5;  // m, the centre of the highest box in a stack that stands

struct Variant {
  std::string label;
  Scene scene;
  int substeps = 1;
};

std::vector<Variant> tower_variants() {
  Scene plain = built_in("tower");
  for (std::size_t i = 0; i < plain.bodies.size(); ++i)
    plain.bodies[i].id = static_cast<std::int64_t>(i);
  Scene turned = plain;
  std::reverse(turned.bodies.begin(), turned.bodies.end());
  Scene more = plain;
  Body other = plain.bodies.back();
  other.name = "unrelated";
  other.id = static_cast<std::int64_t>(plain.bodies.size());
  other.pose.position = Vector3d(15, 15, 0.5);
  more.bodies.push_back(other);
  return {{"as it is", plain},
          {"bodies in reverse order", turned},
          {"two sub-steps", plain, 2},
          {"with a body 20 m away", more}};
}

struct Fall {
  std::string engine, variant;
  std::vector<double> times, top;  // m: height of the highest box
  std::vector<Vector3d> end;       // places of the ten boxes after 8 s, lowest first at the start
  bool fell = false;
  bool operator==(const Fall&) const = default;
};

Fall fall(const std::string& engine, const Variant& variant, const Settings& settings) {
  const Scene& scene = variant.scene;
  SimulateOptions options;
  options.h = scene.step / variant.substeps;
  options.engine = engine;
  if (engine == "perpend") options.step.solver = solver(settings, options.step.solver);
  options.steps = static_cast<Index>(std::lround(8 / options.h));
  Fall out{engine, variant.label, {}, {}, {}, false};
  std::vector<std::pair<double, std::size_t>> order;  // the tower's boxes, by height at the start
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].mass > 0 && scene.bodies[i].name != "unrelated")
      order.emplace_back(scene.bodies[i].pose.position.z(), i);
  std::sort(order.begin(), order.end());
  State last;
  options.observe = [&](const State& state) {
    double highest = 0;
    for (const auto& [height, i] : order)
      highest = std::max(highest, state.positions(static_cast<Index>(i), 2));
    out.times.push_back(state.time);
    out.top.push_back(highest);
    last = state;
  };
  simulated(scene, options, settings);
  out.fell = out.top.back() < kStanding - 0.5;
  for (const auto& [height, i] : order)
    out.end.emplace_back(last.positions.row(static_cast<Index>(i)).transpose());
  return out;
}

double apart(const std::vector<Fall>& runs) {
  double most = 0;
  for (const Fall& a : runs)
    for (const Fall& b : runs)
      for (std::size_t i = 0; i < a.end.size(); ++i)
        most = std::max(most, (a.end[i] - b.end[i]).norm());
  return most;
}

// Runs that are equal to none before them, bit for bit.
double outcomes(const std::vector<Fall>& runs) {
  double count = 0;
  for (auto one = runs.begin(); one != runs.end(); ++one)
    count += std::find(runs.begin(), one, *one) == one;
  return count;
}

double lowest_top(const std::vector<Fall>& runs) {
  double out = std::numeric_limits<double>::infinity();
  for (const Fall& one : runs) out = std::min(out, one.top.back());
  return out;
}

Outcome run_tower(const Settings& settings) {
  std::vector<Fall> bullet, ours;
  for (const Variant& variant : tower_variants()) {
    bullet.push_back(fall("bullet", variant, settings));
    ours.push_back(fall("perpend", variant, settings));
  }
  std::vector<Fall> equal{bullet.front()};
  while (equal.size() < kEqual) equal.push_back(fall("bullet", tower_variants().front(), settings));
  Outcome out;
  out.text = "Scene tower, 8 s with steps of 1/60 s, four times in stock Bullet " +
             bullet_version() +
             " and in our own step: as it is, with the bodies in reverse order, with two sub-steps "
             "in each, and with one more "
             "body 20 m away; and the first of them " +
             std::to_string(kEqual) + " times in Bullet.";
  draw::Plot plots[2];
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  Table table{"tower", "After 8 s", {"engine", "run", "height of the highest box, m", "fell"}, {}};
  for (const auto* runs : {&bullet, &ours}) {
    draw::Plot& plot = plots[runs == &ours];
    plot.title = runs == &ours ? "Perpend (Fig. 2)" : "stock Bullet (Fig. 1)";
    plot.x.label = "time, s";
    plot.y.label = "height of the highest box, m";
    for (const Fall& one : *runs) {
      plot.curves.push_back(curve(one.variant, one.times, one.top));
      columns.emplace_back(one.engine + ", " + one.variant, one.top);
      table.rows.push_back(
          {one.engine, one.variant, formatted("%.4f", one.top.back()), one.fell ? "yes" : "no"});
    }
  }
  out.figures.push_back({"tower", "Figs. 1, 2: the stack", {plots[0], plots[1]}});
  double fell_bullet = 0, fell_ours = 0;
  for (const Fall& one : bullet) fell_bullet += one.fell;
  for (const Fall& one : ours) fell_ours += one.fell;
  const std::string touch = "Height of the highest box after 8 s; 9.5 m if the stack stands.";
  out.claims.push_back({"Fig. 2", "lowest height of the highest box in our runs, m",
                        about(kStanding, 0.01), lowest_top(ours), touch, "", ""});
  out.claims.push_back({"Fig. 2", "share of our runs in which the stack fell", exactly(0),
                        fell_ours / static_cast<double>(ours.size()), "", "", ""});
  out.claims.push_back({"Fig. 2", "largest distance of a box between our runs, m", at_most(kSame),
                        apart(ours), "One initial state, one outcome.", "", ""});
  out.claims.push_back({"Fig. 1", "share of Bullet's runs in which the stack fell", exactly(1),
                        fell_bullet / static_cast<double>(bullet.size()), touch,
                        "The paper used a Bullet of 2010 with steps, masses and friction that it "
                        "does not tell; Bullet " +
                            bullet_version() + " keeps the stack in these runs.",
                        ""});
  out.claims.push_back(
      {"Fig. 1", "different outcomes of three equal runs of Bullet", exactly(kEqual),
       outcomes(equal),
       "“Three different results given the same initial state”: the first run " +
           std::to_string(kEqual) + " times, compared bit by bit.",
       "Equal runs of Bullet " + bullet_version() +
           " are equal. Our four, which only look the same, end with a box up to " +
           short_number(apart(bullet)) + " m apart.",
       ""});
  out.tables.push_back(std::move(table));
  out.tables.push_back(series("tower-heights", "Height of the highest box, m", "step", columns));
  return out;
}

}  // namespace

Experiment tower() {
  return {"tower", kDvcPaper, "Figs. 1, 2", "a stack of ten boxes falls", run_tower};
}

}  // namespace perpend::reproduce
