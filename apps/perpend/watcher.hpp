// What looks at runs while they are made and writes a file about them afterwards.
#pragma once

#include <string>

#include "perpend/scene.hpp"

namespace perpend::app {

class Watcher {
 public:
  virtual ~Watcher() = default;
  // The next run begins. The title tells it from the others; empty: it is the only one.
  virtual void run(const Scene&, const std::string& title) = 0;
  virtual void see(const Moment&) = 0;
  // All runs are over.
  virtual void write() = 0;
};

}  // namespace perpend::app
