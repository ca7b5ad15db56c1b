// Checks recordings of DART that are too long for the tests: DART's own methods, run on every
// recorded problem, must give DART's velocities (tests/capture/dart/boxed_lcp.hpp), and the
// recorded forces and impulses must explain the change of momentum.
//
//   perpend_dart_proof_bench FILE.h5 [FIRST [LAST]] [--from-answer]
//
// --from-answer: if Dantzig's method answered, start Newton's method at DART's answer and solve to
// 2e-13 m/s. Use it for problems that take too long from zero. A is positive definite, so there is
// only one solution.
//
// Prints one line per frame, and the worst at the end. Differences of velocities are relative to
// the largest speed of the frame (at least 1 m/s), as in the tests.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "capture/dart/boxed_lcp.hpp"
#include "capture/proof.hpp"

namespace {

using namespace perpend;

Impulses from_its_answer(const System& system, const io::Record& record) {
  Options options;
  options.tolerance = 2e-13;
  options.warm_start = from_rows(system, record.answer.z, record.answer.z_joints);
  const Result result = solve(system, "box/newton", options);
  std::printf("own_error %.1e m/s after %ld steps; ", result.errors[Measure::own_error],
              result.iterations);
  return result.impulses;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace perpend::capture;
  const bool from_answer = argc > 2 && std::string(argv[argc - 1]) == "--from-answer";
  argc -= from_answer;
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: perpend_dart_proof_bench FILE.h5 [FIRST [LAST]] [--from-answer]\n");
    return 2;
  }
  try {
    const io::FrameReader reader(argv[1]);
    const Index first = argc > 2 ? std::atol(argv[2]) : 0;
    const Index last = argc > 3 ? std::atol(argv[3]) : reader.frames() - 1;
    double momentum = 0, reproduced = 0;
    for (Index k = first; k <= last && k < reader.frames(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      const io::Record record = reader.read(k);
      const bool polished = from_answer && record.answer.answered == "Dantzig";
      const double closes = momentum_gap(record),
                   differs = reproduction_gap(
                       record, polished ? from_its_answer : capture::from_dart::as_dart);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      std::printf(
          "%ld: %ld contacts, %ld joint rows, %s: momentum closes to %.1e, reproduced to %.1e "
          "(%.2f s)\n",
          static_cast<long>(k), static_cast<long>(record.frame.contacts.count()),
          static_cast<long>(record.frame.joints.row_count()), record.answer.answered.c_str(),
          closes, differs, seconds.count());
      std::fflush(stdout);
      momentum = std::max(momentum, closes);
      reproduced = std::max(reproduced, differs);
    }
    std::printf("worst: momentum closes to %.1e, velocities reproduced to %.1e\n", momentum,
                reproduced);
  } catch (const io::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
