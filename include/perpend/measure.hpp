// The error measures: how wrong are these impulses? The same for every solver (docs/errors.md).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "perpend/system.hpp"

namespace perpend {

enum class Measure {
  own_error,
  velocity_error,
  rms_violation,
  joint_error,
  joint_turn_error,
  natural_map_error,
  normal_error,
  friction_error,
  total_error,
  lcp_merit,
  pgs_merit,
  max_penetration,
  energy_change,
};
inline constexpr std::size_t kMeasures = 13;

struct MeasureInfo {
  Measure measure;
  std::string_view name;
  std::string_view unit;
  std::string_view question;  // the question it answers, one line
};
std::span<const MeasureInfo> measures();
std::string_view name(Measure);
std::optional<Measure> measure_named(std::string_view);

// One number per measure. NaN: not defined for this problem.
class Errors {
 public:
  Errors();
  double& operator[](Measure m) { return values_[static_cast<std::size_t>(m)]; }
  double operator[](Measure m) const { return values_[static_cast<std::size_t>(m)]; }
  bool has(Measure) const;

 private:
  std::array<double, kMeasures> values_;
};

// Which normal impulse bounds friction in the sweep of pgs_merit: the newest, or the last sweep's.
enum class Bounds { newest, lagged };

// All measures that need no formulation (all but own_error and lcp_merit).
Errors measure(const System&, const Impulses&, Bounds = Bounds::newest);
// Only some of them, or only one, which is faster.
Errors measure(const System&, const Impulses&, std::span<const Measure>, Bounds = Bounds::newest);
double measure(const System&, const Impulses&, Measure, Bounds = Bounds::newest);

// velocity_error with a bound of its rounding error, m/s (docs/errors.md, "Rounding"). Compensated
// sums are slower and more exact.
enum class Sums { plain, compensated };
struct Bounded {
  double error = 0, rounding = 0;
};
Bounded bounded_velocity_error(const System&, const Impulses&, Sums = Sums::plain);

// E = 1/2 lambda' A lambda + lambda' b, in J. It is 0 without impulses, and lowest at the solution
// if there is no friction. The kinetic energy changes by E - lambda' c (docs/errors.md).
double impulse_energy(const System&, const Impulses&);
// The t in [0, 1] with the lowest E at t lambda. There E <= 0.
double least_energy_scale(const System&, const Impulses&);

// For each contact: 0 open (wn > lambda_n/rho), 1 sticking, 2 sliding (s > sigma/rho).
std::vector<std::int8_t> slide_or_stick(const System&, const Impulses&);

// Projection onto the Coulomb cone |x_f| <= mu x_n.
Vector3d project_cone(const Vector3d&, double mu);
// Fischer-Burmeister: a + b - sqrt(a^2 + b^2) (Lu et al. 2013, eq. 16).
double fischer_burmeister(double a, double b);
// The same for a row with bounds: w without bounds, phi(z - lower, w), -phi(upper - z, -w), or
// phi(z - lower, -phi(upper - z, -w)) with both.
double fischer_burmeister(double z, double w, double lower, double upper);

}  // namespace perpend
