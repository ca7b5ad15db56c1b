// Siconos' solvers of the linear complementarity problem, linearComplementarity_driver:
// 0 <= z perp w = M z + q >= 0, M dense. The driver first tries z = 0; options are its defaults
// except tolerance and limit.
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/lcp_cst.h>

#include "peers/program/hosts.hpp"
#include "peers/program/siconos.hpp"

namespace perpend::peers {
namespace {

struct Row {
  const char* name;
  int id;
};
constexpr Row kRows[] = {
    {"lcp/siconos-lemke", SICONOS_LCP_LEMKE},
    {"lcp/siconos-rpgs", SICONOS_LCP_RPGS},
    {"lcp/siconos-newton-min-fb", SICONOS_LCP_NEWTON_MIN_FBLSA},
    {"lcp/siconos-cao-ferris", SICONOS_LCP_AVI_CAOFERRIS},
};

class LinearHost final : public Host {
 public:
  LinearHost(int id, const Task& task) : id_(id), M_(to_siconos(task.A, Storage::dense)) {
    numerics_set_verbose(0);
  }

  Answer solve(const Call& call) override {
    const SiconosOptions options(solver_options_create(id_));
    options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(call.iterations);
    options->dparam[SICONOS_DPARAM_TOL] = call.tolerance;
    VectorXd q = call.b, w = VectorXd::Zero(q.size());
    LinearComplementarityProblem problem{static_cast<int>(q.size()), M_.get(), q.data()};
    Answer answer;
    answer.x = call.start;
    int failed = 0;
    answer.seconds = seconds_of([&] {
      failed = linearComplementarity_driver(&problem, answer.x.data(), w.data(), options.get());
    });
    answer.solved = failed == 0;
    if (failed != 0) answer.remark = "returned " + std::to_string(failed);
    answer.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    answer.error = options->dparam[SICONOS_DPARAM_RESIDU];
    return answer;
  }

 private:
  int id_;
  SiconosMatrix M_;
};

}  // namespace

std::unique_ptr<Host> siconos_linear_host(const Task& task) {
  for (const Row& row : kRows)
    if (task.peer == row.name) return std::make_unique<LinearHost>(row.id, task);
  return nullptr;
}

}  // namespace perpend::peers
