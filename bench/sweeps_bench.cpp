// The sweeps table of results/: sweeps of box/pgs and box/nncg until pgs_merit/|lambda|^2 <= 1e-10,
// frame by frame (Silcowitz-Hansen et al. 2010, section 5, count sweeps).
// Usage: perpend_sweeps_bench FILE.jsonl...
#include <cstdio>
#include <string>

#include "perpend/io.hpp"

namespace {

using namespace perpend;

constexpr double kGoal = 1e-10;
constexpr long kLimit = 100000;

// The number of sweeps; -1: more than the limit.
long sweeps(const System& s, const char* solver) {
  long needed = -1;
  Options o;
  o.tolerance = 0;
  o.max_iterations = kLimit;
  o.observer = [&](const Iteration& i) {
    const double size = i.z.squaredNorm();
    if (measure(s, i.z, Measure::pgs_merit) > kGoal * size) return true;
    needed = i.iteration;
    return false;
  };
  const Result r = solve(s, solver, o);
  return r.status == Status::converged ? r.iterations : needed;
}

std::string count(long n) { return n < 0 ? "> " + std::to_string(kLimit) : std::to_string(n); }

}  // namespace

int main(int argc, char** argv) {
  std::printf("frame,contacts,joint_rows,pgs_sweeps,nncg_sweeps\n");
  long total[2] = {0, 0};
  for (int k = 1; k < argc; ++k)
    for (const io::Record& record : io::read_json_lines(argv[k])) {
      std::vector<Index> kept;
      const System s = without_groups(assemble(record.frame), kept);
      if (s.rows() == 0) continue;
      const long pgs = sweeps(s, "box/pgs"), nncg = sweeps(s, "box/nncg");
      total[0] += pgs < 0 ? kLimit : pgs;
      total[1] += nncg < 0 ? kLimit : nncg;
      std::printf("\"%s\",%ld,%ld,%s,%s\n", record.name.c_str(), static_cast<long>(s.contacts()),
                  static_cast<long>(s.joint_rows()), count(pgs).c_str(), count(nncg).c_str());
    }
  std::printf("all,,,%ld,%ld\n", total[0], total[1]);
  return 0;
}
