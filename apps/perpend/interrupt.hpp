// Ctrl-C, SIGTERM and SIGHUP: exit codes 130, 143 and 129, never a half-written file.
#pragma once

#include <string>

namespace perpend::app {

// Installs the handlers. Outside of a Patient scope one of the signals ends the program at once.
void catch_interrupts();
// One of them came in a Patient scope; more than one did.
bool interrupted();
bool impatient();
int stop_signal();         // the first one; SIGINT when there was none
std::string stopped_by();  // its name for people: "Ctrl-C", "SIGTERM", "SIGHUP"

// While one lives, the first signal is only remembered: the command stops at its next iteration or
// frame and keeps what it has. The second one ends the program at once; `always`: it is remembered
// too, and the command looks at impatient().
enum class Patience { none, once, always };
class Patient {
 public:
  explicit Patient(Patience = Patience::once);
  ~Patient();
  Patient(const Patient&) = delete;
  Patient& operator=(const Patient&) = delete;

 private:
  Patience before_;
};

// While one lives, a signal ends the program at once, one that came before too: there is nothing to
// be kept, or what the program waits for may never come.
class Impatient {
 public:
  Impatient();
  ~Impatient() { end(); }
  Impatient(const Impatient&) = delete;
  Impatient& operator=(const Impatient&) = delete;
  void end();  // from any thread, any number of times

 private:
  Patience before_;
};

// What a child process is to be told: the first signal that came, and SIGKILL for the second.
class Relay {
 public:
  int next();  // each once; 0: nothing new

 private:
  int told_ = 0;
};

// A file that is removed when a signal ends the program at once; empty: none.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_ = -1;
};

// What becomes of a recording under construction when a signal ends the program at once, a crash
// included; an empty path: there is none.
enum class AtEnd { nothing, remove, rename };
void leave_at_end(const std::string& path, const std::string& target, AtEnd);
void leave_at_end(AtEnd);  // of the same

// Throws io::InputError when no HDF5 file can be written there.
void check_target(const std::string& path);

}  // namespace perpend::app
