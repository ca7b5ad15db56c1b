// How HDF5 writes our files: through the driver of perpend/record/driver.h, which survives a disk
// that is full. The first write that fails is the last, and `failure` tells why.
#pragma once

#include <hdf5.h>

#include <string>

#include "io/hdf5.hpp"

namespace perpend::io::h5 {

// flock, which waits a second for those who only look whether a file is being written; false: the
// lock is taken. File systems without locks do without.
bool lock_patiently(int descriptor, int how);
// Makes files opened with this access list guarded. The driver that comes back must outlive them:
// HDF5 gives up its own hold on a driver before it calls its close function for the last time.
[[nodiscard]] Handle guard(hid_t access);
// Of a guarded file: what the operating system said to the first write that failed; empty: none.
std::string failure(hid_t file);

}  // namespace perpend::io::h5
