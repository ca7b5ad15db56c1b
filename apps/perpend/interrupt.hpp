// Ctrl-C: exit code 130, never a half-written file.
#pragma once

#include <string>

namespace perpend::app {

// Installs the handler. Outside of a Patient scope Ctrl-C ends the program at once with 130.
void catch_interrupts();
// Ctrl-C was pressed in a Patient scope.
bool interrupted();

// While one lives, the first Ctrl-C is only remembered: the command stops at its next iteration or
// frame and keeps what it has. The second one ends the program at once.
class Patient {
 public:
  Patient();
  ~Patient();
  Patient(const Patient&) = delete;
  Patient& operator=(const Patient&) = delete;
};

// A file that is removed when Ctrl-C ends the program at once; empty: none. The last one counts.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  std::string before_;
};

// An output file under construction: written under another name in the same folder, renamed when
// complete, removed otherwise (also when Ctrl-C ends the program at once).
// Throws io::InputError when no HDF5 file can be written there.
void check_target(const std::string& path);

class NewFile {
 public:
  explicit NewFile(std::string target);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  const std::string& path() const { return path_; }
  void commit();
  // A complaint about the file under construction, told about the file asked for.
  std::string about_target(std::string complaint) const;

 private:
  std::string target_, path_;
  std::string before_;  // the file under construction before this one
};

}  // namespace perpend::app
