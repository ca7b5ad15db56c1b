// When slow sweeps are given up: the smallest error has not halved for so many of them. Every
// method that converges but crawls ends by the same rule.
#pragma once

#include <string>

namespace perpend {

class Patience {
 public:
  Patience(double error, int limit) : smallest_(error), limit_(limit) {}

  // After each iteration; true: it is over.
  bool lost(double error) {
    if (error < smallest_ / 2) {
      smallest_ = error;
      since_ = 0;
      return false;
    }
    return ++since_ > limit_;
  }
  std::string why() const {
    std::string text = "the error has not halved in ";
    text += std::to_string(limit_);
    text += " iterations";
    return text;
  }

 private:
  double smallest_;
  int limit_, since_ = 0;
};

}  // namespace perpend
