#include "capture/mujoco/world.hpp"

#include <Eigen/Geometry>
#include <cstring>

#include "capture/mujoco/mjcf.hpp"
#include "capture/mujoco/tree.hpp"
#include "perpend/base.hpp"
#include "perpend/scene.hpp"

namespace perpend::capture::from_mujoco {
namespace {

constexpr int kErrorLength = 1000;

// MuJoCo's complaints may have several lines; ours have one.
[[noreturn]] void complain(const std::string& where, std::string what) {
  for (char& letter : what)
    if (letter == '\n') letter = ' ';
  while (!what.empty() && what.back() == ' ') what.pop_back();
  throw io::InputError(where + ": " + what);
}

mjtNum* copy(mjtNum* to, const std::vector<mjtNum>& from) {
  std::copy(from.begin(), from.end(), to);
  return to;
}

// All that a step starts from.
struct Kept {
  std::vector<mjtNum> qpos, qvel, act, warm, ctrl, applied, on_bodies, mocap_pos, mocap_quat;
  double time;
  Kept(const mjModel& m, const mjData& d)
      : qpos(d.qpos, d.qpos + m.nq),
        qvel(d.qvel, d.qvel + m.nv),
        act(d.act, d.act + m.na),
        warm(d.qacc_warmstart, d.qacc_warmstart + m.nv),
        ctrl(d.ctrl, d.ctrl + m.nu),
        applied(d.qfrc_applied, d.qfrc_applied + m.nv),
        on_bodies(d.xfrc_applied, d.xfrc_applied + 6 * m.nbody),
        mocap_pos(d.mocap_pos, d.mocap_pos + 3 * m.nmocap),
        mocap_quat(d.mocap_quat, d.mocap_quat + 4 * m.nmocap),
        time(d.time) {}
  void put(mjData& d) const {
    copy(d.qpos, qpos);
    copy(d.qvel, qvel);
    copy(d.act, act);
    copy(d.qacc_warmstart, warm);
    copy(d.ctrl, ctrl);
    copy(d.qfrc_applied, applied);
    copy(d.xfrc_applied, on_bodies);
    copy(d.mocap_pos, mocap_pos);
    copy(d.mocap_quat, mocap_quat);
    d.time = time;
  }
};

int overflows(const mjData& d) {
  return d.warning[mjWARN_CONTACTFULL].number + d.warning[mjWARN_CNSTRFULL].number;
}

// A motor drives a joint at a speed with a force that grows with what is missing, up to its limit.
// With this gain it would need two steps to reach it were the joint alone at its inertia of the
// start; MuJoCo takes actuators explicitly, and more than four times that is unstable.
void set_motors(const Scene& scene, mjModel& m, mjData& d) {
  for (Index k = 0; k < static_cast<Index>(scene.joints.size()); ++k)
    for (Index axis = 0; axis < 6; ++axis) {
      const Joint& joint = scene.joints[static_cast<std::size_t>(k)];
      const Joint::Motor& motor = joint.motors[static_cast<std::size_t>(axis)];
      const int id = mj_name2id(&m, mjOBJ_JOINT, mjcf::axis_name(k, axis).c_str());
      if (!motor.on || id < 0) continue;
      for (int u = 0; u < m.nu; ++u)
        if (m.actuator_trnid[2 * u] == id) {
          const double gain = 0.5 / (m.opt.timestep * m.dof_invweight0[m.jnt_dofadr[id]]);
          m.actuator_gainprm[mjNGAIN * u] = gain;
          m.actuator_biasprm[mjNBIAS * u + 2] = -gain;
          d.ctrl[u] = motor.speed;
        }
    }
}

// Joint velocities of the scene's twists.
void set_velocities(const Scene& scene, const std::vector<int>& body_of, const mjModel& m,
                    mjData& d) {
  mj_forward(&m, &d);
  const Tree tree(m, d);
  std::vector<Twist> twists(tree.bodies().size(), Twist::Zero());
  std::vector<bool> known(twists.size(), false);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto place = static_cast<std::size_t>(tree.place(body_of[i]));
    if (scene.bodies[i].mass > 0 && !known[place]) {
      known[place] = true;
      twists[place] = scene.bodies[i].velocity;
    }
  }
  for (std::size_t i = 0; i < twists.size(); ++i) {
    const TreeBody& body = tree.body(static_cast<Index>(i));
    if (body.parent < 0) continue;
    const auto at_anchor = [&](Index k) {
      Twist out = twists[static_cast<std::size_t>(k)];
      out.head<3>() += out.tail<3>().cross(body.anchor - tree.body(k).position);
      return out;
    };
    const Twist relative = at_anchor(static_cast<Index>(i)) - at_anchor(body.parent);
    const VectorXd speeds = body.response * relative;
    for (int k = 0; k < body.dofs; ++k) d.qvel[body.first_dof + k] = speeds[k];
  }
}

}  // namespace

MujocoModel model_from_file(const std::string& path) {
  char why[kErrorLength] = "";
  MujocoModel model(mj_loadXML(path.c_str(), nullptr, why, kErrorLength));
  if (!model) complain(path, why);
  return model;
}

MujocoModel model_from_text(const std::string& mjcf, const std::string& where) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  constexpr const char* kName = "scene.xml";
  mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(mjcf.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), kName)], mjcf.data(), mjcf.size());
  char why[kErrorLength] = "";
  MujocoModel model(mj_loadXML(kName, files.get(), why, kErrorLength));
  mj_deleteVFS(files.get());
  if (!model) complain(where, why);
  return model;
}

MujocoWorld::MujocoWorld(MujocoModel model)
    : model_(std::move(model)), data_(mj_makeData(model_.get())) {
  for (int b = 0; b < model_->nbody; ++b) places_.push_back(b);
  if (model_->nkey > 0) mj_resetDataKeyframe(model_.get(), data_.get(), 0);
}

MujocoWorld::MujocoWorld(const Scene& scene, double h)
    : MujocoWorld(model_from_text(to_mjcf(scene, h), scene.name)) {
  places_.assign(places_.size(), -1);
  for (Index i = 0; i < static_cast<Index>(scene.bodies.size()); ++i) {
    const auto find = [&](const std::string& name) {
      return mj_name2id(model_.get(), mjOBJ_BODY, name.c_str());
    };
    const int body = find(mjcf::body_name(i)), target = find(mjcf::target_name(i));
    bodies_.push_back(scene.bodies[static_cast<std::size_t>(i)]);
    body_.push_back(body);
    places_[static_cast<std::size_t>(body)] = i;
    mocap_.push_back(target < 0 ? -1 : model_->body_mocapid[target]);
    if (target >= 0) places_[static_cast<std::size_t>(target)] = -2 - i;
  }
  for (Index k = 0; k < static_cast<Index>(scene.joints.size()); ++k) {
    std::vector<std::string> names{mjcf::joint_name(k), mjcf::follow_name(k)};
    for (Index axis = 0; axis < 6; ++axis) names.push_back(mjcf::axis_name(k, axis));
    for (const mjtObj kind : {mjOBJ_JOINT, mjOBJ_EQUALITY})
      for (const std::string& name : names)
        if (const int id = mj_name2id(model_.get(), kind, name.c_str()); id >= 0)
          joints_[{kind, id}] = k;
  }
  set_motors(scene, *model_, *data_);
  find_drives(scene);
  set_velocities(scene, body_, *model_, *data_);
  // mj_forward left its accelerations for the first step to start from.
  std::fill(data_->qacc_warmstart, data_->qacc_warmstart + model_->nv, 0.0);
}

std::int64_t MujocoWorld::place(int body) const { return places_[static_cast<std::size_t>(body)]; }

std::int64_t MujocoWorld::joint(mjtObj kind, int number) const {
  const auto found = joints_.find({kind, number});
  return found == joints_.end() ? -1 : found->second;
}

void MujocoWorld::find_drives(const Scene& scene) {
  for (Index k = 0; k < static_cast<Index>(scene.joints.size()); ++k)
    for (Index axis = 0; axis < 6; ++axis) {
      const auto find = [&](const std::string& name) {
        return mj_name2id(model_.get(), mjOBJ_ACTUATOR, name.c_str());
      };
      Driven one;
      one.servo = find(mjcf::servo_name(k, axis));
      one.push = find(mjcf::push_name(k, axis));
      one.drive = scene.joints[static_cast<std::size_t>(k)].drives[static_cast<std::size_t>(axis)];
      if (one.push < 0) continue;
      for (const Control& control : scene.control)
        if (control.joint == k && (control.axis < 0 || control.axis == axis))
          one.controls.push_back(control);
      drives_.push_back(std::move(one));
    }
}

// What the drives are to do in the step that ends at this time.
void MujocoWorld::drive(double time) {
  for (Driven& one : drives_) {
    one.now = one.drive;
    for (const Control& control : one.controls) one.now = controlled(one.now, control, time);
    one.limited = 0;
    give(one);
  }
}

// MuJoCo's implicit integrator takes a servo at its largest force for a damper still, so such a
// servo is given none of its spring and damper.
void MujocoWorld::give(const Driven& one) {
  data_->ctrl[one.push] = one.now.force;
  if (one.servo < 0) return;
  const bool free = one.limited == 0;
  const Joint::Drive& now = one.now;
  mjtNum* bias = model_->actuator_biasprm + mjNBIAS * one.servo;
  bias[1] = free ? -now.stiffness : 0;
  bias[2] = free ? -now.damping - model_->opt.timestep * now.stiffness : 0;
  data_->ctrl[one.servo] =
      free ? now.stiffness * now.position + now.damping * now.speed : one.limited;
}

// Whether a servo would have pulled harder in the step just made than it can.
bool MujocoWorld::limit() {
  bool any = false;
  for (Driven& one : drives_) {
    if (one.limited != 0 || one.servo < 0 || !std::isfinite(one.now.max_force)) continue;
    const int joint = model_->actuator_trnid[2 * one.servo];
    const double force =
        one.now.stiffness * (one.now.position - data_->qpos[model_->jnt_qposadr[joint]]) +
        one.now.damping * (one.now.speed - data_->qvel[model_->jnt_dofadr[joint]]);
    if (std::abs(force) <= one.now.max_force) continue;
    one.limited = std::copysign(one.now.max_force, force);
    any = true;
  }
  return any;
}

void MujocoWorld::grow() {
  const Kept kept(*model_, *data_);
  model_->nconmax += model_->nconmax / 2 + 100;
  model_->njmax += model_->njmax / 2 + 100 * 4;
  model_->nstack += model_->nstack / 2;
  data_.reset();  // first, because both can be large
  data_.reset(mj_makeData(model_.get()));
  kept.put(*data_);
}

void MujocoWorld::step(MujocoRecorder* recorder) {
  ++steps_;
  const double time = static_cast<double>(steps_) * model_->opt.timestep;
  for (std::size_t i = 0; i < mocap_.size(); ++i) {
    if (mocap_[i] < 0) continue;
    const Body& body = bodies_[i];
    const Pose pose = moved(body.pose, *body.motion, time);
    const Vector3d centre = pose.position + pose.orientation * mass_properties(body.shape).centre;
    for (int k = 0; k < 3; ++k) data_->mocap_pos[3 * mocap_[i] + k] = centre[k];
    const Eigen::Quaterniond& q = pose.orientation;
    const double parts[4] = {q.w(), q.x(), q.y(), q.z()};
    for (int k = 0; k < 4; ++k) data_->mocap_quat[4 * mocap_[i] + k] = parts[k];
  }
  drive(time);
  for (;;) {
    const Kept kept(*model_, *data_);
    const int before = overflows(*data_);
    if (recorder) recorder->before(model_.get(), data_.get());
    mj_step(model_.get(), data_.get());
    const bool grows = overflows(*data_) != before && !bodies_.empty();
    const bool limited = !grows && limit();
    if (!grows && !limited) break;
    kept.put(*data_);
    if (grows) grow();
    for (const Driven& one : drives_) give(one);
  }
  if (recorder) recorder->after(model_.get(), data_.get());
}

State MujocoWorld::state() {
  mjData& d = *data_;
  // Positions and what depends on them are still those before the step.
  const MujocoData copy(mj_copyData(nullptr, model_.get(), &d));
  mj_forward(model_.get(), copy.get());
  const Tree tree(*model_, *copy);
  const std::vector<Twist> twists = tree.twists(copy->qvel);
  State out;
  const auto n = static_cast<Index>(bodies_.size());
  out.time = d.time;
  out.positions.resize(n, 3);
  out.quaternions.resize(n, 4);
  out.velocities.resize(n, 6);
  for (Index i = 0; i < n; ++i) {
    const int body = body_[static_cast<std::size_t>(i)];
    const Index place = tree.place(body);
    const Vector3d at = vector(copy->xpos + 3 * body);
    Twist twist = twists[static_cast<std::size_t>(place)];
    twist.head<3>() += twist.tail<3>().cross(at - tree.body(place).position);
    out.positions.row(i) = at;
    for (int k = 0; k < 4; ++k) out.quaternions(i, k) = copy->xquat[4 * body + k];
    out.velocities.row(i) = twist;
  }
  return out;
}

std::uint64_t MujocoWorld::hash() const {
  StateHash hash;
  for (int k = 0; k < model_->nq; ++k) hash.add(data_->qpos[k]);
  for (int k = 0; k < model_->nv; ++k) hash.add(data_->qvel[k]);
  for (int k = 0; k < model_->na; ++k) hash.add(data_->act[k]);
  return hash.value();
}

}  // namespace perpend::capture::from_mujoco
