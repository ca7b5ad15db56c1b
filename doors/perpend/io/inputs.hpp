// No output replaces an input, a link, a pipe or a device. files.cpp keeps this rule for every file
// that is written.
#pragma once

#include <string>
#include <vector>

#include "perpend/io/files.hpp"

namespace perpend::io {

// The inputs of a program, "-" included: from here on no output replaces one of them, by whatever
// name or link. A value that names no plain file is none.
void keep(const std::vector<std::string>& inputs);
// Except what a command changes in place, as it says.
void release(const std::string& input);
// Renames a file that was made to its place, over nothing but a plain file: one that is no input,
// even if something else came there meanwhile. `target` is the place as the user named it.
void replace(const std::string& made, const Destination& place, const std::string& target);

}  // namespace perpend::io
