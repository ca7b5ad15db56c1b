// Records the contact problem and the answer of every step of DART (docs/capture.md).
//
//   perpend::capture::DartFile file("run.h5");
//   file.record(*world);
//   ...
//   file.close();
//
// The recorder replaces the world's constraint solver by one that records and forwards. The
// simulation has the same bits as without recording. This header does not include DART. Compile
// files that do without NDEBUG, like Debian's library.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "perpend/capture.hpp"

namespace dart {
namespace constraint {
class ConstraintBase;
}
namespace dynamics {
class BodyNode;
class Joint;
}  // namespace dynamics
namespace simulation {
class World;
}
}  // namespace dart

namespace perpend::capture::from_dart {

// The names of DART's solvers in recordings.
inline constexpr const char kDartDantzig[] = "Dantzig";
inline constexpr const char kDartSweeps[] = "projected Gauss-Seidel";
inline constexpr const char kDartBoth[] = "Dantzig, projected Gauss-Seidel where it failed";
inline constexpr const char kDartOther[] = "another solver";

// One step of the world.
struct DartStep {
  io::Record record;    // its timing has no total
  Index groups = 0;     // problems solved, one per group of touching skeletons
  Index secondary = 0;  // problems where the first solver failed and the second answered
  double seconds = 0;   // time that recording took
};

// Ids in recordings.
struct DartIds {
  // Empty: its place among all bodies of the world.
  std::function<std::int64_t(const dart::dynamics::BodyNode&)> body;
  // Empty: the place of the body below it. Negative: none.
  std::function<std::int64_t(const dart::dynamics::Joint&)> joint;
  // Empty or negative: that of the joint it is about, if there is one.
  std::function<std::int64_t(const dart::constraint::ConstraintBase&)> constraint;
};

// Makes one DartStep of each step of a world.
class DartRecorder {
 public:
  using Sink = std::function<void(DartStep&)>;
  explicit DartRecorder(Sink);
  virtual ~DartRecorder();  // the world continues without recording
  DartRecorder(const DartRecorder&) = delete;
  DartRecorder& operator=(const DartRecorder&) = delete;

  // Records every step of the world from now on, with the collision detector and LCP solvers that
  // it has now. Throws io::InputError if its constraint solver does not solve boxed LCPs, as DART's
  // default does.
  void record(dart::simulation::World&);
  // Delivers the last step now. Otherwise that happens when the next one begins.
  void finish();

  // Delivers the last step and stops recording.
  void stop();

  void identify(DartIds);

  class Core;

 private:
  std::shared_ptr<Core> core_;
};

// A recorder that writes the standard file.
class DartFile : public RecordedFile, public DartRecorder {
 public:
  // Throws io::InputError if the file cannot be made.
  explicit DartFile(const std::string& path, const std::string& scene = {});
  ~DartFile() override;
  void close();  // includes the last step; later ones are not recorded
};

// Root attributes of a recording of DART.
io::Header dart_header(const std::string& scene);

}  // namespace perpend::capture::from_dart

namespace perpend::capture {

// The names for your own program.
using from_dart::dart_header, from_dart::DartFile, from_dart::DartIds, from_dart::DartRecorder,
    from_dart::DartStep;

}  // namespace perpend::capture
