// Recording what Siconos is asked at every time step, and what it answers (docs/capture.md).
//
//   perpend::capture::SiconosFile file("run.h5");
//   auto osi = std::make_shared<perpend::capture::RecordingMoreauJean>(file, 0.5);
//   ...
//   file.close();
//
// `RecordingMoreauJean` is the MoreauJeanOSI one had, and forwards to it; nothing that Siconos
// computes changes by a bit. This header and the program that includes it are C++17: Siconos'
// headers use a part of Boost that does not compile as C++20.
#pragma once

// First of all: it names the classes that the visitors of Siconos' kernel are to know.
#include <siconos/mechanics/MechanicsFwd.hpp>
//
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <siconos/kernel/MoreauJeanOSI.hpp>
#include <string>

class SiconosShape;

namespace perpend::capture::from_siconos {

class StepFile;
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
  std::unique_ptr<StepFile> file_;
  std::function<void()> last_;  // hands over the step that is not over yet
};

using SiconosSink = std::function<void(SiconosStep&)>;

// One step is recorded whole when the next begins, when the file is closed, or by finish().
class RecordingMoreauJean : public MoreauJeanOSI {
 public:
  explicit RecordingMoreauJean(SiconosFile&, double theta = 0.5,
                               double gamma = std::numeric_limits<double>::quiet_NaN());
  explicit RecordingMoreauJean(SiconosSink, double theta = 0.5,
                               double gamma = std::numeric_limits<double>::quiet_NaN());
  ~RecordingMoreauJean() override;

  // Ids in the frames. Unless told otherwise a moving body has the number Siconos gave it, and all
  // that stands still (a shape without a body, the other side of a joint) is one body, -1.
  std::function<std::int64_t(const DynamicalSystem&)> id;
  std::function<std::int64_t(const SiconosShape&)> fixed_id;
  std::function<std::int64_t(const Interaction&)> joined_id;  // of a joint of one body alone

  // Called by Siconos, once per Newton iteration.
  void computeFreeState() override;
  void updateState(const unsigned int level) override;

  void finish();

 private:
  SiconosFile* file_ = nullptr;
  SiconosSink sink_;
  std::unique_ptr<SiconosStep> made_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace perpend::capture::from_siconos

namespace perpend::capture {

// What a program of one's own needs.
using from_siconos::RecordingMoreauJean, from_siconos::SiconosFile, from_siconos::SiconosSink,
    from_siconos::SiconosStep;

}  // namespace perpend::capture
