#include "peers/program/siconos.hpp"

#include <siconos/numerics/SparseBlockMatrix.h>

#include <cstdlib>

namespace perpend::peers {

SiconosMatrix to_siconos(const SparseMatrix& A, Storage storage) {
  const int n = static_cast<int>(A.rows());
  if (storage == Storage::dense) {
    SiconosMatrix dense(NM_create(NM_DENSE, n, n));
    Eigen::Map<Eigen::MatrixXd>(dense->matrix0, n, n) = A;
    return dense;
  }
  SiconosMatrix sparse(NM_create(NM_SPARSE, n, n));
  NM_triplet_alloc(sparse.get(), A.nonZeros());
  for (Index row = 0; row < A.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(A, row); it; ++it)
      NM_entry(sparse.get(), static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  if (storage == Storage::sparse) return sparse;
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(3, NM_csc(sparse.get()), blocks);
  return SiconosMatrix(NM_new_SBM(n, n, blocks));
}

}  // namespace perpend::peers
