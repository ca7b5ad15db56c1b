#include "capture/siconos/record.hpp"

#include "capture/builder.hpp"
#include "capture/header.hpp"
#include "capture/siconos/world.hpp"

namespace perpend::capture::from_siconos {
namespace {

template <std::size_t N>
Eigen::Map<const Eigen::Matrix<double, 1, static_cast<int>(N)>> row(
    const std::array<double, N>& values) {
  return Eigen::Map<const Eigen::Matrix<double, 1, static_cast<int>(N)>>(values.data());
}

// Siconos' own rows: of contacts along its own directions, [-d, -(r1 x d), d, r2 x d], then those
// of joints. Bodies without mass have no columns.
class OwnRows {
 public:
  explicit OwnRows(const SiconosStep& step) : step_(step) {
    for (const SiconosStep::Contact& contact : step.contacts)
      for (std::size_t i = 0; i < 3; ++i) {
        const Vector3d d(contact.own_axes[3 * i], contact.own_axes[3 * i + 1],
                         contact.own_axes[3 * i + 2]);
        add(contact.first, d, row(contact.point1).transpose(), -1);
        add(contact.second, d, row(contact.point2).transpose(), 1);
        end();
      }
    for (const SiconosStep::Joint& joint : step.joints)
      for (const SiconosStep::JointRow& numbers : joint.rows) {
        add(joint.first, row(numbers.jacobian).head<6>());
        add(joint.second, row(numbers.jacobian).tail<6>());
        end();
      }
    out_.values = Eigen::Map<const VectorXd>(values_.data(), static_cast<Index>(values_.size()));
  }
  io::SystemColumns::Matrix take() { return std::move(out_); }

 private:
  void add(std::size_t body, const Vector3d& d, const Vector3d& r, double sign) {
    Vector6 numbers;
    numbers << d, r.cross(d);
    add(body, sign * numbers);
  }
  void add(std::size_t body, const Vector6& numbers) {
    if (step_.bodies[body].mass == 0) return;
    for (Index j = 0; j < 6; ++j) {
      out_.columns.push_back(static_cast<std::int64_t>(6 * body) + j);
      values_.push_back(numbers[j]);
    }
  }
  void end() {
    out_.rows.push_back(static_cast<std::int64_t>(values_.size() - before_));
    before_ = values_.size();
  }

  const SiconosStep& step_;
  io::SystemColumns::Matrix out_;
  std::vector<double> values_;
  std::size_t before_ = 0;
};

template <std::size_t N>
Eigen::Matrix<double, static_cast<int>(N), 1> column(const std::array<double, N>& values) {
  return row(values).transpose();
}

BodyRow neutral(const SiconosStep::Body& body) {
  return {body.id,
          body.mass,
          row(body.inertia).reshaped<Eigen::RowMajor>(3, 3),
          column(body.position),
          column(body.quaternion),
          column(body.velocity),
          column(body.force),
          column(body.plus)};
}

ContactRow neutral(const SiconosStep::Contact& contact) {
  ContactRow out{static_cast<Index>(contact.first),
                 static_cast<Index>(contact.second),
                 column(contact.normal),
                 column(contact.t),
                 column(contact.o),
                 column(contact.point1),
                 column(contact.point2)};
  out.gap = contact.gap;
  out.mu = contact.mu;
  out.restitution = std::min(contact.restitution, 1.0);
  out.bias = column(contact.bias);
  out.z = column(contact.z);
  return out;
}

JointRow neutral(const SiconosStep::JointRow& one) {
  const auto jacobian = column(one.jacobian);
  return {jacobian.head<6>(), jacobian.tail<6>(), one.lower, one.upper, one.violation,
          one.rate,           one.bias,           0,         one.z};
}

// The answer along Siconos' own rows. Those of a contact are its directions d times +-1, and
// D^T r = (n t o) z.
VectorXd own_reactions(const io::Record& record) {
  const Contacts& k = record.frame.contacts;
  const io::Answer& a = record.answer;
  VectorXd out(3 * k.count() + a.z_joints.size());
  const io::SystemColumns::Matrix& J = record.system.J;
  Index entry = 0;
  for (Index i = 0; i < k.count(); ++i) {
    const bool second_moves = record.frame.bodies.masses[k.pairs(i, 1)] > 0;
    Matrix3d d;
    for (Index r = 0; r < 3; ++r) {
      const Index entries = J.rows[static_cast<std::size_t>(3 * i + r)];
      const Index from = second_moves ? entry + entries - 6 : entry;
      d.row(r) = (second_moves ? 1 : -1) * J.values.segment<3>(from).transpose();
      entry += entries;
    }
    Matrix3d axes;
    axes << k.normals.row(i).transpose(), k.tangents.row(i).head<3>().transpose(),
        k.tangents.row(i).tail<3>().transpose();
    out.segment<3>(3 * i) = d.transpose().inverse() * (axes * a.z.row(i).transpose());
  }
  out.tail(a.z_joints.size()) = a.z_joints;
  return out;
}

io::Record record_of(const SiconosStep& step) {
  // Limits and motors are interactions of their own for Siconos; here they are rows of the joint.
  const auto goes_on = [&](std::size_t k) {
    const SiconosStep::Joint& joint = step.joints[k];
    if (k == 0 || joint.id < 0) return false;
    const SiconosStep::Joint& before = step.joints[k - 1];
    return before.id == joint.id && before.first == joint.first && before.second == joint.second;
  };
  Integers rows_of_joints;
  for (std::size_t k = 0; k < step.joints.size(); ++k) {
    if (!goes_on(k)) rows_of_joints.push_back(0);
    rows_of_joints.back() += static_cast<std::int64_t>(step.joints[k].rows.size());
  }
  io::Record record;
  RecordBuilder::Columns columns;
  columns.cfm = columns.friction_bounds = false;
  columns.joint_ids = std::any_of(step.joints.begin(), step.joints.end(),
                                  [](const SiconosStep::Joint& joint) { return joint.id >= 0; });
  RecordBuilder builder(record,
                        {static_cast<Index>(step.bodies.size()),
                         static_cast<Index>(step.contacts.size()), rows_of_joints},
                        columns, step.h, step.time);
  for (const SiconosStep::Body& body : step.bodies) builder.add(neutral(body));
  for (const SiconosStep::Contact& contact : step.contacts) builder.add(neutral(contact));
  for (std::size_t k = 0; k < step.joints.size(); ++k) {
    const SiconosStep::Joint& joint = step.joints[k];
    if (!goes_on(k))
      builder.add_joint(static_cast<Index>(joint.first), static_cast<Index>(joint.second),
                        joint.id);
    for (const SiconosStep::JointRow& one : joint.rows) builder.add(neutral(one));
  }
  const Frame& f = record.frame;
  if (!step.b.empty()) {
    io::SystemColumns& s = record.system;
    s.A.rows = step.A_rows;
    s.A.columns = step.A_columns;
    s.A.values =
        Eigen::Map<const VectorXd>(step.A_values.data(), static_cast<Index>(step.A_values.size()));
    s.b = Eigen::Map<const VectorXd>(step.b.data(), static_cast<Index>(step.b.size()));
    s.mu = f.contacts.mu;
    s.bounds = f.joints.bounds;
    s.J = OwnRows(step).take();
    const Index moving = (f.bodies.masses.array() > 0).count();  // they come first
    s.v = f.bodies.velocities.topRows(moving).reshaped<Eigen::RowMajor>();
  }
  record.answer.iterations = step.iterations;
  record.answer.answered = step.solver;
  return record;
}

class SiconosStepRecord : public StepRecord {
 public:
  explicit SiconosStepRecord(SiconosStep step) : step_(std::move(step)) {
    timing.solver = step_.solved;
  }
  void fill(io::Record& record) override { record = record_of(step_); }
  std::size_t bytes() const override {
    std::size_t sum = sizeof(*this) + step_.bodies.capacity() * sizeof(SiconosStep::Body) +
                      step_.contacts.capacity() * sizeof(SiconosStep::Contact) +
                      (step_.A_rows.capacity() + step_.A_columns.capacity() +
                       step_.A_values.capacity() + step_.b.capacity()) *
                          sizeof(double);
    for (const SiconosStep::Joint& joint : step_.joints)
      sum += sizeof(joint) + joint.rows.capacity() * sizeof(SiconosStep::JointRow);
    return sum;
  }
  bool reusable() const override { return false; }

 private:
  SiconosStep step_;
};

}  // namespace

std::unique_ptr<StepRecord> step_record(SiconosStep step) {
  if (!step.error.empty()) throw io::InputError("siconos: " + step.error);
  return std::make_unique<SiconosStepRecord>(std::move(step));
}

io::Header siconos_header(const std::string& scene) {
  return header_of(
      {"siconos", siconos_version(), sizeof(double), siconos_solvers(), "coulomb",
       "fixed bodies that nothing touches and no joint holds, and where fixed bodies stand "
       "(they are put at the origin); contacts and limits that are not active (not in index "
       "set 1); reactions found for contacts that collision detection had removed (no body "
       "gets them: z is 0, and the solver's name ends in \", not applied\"); ids of contacts; "
       "Newton iterations before the last of a step; time spent on building the problem (it "
       "is part of the solver's)"},
      scene);
}

void measure_siconos(io::Record& record) {
  measure_answer(record);
  double& own = record.answer.errors[Measure::own_error];
  own = record.system.b.size() == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  if (record.system.b.size() == 0 || is_not_applied(record.answer.answered)) return;
  own = measure(io::system_of(record, "siconos"), own_reactions(record))[Measure::velocity_error];
}

}  // namespace perpend::capture::from_siconos
