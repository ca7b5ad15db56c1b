// Nguyen and Trinkle 2010, section 5: staggered programs have "linear expected running time instead
// of PATH O(n^3) average". The programs as they are printed, with facets (staggered.hpp), beside
// ncp/staggered, which has the disk in their place, and PATH.
//
// Work is counted and not timed, so that every machine finds the same: in visits of a contact by a
// sweep that visits one after the other, or in what costs as much.
#include <array>
#include <cmath>
#include <functional>

#include "perpend/solve/price.hpp"
#include "reproduce/staggered.hpp"

namespace perpend::reproduce {
namespace {

// Cubes in the lowest row: minutes beyond.
constexpr int kLargestPath = 12, kLargestPyramids = 16;
constexpr double kAgree = 1e-8;  // m/s, velocities of the two programs
constexpr long kTurns = 1000;

struct Point {
  double contacts = 0, work = 0;
  bool solved = false;
};

// The work for each contact, of the smallest and of the largest that was solved.
std::string growing(const std::vector<Point>& points) {
  std::vector<double> each;
  for (const Point& one : points)
    if (one.solved) each.push_back(one.work / one.contacts);
  return each.empty() ? "–" : short_number(each.front()) + " to " + short_number(each.back());
}

struct Way {
  std::string label;
  int largest;
  std::function<Point(const System&, const Settings&)> run;
};

Result solved(const System& system, const std::string& name, const Settings& settings) {
  Options options;
  options.tolerance = 1e-8;
  options.max_iterations = 100000;
  options.measure_all = false;
  options.cancelled = settings.cancelled;
  return solve(system, name, options);
}

double visits(const System& system, const Result& result) {
  return result.sweeps * sweep_price(system) * static_cast<double>(system.contacts());
}

Way by_solver(std::string label, const std::string& name, int largest) {
  return {std::move(label), largest, [name](const System& system, const Settings& settings) {
            const Result result = solved(system, solver(settings, name), settings);
            return Point{static_cast<double>(system.contacts()), visits(system, result),
                         result.status == Status::converged};
          }};
}

// A step of an interior point method for a program in velocities factors one matrix over the graph
// of bodies. So does a Newton step of ncp/staggered, whose operations are counted.
Point as_printed(const System& system, const Settings& settings) {
  const StaggeredRun run = staggered_pyramids(system, kAgree, kTurns, settings);
  const Result priced = solved(system, "ncp/staggered", settings);
  const auto factorizations =
      static_cast<double>(priced.work[static_cast<std::size_t>(Work::factorization)]);
  const double each = visits(system, priced) / std::max(1.0, factorizations);
  return {static_cast<double>(system.contacts()), each * static_cast<double>(run.steps), run.met};
}

// Does the iteration as it is printed end, and where? On configurations that friction holds.
void add_answers(Outcome& out, const Settings& settings) {
  constexpr double kSolved = 1e-6;  // m/s
  const std::array<const char*, 4> scenes{"slope", "stack", "gears", "friction-stack"};
  std::array<StaggeredRun, scenes.size()> runs;
  std::array<Index, scenes.size()> contacts{};
  for_each(settings, scenes.size(), [&](std::size_t i) {
    const System system = assemble(first_frame(built_in(scenes[i])));
    contacts[i] = system.contacts();
    runs[i] = staggered_pyramids(system, kAgree, settings.quick ? 300 : kTurns, settings);
  });
  Table table{"staggered",
              "The staggered programs as they are printed",
              {"scene", "contacts", "turns", "velocities agree", "error of eq. 11, m/s"},
              {}};
  double ended = 0, solved = 0;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    ended += runs[i].met;
    solved += runs[i].error <= kSolved;
    table.rows.push_back({scenes[i], std::to_string(contacts[i]), std::to_string(runs[i].turns),
                          runs[i].met ? "yes" : "no", short_number(runs[i].error)});
  }
  const auto all = static_cast<double>(scenes.size());
  out.claims.push_back({"Section 5",
                        "scenes of " + whole(all) + " in which |ν₁ − ν₂| ≤ 1e-8 m/s is met",
                        exactly(all), ended,
                        "Two quadratic programs in turns, with eight facets, at most " +
                            std::to_string(settings.quick ? 300 : kTurns) + " turns.",
                        "The turns are a fixed-point iteration that nothing makes converge: where "
                        "friction carries the load, normal and friction impulses chase each other.",
                        ""});
  out.claims.push_back({"Section 5", "scenes of " + whole(all) + " in which its end solves eq. 11",
                        exactly(all), solved, "To 1e-6 m/s.",
                        "Where the turns do not converge, their last point is no solution.", ""});
  out.tables.push_back(std::move(table));
}

Outcome run_growth(const Settings& settings) {
  std::vector<int> sizes{2, 3, 4, 6, 8, 12, 16};
  if (!settings.quick) sizes.insert(sizes.end(), {24, 32});
  const std::vector<Way> ways{
      {"staggered, as printed", settings.quick ? 8 : kLargestPyramids, as_printed},
      by_solver("staggered, with the disk", "ncp/staggered", std::numeric_limits<int>::max()),
      by_solver("PATH", "mlcp/path", kLargestPath)};
  std::vector<std::vector<Point>> found(ways.size(), std::vector<Point>(sizes.size()));
  for_each(settings, sizes.size(), [&](std::size_t i) {
    const System system = assemble(first_frame(built_in("pyramid:" + std::to_string(sizes[i]))));
    for (std::size_t k = 0; k < ways.size(); ++k)
      if (sizes[i] <= ways[k].largest) found[k][i] = ways[k].run(system, settings);
  });

  Outcome out;
  out.text =
      "First steps of pyramids of cubes, from zero impulses to 1e-8 m/s. Work is counted in visits "
      "of a contact by a sweep, or what costs as much. As printed: two quadratic programs in turns "
      "with the friction pyramid, each solved by an interior point method, whose steps cost as "
      "much "
      "as those of ncp/staggered: a factorization over the same bodies. With the disk: "
      "ncp/staggered.";
  draw::Plot plot;
  plot.title = "pyramids";
  plot.x = {"contacts", true};
  plot.y = {"visits of contacts", true};
  Table table{"growth", "Work", {"contacts"}, {}};
  for (const Way& way : ways) table.columns.push_back(way.label);
  const std::array<Printed, 3> printed{about(1, 0.3), about(1, 0.3), about(3, 0.5)};
  const std::array<const char*, 3> if_differs{
      "An elimination of a growing pile costs more than its contacts.",
      "The programs of larger piles take more iterations. The paper promises linear growth for "
      "methods that it was still developing.",
      "On these pyramids pivots become both more and dearer."};
  for (std::size_t k = 0; k < ways.size(); ++k) {
    std::vector<double> x, y;
    double unsolved = 0, tried = 0;
    for (const Point& one : found[k]) {
      tried += one.contacts > 0;
      unsolved += one.contacts > 0 && !one.solved;
      if (!one.solved || one.contacts < 30) continue;  // the smallest are overhead
      x.push_back(one.contacts);
      y.push_back(one.work);
    }
    plot.curves.push_back(curve(ways[k].label, x, y));
    plot.curves.back().marks = true;
    out.claims.push_back(
        {"Section 5", ways[k].label + ": exponent of the work over contacts", printed[k],
         x.size() > 1 ? exponent(x, y) : std::numeric_limits<double>::quiet_NaN(),
         whole(unsolved) + " of " + whole(tried) +
             " pyramids not solved to 1e-8 m/s. Visits for each contact: " + growing(found[k]) +
             ".",
         if_differs[k], ""});
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<std::string> row{whole(found[1][i].contacts)};
    for (std::size_t k = 0; k < ways.size(); ++k)
      row.push_back(found[k][i].solved ? whole(found[k][i].work) : "–");
    table.rows.push_back(row);
  }
  out.figures.push_back({"growth", "Section 5: growth", {plot}});
  out.tables.push_back(std::move(table));
  add_answers(out, settings);
  return out;
}

}  // namespace

Experiment growth() {
  return {"growth", kDvcPaper, "Section 5", "how work grows with size", run_growth};
}

}  // namespace perpend::reproduce
