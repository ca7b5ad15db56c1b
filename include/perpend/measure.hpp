// The error measures every solver is judged by, from System and impulses alone (docs/errors.md).
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
  natural_map_error,
  normal_error,
  friction_error,
  total_error,
  lcp_merit,
  pgs_merit,
  max_penetration,
  energy_change,
};
inline constexpr std::size_t kMeasures = 11;

struct MeasureInfo {
  Measure measure;
  std::string_view name;
  std::string_view unit;
  std::string_view question;  // what it answers, one line
};
std::span<const MeasureInfo> measures();
std::string_view name(Measure);
std::optional<Measure> measure_named(std::string_view);

// One number per measure; NaN: this problem cannot tell.
class Errors {
 public:
  Errors();
  double& operator[](Measure m) { return values_[static_cast<std::size_t>(m)]; }
  double operator[](Measure m) const { return values_[static_cast<std::size_t>(m)]; }
  bool has(Measure) const;

 private:
  std::array<double, kMeasures> values_;
};

// Order in which a box sweep reads the bound of friction rows.
enum class Bounds { newest, lagged };

// Every measure that does not depend on a formulation (all but own_error and lcp_merit).
Errors measure(const System&, const Impulses&, Bounds = Bounds::newest);
// Some of those, and a single one, without the cost of the others.
Errors measure(const System&, const Impulses&, std::span<const Measure>, Bounds = Bounds::newest);
double measure(const System&, const Impulses&, Measure, Bounds = Bounds::newest);

// velocity_error, and by how much it may be off because numbers have 53 bits, m/s (docs/errors.md,
// "Rounding"). Compensated sums take longer and are off by less.
enum class Sums { plain, compensated };
struct Bounded {
  double error = 0, rounding = 0;
};
Bounded bounded_velocity_error(const System&, const Impulses&, Sums = Sums::plain);

// E = 1/2 lambda' A lambda + lambda' b, J: 0 without impulses, lowest at the answer of a problem
// without friction. The impulses change the kinetic energy by E - lambda' c (docs/errors.md).
double impulse_energy(const System&, const Impulses&);
// t in [0, 1] at which E of t lambda is lowest, and with it not above 0.
double least_energy_scale(const System&, const Impulses&);

// 0 open (wn > lambda_n/rho), 1 stick, 2 slide (s > sigma/rho), per contact of the system.
std::vector<std::int8_t> slide_or_stick(const System&, const Impulses&);

// Projection onto the Coulomb cone |x_f| <= mu x_n.
Vector3d project_cone(const Vector3d&, double mu);
// Fischer-Burmeister: a + b - sqrt(a^2 + b^2) (Lu et al. 2013, eq. 16).
double fischer_burmeister(double a, double b);
// Of a row with bounds: w (none), phi(z - lower, w), -phi(upper - z, -w), or with both
// phi(z - lower, -phi(upper - z, -w)).
double fischer_burmeister(double z, double w, double lower, double upper);

}  // namespace perpend
