// /usr/bin/python3 -m perpend.worker, started and spoken to.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "peers/channel.hpp"
#include "perpend/host.hpp"

namespace perpend::peers {

class PythonProcess {
 public:
  explicit PythonProcess(std::string file) : file_(std::move(file)) {}
  ~PythonProcess();
  PythonProcess(const PythonProcess&) = delete;
  PythonProcess& operator=(const PythonProcess&) = delete;

  // Starts it and waits for its table; refused says why there is none.
  PythonTable begin(const Waiting::Stop& = {});
  bool send(Message, const Bytes&, Waiting&);
  // A message of this kind. False: it died, or waiting for it was given up.
  bool receive(Message, Bytes&, Waiting&);
  // How it ended: "exit code 1".
  std::string end(bool by_force);

 private:
  std::string file_;
  host::Child child_;
  int channel_ = -1;
};

// Processes that have read the file and wait for work: starting one takes longer than most solves.
// A child of this process has none of them.
class PythonProcesses {
 public:
  explicit PythonProcesses(std::string file);
  // `why` says what is wrong where there is none.
  std::unique_ptr<PythonProcess> take(std::string& why, const Waiting::Stop& = {});
  void give(std::unique_ptr<PythonProcess>);

 private:
  void forget_those_of_the_parent();

  std::string file_;
  std::mutex lock_;
  pid_t owner_;
  std::vector<std::unique_ptr<PythonProcess>> waiting_;
};

}  // namespace perpend::peers
