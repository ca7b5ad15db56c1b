// Impulses that answer the velocities they make: d = f - G A d, that is (1 + G A) d = f.
//
// In body space this is dw = (M + J^T G J)^-1 J^T f, d = f - G J dw, factorized in 6x6 blocks of
// bodies however many contacts they have; with explicit A it is a sparse LU of 1 + G A. Compliance
// is part of A in explicit blocks, and must be put into G in body space (`compliance`).
#pragma once

#include "solve/kit/newton_space.hpp"

namespace perpend {

// No slope in any row.
inline void clear(const System& s, RowSlopes& G) {
  G.contact.assign(static_cast<std::size_t>(s.contacts()), Matrix3d::Zero());
  G.joint.assign(static_cast<std::size_t>(s.joint_rows()), 0);
}
// out = G u
inline void multiply(const RowSlopes& G, const VectorXd& u, VectorXd& out) {
  out.resize(u.size());
  const Index m = static_cast<Index>(G.contact.size());
  for (Index i = 0; i < m; ++i)
    out.segment<3>(3 * i).noalias() = G.contact[static_cast<std::size_t>(i)] * u.segment<3>(3 * i);
  for (Index j = 0; j < static_cast<Index>(G.joint.size()); ++j)
    out[3 * m + j] = G.joint[static_cast<std::size_t>(j)] * u[3 * m + j];
}

template <class Space>
class ImplicitRows {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) { return space_.prepare(s); }
  const Space& space() const { return space_; }
  bool factorize(const RowSlopes& G) {
    G_ = &G;
    return space_.factorize(G);
  }
  // Leaves A d (without compliance in body space) in `du`. G must not have changed since
  // `factorize`.
  void solve(const VectorXd& f, VectorXd& d, VectorXd& du) {
    space_.respond(f, e_);
    e_ = -e_;
    space_.step(e_, w_);
    space_.differential(w_, du);
    multiply(*G_, du, answer_);
    d = f - answer_;
  }

 private:
  Space space_;
  const RowSlopes* G_ = nullptr;
  VectorXd e_, w_, answer_;
};

// Compliance of every row that A in this space leaves to G.
inline VectorXd compliance(const System& s, const BodyNewtonSpace&) { return body_compliance(s); }
inline VectorXd compliance(const System& s, const ImpulseNewtonSpace&) {
  return VectorXd::Zero(s.rows());
}

}  // namespace perpend
