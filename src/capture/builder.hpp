// The record of one step, whichever engine made it: bodies, contacts and joint rows are given one
// by one, in the file's signs (signs.hpp), and become columns of the frame and of the answer. Every
// column is sized once.
#pragma once

#include <cstdint>
#include <limits>

#include "perpend/io.hpp"

namespace perpend::capture {

// SI units, world axes, about centres of mass.
struct BodyRow {
  std::int64_t id = 0;
  double mass = 0;                           // kg; 0: fixed, inertia and force are not read
  Matrix3d inertia = Matrix3d::Identity();   // kg m^2
  Vector3d position = Vector3d::Zero();      // m
  Eigen::Vector4d wxyz{1.0, 0.0, 0.0, 0.0};  // orientation
  Vector6 velocity = Vector6::Zero();        // m/s, rad/s
  Vector6 force = Vector6::Zero();           // N, N m
  Vector6 plus = Vector6::Zero();            // velocity after the step
};

struct ContactRow {
  Index first = 0, second = 0;  // bodies
  Vector3d n = Vector3d::Zero(), t = Vector3d::Zero(), o = Vector3d::Zero();
  Vector3d r1 = Vector3d::Zero(), r2 = Vector3d::Zero();  // m, from the centres of mass
  double gap = 0, mu = 0, restitution = 0, rolling = 0, torsional = 0;
  Vector3d bias = Vector3d::Zero();  // m/s, of rows n, t, o
  Vector3d cfm = Vector3d::Zero();   // 1/kg
  Vector3d z = Vector3d::Zero();     // N s
  // Of friction along t, o, N s; infinite: mu lambda_n.
  Eigen::Vector2d bounds = Eigen::Vector2d::Constant(std::numeric_limits<double>::infinity());
};

struct JointRow {
  Vector6 on_first = Vector6::Zero(), on_second = Vector6::Zero();  // of the Jacobian
  double lower = -std::numeric_limits<double>::infinity();          // N s
  double upper = std::numeric_limits<double>::infinity();
  double violation = 0, rate = 0, bias = 0, cfm = 0, z = 0;
};

class RecordBuilder {
 public:
  struct Size {
    Index bodies, contacts;
    Integers rows_of_joints;
  };
  // Optional columns, which an engine has or has not.
  struct Columns {
    bool restitution = true;
    bool cfm = true;  // of contacts and joint rows
    bool friction_bounds = true;
    bool rolling = false;  // and torsional
    bool joint_ids = false;
  };
  // Replaces the frame of the record and the columns of its answer.
  RecordBuilder(io::Record&, const Size&, const Columns&, double h, double time);

  // Each as often as its size says, in the order of the file.
  void add(const BodyRow&);
  void add(const ContactRow&);
  // Its rows follow. `id`: which joint it is, from step to step (Record::joint_ids).
  void add_joint(Index first, Index second, std::int64_t id = -1);
  void add(const JointRow&);

 private:
  io::Record& record_;
  Columns columns_;
  Index body_ = 0, contact_ = 0, joint_ = 0, row_ = 0;  // next
};

}  // namespace perpend::capture
