// A seen block by block, the way Gauss-Seidel methods visit it: u(i), push(i, d), block(i).
//
// A state holds lambda and keeps y = A lambda + b available at O(1) blocks (body space) or one
// block row (explicit). The two forms are two classes with the same functions; methods are
// templates over them and are entered once per solve through `with_state`.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// Diagonal blocks of A: of a contact, and of a joint row.
inline Matrix3d diagonal_block(const BodySpace& a, Index i) {
  const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
  Matrix3d block = c.j1 * c.w1.transpose() + c.j2 * c.w2.transpose();
  if (a.cfm.size()) block.diagonal() += a.cfm.segment<3>(3 * i);
  return block;
}
inline Matrix3d diagonal_block(const Blocks& a, Index i) {
  const Index entry = a.diagonal[static_cast<std::size_t>(i)];
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      a.values.data() + a.offset[static_cast<std::size_t>(entry)]);
}
inline double diagonal_entry(const BodySpace& a, Index j) {
  const BodySpace::JointRow& q = a.joints[static_cast<std::size_t>(j)];
  const Index at = 3 * static_cast<Index>(a.contacts.size()) + j;
  double sum = q.j1.dot(q.w1) + q.j2.dot(q.w2);
  if (const BodySpace::JointRow* two = a.other(q))
    sum += two->j1.dot(two->w1) + two->j2.dot(two->w2);
  return sum + (a.cfm.size() ? a.cfm[at] : 0);
}
inline double diagonal_entry(const Blocks& a, Index j) {
  const Index entry = a.diagonal[static_cast<std::size_t>(a.contacts + j)];
  return a.values[static_cast<std::size_t>(a.offset[static_cast<std::size_t>(entry)])];
}

// Body space: w = M^-1 J^T lambda is kept, u(i) = J_i w + b_i, a push touches two bodies.
class BodySpaceState {
 public:
  BodySpaceState(const System& s, const BodySpace& a)
      : a_(a), b_(s.b), contacts_(s.contacts()), lambda_(VectorXd::Zero(s.rows())) {
    w_.setZero(a.bodies, 6);
  }

  const VectorXd& lambda() const { return lambda_; }
  void set(const VectorXd& lambda) {
    lambda_ = lambda;
    w_.setZero();
    for (Index i = 0; i < contacts_; ++i) respond(i, lambda.segment<3>(3 * i));
    for (Index j = 0; j < lambda.size() - 3 * contacts_; ++j)
      respond_joint(j, lambda[3 * contacts_ + j]);
  }
  // lambda += alpha p, where `velocity` is M^-1 J^T p: the extra work of a nonlinear conjugate
  // gradient step happens in body space (Silcowitz-Hansen et al. 2010, section 5).
  void extrapolate(double alpha, const VectorXd& p, const Rows6& velocity) {
    lambda_ += alpha * p;
    w_ += alpha * velocity;
  }
  const Rows6& velocity() const { return w_; }

  Vector3d u(Index i) const {
    const BodySpace::Contact& c = contact(i);
    Vector3d y = b_.segment<3>(3 * i);
    y.noalias() += c.j1 * w_.row(c.first).transpose();
    y.noalias() += c.j2 * w_.row(c.second).transpose();
    if (a_.cfm.size()) y += a_.cfm.segment<3>(3 * i).cwiseProduct(lambda_.segment<3>(3 * i));
    return y;
  }
  double u(Index i, Index row) const {
    const BodySpace::Contact& c = contact(i);
    double y =
        b_[3 * i + row] + c.j1.row(row).dot(w_.row(c.first)) + c.j2.row(row).dot(w_.row(c.second));
    if (a_.cfm.size()) y += a_.cfm[3 * i + row] * lambda_[3 * i + row];
    return y;
  }
  double u_joint(Index j) const {
    const BodySpace::JointRow& q = joint(j);
    const Index at = 3 * contacts_ + j;
    double y = b_[at] + w_.row(q.first).dot(q.j1) + w_.row(q.second).dot(q.j2);
    if (const BodySpace::JointRow* two = a_.other(q))
      y += w_.row(two->first).dot(two->j1) + w_.row(two->second).dot(two->j2);
    if (a_.cfm.size()) y += a_.cfm[at] * lambda_[at];
    return y;
  }

  void push(Index i, const Vector3d& d) {
    lambda_.segment<3>(3 * i) += d;
    respond(i, d);
  }
  void push(Index i, Index row, double d) {
    lambda_[3 * i + row] += d;
    const BodySpace::Contact& c = contact(i);
    w_.row(c.first) += d * c.w1.row(row);
    w_.row(c.second) += d * c.w2.row(row);
  }
  void push_joint(Index j, double d) {
    lambda_[3 * contacts_ + j] += d;
    respond_joint(j, d);
  }

  Matrix3d block(Index i) const { return diagonal_block(a_, i); }
  double joint_diagonal(Index j) const { return diagonal_entry(a_, j); }

 private:
  const BodySpace::Contact& contact(Index i) const {
    return a_.contacts[static_cast<std::size_t>(i)];
  }
  const BodySpace::JointRow& joint(Index j) const { return a_.joints[static_cast<std::size_t>(j)]; }
  void respond(Index i, const Vector3d& d) {
    const BodySpace::Contact& c = contact(i);
    w_.row(c.first).noalias() += d.transpose() * c.w1;
    w_.row(c.second).noalias() += d.transpose() * c.w2;
  }
  void respond_joint(Index j, double d) {
    for (const BodySpace::JointRow* q = &joint(j); q; q = a_.other(*q)) {
      w_.row(q->first) += d * q->w1.transpose();
      w_.row(q->second) += d * q->w2.transpose();
    }
  }

  const BodySpace& a_;
  const VectorXd& b_;
  Index contacts_;
  VectorXd lambda_;
  Rows6 w_;
};

// Explicit blocks: u(i) is one block row times lambda, a push changes lambda alone.
class BlocksState {
 public:
  BlocksState(const System& s, const Blocks& a)
      : a_(a), b_(s.b), contacts_(s.contacts()), lambda_(VectorXd::Zero(s.rows())) {}

  const VectorXd& lambda() const { return lambda_; }
  void set(const VectorXd& lambda) { lambda_ = lambda; }
  void extrapolate(double alpha, const VectorXd& p, const Rows6&) { lambda_ += alpha * p; }
  const Rows6& velocity() const { return no_bodies_; }

  Vector3d u(Index i) const {
    Vector3d y = b_.segment<3>(3 * i);
    const Index end = a_.row_start[static_cast<std::size_t>(i) + 1];
    for (Index e = a_.row_start[static_cast<std::size_t>(i)]; e < end; ++e) {
      const Index j = a_.column[static_cast<std::size_t>(e)];
      const double* v = values(e);
      if (j < contacts_)
        y.noalias() += Eigen::Map<const RowMajor3>(v) * lambda_.segment<3>(3 * j);
      else
        y += Eigen::Map<const Vector3d>(v) * lambda_[2 * contacts_ + j];
    }
    return y;
  }
  double u(Index i, Index row) const {
    double y = b_[3 * i + row];
    const Index end = a_.row_start[static_cast<std::size_t>(i) + 1];
    for (Index e = a_.row_start[static_cast<std::size_t>(i)]; e < end; ++e) {
      const Index j = a_.column[static_cast<std::size_t>(e)];
      const double* v = values(e);
      if (j < contacts_) {
        const double* x = lambda_.data() + 3 * j;
        y += v[3 * row] * x[0] + v[3 * row + 1] * x[1] + v[3 * row + 2] * x[2];
      } else {
        y += v[row] * lambda_[2 * contacts_ + j];
      }
    }
    return y;
  }
  double u_joint(Index q) const {
    double y = b_[3 * contacts_ + q];
    const std::size_t i = static_cast<std::size_t>(contacts_ + q);
    for (Index e = a_.row_start[i]; e < a_.row_start[i + 1]; ++e) {
      const Index j = a_.column[static_cast<std::size_t>(e)];
      const double* v = values(e);
      if (j < contacts_)
        y += Eigen::Map<const Vector3d>(v).dot(lambda_.segment<3>(3 * j));
      else
        y += *v * lambda_[2 * contacts_ + j];
    }
    return y;
  }

  void push(Index i, const Vector3d& d) { lambda_.segment<3>(3 * i) += d; }
  void push(Index i, Index row, double d) { lambda_[3 * i + row] += d; }
  void push_joint(Index j, double d) { lambda_[3 * contacts_ + j] += d; }

  Matrix3d block(Index i) const { return diagonal_block(a_, i); }
  double joint_diagonal(Index j) const { return diagonal_entry(a_, j); }

 private:
  using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const double* values(Index entry) const {
    return a_.values.data() + a_.offset[static_cast<std::size_t>(entry)];
  }

  const Blocks& a_;
  const VectorXd& b_;
  Index contacts_;
  VectorXd lambda_;
  Rows6 no_bodies_;
};

// Calls f with the state of the system's form, at lambda = 0.
template <class Function>
decltype(auto) with_state(const System& s, Function&& f) {
  if (const BodySpace* a = std::get_if<BodySpace>(&s.A)) {
    BodySpaceState state(s, *a);
    return f(state);
  }
  BlocksState state(s, std::get<Blocks>(s.A));
  return f(state);
}

}  // namespace perpend
