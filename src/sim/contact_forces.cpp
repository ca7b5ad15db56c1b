#include "perpend/sim/contact_forces.hpp"

#include "perpend/bullet.hpp"
#include "perpend/io/forces.hpp"
#include "perpend/measure.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend {

std::vector<ContactForce> contact_forces(const StepProblem& problem,
                                         const std::function<std::uint32_t(std::int64_t)>& place) {
  const Index count = problem.frame.contacts.count();
  if (count == 0) return {};
  const System system = assemble(problem.frame);
  Rows3 z(count, 3);
  for (Index i = 0; i < count; ++i) z.row(i) = problem.impulses.segment<3>(3 * i).transpose();
  return contact_forces(
      problem, system,
      from_rows(system, z, problem.impulses.tail(problem.frame.joints.row_count())), place);
}

std::vector<ContactForce> contact_forces(const StepProblem& problem, const System& system,
                                         const Impulses& impulses,
                                         const std::function<std::uint32_t(std::int64_t)>& place) {
  const Frame& frame = problem.frame;
  const Contacts& contacts = frame.contacts;
  std::vector<ContactForce> out(static_cast<std::size_t>(contacts.count()));
  if (out.empty()) return out;
  const std::vector<std::int8_t> modes = slide_or_stick(system, impulses);
  const VectorXd errors = velocity_errors(system, impulses);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    ContactForce& one = out[static_cast<std::size_t>(system.frame_contact[i])];
    one.mode = modes[i];
    one.error = errors[static_cast<Index>(i)];
  }
  const auto body = [&](std::int64_t row) {
    return place(frame.bodies.ids[static_cast<std::size_t>(row)]);
  };
  Rows3 z(contacts.count(), 3);
  for (Index i = 0; i < contacts.count(); ++i)
    z.row(i) = problem.impulses.segment<3>(3 * i).transpose();
  const Rows3 forces = io::contact_forces(frame, z);
  for (Index i = 0; i < contacts.count(); ++i) {
    ContactForce& one = out[static_cast<std::size_t>(i)];
    one.first = body(contacts.pairs(i, 0));
    one.second = body(contacts.pairs(i, 1));
    one.normal = contacts.normals.row(i).transpose();
    one.point =
        (frame.bodies.positions.row(contacts.pairs(i, 0)) + contacts.points.row(i)).transpose();
    one.force = forces.row(i).transpose();
    one.mu = contacts.mu[i];
    one.gap = contacts.gap[i];
  }
  return out;
}

// Bullet's impulses act on its first body, along the normal that points to it.
std::vector<ContactForce> contact_forces(
    btDiscreteDynamicsWorld& world, double h,
    const std::function<std::uint32_t(const btCollisionObject*)>& place) {
  std::vector<ContactForce> out;
  for (int k = 0; k < world.getDispatcher()->getNumManifolds(); ++k) {
    const btPersistentManifold& manifold = *world.getDispatcher()->getManifoldByIndexInternal(k);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      const btManifoldPoint& point = manifold.getContactPoint(i);
      ContactForce one;
      one.first = place(manifold.getBody1());
      one.second = place(manifold.getBody0());
      one.point = bullet::from_bullet(point.getPositionWorldOnB());
      one.normal = bullet::from_bullet(point.m_normalWorldOnB);
      const btVector3 friction = point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                 point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
      one.force = (point.m_appliedImpulse * one.normal + bullet::from_bullet(friction)) / h;
      one.mu = point.m_combinedFriction;
      one.gap = point.getDistance();
      const double bound = one.mu * point.m_appliedImpulse;
      one.mode = static_cast<std::int8_t>(point.m_appliedImpulse <= 0         ? 0
                                          : friction.length() < 0.999 * bound ? 1
                                                                              : 2);
      if (one.first > one.second) {  // as our contacts are: what comes later in the scene is pushed
        std::swap(one.first, one.second);
        one.normal = -one.normal;
        one.force = -one.force;
      }
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace perpend
