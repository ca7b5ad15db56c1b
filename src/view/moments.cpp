#include <cmath>

#include "perpend/view.hpp"
#include "view/recording.hpp"
#include "view/resolve.hpp"

namespace perpend::view {

struct RecordedMoments::Parts {
  explicit Parts(const std::string& path)
      : recording(frames_of_file(path)), scene(recording.scene()) {
    errors = recording.errors();
    // Recorded states and shapes are told about centres of mass.
    const Bodies first = recording.read(0).frame.bodies;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      Body& body = scene.bodies[i];
      if (!(body.mass > 0)) continue;
      body.centre_of_mass = Vector3d::Zero();
      for (Index row = 0; row < first.count(); ++row)
        if (first.ids[static_cast<std::size_t>(row)] == *body.id)
          body.inertia = inertia_of(first, row);
    }
  }
  // The file's is in world axes.
  static Matrix3d inertia_of(const Bodies& bodies, Index row) {
    const auto q = bodies.quaternions.row(row);
    const Matrix3d turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    Matrix3d world;
    for (Index k = 0; k < 9; ++k) world(k / 3, k % 3) = bodies.inertia(row, k);
    return turn.transpose() * world * turn;
  }
  Recording recording;
  Scene scene;
  std::vector<double> errors;
};

RecordedMoments::RecordedMoments(const std::string& path) : parts_(std::make_unique<Parts>(path)) {}
RecordedMoments::~RecordedMoments() = default;
RecordedMoments::RecordedMoments(RecordedMoments&&) noexcept = default;

const Scene& RecordedMoments::scene() const { return parts_->scene; }
std::string RecordedMoments::engine() const { return parts_->recording.engine_words(); }
Index RecordedMoments::frames() const { return parts_->recording.frames(); }

std::vector<double> RecordedMoments::times() const {
  std::vector<double> out = parts_->recording.times();
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!std::isfinite(out[i]) || (i > 0 && !(out[i] > out[i - 1])))
      throw io::InputError(parts_->recording.path() + ": frame " + std::to_string(i) +
                           ": time: not after that of the frame before; its frames are no run");
  return out;
}

Moment RecordedMoments::moment(Index frame) const {
  const Parts& p = *parts_;
  const io::Record record = p.recording.read(frame);
  const double known = p.errors[static_cast<std::size_t>(frame)];
  const StateMessage seen = p.recording.state(record, known);
  const auto bodies = static_cast<Index>(p.scene.bodies.size());
  Moment out;
  State& state = out.state;
  state.time = record.frame.time;
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  state.positions.setConstant(bodies, 3, nowhere);
  state.quaternions.setConstant(bodies, 4, nowhere);
  state.velocities.setConstant(bodies, 6, nowhere);
  const Bodies told = p.recording.in_order(record.frame.bodies);
  for (Index row = 0; row < told.count(); ++row) {
    const auto place = static_cast<Index>(told.ids[static_cast<std::size_t>(row)]);
    state.positions.row(place) = told.positions.row(row);
    state.quaternions.row(place) = told.quaternions.row(row);
    state.velocities.row(place) = told.velocities.row(row);
  }
  const auto vector = [](const std::vector<float>& list, std::size_t i) {
    return Vector3d(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
  };
  out.penetration = 0;
  for (std::size_t i = 0; i < seen.frictions.size(); ++i) {
    ContactForce one;
    one.first = seen.pairs[2 * i];
    one.second = seen.pairs[2 * i + 1];
    one.point = vector(seen.points, i);
    one.normal = vector(seen.normals, i);
    one.force = vector(seen.forces, i);
    one.mu = static_cast<double>(seen.frictions[i]);
    one.gap = static_cast<double>(seen.gaps[i]);
    one.error = static_cast<double>(seen.errors[i]);
    one.mode = static_cast<std::int8_t>(seen.modes[i]);
    out.penetration = std::max(out.penetration, -record.frame.contacts.gap[static_cast<Index>(i)]);
    out.contacts.push_back(one);
  }
  out.error = std::isnan(known) ? recorded_error(record) : known;
  return out;
}

}  // namespace perpend::view
