// How far a long command has come, on stderr when that is a terminal.
#pragma once

#include <chrono>
#include <string>

#include "command.hpp"

namespace perpend::app {

class ProgressBar {
 public:
  // `before`: of the total, those that were done already and tell nothing about the time left.
  ProgressBar(const Globals&, std::string what, long total, long before = 0);
  ~ProgressBar();  // wipes it
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(long done);

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool visible_;
  std::string what_;
  long total_, before_;
  Time start_, drawn_{};
};

}  // namespace perpend::app
