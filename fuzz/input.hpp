// What the targets share: the bytes as a file, and the errors that are answers.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "perpend/io.hpp"

namespace perpend::fuzz {

// In memory, and a new one each time: HDF5 knows open files by their inode.
class InputFile {
 public:
  InputFile(const std::uint8_t* data, std::size_t size) {
    const int file = mkstemp(path_.data());
    if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
    close(file);
  }
  ~InputFile() { unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/dev/shm/perpend_fuzz.XXXXXX";
};

// Runs `read`; an InputError is the answer to most inputs, and has one line.
template <class Read>
bool accepted(const Read& read) {
  try {
    read();
    return true;
  } catch (const io::InputError& error) {
    const std::string line = error.what();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return false;
  }
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace perpend::fuzz
