// The six problems a System can be turned into, the way back to impulses, each problem's own error.
//
// normal | box | ncp | mncp | lcp | mlcp. Solvers get a Problem; its concrete type says what
// there is to solve. Nothing here iterates.
#pragma once

#include <memory>
#include <variant>

#include "perpend/measure.hpp"
#include "perpend/system.hpp"

namespace perpend {

class NormalProblem;
class BoxProblem;
class ConeProblem;
class MixedConeProblem;
class LinearProblem;
// What a Problem is. Solvers are written against one of these.
using ConcreteProblem = std::variant<const NormalProblem*, const BoxProblem*, const ConeProblem*,
                                     const MixedConeProblem*, const LinearProblem*>;

class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string_view formulation() const = 0;
  virtual ConcreteProblem concrete() const = 0;
  virtual Index size() const = 0;
  // Natural map of this formulation at its own unknowns, the largest row, m/s.
  virtual double own_error(const VectorXd& z) const = 0;
  // The same with a bound of what rounding may hide in it.
  virtual Bounded bounded_own_error(const VectorXd& z, Sums) const = 0;
  // The way back: impulses of the system this was made from.
  virtual Impulses impulses(const VectorXd& z) const = 0;
  // Warm start: the unknowns nearest to given impulses.
  virtual VectorXd unknowns(const Impulses&) const = 0;
  // 1/2 sum phi(z, w)^2 (lcp, mlcp); NaN elsewhere.
  virtual double lcp_merit(const VectorXd& z) const;
  // Bytes a solver that densifies this problem would need.
  virtual double dense_bytes() const;
};

// box and ncp: the unknowns are the impulses of the system with groups reduced to their face u.
class ImpulseProblem : public Problem {
 public:
  explicit ImpulseProblem(const System&);
  const System& system() const { return reduced_ ? *reduced_ : *system_; }
  Index size() const override;
  Impulses impulses(const VectorXd& z) const override;
  VectorXd unknowns(const Impulses&) const override;

 private:
  const System* system_;
  std::optional<System> reduced_;
  std::vector<Index> kept_;
};

class BoxProblem final : public ImpulseProblem {
 public:
  using ImpulseProblem::ImpulseProblem;
  std::string_view formulation() const override { return "box"; }
  ConcreteProblem concrete() const override { return this; }
  double own_error(const VectorXd&) const override;
  Bounded bounded_own_error(const VectorXd&, Sums) const override;
};

class ConeProblem final : public ImpulseProblem {
 public:
  using ImpulseProblem::ImpulseProblem;
  std::string_view formulation() const override { return "ncp"; }
  ConcreteProblem concrete() const override { return this; }
  double own_error(const VectorXd&) const override;
  Bounded bounded_own_error(const VectorXd&, Sums) const override;
};

// normal: frictionless LCP over the normal impulses.
enum class Level { velocity, acceleration };
class NormalProblem final : public Problem {
 public:
  NormalProblem(const System&, Level);
  std::string_view formulation() const override { return "normal"; }
  ConcreteProblem concrete() const override { return this; }
  Index size() const override { return b.size(); }
  double own_error(const VectorXd&) const override;
  Bounded bounded_own_error(const VectorXd&, Sums) const override;
  Impulses impulses(const VectorXd& z) const override;
  VectorXd unknowns(const Impulses&) const override;

  SparseMatrix A;
  VectorXd b;
  std::vector<Index> contact;  // of each unknown: contact of the system

 private:
  const System* system_;
  VectorXd rho_;
};

// Rows of a (mixed) linear complementarity problem in their own units: the residual of row i is
// weight_i |z_i - clamp(z_i - scale_i w_i, lower_i, upper_i)|, in m/s.
struct RowScale {
  VectorXd scale, weight;
};

// lcp and mlcp: w = A z + b, lower <= z <= upper, w complementary to z.
class LinearProblem : public Problem {
 public:
  ConcreteProblem concrete() const override { return this; }
  Index size() const override { return b.size(); }
  double own_error(const VectorXd&) const override;
  Bounded bounded_own_error(const VectorXd&, Sums) const override;
  double lcp_merit(const VectorXd&) const override;
  double dense_bytes() const override;

  SparseMatrix A;
  VectorXd b, lower, upper;
  RowScale rows;
};

// Without a System: a raw LCP or MLCP, as classical test problems come. Impulses are z itself.
std::unique_ptr<LinearProblem> raw_problem(std::string_view type, SparseMatrix A, VectorXd b,
                                           VectorXd lower, VectorXd upper);

// mncp: (v, lambda) with M(v - v_free) = J^T lambda and the cone law of ncp.
class MixedConeProblem final : public Problem {
 public:
  explicit MixedConeProblem(const System&);
  std::string_view formulation() const override { return "mncp"; }
  ConcreteProblem concrete() const override { return this; }
  Index size() const override;
  double own_error(const VectorXd&) const override;
  Bounded bounded_own_error(const VectorXd&, Sums) const override;
  Impulses impulses(const VectorXd& z) const override;
  VectorXd unknowns(const Impulses&) const override;
  const System& system() const { return cone_.system(); }

  SparseMatrix mass, jacobian;  // of the reduced system
  VectorXd free_velocity, c;    // y = J v + c + cfm lambda
  VectorXd cfm;                 // compliance, zero for rigid systems

 private:
  ConeProblem cone_;
};

struct FormulationOptions {
  Index facets = 8;  // n_d of lcp and mlcp, at least 3
  Level level = Level::velocity;
};

std::span<const std::string_view> formulations();
// Null with the reason in `why` when the formulation cannot hold the system.
std::unique_ptr<Problem> formulate(const System&, std::string_view formulation,
                                   const FormulationOptions&, std::string& why);

}  // namespace perpend
