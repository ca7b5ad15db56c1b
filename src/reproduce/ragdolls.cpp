// Nguyen and Trinkle 2010, Fig. 3: two ragdolls, simulated as dvc3D does: every step is the mixed
// LCP of eq. 11 and PATH solves it (section 3.2). Beside it stock Bullet, which corrects
// penetrations where this formulation prevents them.
#include <algorithm>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kTouching = 1e-3;  // m: no eye sees less

struct Run {
  std::vector<double> times, overlap;  // s, m
  Summary sum;
};

Run run_of(const std::string& engine, const Settings& settings) {
  SimulateOptions options;
  options.engine = engine;
  options.steps = settings.quick ? 120 : 300;
  options.step.solver = solver(settings, "mlcp/path");
  options.step.correct = 0;
  Run out;
  options.watch = [&](const Moment& now) {
    out.times.push_back(now.state.time);
    out.overlap.push_back(std::max(0.0, now.penetration));
  };
  out.sum = simulated(built_in("ragdolls"), options, settings);
  return out;
}

Outcome run_ragdolls(const Settings& settings) {
  const Run ours = run_of("perpend", settings), bullet = run_of("bullet", settings);
  Outcome out;
  out.text = "Scene ragdolls, " + std::to_string(ours.sum.steps) + " steps of 1/60 s, up to " +
             std::to_string(ours.sum.contacts_max) +
             " contacts: two ragdolls of 13 bodies fall on each other. Every step is the mixed LCP "
             "of eq. 11 with eight facets, solved by mlcp/path, and nothing is corrected after it; "
             "beside it stock Bullet " +
             bullet_version() + ".";
  draw::Plot plot;
  plot.title = "deepest overlap";
  plot.x.label = "time, s";
  plot.y.label = "m";
  plot.curves = {curve("Perpend, PATH", ours.times, ours.overlap),
                 curve("stock Bullet", bullet.times, bullet.overlap)};
  out.figures.push_back({"ragdolls", "Fig. 3: two ragdolls", {plot}});
  const auto deepest = [](const Run& run) {
    return *std::max_element(run.overlap.begin(), run.overlap.end());
  };
  Table table{"ragdolls",
              "Over the run",
              {"engine", "deepest overlap, m", "joints apart, m", "steps not solved"},
              {}};
  table.rows.push_back({"Perpend, PATH", short_number(deepest(ours)),
                        short_number(ours.sum.max_joint_violation),
                        std::to_string(ours.sum.unconverged_steps)});
  table.rows.push_back({"stock Bullet", short_number(deepest(bullet)),
                        short_number(bullet.sum.max_joint_violation), "–"});
  out.claims.push_back({"Section 3.2", "steps of the run that PATH does not solve", exactly(0),
                        static_cast<double>(ours.sum.unconverged_steps),
                        "To " + short_number(StepOptions().solve.tolerance) + " m/s.",
                        "Pivots on degenerate contacts of limbs that lie on each other.", ""});
  out.claims.push_back({"Section 3.2", "deepest overlap of the run, m", at_most(kTouching),
                        deepest(ours),
                        "“The ability to prevent instead of just correct "
                        "penetrations.”",
                        "Bodies turn within a step, which its linear constraints do not see.", ""});
  out.claims.push_back({"Section 3.2", "deepest overlap over that of stock Bullet", below(1),
                        deepest(ours) / deepest(bullet),
                        "Bullet " + short_number(deepest(bullet)) + " m.", "", ""});
  out.claims.push_back({"Fig. 3", "farthest that a joint comes apart, m", at_most(kTouching),
                        ours.sum.max_joint_violation, "",
                        "A step holds joints to first order: what turns by ωh in it opens by "
                        "(ωh)²/2 of its arm, and the next step closes that. Bullet: " +
                            short_number(bullet.sum.max_joint_violation) + " m.",
                        ""});
  out.claims.push_back({"Sections 3.2, 6", "experiments with real bodies that runs agree with",
                        at_least(1), 0, "None was made here.", "",
                        "the measurements: they are in the papers that it cites"});
  out.tables.push_back(std::move(table));
  out.tables.push_back(series("ragdolls-overlap", "Deepest overlap, m", "step",
                              {{"Perpend", ours.overlap}, {"Bullet", bullet.overlap}}));
  return out;
}

}  // namespace

Experiment ragdolls() {
  return {"ragdolls", kDvcPaper, "Fig. 3", "two ragdolls, each step by PATH", run_ragdolls};
}

}  // namespace perpend::reproduce
