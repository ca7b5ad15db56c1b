// What it costs to solve in a separate process: the same small problem solved here and by a worker,
// and the time to send a large problem to the worker.
//
//   perpend_worker_bench FILE [SOLVES]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "perpend/bench.hpp"

using namespace perpend;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: perpend_worker_bench FILE [SOLVES]\n");
    return 2;
  }
  const long solves = argc > 2 ? std::atol(argv[2]) : 1000;
  const auto source = io::open_source(argv[1]);
  peers::Worker worker;
  Options options;
  options.max_iterations = 5;
  std::printf("frame  contacts  at home us  worker us  overhead us  first solve us\n");
  for (Index frame = 0; frame < source->frames(); ++frame) {
    const io::Case problem = source->read(frame);
    if (!problem.system) continue;
    std::vector<double> home, there;
    for (long i = 0; i < solves; ++i) {
      const double start = now();
      solve(*problem.system, "ncp/pgs", options);
      home.push_back(now() - start);
    }
    const double given = now();
    worker.give(*problem.system);
    worker.start("ncp/pgs", options);
    worker.wait();
    const double first = now() - given;
    for (long i = 0; i < solves; ++i) {
      const double start = now();
      worker.start("ncp/pgs", options);
      worker.wait();
      there.push_back(now() - start);
    }
    const double a = median(home), b = median(there);
    std::printf("%5ld  %8ld  %10.1f  %9.1f  %11.1f  %14.1f\n", static_cast<long>(frame),
                static_cast<long>(problem.counts.contacts), 1e6 * a, 1e6 * b, 1e6 * (b - a),
                1e6 * first);
  }
}
