// Models and scenes in MuJoCo, recorded.
#pragma once

#include "capture/mujoco/soft_cone_problem.hpp"
#include "capture/mujoco/world.hpp"
#include "capture/proof.hpp"

namespace perpend::capture::from_mujoco {

inline MujocoWorld world_of(const std::string& mjcf) {
  return MujocoWorld(model_from_text(mjcf, "test"));
}

// Far beyond MuJoCo's default of 1e-8: its primal solvers iterate on accelerations, and forces
// belong to them as exactly as it has converged.
inline void tighten(mjModel& model) {
  model.opt.tolerance = 1e-18;
  model.opt.iterations = 100;
}

inline std::vector<io::Record> recorded(MujocoWorld& world, int steps) {
  std::vector<io::Record> out;
  MujocoRecorder recorder([&](MujocoStep& step) { out.push_back(std::move(step.record)); });
  recorder.id = [&](int body) { return world.place(body); };
  for (int k = 0; k < steps; ++k) world.step(&recorder);
  return out;
}

// Its velocities against those of its problem solved by ours.
inline double reproduced(const io::Record& record) {
  const bool pyramidal = record.answer.answered.find("elliptic") == std::string::npos;
  return reproduction_gap(record, [&](const System& system, const io::Record& one) {
    return SoftConeProblem(system, one.frame, pyramidal).solve();
  });
}

// Worst of all frames.
struct Proof {
  double momentum = 0, velocities = 0;
  Index contacts = 0, joint_rows = 0;
};
inline Proof proof_of(const std::vector<io::Record>& records) {
  Proof out;
  for (const io::Record& record : records) {
    EXPECT_EQ(invalid(record.frame), "");
    out.momentum = std::max(out.momentum, momentum_gap(record));
    out.velocities = std::max(out.velocities, reproduced(record));
    out.contacts = std::max(out.contacts, record.frame.contacts.count());
    out.joint_rows = std::max(out.joint_rows, record.frame.joints.row_count());
  }
  return out;
}

}  // namespace perpend::capture::from_mujoco
