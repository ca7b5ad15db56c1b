// The file that a Siconos program records itself in. Without Siconos' headers and C++17, as
// perpend/capture/siconos.hpp, which includes it, has to be.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace perpend::capture {

struct SiconosStep;  // one time step as plain numbers

// A standard file. What cannot be written stops the recording, not the simulation: `error` says
// why, and close() throws it.
class SiconosFile {
 public:
  // Throws std::runtime_error when the file cannot be made.
  explicit SiconosFile(const std::string& path, const std::string& scene = {});
  ~SiconosFile();  // closes; errors are swallowed
  SiconosFile(const SiconosFile&) = delete;
  SiconosFile& operator=(const SiconosFile&) = delete;
  std::string error() const;
  void close();

 private:
  friend class RecordingMoreauJean;
  void put(SiconosStep&);
  struct Work;
  std::unique_ptr<Work> work_;
  std::function<void()> last_;  // hands over the step that is not over yet
};

}  // namespace perpend::capture
