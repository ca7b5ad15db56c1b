#include "capture/header.hpp"
#include "capture/mujoco/cone_error.hpp"
#include "capture/mujoco/titles.hpp"
#include "perpend/capture/mujoco.hpp"

namespace perpend::capture::from_mujoco {
namespace {

constexpr const char* kNames[] = {"PGS", "CG", "Newton"};  // in the order of mjtSolver

std::string title(int solver, bool elliptic, bool noslip) {
  return std::string(kNames[solver]) + (elliptic ? kElliptic : "") + (noslip ? kNoSlip : "");
}

WriterOptions options() {
  WriterOptions out;
  out.measure = measure_mujoco;
  return out;
}

}  // namespace

std::string solver_title(const mjModel& m) {
  return title(m.opt.solver, m.opt.cone == mjCONE_ELLIPTIC, m.opt.noslip_iterations > 0);
}

io::Header mujoco_header(const mjModel& m, const std::string& scene) {
  std::vector<std::string> answerers;
  for (const int solver : {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS})
    for (const bool elliptic : {false, true})
      for (const bool noslip : {false, true}) answerers.push_back(title(solver, elliptic, noslip));
  return header_of(
      {"mujoco", mj_versionString(), sizeof(mjtNum), answerers,
       mj_isPyramidal(&m) ? "pyramid, associated" : "cone, associated",
       "restitution (MuJoCo has none); contact ids; fixed bodies that nothing touches; couplings "
       "of "
       "more than two bodies, torsional and rolling friction (their impulses are joint rows with "
       "given values); inertia of rotors (its reaction is among the forces); second coefficient of "
       "anisotropic friction; impulses of a pyramid's single edges"},
      scene);
}

MujocoFile::MujocoFile(const std::string& path, const mjModel* model, const std::string& scene)
    : RecordedFile(path, mujoco_header(*model, scene), options()),
      MujocoRecorder([this](MujocoStep& step) { writer_.put(std::move(step.record)); }) {}

}  // namespace perpend::capture::from_mujoco
