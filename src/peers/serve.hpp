// The other end of Process: a program that gives problems to a peer's solver, one after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "peers/wire.hpp"

namespace perpend::peers {

// One problem in the hands of one peer; what depends on A alone is kept from call to call.
class Host {
 public:
  virtual ~Host() = default;
  virtual Answer solve(const Call&) = 0;
};
using MakeHost = std::function<std::unique_ptr<Host>(const Task&)>;  // null: no such peer

// The main of such a program: speaks over its standard input, a socket, until that is closed or
// its parent, the process with the number in argv[1], is gone.
int serve(int argc, char** argv, const MakeHost&);
// Its work: tasks and calls from `channel`, answers into it. Returns the exit code.
int serve(int channel, const MakeHost&);

}  // namespace perpend::peers
