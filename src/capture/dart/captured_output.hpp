// DART and the parser of URDF say on the standard streams what is wrong. While one of these lives,
// it is kept here and goes nowhere else.
#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace perpend::capture::from_dart {

class CapturedOutput {
 public:
  CapturedOutput() : out_(std::cout.rdbuf(said_.rdbuf())), err_(std::cerr.rdbuf(said_.rdbuf())) {}
  ~CapturedOutput() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  std::string first_line() const {
    std::istringstream lines(said_.str());
    std::string line;
    std::getline(lines, line);
    return plain(line);
  }
  // The first error, without that word; empty: there was none.
  std::string error() const {
    std::istringstream lines(said_.str());
    for (std::string line; std::getline(lines, line);) {
      line = plain(line);
      if (line.compare(0, 5, "Error") != 0) continue;
      const std::size_t after = line.find_first_of(":]");
      const std::size_t begin =
          after == std::string::npos ? after : line.find_first_not_of(' ', after + 1);
      return begin == std::string::npos ? line : line.substr(begin);
    }
    return {};
  }

 private:
  // Letters of a terminal's colours taken out.
  static std::string plain(const std::string& line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\x1b')
        while (i < line.size() && line[i] != 'm') ++i;
      else
        out += line[i];
    }
    return out;
  }
  std::ostringstream said_;
  std::streambuf *out_, *err_;
};

}  // namespace perpend::capture::from_dart
