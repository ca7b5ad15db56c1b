// The errors that Lu et al. 2013, section 5, plot.
#pragma once

#include "reproduce/kit.hpp"

namespace perpend::reproduce {

// Histories of an LCP or NCP solver: the total error (lcp_merit, or total_error where there is no
// LCP), the normal error and the friction error after each iteration.
struct LuHistory {
  std::vector<double> total, normal, friction;
  Result result;
};
LuHistory lu_history(const System&, const std::string& solver, long iterations, const Settings&,
                     const std::map<std::string, std::string>& set = {});

// Their friction error to the letter: sum of s sigma + lambda_f . v_f.
double lu_friction_error(const System&, const Impulses&);

// The mean of several histories, each continued by its last value.
std::vector<double> mean_curve(const std::vector<std::vector<double>>&);

// Ten consecutive frames of `spheres`, all balls on the floor.
std::vector<System> sphere_frames(const Settings&);
// A frame of `logs` while they pile up and slide on each other.
System log_frame(const Settings&);

}  // namespace perpend::reproduce
