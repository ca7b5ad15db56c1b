// What the libraries share that stand before an engine's own in somebody else's program
// (LD_PRELOAD), so that it is recorded without being changed or built again. Such a library defines
// the engine's step function; its own calls of it reach the engine through `behind`. Only the
// first world of a process is recorded.
#pragma once

#include <exception>
#include <functional>
#include <string>

// In front of the functions that the program is to find here.
#define PERPEND_STANDS_BEFORE __attribute__((visibility("default")))

namespace perpend::capture::preload {

// The file that was asked for (PERPEND_RECORD); empty: nothing is to be recorded. With
// PERPEND_RECORD_FIRST a file that has something in it is left to the process that wrote it.
std::string asked_for();
// One line on standard error, of a library inside of somebody else's program.
void say(const std::string& line);
// The function that the calling library stands before. A process with two builds of the engine
// (libraries that begin with `library`), or without that function, ends here with a line and exit
// code 2: which of them was meant cannot be known.
void* behind(const char* symbol, const char* library);
// Whether that address, of a caller, is in a library whose name begins so: the engine's own.
bool within(const void* address, const char* library);
// Called once when the program ends by itself, before HDF5 closes: so only after a file was made.
void at_end(std::function<void()>);

// Closes a recorder's file, where there is one; what went wrong is said.
template <class File>
void close(File* file) {
  try {
    if (file) file->close();
  } catch (const std::exception& error) {
    say(error.what());
  }
}

template <class Function>
Function* behind(const char* symbol, const char* library) {
  return reinterpret_cast<Function*>(behind(symbol, library));
}

}  // namespace perpend::capture::preload
