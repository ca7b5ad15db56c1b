// perpend-peers, started and spoken to: what a peer does there, it cannot do to us.
#pragma once

#include <string>

#include "peers/wire.hpp"
#include "perpend/host.hpp"

namespace perpend::peers {

class Process {
 public:
  explicit Process(std::string program);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Starts the program unless it runs, and waits until it is ready. False: it does not start.
  bool begin();
  // The problem of the calls that follow. One that does not take it within `seconds` (infinite: for
  // ever) is noticed when it is asked.
  void give(const Task&, double seconds);
  enum class End { answered, hung, died };
  // Waits up to `seconds` (infinite: for ever), then ends the program; the next give() starts a new
  // one. `why` tells how it died.
  End ask(const Call&, double seconds, Answer&, std::string& why);

 private:
  void patience(double seconds) const;  // of every send and read that follows
  host::ExitStatus end(bool by_force);

  std::string program_;
  host::Child child_;
  int channel_ = -1;
  bool hung_ = false;  // did not take its problem
};

}  // namespace perpend::peers
