// Dense LU with partial pivoting, for bases of pivoting methods.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace perpend::linear {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class DenseLu {
 public:
  explicit DenseLu(const Eigen::MatrixXd&);
  ~DenseLu();
  DenseLu(const DenseLu&) = delete;
  DenseLu& operator=(const DenseLu&) = delete;

  // An estimate of 1/(|B| |B^-1|) in the 1-norm; 0 when singular.
  double reciprocal_condition() const;
  // False when an elimination met a zero.
  bool regular() const;
  Eigen::VectorXd solve(const Eigen::VectorXd&) const;
  RowMatrix inverse() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace perpend::linear
