// What is wrong with a standard file that `perpend repair` can mend.
#pragma once

#include <string>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::io {

// Frames that are refused, names that are given again. The file can be opened.
struct Damage {
  std::vector<Index> sound;  // the other frames
  std::string why;           // the first one is refused
  bool names_repeated = false;
};
Damage damage(const std::string& path);

}  // namespace perpend::io
