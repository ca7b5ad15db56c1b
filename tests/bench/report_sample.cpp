// report_sample FOLDER SOLVERS PROBLEMS: report.html, report.md and results.csv of invented
// results, and what results.csv does not tell (points.csv: tags, points and restarts of the
// histories, own_error after 10, 40 and 400 iterations and at the end), for the browser's tests; of
// few results also results.h5, for the terminal's numbers, and histories of more measures.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/invented_results.hpp"
#include "perpend/bench.hpp"

namespace {

using namespace perpend::bench;

void write_points(const Results& results, std::ofstream file) {
  file << "solver,file,frame,tags,points,friction_points,restarts,after_10,after_40,after_400,"
          "end\n";
  for (const Row& row : results.rows) {
    const ProblemEntry& problem = results.problems[row.problem];
    long friction = 0, restarts = 0;
    for (const Point& point : row.history) {
      friction += !std::isnan(point.errors[3]);
      restarts += point.restart;
    }
    file << results.solvers[row.solver].name << ',' << problem.file << ',' << problem.frame << ','
         << problem.tags.at(0) << ' ' << problem.tags.at(1) << ',' << row.history.size() << ','
         << friction << ',' << restarts;
    for (const double k : {10.0, 40.0, 400.0, HUGE_VAL}) {
      file << ',';
      const Point* last = nullptr;
      for (const Point& point : row.history)
        if (static_cast<double>(point.iteration) <= k) last = &point;
      if (last) file << last->errors[0];
    }
    file << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("report_sample FOLDER SOLVERS PROBLEMS\n", stderr), 2;
  using perpend::HistoryMeasure;
  using perpend::Measure;
  const std::size_t solvers = std::strtoul(argv[2], nullptr, 10),
                    problems = std::strtoul(argv[3], nullptr, 10);
  std::vector<HistoryMeasure> more;
  if (solvers * problems < 1000)
    more = {Measure::total_error, HistoryMeasure(Measure::pgs_merit, true), Measure::energy_change};
  const Results results = invented_results(solvers, problems, more);
  const std::string folder = argv[1];
  write_report(results, folder);
  if (results.rows.size() < 1000)
    write_results(results, folder);
  else
    std::ofstream(folder + "/results.csv", std::ios::binary) << to_csv(results);
  write_points(results, std::ofstream(folder + "/points.csv", std::ios::binary));
  return 0;
}
