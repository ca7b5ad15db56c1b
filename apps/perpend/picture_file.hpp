// Files of pictures and plots: their endings.
#pragma once

#include <initializer_list>
#include <string>

namespace perpend::app {

// Throws UsageError when the name of a plain file ends otherwise.
void check_ending(const std::string& option, const std::string& path,
                  std::initializer_list<const char*> endings);

}  // namespace perpend::app
