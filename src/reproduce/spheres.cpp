// Lu et al. 2013, Figs. 8 and 9: ten time steps of 15 spheres in a box, solved by Lemke's method
// and by PGS with a small number on the zero diagonal (CFM).
#include <algorithm>
#include <cmath>

#include "reproduce/lu.hpp"

namespace perpend::reproduce {
namespace {

constexpr const char* kStill = "2";  // an ε with which the sweeps stand still

Outcome run_spheres(const Settings& settings) {
  const std::vector<System> frames = sphere_frames(settings);
  const long sweeps = settings.quick ? 300 : 1000;
  struct Method {
    std::string label, solver;
    std::map<std::string, std::string> set;
    std::vector<LuHistory> histories;
  };
  std::vector<Method> methods{{"Lemke", "lcp/lemke", {}, {}}};
  for (const char* cfm : {"1e-4", "1e-2", "1", kStill, "4"})
    methods.push_back(
        {std::string("PGS, ε = ") + cfm, "lcp/pgs", {{"cfm", cfm}, {"cfm-law", "soft"}}, {}});
  std::vector<double> coulomb_theirs(frames.size()), coulomb_ours(frames.size());
  for (Method& one : methods) one.histories.resize(frames.size());
  for_each(settings, frames.size() * (methods.size() + 1), [&](std::size_t at) {
    const std::size_t i = at % frames.size(), k = at / frames.size();
    if (k < methods.size()) {
      const std::string name = solver(settings, methods[k].solver);
      const bool same = name == methods[k].solver;  // else its options are not known
      methods[k].histories[i] = lu_history(frames[i], name, k == 0 ? 10000 : sweeps, settings,
                                           same ? methods[k].set : decltype(methods[k].set){});
      return;
    }
    Options exact;
    exact.tolerance = 1e-12;
    exact.cancelled = settings.cancelled;
    const Result result = solve(frames[i], "ncp/auto", exact);
    coulomb_theirs[i] = lu_friction_error(frames[i], result.impulses);
    coulomb_ours[i] = result.errors[Measure::friction_error];
  });

  Outcome out;
  Index contacts = 0;
  for (const System& one : frames) contacts = std::max(contacts, one.contacts());
  out.text =
      "Scene spheres after 1.5 s, all balls on the floor: ten time steps with up to " +
      std::to_string(contacts) +
      " contacts, eight facets. Total error: ½ φᵀφ of the LCP (lcp_merit), the mean of the "
      "ten after each pivot or sweep. ε stands in the place of the zeros of the diagonal, whose "
      "other entries are about 1, and softens the friction bound by ε s.";
  draw::Plot lemke, pgs;
  lemke.title = "Lemke (Fig. 8)";
  lemke.x.label = "pivots";
  pgs.title = "PGS, ε on the diagonal (Fig. 9)";
  pgs.x.label = "sweeps";
  lemke.y = pgs.y = {"total error", true};
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  Table table{"spheres",
              "At the end, mean of ten steps",
              {"method", "total error", "normal error", "friction error", "iterations"},
              {}};
  std::vector<double> ends, friction;
  for (const Method& one : methods) {
    std::vector<std::vector<double>> totals;
    double normal = 0, rub = 0, iterations = 0;
    for (const LuHistory& history : one.histories) {
      totals.push_back(history.total);
      normal += history.result.errors[Measure::normal_error] / static_cast<double>(frames.size());
      rub += history.result.errors[Measure::friction_error] / static_cast<double>(frames.size());
      iterations +=
          static_cast<double>(history.result.iterations) / static_cast<double>(frames.size());
    }
    const std::vector<double> mean = mean_curve(totals);
    draw::Plot& plot = &one == &methods[0] ? lemke : pgs;
    plot.curves.push_back(curve(one.label, mean));
    columns.emplace_back(one.label, mean);
    ends.push_back(mean.empty() ? std::numeric_limits<double>::quiet_NaN() : mean.back());
    friction.push_back(rub);
    table.rows.push_back({one.label, short_number(ends.back()), short_number(normal),
                          short_number(rub), whole(iterations)});
  }
  lemke.curves[0].label = "total error";
  std::vector<std::vector<double>> rubbing;
  for (const LuHistory& history : methods[0].histories) rubbing.push_back(history.friction);
  lemke.curves.push_back(curve("friction error", mean_curve(rubbing)));
  out.figures.push_back({"spheres", "Figs. 8, 9: 15 spheres", {lemke, pgs}});

  out.claims.push_back({"Fig. 8", "Lemke: total error at the end", at_most(1e-9), ends[0],
                        "The paper: “on the order of 1e-10”.", "", ""});
  out.claims.push_back({"Fig. 8", "Lemke: friction error over total error", above(1),
                        friction[0] / std::max(ends[0], 1e-300),
                        "“Even larger than the total error”: the LCP is solved, but its facets are "
                        "not Coulomb's cone.",
                        "", ""});
  out.claims.push_back(
      {"Fig. 8", "Lemke: friction error", order_of(1e-5), friction[0],
       "Measured against the cone, J.",
       "It grows with masses, speeds and the number of sliding contacts, and falls "
       "with the number of facets, none of which the paper tells.",
       ""});
  for (std::size_t k = 1; k < methods.size(); ++k) {
    const std::vector<double>& all = columns[k].second;
    const auto [low, high] =
        std::minmax_element(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    out.claims.push_back(
        {"Fig. 9", methods[k].label + ": total error it ends at", order_of(0.1), ends[k],
         "In the last half of " + std::to_string(sweeps) + " sweeps it is " + short_number(*low) +
             " to " + short_number(*high) + ". The paper does not tell its ε.",
         "With so small a diagonal a sweep overshoots: s and the friction of its "
         "contact push each other to and fro between two points.",
         ""});
    if (methods[k].set.at("cfm") != kStill) continue;
    out.claims.push_back({"Fig. 9",
                          methods[k].label + ": largest over lowest total error in the last half",
                          at_most(2), *high / *low,
                          "“The error doesn't change with the increase of the solver iterations.”",
                          "It does not fall, but it does not stand still either.", ""});
  }
  double worst_theirs = 0, worst_ours = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    worst_theirs = std::max(worst_theirs, coulomb_theirs[i]);
    worst_ours = std::max(worst_ours, coulomb_ours[i]);
  }
  out.claims.push_back(
      {"Section 5", "sᵀσ + λᵀv of friction at an exact Coulomb solution, J", at_most(1e-9),
       worst_theirs,
       "A measure of errors should vanish there. Ours (friction_error) is " +
           short_number(worst_ours) + ".",
       "λᵀv is the power of friction, −μ λₙ s at every sliding contact, and not an "
       "error; part of the printed friction errors is this.",
       ""});
  out.tables.push_back(std::move(table));
  out.tables.push_back(
      series("spheres-curves", "Total error, mean of ten steps", "iteration", columns));
  return out;
}

}  // namespace

Experiment spheres() {
  return {"spheres", kInterfacePaper, "Figs. 8, 9", "15 spheres: Lemke and PGS", run_spheres};
}

}  // namespace perpend::reproduce
