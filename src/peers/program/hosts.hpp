// The peers that perpend-peers was built with. Null: that is none of theirs.
#pragma once

#include <chrono>

#include "peers/serve.hpp"

namespace perpend::peers {

std::unique_ptr<Host> bullet_host(const Task&);
std::unique_ptr<Host> ode_host(const Task&);
std::unique_ptr<Host> siconos_cone_host(const Task&);
std::unique_ptr<Host> siconos_linear_host(const Task&);

// Seconds that `work` takes.
template <class F>
double seconds_of(const F& work) {
  const auto started = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace perpend::peers
