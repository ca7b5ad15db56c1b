// Recording Project Chrono (non-smooth contacts) with perpend_record.h.
//
// THIS FILE WAS NEVER COMPILED: Debian 12 has no Chrono, and nothing here was run. It is written
// after Chrono 8's public headers and uses only their public interface:
//
//   ChSystemNSC       Get_bodylist, GetContactContainer, DoStepDynamics, GetChTime, Get_G_acc,
//                     GetSolver, GetMaxPenetrationRecoverySpeed
//   ChSolver          ChIterativeSolver::GetIterations
//   ChContactContainer  RegisterAddContactCallback (the friction of a contact as it is added),
//                     ReportAllContacts with OnReportContact (geometry and reactions)
//   ChBody            GetMass, GetInertia, GetPos, GetRot, GetPos_dt, GetWvel_par, GetA,
//                     GetBodyFixed, Get_accumulated_force, Get_accumulated_torque
//
// Signs: Chrono's contact plane has its normal as first column, from A to B, and the reaction acts
// on B along it: the convention of the standard file, nothing is negated. Reactions are forces;
// over a step h they are impulses. After DoStepDynamics the container still holds the geometry of
// the step's beginning, while bodies have moved: bodies are read before.
//
// In place of gap/h Chrono solves max(gap/h, -recovery speed): `bias`. Left out, and said so in
// `omitted`: links, rolling friction, restitution's right-hand side, compliance.
#define PERPEND_RECORD_IMPLEMENTATION
#include <chrono/physics/ChSystemNSC.h>
#include <chrono/solver/ChIterativeSolver.h>
#include <perpend_record.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace {

using chrono::ChVector;

void push(std::vector<double>& column, const ChVector<>& v) {
  column.insert(column.end(), {v.x(), v.y(), v.z()});
}

// The friction of each contact, in the order in which contacts are added: for pairs of bodies
// without rolling friction that is the order in which they are reported.
struct Frictions : chrono::ChContactContainer::AddContactCallback {
  std::vector<double> mu, restitution;
  void OnAddContact(const chrono::collision::ChCollisionInfo&,
                    chrono::ChMaterialComposite* const material) override {
    const auto* nsc = static_cast<const chrono::ChMaterialCompositeNSC*>(material);
    mu.push_back(nsc->static_friction);
    restitution.push_back(nsc->restitution);
  }
};

struct Contacts : chrono::ChContactContainer::ReportContactCallback {
  const std::unordered_map<const void*, std::int64_t>& ids;
  const std::vector<double>& positions;
  double step, recovery_speed;
  std::vector<std::int64_t> pairs;
  std::vector<double> normals, tangents, points, points2, gap, bias, z;

  Contacts(const std::unordered_map<const void*, std::int64_t>& known,
           const std::vector<double>& centres, double h, double speed)
      : ids(known), positions(centres), step(h), recovery_speed(speed) {}

  bool OnReportContact(const ChVector<>& on_a, const ChVector<>& on_b,
                       const chrono::ChMatrix33<>& plane, const double& distance, const double&,
                       const ChVector<>& force, const ChVector<>&, chrono::ChContactable* a,
                       chrono::ChContactable* b) override {
    const std::int64_t first = ids.at(a->GetPhysicsItem()), second = ids.at(b->GetPhysicsItem());
    pairs.insert(pairs.end(), {first, second});
    push(normals, plane.Get_A_Xaxis());
    push(tangents, plane.Get_A_Yaxis());
    push(tangents, plane.Get_A_Zaxis());
    push(points, on_a - centre(first));
    push(points2, on_b - centre(second));
    gap.push_back(distance);
    bias.insert(bias.end(), {std::max(distance / step, -recovery_speed), 0, 0});
    push(z, force * step);
    return true;
  }
  ChVector<> centre(std::int64_t body) const {
    const double* x = positions.data() + 3 * body;
    return {x[0], x[1], x[2]};
  }
};

}  // namespace

// system.DoStepDynamics(h) becomes recorder.step(system, h).
class ChronoRecorder {
 public:
  explicit ChronoRecorder(const char* path) {
    perpend_record_header header{};
    header.engine = "chrono";
    header.engine_version = "8";
    header.friction_model = "coulomb, relaxed (cone complementarity)";
    header.omitted = "links; rolling friction; compliance; right-hand side of restitution";
    check(perpend_record_open(&file_, path, &header));
  }
  ~ChronoRecorder() { perpend_record_close(&file_); }
  void close() { check(perpend_record_close(&file_)); }

  void step(chrono::ChSystemNSC& system, double h) {
    const auto& bodies = system.Get_bodylist();
    std::unordered_map<const void*, std::int64_t> ids;
    std::vector<double> masses, inertia, positions, quaternions, velocities, forces, plus;
    for (const auto& body : bodies) {
      ids.emplace(body.get(), static_cast<std::int64_t>(ids.size()));
      const chrono::ChMatrix33<> world =
          body->GetA() * body->GetInertia() * body->GetA().transpose();
      const ChVector<> omega = body->GetWvel_par();
      masses.push_back(body->GetBodyFixed() ? 0 : body->GetMass());
      for (int i = 0; i < 9; ++i) inertia.push_back(world(i / 3, i % 3));
      push(positions, body->GetPos());
      const auto q = body->GetRot();
      quaternions.insert(quaternions.end(), {q.e0(), q.e1(), q.e2(), q.e3()});
      push(velocities, body->GetPos_dt());
      push(velocities, omega);
      push(forces, system.Get_G_acc() * body->GetMass() + body->Get_accumulated_force());
      push(forces, body->Get_accumulated_torque() - chrono::Vcross(omega, world * omega));
    }
    const double time = system.GetChTime();
    const auto frictions = std::make_shared<Frictions>();
    system.GetContactContainer()->RegisterAddContactCallback(frictions);
    system.DoStepDynamics(h);
    system.GetContactContainer()->RegisterAddContactCallback(nullptr);
    const auto contacts =
        std::make_shared<Contacts>(ids, positions, h, system.GetMaxPenetrationRecoverySpeed());
    system.GetContactContainer()->ReportAllContacts(contacts);
    for (const auto& body : bodies) {
      push(plus, body->GetPos_dt());
      push(plus, body->GetWvel_par());
    }

    perpend_record_frame frame{};
    frame.step = h;
    frame.time = time;
    frame.bodies.count = static_cast<std::int64_t>(masses.size());
    frame.bodies.masses = masses.data();
    frame.bodies.inertia = inertia.data();
    frame.bodies.positions = positions.data();
    frame.bodies.quaternions = quaternions.data();
    frame.bodies.velocities = velocities.data();
    frame.bodies.forces = forces.data();
    frame.bodies.velocities_plus = plus.data();
    frame.contacts.count = static_cast<std::int64_t>(contacts->gap.size());
    frame.contacts.pairs = contacts->pairs.data();
    frame.contacts.normals = contacts->normals.data();
    frame.contacts.tangents = contacts->tangents.data();
    frame.contacts.points = contacts->points.data();
    frame.contacts.points2 = contacts->points2.data();
    frame.contacts.gap = contacts->gap.data();
    frame.contacts.bias = contacts->bias.data();
    frame.contacts.mu = frictions->mu.data();
    frame.contacts.restitution = frictions->restitution.data();
    frame.solution.z = contacts->z.data();
    std::int64_t iterations = 0;
    if (const auto* solver = dynamic_cast<chrono::ChIterativeSolver*>(system.GetSolver().get())) {
      iterations = solver->GetIterations();
      frame.solution.iterations = &iterations;
    }
    check(perpend_record_add(&file_, &frame));
  }

 private:
  void check(int code) {
    if (code) throw std::runtime_error(file_.message);
  }
  perpend_record file_{};
};
