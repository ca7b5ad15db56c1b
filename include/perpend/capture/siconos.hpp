// Records the contact problem and the answer of every time step of Siconos (docs/capture.md).
//
//   perpend::capture::SiconosFile file("run.h5");
//   auto osi = std::make_shared<perpend::capture::RecordingMoreauJean>(file, 0.5);
//   ...
//   file.close();
//
// `RecordingMoreauJean` replaces MoreauJeanOSI and forwards to it. The simulation has the same bits
// as without recording. Compile programs that include this header as C++17: Siconos' headers do not
// compile as C++20.
#pragma once

// This must come first: it declares classes for the visitors of Siconos' kernel.
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

// A standard file. If writing fails, the recording stops and the simulation goes on: error() says
// why, and close() throws.
class SiconosFile {
 public:
  // Throws std::runtime_error if the file cannot be made.
  explicit SiconosFile(const std::string& path, const std::string& scene = {});
  ~SiconosFile();  // closes and ignores errors
  SiconosFile(const SiconosFile&) = delete;
  SiconosFile& operator=(const SiconosFile&) = delete;
  std::string error() const;
  void close();

 private:
  friend class RecordingMoreauJean;
  std::unique_ptr<StepFile> file_;
  std::function<void()> last_;  // delivers the last step
};

using SiconosSink = std::function<void(SiconosStep&)>;

// A step is recorded when the next one begins, when the file is closed, or by finish().
class RecordingMoreauJean : public MoreauJeanOSI {
 public:
  explicit RecordingMoreauJean(SiconosFile&, double theta = 0.5,
                               double gamma = std::numeric_limits<double>::quiet_NaN());
  explicit RecordingMoreauJean(SiconosSink, double theta = 0.5,
                               double gamma = std::numeric_limits<double>::quiet_NaN());
  ~RecordingMoreauJean() override;

  // Return ids in recordings. Default: the number that Siconos gave a moving body, and -1 for
  // everything fixed (a shape without a body, the other side of a joint).
  std::function<std::int64_t(const DynamicalSystem&)> id;
  std::function<std::int64_t(const SiconosShape&)> fixed_id;
  std::function<std::int64_t(const Interaction&)> joined_id;  // for a joint with only one body
  std::function<std::int64_t(const Interaction&)> joint_id;   // of a joint; empty: none has one
  // Whether rows of a joint lead from its second body (or what stands still) to its first, on which
  // its force then is. Empty: those of no joint.
  std::function<bool(const Interaction&)> joint_turned;

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

// The names for your own program.
using from_siconos::RecordingMoreauJean, from_siconos::SiconosFile, from_siconos::SiconosSink,
    from_siconos::SiconosStep;

}  // namespace perpend::capture
