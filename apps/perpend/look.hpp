// How pictures and films look: options of both.
#pragma once

#include <string>

#include "command.hpp"
#include "perpend/draw.hpp"

namespace perpend::app {

struct LookRequest {
  std::string view, show;
  bool solid = false;
  bool any() const { return !view.empty() || !show.empty() || solid; }
};

void add_look_options(CLI::App&, LookRequest&);

struct Look {
  draw::View view;
  draw::Show show;
  bool glass = true;
};
// Throws UsageError.
Look look_of(const LookRequest&);

// "1,2.5": throws UsageError that names the option.
std::vector<double> numbers(const std::string& option, const std::string& text);
// "a,b": without its commas.
std::vector<std::string> listed(const std::string& text);

}  // namespace perpend::app
