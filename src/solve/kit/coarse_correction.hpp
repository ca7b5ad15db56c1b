// A coarse correction of contact impulses over aggregates of bodies, between two sweeps.
//
// Sweeps carry a force through a pile contact by contact; what they are slow in is smooth over many
// bodies. Bodies are gathered into aggregates (a body and its neighbours), every contact belongs to
// one, and within an aggregate the correction is that of a uniform stress: a contact with normal n
// gets the traction sigma n, with six numbers for the symmetric sigma. In the rows F that are
// strictly within their bounds, where the answer has y = 0,
//   lambda_F += P_F d,   (P_F^T A P_F) d = -P_F^T y_F,
// which is the best correction of this kind in the energy of A. At a solution y_F = 0 and nothing
// is corrected: the fixed point stays. Joint rows take no part.
#pragma once

#include <memory>

#include "linear/dense_lu.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {

class CoarseCorrection {
 public:
  // Bodies are needed: false from available() for explicit blocks, and where there is nothing to
  // aggregate.
  explicit CoarseCorrection(const System&);
  bool available() const { return aggregates_ > 0; }
  Index aggregates() const { return aggregates_; }

  void apply(BodySpaceState&);
  void apply(BlocksState&) {}

 private:
  using Traction = Eigen::Matrix<double, 3, 6>;  // (n, t, o) of a contact for each part of sigma
  bool classify(const VectorXd& lambda);         // true when F changed
  void factorize();
  Traction free(Index contact) const;

  const System& system_;
  const BodySpace* a_ = nullptr;
  Index aggregates_ = 0;
  std::vector<Index> aggregate_;  // of each contact
  std::vector<Traction> traction_;
  std::vector<char> is_free_;  // by row of contacts
  std::unique_ptr<linear::DenseLu> factor_;
};

}  // namespace perpend
