// Lu et al. 2013, Table 2: every formulation with its solvers, as a matrix of runs on a step of the
// spheres and on one of the logs.
#include <array>

#include "reproduce/lu.hpp"

namespace perpend::reproduce {
namespace {

constexpr std::array<const char*, 13> kTable2{
    "lcp/lemke",        "lcp/fischer-newton", "lcp/pgs",     "lcp/minmap-newton", "mlcp/path",
    "mlcp/fixed-point", "mlcp/minres",        "mlcp/jacobi", "ncp/pgs",           "ncp/fixed-point",
    "ncp/minres",       "mncp/fixed-point",   "mncp/newton"};

Outcome run_solver_matrix(const Settings& settings) {
  const std::vector<System> spheres_steps = sphere_frames(settings);
  const std::vector<std::pair<std::string, System>> problems{{"spheres", spheres_steps.back()},
                                                             {"logs", log_frame(settings)}};
  const long most = settings.quick ? 2000 : 20000;
  std::vector<Result> results(kTable2.size() * problems.size());
  for_each(settings, results.size(), [&](std::size_t at) {
    Options options;
    options.tolerance = 1e-6;
    options.max_iterations = most;
    options.cancelled = settings.cancelled;
    results[at] = solve(problems[at % problems.size()].second,
                        solver(settings, kTable2[at / problems.size()]), options);
  });

  Outcome out;
  out.text = "The thirteen combinations of Table 2, at most " + std::to_string(most) +
             " iterations to an own error of 1e-6 m/s.";
  Table table{"solver-matrix",
              "Table 2 as a matrix of runs",
              {"formulation and solver", "problem", "status", "iterations", "own error, m/s",
               "velocity error, m/s", "friction error, J"},
              {}};
  double solved = 0, there = 0;
  double exact = 0, faceted = std::numeric_limits<double>::infinity();
  std::string not_solved;
  for (std::size_t k = 0; k < kTable2.size(); ++k) {
    there += solver_named(kTable2[k]) != nullptr;
    bool all = true;
    for (std::size_t p = 0; p < problems.size(); ++p) {
      const Result& result = results[k * problems.size() + p];
      all = all && result.status == Status::converged;
      const double error = result.errors[Measure::velocity_error];
      const std::string_view formulation = result.formulation;
      if (result.status == Status::converged) {
        if (formulation == "lcp" || formulation == "mlcp")
          faceted = std::min(faceted, error);
        else
          exact = std::max(exact, error);
      }
      table.rows.push_back({kTable2[k], problems[p].first, std::string(name(result.status)),
                            std::to_string(result.iterations),
                            short_number(result.errors[Measure::own_error]), short_number(error),
                            short_number(result.errors[Measure::friction_error])});
    }
    solved += all;
    if (!all) not_solved += (not_solved.empty() ? "" : ", ") + std::string(kTable2[k]);
  }
  out.claims.push_back(
      {"Table 2", "combinations that exist, of thirteen", exactly(13), there, "", "", ""});
  out.claims.push_back({"Table 2", "combinations that solve both problems, of thirteen",
                        exactly(13), solved,
                        not_solved.empty() ? "" : "Not solved: " + not_solved + ".",
                        "The paper lists what is compatible and shows results of four; sweeps may "
                        "need more iterations than allowed here.",
                        ""});
  out.claims.push_back({"Section 6.3", "least velocity error of an LCP over the largest of an NCP",
                        above(1), faceted / std::max(exact, 1e-300),
                        "“More accurate than the LCP model”: m/s against Coulomb's law, over those "
                        "that converged.",
                        "", ""});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment solver_matrix() {
  return {"solver-matrix", kInterfacePaper, "Table 2", "every solver of the table",
          run_solver_matrix};
}

}  // namespace perpend::reproduce
