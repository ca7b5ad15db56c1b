// What one Newton iteration of Moreau and Jean's scheme holds when its state is updated.
//
// Siconos' law of a body, in its own coordinates (linear velocity in the world's axes, angular in
// the body's), with the iteration matrix W = M - h theta dF/dv:
//   v+ = v_free + W^-1 H^T r,   w = A r + q,   A = H W^-1 H^T,   q = H v_free + e H v
// Read from public members: H = jachqT of each relation of the index set 1, at the positions of
// this iteration; v_free from the integrator's work vectors and dF/dv from the bodies, before
// the state is updated; v+ after it; A, q, mu, r and the solver's report from the one-step problem
// (problem.cpp).
//
// As a frame: angular parts turned into the world's axes by the rotation that H was computed with,
//   h f = M (v_free - v) + (M - W)(v+ - v_free)
// the second part being what the linearized gyroscopic torque adds, so that
//   M (v+ - v) = h f + J^T r
// A body whose six velocities are given (a BoundaryCondition) is one without mass that moves.
#include "perpend/capture/siconos.hpp"
//
#include <siconos/kernel/NewtonEulerDS.hpp>
#include <siconos/kernel/SiconosMemory.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/Simulation.hpp>
#include <stdexcept>

#include "capture/clock.hpp"
#include "capture/siconos/file.hpp"
#include "capture/siconos/inside/problem.hpp"

namespace perpend::capture::from_siconos {
namespace {

using Eigen::Matrix3d;

template <class Vector>
Vector6 six(const Vector& v) {
  Vector6 out;
  for (unsigned i = 0; i < 6; ++i) out[i] = v.getValue(i);
  return out;
}

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
  out.mass = before.driven ? 0 : body.scalarMass();
  const Matrix3d inertia =
      before.turn * mass_of(body).bottomRightCorner<3, 3>() * before.turn.transpose();
  for (int i = 0; i < 9; ++i) out.inertia[static_cast<std::size_t>(i)] = inertia(i / 3, i % 3);
  put(out.position, three(q));
  for (unsigned i = 0; i < 4; ++i) out.quaternion[i] = q.getValue(3 + i);
  put(out.velocity, in_world(before.turn, six(body.twistMemory().getSiconosVector(0))));
  return out;
}

void end_of(const Before& before, double h, SiconosStep::Body& out) {
  if (before.driven) {
    put(out.plus, in_world(before.turn, six(*before.body->twist())));
    out.velocity = out.plus;  // during the step
    return;
  }
  const Matrix6 M = mass_of(*before.body);
  const Vector6 v = six(before.body->twistMemory().getSiconosVector(0));
  const Vector6 plus = six(*before.body->twist());
  const Vector6 impulse = M * (before.free - v) + (M - before.W) * (plus - before.free);
  put(out.force, Vector6(in_world(before.turn, impulse) / h));
  put(out.plus, in_world(before.turn, plus));
}

bool is_driven(NewtonEulerDS& body) {
  if (!body.boundaryConditions()) return false;
  if (body.boundaryConditions()->velocityIndices()->size() != 6)
    throw std::runtime_error("a body has some prescribed velocities: it must be all six or none");
  return true;
}

}  // namespace

SiconosFile::SiconosFile(const std::string& path, const std::string& scene)
    : file_(std::make_unique<StepFile>(path, scene)) {}

SiconosFile::~SiconosFile() {
  if (last_) last_();
}

std::string SiconosFile::error() const { return file_->error(); }

void SiconosFile::close() {
  if (last_) last_();
  file_->close();
}

RecordingMoreauJean::RecordingMoreauJean(SiconosFile& file, double theta, double gamma)
    : RecordingMoreauJean([&file](SiconosStep& step) { file.file_->put(step); }, theta, gamma) {
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
    step.solved = made_->solved + seconds(start - asked_);
  }
  step.time = _simulation->startingTime();
  step.h = _simulation->nextTime() - _simulation->startingTime();
  std::vector<Before> bodies;
  try {
    for (const bool driven : {false, true}) {  // those that move freely come first
      DynamicalSystemsGraph::VIterator it, end;
      for (std::tie(it, end) = _dynamicalSystemsGraph->vertices(); it != end; ++it) {
        const SP::DynamicalSystem ds = _dynamicalSystemsGraph->bundle(*it);
        auto* body = dynamic_cast<NewtonEulerDS*>(ds.get());
        if (!body || !checkOSI(it) || is_driven(*body) != driven) continue;
        const DynamicalSystemProperties& kept = _dynamicalSystemsGraph->properties(*it);
        bodies.push_back({body, step.bodies.size(), rotation(*body->q()),
                          six(*(*kept.workVectors)[MoreauJeanOSI::VFREE]),
                          iteration_matrix(*body, step.h * _theta), driven});
        step.bodies.push_back(
            start_of(bodies.back(), id ? id(*ds) : static_cast<std::int64_t>(body->number())));
      }
    }
  } catch (const std::runtime_error& why) {
    step.error = why.what();
  }
  step.seconds += seconds_since(start);
  MoreauJeanOSI::updateState(level);
  const Clock::time_point updated = Clock::now();
  for (const Before& body : bodies) end_of(body, step.h, step.bodies[body.place]);
  try {
    read_problem(*_simulation, bodies, *this, step);
  } catch (const std::runtime_error& why) {
    step.error = why.what();
  }
  step.seconds += seconds_since(updated);
  made_ = std::make_unique<SiconosStep>(std::move(step));
}

}  // namespace perpend::capture::from_siconos
