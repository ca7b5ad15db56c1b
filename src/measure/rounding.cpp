#include "measure/rounding.hpp"

#include <limits>

namespace perpend {
namespace {

VectorXd magnitude(const BodySpace& a, const Impulses& lambda) {
  const Index contacts = static_cast<Index>(a.contacts.size());
  Rows6 w = Rows6::Zero(a.bodies, 6);
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    const Vector3d size = lambda.segment<3>(3 * i).cwiseAbs();
    w.row(c.first) += size.transpose() * c.w1.cwiseAbs();
    w.row(c.second) += size.transpose() * c.w2.cwiseAbs();
  }
  const Index rows = static_cast<Index>(a.joints.size());
  for (Index j = 0; j < rows; ++j) {
    const BodySpace::JointRow& q = a.joints[static_cast<std::size_t>(j)];
    const double size = std::abs(lambda[3 * contacts + j]);
    w.row(q.first) += size * q.w1.cwiseAbs().transpose();
    w.row(q.second) += size * q.w2.cwiseAbs().transpose();
  }
  VectorXd y(lambda.size());
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    y.segment<3>(3 * i) = c.j1.cwiseAbs() * w.row(c.first).transpose() +
                          c.j2.cwiseAbs() * w.row(c.second).transpose();
  }
  for (Index j = 0; j < rows; ++j) {
    const BodySpace::JointRow& q = a.joints[static_cast<std::size_t>(j)];
    y[3 * contacts + j] =
        w.row(q.first).dot(q.j1.cwiseAbs()) + w.row(q.second).dot(q.j2.cwiseAbs());
  }
  if (a.cfm.size()) y += a.cfm.cwiseProduct(lambda.cwiseAbs());
  return y;
}

VectorXd magnitude(const Blocks& a, const Impulses& lambda) {
  VectorXd y = VectorXd::Zero(lambda.size());
  for (Index i = 0; i < a.block_rows(); ++i)
    for (Index e = a.row_start[static_cast<std::size_t>(i)];
         e < a.row_start[static_cast<std::size_t>(i) + 1]; ++e) {
      const Index j = a.column[static_cast<std::size_t>(e)];
      const double* v = a.values.data() + a.offset[static_cast<std::size_t>(e)];
      for (Index r = 0; r < a.dimension(i); ++r)
        for (Index c = 0; c < a.dimension(j); ++c)
          y[a.first_row(i) + r] += std::abs(v[r * a.dimension(j) + c] * lambda[a.first_row(j) + c]);
    }
  return y;
}

}  // namespace

double rounding_of_velocity(const System& s, const Impulses& lambda) {
  if (!lambda.size()) return 0;
  const VectorXd sums = std::visit([&](const auto& a) { return magnitude(a, lambda); }, s.A);
  return std::numeric_limits<double>::epsilon() * (sums + s.b.cwiseAbs()).maxCoeff();
}

}  // namespace perpend
