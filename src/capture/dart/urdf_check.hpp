// A robot of a URDF file before DART gets it. Much that is wrong in such a file DART takes without
// a word, and some of it ends the program at an assertion later.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace perpend::capture::from_dart {

struct CheckedUrdf {
  std::map<std::string, std::string> packages;  // names in package:// and the folders they mean
  std::vector<std::string> without_inertia;     // links: DART takes 1 kg and 1 kg m^2 for them
};

// Throws io::InputError: one line that names the file, and the link or joint and its field. A
// package is the folder of that name above the file or beside one above it.
CheckedUrdf check_urdf(const std::string& path);

}  // namespace perpend::capture::from_dart
