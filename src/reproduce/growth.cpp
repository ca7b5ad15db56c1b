// Nguyen and Trinkle 2010, section 5: staggered programs have "linear expected running time instead
// of PATH O(n^3) average".
//
// Work is counted and not timed, so that every machine finds the same: sweeps over the problem
// times its contacts. ncp/staggered has the disk where the paper has facets.
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr int kLargestPath = 12;  // cubes in the lowest row: minutes beyond

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

Outcome run_growth(const Settings& settings) {
  std::vector<int> sizes{2, 3, 4, 6, 8, 12, 16};
  if (!settings.quick) sizes.insert(sizes.end(), {24, 32});
  const std::vector<std::pair<std::string, std::string>> methods{{"staggered", "ncp/staggered"},
                                                                 {"PATH", "mlcp/path"}};
  std::vector<std::vector<Point>> found(methods.size(), std::vector<Point>(sizes.size()));
  for_each(settings, sizes.size(), [&](std::size_t i) {
    const System system = assemble(first_frame(built_in("pyramid:" + std::to_string(sizes[i]))));
    for (std::size_t k = 0; k < methods.size(); ++k) {
      if (k == 1 && sizes[i] > kLargestPath) continue;
      Options options;
      options.tolerance = 1e-8;
      options.max_iterations = 100000;
      options.measure_all = false;
      options.cancelled = settings.cancelled;
      const Result result = solve(system, solver(settings, methods[k].second), options);
      const auto contacts = static_cast<double>(system.contacts());
      found[k][i] = {contacts, result.sweeps * contacts, result.status == Status::converged};
    }
  });

  Outcome out;
  out.text =
      "First steps of pyramids of cubes, from zero impulses to 1e-8 m/s. Work is counted in "
      "visits of contacts: sweeps over the problem, or what costs as much, times contacts.";
  draw::Plot plot;
  plot.title = "pyramids";
  plot.x = {"contacts", true};
  plot.y = {"visits of contacts", true};
  Table table{"growth", "Work", {"contacts", "staggered", "PATH"}, {}};
  std::vector<double> slopes;
  std::vector<double> unsolved(methods.size(), 0);
  for (std::size_t k = 0; k < methods.size(); ++k) {
    std::vector<double> x, y;
    for (const Point& one : found[k]) {
      if (one.contacts > 0 && !one.solved) unsolved[k] += 1;
      if (!one.solved || one.contacts < 30) continue;  // the smallest are overhead
      x.push_back(one.contacts);
      y.push_back(one.work);
    }
    slopes.push_back(x.size() > 1 ? exponent(x, y) : std::numeric_limits<double>::quiet_NaN());
    plot.curves.push_back(curve(methods[k].first, x, y));
    plot.curves.back().marks = true;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<std::string> row{whole(found[0][i].contacts)};
    for (std::size_t k = 0; k < methods.size(); ++k)
      row.push_back(found[k][i].solved ? short_number(found[k][i].work) : "–");
    table.rows.push_back(row);
  }
  out.figures.push_back({"growth", "Section 5: growth", {plot}});
  out.claims.push_back(
      {"Section 5", "staggered: exponent of the work over contacts", about(1, 0.3), slopes[0],
       whole(unsolved[0]) + " of " + std::to_string(sizes.size()) +
           " pyramids not solved to 1e-8 m/s. Visits for each contact: " + growing(found[0]) + ".",
       "The programs of larger piles take more iterations. The paper promises linear growth for "
       "methods that it was still developing.",
       ""});
  out.claims.push_back(
      {"Section 5", "PATH: exponent of the work over contacts", about(3, 0.5), slopes[1],
       whole(unsolved[1]) + " pyramids not solved. Visits for each contact: " + growing(found[1]) +
           ".",
       "On these pyramids pivots become both more and dearer.", ""});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment growth() {
  return {"growth", kDvcPaper, "Section 5", "how work grows with size", run_growth};
}

}  // namespace perpend::reproduce
