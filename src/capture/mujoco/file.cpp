#include "capture/mujoco/titles.hpp"
#include "perpend/capture/mujoco.hpp"

namespace perpend::capture {
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
  io::Header header;
  header.engine = "mujoco";
  header.engine_version = mj_versionString();
  header.scalar_bytes = sizeof(mjtNum);
  header.scene = scene;
  header.created = timestamp();
  for (const int solver : {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS})
    for (const bool elliptic : {false, true})
      for (const bool noslip : {false, true})
        header.answerers.push_back(title(solver, elliptic, noslip));
  header.friction_model = mj_isPyramidal(&m) ? "pyramid, associated" : "cone, associated";
  header.omitted =
      "restitution (MuJoCo has none); contact ids; fixed bodies that nothing touches; couplings of "
      "more than two bodies, torsional and rolling friction (their impulses are joint rows with "
      "given values); inertia of rotors (its reaction is among the forces); second coefficient of "
      "anisotropic friction; impulses of a pyramid's single edges";
  return header;
}

MujocoFile::MujocoFile(const std::string& path, const mjModel* model, const std::string& scene)
    : MujocoRecorder([this](MujocoStep& step) { writer_.put(std::move(step.record)); }),
      writer_(path, mujoco_header(*model, scene), options()) {}

MujocoFile::~MujocoFile() = default;

}  // namespace perpend::capture
