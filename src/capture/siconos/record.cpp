#include "capture/siconos/record.hpp"

#include "perpend/capture/siconos/engine.hpp"

namespace perpend::capture {
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

void put_bodies(const SiconosStep& step, io::Record& record) {
  Bodies& b = record.frame.bodies;
  record.answer.velocities_plus.resize(b.count(), 6);
  for (Index i = 0; i < b.count(); ++i) {
    const SiconosStep::Body& body = step.bodies[static_cast<std::size_t>(i)];
    b.ids[static_cast<std::size_t>(i)] = body.id;
    b.masses[i] = body.mass;
    b.inertia.row(i) = row(body.inertia);
    b.positions.row(i) = row(body.position);
    b.quaternions.row(i) = row(body.quaternion);
    b.velocities.row(i) = row(body.velocity);
    b.forces.row(i) = row(body.force);
    record.answer.velocities_plus.row(i) = row(body.plus);
  }
}

void put_contacts(const SiconosStep& step, io::Record& record) {
  Contacts& k = record.frame.contacts;
  const Index m = k.count();
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.bias.resize(m, 3);
  k.restitution.resize(m);
  record.answer.z.resize(m, 3);
  for (Index i = 0; i < m; ++i) {
    const SiconosStep::Contact& contact = step.contacts[static_cast<std::size_t>(i)];
    k.pairs.row(i) << static_cast<std::int64_t>(contact.first),
        static_cast<std::int64_t>(contact.second);
    k.normals.row(i) = row(contact.normal);
    k.tangents.row(i) << row(contact.t), row(contact.o);
    k.points.row(i) = row(contact.point1);
    k.points2.row(i) = row(contact.point2);
    k.gap[i] = contact.gap;
    k.mu[i] = contact.mu;
    k.restitution[i] = std::min(contact.restitution, 1.0);
    k.bias.row(i) = row(contact.bias);
    record.answer.z.row(i) = row(contact.z);
  }
}

void put_joints(const SiconosStep& step, io::Record& record) {
  Joints& j = record.frame.joints;
  const Index rows = j.row_count();
  j.rate.resize(rows);
  j.bias.resize(rows);
  record.answer.z_joints.resize(rows);
  Index at = 0;
  for (std::size_t k = 0; k < step.joints.size(); ++k) {
    const SiconosStep::Joint& joint = step.joints[k];
    j.pairs.row(static_cast<Index>(k)) << static_cast<std::int64_t>(joint.first),
        static_cast<std::int64_t>(joint.second);
    for (const SiconosStep::JointRow& numbers : joint.rows) {
      j.jacobian.row(at) = row(numbers.jacobian);
      j.bounds.row(at) << numbers.lower, numbers.upper;
      j.violation[at] = numbers.violation;
      j.rate[at] = numbers.rate;
      j.bias[at] = numbers.bias;
      record.answer.z_joints[at] = numbers.z;
      ++at;
    }
  }
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
  Integers rows_of_joints;
  for (const SiconosStep::Joint& joint : step.joints)
    rows_of_joints.push_back(static_cast<std::int64_t>(joint.rows.size()));
  io::Record record;
  Frame& f = record.frame;
  f = make_frame(static_cast<Index>(step.bodies.size()), static_cast<Index>(step.contacts.size()),
                 rows_of_joints);
  f.step = step.h;
  f.time = step.time;
  put_bodies(step, record);
  put_contacts(step, record);
  put_joints(step, record);
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

class GatheredStep : public Gathered {
 public:
  explicit GatheredStep(SiconosStep step) : step_(std::move(step)) { timing.solver = step_.solved; }
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

std::unique_ptr<Gathered> gathered(SiconosStep step) {
  if (!step.error.empty()) throw io::InputError("siconos: " + step.error);
  return std::make_unique<GatheredStep>(std::move(step));
}

io::Header siconos_header() {
  io::Header header;
  header.engine = "siconos";
  header.scalar_bytes = 8;
  header.friction_model = "coulomb";
  header.omitted =
      "fixed bodies that nothing touches and no joint holds, and where fixed bodies stand (they "
      "are "
      "put at the origin); contacts and limits that are not active (not in index set 1); reactions "
      "found for contacts that collision detection had removed (no body gets them: z is 0, and the "
      "solver's name ends in \", not applied\"); ids of contacts; Newton iterations before the "
      "last "
      "of a step; time spent on building the problem (it is part of the solver's)";
  return header;
}

void measure_siconos(io::Record& record) {
  measure_answer(record);
  double& own = record.answer.errors[Measure::own_error];
  own = record.system.b.size() == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  if (record.system.b.size() == 0 || is_not_applied(record.answer.answered)) return;
  own = measure(io::system_of(record, "siconos"), own_reactions(record))[Measure::velocity_error];
}

}  // namespace perpend::capture
