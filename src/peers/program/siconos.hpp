// Siconos' matrices and options with an owner.
#pragma once

#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>

#include <memory>

#include "perpend/system.hpp"

namespace perpend::peers {

struct FreeMatrix {
  void operator()(NumericsMatrix* matrix) const { NM_free(matrix); }
};
using SiconosMatrix = std::unique_ptr<NumericsMatrix, FreeMatrix>;
enum class Storage { dense, sparse, blocks };
SiconosMatrix to_siconos(const SparseMatrix&, Storage);

struct FreeOptions {
  void operator()(SolverOptions* options) const { solver_options_delete(options); }
};
using SiconosOptions = std::unique_ptr<SolverOptions, FreeOptions>;

}  // namespace perpend::peers
