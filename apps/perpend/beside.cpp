#include "beside.hpp"

#include "command.hpp"
#include "contact_model.hpp"

namespace perpend::app {

SimulateOptions other_run(const std::string& what, SimulateOptions options) {
  options.out.clear();
  options.hash_every = 0;
  if (what == "bullet") {
    options.engine = "bullet";
    return options;
  }
  options.engine = "perpend";
  if (const auto model = contact_model(what)) {
    options.step.contacts = *model;
    return options;
  }
  throw UsageError("--beside: '" + what +
                   "' is not bullet, one-direction, nonconvex or conjunctive");
}

std::string title_of(const SimulateOptions& options, const SimulateOptions& other) {
  if (options.engine == "bullet") return "stock Bullet " + bullet_version();
  if (other.engine != "perpend" && options.step.contacts == ContactModel::one_direction)
    return "Perpend";
  return "Perpend, " + std::string(name(options.step.contacts)) + " contacts";
}

}  // namespace perpend::app
