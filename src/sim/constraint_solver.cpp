// A btConstraintSolver: one island of a stock Bullet world as a frame, solved to a tolerance.
//
// Bullet's world has found contacts, decided how fast penetration goes (erp2 for contacts, erp for
// joints) and will move the bodies. Contacts at a distance close no faster than psi/h; overlaps
// open at erp psi/h. Forces act within the solver, as they do in Bullet's own.
#include <algorithm>

#include "perpend/sim/world.hpp"
#include "sim/advance.hpp"
#include "sim/bullet_body.hpp"
#include "sim/step_frame.hpp"

namespace perpend {

struct ConstraintSolver::Workspace {
  const SolverInfo* info;
  std::unique_ptr<Solver> solver;
  Options options;
  Result last;
};

ConstraintSolver::ConstraintSolver(std::string solver, const Options& options)
    : workspace_(std::make_unique<Workspace>()) {
  Workspace& w = *workspace_;
  w.options = options;
  w.options.measure_all = false;
  w.info = solver_named(solver);
  if (w.info) {
    w.solver = w.info->make();
  } else {
    w.last.status = Status::invalid_input;
    w.last.message = "no solver is called '" + solver + "'";
  }
}

ConstraintSolver::~ConstraintSolver() = default;

const Result& ConstraintSolver::last() const { return workspace_->last; }

void ConstraintSolver::reset() {
  if (workspace_->info) workspace_->solver = workspace_->info->make();
}

btScalar ConstraintSolver::solveGroup(btCollisionObject** bodies, int body_count,
                                      btPersistentManifold** manifolds, int manifold_count,
                                      btTypedConstraint** joints, int joint_count,
                                      const btContactSolverInfo& info, btIDebugDraw*,
                                      btDispatcher*) {
  Workspace& w = *workspace_;
  if (!w.info) return 0;
  const double h = info.m_timeStep;

  // Bodies of the island, and fixed ones that its contacts and joints name.
  std::vector<btCollisionObject*> objects(bodies, bodies + body_count);
  const auto moves = [](const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body && !body->isStaticOrKinematicObject() && body->getInvMass() > 0;
  };
  std::map<const btCollisionObject*, Index> rows;  // only looked up
  for (btCollisionObject* object : objects) rows.emplace(object, static_cast<Index>(rows.size()));
  const auto row_of = [&](const btCollisionObject* object) {
    const auto [at, added] = rows.emplace(object, static_cast<Index>(objects.size()));
    if (added) objects.push_back(const_cast<btCollisionObject*>(object));
    return at->second;
  };
  struct Point {
    btManifoldPoint* point;
    Index first, second;
    Vector3d normal;
  };
  std::vector<Point> points;
  for (int k = 0; k < manifold_count; ++k) {
    btPersistentManifold& manifold = *manifolds[k];
    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    if (!moves(a) && !moves(b)) continue;
    for (int p = 0; p < manifold.getNumContacts(); ++p) {
      btManifoldPoint& point = manifold.getContactPoint(p);
      if (point.getDistance() > manifold.getContactProcessingThreshold()) continue;
      points.push_back({&point, row_of(&a), row_of(&b), -sim::from_bullet(point.m_normalWorldOnB)});
    }
  }
  sim::HeldJoints held;
  for (int k = 0; k < joint_count; ++k) {
    btTypedConstraint& joint = *joints[k];
    if (!joint.isEnabled() || (!moves(joint.getRigidBodyA()) && !moves(joint.getRigidBodyB())))
      continue;
    const auto start = static_cast<Index>(held.rows.size());
    sim::joint_rows(joint, h, held.rows, info.m_erp);
    const auto count = static_cast<Index>(held.rows.size()) - start;
    if (count > 0)
      held.list.push_back(
          {&joint, row_of(&joint.getRigidBodyA()), row_of(&joint.getRigidBodyB()), start, count});
  }

  Frame frame = make_frame(static_cast<Index>(objects.size()), static_cast<Index>(points.size()));
  frame.step = h;
  frame.joints = sim::joint_columns(held);
  for (Index i = 0; i < frame.bodies.count(); ++i) {
    const btCollisionObject& object = *objects[static_cast<std::size_t>(i)];
    const btRigidBody* body = moves(object) ? btRigidBody::upcast(&object) : nullptr;
    const Matrix3d inertia = body ? sim::world_inertia(*body) : Matrix3d::Zero();
    sim::fill_body(frame.bodies, i, object, body != nullptr, inertia,
                   body ? sim::gyroscopic_torque(*body, inertia, h) : Vector3d::Zero());
  }
  Contacts& c = frame.contacts;
  const auto m = static_cast<Index>(points.size());
  c.points2.resize(m, 3);
  c.restitution.resize(m);
  Rows3 start(m, 3);
  for (Index i = 0; i < m; ++i) {
    const Point& at = points[static_cast<std::size_t>(i)];
    const btManifoldPoint& point = *at.point;
    c.pairs.row(i) << at.first, at.second;
    c.normals.row(i) = at.normal.transpose();
    c.points.row(i) = sim::from_bullet(point.getPositionWorldOnA()).transpose() -
                      frame.bodies.positions.row(at.first);
    c.points2.row(i) = sim::from_bullet(point.getPositionWorldOnB()).transpose() -
                       frame.bodies.positions.row(at.second);
    const double gap = point.getDistance() + info.m_linearSlop;
    c.gap[i] = gap > 0 ? gap : info.m_erp2 * gap;
    c.mu[i] = point.m_combinedFriction;
    c.restitution[i] = point.m_combinedRestitution;
    const Tangents directions = tangents(at.normal);
    const Vector3d lateral =
        -(point.m_appliedImpulseLateral1 * sim::from_bullet(point.m_lateralFrictionDir1) +
          point.m_appliedImpulseLateral2 * sim::from_bullet(point.m_lateralFrictionDir2));
    start.row(i) << point.m_appliedImpulse, lateral.dot(directions.t), lateral.dot(directions.o);
  }
  for (std::size_t r = 0; r < held.rows.size(); ++r) {
    const sim::JointRow& row = held.rows[r];
    const bool ahead = row.lower == 0 && row.violation > 0;  // a limit not yet reached
    if (!ahead) frame.joints.violation[static_cast<Index>(r)] = info.m_erp * row.violation;
  }

  const System system = assemble(frame);
  Options options = w.options;
  options.warm_start = from_rows(system, start, VectorXd::Zero(frame.joints.row_count()));
  w.last = solve(system, *w.info, *w.solver, options);
  if (w.last.impulses.size() != system.rows()) w.last.impulses = Impulses::Zero(system.rows());

  const Rows6 plus = velocity_plus(frame, system, w.last.impulses);
  for (Index i = 0; i < frame.bodies.count(); ++i) {
    btRigidBody* body = btRigidBody::upcast(objects[static_cast<std::size_t>(i)]);
    if (frame.bodies.fixed(i)) continue;
    body->setLinearVelocity(sim::to_bullet(plus.row(i).head<3>().transpose()));
    body->setAngularVelocity(sim::to_bullet(plus.row(i).tail<3>().transpose()));
  }
  const Rows3 z = contact_rows(system, w.last.impulses);
  for (Index i = 0; i < m; ++i) {
    const Point& at = points[static_cast<std::size_t>(i)];
    const Tangents directions = tangents(at.normal);
    at.point->m_appliedImpulse = z(i, 0);
    at.point->m_appliedImpulseLateral1 = z(i, 1);
    at.point->m_appliedImpulseLateral2 = z(i, 2);
    at.point->m_lateralFrictionDir1 = sim::to_bullet(-directions.t);
    at.point->m_lateralFrictionDir2 = sim::to_bullet(-directions.o);
  }
  for (const sim::HeldJoint& one : held.list)
    sim::write_joint_impulses(*one.joint,
                              std::span(held.rows).subspan(static_cast<std::size_t>(one.start),
                                                           static_cast<std::size_t>(one.count)),
                              w.last.impulses.segment(3 * system.contacts() + one.start, one.count),
                              h);
  return 0;
}

}  // namespace perpend
