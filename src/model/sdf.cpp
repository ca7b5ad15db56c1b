// SDF, with the values of libsdformat 12: it knows the graph of frames, includes and defaults.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ignition/math/Inertial.hh>
#include <ignition/math/Pose3.hh>
#include <map>
#include <sdf/sdf.hh>
#include <set>

#include "model/files.hpp"
#include "model/readers.hpp"
#include "model/walk.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {
namespace {

using Kind = Loss::Kind;
namespace fs = std::filesystem;

constexpr double kBoundless = 1e10;  // SDF's bounds for none are 1e16

Vector3d vector(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Pose pose_of(const ignition::math::Pose3d& p) {
  return {vector(p.Pos()),
          Eigen::Quaterniond(p.Rot().W(), p.Rot().X(), p.Rot().Y(), p.Rot().Z()).normalized()};
}

class Sdf {
 public:
  Sdf(const std::string& text, const std::string& path, const Options& options, Report& report)
      : path_(path), files_(path, options, report), options_(options), report_(report) {
    scan(text, path);
    check_version();
    for (const char* name : {"SDF_PATH", "GAZEBO_MODEL_PATH", "IGN_FILE_PATH"}) unsetenv(name);
    sdf::Console::Instance()->SetQuiet(true);
    sdf::ParserConfig config;
    config.SetFindCallback([this](const std::string& uri) { return included(uri, {path_, 0}); });
    // By a relative name libsdformat finds its own description of <world> for world.sdf first.
    for (const sdf::Error& error : root_.Load(fs::absolute(path).string(), config)) {
      Place place{path, error.LineNumber().value_or(0)};
      if (place.line == 0) place = mentioned(error.Message());
      if (place.line == 0) place = blamed(error).value_or(place);
      refuse_at(place, error.Message());
    }
  }

  Assembly read() {
    out_.name = fs::path(path_).stem().string();
    if (root_.WorldCount() > 0) {
      const sdf::World& world = *root_.WorldByIndex(0);
      const Element file(documents_.front().root(), documents_.front().name);
      const std::vector<Element> worlds = file.children("world");
      for (std::size_t w = 1; w < worlds.size(); ++w)
        report_.lose(worlds[w].place(), "world", Kind::physics, "only the first world is read");
      out_.name = world.Name();
      out_.gravity = vector(world.Gravity());
      out_.step = 0.001;
      if (const sdf::Physics* physics = world.PhysicsByIndex(0)) out_.step = physics->MaxStepSize();
      if (!(out_.step > 0 && std::isfinite(out_.step)))
        refuse_at(tagged("max_step_size").value_or(Place{path_, 0}),
                  "<max_step_size>: is not positive");
      for (std::uint64_t m = 0; m < world.ModelCount(); ++m)
        model(*world.ModelByIndex(m), Pose(), "", -1, false);
    } else if (const sdf::Model* alone = root_.Model()) {
      out_.name = alone->Name();
      out_.floor = options_.floor;
      model(*alone, Pose(), "", -1, false);
    } else {
      throw io::InputError(path_ + ": has neither a <world> nor a <model>");
    }
    for (const XmlFile& file : documents_)
      walk(Element(file.root(), file.name), Format::sdf, report_);
    return std::move(out_);
  }

 private:
  // What the XML says before libsdformat follows it: which files.
  void scan(const std::string& text, const std::string& name) {
    if (documents_.size() > 1000) throw io::InputError(path_ + ": includes go on without end");
    documents_.push_back(parse_xml(text, name));
    const std::string self = fs::weakly_canonical(name).string();
    open_.insert(self);
    std::vector<std::pair<std::string, Place>> includes;
    includes_of(Element(documents_.back().root(), name), includes);
    for (const auto& [uri, place] : includes) {
      const std::string found = included(uri, place);
      if (found.empty()) continue;
      const std::string file = fs::is_directory(found) ? sdf::getModelFilePath(found) : found;
      if (open_.contains(fs::weakly_canonical(file).string()))
        refuse_at(place, "<include>: '" + uri + "' includes itself");
      if (!seen_.insert(file).second || file.empty()) continue;
      const std::string shown = fs::relative(file, fs::absolute(path_).parent_path()).string();
      report_.files.push_back(file);
      scan(read_bytes(file), (fs::path(path_).parent_path() / shown).string());
    }
    open_.erase(self);
  }

  // libsdformat reads any version without a word.
  void check_version() const {
    const Element root(documents_.front().root(), documents_.front().name);
    const std::string version = root.text("version", "");
    if (root.tag() == "sdf" && !version.empty() &&
        (version.size() != 3 || !version.starts_with("1.")))
      root.refuse("version is '" + version.substr(0, 20) + "'; 1.0 to 1.9 are read");
  }

  // The first element for which this holds.
  template <class Is>
  static std::optional<Place> first(const Element& element, const Is& is) {
    if (is(element)) return element.place();
    for (const Element& child : element.children())
      if (auto found = first(child, is)) return found;
    return {};
  }
  template <class Is>
  std::optional<Place> first(const Is& is) const {
    for (const XmlFile& file : documents_)
      if (auto found = first(Element(file.root(), file.name), is)) return found;
    return {};
  }
  std::optional<Place> tagged(const char* tag) const {
    return first([&](const Element& one) { return one.tag() == tag; });
  }

  // Errors that name nothing.
  std::optional<Place> blamed(const sdf::Error& error) const {
    if (error.Code() == sdf::ErrorCode::MODEL_WITHOUT_LINK)
      return first([](const Element& one) {
        return one.tag() == "model" && !one.child("link") && !one.child("model") &&
               !one.child("include");
      });
    if (error.Message().find("only contain one model") != std::string::npos) {
      const std::vector<Element> models =
          Element(documents_.front().root(), path_).children("model");
      if (models.size() > 1) return models[1].place();
    }
    if (error.Message().find("xyz") == std::string::npos) return {};
    return first([](const Element& one) {
      if (one.tag() != "xyz" || !one.xml().GetText()) return false;
      const auto axis = numbers_of(one.xml().GetText());
      return axis && axis->size() == 3 && (*axis)[0] == 0 && (*axis)[1] == 0 && (*axis)[2] == 0;
    });
  }

  // Where the first thing stands that an error without a line names: as [NAME] or by itself.
  Place mentioned(const std::string& message) const {
    std::string word;
    for (const char letter : message + " ") {
      if (!std::strchr(" []().,'\"", letter)) {
        word += letter;
        continue;
      }
      if (const std::size_t scope = word.rfind("::"); scope != word.npos) word.erase(0, scope + 2);
      for (const XmlFile& file : documents_)
        if (const auto found = named(Element(file.root(), file.name), word)) return *found;
      word.clear();
    }
    return {path_, 0};
  }

  static std::optional<Place> named(const Element& element, const std::string& word) {
    if (word.empty()) return {};
    const char* text = element.xml().GetText();
    if (element.text("name", "") == word || (text && text == word)) return element.place();
    for (const Element& child : element.children())
      if (auto found = named(child, word)) return found;
    return {};
  }

  static void includes_of(const Element& element, std::vector<std::pair<std::string, Place>>& out) {
    for (const Element& child : element.children()) {
      if (child.tag() == "include")
        if (const auto uri = child.child("uri"); uri && uri->xml().GetText())
          out.emplace_back(uri->xml().GetText(), uri->place());
      includes_of(child, out);
    }
  }

  // A file, or a folder with a model; only where models may be read from.
  std::string included(const std::string& uri, const Place& place) const {
    std::string name = uri;
    for (const char* scheme : {"model://", "file://", "package://"})
      if (name.starts_with(scheme)) name = name.substr(std::string(scheme).size());
    std::error_code error;
    const fs::path folder = fs::absolute(path_).parent_path();
    std::vector<fs::path> tried{folder / name};
    for (const std::string& root : options_.mesh_path) tried.push_back(fs::path(root) / name);
    for (const fs::path& one : tried) {
      const fs::path real = fs::canonical(one, error);
      if (error) continue;
      if (!files_.inside(real))
        throw io::InputError(place.words() + ": <include>: '" + uri +
                             "' leads out of the model's folder (--mesh-path names others)");
      return real.string();
    }
    throw io::InputError(place.words() + ": <include>: '" + uri +
                         "' is not in the model's folder (--mesh-path names others)");
  }

  Place place_of(const sdf::ElementPtr& element) const {
    if (!element || !element->LineNumber()) return {path_, 0};
    const std::string& file = element->FilePath();
    std::error_code error;
    if (file.empty() || fs::equivalent(file, path_, error)) return {path_, *element->LineNumber()};
    const fs::path folder = fs::absolute(path_).parent_path();
    return {(fs::path(path_).parent_path() / fs::relative(file, folder, error)).string(),
            *element->LineNumber()};
  }

  void check(const sdf::Errors& errors, const Place& place) const {
    if (!errors.empty()) refuse_at(place, errors.front().Message());
  }

  template <class Thing>
  Pose resolved(const Thing& thing, const std::string& to, const Place& place) const {
    ignition::math::Pose3d pose;
    check(thing.SemanticPose().Resolve(pose, to), place);
    if (!pose.IsFinite()) throw io::InputError(place.words() + ": the pose is not finite");
    return pose_of(pose);
  }

  void model(const sdf::Model& given, const Pose& above, const std::string& scope, int robot,
             bool still) {
    still = still || given.Static();
    const Place place = place_of(given.Element());
    const Pose pose = above * resolved(given, "", place);
    const std::string name = scope + given.Name();
    if (robot < 0) {
      robot = static_cast<int>(out_.robots.size());
      out_.robots.push_back({name, given.SelfCollide() || options_.self_collide});
    } else if (given.Element() && given.Element()->HasElement("self_collide") &&
               given.SelfCollide() != out_.robots[static_cast<std::size_t>(robot)].self_collide) {
      report_.lose(place_of(given.Element()->GetElement("self_collide")), "self_collide",
                   Kind::changed, "that of the outermost model counts");
    }
    for (std::uint64_t l = 0; l < given.LinkCount(); ++l)
      link(*given.LinkByIndex(l), pose, name, still, robot);
    for (std::uint64_t m = 0; m < given.ModelCount(); ++m)
      model(*given.ModelByIndex(m), pose, name + "::", robot, still);
    for (std::uint64_t j = 0; j < given.JointCount(); ++j)
      joint(*given.JointByIndex(j), pose, name);
  }

  void link(const sdf::Link& given, const Pose& model_pose, const std::string& model_name,
            bool fixed, int robot) {
    Link link;
    link.place = place_of(given.Element());
    link.name = model_name + "::" + given.Name();
    link.pose = model_pose * resolved(given, "", link.place);
    link.fixed = fixed;
    link.robot = robot;
    const ignition::math::Inertiald& inertial = given.Inertial();
    link.mass = inertial.MassMatrix().Mass();
    link.centre = vector(inertial.Pose().Pos());
    const ignition::math::Matrix3d moments = inertial.Moi();
    Matrix3d inertia;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        inertia(r, c) = moments(static_cast<std::size_t>(r), static_cast<std::size_t>(c));
    if (!inertia.allFinite() || !link.centre.allFinite())
      throw io::InputError(link.place.words() + ": <inertial> is not finite");
    link.inertia = inertia;
    if (!fixed && given.Element() && !given.Element()->HasElement("inertial"))
      report_.lose(link.place, "link", Kind::changed,
                   "'" + link.name + "' has no <inertial>: SDF gives it 1 kg and 1 kg m2");
    if (!fixed && given.Element() && given.Element()->HasElement("gravity") &&
        !given.Element()->Get<bool>("gravity"))
      report_.lose(place_of(given.Element()->GetElement("gravity")), "gravity", Kind::physics,
                   "'" + link.name + "' falls like everything in a scene");
    for (std::uint64_t c = 0; c < given.CollisionCount(); ++c)
      collision(*given.CollisionByIndex(c), link);
    places_[link.name] = static_cast<Index>(out_.links.size());
    out_.links.push_back(std::move(link));
  }

  // libsdformat 12 has no class for friction.
  static double number(sdf::ElementPtr element, std::initializer_list<const char*> path,
                       double otherwise) {
    for (const char* tag : path) {
      if (!element || !element->HasElement(tag)) return otherwise;
      element = element->GetElement(tag);
    }
    return element->Get<double>();
  }

  void collision(const sdf::Collision& given, Link& link) {
    LinkShape one;
    one.place = place_of(given.Element());
    one.tag = "collision";
    one.pose = resolved(given, "", one.place);
    if (const sdf::Surface* surface = given.Surface(); surface && surface->Contact()) {
      const auto mask = static_cast<std::uint32_t>(surface->Contact()->CollideBitmask());
      one.touches = {mask, mask};
    }
    one.mu = number(given.Element(), {"surface", "friction", "ode", "mu"}, 1);
    if (!(one.mu >= 0)) refuse_at(one.place, "<mu>: is negative or not a number");
    if (number(given.Element(), {"surface", "friction", "ode", "mu2"}, one.mu) != one.mu)
      report_.lose(one.place, "mu2", Kind::physics,
                   "friction of the scene is the same in all directions: mu");
    one.restitution = std::clamp(
        number(given.Element(), {"surface", "bounce", "restitution_coefficient"}, 0), 0.0, 1.0);
    for (Shape& shape : shapes(*given.Geom(), one, link.fixed)) {
      one.shape = std::move(shape);
      link.shapes.push_back(one);
    }
  }

  std::vector<Shape> shapes(const sdf::Geometry& given, LinkShape& one, bool fixed) {
    Shape shape;
    switch (given.Type()) {
      case sdf::GeometryType::BOX:
        shape.half_extents = 0.5 * vector(given.BoxShape()->Size());
        break;
      case sdf::GeometryType::SPHERE:
        shape.type = Shape::Type::sphere;
        shape.radius = given.SphereShape()->Radius();
        break;
      case sdf::GeometryType::CYLINDER:
        shape.type = Shape::Type::cylinder;
        shape.radius = given.CylinderShape()->Radius();
        shape.height = given.CylinderShape()->Length();
        break;
      case sdf::GeometryType::CAPSULE:
        shape.type = Shape::Type::capsule;
        shape.radius = given.CapsuleShape()->Radius();
        shape.height = given.CapsuleShape()->Length();
        break;
      case sdf::GeometryType::PLANE:
        shape.type = Shape::Type::plane;
        one.pose.orientation = one.pose.orientation * towards(vector(given.PlaneShape()->Normal()));
        break;
      case sdf::GeometryType::ELLIPSOID: {
        const Vector3d radii = vector(given.EllipsoidShape()->Radii());
        if (!(radii.minCoeff() > 0)) refuse_at(one.place, "<ellipsoid>: radii are not positive");
        report_.lose(one.place, "ellipsoid", Kind::changed, "a hull of 200 points");
        shape.type = Shape::Type::hull;
        shape.points = ellipsoid(radii);
        break;
      }
      case sdf::GeometryType::MESH:
        return mesh(*given.MeshShape(), one.place, fixed);
      default:
        return {};  // the walk lists it
    }
    return {shape};
  }

  std::vector<Shape> mesh(const sdf::Mesh& given, const Place& place, bool fixed) {
    if (!readable_mesh(given.Uri())) {
      report_.lose(place, "mesh", Kind::physics,
                   "'" + given.Uri() + "' is neither OBJ nor STL: the link lacks this shape");
      return {};
    }
    const Vector3d scale = vector(given.Scale());
    if (!scale.allFinite() || scale.prod() == 0)
      throw io::InputError(place.words() + ": <scale> has a 0");
    const std::string path = files_.find(given.Uri(), place, "mesh");
    return shapes_of(read_mesh(path, place.words() + ": " + given.Uri()), scale, fixed, options_,
                     place, report_);
  }

  Index link_of(const std::string& model_name, const std::string& name, const Place& place) const {
    if (name == "world") return -1;
    const auto found = places_.find(model_name + "::" + name);
    if (found == places_.end())
      throw io::InputError(place.words() + ": <joint>: there is no link '" + name + "'");
    return found->second;
  }

  void along(const sdf::JointAxis& axis, const Place& place, Joint::Limit& limit,
             Joint::Drive& drive) {
    if (!(axis.Lower() <= axis.Upper()))
      refuse_at(place, "<limit>: lower, " + short_number(axis.Lower()) + ", is above upper, " +
                           short_number(axis.Upper()));
    if (axis.Lower() > -kBoundless || axis.Upper() < kBoundless) {
      limit.lower = axis.Lower() > -kBoundless ? axis.Lower() : -Joint::kUnlimited;
      limit.upper = axis.Upper() < kBoundless ? axis.Upper() : Joint::kUnlimited;
    }
    drive.damping = axis.Damping();
    drive.friction = axis.Friction();
    drive.stiffness = axis.SpringStiffness();
    if (drive.stiffness > 0) drive.position = axis.SpringReference();
  }

  void joint(const sdf::Joint& given, const Pose& model_pose, const std::string& model_name) {
    const Place place = place_of(given.Element());
    std::string parent, child;
    check(given.ResolveParentLink(parent), place);
    check(given.ResolveChildLink(child), place);
    LinkJoint joint;
    joint.name = model_name + "::" + given.Name();
    joint.place = place;
    joint.first = link_of(model_name, parent, place);
    joint.second = link_of(model_name, child, place);
    joint.frame = model_pose * resolved(given, "__model__", place);
    const auto axis = [&](unsigned int k) -> const sdf::JointAxis& {
      const sdf::JointAxis* found = given.Axis(k);
      if (!found) throw io::InputError(place.words() + ": <joint>: has no <axis>");
      return *found;
    };
    const auto frame = [&](unsigned int k) {
      ignition::math::Vector3d xyz;
      check(axis(k).ResolveXyz(xyz), place);
      if (!(vector(xyz).norm() > 0)) throw io::InputError(place.words() + ": <axis>: is 0 0 0");
      Pose out = joint.frame;
      out.orientation = (out.orientation * towards(vector(xyz).normalized())).normalized();
      return out;
    };
    switch (given.Type()) {
      case sdf::JointType::REVOLUTE:
      case sdf::JointType::CONTINUOUS:
      case sdf::JointType::PRISMATIC: {
        const bool slides = given.Type() == sdf::JointType::PRISMATIC;
        const std::size_t along_axis = slides ? 2 : 5;
        joint.type = slides ? Joint::Type::slider : Joint::Type::hinge;
        joint.frame = frame(0);
        along(axis(0), place, joint.limits[along_axis], joint.drives[along_axis]);
        if (given.Type() == sdf::JointType::CONTINUOUS) joint.limits[along_axis] = {};
        break;
      }
      case sdf::JointType::BALL:
        joint.type = Joint::Type::point;
        break;
      case sdf::JointType::FIXED:
        joint.type = Joint::Type::fixed;
        break;
      case sdf::JointType::UNIVERSAL:
      case sdf::JointType::REVOLUTE2:
        two_hinges(joint, frame(0), frame(1), axis(0), axis(1));
        return;
      default:
        report_.lose(place, "joint", Kind::physics,
                     "'" + joint.name + "': a scene has no screws and gear boxes");
        return;
    }
    out_.joints.push_back(joint);
  }

  // Two hinges with a link between them.
  void two_hinges(LinkJoint first, const Pose& one, const Pose& two, const sdf::JointAxis& axis,
                  const sdf::JointAxis& axis2) {
    LinkJoint second = first;
    Link between;
    between.name = first.name;
    between.place = first.place;
    between.between = true;
    between.pose = one;
    between.robot = first.second >= 0 ? out_.links[static_cast<std::size_t>(first.second)].robot
                                      : out_.links[static_cast<std::size_t>(first.first)].robot;
    report_.lose(
        first.place, "joint", Kind::changed,
        "'" + first.name + "': two hinges with a link of a thousandth of the mass between");
    // Links of one joint do not touch each other; those of two would.
    if (first.first >= 0 && second.second >= 0) out_.apart.push_back({first.first, second.second});
    first.second = second.first = static_cast<Index>(out_.links.size());
    out_.links.push_back(between);
    first.frame = one;
    second.frame = two;
    second.name += "2";
    along(axis, first.place, first.limits[5], first.drives[5]);
    along(axis2, second.place, second.limits[5], second.drives[5]);
    out_.joints.push_back(first);
    out_.joints.push_back(second);
  }

  std::string path_;
  Files files_;
  const Options& options_;
  Report& report_;
  std::vector<XmlFile> documents_;
  std::set<std::string> seen_, open_;  // files that were, and are being, read
  sdf::Root root_;
  Assembly out_;
  std::map<std::string, Index> places_;  // of links, by MODEL::LINK
};

}  // namespace

Assembly read_sdf(const std::string& text, const std::string& path, const Options& options,
                  Report& report) {
  return Sdf(text, path, options, report).read();
}

}  // namespace perpend::model
