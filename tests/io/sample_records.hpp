// Records that are physically valid and use every column of the standard file, or none of the
// optional ones; and the comparison that spares no bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "io/columns.hpp"
#include "io/files.hpp"
#include "io/hdf5_types.hpp"

namespace perpend::io {

// The name of a file that does not exist yet and disappears with the test.
class TemporaryFile {
 public:
  const std::string& path() const { return path_; }
  operator const std::string&() const { return path_; }

 private:
  test::Scratch folder_;
  std::string path_ = folder_.path("file.h5");
};

// Numbers between -1 and 1, the same on every run.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<std::int64_t>(state_) >> 11) / 4503599627370496.0;
  }
  template <class Matrix>
  Matrix fill(Index rows, Index columns) {
    Matrix m(rows, columns);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = next();
    return m;
  }

 private:
  std::uint64_t state_;
};

// Mandatory columns only. Body ids have gaps and do not begin at 0.
inline Record bare_record(Index bodies, Index contacts, const Integers& joints,
                          std::uint64_t seed) {
  Numbers numbers(seed);
  Record record;
  Frame& f = record.frame;
  f = make_frame(bodies, contacts, joints);
  f.step = 1.0 / 64;
  f.time = static_cast<double>(seed) / 64;
  for (Index i = 0; i < bodies; ++i) {
    f.bodies.ids[static_cast<std::size_t>(i)] = 1000 - 7 * i;
    f.bodies.masses[i] = i ? 2 + numbers.next() : 0;
    f.bodies.inertia(i, 1) = f.bodies.inertia(i, 3) = 0.1 * numbers.next();
    f.bodies.quaternions.row(i) = numbers.fill<Eigen::RowVector4d>(1, 4).normalized();
  }
  f.bodies.positions = numbers.fill<Rows3>(bodies, 3);
  f.bodies.velocities = numbers.fill<Rows6>(bodies, 6);
  f.bodies.forces = numbers.fill<Rows6>(bodies, 6);
  for (Index i = 0; i < contacts; ++i) {
    f.contacts.pairs.row(i) << i % (bodies - 1), bodies - 1;
    f.contacts.normals.row(i) = numbers.fill<Eigen::RowVector3d>(1, 3).normalized();
    f.contacts.gap[i] = numbers.next();
    f.contacts.mu[i] = 1 + numbers.next();
  }
  f.contacts.points = numbers.fill<Rows3>(contacts, 3);
  for (Index i = 0; i < f.joints.count(); ++i)
    f.joints.pairs.row(i) << bodies - 1, i % (bodies - 1);
  f.joints.jacobian = numbers.fill<Rows<12>>(f.joints.row_count(), 12);
  f.joints.violation = numbers.fill<VectorXd>(f.joints.row_count(), 1);
  return record;
}

// x1 + r1 + psi n - x2
inline Eigen::RowVector3d place_on_second(const Frame& f, Index i) {
  const Contacts& k = f.contacts;
  return f.bodies.positions.row(k.pairs(i, 0)) + k.points.row(i) + k.gap[i] * k.normals.row(i) -
         f.bodies.positions.row(k.pairs(i, 1));
}

// Every column that files of this version have.
inline Record full_record(Index bodies, Index contacts, const Integers& joints, std::uint64_t seed,
                          std::int64_t version = 1) {
  Record record = bare_record(bodies, contacts, joints, seed);
  Numbers numbers(seed + 1000);
  Contacts& k = record.frame.contacts;
  const Index rows = record.frame.joints.row_count();
  const auto positive = [&](Index n) { return VectorXd(numbers.fill<VectorXd>(n, 1).cwiseAbs()); };
  k.points2 = numbers.fill<Rows3>(contacts, 3);  // version1.h5 has these
  for (Index i = 0; i < contacts; ++i) k.points2.row(i) = place_on_second(record.frame, i);
  k.tangents.resize(contacts, 6);
  for (Index i = 0; i < contacts; ++i) {
    const Tangents axes = tangents(k.normals.row(i));
    k.tangents.row(i) << axes.o.transpose(), -axes.t.transpose();
  }
  k.restitution = positive(contacts);
  for (Index i = 0; i < contacts; ++i) {
    k.group.push_back(i % 3 - 1);
    k.ids.push_back(9000000000 + i);
    record.answer.slide_or_stick.push_back(static_cast<std::int8_t>(i % 3));
  }
  k.rolling_mu = positive(contacts);
  k.torsional_mu = positive(contacts);
  k.bias = numbers.fill<Rows3>(contacts, 3);
  k.cfm = numbers.fill<Rows3>(contacts, 3).cwiseAbs();
  k.friction_bounds = numbers.fill<Rows<2>>(contacts, 2).cwiseAbs();
  if (contacts) k.friction_bounds(0, 0) = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < record.frame.joints.count(); ++i) record.joint_ids.push_back(20 + 3 * i);
  record.frame.joints.rate = numbers.fill<VectorXd>(rows, 1);
  if (version > 1) record.frame.joints.compliance = positive(rows);
  if (version > 2) {
    record.frame.joints.pairs2 = record.frame.joints.pairs.rowwise().reverse();
    record.frame.joints.jacobian2 = numbers.fill<Rows<12>>(rows, 12);
  }
  record.frame.joints.cfm = positive(rows);
  record.frame.joints.bias = numbers.fill<VectorXd>(rows, 1);
  if (version > 2) {
    k.push = numbers.fill<VectorXd>(contacts, 1);
    k.surface_velocity = numbers.fill<Rows3>(contacts, 3);
  }
  Answer& a = record.answer;
  a.velocities_plus = numbers.fill<Rows6>(bodies, 6);
  a.z = numbers.fill<Rows3>(contacts, 3);
  a.z_joints = numbers.fill<VectorXd>(rows, 1);
  a.iterations = 17;
  // Numbers come in the order of version1.h5, which is older than these two.
  a.errors[Measure::joint_error] = 0.75;
  a.errors[Measure::joint_turn_error] = 0.375;
  for (const MeasureInfo& info : measures())
    if (!a.errors.has(info.measure)) a.errors[info.measure] = numbers.next();
  record.timing.collision = 0.25;
  record.timing.formulation = 0.5;
  record.timing.solver = 0.125;
  record.timing.total = 1;
  // One contact and one joint row on two coordinates.
  SystemColumns& s = record.system;
  s.v = numbers.fill<VectorXd>(2, 1);
  s.f = numbers.fill<VectorXd>(2, 1);
  s.b = numbers.fill<VectorXd>(4, 1);
  s.mu = positive(1);
  s.bounds = Rows<2>::Constant(1, 2, 3.0);
  s.M = {{1, 1}, {0, 1}, positive(2)};
  s.J = {{2, 1, 0, 1}, {0, 1, 1, 0}, numbers.fill<VectorXd>(4, 1)};
  s.A = {{1, 1, 1, 1}, {0, 1, 2, 3}, positive(4)};
  return record;
}

inline void expect_same(const Record& a, const Record& b, const std::string& what) {
  EXPECT_EQ(a.answer.answered, b.answer.answered) << what;
  for (const Column& column : columns()) {
    if (column.type == Type::answerer) continue;  // a name in memory
    const Column::View x = column.view(a), y = column.view(b);
    EXPECT_EQ(x.rows, y.rows) << what << ": " << column.name;
    if (x.rows == y.rows && x.rows > 0) {
      EXPECT_EQ(std::memcmp(x.data, y.data, static_cast<std::size_t>(x.rows) * column.row_bytes()),
                0)
          << what << ": " << column.name;
    }
  }
}

}  // namespace perpend::io
