// URDF as its specification has it (wiki.ros.org/urdf/XML): a tree of links. Read directly, so that
// each value has its line; libsdformat 12's reader merges fixed joints and knows no mimic.
//
// The start is the zero of all joints, with the root at the origin.
#include <cmath>
#include <map>
#include <set>

#include "model/files.hpp"
#include "model/readers.hpp"
#include "model/walk.hpp"
#include "model/xml.hpp"
#include "perpend/io.hpp"

namespace perpend::model {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
// A bound that stands for none.
constexpr double kBoundless = 1e10;

Pose origin_of(const Element& owner) {
  Pose out;
  const auto origin = owner.child("origin");
  if (!origin) return out;
  out.position = origin->vector("xyz", Vector3d::Zero());
  const Vector3d rpy = origin->vector("rpy", Vector3d::Zero());
  out.orientation = Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) *
                    Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
                    Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX());
  out.orientation.normalize();
  return out;
}

double positive(const Element& element, const char* attribute) {
  const double value = element.number(attribute);
  if (!(value > 0))
    element.refuse(std::string(attribute) + " is " + element.text(attribute) +
                   ", but must be positive");
  return value;
}

class Urdf {
 public:
  Urdf(const Element& robot, const std::string& path, const Options& options, Report& report)
      : robot_(robot), files_(path, options, report), options_(options), report_(report) {}

  Assembly read() {
    out_.name = robot_.text("name", "robot");
    out_.robots.push_back({out_.name, options_.self_collide});
    out_.floor = options_.floor;
    refuse_xacro(robot_);
    for (const Element& link : robot_.children("link")) read_name(link);
    if (elements_.empty()) robot_.refuse("has no <link>");
    for (const Element& joint : robot_.children("joint")) read_joint(joint);
    place();
    for (std::size_t i = 0; i < elements_.size(); ++i) read_link(elements_[i], out_.links[i]);
    mimics();
    return std::move(out_);
  }

 private:
  void refuse_xacro(const Element& element) const {
    for (const Element& child : element.children())
      if (child.tag().starts_with("xacro:")) child.refuse("run xacro first");
  }

  void read_name(const Element& element) {
    const std::string name = element.text("name");
    if (!link_.emplace(name, static_cast<Index>(out_.links.size())).second)
      element.refuse("there are two links '" + name + "'");
    Link link;
    link.name = name;
    link.robot = 0;
    link.place = element.place();
    out_.links.push_back(link);
    elements_.push_back(element);
  }

  Index link_of(const Element& joint, const char* tag) const {
    const auto end = joint.child(tag);
    if (!end) joint.refuse(std::string("has no <") + tag + ">");
    const std::string name = end->text("link");
    const auto found = link_.find(name);
    if (found == link_.end()) end->refuse("there is no link '" + name + "'");
    return found->second;
  }

  void read_joint(const Element& element) {
    LinkJoint joint;
    joint.name = element.text("name");
    joint.place = element.place();
    joint.first = link_of(element, "parent");
    joint.second = link_of(element, "child");
    if (!joint_.emplace(joint.name, static_cast<Index>(out_.joints.size())).second)
      element.refuse("there are two joints '" + joint.name + "'");
    const auto [other, first] = parent_.emplace(joint.second, out_.joints.size());
    if (!first)
      element.refuse("link '" + out_.links[static_cast<std::size_t>(joint.second)].name +
                     "' is a child already, of joint '" + out_.joints[other->second].name + "'");
    out_.joints.push_back(joint);
    joints_.push_back(element);
  }

  // Poses from the root on; the links that this does not reach are in a ring.
  void place() {
    std::vector<Index> roots;
    for (Index i = 0; i < static_cast<Index>(out_.links.size()); ++i)
      if (!parent_.contains(i)) roots.push_back(i);
    if (roots.empty())
      joints_.front().refuse("every link is the child of another: the joints go in a circle");
    if (roots.size() > 1)
      elements_[static_cast<std::size_t>(roots[1])].refuse(
          "links '" + out_.links[static_cast<std::size_t>(roots[0])].name + "' and '" +
          out_.links[static_cast<std::size_t>(roots[1])].name +
          "' are both children of no joint; a robot has one root");
    Link& root = out_.links[static_cast<std::size_t>(roots[0])];
    root.fixed = options_.fixed_base || root.name == "world";
    std::multimap<Index, std::size_t> below;
    for (std::size_t k = 0; k < out_.joints.size(); ++k) below.emplace(out_.joints[k].first, k);
    std::vector<Index> next = roots;
    std::set<Index> reached(roots.begin(), roots.end());
    while (!next.empty()) {
      const Index at = next.back();
      next.pop_back();
      const auto [from, to] = below.equal_range(at);
      for (auto one = from; one != to; ++one) {
        LinkJoint& joint = out_.joints[one->second];
        const Element& element = joints_[one->second];
        const Pose pose = out_.links[static_cast<std::size_t>(at)].pose * origin_of(element);
        out_.links[static_cast<std::size_t>(joint.second)].pose = pose;
        read_motion(element, pose, joint);
        reached.insert(joint.second);
        next.push_back(joint.second);
      }
    }
    for (Index i = 0; i < static_cast<Index>(out_.links.size()); ++i)
      if (!reached.contains(i)) joints_[parent_.at(i)].refuse("the joints go in a circle");
  }

  void read_motion(const Element& element, const Pose& pose, LinkJoint& joint) {
    const std::string type = element.text("type");
    joint.frame = pose;
    const bool slides = type == "prismatic", turns = type == "revolute" || type == "continuous";
    if (slides || turns || type == "planar") {
      Vector3d axis = Vector3d::UnitX();
      if (const auto given = element.child("axis")) {
        axis = given->vector("xyz", Vector3d::UnitX());
        if (axis.norm() == 0) given->refuse("xyz is 0 0 0");
      }
      joint.frame.orientation = (pose.orientation * towards(axis.normalized())).normalized();
    }
    if (slides || turns) {
      joint.type = slides ? Joint::Type::slider : Joint::Type::hinge;
      const std::size_t along = slides ? 2 : 5;
      read_limits(element, type == "continuous", joint.limits[along]);
      read_dynamics(element, joint.drives[along]);
    } else if (type == "fixed") {
      joint.type = Joint::Type::fixed;
    } else if (type == "floating") {
      floating(joint);
    } else if (type == "planar") {
      joint.type = Joint::Type::generic;  // free along x, y and about z
      for (const std::size_t axis : {2U, 3U, 4U}) joint.limits[axis] = {0, 0};
    } else {
      element.refuse("type '" + type + "' is unknown");
    }
    if (slides || turns) return;
    for (const char* tag : {"limit", "dynamics"})
      if (const auto given = element.child(tag); given && type != "fixed")
        report_.lose(given->place(), tag, Loss::Kind::physics, "of a " + type + " joint");
  }

  // No joint at all: of the scene's joints the generic one with free axes.
  static void floating(LinkJoint& joint) { joint.type = Joint::Type::generic; }

  void read_limits(const Element& element, bool endless, Joint::Limit& limit) {
    const auto given = element.child("limit");
    if (!given && !endless)
      report_.lose(element.place(), "joint", Loss::Kind::changed,
                   "'" + element.text("name") + "' has no <limit>: free (others refuse it)");
    if (!given) return;
    const auto bound = [&](const char* name) {
      if (!given->has(name)) return 0.0;
      const auto values = numbers_of(given->text(name));
      if (!values || values->size() != 1 || std::isnan(values->front())) given->number(name);
      return values->front();
    };
    const double lower = bound("lower"), upper = bound("upper");
    if (endless) return;
    if (!given->has("lower") && !given->has("upper")) {
      report_.lose(given->place(), "limit", Loss::Kind::changed,
                   "has neither lower nor upper: free (both are 0 where a reader is strict)");
      return;
    }
    if (lower > upper)
      given->refuse("lower, " + given->text("lower", "0") + ", is above upper, " +
                    given->text("upper", "0"));
    limit.lower = lower < -kBoundless ? -kInf : lower;
    limit.upper = upper > kBoundless ? kInf : upper;
  }

  static void read_dynamics(const Element& element, Joint::Drive& drive) {
    const auto given = element.child("dynamics");
    if (!given) return;
    drive.damping = given->number("damping", 0);
    drive.friction = given->number("friction", 0);
    if (drive.damping < 0) given->refuse("damping is negative");
    if (drive.friction < 0) given->refuse("friction is negative");
  }

  void mimics() {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const auto given = joints_[k].child("mimic");
      if (!given) continue;
      const std::string name = given->text("joint");
      const auto found = joint_.find(name);
      if (found == joint_.end()) given->refuse("there is no joint '" + name + "'");
      if (found->second == static_cast<Index>(k)) given->refuse("a joint mimics itself");
      LinkJoint& joint = out_.joints[k];
      joint.ratio = given->number("multiplier", 1);
      joint.offset = given->number("offset", 0);
      const auto single = [](const LinkJoint& one) {
        return one.type == Joint::Type::hinge || one.type == Joint::Type::slider;
      };
      if (single(joint) && single(out_.joints[static_cast<std::size_t>(found->second)]))
        joint.mimics = found->second;
      else
        report_.lose(given->place(), "mimic", Loss::Kind::physics,
                     "only hinges and sliders follow each other");
    }
  }

  void read_link(const Element& element, Link& link) {
    if (const auto inertial = element.child("inertial")) read_inertial(*inertial, link);
    LinkShape surface;
    if (const auto contact = element.child("contact")) {
      if (const auto mu = contact->child("lateral_friction")) surface.mu = mu->number("value");
      if (const auto e = contact->child("restitution")) surface.restitution = e->number("value");
      if (surface.mu < 0) contact->refuse("lateral_friction is negative");
    }
    for (const Element& collision : element.children("collision")) {
      const auto geometry = collision.child("geometry");
      if (!geometry) collision.refuse("has no <geometry>");
      surface.pose = origin_of(collision);
      surface.place = collision.place();
      surface.tag = "collision";
      read_geometry(*geometry, link.fixed, surface, link.shapes);
    }
  }

  void read_inertial(const Element& inertial, Link& link) {
    const auto mass = inertial.child("mass");
    if (!mass) inertial.refuse("has no <mass>");
    link.mass = mass->number("value");
    if (link.mass < 0) mass->refuse("value is negative");
    const Pose origin = origin_of(inertial);
    link.centre = origin.position;
    const auto given = inertial.child("inertia");
    if (!given) {
      link.shape_inertia = true;
      return;
    }
    // Read before `<<`, which does not survive an exception between its coefficients.
    const double xx = given->number("ixx"), yy = given->number("iyy"), zz = given->number("izz"),
                 xy = given->number("ixy", 0), xz = given->number("ixz", 0),
                 yz = given->number("iyz", 0);
    Matrix3d inertia;
    inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const Matrix3d axes = origin.orientation.toRotationMatrix();
    link.inertia = axes * inertia * axes.transpose();
  }

  void read_geometry(const Element& geometry, bool fixed, LinkShape surface,
                     std::vector<LinkShape>& shapes) {
    const std::vector<Element> given = geometry.children();
    if (given.empty()) geometry.refuse("is empty");
    const Element& one = given.front();
    const std::string tag = one.tag();
    Shape& shape = surface.shape;
    if (tag == "box") {
      shape.type = Shape::Type::box;
      one.text("size");
      shape.half_extents = 0.5 * one.vector("size", Vector3d::Zero());
      if (!(shape.half_extents.minCoeff() > 0)) one.refuse("size must be positive");
    } else if (tag == "sphere") {
      shape.type = Shape::Type::sphere;
      shape.radius = positive(one, "radius");
    } else if (tag == "cylinder" || tag == "capsule") {
      shape.type = tag == "cylinder" ? Shape::Type::cylinder : Shape::Type::capsule;
      shape.radius = positive(one, "radius");
      shape.height = positive(one, "length");
    } else if (tag == "mesh") {
      read_mesh_of(one, fixed, surface, shapes);
      return;
    } else {
      one.refuse("is no shape that is known");
    }
    shapes.push_back(surface);
  }

  void read_mesh_of(const Element& mesh, bool fixed, LinkShape surface,
                    std::vector<LinkShape>& shapes) {
    const std::string uri = mesh.text("filename");
    const Vector3d scale = mesh.vector("scale", Vector3d::Ones());
    if (scale.prod() == 0) mesh.refuse("scale has a 0");
    if (uri.empty()) mesh.refuse("filename is empty");
    if (!readable_mesh(uri)) {
      report_.lose(mesh.place(), "mesh", Loss::Kind::physics,
                   "'" + uri + "' is neither OBJ nor STL: the link lacks this shape");
      return;
    }
    const std::string path = files_.find(uri, mesh.place(), "mesh");
    const Mesh& read = meshes_.contains(path)
                           ? meshes_[path]
                           : (meshes_[path] = read_mesh(path, mesh.place().words() + ": " + uri));
    for (const Shape& shape : shapes_of(read, scale, fixed, options_, mesh.place(), report_)) {
      surface.shape = shape;
      shapes.push_back(surface);
    }
  }

  const Element robot_;
  Files files_;
  const Options& options_;
  Report& report_;
  Assembly out_;
  std::map<std::string, Index> link_, joint_;
  std::map<Index, std::size_t> parent_;  // the joint of a child
  std::vector<Element> elements_, joints_;
  std::map<std::string, Mesh> meshes_;
};

}  // namespace

Assembly read_urdf(const std::string& text, const std::string& path, const Options& options,
                   Report& report) {
  const XmlFile file = parse_xml(text, path);
  const Element robot(file.root(), file.name);
  Assembly out = Urdf(robot, path, options, report).read();
  walk(robot, Format::urdf, report);
  return out;
}

}  // namespace perpend::model
