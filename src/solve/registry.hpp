// What the file of a solver ends with: a function that tells what the solver is, by `solver(...)`.
// The list solvers.inc has one line with it.
#pragma once

#include <type_traits>

#include "perpend/solve.hpp"

namespace perpend {

// A Method has run(const P&, Progress&) and knows no other problem than P. It lives as long as its
// Solver and may keep its workspace.
template <class P, class Method>
class SolverOf final : public Solver {
 public:
  explicit SolverOf(Method method) : method_(std::move(method)) {}
  SolverOf() = default;
  void run(const Problem& problem, Progress& progress) override {
    method_.run(*std::get<const P*>(problem.concrete()), progress);
  }

 private:
  Method method_;
};

// normal has no rows for joints, the other formulations do.
template <class P>
inline constexpr bool kTakesJoints = !std::is_same_v<P, NormalProblem>;

// A solver that keeps something from solve to solve,
template <class P, class Method>
SolverInfo solver(const char* name, const char* title, const char* reference,
                  std::vector<OptionInfo> options = {}) {
  return {name, title, reference, kTakesJoints<P>, std::move(options), [] {
            return std::make_unique<SolverOf<P, Method>>();
          }};
}
// and one that is a function.
template <class P>
SolverInfo solver(const char* name, const char* title, const char* reference,
                  void (*run)(const P&, Progress&), std::vector<OptionInfo> options = {}) {
  struct Function {
    void (*run)(const P&, Progress&);
  };
  return {name, title, reference, kTakesJoints<P>, std::move(options), [run] {
            return std::make_unique<SolverOf<P, Function>>(Function{run});
          }};
}

// Options that several solvers have; solve() knows them too.
OptionInfo option_bounds();
OptionInfo option_level();

}  // namespace perpend
