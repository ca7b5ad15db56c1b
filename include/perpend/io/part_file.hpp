// A recording under construction: NAME.part-XXXXXX beside NAME, which it becomes when it is closed,
// or when it has ended otherwise and has frames. A recording with a frame is never removed, and an
// older file at NAME stays until then. A process that is killed leaves NAME.part-XXXXXX behind,
// which parts_of finds.
#pragma once

#include <string>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::io {

// What a recording came to.
struct Ended {
  Index frames = 0;    // that are safe, at NAME; 0: there were none, and nothing is left
  bool closed = true;  // false: its writer was killed, or could not write on
};

class PartFile {
 public:
  // Makes it, empty, under a name that nobody can guess. Throws InputError, also where NAME is
  // something else than a file or a link to one.
  explicit PartFile(const std::string& target);
  ~PartFile();  // as end(), whose complaint is swallowed
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  const std::string& path() const { return path_; }      // empty: it is at NAME, or was removed
  const std::string& target() const { return target_; }  // where a link leads to

  // Of a recording that was closed, with or without frames: puts it at NAME.
  void commit();
  // Of one that nobody writes any more, closed or not: clears the mark of its writer and puts it at
  // NAME where it has frames, removes it where it has none. Throws InputError when it cannot be
  // read or renamed; then it stays where it is, and the line says so.
  Ended end();

 private:
  std::string target_, path_;
};

// One NAME.part-XXXXXX.
struct Part {
  std::string path;
  Index frames = 0;  // that are safe
  bool writing = false;
};
// What is left of recordings that were to become this file, the newest first.
std::vector<Part> parts_of(const std::string& target);
// Puts the newest of them that has frames, and that nobody writes, at NAME, where no file may be;
// repairs the others where they are. Returns those that were repaired, as they are called now.
std::vector<Part> repair_parts(const std::string& target);

}  // namespace perpend::io
