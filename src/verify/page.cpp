// The page that `perpend verify --markdown` prints.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "perpend/base.hpp"
#include "perpend/verify.hpp"

namespace perpend::verify {
namespace {

std::string digits(double value, const char* format = "%.3g") {
  return std::isnan(value) ? "-" : formatted(format, value);
}

std::string as_fraction(double h) {
  const double inverse = std::round(1 / h);
  return std::abs(inverse * h - 1) < 1e-9 ? "1/" + digits(inverse, "%.0f") : digits(h);
}

constexpr const char* kIntroduction =
    R"(# Verification, case by case

Motions that are known in closed form, or by an exact ordinary differential equation, simulated with smaller and smaller steps. `perpend verify --markdown` prints this page.

**What theory says.** The step takes v⁺ from the forces and impulses of the step and moves by x⁺ = x + h v⁺ (docs/simulator.md). That is of first order in h, in free flight already: a projectile's position is off by g T h/2, its velocity not at all. The exponential map turns a body that spins about a principal axis exactly; the implicit gyroscopic torque and everything that touches are of first order. No row claims second order. What a step meets at any h (momentum, sticking, the direction of sliding, the speed at which a sphere rolls off) has a bound in place of an order: it is left to rounding and to the tolerance of the solver.

**How it is measured.** Each case is run with h and with h halved again and again. The error is the distance from the reference at the end of the run, the order the slope of log error over log h by least squares over the last three halvings. A row is met when the order is at least the expected one less 0.1, or when no error exceeds the bound. Where the closed form is a differential equation, it is integrated by the classical Runge-Kutta method with steps of 1e-4 s, independently of the simulator.

)";

constexpr const char* kRemains =
    R"(
## What is not scale-free

`rescaled` holds because the scene's lengths are far from the tolerances that are metres and metres per second whatever the scene's units are: contacts are looked for within 1e-4 m, points of a contact patch closer than 1e-5 m are one, faces reach 1e-6 m beyond their edges, stepper `ap` takes contacts below 1e-6 m, positions are projected until 1e-10 m is left, nothing bounces below 0.01 m/s, and the solver's tolerance is a speed, which this case scales with the units. Where 1e-10 m is left of a joint, the next step closes it with 1e-10 m / h: that, not rounding, is what a turned or rescaled copy of a moving joint differs by. A model in millimetres should be given in metres.
)";

}  // namespace

std::string page(std::span<const Outcome> outcomes, const StepOptions& options) {
  std::ostringstream out;
  out << kIntroduction;
  std::size_t columns = 0;
  for (const Outcome& one : outcomes) columns = std::max(columns, one.steps.size());
  out << "Solver `" << options.solver << "` at " << digits(options.solve.tolerance)
      << " m/s, stepper `" << name(options.stepper) << "`, `--correct " << options.correct
      << "`.\n\n## The table\n\n| case | quantity | h, s | error, h |";
  for (std::size_t i = 1; i < columns; ++i) out << " h/" << (1L << i) << " |";
  out << " order | expected | |\n| --- | --- | --- |";
  for (std::size_t i = 0; i < columns; ++i) out << " --- |";
  out << " --- | --- | --- |\n";
  for (const Outcome& one : outcomes)
    for (std::size_t q = 0; q < one.rows.size(); ++q) {
      const Quantity& quantity = one.what->quantities[q];
      const Row& row = one.rows[q];
      if (q == 0)
        out << "| [`" << one.what->name << "`](#" << one.what->name << ")";
      else
        out << "| ";
      out << " | " << quantity.name << ", " << quantity.unit << " | "
          << (q == 0 ? as_fraction(one.what->h) : "") << " |";
      for (std::size_t i = 0; i < columns; ++i)
        out << " " << (i < row.errors.size() ? digits(row.errors[i], "%.2g") : "-") << " |";
      if (quantity.order > 0)
        out << " " << digits(row.order, "%.2f") << " | order " << digits(quantity.order);
      else
        out << " | ≤ " << digits(quantity.bound);
      out << (row.met ? " | met |\n" : " | **missed** |\n");
    }
  out << "\n## The cases\n";
  for (const Outcome& one : outcomes) {
    out << "\n### " << one.what->name << "\n\nCase: " << one.what->title << ". " << one.what->text
        << "\n\n| quantity | compared with |\n| --- | --- |\n";
    for (const Quantity& quantity : one.what->quantities)
      out << "| " << quantity.name << " | " << quantity.reference << " |\n";
    if (one.unconverged > 0)
      out << "\n" << one.unconverged << " of " << one.taken << " steps did not converge.\n";
  }
  out << kRemains;
  return out.str();
}

}  // namespace perpend::verify
