// What each contact does (docs/format.md): 0 open (wn > lambda_n/rho), 2 slide
// (s > sigma/rho), else 1 stick, with sigma = mu lambda_n - |lambda_f| and rho the effective mass,
// so that velocities are compared with velocities. A face of a group that is not judged (units.hpp)
// is open.
#include <cmath>

#include "measure/tangential.hpp"
#include "measure/terms.hpp"
#include "measure/units.hpp"

namespace perpend {

std::vector<std::int8_t> slide_or_stick(const System& system, const Impulses& lambda) {
  using namespace measure_terms;
  constexpr std::int8_t kOpen = 0, kStick = 1, kSlide = 2;
  const VectorXd y = relative_velocity(system, lambda);
  std::vector<std::int8_t> states(static_cast<std::size_t>(system.contacts()), kOpen);
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    for_each_face(unit, lambda, y, [&](Index i, const Vector3d& l, const Vector3d& v) {
      const double rho = effective_mass(system, i);
      if (v[0] > l[0] / rho) return;
      const double sigma = system.mu[i] * l[0] - tangential(l[1], l[2]);
      const bool slides = tangential(v[1], v[2]) > sigma / rho;
      states[static_cast<std::size_t>(i)] = slides ? kSlide : kStick;
    });
  });
  return states;
}

}  // namespace perpend
