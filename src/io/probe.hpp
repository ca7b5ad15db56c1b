// A first look at a foreign HDF5 file, in a child process: HDF5 itself can crash on hostile files.
#pragma once

#include <string>

namespace perpend::io {

// Throws InputError when the file is not there, is not HDF5, keeps its data in other files, uses
// filters other than deflate, shuffle and fletcher32, claims more storage than it has bytes, or
// when HDF5 crashes, runs out of memory or takes too long in reading it ("damaged file").
void probe(const std::string& path);

}  // namespace perpend::io
