// Siconos' solvers of the friction contact problem, fc3d_driver: u = M r + q in Coulomb's law,
// three rows (n, t, o) for each contact. Its error is natural_map_error with ||q||
// (docs/errors.md).
//
// Gauss-Seidel and the projection methods want M in 3x3 blocks, Newton methods and ADMM sparse:
// with the other storage they end the process. Options are Siconos' own defaults except tolerance
// and limit, and where a row says so.
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsVerbose.h>

#include "peers/program/hosts.hpp"
#include "peers/program/siconos.hpp"

namespace perpend::peers {
namespace {

void nothing(SolverOptions&) {}

// The error in full after each sweep: by default the change of r is taken for it, and the answer
// solved again, much farther than asked, when it was not.
void full(SolverOptions& options) {
  options.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
}

// Of the two forms of the quartic, the other one answers NaN where a contact's block is isotropic,
// as under a ball.
void quartic(SolverOptions& options) {
  solver_options_update_internal(&options, 0, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU);
  full(options);
}

// Gauss-Seidel in place of Newton inside the proximal point.
void sweeps_inside(SolverOptions& options) {
  solver_options_update_internal(&options, 0, SICONOS_FRICTION_3D_NSGS);
  full(*options.internalSolvers[0]);
}

// Extragradients bring Newton near the answer.
void hybrid(SolverOptions& options) {
  options.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] =
      SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}

struct Row {
  const char* name;
  int id;
  Storage storage;
  void (*adjust)(SolverOptions&);
};
constexpr Row kRows[] = {
    {"ncp/siconos-nsgs", SICONOS_FRICTION_3D_NSGS, Storage::blocks, nothing},
    {"ncp/siconos-nsgs-full", SICONOS_FRICTION_3D_NSGS, Storage::blocks, full},
    {"ncp/siconos-nsgs-quartic", SICONOS_FRICTION_3D_NSGS, Storage::blocks, quartic},
    {"ncp/siconos-prox", SICONOS_FRICTION_3D_PROX, Storage::sparse, nothing},
    {"ncp/siconos-prox-nsgs", SICONOS_FRICTION_3D_PROX, Storage::blocks, sweeps_inside},
    {"ncp/siconos-tresca", SICONOS_FRICTION_3D_TFP, Storage::blocks, nothing},
    {"ncp/siconos-panagiotopoulos", SICONOS_FRICTION_3D_PFP, Storage::blocks, nothing},
    {"ncp/siconos-aclm", SICONOS_FRICTION_3D_ACLMFP, Storage::blocks, nothing},
    {"ncp/siconos-nsn", SICONOS_FRICTION_3D_NSN_AC, Storage::sparse, nothing},
    {"ncp/siconos-nsn-hybrid", SICONOS_FRICTION_3D_NSN_AC, Storage::sparse, hybrid},
    {"ncp/siconos-nsn-fb", SICONOS_FRICTION_3D_NSN_FB, Storage::sparse, nothing},
    {"ncp/siconos-nsn-nm", SICONOS_FRICTION_3D_NSN_NM, Storage::sparse, nothing},
    {"ncp/siconos-fixed-point", SICONOS_FRICTION_3D_FPP, Storage::blocks, nothing},
    {"ncp/siconos-extragradient", SICONOS_FRICTION_3D_EG, Storage::blocks, nothing},
    {"ncp/siconos-vi-fixed-point", SICONOS_FRICTION_3D_VI_FPP, Storage::blocks, nothing},
    {"ncp/siconos-vi-extragradient", SICONOS_FRICTION_3D_VI_EG, Storage::blocks, nothing},
    {"ncp/siconos-admm", SICONOS_FRICTION_3D_ADMM, Storage::sparse, nothing},
};

class ConeHost final : public Host {
 public:
  ConeHost(const Row& row, const Task& task)
      : row_(row), M_(to_siconos(task.A, row.storage)), A_(task.A), mu_(task.mu) {
    numerics_set_verbose(0);
  }

  Answer solve(const Call& call) override {
    const SiconosOptions options(solver_options_create(row_.id));
    row_.adjust(*options);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(call.iterations);
    options->dparam[SICONOS_DPARAM_TOL] = call.tolerance;
    VectorXd q = call.b, mu = mu_;
    FrictionContactProblem problem{3, static_cast<int>(mu.size()), M_.get(), q.data(), mu.data()};
    Answer answer;
    answer.x = call.start;
    VectorXd u = A_ * call.start + call.b;
    int failed = 0;
    answer.seconds = seconds_of(
        [&] { failed = fc3d_driver(&problem, answer.x.data(), u.data(), options.get()); });
    answer.solved = failed == 0;
    if (failed != 0) answer.remark = "returned " + std::to_string(failed);
    answer.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    answer.error = options->dparam[SICONOS_DPARAM_RESIDU];
    return answer;
  }

 private:
  const Row& row_;
  SiconosMatrix M_;
  SparseMatrix A_;
  VectorXd mu_;
};

}  // namespace

std::unique_ptr<Host> siconos_cone_host(const Task& task) {
  for (const Row& row : kRows)
    if (task.peer == row.name) return std::make_unique<ConeHost>(row, task);
  return nullptr;
}

}  // namespace perpend::peers
