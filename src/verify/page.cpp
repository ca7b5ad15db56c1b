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

Motions with a known solution (a formula or an ordinary differential equation), simulated with smaller and smaller steps. `perpend verify --markdown` prints this page.

**What theory says.** The step computes v⁺ and moves by x⁺ = x + h v⁺ (docs/simulator.md). This is of first order in h, even in free flight: the position of a projectile has an error of g T h/2, its velocity none. A body that spins about a principal axis turns exactly, by the exponential map. The implicit gyroscopic torque and all contacts are of first order. Quantities that are exact at any h (momentum, sticking, the direction of sliding, the speed at which a sphere starts to roll) have a bound instead of an order; only rounding and the solver's tolerance remain.

**How it is measured.** Each case runs with h, and with h halved several times. The error is the distance from the reference at the end of the run. The order is the slope of log error over log h, by least squares over the last three halvings. A row is met if the order is at least the expected one minus 0.1, or if no error exceeds the bound. Differential equations are integrated by the classical Runge-Kutta method with steps of 1e-4 s, independently of the simulator.

)";

constexpr const char* kRemains =
    R"(
## What is not scale-free

`rescaled` works because the lengths of the scene are far above tolerances that are always in metres and metres per second: contacts are found within 1e-4 m, points of a contact patch closer than 1e-5 m are merged, faces reach 1e-6 m beyond their edges, stepper `ap` uses contacts below 1e-6 m, positions are corrected to 1e-10 m, and nothing bounces below 0.01 m/s. The solver's tolerance is a speed, which this case scales. A joint may stay open by 1e-10 m, and the next step closes it at 1e-10 m / h. This, not rounding, is the difference between copies of a moving joint. Give models in metres, not in millimetres.
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
