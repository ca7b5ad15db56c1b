// The one table of error measures, and the way from System and impulses to their numbers.
//
// Definitions: docs/errors.md; each is written in the file named after its idea
// (residuals, complementarity, pgs_merit, penetration, energy). An answer that is not a number is
// infinitely wrong: impulses or velocities that are not finite give infinity, never NaN, because
// NaN says that the problem cannot tell.
#include <cmath>
#include <limits>

#include "measure/terms.hpp"
#include "measure/units.hpp"
#include "perpend/measure/response.hpp"

namespace perpend {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array<MeasureInfo, kMeasures> kTable{{
    {Measure::own_error, "own_error", "m/s",
     "did the solver solve its own problem: largest row of its natural map"},
    {Measure::velocity_error, "velocity_error", "m/s",
     "is it Coulomb: largest residual of the natural map, as a velocity"},
    {Measure::rms_violation, "rms_violation", "m/s",
     "how wrong is it on average: root mean square of the same residuals"},
    {Measure::joint_error, "joint_error", "m/s",
     "do the joints hold: largest residual of the joint rows, but for rows of rotations"},
    {Measure::joint_turn_error, "joint_turn_error", "rad/s",
     "do the joints hold: largest residual of the joint rows of rotations"},
    {Measure::natural_map_error, "natural_map_error", "",
     "what would Siconos report: relative norm of the natural map"},
    {Measure::normal_error, "normal_error", "",
     "do normal impulses and normal velocities complement each other"},
    {Measure::friction_error, "friction_error", "J",
     "does friction have the right size and direction: work that Coulomb forbids"},
    {Measure::total_error, "total_error", "",
     "Fischer-Burmeister merit of contacts, friction and joints together"},
    {Measure::lcp_merit, "lcp_merit", "",
     "did an lcp or mlcp solver solve its own rows: Fischer-Burmeister merit"},
    {Measure::pgs_merit, "pgs_merit", "(N s)^2",
     "how much would one more box sweep change: squared change of the impulses"},
    {Measure::max_penetration, "max_penetration", "m", "how deep do bodies overlap after the step"},
    {Measure::energy_change, "energy_change", "J", "did the impulses add kinetic energy"},
}};

constexpr bool table_is_in_order() {
  for (std::size_t i = 0; i < kMeasures; ++i)
    if (static_cast<std::size_t>(kTable[i].measure) != i) return false;
  return true;
}
static_assert(table_is_in_order());

bool needs_velocity(Measure m) {
  return m != Measure::own_error && m != Measure::lcp_merit && m != Measure::pgs_merit &&
         m != Measure::energy_change;
}

// `y` is read only by measures that need it.
double evaluate(const System& system, const Impulses& lambda, const VectorXd& y, Measure m,
                Bounds bounds) {
  using namespace measure_terms;
  switch (m) {
    case Measure::velocity_error:
      return velocity_error(system, lambda, y);
    case Measure::rms_violation:
      return rms_violation(system, lambda, y);
    case Measure::joint_error:
      return joint_errors(system, lambda, y).worst;
    case Measure::joint_turn_error:
      return joint_errors(system, lambda, y).worst_turn;
    case Measure::natural_map_error:
      return natural_map_error(system, lambda, y);
    case Measure::normal_error:
      return normal_error(system, lambda, y);
    case Measure::friction_error:
      return friction_error(system, lambda, y);
    case Measure::total_error:
      return total_error(system, lambda, y);
    case Measure::pgs_merit:
      return pgs_merit(system, lambda, bounds);
    case Measure::max_penetration:
      return max_penetration(system, lambda, y);
    case Measure::energy_change:
      return energy_change(system, lambda);
    case Measure::own_error:
    case Measure::lcp_merit:
      break;
  }
  return kAbsent;
}

// Whether the system holds what the measure needs, whatever the impulses.
bool can_tell(const System& system, Measure m) {
  switch (m) {
    case Measure::own_error:
    case Measure::lcp_merit:
      return false;
    case Measure::joint_error:
    case Measure::joint_turn_error:
      return measure_terms::knows_joints(system);
    case Measure::max_penetration:
      return measure_terms::knows_penetration(system);
    case Measure::energy_change:
      return measure_terms::knows_energy(system);
    default:
      return true;
  }
}

}  // namespace

std::span<const MeasureInfo> measures() { return kTable; }

std::string_view name(Measure m) { return kTable[static_cast<std::size_t>(m)].name; }

std::optional<Measure> measure_named(std::string_view text) {
  for (const MeasureInfo& info : kTable)
    if (info.name == text) return info.measure;
  return std::nullopt;
}

Errors::Errors() { values_.fill(kAbsent); }

bool Errors::has(Measure m) const { return !std::isnan((*this)[m]); }

Errors measure(const System& system, const Impulses& lambda, Bounds bounds) {
  std::array<Measure, kMeasures> all;
  for (std::size_t i = 0; i < kMeasures; ++i) all[i] = kTable[i].measure;
  return measure(system, lambda, all, bounds);
}

namespace {

// `change`: M^-1 J^T lambda where it is known.
Errors measured(const System& system, const Impulses& lambda, const VectorXd& y,
                const VectorXd* change, std::span<const Measure> asked, Bounds bounds) {
  const bool finite = lambda.allFinite() && y.allFinite();
  Errors errors;
  std::optional<measure_terms::VelocityResiduals> residuals;  // two measures of one pass
  const auto value_of = [&](Measure m) {
    if (!finite) return kInfinity;
    if (m == Measure::energy_change && change && system.rows() > 0)
      return measure_terms::energy_of_change(system, *change);
    if (m != Measure::velocity_error && m != Measure::rms_violation)
      return evaluate(system, lambda, y, m, bounds);
    if (!residuals) residuals = measure_terms::velocity_residuals(system, lambda, y);
    return m == Measure::velocity_error ? residuals->worst : residuals->root_mean_square;
  };
  for (const Measure m : asked) {
    if (!can_tell(system, m)) continue;
    const double value = value_of(m);
    errors[m] = std::isnan(value) ? kInfinity : value;
  }
  return errors;
}

}  // namespace

Errors measure(const System& system, const Impulses& lambda, std::span<const Measure> asked,
               Bounds bounds) {
  return measured(system, lambda, relative_velocity(system, lambda), nullptr, asked, bounds);
}

Errors measure(const System& system, const Impulses& lambda, const Response& of,
               std::span<const Measure> asked) {
  return measured(system, lambda, of.y, &of.change, asked, Bounds::newest);
}

double measure(const System& system, const Impulses& lambda, Measure m, Bounds bounds) {
  if (!can_tell(system, m)) return kAbsent;
  VectorXd y;
  if (needs_velocity(m)) y = relative_velocity(system, lambda);
  if (!lambda.allFinite() || !y.allFinite()) return kInfinity;
  const double value = evaluate(system, lambda, y, m, bounds);
  return std::isnan(value) ? kInfinity : value;
}

}  // namespace perpend
