// Recording what MuJoCo is asked at every step, and what it answers (docs/capture.md).
//
//   perpend::capture::MujocoFile file("run.h5", model);
//   ...
//   file.step(model, data);  // in place of mj_step
//   ...
//   file.close();
//
// `step` calls mj_step and reads; nothing that MuJoCo computes changes by a bit.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>
#include <vector>

#include "perpend/capture.hpp"

namespace perpend::capture::from_mujoco {

// One step of a model.
struct MujocoStep {
  io::Record record;   // timing: the whole step, and its parts where MuJoCo has a clock (below)
  double seconds = 0;  // what recording took
};

class MujocoRecorder {
 public:
  using Sink = std::function<void(MujocoStep&)>;
  explicit MujocoRecorder(Sink);
  virtual ~MujocoRecorder();
  MujocoRecorder(const MujocoRecorder&) = delete;
  MujocoRecorder& operator=(const MujocoRecorder&) = delete;

  // The id of one of mjModel's bodies in the frames; its number unless told otherwise.
  std::function<std::int64_t(int body)> id;
  // Seconds that one unit of mjcb_time is. MuJoCo has no clock unless the program gives it one, and
  // does not know its unit; 0: it is not read, and times of parts are unknown.
  double clock_unit = 0;

  // mj_step, recorded. Throws std::invalid_argument where `refusal` has something to say.
  void step(const mjModel*, mjData*);
  // The same around a program's own mj_step, or mj_step1 and mj_step2.
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
  double total_ = 0;  // seconds of the step in work
};

// Why steps of a model cannot be recorded; empty when they can.
std::string refusal(const mjModel&);

// A recorder that writes the standard file.
class MujocoFile : public RecordedFile, public MujocoRecorder {
 public:
  // Throws io::InputError when the file cannot be made.
  MujocoFile(const std::string& path, const mjModel*, const std::string& scene = {});
};
// Root attributes of a recording of this model.
io::Header mujoco_header(const mjModel&, const std::string& scene);
// Who answers, as the frames tell it: "Newton", "CG" or "PGS", and what else matters: "Newton,
// elliptic cones, then noslip".
std::string solver_title(const mjModel&);

// MuJoCo's handlers for a process of ours: an error is an io::InputError (its own waits for a key
// and ends the process), warnings are counted in mjData only (its own are printed and written to
// MUJOCO_LOG.TXT), and its clock counts seconds.
void take_over_process();

}  // namespace perpend::capture::from_mujoco

namespace perpend::capture {

// What a program of one's own needs.
using from_mujoco::mujoco_header, from_mujoco::MujocoFile, from_mujoco::MujocoRecorder,
    from_mujoco::MujocoStep, from_mujoco::refusal;

}  // namespace perpend::capture
