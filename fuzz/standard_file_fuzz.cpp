// Any bytes as a standard file: read, validate and repair answer or refuse, and do not crash.
//
// The bytes take the way a user's file takes, child process first: HDF5 may die there, which makes
// the file a damaged one. What passes is then parsed here, under the address sanitizer.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "perpend/io.hpp"

namespace {

constexpr perpend::Index kFrames = 8;  // read at most

void read(const std::string& path) {
  const perpend::io::FrameReader reader(path);
  for (perpend::Index i = 0; i < std::min(reader.frames(), kFrames); ++i) {
    reader.counts(i);
    perpend::invalid(reader.read(i).frame);
  }
  for (const std::string& name : reader.solutions()) perpend::io::read_solution(path, name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // In memory, and a new file each time: HDF5 knows open files by their inode.
  std::string path = "/dev/shm/standard_file_fuzz.XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  close(file);
  try {
    switch (size % 4) {
      case 0:
        perpend::io::validate(path);
        break;
      case 1:
        perpend::io::repair(path);
        break;
      default:
        read(path);
    }
  } catch (const perpend::io::InputError&) {
    // The answer to most inputs.
  }
  unlink(path.c_str());
  return 0;
}
