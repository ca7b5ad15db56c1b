// The list of formulations, and which of them can hold a given system.
#include "perpend/formulate.hpp"

#include <array>
#include <limits>

#include "formulate/facets.hpp"

namespace perpend {

double Problem::lcp_merit(const VectorXd&) const {
  return std::numeric_limits<double>::quiet_NaN();
}

double Problem::dense_bytes() const {
  return 8 * static_cast<double>(size()) * static_cast<double>(size());
}

namespace {

constexpr std::array<std::string_view, 6> kFormulations = {"normal", "box", "ncp",
                                                           "mncp",   "lcp", "mlcp"};

std::string unfit(const System& s, std::string_view name, const FormulationOptions& options) {
  const std::string who(name);
  const bool mixed = name == "mlcp" || name == "mncp";
  if (mixed && !s.dynamics)
    return who + " needs masses and a Jacobian, but this problem has only A and b";
  if (name == "lcp" || name == "mlcp") {
    if (options.facets < 3)
      return who + " needs at least 3 facets, not " + std::to_string(options.facets);
    return unfit_for_facets(s);
  }
  if (name == "normal") {
    if (s.joint_rows() > 0)
      return "normal does not accept joints, but this problem has " +
             std::to_string(s.joint_rows()) + " joint rows";
    if (options.level == Level::acceleration) {
      if (s.step <= 0) return "normal with level=acceleration needs the time step";
      if (s.gap.size() != s.contacts() || s.normal_velocity.size() != s.contacts() ||
          s.resting_acceleration.size() != s.contacts())
        return "normal with level=acceleration needs gaps, normal velocities and accelerations, "
               "which this problem does not have";
    }
  }
  return {};
}

}  // namespace

std::span<const std::string_view> formulations() { return kFormulations; }

std::unique_ptr<Problem> formulate(const System& s, std::string_view name,
                                   const FormulationOptions& options, std::string& why) {
  why = unfit(s, name, options);
  if (!why.empty()) return nullptr;
  if (name == "normal") return std::make_unique<NormalProblem>(s, options.level);
  if (name == "box") return std::make_unique<BoxProblem>(s);
  if (name == "ncp") return std::make_unique<ConeProblem>(s);
  if (name == "mncp") return std::make_unique<MixedConeProblem>(s);
  if (name == "lcp") return make_lcp(s, options.facets);
  if (name == "mlcp") return make_mlcp(s, options.facets);
  why = "there is no formulation '" + std::string(name) +
        "'; choose one of: normal, box, ncp, mncp, " + "lcp, mlcp";
  return nullptr;
}

}  // namespace perpend
