// The file of a Siconos program: what stands between files that include Siconos (C++17) and the
// writer (C++20).
#pragma once

#include <memory>
#include <string>

#include "capture/siconos/step.hpp"

namespace perpend::capture::from_siconos {

class StepFile {
 public:
  // Throws std::runtime_error when the file cannot be made.
  StepFile(const std::string& path, const std::string& scene);
  ~StepFile();  // closes; errors are swallowed
  StepFile(const StepFile&) = delete;
  StepFile& operator=(const StepFile&) = delete;
  std::string error() const;
  void put(SiconosStep&);
  void close();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace perpend::capture::from_siconos
