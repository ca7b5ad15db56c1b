// A fast path for steps that differ little from the last one. Sticking contacts and joint rows
// become equations, A lambda + b = 0; the other rows keep their impulses. That is one linear
// system.
#pragma once

#include "perpend/solve.hpp"

namespace perpend {

// You may reuse an object for many systems. It keeps memory, and what depends only on the graph of
// bodies, so the answer has the same bits as that of a new object.
class HeldRows {
 public:
  HeldRows();
  ~HeldRows();
  HeldRows(HeldRows&&) noexcept;
  HeldRows& operator=(HeldRows&&) noexcept;

  // Returns the answer if no other solver is needed: the start itself (path "start"), or one linear
  // solve (path "held"; "linear" if there are only joint rows without bounds). Its errors are
  // velocity_error, rms_violation, max_penetration and energy_change. Empty if the start is far
  // from the answer, a contact slides or has alternatives, or other rows would have to hold.
  std::optional<Result> answer(const System&, const Impulses& start, const Options&);
  // M^-1 J^T lambda of the last answer (or respond), in the columns of dynamics. Precondition:
  // there was one.
  const VectorXd& change() const;

  // For a system with only joint rows without bounds: makes the factor for step(). False for other
  // systems, or if it cannot be factorized.
  bool hold_all(const System&);
  // True if the last answer made that factor.
  bool all() const;
  // The smallest change of the impulses that removes the velocities y, up to about 1e-5 of them.
  // Precondition: hold_all() or all() returned true, and the system still exists.
  void step(const VectorXd& y, VectorXd& change);
  // change() becomes that of these impulses, and A lambda + b. Preconditions as for step().
  void respond(const Impulses&);
  const VectorXd& velocities(const System&, const Impulses&);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace perpend
