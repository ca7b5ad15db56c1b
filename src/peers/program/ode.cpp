// Dantzig's method of the Open Dynamics Engine, as DART keeps it: A x = b' + w with b' = -b,
// lo <= 0 <= hi. Rows with a friction index get their bounds once, from the normal impulses of the
// problem without friction; the start is not read. A and b are overwritten.
#include <dart/external/odelcpsolver/lcp.h>

#include <cmath>
#include <limits>

#include "peers/program/hosts.hpp"

namespace perpend::peers {
namespace {

class OdeHost final : public Host {
 public:
  explicit OdeHost(const Task& task) : bound_by_(task.bound_by) {
    n_ = static_cast<int>(task.A.rows());
    // Rows are padded to a multiple of four numbers.
    skip_ = static_cast<std::size_t>(dPAD(n_));
    A_.assign(static_cast<std::size_t>(n_) * skip_, 0);
    for (Index row = 0; row < task.A.outerSize(); ++row)
      for (SparseMatrix::InnerIterator it(task.A, row); it; ++it)
        A_[static_cast<std::size_t>(it.row()) * skip_ + static_cast<std::size_t>(it.col())] =
            it.value();
  }

  Answer solve(const Call& call) override {
    std::vector<double> A = A_;
    VectorXd b = -call.b, w(n_), lower = call.lower, upper = call.upper;
    Answer answer;
    answer.x = VectorXd::Zero(n_);
    std::vector<int> friction(static_cast<std::size_t>(n_), -1);
    if (call.coupled)
      for (std::size_t i = 0; i < friction.size(); ++i)
        friction[i] = static_cast<int>(bound_by_[i]);
    // Called as DART does: it ends at the first pivot that is not positive.
    answer.seconds = seconds_of([&] {
      answer.solved =
          dart::external::ode::dSolveLCP(n_, A.data(), answer.x.data(), b.data(), w.data(), 0,
                                         lower.data(), upper.data(), friction.data(), true);
    });
    answer.error = std::numeric_limits<double>::quiet_NaN();
    return answer;
  }

 private:
  int n_;
  std::size_t skip_;
  std::vector<Index> bound_by_;
  std::vector<double> A_;
};

}  // namespace

std::unique_ptr<Host> ode_host(const Task& task) {
  if (task.peer != "box/ode-dantzig") return nullptr;
  return std::make_unique<OdeHost>(task);
}

}  // namespace perpend::peers
