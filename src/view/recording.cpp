#include "view/recording.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/io/forces.hpp"
#include "view/resolve.hpp"

namespace perpend::view {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
constexpr Index kFewFrames = 64;
constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

template <class... Vectors>
void add(std::vector<float>& out, const Vectors&... vectors) {
  const auto one = [&](const auto& v) {
    for (Index i = 0; i < v.size(); ++i) out.push_back(static_cast<float>(v[i]));
  };
  (one(vectors), ...);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string stem(const std::string& path) {
  const std::string name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == 0 ? name : name.substr(0, dot);
}

// Three bars from the centre of mass along the axes of a body, as long as its radius of gyration.
Shape axes_of(const Bodies& bodies, Index row) {
  Shape out;
  out.type = Shape::Type::compound;
  if (bodies.fixed(row)) return out;
  const auto inertia = bodies.inertia.row(row);
  const double length =
      std::sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * bodies.masses[row]));
  for (Index axis = 0; axis < 3; ++axis) {
    Part bar;
    bar.shape.half_extents = Vector3d::Constant(length / 20);
    bar.shape.half_extents[axis] = length / 2;
    bar.pose.position[axis] = length / 2;
    out.parts.push_back(bar);
  }
  return out;
}

Pose pose_of(const Bodies& bodies, Index row) {
  const auto q = bodies.quaternions.row(row);
  return {bodies.positions.row(row).transpose(), Eigen::Quaterniond(q[0], q[1], q[2], q[3])};
}

// Of a contact whose answer does not tell it.
std::int8_t mode_of(const Eigen::RowVector3d& z, double mu) {
  if (!(z[0] > 0)) return 0;
  return z.tail<2>().norm() < (1 - 1e-6) * mu * z[0] ? 1 : 2;
}

}  // namespace

std::vector<float> forces_of(const Frame& frame, const Rows3& z) {
  const bool known = z.rows() == frame.contacts.count() && frame.step > 0;
  const Rows3 forces =
      known ? io::contact_forces(frame, z) : Rows3(Rows3::Zero(frame.contacts.count(), 3));
  std::vector<float> out;
  for (Index i = 0; i < forces.rows(); ++i) add(out, forces.row(i));
  return out;
}

Recording::Recording(std::unique_ptr<Frames> frames) : frames_(std::move(frames)) {
  take_shapes(read(0));
}

void Recording::take_shapes(const io::Record& first) {
  const io::Header& header = frames_->header();
  const Bodies& bodies = first.frame.bodies;
  std::optional<Scene> scene;
  if (!header.scene_json.empty())
    scene = io::scene_from_json(header.scene_json, frames_->path() + ": attribute scene_json");
  // Files without a model do not say how their engine counts.
  const bool from_one = std::find(bodies.ids.begin(), bodies.ids.end(), 0) == bodies.ids.end();
  const std::vector<std::int64_t> ids =
      scene ? io::body_ids(*scene, from_one ? 1 : 0) : std::vector<std::int64_t>();
  model_ = frames_->model();
  shapes_ = model_.empty() ? "" : "model";
  if (model_.empty() && scene && first.frame.time == 0) {
    model_ = io::model_of(*scene, ids, bodies, 0);
    shapes_ = "scene";
  }
  scene_ = io::scene_of(model_);
  scene_.name = header.scene.empty() ? stem(frames_->path()) : header.scene;
  if (scene) {
    scene_.gravity = scene->gravity;
    scene_.title = scene->title;
  }
  // Bodies that nobody has described, where they are at first: of a few frames all, of many the
  // first and the last.
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    place_[*scene_.bodies[i].id] = static_cast<std::uint32_t>(i);
  std::unordered_set<std::int64_t> seen;
  take_bodies(bodies, seen);
  for (Index frame = frames() <= kFewFrames ? 1 : frames() - 1; frame < frames(); ++frame)
    take_bodies(read(frame).frame.bodies, seen);
  // Where joints are, only a scene tells.
  scene_.joints.clear();
  if (!scene || scene->joints.size() != model_.joint_ids.size() || first.frame.time != 0) return;
  const auto found = [&](Index body) -> Index {
    if (body < 0) return -1;
    const auto at = place_.find(ids[static_cast<std::size_t>(body)]);
    return at == place_.end() ? -1 : static_cast<Index>(at->second);
  };
  for (Joint joint : scene->joints) {
    joint.first = found(joint.first);
    joint.second = found(joint.second);
    if (joint.first < 0 && joint.second < 0) return scene_.joints.clear();
    scene_.joints.push_back(std::move(joint));
  }
}

void Recording::take_bodies(const Bodies& told, std::unordered_set<std::int64_t>& seen) {
  for (Index row = 0; row < told.count(); ++row) {
    const std::int64_t id = told.ids[static_cast<std::size_t>(row)];
    if (!seen.insert(id).second) continue;
    const auto [at, fresh] = place_.emplace(id, static_cast<std::uint32_t>(scene_.bodies.size()));
    if (fresh) {
      Body body;
      body.id = id;
      body.name = "body " + std::to_string(id);
      body.shape = axes_of(told, row);
      scene_.bodies.push_back(std::move(body));
    }
    Body& body = scene_.bodies[at->second];
    body.mass = told.masses[row];
    body.pose = pose_of(told, row);
  }
}

Bodies Recording::in_order(const Bodies& bodies) const {
  std::vector<std::pair<std::uint32_t, Index>> rows;
  for (Index row = 0; row < bodies.count(); ++row)
    if (const auto found = place_.find(bodies.ids[static_cast<std::size_t>(row)]);
        found != place_.end())
      rows.emplace_back(found->second, row);
  std::sort(rows.begin(), rows.end());
  std::vector<Index> order;
  Bodies out;
  for (const auto& [place, row] : rows) {
    out.ids.push_back(place);
    order.push_back(row);
  }
  out.masses = bodies.masses(order);
  out.positions = bodies.positions(order, Eigen::all);
  out.quaternions = bodies.quaternions(order, Eigen::all);
  out.velocities = bodies.velocities(order, Eigen::all);
  return out;
}

std::string Recording::engine_words() const {
  const io::Header& header = frames_->header();
  return header.engine + (header.engine_version.empty() ? "" : " " + header.engine_version);
}

Json Recording::about() const {
  const io::Header& header = frames_->header();
  Json numbers = Json::array();  // in the file, where these are others
  bool gaps = false;
  for (Index frame = 0; frame < frames(); ++frame) gaps |= frames_->number(frame) != frame;
  if (gaps)
    for (Index frame = 0; frame < frames(); ++frame) numbers.push_back(frames_->number(frame));
  Json forms = Json::array();  // in which a frame can be saved
  if (frames_->writes_files()) forms.push_back("h5");
  if (solvable()) forms.push_back("jsonl");
  return {{"file", file_name(frames_->path())},
          {"engine", header.engine},
          {"engine_version", header.engine_version},
          {"scene", scene_.name},
          {"frames", frames()},
          {"numbers", numbers},
          {"solvable", solvable()},
          {"forms", forms},
          {"shapes", shapes_},
          {"bodies", scene_.bodies.size()},
          {"joints", scene_.joints.size()}};
}

StateMessage Recording::state(const io::Record& record, double error) const {
  const Frame& frame = record.frame;
  const Bodies& bodies = frame.bodies;
  const Contacts& contacts = frame.contacts;
  StateMessage out;
  out.time = frame.time;
  out.error = std::isfinite(error) ? error : -1;
  out.own = -1;
  out.iterations = static_cast<double>(record.answer.iterations);
  out.poses.resize(7 * scene_.bodies.size(), kNowhere);
  out.velocities.resize(6 * scene_.bodies.size(), kNowhere);
  std::vector<std::uint32_t> places;
  for (Index row = 0; row < bodies.count(); ++row) {
    const auto found = place_.find(bodies.ids[static_cast<std::size_t>(row)]);
    places.push_back(found == place_.end() ? kNobody : found->second);
    if (found == place_.end()) continue;
    const Pose pose = pose_of(bodies, row);
    const auto put = [place = found->second](std::vector<float>& list, const auto&... vectors) {
      std::vector<float> numbers;
      add(numbers, vectors...);
      std::copy(numbers.begin(), numbers.end(),
                list.begin() + static_cast<std::ptrdiff_t>(numbers.size() * place));
    };
    put(out.poses, pose.position, pose.orientation.coeffs());
    put(out.velocities, bodies.velocities.row(row));
  }
  const bool answered = record.answer.z.rows() == contacts.count();
  for (Index i = 0; i < contacts.count(); ++i) {
    const auto body = [&](Index side) { return static_cast<std::size_t>(contacts.pairs(i, side)); };
    for (const Index side : {0, 1}) out.pairs.push_back(places[body(side)]);
    const Vector3d point = (bodies.positions.row(contacts.pairs(i, 0)) + contacts.points.row(i));
    add(out.points, point);
    add(out.normals, contacts.normals.row(i));
    out.frictions.push_back(static_cast<float>(contacts.mu[i]));
    out.gaps.push_back(static_cast<float>(contacts.gap[i]));
    const std::int8_t mode =
        record.answer.slide_or_stick.empty()
            ? (answered ? mode_of(record.answer.z.row(i), contacts.mu[i]) : std::int8_t{0})
            : record.answer.slide_or_stick[static_cast<std::size_t>(i)];
    out.modes.push_back(static_cast<std::uint8_t>(std::clamp<int>(mode, 0, 2)));
  }
  out.forces = forces_of(frame, record.answer.z);
  out.errors = recorded_contact_errors(record);
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    const Integers& ids = record.joint_ids;
    const bool held =
        ids.empty() || std::find(ids.begin(), ids.end(), static_cast<std::int64_t>(i)) != ids.end();
    out.cut.push_back(held ? 0 : 1);
  }
  return out;
}

Json Recording::told(const io::Record& record, double error) const {
  const Frame& frame = record.frame;
  Json out{{"title", record.name},
           {"time", frame.time},
           {"step", frame.step},
           {"bodies", frame.bodies.count()},
           {"contacts", frame.contacts.count()},
           {"joint_rows", frame.joints.row_count()},
           {"iterations", record.answer.iterations},
           {"answered", record.answer.answered},
           {"recorded", record.answer.z.rows() == frame.contacts.count()},
           {"errors", errors_json(record.answer.errors)}};
  if (std::isfinite(error)) out["errors"]["velocity_error"] = error;
  return out;
}

SavedMessage Recording::save(Index frame, const std::string& form) const {
  io::Record record = read(frame);
  record.model = model_;
  SavedMessage out;
  out.name = stem(frames_->path()) + "-frame" + std::to_string(frames_->number(frame)) + "." + form;
  if (form == "jsonl") {
    if (record.frame.bodies.count() == 0)
      throw io::InputError("a frame without bodies cannot be written as JSON lines");
    const std::string line = io::to_json_line(record) + "\n";
    out.type = "application/jsonl";
    out.content.assign(line.begin(), line.end());
    return out;
  }
  if (!frames_->writes_files())
    throw io::InputError("no standard file can be written here: save the frame as a JSON line");
  const std::string bytes = frames_->standard_file(record);
  out.type = "application/x-hdf5";
  out.content.assign(bytes.begin(), bytes.end());
  return out;
}

}  // namespace perpend::view
