// How HDF5 writes a recording: through a driver of ours that survives a disk that is full.
//
// HDF5 1.10 does not. What it could not write it tries to write again at the end, with a superblock
// that speaks of bytes the file does not have (nobody can read it then), and crashes when the
// program ends. Here the first write that fails is the last: the file stays as a killed writer
// would have left it, HDF5 goes on in memory and closes in peace, and `failure` tells why. A write
// beyond the limit of a file's size fails like any other: the signal for it does not arrive. A
// process that was forked off the writer, and so has its open file, writes nothing.
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
