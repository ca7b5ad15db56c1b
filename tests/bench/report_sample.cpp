// report_sample FOLDER SOLVERS PROBLEMS: report.html, report.md and results.csv of invented
// results, and what results.csv does not tell (points.csv: tags, points and restarts of the
// histories), for the browser's tests; of few results also results.h5, for the terminal's numbers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/invented_results.hpp"
#include "perpend/bench.hpp"

namespace {

using namespace perpend::bench;

void write_points(const Results& results, std::ofstream file) {
  file << "solver,file,frame,tags,points,friction_points,restarts\n";
  for (const Row& row : results.rows) {
    const ProblemEntry& problem = results.problems[row.problem];
    long friction = 0, restarts = 0;
    for (const Point& point : row.history) {
      friction += !std::isnan(point.friction_error);
      restarts += point.restart;
    }
    file << results.solvers[row.solver].name << ',' << problem.file << ',' << problem.frame << ','
         << problem.tags.at(0) << ' ' << problem.tags.at(1) << ',' << row.history.size() << ','
         << friction << ',' << restarts << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("report_sample FOLDER SOLVERS PROBLEMS\n", stderr), 2;
  const Results results =
      invented_results(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
  const std::string folder = argv[1];
  write_report(results, folder);
  if (results.rows.size() < 1000)
    write_results(results, folder);
  else
    std::ofstream(folder + "/results.csv", std::ios::binary) << to_csv(results);
  write_points(results, std::ofstream(folder + "/points.csv", std::ios::binary));
  return 0;
}
