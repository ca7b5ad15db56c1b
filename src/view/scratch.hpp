// A file that is only made to be sent: it is gone with its object.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "perpend/io/files.hpp"

namespace perpend::view {

class ScratchFile {
 public:
  ScratchFile() {
    const char* folder = std::getenv("TMPDIR");
    const io::Temporary made = io::make_temporary(
        std::string(folder && *folder ? folder : "/tmp") + "/perpend-view", "-", 0600);
    ::close(made.descriptor);
    path_ = made.path;
  }
  ~ScratchFile() { ::unlink(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace perpend::view
