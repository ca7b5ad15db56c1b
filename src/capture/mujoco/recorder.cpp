// One frame of a step of MuJoCo: its bodies in maximal coordinates (tree.hpp), its rows (rows.hpp).
//
// mj_step with the semi-implicit Euler method gives v+ = v + h qacc, and where a joint has damping
// B
//   (M + h B) (v+ - v) = h (qfrc_smooth + qfrc_constraint);
// the implicit method has -D, its derivative of all forces by velocity (qDeriv), in place of B. So
//   M (v+ - v) = h (f - B (v+ - v)) + J^T lambda
// with the recorded impulses, and the second term is recorded among the forces. The inertia of
// rotors (dof_armature) belongs to no body: its reaction -armature (v+ - v)/h is among them too.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "capture/clock.hpp"
#include "capture/mujoco/rows.hpp"
#include "perpend/capture/mujoco.hpp"

namespace perpend::capture::from_mujoco {
namespace {

// How often MuJoCo has found bad numbers and begun again from its initial state.
int resets(const mjData& d) {
  return d.warning[mjWARN_BADQPOS].number + d.warning[mjWARN_BADQVEL].number +
         d.warning[mjWARN_BADQACC].number;
}

// Forces along the joints' axes that explain v+ - v with MuJoCo's impulses.
std::vector<mjtNum> along_axes(const mjModel& m, const mjData& d,
                               const std::vector<mjtNum>& change) {
  const bool implicit = m.opt.integrator == mjINT_IMPLICIT;
  std::vector<mjtNum> out;
  for (int i = 0; i < m.nv; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double force = d.qfrc_passive[i] + d.qfrc_actuator[i] + d.qfrc_applied[i];
    force -= m.dof_armature[i] * change[at] / m.opt.timestep;
    if (!implicit) force -= m.dof_damping[i] * change[at];
    for (int k = 0; implicit && k < d.D_rownnz[i]; ++k)
      force += d.qDeriv[d.D_rowadr[i] + k] *
               change[static_cast<std::size_t>(d.D_colind[d.D_rowadr[i] + k])];
    out.push_back(force);
  }
  return out;
}

struct Made {
  const mjModel& m;
  const Tree& tree;
  MujocoRows rows;
  std::vector<Twist> twists, plus;
  std::vector<Wrench> forces;
  std::vector<VectorXd> held;  // impulses along the rows that hold the tree together
};

// What the balance of every body leaves for the joints of the tree.
std::vector<Wrench> left_over(const Made& made) {
  const double h = made.m.opt.timestep;
  std::vector<Wrench> out;
  for (std::size_t i = 0; i < made.twists.size(); ++i) {
    const TreeBody& body = made.tree.body(static_cast<Index>(i));
    const Twist change = made.plus[i] - made.twists[i];
    Wrench next;
    next << body.mass * change.head<3>(), body.inertia * change.tail<3>();
    out.push_back(next - h * made.forces[i]);
  }
  for (const MujocoContact& contact : made.rows.contacts) {
    const Vector3d impulse =
        contact.z[0] * contact.n + contact.z[1] * contact.t + contact.z[2] * contact.o;
    Wrench at_point;
    at_point << impulse, Vector3d::Zero();
    const auto on = [&](Index i) {
      return moved(at_point, contact.point, made.tree.body(i).position);
    };
    out[static_cast<std::size_t>(contact.first)] += on(contact.first);
    out[static_cast<std::size_t>(contact.second)] -= on(contact.second);
  }
  for (const MujocoJoint& joint : made.rows.joints)
    for (const JointRow& row : joint.rows) {
      out[static_cast<std::size_t>(joint.first)] -= row.z * row.on_first;
      out[static_cast<std::size_t>(joint.second)] -= row.z * row.on_second;
    }
  return out;
}

// Places of the tree's bodies in the frame: all that move, and the fixed ones that take part.
std::vector<Index> places_in_frame(const Made& made, Index& count) {
  std::vector<Index> out(made.twists.size(), -1);
  const auto take = [&](Index i) { out[static_cast<std::size_t>(i)] = 0; };
  for (Index i = 0; i < static_cast<Index>(out.size()); ++i) {
    if (made.tree.fixed(i)) continue;
    take(i);
    if (made.tree.body(i).dofs < 6) take(made.tree.body(i).parent);
  }
  for (const MujocoContact& contact : made.rows.contacts) {
    take(contact.first);
    take(contact.second);
  }
  for (const MujocoJoint& joint : made.rows.joints) {
    take(joint.first);
    take(joint.second);
  }
  count = 0;
  for (Index& place : out)
    if (place == 0) place = count++;
  return out;
}

// The joints of the tree, with their limits and friction, then MuJoCo's other rows that are no
// contacts.
std::vector<MujocoJoint> all_joints(const Made& made) {
  std::vector<MujocoJoint> out;
  for (Index i = 0; i < static_cast<Index>(made.twists.size()); ++i) {
    const VectorXd& held = made.held[static_cast<std::size_t>(i)];
    if (held.size() == 0) continue;
    MujocoJoint joint;
    joint.first = made.tree.body(i).parent;
    joint.second = i;
    joint.kind = mjOBJ_JOINT;
    joint.number = made.m.body_jntadr[made.tree.body(i).body];
    for (Index k = 0; k < held.size(); ++k) {
      JointRow row;
      row.on_first = made.tree.held_parent(i, k);
      row.on_second = made.tree.held_child(i, k);
      row.z = held[k];
      joint.rows.push_back(row);
    }
    out.push_back(std::move(joint));
  }
  for (const MujocoJoint& row : made.rows.joints) {
    const auto joint = std::find_if(out.begin(), out.end(), [&](const MujocoJoint& one) {
      return row.kind == mjOBJ_JOINT && one.kind == row.kind && one.number == row.number &&
             one.first == row.first && one.second == row.second;
    });
    if (joint == out.end())
      out.push_back(row);
    else
      joint->rows.insert(joint->rows.end(), row.rows.begin(), row.rows.end());
  }
  return out;
}

// What is named, by the ids of the recording.
io::ModelColumns names_of(const mjModel& m, const MujocoRecorder& recorder) {
  io::ModelColumns out;
  const auto add = [&](mjtObj kind, int number, std::int64_t id, Integers& ids,
                       std::vector<io::NameText>& names) {
    const char* name = mj_id2name(&m, kind, number);
    if (!name || !*name || std::find(ids.begin(), ids.end(), id) != ids.end()) return;
    ids.push_back(id);
    names.emplace_back(name);
  };
  for (int b = 0; b < m.nbody; ++b)
    add(mjOBJ_BODY, b, recorder.id(b), out.body_ids, out.body_names);
  for (const auto& [kind, count] :
       {std::pair(mjOBJ_JOINT, m.njnt), {mjOBJ_EQUALITY, m.neq}, {mjOBJ_TENDON, m.ntendon}})
    for (int k = 0; k < count; ++k) {
      const std::int64_t id = recorder.joint_id(m, kind, k);
      if (id >= 0) add(kind, k, id, out.joint_ids, out.joint_names);
    }
  return out;
}

void build(const Made& made, const MujocoRecorder& recorder, double time, io::Record& record) {
  Index bodies = 0;
  const std::vector<Index> places = places_in_frame(made, bodies);
  const auto place = [&](Index i) { return places[static_cast<std::size_t>(i)]; };
  const std::vector<MujocoContact>& contacts = made.rows.contacts;
  const std::vector<MujocoJoint> joints = all_joints(made);
  Integers counts;
  for (const MujocoJoint& joint : joints)
    counts.push_back(static_cast<std::int64_t>(joint.rows.size()));
  RecordBuilder::Columns columns;
  columns.restitution = columns.friction_bounds = false;
  columns.joint_ids = true;
  columns.rolling = std::any_of(contacts.begin(), contacts.end(), [](const MujocoContact& c) {
    return c.torsional != 0 || c.rolling != 0;
  });
  RecordBuilder builder(record, {bodies, static_cast<Index>(contacts.size()), counts}, columns,
                        made.m.opt.timestep, time);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    const TreeBody& body = made.tree.body(static_cast<Index>(i));
    const bool fixed = body.mass == 0;
    builder.add(BodyRow{recorder.id(body.body), body.mass,
                        fixed ? Matrix3d(Matrix3d::Identity()) : body.inertia, body.position,
                        body.wxyz, made.twists[i],
                        fixed ? Vector6(Vector6::Zero()) : made.forces[i], made.plus[i]});
  }
  for (ContactRow contact : contacts) {
    contact.first = place(contact.first);
    contact.second = place(contact.second);
    builder.add(contact);
  }
  for (const MujocoJoint& joint : joints) {
    builder.add_joint(place(joint.first), place(joint.second),
                      joint.number < 0 ? -1 : recorder.joint_id(made.m, joint.kind, joint.number));
    for (const JointRow& row : joint.rows) builder.add(row);
  }
}

}  // namespace

std::string refusal(const mjModel& m) {
  if (m.opt.integrator == mjINT_RK4)
    return "option/integrator: RK4 solves four contact problems a step; Euler and implicit solve "
           "one, which can be recorded";
  return {};
}

MujocoRecorder::MujocoRecorder(Sink sink)
    : id([](int body) { return body; }),
      joint_id([](const mjModel& m, mjtObj kind, int number) {
        const int before = kind == mjOBJ_JOINT      ? 0
                           : kind == mjOBJ_EQUALITY ? m.njnt
                                                    : m.njnt + m.neq;
        return before + number;
      }),
      sink_(std::move(sink)) {}

MujocoRecorder::~MujocoRecorder() = default;

void MujocoRecorder::step(const mjModel* m, mjData* d) {
  before(m, d);
  const Clock::time_point start = Clock::now();
  mj_step(m, d);
  total_ = seconds_since(start);
  after(m, d);
}

void MujocoRecorder::before(const mjModel* m, const mjData* d) {
  const std::string why = refusal(*m);
  if (!why.empty()) throw std::invalid_argument(why);
  before_.velocities.assign(d->qvel, d->qvel + m->nv);
  before_.time = d->time;
  before_.resets = resets(*d);
  before_.timers.clear();
  for (const mjTimerStat& timer : d->timer) before_.timers.push_back(timer.duration);
  total_ = std::numeric_limits<double>::quiet_NaN();
}

void MujocoRecorder::after(const mjModel* m, const mjData* d) {
  const Clock::time_point start = Clock::now();
  const double h = m->opt.timestep;
  if (resets(*d) > before_.resets) {  // it began again, from rest
    before_.velocities.assign(before_.velocities.size(), 0);
    before_.time = 0;
  }
  std::vector<mjtNum> change, solved;
  for (int i = 0; i < m->nv; ++i) {
    const auto at = static_cast<std::size_t>(i);
    change.push_back(d->qvel[i] - before_.velocities[at]);
    solved.push_back(h * d->qacc[i] - change[at]);
  }
  const Tree tree(*m, *d);
  Made made{*m, tree, {}, tree.twists(before_.velocities.data()), tree.twists(d->qvel), {}, {}};
  const std::vector<mjtNum> along = along_axes(*m, *d, change);
  made.forces = tree.forces(made.twists, before_.velocities.data(), along.data());
  made.rows = rows_of(*m, *d, tree, h, made.plus, tree.twists(solved.data()));
  made.held = tree.carried(left_over(made));

  MujocoStep out;
  io::Record& record = out.record;
  build(made, *this, before_.time, record);
  if (named_ != m) record.model = names_of(*m, *this);
  named_ = m;
  record.answer.iterations = d->solver_iter;
  record.answer.answered = solver_title(*m);
  record.timing.total = total_;
  if (clock_unit > 0) {
    const auto spent = [&](int timer) {
      return clock_unit *
             (d->timer[timer].duration - before_.timers[static_cast<std::size_t>(timer)]);
    };
    record.timing.collision = spent(mjTIMER_POS_COLLISION);
    record.timing.formulation = spent(mjTIMER_POS_MAKE) + spent(mjTIMER_POS_PROJECT);
    record.timing.solver = spent(mjTIMER_CONSTRAINT);
  }
  out.seconds = seconds_since(start);
  sink_(out);
}

}  // namespace perpend::capture::from_mujoco
