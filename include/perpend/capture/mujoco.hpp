// Records the contact problem and the answer of every step of MuJoCo (docs/capture.md).
//
//   perpend::capture::MujocoFile file("run.h5", model);
//   ...
//   file.step(model, data);  // in place of mj_step
//   ...
//   file.close();
//
// `step` calls mj_step and reads its data. The simulation has the same bits as without recording.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>
#include <vector>

#include "perpend/capture.hpp"

namespace perpend::capture::from_mujoco {

// One step of a model.
struct MujocoStep {
  io::Record record;   // its timing has the parts of the step only with a clock (clock_unit)
  double seconds = 0;  // time that recording took
};

class MujocoRecorder {
 public:
  using Sink = std::function<void(MujocoStep&)>;
  explicit MujocoRecorder(Sink);
  virtual ~MujocoRecorder();
  MujocoRecorder(const MujocoRecorder&) = delete;
  MujocoRecorder& operator=(const MujocoRecorder&) = delete;

  // Returns the id of a body of mjModel in recordings. Default: its number.
  std::function<std::int64_t(int body)> id;
  // Likewise of a joint (mjOBJ_JOINT), an equality constraint (mjOBJ_EQUALITY) or a tendon
  // (mjOBJ_TENDON), one after the other by default. Negative: none.
  std::function<std::int64_t(const mjModel&, mjtObj, int)> joint_id;
  // The unit of your mjcb_time in seconds. 0: you have not set mjcb_time, and times of the parts of
  // a step are unknown.
  double clock_unit = 0;

  // Calls mj_step and records it. Throws std::invalid_argument if refusal() is not empty.
  void step(const mjModel*, mjData*);
  // Call these around your own mj_step, or mj_step1 and mj_step2.
  void before(const mjModel*, const mjData*);
  void after(const mjModel*, const mjData*);

 private:
  Sink sink_;
  struct Before {
    std::vector<mjtNum> velocities;
    double time = 0;
    int resets = 0;
    std::vector<double> timers;
  } before_;
  double total_ = 0;                // seconds of the current step
  const mjModel* named_ = nullptr;  // whose names are in a record
};

// Why steps of this model cannot be recorded. Empty if they can.
std::string refusal(const mjModel&);

// A recorder that writes the standard file.
class MujocoFile : public RecordedFile, public MujocoRecorder {
 public:
  // Throws io::InputError if the file cannot be made.
  MujocoFile(const std::string& path, const mjModel*, const std::string& scene = {});
};
// Root attributes of a recording of this model.
io::Header mujoco_header(const mjModel&, const std::string& scene);
// The solver's name in recordings: "Newton", "CG" or "PGS" with its settings, such as "Newton,
// elliptic cones, then noslip".
std::string solver_title(const mjModel&);

// Sets MuJoCo's handlers for this process: errors throw io::InputError (by default MuJoCo waits for
// a key and exits), warnings are only counted in mjData (by default they are printed and written to
// MUJOCO_LOG.TXT), and mjcb_time counts seconds.
void take_over_process();

}  // namespace perpend::capture::from_mujoco

namespace perpend::capture {

// The names for your own program.
using from_mujoco::mujoco_header, from_mujoco::MujocoFile, from_mujoco::MujocoRecorder,
    from_mujoco::MujocoStep, from_mujoco::refusal;

}  // namespace perpend::capture
