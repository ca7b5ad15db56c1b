// Verification: scenes with a known motion (a formula or an ordinary differential equation) are
// simulated with smaller and smaller steps, and the order of convergence is measured. `perpend
// verify --markdown` prints the results as a page.
//
// The time step x+ = x + h v+ is of first order, so the expected order is 1. Quantities that are
// exact at any h (momentum, sticking, the direction of sliding) have a bound instead.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/scene.hpp"
#include "perpend/sim.hpp"

namespace perpend::verify {

// Every state of a run: the start, then one after each step.
using Path = std::vector<State>;

// Simulates with the options under test.
class Simulator {
 public:
  explicit Simulator(StepOptions options, std::function<bool()> go_on = {});
  // `tolerance_unit` is the scene's unit of speed in m/s; the solver's tolerance is multiplied by
  // it. Precondition: invalid(scene) is empty.
  Path operator()(const Scene&, double h, double duration, double tolerance_unit = 1) const;

  Index steps() const { return steps_; }
  Index unconverged() const { return unconverged_; }  // steps
  bool stopped() const { return stopped_; }           // `go_on` returned false

 private:
  StepOptions options_;
  std::function<bool()> go_on_;
  mutable Index steps_ = 0, unconverged_ = 0;
  mutable bool stopped_ = false;
};

// A quantity that is compared with its exact value: one line of the table.
struct Quantity {
  std::string name;
  std::string unit;
  std::string reference;  // the formula it is compared with
  double order = 0;       // expected order of convergence; 0: exact at any h
  double bound = 0;       // of the error, if the order is 0
};

struct Case {
  std::string name;
  std::string title;
  std::string text;  // what happens, and how the reference follows
  double h = 0;      // the largest step, s
  std::vector<Quantity> quantities;
  // The error of each quantity with steps of h.
  std::vector<double> (*errors)(const Simulator&, double h);
};

// The list of cases.
std::span<const Case> cases();
const Case* case_named(std::string_view);

struct Row {
  std::vector<double> errors;  // one per step length
  double order = 0;            // fitted over the last halvings; NaN if there is a bound instead
  bool met = false;
};

struct Outcome {
  const Case* what = nullptr;
  std::vector<double> steps;  // h, s: halved each time
  std::vector<Row> rows;      // one per quantity
  Index taken = 0, unconverged = 0;
  bool stopped = false;
  bool met() const;
};

// Runs a case with its largest step and with this step halved `halvings` times. A row is met if the
// fitted order is at least the expected one minus kSlack, or if no error exceeds the bound.
inline constexpr double kSlack = 0.1;
Outcome run(const Case&, const StepOptions&, int halvings,
            const std::function<bool()>& go_on = {});  // called before each step; false stops

// The slope of log(error) over log(h) by least squares, over the last three halvings.
double fitted_order(std::span<const double> h, std::span<const double> errors);

// The page in Markdown.
std::string page(std::span<const Outcome>, const StepOptions&);

}  // namespace perpend::verify
