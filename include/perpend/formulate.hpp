// The six formulations of a System: normal, box, ncp, mncp, lcp, mlcp (docs/formulations.md).
//
// A Problem has its own unknowns z, its own error, and a function that turns z into impulses. A
// solver is written for one concrete type of Problem.
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
// The concrete type of a Problem.
using ConcreteProblem = std::variant<const NormalProblem*, const BoxProblem*, const ConeProblem*,
                                     const MixedConeProblem*, const LinearProblem*>;

class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string_view formulation() const = 0;
  virtual ConcreteProblem concrete() const = 0;
  virtual Index size() const = 0;
  // The largest row of the natural map at z, m/s: how far z is from solving this problem.
  virtual double own_error(const VectorXd& z) const = 0;
  // The same with a bound of its rounding error.
  virtual Bounded bounded_own_error(const VectorXd& z, Sums) const = 0;
  // The impulses of the system, from z.
  virtual Impulses impulses(const VectorXd& z) const = 0;
  // The unknowns nearest to these impulses, for a warm start.
  virtual VectorXd unknowns(const Impulses&) const = 0;
  // 1/2 sum phi(z, w)^2 for lcp and mlcp; NaN for the others.
  virtual double lcp_merit(const VectorXd& z) const;
  // Bytes that a solver with dense matrices needs for this problem.
  virtual double dense_bytes() const;
};

// box and ncp: the unknowns are the impulses. Each group is replaced by its face u.
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

// normal: an LCP in the normal impulses, without friction.
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
  std::vector<Index> contact;  // the contact of each unknown

 private:
  const System* system_;
  VectorXd rho_;
};

// Units of the rows of an LCP or MLCP: the residual of row i is
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

// A raw LCP or MLCP, without a System, as in collections of test problems. Its impulses are z.
std::unique_ptr<LinearProblem> raw_problem(std::string_view type, SparseMatrix A, VectorXd b,
                                           VectorXd lower, VectorXd upper);

// mncp: unknowns (v, lambda) with M(v - v_free) = J^T lambda and the friction cone of ncp.
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
// Null if the system does not fit the formulation; `why` gives the reason.
std::unique_ptr<Problem> formulate(const System&, std::string_view formulation,
                                   const FormulationOptions&, std::string& why);

}  // namespace perpend
