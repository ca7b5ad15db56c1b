// perpend-peers, started and spoken to: what a peer does there, it cannot do to us.
#pragma once

#include <string>

#include "peers/channel.hpp"
#include "perpend/host.hpp"

namespace perpend::peers {

class Process {
 public:
  explicit Process(std::string program);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Starts the program unless it runs, and waits until it is ready. False: it does not start.
  bool begin(const Waiting::Stop& stop);
  // The problem of the calls that follow. One that does not take it in time is noticed when it is
  // asked.
  void give(const Task&, Waiting);
  enum class End { answered, hung, stopped, died };
  // Ends the program when it does not answer in time; the next give() starts a new one. `why` tells
  // how it died.
  End ask(const Call&, Waiting, Answer&, std::string& why);

 private:
  void start();
  host::ExitStatus end(bool by_force);

  std::string program_;
  host::Child child_;
  int channel_ = -1;
  bool ready_ = false;
  bool hung_ = false;  // did not take its problem
};

}  // namespace perpend::peers
