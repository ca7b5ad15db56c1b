#include "capture/mujoco/rows.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

namespace perpend::capture::from_mujoco {
namespace {

// A force along d at a point, about a body's centre of mass.
Wrench push(const Vector3d& d, const Vector3d& point, const Vector3d& centre) {
  Wrench out;
  out << d, (point - centre).cross(d);
  return out;
}

Wrench turn(const Vector3d& d) {
  Wrench out;
  out << Vector3d::Zero(), d;
  return out;
}

class Reader {
 public:
  Reader(const mjModel& m, const mjData& d, const Tree& tree, double h,
         const std::vector<Twist>& plus, const std::vector<Twist>& unsolved)
      : m_(m), d_(d), tree_(tree), h_(h), plus_(plus), unsolved_(unsolved) {}

  MujocoRows read() {
    for (int row = 0; row < d_.nefc;) row += read_row(row);
    for (int k = 0; k < d_.ncon; ++k) read_contact(d_.contact[k]);
    return std::move(out_);
  }

 private:
  // c of one of MuJoCo's rows; its J on the motion that was solved and not made.
  double bias(int row, double unsolved) const {
    return unsolved - d_.efc_vel[row] - h_ * d_.efc_aref[row];
  }
  double applied(const std::vector<Twist>& twists, const MujocoJoint& joint,
                 const JointRow& row) const {
    return row.on_first.dot(twists[static_cast<std::size_t>(joint.first)]) +
           row.on_second.dot(twists[static_cast<std::size_t>(joint.second)]);
  }

  // The joint row of MuJoCo's row: what is the same for all kinds.
  JointRow started(int row) const {
    JointRow out;
    out.violation = d_.efc_pos[row];
    out.cfm = d_.efc_R[row];
    out.z = h_ * d_.efc_force[row];
    switch (d_.efc_type[row]) {
      case mjCNSTR_FRICTION_DOF:
      case mjCNSTR_FRICTION_TENDON:
        out.lower = -h_ * d_.efc_frictionloss[row];
        out.upper = -out.lower;
        out.violation = 0;
        break;
      case mjCNSTR_LIMIT_JOINT:
      case mjCNSTR_LIMIT_TENDON:
        out.lower = 0;
        break;
      default:
        break;
    }
    return out;
  }

  // What MuJoCo's row is about.
  MujocoJoint of(int row) const {
    MujocoJoint out;
    out.number = d_.efc_id[row];
    switch (d_.efc_type[row]) {
      case mjCNSTR_EQUALITY:
        out.kind = mjOBJ_EQUALITY;
        break;
      case mjCNSTR_FRICTION_DOF:
        out.kind = mjOBJ_JOINT;
        out.number = m_.dof_jntid[out.number];
        break;
      case mjCNSTR_LIMIT_JOINT:
        out.kind = mjOBJ_JOINT;
        break;
      default:
        out.kind = mjOBJ_TENDON;
        break;
    }
    return out;
  }

  // Number of MuJoCo's rows that were taken.
  int read_row(int row) {
    const int type = d_.efc_type[row];
    if (type >= mjCNSTR_CONTACT_FRICTIONLESS) return 1;
    if (type == mjCNSTR_EQUALITY) {
      const int id = d_.efc_id[row];
      if (m_.eq_type[id] == mjEQ_CONNECT) return read_connection(row, id, 3);
      if (m_.eq_type[id] == mjEQ_WELD) return read_connection(row, id, 6);
    }
    read_along(row);
    return 1;
  }

  // Two points held together, and for a weld two orientations. MuJoCo's error is first - second.
  int read_connection(int row, int id, int rows) {
    const int b1 = m_.eq_obj1id[id], b2 = m_.eq_obj2id[id];
    const mjtNum* data = m_.eq_data + mjNEQDATA * id;
    const bool weld = rows == 6;
    const auto point = [&](int b, const mjtNum* local) -> Vector3d {
      return vector(d_.xpos + 3 * b) + matrix(d_.xmat + 9 * b) * vector(local);
    };
    const Vector3d p1 = point(b1, weld ? data + 3 : data), p2 = point(b2, weld ? data : data + 3);
    MujocoJoint joint = of(row);
    joint.first = tree_.place(b1);
    joint.second = tree_.place(b2);
    const auto quaternion = [](const mjtNum* q) {
      return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    };
    const Eigen::Quaterniond before = quaternion(d_.xquat + 4 * b2).conjugate();
    const Eigen::Quaterniond after = quaternion(d_.xquat + 4 * b1) * quaternion(data + 6);
    Matrix3d turning;  // rate of the quaternion error at unit turns of the first body
    for (int k = 0; k < 3; ++k) {
      Eigen::Quaterniond spin(0, 0, 0, 0);
      spin.vec() = Vector3d::Unit(k);
      turning.col(k) = 0.5 * data[10] * (before * spin * after).vec();
    }
    for (int k = 0; k < rows; ++k) {
      JointRow next = started(row + k);
      if (k < 3) {
        const Vector3d d = Vector3d::Unit(k);
        next.on_first = push(d, p1, tree_.body(joint.first).position);
        next.on_second = push(-d, p2, tree_.body(joint.second).position);
      } else {
        next.on_first = turn(turning.row(k - 3));
        next.on_second = -next.on_first;
      }
      next.bias = bias(row + k, applied(unsolved_, joint, next));
      joint.rows.push_back(next);
    }
    out_.joints.push_back(std::move(joint));
    return rows;
  }

  // A row along axes of the tree's joints: limits, friction, couplings, tendons. One that takes
  // part in several joints ties more than two bodies, for which a frame has no row: each joint then
  // has a row of its own whose impulse is given.
  void read_along(int row) {
    std::map<Index, VectorXd> parts;
    const auto add = [&](int dof, double value) {
      if (value == 0) return;
      const Index i = tree_.place_of_dof(dof);
      VectorXd& part = parts.try_emplace(i, VectorXd::Zero(tree_.body(i).dofs)).first->second;
      part[dof - tree_.body(i).first_dof] = value;
    };
    if (mj_isSparse(&m_)) {
      const int at = d_.efc_J_rowadr[row];
      for (int k = 0; k < d_.efc_J_rownnz[row]; ++k) add(d_.efc_J_colind[at + k], d_.efc_J[at + k]);
    } else {
      for (int dof = 0; dof < m_.nv; ++dof) add(dof, d_.efc_J[row * m_.nv + dof]);
    }
    for (const auto& [i, along] : parts) {
      MujocoJoint joint = of(row);
      joint.first = tree_.body(i).parent;
      joint.second = i;
      JointRow next = started(row);
      next.on_first = tree_.on_parent(i, along);
      next.on_second = tree_.on_child(i, along);
      if (parts.size() == 1) {
        next.bias = bias(row, applied(unsolved_, joint, next));
      } else {
        next.lower = next.upper = next.z;
        next.violation = next.cfm = 0;
      }
      joint.rows.push_back(next);
      out_.joints.push_back(std::move(joint));
    }
  }

  void read_contact(const mjContact& contact) {
    const bool asked = contact.exclude == 0 && contact.efc_address >= 0;
    if (!asked && contact.exclude != 1) return;  // fused, held by an equality, or nothing can move
    MujocoContact next;
    const Index of_geom1 = tree_.place(m_.geom_bodyid[contact.geom1]);
    const Index of_geom2 = tree_.place(m_.geom_bodyid[contact.geom2]);
    next.first = kMujoco.first(of_geom1, of_geom2);
    next.second = kMujoco.second(of_geom1, of_geom2);
    if (next.first == next.second || (tree_.fixed(next.first) && tree_.fixed(next.second))) return;
    next.point = vector(contact.pos);
    next.r1 = next.point - tree_.body(next.first).position;
    next.r2 = next.point - tree_.body(next.second).position;
    next.n = kMujoco.direction(vector(contact.frame));
    next.t = kMujoco.direction(vector(contact.frame + 3));
    next.o = kMujoco.direction(vector(contact.frame + 6));
    next.gap = kMujoco.gap(contact.dist);
    next.mu = contact.dim > 1 ? contact.friction[0] : 0;
    next.torsional = contact.dim > 3 ? contact.friction[2] : 0;
    next.rolling = contact.dim > 4 ? contact.friction[3] : 0;
    if (asked)
      add_rows(contact, next);
    else
      leave_open(next);
    out_.contacts.push_back(next);
  }

  // Relative velocity along n, t, o.
  Vector3d relative(const MujocoContact& contact, const std::vector<Twist>& twists) const {
    const auto at = [&](Index i) -> Vector3d {
      const Twist& twist = twists[static_cast<std::size_t>(i)];
      return twist.head<3>() + twist.tail<3>().cross(contact.point - tree_.body(i).position);
    };
    const Vector3d v = at(contact.second) - at(contact.first);
    return {contact.n.dot(v), contact.t.dot(v), contact.o.dot(v)};
  }

  void add_rows(const mjContact& contact, MujocoContact& next) {
    const int row = contact.efc_address;
    const Vector3d unsolved = relative(next, unsolved_);
    Eigen::Matrix<double, 6, 1> z = Eigen::Matrix<double, 6, 1>::Zero();
    if (d_.efc_type[row] == mjCNSTR_CONTACT_PYRAMIDAL) {
      mju_decodePyramid(z.data(), d_.efc_force + row, contact.friction, contact.dim);
      next.bias[0] = (bias(row, 0) + bias(row + 1, 0)) / 2 + unsolved[0];
      next.cfm[0] = d_.efc_R[row] / (2 * (contact.dim - 1));
      for (int k = 1; k < 3; ++k) {
        const int at = row + 2 * (k - 1);
        const double mu = contact.friction[k - 1];
        next.bias[k] = (bias(at, 0) - bias(at + 1, 0)) / (2 * mu) + unsolved[k];
        next.cfm[k] = d_.efc_R[at] / (2 * mu * mu);
      }
    } else {
      for (int k = 0; k < contact.dim; ++k) z[k] = d_.efc_force[row + k];
      for (int k = 0; k < std::min(contact.dim, 3); ++k) {
        next.bias[k] = bias(row + k, unsolved[k]);
        next.cfm[k] = d_.efc_R[row + k];
      }
    }
    z *= h_;
    next.z = z.head<3>();
    // Spin about n, rolling about t and o: torques, for which a contact has no place.
    if (contact.dim < 4) return;
    MujocoJoint torques;
    torques.first = next.first;
    torques.second = next.second;
    const Vector3d axes[3] = {next.n, next.t, next.o};
    for (int k = 0; k < contact.dim - 3; ++k) {
      JointRow given;
      given.on_second = turn(axes[k]);
      given.on_first = -given.on_second;
      given.z = given.lower = given.upper = z[3 + k];
      // No solver needs these of a row whose impulse is given; MuJoCo's own error does.
      const double motion = applied(unsolved_, torques, given);
      if (d_.efc_type[row] == mjCNSTR_CONTACT_PYRAMIDAL) {
        const int at = row + 2 * (2 + k);
        const double mu = contact.friction[2 + k];
        given.bias = (bias(at, 0) - bias(at + 1, 0)) / (2 * mu) + motion;
        given.cfm = d_.efc_R[at] / (2 * mu * mu);
      } else {
        given.bias = bias(row + 3 + k, motion);
        given.cfm = d_.efc_R[row + 3 + k];
      }
      torques.rows.push_back(given);
    }
    out_.joints.push_back(std::move(torques));
  }

  // Seen, and too far away for MuJoCo to ask: its bias is at least what keeps it open, and any
  // compliance will do.
  void leave_open(MujocoContact& contact) const {
    const Vector3d v = relative(contact, plus_);
    contact.bias << std::max(contact.gap / h_, -v[0]), -v[1], -v[2];
    double softness = 0;
    for (const Index i : {contact.first, contact.second})
      if (!tree_.fixed(i)) softness += 1 / tree_.body(i).mass;
    contact.cfm.setConstant(softness);
  }

  const mjModel& m_;
  const mjData& d_;
  const Tree& tree_;
  const double h_;
  const std::vector<Twist>&plus_, &unsolved_;
  MujocoRows out_;
};

}  // namespace

MujocoRows rows_of(const mjModel& m, const mjData& d, const Tree& tree, double h,
                   const std::vector<Twist>& plus, const std::vector<Twist>& unsolved) {
  return Reader(m, d, tree, h, plus, unsolved).read();
}

}  // namespace perpend::capture::from_mujoco
