#include "capture/siconos/record.hpp"

#include "perpend/capture/siconos/engine.hpp"

namespace perpend::capture {
namespace {

template <std::size_t N>
Eigen::Map<const Eigen::Matrix<double, 1, static_cast<int>(N)>> row(
    const std::array<double, N>& values) {
  return Eigen::Map<const Eigen::Matrix<double, 1, static_cast<int>(N)>>(values.data());
}

// Siconos' own rows, along its own directions: [-d, -(r1 x d), d, r2 x d].
io::SystemColumns::Matrix own_rows(const SiconosStep& step) {
  io::SystemColumns::Matrix out;
  std::vector<double> values;
  const auto add = [&](std::size_t body, const Vector3d& d, const Vector3d& r, double sign) {
    if (step.bodies[body].mass == 0) return;
    Vector6 numbers;
    numbers << d, r.cross(d);
    for (Index j = 0; j < 6; ++j) {
      out.columns.push_back(static_cast<std::int64_t>(6 * body) + j);
      values.push_back(sign * numbers[j]);
    }
  };
  for (const SiconosStep::Contact& contact : step.contacts)
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3d d(contact.own_axes[3 * i], contact.own_axes[3 * i + 1],
                       contact.own_axes[3 * i + 2]);
      const std::size_t before = values.size();
      add(contact.first, d, row(contact.point1).transpose(), -1);
      add(contact.second, d, row(contact.point2).transpose(), 1);
      out.rows.push_back(static_cast<std::int64_t>(values.size() - before));
    }
  out.values = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  return out;
}

}  // namespace

io::Record record_of(const SiconosStep& step) {
  if (!step.error.empty()) throw io::InputError("siconos: " + step.error);
  const auto n = static_cast<Index>(step.bodies.size());
  const auto m = static_cast<Index>(step.contacts.size());
  io::Record record;
  Frame& f = record.frame;
  f = make_frame(n, m);
  f.step = step.h;
  f.time = step.time;
  io::Answer& a = record.answer;
  a.velocities_plus.resize(n, 6);
  for (Index i = 0; i < n; ++i) {
    const SiconosStep::Body& body = step.bodies[static_cast<std::size_t>(i)];
    f.bodies.ids[static_cast<std::size_t>(i)] = body.id;
    f.bodies.masses[i] = body.mass;
    f.bodies.inertia.row(i) = row(body.inertia);
    f.bodies.positions.row(i) = row(body.position);
    f.bodies.quaternions.row(i) = row(body.quaternion);
    f.bodies.velocities.row(i) = row(body.velocity);
    f.bodies.forces.row(i) = row(body.force);
    a.velocities_plus.row(i) = row(body.plus);
  }
  Contacts& k = f.contacts;
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.bias.resize(m, 3);
  k.restitution.resize(m);
  a.z.resize(m, 3);
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
    a.z.row(i) = row(contact.z);
  }
  if (m > 0) {
    io::SystemColumns& s = record.system;
    s.A.rows = step.A_rows;
    s.A.columns = step.A_columns;
    s.A.values =
        Eigen::Map<const VectorXd>(step.A_values.data(), static_cast<Index>(step.A_values.size()));
    s.b = Eigen::Map<const VectorXd>(step.b.data(), 3 * m);
    s.mu = k.mu;
    s.J = own_rows(step);
    const Index moving = (f.bodies.masses.array() > 0).count();  // they come first
    s.v = f.bodies.velocities.topRows(moving).reshaped<Eigen::RowMajor>();
  }
  if (m > 0) {
    const System own = io::system_of(record, "siconos");
    VectorXd reactions(3 * m);
    for (Index i = 0; i < m; ++i)
      reactions.segment<3>(3 * i) =
          row(step.contacts[static_cast<std::size_t>(i)].own_z).transpose();
    a.errors[Measure::own_error] = measure(own, reactions)[Measure::velocity_error];
  }
  a.iterations = step.iterations;
  a.answered = step.solver;
  record.timing.solver = step.solved;
  return record;
}

io::Header siconos_header() {
  io::Header header;
  header.engine = "siconos";
  header.scalar_bytes = 8;
  header.friction_model = "coulomb";
  header.omitted =
      "fixed bodies that nothing touches, and where fixed bodies stand (they are put at the "
      "origin); contacts that are not active (not in index set 1); ids of contacts; Newton "
      "iterations before the last of a step; time spent on building the problem (it is part of the "
      "solver's)";
  return header;
}

void measure_siconos(io::Record& record) {
  const double own = record.answer.errors[Measure::own_error];
  measure_answer(record);
  record.answer.errors[Measure::own_error] = own;
}

}  // namespace perpend::capture
