// Nguyen and Trinkle 2010, Figs. 6 to 9: a box slides over a crack and falls into a hole, with the
// locally non-convex contact model (eq. 21) and with all constraints at once (eq. 13); and the
// claim of section 1 that the motion converges as the step goes to zero.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Way {
  std::vector<double> times, along, turn;  // s, m, degrees
};

Way way(const std::string& name, ContactModel contacts, const Vector3d& direction, double seconds,
        const Settings& settings) {
  const Scene scene = built_in(name);
  SimulateOptions options;
  options.step.contacts = contacts;
  options.step.solver = solver(settings, options.step.solver);
  options.steps = static_cast<Index>(std::lround(seconds / scene.step));
  Index moving = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].mass > 0) moving = static_cast<Index>(i);
  Way out;
  State first;
  options.observe = [&](const State& state) {
    if (out.times.empty()) first = state;
    const auto turned = [&](const State& s) {
      const auto q = s.quaternions.row(moving);
      return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    };
    out.times.push_back(state.time);
    out.along.push_back(
        (state.positions.row(moving) - first.positions.row(moving)).dot(direction.transpose()));
    out.turn.push_back(turned(first).angularDistance(turned(state)) / kDegree);
  };
  simulated(scene, options, settings);
  return out;
}

// PATH on the steps of a run that have contacts, from zero impulses.
struct Pivots {
  double each = 0;  // a step
  double steps = 0, unsolved = 0;
};

Pivots pivots(const std::string& name, ContactModel contacts, double seconds,
              const Settings& settings) {
  const Scene scene = built_in(name);
  SimulateOptions options;
  options.step.contacts = contacts;
  options.steps = static_cast<Index>(std::lround(seconds / scene.step));
  const std::vector<RecordedStep> steps = recorded(scene, options, settings, 0, 1);
  std::vector<double> found(steps.size(), -1);
  std::vector<char> unsolved(steps.size(), 0);
  for_each(settings, steps.size(), [&](std::size_t i) {
    if (steps[i].frame.contacts.count() == 0) return;
    Options cold;
    cold.cancelled = settings.cancelled;
    const Result result = solve(assemble(steps[i].frame), solver(settings, "mlcp/path"), cold);
    found[i] = static_cast<double>(result.work[static_cast<std::size_t>(Work::pivot)]);
    unsolved[i] = result.status != Status::converged;
  });
  Pivots out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (found[i] < 0) continue;
    ++out.steps;
    out.each += found[i];
    out.unsolved += unsolved[i];
  }
  out.each /= out.steps;
  return out;
}

// "The number of LCP conditions required is equal the number of edges, which is also equal ST
// method": what keeps a vertex outside of a shape with this many faces, eqs. 20 and 13.
Index conditions(Index faces, bool alternatives) {
  Frame frame = make_frame(2, faces);
  frame.step = 0.01;
  frame.bodies.masses << 0, 1;
  Eigen::Map<Matrix3d>(frame.bodies.inertia.row(1).data()).setIdentity();
  for (Index k = 0; k < faces; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(faces);
    frame.contacts.pairs.row(k) << 0, 1;
    frame.contacts.normals.row(k) << std::cos(angle), 0, std::sin(angle);
    frame.contacts.gap[k] = 0;
    frame.contacts.mu[k] = 0;
  }
  if (alternatives) frame.contacts.group.assign(static_cast<std::size_t>(faces), 0);
  System system = assemble(frame);
  for (Group& group : system.groups) group.u = 0;
  FormulationOptions how;
  std::string why;
  const std::unique_ptr<Problem> problem = formulate(system, "lcp", how, why);
  const Index pushing = alternatives ? 1 : faces;  // each of them has friction
  return problem->size() - pushing * (how.facets + 1);
}

void add_cost(Outcome& out, double seconds, const Settings& settings) {
  Table table{"crevices-cost",
              "Section 4.2: PATH on the steps of both models, from zero impulses",
              {"scene", "steps with contacts, new", "steps with contacts, old",
               "pivots a step, new", "pivots a step, old", "not solved, new", "not solved, old"},
              {}};
  double most = 0;
  for (const char* scene : {"cracked-ramp", "hole"}) {
    const Pivots now = pivots(scene, ContactModel::nonconvex, seconds, settings),
                 old = pivots(scene, ContactModel::conjunctive, seconds, settings);
    most = std::max(most, now.each / old.each);
    table.rows.push_back({scene, whole(now.steps), whole(old.steps), short_number(now.each),
                          short_number(old.each), whole(now.unsolved), whole(old.unsolved)});
  }
  double ratio = 0;
  for (const Index faces : {2, 3, 6})
    ratio = std::max(ratio, static_cast<double>(conditions(faces, true)) /
                                static_cast<double>(conditions(faces, false)));
  out.claims.push_back({"Section 4.2", "conditions of the new model over the old's", exactly(1),
                        ratio,
                        "Without friction, for a vertex and a shape with 2, 3 and 6 faces: “equal "
                        "the number of edges, which is also equal ST method”.",
                        "", ""});
  out.claims.push_back(
      {"Section 4.2", "pivots of PATH a step, new model over old, the worse scene", at_most(2),
       most, "“Almost as fast as ST”: not more than twice the pivots.",
       "The runs differ: where the old model has come to a stop, little is left to "
       "do.",
       ""});
  out.tables.push_back(std::move(table));
}

Outcome run_crevices(const Settings& settings) {
  const double slope = 25 * kDegree;
  const Vector3d down_the_ramp(std::cos(slope), 0, -std::sin(slope)), down(0, 0, -1);
  constexpr double kRamp = 2.4, kFall = 2.5;  // s
  const Way ramp_new = way("cracked-ramp", ContactModel::nonconvex, down_the_ramp, kRamp, settings);
  const Way ramp_old =
      way("cracked-ramp", ContactModel::conjunctive, down_the_ramp, kRamp, settings);
  const Way hole_new = way("hole", ContactModel::nonconvex, down, kFall, settings);
  const Way hole_old = way("hole", ContactModel::conjunctive, down, kFall, settings);

  Outcome out;
  out.text =
      "Scenes cracked-ramp (h = 0.008 s) and hole (h = 0.0125 s, a box of 9.99 m above a hole "
      "of 10 m). New: --contacts nonconvex; old: --contacts conjunctive.";
  const auto plot = [](const char* title, const char* y, const Way& a, const Way& b,
                       std::vector<double> Way::*what) {
    draw::Plot p;
    p.title = title;
    p.x.label = "time, s";
    p.y.label = y;
    p.curves = {curve("new model", a.times, a.*what), curve("old model", b.times, b.*what)};
    return p;
  };
  out.figures.push_back(
      {"crevices",
       "Figs. 6 to 9: crack and hole",
       {plot("cracked ramp", "turn of the box, degrees", ramp_new, ramp_old, &Way::turn),
        plot("cracked ramp", "way down the ramp, m", ramp_new, ramp_old, &Way::along),
        plot("hole", "way down, m", hole_new, hole_old, &Way::along)}});
  const auto most = [](const std::vector<double>& list) {
    return *std::max_element(list.begin(), list.end());
  };
  out.claims.push_back({"Fig. 6", "new model: largest turn of the box, degrees", at_most(5),
                        most(ramp_new.turn), "It slides to the end of the ramp.", "", ""});
  out.claims.push_back({"Fig. 7", "old model: largest turn of the box, degrees", at_least(45),
                        most(ramp_old.turn), "“Caused the block to tumble.”", "", ""});
  // From rest at z = 5 the box is 5 m above the mouth.
  const double through = 5 + 9.99 + 1;
  out.claims.push_back({"Fig. 8", "new model: way down of the box, m", at_least(through),
                        hole_new.along.back(),
                        "More than " + short_number(through) + " m: it fell through.", "", ""});
  const auto floor = std::find_if(hole_new.along.begin(), hole_new.along.end(),
                                  [&](double z) { return z >= hole_new.along.back() - 0.01; });
  const std::size_t landed =
      std::min(static_cast<std::size_t>(floor - hole_new.along.begin()), hole_old.along.size() - 1);
  out.claims.push_back({"Fig. 9", "old model: way down when the new model's box has landed, m",
                        at_most(through), hole_old.along[landed],
                        "It is held at the rim, 5 m below its start, and begins to fall again from "
                        "rest.",
                        "", ""});

  add_cost(out, kRamp, settings);

  // Convergence with h: boxes that slide down, all parts of the step involved.
  SimulateOptions options;
  options.step.solver = solver(settings, options.step.solver);
  const Scene yaw = built_in("yaw");
  options.steps = settings.quick ? 30 : 60;
  options.progress = [&](Index, Index) { return !settings.cancelled || !settings.cancelled(); };
  const Refinement refined = refine(yaw, options, settings.quick ? 3 : 5);
  go_on(settings);
  std::vector<double> h, distance;
  Table table{"step-to-zero", "Scene yaw with halved steps", {"h, s", "distance to h/2, m"}, {}};
  for (std::size_t k = 0; k + 1 < refined.levels.size(); ++k) {
    h.push_back(refined.levels[k].h);
    distance.push_back(refined.levels[k].to_next.distance);
    table.rows.push_back({short_number(h.back()), short_number(distance.back())});
  }
  draw::Plot converging;
  converging.title = "h → 0 (section 1)";
  converging.x = {"h, s", true};
  converging.y = {"distance to the run with h/2, m", true};
  converging.curves = {curve("yaw", h, distance)};
  converging.curves[0].marks = true;
  out.figures.push_back({"step-to-zero", "Section 1: smaller steps", {converging}});
  out.claims.push_back({"Section 1", "order with which trajectories converge as h goes to zero",
                        at_least(0.9), exponent(h, distance),
                        "Eight boxes that slide down a slope: " + refined.words() + ".", "", ""});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment crevices() {
  return {"crevices", kDvcPaper, "Figs. 6 to 9", "crack, hole and small steps", run_crevices};
}

}  // namespace perpend::reproduce
