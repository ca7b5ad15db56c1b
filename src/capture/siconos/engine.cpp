// Scenes in Siconos, as the program perpend-capture-siconos runs them.
#include "capture/engine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "capture/siconos/record.hpp"
#include "capture/siconos/world.hpp"
#include "perpend/base.hpp"

namespace perpend::capture::from_siconos {
namespace {

std::array<double, 7> numbers(const Pose& pose) {
  const Vector3d& x = pose.position;
  const Eigen::Quaterniond& q = pose.orientation;
  return {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()};
}

Pose operator*(const Pose& a, const Pose& b) {
  return {a.position + a.orientation * b.position, a.orientation * b.orientation};
}

[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::string& why) {
  throw io::InputError("siconos: " + what + " '" + name + "': " + why);
}

using PlainShape = SiconosScene::Shape;

// What its recorder makes of our shapes.
constexpr std::pair<Shape::Type, PlainShape::Type> kShapes[] = {
    {Shape::Type::box, PlainShape::Type::box},
    {Shape::Type::sphere, PlainShape::Type::sphere},
    {Shape::Type::cylinder, PlainShape::Type::cylinder},
    {Shape::Type::cone, PlainShape::Type::cone},
    {Shape::Type::capsule, PlainShape::Type::capsule},
    {Shape::Type::plane, PlainShape::Type::plane},
    {Shape::Type::hull, PlainShape::Type::hull}};

// `pose`: of the shape, in the axes that Siconos is to see it in.
void add_shapes(const Shape& shape, const Pose& pose, const std::string& body,
                std::vector<PlainShape>& out) {
  if (shape.type == Shape::Type::compound) {
    for (const Part& part : shape.parts) add_shapes(part.shape, pose * part.pose, body, out);
    return;
  }
  const auto* known = std::find_if(std::begin(kShapes), std::end(kShapes),
                                   [&](const auto& one) { return one.first == shape.type; });
  if (known == std::end(kShapes))
    refuse("body", body,
           "has the shape '" + std::string(name(shape.type)) + "', which the recorder cannot make");
  PlainShape made;
  made.type = known->second;
  made.pose = numbers(pose);
  made.size = {shape.radius, shape.height, 0};
  if (shape.type == Shape::Type::box)
    for (std::size_t i = 0; i < 3; ++i)
      made.size[i] = 2 * shape.half_extents[static_cast<Index>(i)];
  if (shape.type == Shape::Type::hull)
    for (const Vector3d& point : shape.points)
      made.points.push_back({point.x(), point.y(), point.z()});
  out.push_back(std::move(made));
}

// Velocity of a body that moves by itself.
std::function<std::array<double, 6>(double)> velocity_of(const Body& body) {
  const Motion motion = *body.motion;
  switch (motion.type) {
    case Motion::Type::path:
      return [motion](double time) {
        std::array<double, 6> v{};
        for (const Motion::Key& key : motion.keys)
          if (key.time <= time)
            for (std::size_t i = 0; i < 6; ++i) v[i] = key.velocity[static_cast<Index>(i)];
        return v;
      };
    case Motion::Type::vibration:
      return [motion](double time) {
        const double turn = 2 * std::numbers::pi * motion.frequency;
        const Vector3d v = motion.direction.normalized() *
                           (motion.amplitude * turn * std::cos(turn * time + motion.phase));
        return std::array<double, 6>{v.x(), v.y(), v.z(), 0, 0, 0};
      };
    case Motion::Type::conveyor:
      break;
  }
  refuse("body", body.name, "Siconos has no conveyors");
}

SiconosScene::Joint plain(const Joint& joint, const std::string& solver) {
  using Plain = SiconosScene::Joint;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (solver != "nsgs" && solver != "nsgs-exact")
    refuse("joint", joint.name,
           "Siconos' GenericMechanical problem has no solver '" + solver + "', only nsgs");
  Plain out;
  out.first = static_cast<int>(joint.first);
  out.second = static_cast<int>(joint.second);
  out.pose = numbers(joint.frame);
  out.collide = joint.collide;
  const auto add_axis = [&](std::size_t k) {
    const Joint::Limit& limit = joint.limits[k];
    const Joint::Motor& motor = joint.motors[k];
    out.axes.push_back({limit.free() ? -infinity : limit.lower,
                        limit.free() ? infinity : limit.upper, motor.on, motor.speed,
                        motor.max_force});
  };
  const auto locked = [&](std::size_t k) {
    return joint.limits[k].lower == 0 && joint.limits[k].upper == 0;
  };
  switch (joint.type) {
    case Joint::Type::hinge:
      out.type = Plain::Type::hinge;
      add_axis(5);
      break;
    case Joint::Type::slider:
      out.type = Plain::Type::slider;
      add_axis(2);
      break;
    case Joint::Type::point:
      out.type = Plain::Type::point;
      break;
    case Joint::Type::fixed:
      out.type = Plain::Type::fixed;
      break;
    case Joint::Type::generic:
      for (std::size_t k = 0; k < 3; ++k)
        if (!locked(k) || joint.motors[k].on)
          refuse("joint", joint.name, "Siconos has no joint with both translations and rotations");
      out.type = locked(3) && locked(4) && locked(5) ? Plain::Type::fixed : Plain::Type::rotations;
      if (out.type == Plain::Type::rotations)
        for (std::size_t k = 3; k < 6; ++k) add_axis(k);
      break;
  }
  return out;
}

SiconosScene plain(const Task& task) {
  const Scene& scene = task.scene;
  SiconosScene out;
  out.gravity = {scene.gravity.x(), scene.gravity.y(), scene.gravity.z()};
  out.h = task.h;
  out.solver = task.solver;
  out.iterations = task.iterations;
  const std::vector<std::int64_t> ids = io::body_ids(scene);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    SiconosScene::Body made;
    if (body.motion) made.motion = velocity_of(body);
    made.id = ids[i];
    made.mass = body.mass;
    made.mu = body.mu;
    made.restitution = body.restitution;
    Pose centre;  // in the shape's axes
    if (body.mass > 0) centre.position = centre_of_mass(body);
    made.pose = numbers(body.pose * centre);
    const Matrix3d own = inertia(body);
    for (Index k = 0; k < 9; ++k) made.inertia[static_cast<std::size_t>(k)] = own(k / 3, k % 3);
    for (Index k = 0; k < 6; ++k) made.velocity[static_cast<std::size_t>(k)] = body.velocity[k];
    Pose shape;
    shape.position = -centre.position;
    const bool stands = body.mass == 0 && !body.motion;
    add_shapes(body.shape, stands ? body.pose : shape, body.name, made.shapes);
    out.bodies.push_back(std::move(made));
  }
  for (const Joint& joint : scene.joints) out.joints.push_back(plain(joint, task.solver));
  return out;
}

class SiconosRun : public Run {
 public:
  explicit SiconosRun(const Task& task)
      : recorded_(task.recorded),
        h_(task.h),
        world_(plain(task), recorded_ ? [this](SiconosStep& step) { made_ = std::move(step); }
                                      : std::function<void(SiconosStep&)>()) {}
  io::Header header() const override { return siconos_header({}); }
  double h() const override { return h_; }
  int iterations() const override { return world_.iterations(); }
  RecordedStep step() override {
    world_.step();
    if (!recorded_) return {};
    const double seconds = made_.seconds;
    const auto began = made_.began;
    return {step_record(std::move(made_)), seconds, began};
  }
  std::uint64_t hash() const override {
    StateHash hash;
    for (const double number : world_.state()) hash.add(number);
    return hash.value();
  }

 private:
  bool recorded_;
  double h_;
  SiconosStep made_;
  SiconosWorld world_;
};

}  // namespace
}  // namespace perpend::capture::from_siconos

namespace perpend::capture {

Engine siconos_engine() {
  Engine out =
      engine_of<from_siconos::SiconosRun>("siconos", "Siconos",
                                          {{"nsgs", "nonsmooth Gauss-Seidel"},
                                           {"nsgs-exact", "nonsmooth Gauss-Seidel to 1e-13"},
                                           {"prox", "proximal point"},
                                           {"nsn-ac", "nonsmooth Newton, Alart and Curnier"}});
  out.measure = from_siconos::measure_siconos;
  return out;
}

}  // namespace perpend::capture
