// A recording that a command makes: whatever ends the command, its frames are kept, and one line
// tells how many and where.
#pragma once

#include <string>

#include "command.hpp"
#include "perpend/io.hpp"

namespace perpend::app {

class Recording {
 public:
  // Who writes it: this process, or a child of it.
  enum class Writer { here, child };
  Recording(const std::string& target, Writer);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  const std::string& path() const { return file_.path(); }

  // Of Writer::here: a frame was flushed, so that a crash from now on keeps the file.
  void has_frames();
  void commit() { file_.commit(); }  // it is complete
  // It ended early. What is left of it: "812 frames are safe in run.h5".
  std::string end();
  const io::RecordingEnd& ended() const { return ended_; }
  // A complaint about the file under construction, told about the file asked for.
  std::string about_target(std::string complaint) const;

 private:
  std::string name_, part_;
  io::PartFile file_;
  io::RecordingEnd ended_;
};

// The file to read where this one was asked for: the newest of its parts when it is not there
// itself. Parts are told on stderr.
std::string found_recording(const std::string& name, const std::vector<io::LeftPart>&,
                            const Globals&);

}  // namespace perpend::app
