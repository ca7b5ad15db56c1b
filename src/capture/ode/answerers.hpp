// Who answers in ODE.
#pragma once

namespace perpend::capture::from_ode {

inline constexpr const char* kQuickStep = "QuickStep";
inline constexpr const char* kWorldStep = "dWorldStep";
// It met a pivot that is not positive and left the rest of that island's rows as they were.
inline constexpr const char* kGaveUp = "dWorldStep, broken off";

}  // namespace perpend::capture::from_ode
