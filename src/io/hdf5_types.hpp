// The columns as HDF5 sees them.
#pragma once

#include <hdf5.h>

#include "io/columns.hpp"

namespace perpend::io {

hid_t file_type(Type);
hid_t memory_type(Type);
std::vector<hsize_t> width(const Column&);

}  // namespace perpend::io
