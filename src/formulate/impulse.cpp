// What box and ncp share: unknowns that are the impulses themselves.
//
// A group of alternatives enters as its face u alone, an ordinary contact; the impulses of the
// other faces are zero on the way back and are not read on the way in.
#include "perpend/formulate.hpp"

namespace perpend {

ImpulseProblem::ImpulseProblem(const System& system) : system_(&system) {
  if (!system.groups.empty()) reduced_ = without_groups(system, kept_);
}

Index ImpulseProblem::size() const { return system().rows(); }

Impulses ImpulseProblem::impulses(const VectorXd& z) const {
  if (!reduced_) return z;
  Impulses lambda = Impulses::Zero(system_->rows());
  for (std::size_t i = 0; i < kept_.size(); ++i)
    lambda.segment<3>(3 * kept_[i]) = z.segment<3>(3 * static_cast<Index>(i));
  lambda.tail(system_->joint_rows()) = z.tail(system_->joint_rows());
  return lambda;
}

VectorXd ImpulseProblem::unknowns(const Impulses& lambda) const {
  if (!reduced_) return lambda;
  VectorXd z(reduced_->rows());
  for (std::size_t i = 0; i < kept_.size(); ++i)
    z.segment<3>(3 * static_cast<Index>(i)) = lambda.segment<3>(3 * kept_[i]);
  z.tail(system_->joint_rows()) = lambda.tail(system_->joint_rows());
  return z;
}

}  // namespace perpend
