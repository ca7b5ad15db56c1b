// What a solver that is made of several methods keeps from turn to turn: the best iterate, and the
// names of the methods.
#pragma once

#include <string>

#include "perpend/solve.hpp"

namespace perpend {

class Turns {
 public:
  // `path`: of what was tried before.
  Turns(const VectorXd& start, double residual, Progress& progress, std::string path = {})
      : best_(start), residual_(residual), progress_(progress), path_(std::move(path)) {}

  void enter(const std::string& method) {
    if (!path_.empty()) path_ += " > ";
    path_ += method;
    progress_.path(path_);
  }
  void keep(const VectorXd& x, double residual) {
    if (!(residual < residual_)) return;
    residual_ = residual;
    best_ = x;
  }
  // From here on, whatever was found before; Progress keeps that.
  void begin_again(const VectorXd& start, double residual) {
    best_ = start;
    residual_ = residual;
  }
  const VectorXd& best() const { return best_; }
  double residual() const { return residual_; }  // m/s
  Progress& progress() { return progress_; }

 private:
  VectorXd best_;
  double residual_;
  Progress& progress_;
  std::string path_;
};

}  // namespace perpend
