// What one Newton iteration of Moreau and Jean's scheme holds when its state is updated.
//
// Siconos' law of a body, in its own coordinates (linear velocity in the world's axes, angular in
// the body's), with the iteration matrix W = M - h theta dF/dv:
//   v+ = v_free + W^-1 H^T r,   w = A r + q,   A = H W^-1 H^T,   q = H v_free + e H v
// Read from public members: H = jachqT of each relation of the index set 1, at the positions of
// this iteration; v_free from the integrator's work vectors and dF/dv from the bodies, before
// the state is updated; v+ after it; A, q, mu, r and the solver's report from the FrictionContact.
//
// As a frame: angular parts turned into the world's axes by the rotation that H was computed with,
//   h f = M (v_free - v) + (M - W)(v+ - v_free)
// the second part being what the linearized gyroscopic torque adds, so that
//   M (v+ - v) = h f + J^T r
// Siconos' normal points to its first body, which has the rows +d: it is our second one. Its
// directions t and o are not orthonormal where the normal is inclined; the frame gets orthonormal
// ones, and the same impulse along them.
#include "perpend/capture/siconos.hpp"
//
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <Eigen/Dense>
#include <map>
#include <siconos/kernel/FrictionContact.hpp>
#include <siconos/kernel/Interaction.hpp>
#include <siconos/kernel/NewtonEuler3DR.hpp>
#include <siconos/kernel/NewtonEulerDS.hpp>
#include <siconos/kernel/NewtonImpactFrictionNSL.hpp>
#include <siconos/kernel/NonSmoothDynamicalSystem.hpp>
#include <siconos/kernel/OSNSMatrix.hpp>
#include <siconos/kernel/SiconosMemory.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/Simulation.hpp>
#include <siconos/kernel/Topology.hpp>
#include <siconos/mechanics/ContactR.hpp>
#include <stdexcept>

#include "capture/siconos/step.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Eigen::Matrix3d;
using Eigen::Vector3d;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class Vector>
Vector6 six(const Vector& v) {
  Vector6 out;
  for (unsigned i = 0; i < 6; ++i) out[i] = v.getValue(i);
  return out;
}
Vector3d three(const SiconosVector& v, unsigned first = 0) {
  return {v.getValue(first), v.getValue(first + 1), v.getValue(first + 2)};
}
Matrix3d rotation(const SiconosVector& q) {
  return Eigen::Quaterniond(q.getValue(3), q.getValue(4), q.getValue(5), q.getValue(6))
      .toRotationMatrix();
}
template <std::size_t N, class Vector>
void put(std::array<double, N>& out, const Vector& v) {
  for (std::size_t i = 0; i < N; ++i) out[i] = v(static_cast<Eigen::Index>(i));
}

// A body before its state is updated.
struct Before {
  NewtonEulerDS* body;
  std::size_t place;  // in the step
  Matrix3d turn;      // from the body's axes to the world's, as H has it
  Vector6 free;
  Matrix6 W;
};

Matrix6 mass_of(NewtonEulerDS& body) {
  Matrix6 out = Matrix6::Zero();
  out.topLeftCorner<3, 3>().diagonal().setConstant(body.scalarMass());
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j) out(3 + i, 3 + j) = body.inertia()->getValue(i, j);
  return out;
}

// W = M - h theta dF/dv - (h theta)^2 dF/dq T. The matrix Siconos keeps is overwritten by its LU
// factors when it first solves with it.
Matrix6 iteration_matrix(NewtonEulerDS& body, double h_theta) {
  Matrix6 W = mass_of(body);
  if (const auto by_v = body.jacobianvForces())
    for (unsigned i = 0; i < 6; ++i)
      for (unsigned j = 0; j < 6; ++j) W(i, j) -= h_theta * by_v->getValue(i, j);
  if (const auto by_q = body.jacobianqForces())
    for (unsigned i = 0; i < 6; ++i)
      for (unsigned j = 0; j < 6; ++j)
        for (unsigned k = 0; k < 7; ++k)
          W(i, j) -= h_theta * h_theta * by_q->getValue(i, k) * body.T()->getValue(k, j);
  return W;
}

Vector6 in_world(const Matrix3d& turn, const Vector6& v) {
  Vector6 out;
  out << v.head<3>(), turn * v.tail<3>();
  return out;
}

// Position, velocity and mass as they were when the step began.
SiconosStep::Body start_of(const Before& before, std::int64_t id) {
  NewtonEulerDS& body = *before.body;
  const SiconosVector& q = body.qMemory().getSiconosVector(0);
  SiconosStep::Body out;
  out.id = id;
  out.mass = body.scalarMass();
  const Matrix3d inertia =
      before.turn * mass_of(body).bottomRightCorner<3, 3>() * before.turn.transpose();
  for (int i = 0; i < 9; ++i) out.inertia[static_cast<std::size_t>(i)] = inertia(i / 3, i % 3);
  put(out.position, three(q));
  for (unsigned i = 0; i < 4; ++i) out.quaternion[i] = q.getValue(3 + i);
  put(out.velocity, in_world(before.turn, six(body.twistMemory().getSiconosVector(0))));
  return out;
}

void end_of(const Before& before, double h, SiconosStep::Body& out) {
  const Matrix6 M = mass_of(*before.body);
  const Vector6 v = six(before.body->twistMemory().getSiconosVector(0));
  const Vector6 plus = six(*before.body->twist());
  const Vector6 impulse = M * (before.free - v) + (M - before.W) * (plus - before.free);
  put(out.force, Vector6(in_world(before.turn, impulse) / h));
  put(out.plus, in_world(before.turn, plus));
}

// Whether every body got the impulse that the reactions make: Siconos does not always hand on what
// its solver found.
bool applied(const std::vector<Before>& bodies, const SiconosStep& step) {
  std::vector<Vector3d> given(step.bodies.size(), Vector3d::Zero());
  for (const SiconosStep::Contact& contact : step.contacts)
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = contact.z[0] * contact.normal[k] + contact.z[1] * contact.t[k] +
                           contact.z[2] * contact.o[k];
      given[contact.first][static_cast<Eigen::Index>(k)] -= along;
      given[contact.second][static_cast<Eigen::Index>(k)] += along;
    }
  for (const Before& body : bodies) {
    const Vector3d got = body.body->p(1) ? three(*body.body->p(1)) : Vector3d::Zero();
    if ((given[body.place] - got).norm() > 1e-9 * (given[body.place].norm() + got.norm()))
      return false;
  }
  return true;
}

// A row by row. Blocks are stored by columns.
void read_matrix(NumericsMatrix& matrix, int size, SiconosStep& step) {
  const auto add = [&](int column, double value) {
    step.A_columns.push_back(column);
    step.A_values.push_back(value);
  };
  if (matrix.storageType != NM_SPARSE_BLOCK) {
    for (int i = 0; i < size; ++i) {
      const std::size_t before = step.A_values.size();
      for (int j = 0; j < size; ++j)
        if (const double value = NM_get_value(&matrix, i, j); value != 0) add(j, value);
      step.A_rows.push_back(static_cast<std::int64_t>(step.A_values.size() - before));
    }
    return;
  }
  const SparseBlockStructuredMatrix& blocks = *matrix.matrix1;
  for (std::size_t row = 0; row + 1 < blocks.filled1; ++row) {
    const unsigned first = row ? blocks.blocksize0[row - 1] : 0;
    const unsigned height = blocks.blocksize0[row] - first;
    for (unsigned i = 0; i < height; ++i) {
      const std::size_t before = step.A_values.size();
      for (std::size_t k = blocks.index1_data[row]; k < blocks.index1_data[row + 1]; ++k) {
        const std::size_t column = blocks.index2_data[k];
        const unsigned left = column ? blocks.blocksize1[column - 1] : 0;
        for (unsigned j = 0; j < blocks.blocksize1[column] - left; ++j)
          add(static_cast<int>(left + j), blocks.block[k][i + j * height]);
      }
      step.A_rows.push_back(static_cast<std::int64_t>(step.A_values.size() - before));
    }
  }
}

// Reads all that the FrictionContact was asked, and its answer.
class Problem {
 public:
  Problem(const std::vector<Before>& bodies, SiconosStep& step) : bodies_(bodies), step_(step) {
    for (std::size_t i = 0; i < bodies.size(); ++i) place_[bodies[i].body] = i;
  }

  void read(Simulation& simulation,
            const std::function<std::int64_t(const SiconosShape&)>& fixed_id) {
    auto* problem = dynamic_cast<FrictionContact*>(simulation.oneStepNSProblem(0).get());
    if (!problem || problem->getFrictionContactDim() != 3)
      throw std::runtime_error("the one-step problem is not a FrictionContact of dimension 3");
    InteractionsGraph& active =
        *simulation.nonSmoothDynamicalSystem()->topology()->indexSet(problem->indexSetLevel());
    step_.contacts.resize(active.size());
    step_.solver = solver_options_id_to_name(problem->numericsSolverOptions()->solverId);
    step_.iterations = 0;
    if (active.size() == 0) return;
    step_.iterations = problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_ITER_DONE];
    const int size = static_cast<int>(problem->getSizeOutput());
    for (int i = 0; i < size; ++i)
      step_.b.push_back(problem->q()->getValue(static_cast<unsigned>(i)));
    read_matrix(*problem->M()->numericsMatrix(), size, step_);
    InteractionsGraph::VIterator it, end;
    for (std::tie(it, end) = active.vertices(); it != end; ++it)
      contact(*active.bundle(*it), active.properties(*it), *problem, fixed_id);
  }

 private:
  const Before& moving(const SP::DynamicalSystem& body) const {
    const auto found = place_.find(dynamic_cast<NewtonEulerDS*>(body.get()));
    if (found == place_.end())
      throw std::runtime_error(
          "a contact of a body that is not a NewtonEulerDS of this integrator");
    return bodies_[found->second];
  }

  std::size_t standing(std::int64_t id) {
    const auto found = standing_.find(id);
    if (found != standing_.end()) return found->second;
    SiconosStep::Body body;
    body.id = id;
    body.inertia = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};  // not read
    step_.bodies.push_back(body);
    return standing_[id] = step_.bodies.size() - 1;
  }

  void contact(Interaction& interaction, const InteractionProperties& where,
               FrictionContact& problem,
               const std::function<std::int64_t(const SiconosShape&)>& fixed_id) {
    auto* relation = dynamic_cast<NewtonEuler3DR*>(interaction.relation().get());
    const auto* law = dynamic_cast<NewtonImpactFrictionNSL*>(interaction.nonSmoothLaw().get());
    if (!relation || !law)
      throw std::runtime_error("a contact that is not NewtonEuler3DR with NewtonImpactFrictionNSL");
    const unsigned at = where.absolute_position;
    SiconosStep::Contact& out = step_.contacts.at(at / 3);
    const SiconosMatrix& H = *relation->jachqT();
    Matrix3d d;  // rows n, t, o
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned j = 0; j < 3; ++j) {
        d(i, j) = H.getValue(i, j);
        out.own_axes[3 * i + j] = d(i, j);
      }
    Matrix3d axes;
    const Vector3d n = d.row(0), t = d.row(1) - d.row(1).dot(d.row(0)) * d.row(0);
    axes << n.normalized().transpose(), t.normalized().transpose(),
        n.normalized().cross(t.normalized()).transpose();
    put(out.normal, axes.row(0).transpose());
    put(out.t, axes.row(1).transpose());
    put(out.o, axes.row(2).transpose());

    // Rows of one body: r x d = its turned angular part for all three d, solved for r.
    Matrix3d normal_equations = Matrix3d::Zero();
    for (int i = 0; i < 3; ++i)
      normal_equations +=
          d.row(i).squaredNorm() * Matrix3d::Identity() - d.row(i).transpose() * d.row(i);
    Vector3d free = Vector3d::Zero();
    const auto side = [&](const Before& body, unsigned column, double sign) -> Vector3d {
      Eigen::Matrix<double, 3, 6> rows;
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 6; ++j) rows(i, j) = H.getValue(i, column + j);
      free += rows * body.free;
      Vector3d r = Vector3d::Zero();
      for (int i = 0; i < 3; ++i) {
        const Vector3d direction = d.row(i);
        r += sign * direction.cross(body.turn * rows.row(i).tail<3>().transpose());
      }
      return normal_equations.inverse() * r;
    };
    const bool two = where.source != where.target;
    const SP::DynamicalSystem& plus = where.source_pos == 0 ? where.source : where.target;
    const SP::DynamicalSystem& minus = where.source_pos == 0 ? where.target : where.source;
    const Before& second = moving(plus);
    out.second = second.place;
    put(out.point2, side(second, 0, 1));
    if (two) {
      const Before& first = moving(minus);
      out.first = first.place;
      put(out.point1, side(first, 6, -1));
    } else {
      const auto* contact = dynamic_cast<ContactR*>(relation);
      const SiconosShape* shape = contact ? contact->shape[1].get() : nullptr;
      out.first = standing(shape && fixed_id ? fixed_id(*shape) : -1);
      put(out.point1, three(*relation->pc2()));  // it stands at the origin
    }
    out.gap = gap(*relation, second, two ? &moving(minus) : nullptr);
    out.mu = problem.getMu(at / 3);
    out.restitution = law->en();
    Vector3d own;
    for (unsigned i = 0; i < 3; ++i) {
      out.bias[i] = step_.b[at + i] - free[i];
      own[i] = problem.z()->getValue(at + i);
    }
    put(out.own_z, own);
    put(out.z, Vector3d(axes * (d.transpose() * own)));
  }

  // The distance when the step began: Siconos keeps the points and the normal in the axes of their
  // bodies, of the second one of its pair (of the world where that stands still).
  static double gap(const NewtonEuler3DR& relation, const Before& one, const Before* other) {
    const SiconosVector& q1 = one.body->qMemory().getSiconosVector(0);
    const Vector3d p1 = three(q1) + rotation(q1) * three(*relation.relPc1());
    Vector3d p2 = three(*relation.relPc2()), n = three(*relation.relNc());
    if (other) {
      const SiconosVector& q2 = other->body->qMemory().getSiconosVector(0);
      p2 = three(q2) + rotation(q2) * p2;
      n = rotation(q2) * n;
    }
    return n.dot(p1 - p2);
  }

  const std::vector<Before>& bodies_;
  SiconosStep& step_;
  std::map<const NewtonEulerDS*, std::size_t> place_;
  std::map<std::int64_t, std::size_t> standing_;
};

}  // namespace

RecordingMoreauJean::RecordingMoreauJean(SiconosFile& file, double theta, double gamma)
    : RecordingMoreauJean([&file](SiconosStep& step) { file.put(step); }, theta, gamma) {
  file_ = &file;
  file.last_ = [this] { finish(); };
}

RecordingMoreauJean::RecordingMoreauJean(SiconosSink sink, double theta, double gamma)
    : MoreauJeanOSI(theta, gamma), sink_(std::move(sink)) {}

RecordingMoreauJean::~RecordingMoreauJean() {
  finish();
  if (file_) file_->last_ = nullptr;
}

void RecordingMoreauJean::finish() {
  if (!made_) return;
  const std::unique_ptr<SiconosStep> step = std::move(made_);
  if (step->h > 0) sink_(*step);  // else it was asked and never answered
}

void RecordingMoreauJean::computeFreeState() {
  if (made_ && made_->time != _simulation->startingTime()) finish();
  if (!made_) {
    made_ = std::make_unique<SiconosStep>();
    made_->began = Clock::now();
  }
  asked_ = Clock::now();
  MoreauJeanOSI::computeFreeState();
}

void RecordingMoreauJean::updateState(const unsigned int level) {
  const Clock::time_point start = Clock::now();
  SiconosStep step;
  if (made_) {
    step.began = made_->began;
    step.seconds = made_->seconds;
    step.solved = made_->solved + std::chrono::duration<double>(start - asked_).count();
  }
  step.time = _simulation->startingTime();
  step.h = _simulation->nextTime() - _simulation->startingTime();
  std::vector<Before> bodies;
  DynamicalSystemsGraph::VIterator it, end;
  for (std::tie(it, end) = _dynamicalSystemsGraph->vertices(); it != end; ++it) {
    const SP::DynamicalSystem ds = _dynamicalSystemsGraph->bundle(*it);
    auto* body = dynamic_cast<NewtonEulerDS*>(ds.get());
    if (!body || !checkOSI(it)) continue;
    const DynamicalSystemProperties& kept = _dynamicalSystemsGraph->properties(*it);
    bodies.push_back({body, step.bodies.size(), rotation(*body->q()),
                      six(*(*kept.workVectors)[MoreauJeanOSI::VFREE]),
                      iteration_matrix(*body, step.h * _theta)});
    step.bodies.push_back(
        start_of(bodies.back(), id ? id(*ds) : static_cast<std::int64_t>(body->number())));
  }
  step.seconds += seconds_since(start);
  MoreauJeanOSI::updateState(level);
  const Clock::time_point updated = Clock::now();
  for (const Before& body : bodies) end_of(body, step.h, step.bodies[body.place]);
  try {
    Problem(bodies, step).read(*_simulation, fixed_id);
    if (!applied(bodies, step)) step.solver += kNotApplied;
  } catch (const std::runtime_error& why) {
    step.error = why.what();
  }
  step.seconds += seconds_since(updated);
  made_ = std::make_unique<SiconosStep>(std::move(step));
}

}  // namespace perpend::capture
