// Scenes in Siconos, as the program perpend-capture-siconos runs them.
#include "perpend/capture/siconos/engine.hpp"

#include "capture/siconos/record.hpp"
#include "capture/siconos/world.hpp"
#include "perpend/scene/hash.hpp"

namespace perpend::capture {
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

// `pose`: of the shape, in the axes that Siconos is to see it in.
void add_shapes(const Shape& shape, const Pose& pose, const std::string& body,
                std::vector<SiconosScene::Shape>& out) {
  using Plain = SiconosScene::Shape;
  Plain made;
  made.pose = numbers(pose);
  made.size = {shape.radius, shape.height, 0};
  switch (shape.type) {
    case Shape::Type::box:
      made.type = Plain::Type::box;
      for (std::size_t i = 0; i < 3; ++i)
        made.size[i] = 2 * shape.half_extents[static_cast<Index>(i)];
      break;
    case Shape::Type::sphere:
      made.type = Plain::Type::sphere;
      break;
    case Shape::Type::cylinder:
      made.type = Plain::Type::cylinder;
      break;
    case Shape::Type::cone:
      made.type = Plain::Type::cone;
      break;
    case Shape::Type::capsule:
      made.type = Plain::Type::capsule;
      break;
    case Shape::Type::plane:
      made.type = Plain::Type::plane;
      break;
    case Shape::Type::hull:
      made.type = Plain::Type::hull;
      for (const Vector3d& point : shape.points)
        made.points.push_back({point.x(), point.y(), point.z()});
      break;
    case Shape::Type::compound:
      for (const Part& part : shape.parts) add_shapes(part.shape, pose * part.pose, body, out);
      return;
    default:
      refuse(
          "body", body,
          "has a shape '" + std::string(name(shape.type)) + "', which its recorder does not make");
  }
  out.push_back(std::move(made));
}

SiconosScene plain(const Task& task) {
  const Scene& scene = task.scene;
  SiconosScene out;
  out.gravity = {scene.gravity.x(), scene.gravity.y(), scene.gravity.z()};
  out.h = task.h;
  out.solver = task.solver;
  out.iterations = task.iterations;
  if (!scene.joints.empty()) {
    const Joint& joint = scene.joints.front();
    refuse("joint", joint.name, "Siconos' FrictionContact problem has contacts alone");
  }
  const std::vector<std::int64_t> ids = body_ids(scene);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (body.motion) refuse("body", body.name, "bodies that move by themselves are not made");
    SiconosScene::Body made;
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
    add_shapes(body.shape, body.mass > 0 ? shape : body.pose, body.name, made.shapes);
    out.bodies.push_back(std::move(made));
  }
  return out;
}

class SiconosRun : public Run {
 public:
  explicit SiconosRun(const Task& task)
      : recorded_(task.recorded),
        h_(task.h),
        world_(plain(task), recorded_ ? [this](SiconosStep& step) { made_ = std::move(step); }
                                      : std::function<void(SiconosStep&)>()) {}
  io::Header header() const override {
    io::Header out = siconos_header();
    out.engine_version = siconos_version();
    out.answerers = siconos_solvers();
    return out;
  }
  double h() const override { return h_; }
  int iterations() const override { return world_.iterations(); }
  RecordedStep step() override {
    world_.step();
    if (!recorded_) return {};
    return {record_of(made_), made_.seconds, made_.began};
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

Engine siconos_engine() {
  Engine engine;
  engine.name = "siconos";
  engine.title = "Siconos";
  engine.solvers = {{"nsgs", "nonsmooth Gauss-Seidel"},
                    {"nsgs-exact", "nonsmooth Gauss-Seidel to 1e-13"},
                    {"prox", "proximal point"},
                    {"nsn-ac", "nonsmooth Newton, Alart and Curnier"}};
  engine.make = [](const Task& task) { return std::make_unique<SiconosRun>(task); };
  engine.measure = measure_siconos;
  return engine;
}

}  // namespace perpend::capture
