// Silcowitz-Hansen et al. 2010, Figs. 1 and 2, and the talk: a hand in a run with 50 iterations a
// frame, warm-started, PGS against NNCG. A user drags one body with a spring, which here is data: a
// hand file of `perpend view`, the same events for both solvers.
//
// The hand takes the last body of the scene by its middle (the top of a pile, the end of a chain;
// of the arch a link beside its crown), moves it by 0.2 m in half a second, holds it for half a
// second, moves it back in one and lets go. It goes up; on the shifted layers of stack and
// heavy-top along y, because their outer boxes fall where nothing lies on them. "Stable" as a
// number: at the end no body is farther than 0.1 m from where it began.
#include <algorithm>
#include <cmath>

#include "perpend/io.hpp"
#include "reproduce/interactive.hpp"
#ifdef PERPEND_HAS_VIEW
#include "perpend/view.hpp"
#endif

namespace perpend::reproduce {
namespace {

constexpr double kWay = 0.2;                                     // m
constexpr Index kTakes = 30, kUp = 60, kDown = 90, kGoes = 150;  // steps of 1/60 s
constexpr Index kMoves = 5;                                      // steps between two events

struct Dragged {
  double left = std::numeric_limits<double>::infinity();  // m, farthest body from its start, at end
  std::vector<double> times, path;
};

#ifdef PERPEND_HAS_VIEW
std::size_t dragged_body(const Scene& scene) {
  return scene.bodies.size() - (scene.name == "arch" ? 3 : 1);
}

Vector3d direction(const Scene& scene) {
  return scene.name == "stack" || scene.name == "heavy-top" ? Vector3d::UnitY() : Vector3d::UnitZ();
}

std::string hand_file(const Scene& scene) {
  const std::size_t body = dragged_body(scene);
  const Vector3d from = scene.bodies[body].pose.position;
  const std::string which = "\"body\": " + std::to_string(body);
  std::string events;
  for (Index step = kTakes; step < kGoes; step += kMoves) {
    const auto part = [&](Index begin, Index end) {
      return std::clamp(static_cast<double>(step - begin) / static_cast<double>(end - begin), 0.0,
                        1.0);
    };
    const double far = kWay * (part(kTakes, kUp) - part(kDown, kGoes - kMoves));
    const Vector3d to = from + far * direction(scene);
    events += "{\"step\": " + std::to_string(step) + ", \"kind\": \"drag\", " + which +
              ", \"point\": [0, 0, 0], \"target\": [" + formatted("%.17g, ", to.x()) +
              formatted("%.17g, ", to.y()) + formatted("%.17g", to.z()) + "]},\n";
  }
  return "{\"format\": \"perpend-hand\", \"format_version\": 1, \"scene\": \"" + scene.name +
         "\", \"events\": [\n" + events + "{\"step\": " + std::to_string(kGoes) +
         ", \"kind\": \"release\", " + which + "}\n]}\n";
}

Dragged drag(const char* name, const std::string& with, const Settings& settings) {
  const Scene scene = built_in(name);
  const Index steps = settings.quick ? 300 : 600;
  const OwnFolder folder;
  view::ViewOptions options;
  options.panes[0].step = limited(with, kIterations50);
  options.hand = hand_file(scene);
  options.hand_name = name;
  options.out = folder.path / "run.h5";
  const view::HandRun run = view::follow_hand(
      scene, options, steps, [&] { return settings.cancelled && settings.cancelled(); });
  go_on(settings);
  Dragged out;
  const io::FrameReader reader(options.out);
  Rows3 first;
  double most = 0;
  for (Index i = 0; i < reader.frames(); ++i) {
    const Frame frame = reader.read(i).frame;
    if (i == 0) first = frame.bodies.positions;
    most = 0;
    for (Index row = 0; row < frame.bodies.positions.rows(); ++row)
      if (frame.bodies.masses[row] > 0)
        most = std::max(most, (frame.bodies.positions.row(row) - first.row(row)).norm());
    out.times.push_back(frame.time);
    out.path.push_back(most);
  }
  if (run.steps == steps) out.left = most;
  return out;
}
constexpr const char* kMissing = "";
#else
Dragged drag(const char*, const std::string&, const Settings&) { return {}; }
constexpr const char* kMissing = "This program was built without the viewer (libboost-dev).";
#endif

Outcome run_hands(const Settings& settings) {
  Outcome out;
  out.text =
      std::string("The scenes of experiment interactive, ") + (settings.quick ? "5" : "10") +
      " s with steps of 1/60 s and 50 iterations in each, warm-started. From 0.5 s to 2.5 s a hand "
      "moves the last body by 0.2 m and back (of the arch a link beside its crown): upwards, on "
      "the "
      "shifted layers of stack and heavy-top sideways. Left: "
      "how far the farthest body is from its start at the end. Stable: at most 0.1 m.";
  out.figures.push_back({"hands", "A hand in 50 iterations a frame: the farthest body", {}});
  Table table{"hands", "After the hand let go", {"scene", "left, PGS, m", "left, NNCG, m"}, {}};
  std::vector<Dragged> runs(2 * kStanding7.size());
  for (std::size_t at = 0; at < runs.size(); ++at)  // HDF5 takes one thread at a time
    runs[at] =
        drag(kStanding7[at / 2], solver(settings, at % 2 == 0 ? "box/pgs" : "box/nncg"), settings);
  double stable_pgs = 0, stable_nncg = 0;
  const auto add = [&](Claim claim) {
    claim.missing = kMissing;
    out.claims.push_back(std::move(claim));
  };
  for (std::size_t k = 0; k < kStanding7.size(); ++k) {
    const Dragged &pgs = runs[2 * k], &nncg = runs[2 * k + 1];
    stable_pgs += pgs.left <= kStable;
    stable_nncg += nncg.left <= kStable;
    draw::Plot plot;
    plot.title = kStanding7[k];
    plot.x.label = "time, s";
    plot.y.label = "farthest body, m";
    plot.curves = {curve("PGS", pgs.times, pgs.path), curve("NNCG", nncg.times, nncg.path)};
    if (!nncg.times.empty()) out.figures[0].plots.push_back(plot);
    const auto shown = [](const Dragged& run) {
      return run.times.empty() ? std::string("–") : short_number(run.left);
    };
    table.rows.push_back({kStanding7[k], shown(pgs), shown(nncg)});
  }
  if (out.figures[0].plots.empty()) out.figures.clear();
  const auto all = static_cast<double>(kStanding7.size());
  add({"Figs. 1, 2", "scenes of seven that are stable again after a hand, 50 NNCG iterations",
       exactly(all), stable_nncg,
       "“Accurate friction forces to remain stable, especially during interaction from the user.” "
       "With PGS " +
           whole(stable_pgs) + " are.",
       "A heavy load on light boxes needs more iterations than 50.", ""});
  const auto named = [&](const char* wanted) {
    return static_cast<std::size_t>(
        std::find_if(kStanding7.begin(), kStanding7.end(),
                     [&](const char* one) { return std::string_view(one) == wanted; }) -
        kStanding7.begin());
  };
  for (const auto& [figure, scene] :
       {std::pair{"Fig. 1", "stack"}, std::pair{"Fig. 1", "snake"}, std::pair{"Fig. 2", "gears"}}) {
    const Dragged& nncg = runs[2 * named(scene) + 1];
    add({figure, std::string(scene) + ": farthest body from its start after a hand, NNCG, m",
         at_most(kStable), nncg.left,
         "With PGS " + short_number(runs[2 * named(scene)].left) + " m.",
         "What was put back does not lie where it lay.", ""});
  }
  add({"Fig. 2", "gears that a hand puts on one another through a small box", at_least(1), 0,
       "Not tried here: our hand lifts the highest gear itself.", "",
       "its gears, its box and the way of its hand"});
  add({"Interactive comparisons with PGS",
       "scenes of seven that NNCG keeps stable under a hand, less those of PGS", at_least(0),
       stable_nncg - stable_pgs, "", "", ""});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment hands() {
  return {"hands", kTalk, "Figs. 1, 2 and the talk", "a hand in 50 iterations a frame", run_hands};
}

}  // namespace perpend::reproduce
