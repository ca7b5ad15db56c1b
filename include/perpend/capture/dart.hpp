// Recording what DART is asked at every step, and what it answers (docs/capture.md).
//
//   perpend::capture::DartFile file("run.h5");
//   file.record(*world);
//   ...
//   file.close();
//
// The world's constraint solver is replaced by one that records and hands everything on; nothing
// that DART computes changes by a bit. This header includes nothing of DART; the files that do must
// be compiled without NDEBUG, as Debian's library is.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "perpend/capture.hpp"

namespace dart {
namespace dynamics {
class BodyNode;
}
namespace simulation {
class World;
}
}  // namespace dart

namespace perpend::capture::from_dart {

// Names of DART's solvers in the frames.
inline constexpr const char kDartDantzig[] = "Dantzig";
inline constexpr const char kDartSweeps[] = "projected Gauss-Seidel";
inline constexpr const char kDartBoth[] = "Dantzig, projected Gauss-Seidel where it failed";
inline constexpr const char kDartOther[] = "another solver";

// One step of the world.
struct DartStep {
  io::Record record;    // timing: collision, formulation and solver; total is unknown here
  Index groups = 0;     // problems that were solved, one for each group of skeletons that touch
  Index secondary = 0;  // those of them on which the first solver failed and the second answered
  double seconds = 0;   // what recording took
};

// Gives bodies their ids in the frames; empty: their place among all bodies of the world.
using DartIds = std::function<std::int64_t(const dart::dynamics::BodyNode&)>;

// Makes one DartStep of each step of a world.
class DartRecorder {
 public:
  using Sink = std::function<void(DartStep&)>;
  explicit DartRecorder(Sink);
  virtual ~DartRecorder();  // the world goes on without being recorded
  DartRecorder(const DartRecorder&) = delete;
  DartRecorder& operator=(const DartRecorder&) = delete;

  // Every step of the world from now on. Collision detector and LCP solvers are those it has now.
  // Throws io::InputError where its constraint solver is not one of boxed LCPs, DART's default.
  void record(dart::simulation::World&);
  // A step is known to be over when the next one begins; this hands over the last one now.
  void finish();

  // The same, and no step after it is recorded: the world goes on as it would without.
  void stop();

  void identify(DartIds);

  class Core;

 private:
  std::shared_ptr<Core> core_;
};

// A recorder that writes the standard file.
class DartFile : public RecordedFile, public DartRecorder {
 public:
  // Throws io::InputError when the file cannot be made.
  explicit DartFile(const std::string& path, const std::string& scene = {});
  ~DartFile() override;
  void close();  // with the step that was made last; later ones are not recorded
};

// Root attributes of a recording of DART.
io::Header dart_header(const std::string& scene);

}  // namespace perpend::capture::from_dart

namespace perpend::capture {

// What a program of one's own needs.
using from_dart::dart_header, from_dart::DartFile, from_dart::DartIds, from_dart::DartRecorder,
    from_dart::DartStep;

}  // namespace perpend::capture
