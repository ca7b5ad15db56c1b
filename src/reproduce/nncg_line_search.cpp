// Silcowitz-Hansen et al. 2010, Fig. 3: NNCG with a backtracking line search (Armijo, c1 = 0.01).
//
// The figure does not say on which configuration. It is run on all nine.
#include <algorithm>
#include <array>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

// Step lengths tried before the search gives up. The paper tells no limit; ours has 5 by itself.
constexpr std::array<const char*, 2> kTrials{"30", "5"};

Outcome run_line_search(const Settings& settings) {
  constexpr std::size_t kIterations = 150;
  const auto list = configurations_of_table_1();
  struct Three {
    Descent pgs, nncg;
    std::array<Descent, kTrials.size()> line;
  };
  std::vector<Three> runs(list.size());
  for_each(settings, list.size(), [&](std::size_t i) {
    const System system = first_system(list[i]);
    const auto go = [&](const std::string& wanted, const char* trials = nullptr) {
      const std::string name = solver(settings, wanted);
      std::map<std::string, std::string> set;
      if (trials && name == wanted) set["trials"] = trials;  // another's options are not known
      return descent(system, name, static_cast<long>(kIterations), settings, set);
    };
    runs[i] = {go("box/pgs"), go("box/nncg"), {}};
    for (std::size_t k = 0; k < kTrials.size(); ++k)
      runs[i].line[k] = go("box/nncg-armijo", kTrials[k]);
  });

  Outcome out;
  out.text =
      "The first step of each configuration, from zero impulses, 150 PGS sweeps; every trial "
      "of the line search costs one. It halves the step until the condition is met, at most 30 "
      "times, or 5 as box/nncg-armijo does by itself; then it restarts. Its curve is ‖∇f‖² at all "
      "trials, also at those that were rejected.";
  out.figures.push_back({"nncg-line-search", "Fig. 3: NNCG with a line search", {}});
  Table table{"nncg-line-search",
              "The lowest ‖∇f‖² after 150 sweeps, (N s)²",
              {"configuration", "PGS", "NNCG", "line search, 30 trials", "5 trials",
               "restarts of NNCG", "of 30 trials", "of 5 trials"},
              {}};
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  std::array<double, kTrials.size()> beats_nncg{}, beats_pgs{}, restarts{};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Three& r = runs[i];
    draw::Plot plot;
    plot.title = std::string("(") + list[i].letter + ") " + list[i].scene;
    plot.x.label = "sweeps";
    plot.y = {"‖∇f‖², (N s)²", true};
    plot.curves = {curve("PGS", r.pgs.shown()), curve("NNCG", r.nncg.shown()),
                   curve("NNCG-LINE", r.line[0].shown())};
    out.figures[0].plots.push_back(plot);
    const std::string letter(1, list[i].letter);
    columns.emplace_back("PGS " + letter, r.pgs.merit);
    columns.emplace_back("NNCG " + letter, r.nncg.merit);
    const double pgs = r.pgs.lowest(kIterations), nncg = r.nncg.lowest(kIterations);
    std::vector<std::string> errors{letter + " " + list[i].scene, short_number(pgs),
                                    short_number(nncg)},
        counts{std::to_string(r.nncg.restarts.size())};
    for (std::size_t k = 0; k < kTrials.size(); ++k) {
      const double line = r.line[k].lowest(kIterations);
      columns.emplace_back(std::string("NNCG-LINE ") + kTrials[k] + " " + letter, r.line[k].merit);
      beats_nncg[k] += line < nncg / 2;
      beats_pgs[k] += line < pgs / 2;
      restarts[k] += static_cast<double>(r.line[k].restarts.size());
      errors.push_back(short_number(line));
      counts.push_back(std::to_string(r.line[k].restarts.size()));
    }
    errors.insert(errors.end(), counts.begin(), counts.end());
    table.rows.push_back(std::move(errors));
  }
  const auto claim = [&](const char* quantity, const std::array<double, kTrials.size()>& found,
                         const std::string& how, const char* if_differs) {
    out.claims.push_back({"Fig. 3", quantity, exactly(0), found[0],
                          how + " At most 30 trials; with 5 it is " + whole(found[1]) + ".",
                          if_differs, ""});
  };
  const std::string half = "Configurations with less than half of the error after 150 sweeps.";
  claim("configurations of nine in which the line search beats NNCG", beats_nncg, half,
        "Where NNCG restarts often, steps that are held back pay.");
  claim("configurations of nine in which the line search beats PGS", beats_pgs, half,
        "The line search keeps most of the gain of NNCG over PGS; the paper shows one "
        "configuration and does not say which.");
  claim("restarts of NNCG with line search, in all nine", restarts,
        "A restart: the search falls back to the direction of PGS.",
        "−r is not the derivative of f, so no step along p may meet the condition.");
  out.tables.push_back(std::move(table));
  out.tables.push_back(series("line-search-curves", "‖∇f‖² at every sweep", "sweep", columns));
  return out;
}

}  // namespace

Experiment nncg_line_search() {
  return {"nncg-line-search", kNncgPaper, "Fig. 3", "NNCG with a line search", run_line_search};
}

}  // namespace perpend::reproduce
