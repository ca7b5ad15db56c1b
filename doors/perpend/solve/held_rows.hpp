// A fast path for steps that differ little from the last one: contacts that stick and joint rows
// are equations, A lambda + b = 0, the other rows keep their impulses, and one linear system
// remains.
#pragma once

#include "perpend/solve.hpp"

namespace perpend {

// What it keeps is memory and what depends on the graph of bodies alone: the answer has the same
// bits as a new one's.
class HeldRows {
 public:
  HeldRows();
  ~HeldRows();
  HeldRows(HeldRows&&) noexcept;
  HeldRows& operator=(HeldRows&&) noexcept;

  // The answer, with velocity_error, rms_violation, max_penetration and energy_change, where it is
  // found without another solver: the start itself (path "start") or one linear solve ("held";
  // "linear" where there are joint rows without bounds alone).
  // None: the start is far, a contact slides, contacts have alternatives, or what holds would have
  // to change.
  std::optional<Result> answer(const System&, const Impulses& start, const Options&);
  // M^-1 J^T lambda of the last answer, in the columns of dynamics. Precondition: there was one.
  const VectorXd& change() const;

  // Joint rows without bounds and no contact: the factor for step(). False: it is another system,
  // or there is no factor.
  bool hold_all(const System&);
  // Whether the last answer has left that factor.
  bool all() const;
  // The least change of the impulses that takes the velocities y away, but for about 1e-5 of them.
  // Precondition: one of the two, and the system is still there.
  void step(const VectorXd& y, VectorXd& change);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace perpend
