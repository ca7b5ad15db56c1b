// lcp/lemke: Lemke's complementary pivoting for 0 <= z perp w = A z + b >= 0 (Lu et al. 2013, Table
// 2; Cottle, Pang, Stone, The Linear Complementarity Problem, sections 4.4 and 4.9).
//
// An artificial variable makes any b feasible: w = A z + b + d z0 with a covering vector d > 0.
// z0 enters, the most violated w leaves; from then on the complement of what left enters, until z0
// leaves (a solution) or nothing does (a secondary ray). Each pivot is one iteration.
//
// Which row leaves is decided by the lexicographic minimum ratio: ties are broken by the rows of
// B^-1, as if b were perturbed by (e, e^2, ...) for a small e. Stacks of equal bodies are full of
// ties; without such a rule the method may cycle.
//
// Deviations, for the sake of rounding:
// - Rows and columns are scaled so that z, w and z0 are velocities and d = 1 there. Raw problems
//   have scale 1 and stay as they are.
// - B^-1 is kept and updated in place of a tableau. Columns are checked against the original matrix
//   and refined; where that does not help, B is factorized anew.
// - Rows within rounding of the smallest ratio count as ties, and of those the ones with a tiny
//   entry (below 1/100 of the largest) are passed over: the lexicographic rule decides between the
//   rest. z0 leaves as soon as it ties.
// - The final basis is solved again from the matrix. Should that show that rounding has led to a
//   basis which is not feasible, the method goes on from it, with d = B e.
// - A start other than zero gives the first basis (z_i where it is positive, else w_i), with
//   d = B e. Lemke's guarantee for copositive A does not hold there: if that basis is singular or
//   ends in a ray, the method starts cold. `path` tells which start led to the answer.
#include "solve/kit/lemke_basis.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

class Lemke {
 public:
  Lemke(const LinearProblem& lcp, Progress& progress) : basis_(lcp), progress_(progress) {}

  void run() {
    const bool warm = !progress_.start().isZero(0);
    std::string path = "lemke";
    if (warm) {
      if (!basis_.start_from(progress_.start())) {
        path = "lemke, cold (the basis of the warm start is singular)";
      } else {
        progress_.path("lemke from the basis of the warm start");
        if (pivot()) return;
        progress_.restarted();
        path = "lemke, cold (the basis of the warm start led to a ray)";
      }
    }
    progress_.path(path);
    basis_.start_cold();
    if (!pivot())
      progress_.finish(Status::failed, why_ + " after " + std::to_string(pivots_) + " pivots");
  }

 private:
  // Pivots until something is decided; false when a ray or a singular basis was met.
  bool pivot() {
    using Move = LemkeBasis::Move;
    constexpr int kMaxRestarts = 5;
    for (int start = 0; start < kMaxRestarts; ++start) {
      Move move = basis_.enter_artificial();
      while (move == Move::pivoted) {
        count();
        if (!progress_.next(basis_.z(), basis_.violation())) return true;
        move = basis_.step();
      }
      if (move == Move::ray) why_ = "secondary ray";
      if (move == Move::singular) why_ = "singular basis";
      if (move != Move::solved) return false;

      if (basis_.left_artificial()) count();
      if (!basis_.polish()) {
        why_ = "singular final basis";
        return false;
      }
      if (!progress_.next(basis_.z())) return true;
      if (basis_.feasible()) {
        progress_.finish(Status::stalled,
                         "a complementary basis was found, but rounding keeps its error above "
                         "the tolerance");
        return true;
      }
      progress_.restarted();
      if (!basis_.restart()) {
        why_ = "singular final basis";
        return false;
      }
    }
    progress_.finish(Status::stalled, "final bases are not feasible within rounding");
    return true;
  }

  void count() {
    ++pivots_;
    progress_.count(Work::pivot);
    progress_.count(Work::factorization, basis_.take_factorizations());
  }

  LemkeBasis basis_;
  Progress& progress_;
  long pivots_ = 0;
  std::string why_;
};

void run(const LinearProblem& lcp, Progress& progress) {
  if (!progress.too_large(LemkeBasis::bytes(lcp))) Lemke(lcp, progress).run();
}

}  // namespace

SolverInfo lcp_lemke() {
  return solver("lcp/lemke", "Lemke's complementary pivoting, lexicographic",
                "Cottle, Pang, Stone 1992; Lu et al. 2013, eq. 19", run);
}

}  // namespace perpend
