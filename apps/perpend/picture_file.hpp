// Files of pictures and plots: their endings, and writing them whole or not at all.
#pragma once

#include <initializer_list>
#include <string>

#include "interrupt.hpp"

namespace perpend::app {

// Throws UsageError when the name ends otherwise.
void check_ending(const std::string& option, const std::string& path,
                  std::initializer_list<const char*> endings);
// Throws UsageError when they cannot be written.
void write_bytes(const NewFile&, const std::string& bytes);

}  // namespace perpend::app
