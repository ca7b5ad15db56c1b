#include "bench/options.hpp"

#include "bench/fields.hpp"

namespace perpend::bench {

std::map<std::string, std::string> own_options(const Settings& settings, std::string_view solver) {
  std::map<std::string, std::string> known;
  if (const SolverInfo* info = solver_named(solver))
    for (const OptionInfo& own : info->options)
      if (const auto given = settings.set.find(own.name); given != settings.set.end())
        known.insert(*given);
  return known;
}

Options options_for(const Settings& settings, std::string_view solver) {
  Options options;
  copy_shared_fields(settings, options);
  options.set = own_options(settings, solver);
  return options;
}

Settings settings_of(const Options& options) {
  Settings settings;
  copy_shared_fields(options, settings);
  return settings;
}

}  // namespace perpend::bench
