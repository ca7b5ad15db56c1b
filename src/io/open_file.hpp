// What an OpenFile holds: whoever reads the file goes on with the handle it was looked at with.
#pragma once

#include <fstream>

#include "io/hdf5.hpp"
#include "perpend/io.hpp"

namespace perpend::io {

struct OpenFile::Handle {
  std::string path;
  Kind kind;
  std::ifstream text;  // anything but HDF5
  h5::File hdf5;
};

}  // namespace perpend::io
