// Anderson acceleration (1965) of a fixed-point iteration v <- F(v), with a safeguard.
//
// With f = F(v) - v and the differences dV, dF of the last m iterates the next point is
//   v + f - (dV + dF) gamma,   gamma = argmin |f - dF gamma|^2
// (type II of Fang, Saad 2009; for a linear F this is GMRES), by normal equations whose diagonal is
// raised by a part of 1e-12. Where the point it proposed has a residual |f| larger
// than kGrowth times the one before, the plain iterate F(v) is taken instead and the memory is
// forgotten. Where gamma is larger than kLongest, f does not change but by rounding: the iteration
// drifts for ever (a problem without solution), and a leap along the drift would only end where
// rounding swallows the problem.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace perpend {

class Anderson {
 public:
  using VectorXd = Eigen::VectorXd;
  Anderson(Eigen::Index size, Eigen::Index memory)
      : dv_(size, memory), df_(size, memory), gram_(memory, memory) {}

  // Forget everything: F is another one.
  void clear() { used_ = at_ = 0, has_last_ = false; }
  // F has changed a little: the differences stay, the next one is not taken.
  void skip() { has_last_ = false; }

  // From v and f = F(v) - v to the next v. True: the last proposal was refused, `v` is the plain
  // iterate before it.
  bool advance(VectorXd& v, const VectorXd& f) {
    const double size = f.norm();
    if (proposed_ && has_last_ && !(size <= kGrowth * last_size_)) {
      v = plain_;
      clear();
      proposed_ = false;
      return true;
    }
    if (has_last_ && dv_.cols() > 0) remember(v, f);
    last_v_ = v;
    last_f_ = f;
    last_size_ = size;
    has_last_ = true;
    plain_ = v + f;
    v = plain_;
    proposed_ = used_ > 0;
    if (!proposed_) return false;
    const auto F = df_.leftCols(used_);
    Eigen::MatrixXd gram = gram_.topLeftCorner(used_, used_);
    gram.diagonal() *= 1 + kTiny;
    const VectorXd gamma = gram.ldlt().solve(F.transpose() * f);
    proposed_ = gamma.norm() < kLongest;
    if (proposed_) v -= dv_.leftCols(used_) * gamma + F * gamma;
    return false;
  }

 private:
  static constexpr double kGrowth = 2, kTiny = 1e-12, kLongest = 1e7;

  void remember(const VectorXd& v, const VectorXd& f) {
    const VectorXd df = f - last_f_;
    if (!(df.squaredNorm() > 0)) return;
    dv_.col(at_) = v - last_v_;
    df_.col(at_) = df;
    if (used_ < dv_.cols()) ++used_;
    const VectorXd products = df_.leftCols(used_).transpose() * df;
    gram_.col(at_).head(used_) = products;
    gram_.row(at_).head(used_) = products.transpose();
    at_ = (at_ + 1) % dv_.cols();
  }

  Eigen::MatrixXd dv_, df_, gram_;
  Eigen::Index used_ = 0, at_ = 0;
  bool has_last_ = false, proposed_ = false;
  VectorXd last_v_, last_f_, plain_;
  double last_size_ = 0;
};

}  // namespace perpend
