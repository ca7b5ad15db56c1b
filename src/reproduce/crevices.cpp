// Nguyen and Trinkle 2010, Figs. 6 to 9: a box slides over a crack and falls into a hole, with the
// locally non-convex contact model (eq. 21) and with all constraints at once (eq. 13); and the
// claim of section 1 that the motion converges as the step goes to zero.
#include <algorithm>
#include <array>
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

// PATH from zero impulses on the steps of a run with the new model: on those that hold its contact
// (eq. 21 with more than one face), and on the same with all faces as constraints (eq. 13).
struct Pivots {
  double steps = 0, holding = 0;  // with contacts; with the new one
  double now = 0, old = 0;        // a step that holds it, mean
  double most = 0;                // the new model's over the old's, of one step
  double unsolved_now = 0, unsolved_old = 0;
};

Pivots pivots(const std::string& name, double seconds, const Settings& settings) {
  const Scene scene = built_in(name);
  SimulateOptions options;
  options.step.contacts = ContactModel::nonconvex;
  options.steps = static_cast<Index>(std::lround(seconds / scene.step));
  std::vector<Frame> holding;
  Pivots out;
  for (RecordedStep& step : recorded(scene, options, settings, 0, 1)) {
    out.steps += step.frame.contacts.count() > 0;
    if (!assemble(step.frame).groups.empty()) holding.push_back(std::move(step.frame));
  }
  std::vector<std::array<double, 4>> found(holding.size());
  for_each(settings, holding.size(), [&](std::size_t i) {
    for (std::size_t old = 0; old < 2; ++old) {
      Frame frame = holding[i];
      if (old) frame.contacts.group.clear();
      Options cold;
      cold.cancelled = settings.cancelled;
      const Result result = solve(assemble(frame), solver(settings, "mlcp/path"), cold);
      found[i][old] = static_cast<double>(result.work[static_cast<std::size_t>(Work::pivot)]);
      found[i][2 + old] = result.status != Status::converged;
    }
  });
  out.holding = static_cast<double>(holding.size());
  for (const auto& [now, old, unsolved_now, unsolved_old] : found) {
    out.now += now / out.holding;
    out.old += old / out.holding;
    out.most = std::max(out.most, now / old);
    out.unsolved_now += unsolved_now;
    out.unsolved_old += unsolved_old;
  }
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
              "Section 4.2: PATH on the steps that hold the new contact, from zero impulses",
              {"scene", "steps with contacts", "with the new one", "pivots a step, new",
               "pivots a step, old", "most, new over old", "not solved, new", "not solved, old"},
              {}};
  Pivots all;
  for (const char* scene : {"cracked-ramp", "hole"}) {
    const Pivots one = pivots(scene, seconds, settings);
    all.steps += one.steps;
    all.holding += one.holding;
    all.most = std::max(all.most, one.most);
    table.rows.push_back({scene, whole(one.steps), whole(one.holding), short_number(one.now),
                          short_number(one.old), short_number(one.most), whole(one.unsolved_now),
                          whole(one.unsolved_old)});
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
      {"Section 4.2", "pivots of PATH, new model over old, worst step that holds the new contact",
       at_most(2), all.most,
       "“Almost as fast as ST”: not more than twice the pivots. " + whole(all.holding) + " of " +
           whole(all.steps) + " steps with contacts hold it; each is solved as both models.",
       "", ""});
  out.tables.push_back(std::move(table));
}

Outcome run_crevices(const Settings& settings) {
  const double slope = 25 * kDegree;
  const Vector3d down_the_ramp(std::cos(slope), 0, -std::sin(slope)), down(0, 0, -1);
  constexpr double kRamp = 2.4, kFall = 5;  // s
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
  const auto reaches = [&](const Way& one, double z) {
    const auto at =
        std::find_if(one.along.begin(), one.along.end(), [&](double w) { return w >= z; });
    return at == one.along.end()
               ? std::string("never")
               : "at " + short_number(one.times[static_cast<std::size_t>(at - one.along.begin())]) +
                     " s";
  };
  out.claims.push_back(
      {"Fig. 9", "old model: way down of the box, m", below(through), hole_old.along.back(),
       "The new model's box is through " + reaches(hole_new, through) + ", the old one's " +
           reaches(hole_old, through) + ".",
       "The rim holds the box only for a while: it begins to fall again from rest. The paper does "
       "not say when its picture was taken.",
       ""});

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
