// The MJCF text of a scene. A body's frame is at its centre of mass along the axes of its shape, so
// that a free body has no centrifugal terms. Numbers are written with all digits.
#include "capture/mujoco/mjcf.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "capture/forest.hpp"
#include "capture/mujoco/world.hpp"
#include "perpend/base.hpp"

namespace perpend::capture::from_mujoco {
namespace {

using mjcf::axis_name;
using mjcf::body_name;
using mjcf::joint_name;
using mjcf::target_name;

constexpr double kDensity = 1000;  // kg/m^3, of scripted bodies: MuJoCo's default
// Contacts nearer than this are listed before they touch; MuJoCo asks those that touch only. Where
// there are hulls or cylinders none are: their points are found by iterations that a margin
// changes.
constexpr double kSeen = 0.01;        // m
constexpr double kUnlimited = 1e9;    // m or rad
constexpr int kContactsPerPiece = 8;  // to begin with
constexpr int kRowsPerContact = 4;    // of a pyramid

std::string text(double value) { return full_number(value); }
std::string text(const Vector3d& v) { return text(v.x()) + " " + text(v.y()) + " " + text(v.z()); }
std::string text(const Eigen::Quaterniond& q) {
  return text(q.w()) + " " + text(q.x()) + " " + text(q.y()) + " " + text(q.z());
}

// From the frame of one pose to that of another.
Pose within(const Pose& frame, const Pose& pose) {
  const Eigen::Quaterniond back = frame.orientation.conjugate();
  return {back * (pose.position - frame.position), (back * pose.orientation).normalized()};
}

// A convex piece of a body.
struct Piece {
  Index body;
  std::string name;
  std::string attributes;
};

class Text {
 public:
  Text(const Scene& scene, double h) : scene_(scene), h_(h), forest_(forest_of(scene)) {
    children_.resize(scene.bodies.size());
    joint_.assign(scene.bodies.size(), -1);
    for (const std::vector<Branch>& tree : forest_.trees)
      for (const Branch& branch : tree) {
        joint_[static_cast<std::size_t>(branch.body)] = branch.joint;
        (branch.parent < 0 ? roots_ : children_[static_cast<std::size_t>(branch.parent)])
            .push_back(branch.body);
      }
  }

  std::string write() {
    for (Index i = 0; i < static_cast<Index>(scene_.bodies.size()); ++i) add_pieces(i);
    std::string world;
    for (const Index i : roots_) {
      if (mjcf::scripted(at(i))) {
        const Pose frame = frame_of(i);
        world += "<body name=\"" + target_name(i) + "\" mocap=\"true\" pos=\"" +
                 text(frame.position) + "\" quat=\"" + text(frame.orientation) + "\"/>\n";
        equalities_ += "<weld body1=\"" + body_name(i) + "\" body2=\"" + target_name(i) + "\"/>\n";
      }
      world += body(i, {});
    }
    for (const Index k : forest_.loops) close_loop(k);
    for (Index k = 0; k < static_cast<Index>(scene_.joints.size()); ++k) follow(k);
    Index moving = 0;
    for (const Piece& piece : pieces_) moving += !fixed(piece.body);
    const Index contacts = kContactsPerPiece * moving + 50;
    return "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option timestep=\"" +
           text(h_) + "\" gravity=\"" + text(scene_.gravity) +
           (servos_ ? "\" integrator=\"implicit" : "") +
           "\"><flag filterparent=\"disable\"/></option>\n<size nconmax=\"" +
           std::to_string(contacts) + "\" njmax=\"" +
           std::to_string(kRowsPerContact * contacts + 100) + "\"/>\n<default><geom margin=\"" +
           text(seen_) + "\" gap=\"" + text(seen_) + "\"/></default>\n<asset>\n" + assets_ +
           "</asset>\n<worldbody>\n" + world + "</worldbody>\n<contact>\n" + contacts_between() +
           "</contact>\n<equality>\n" + equalities_ + "</equality>\n<actuator>\n" + motors_ +
           "</actuator>\n</mujoco>\n";
  }

 private:
  const Body& at(Index i) const { return scene_.bodies[static_cast<std::size_t>(i)]; }
  bool fixed(Index i) const { return at(i).mass == 0 && !at(i).motion; }
  [[noreturn]] void refuse_body(Index i, const std::string& field, const std::string& why) const {
    throw io::InputError("bodies " + std::to_string(i) + "/" + field + ": " + why);
  }
  [[noreturn]] void refuse_joint(Index k, const std::string& field, const std::string& why) const {
    throw io::InputError("joints " + std::to_string(k) + "/" + field + ": " + why);
  }

  // Where MuJoCo's body frame is: at the centre of mass of what moves by itself.
  Pose frame_of(Index i) const {
    Pose out = at(i).pose;
    out.orientation.normalize();
    out.position += out.orientation * centre_in_shape(i);
    return out;
  }
  Vector3d centre_in_shape(Index i) const {
    if (mjcf::scripted(at(i))) return mass_properties(at(i).shape).centre;
    return centre_of_mass(at(i));
  }

  void add_pieces(Index i) {
    const Body& body = at(i);
    if (body.restitution > 0)
      refuse_body(i, "restitution", "MuJoCo's contacts have no restitution");
    if (body.motion && body.motion->type == Motion::Type::conveyor)
      refuse_body(i, "motion", "MuJoCo has no conveyors");
    add_piece(i, body.shape, {-centre_in_shape(i), Eigen::Quaterniond::Identity()});
  }

  void add_piece(Index i, const Shape& shape, const Pose& pose) {
    if (shape.type == Shape::Type::compound) {
      for (const Part& part : shape.parts)
        add_piece(i, part.shape,
                  {pose.position + pose.orientation * part.pose.position,
                   (pose.orientation * part.pose.orientation).normalized()});
      return;
    }
    Piece piece{i, "piece" + std::to_string(pieces_.size()), {}};
    piece.attributes = "name=\"" + piece.name + "\" pos=\"" + text(pose.position) + "\" quat=\"" +
                       text(pose.orientation) + "\" " + geometry(i, shape, piece.name) +
                       " friction=\"" + text(at(i).mu) + " 0 0\" condim=\"" +
                       (at(i).mu > 0 ? "3" : "1") + "\"";
    pieces_.push_back(std::move(piece));
  }

  std::string geometry(Index i, const Shape& shape, const std::string& name) {
    if (shape.type == Shape::Type::cylinder || shape.type == Shape::Type::hull) seen_ = 0;
    const auto round = [&](const char* type) {
      return std::string("type=\"") + type + "\" size=\"" + text(shape.radius) + " " +
             text(shape.height / 2) + "\"";
    };
    switch (shape.type) {
      case Shape::Type::box:
        return "type=\"box\" size=\"" + text(shape.half_extents) + "\"";
      case Shape::Type::sphere:
        return "type=\"sphere\" size=\"" + text(shape.radius) + "\"";
      case Shape::Type::cylinder:
        return round("cylinder");
      case Shape::Type::capsule:
        return round("capsule");
      case Shape::Type::plane:
        return "type=\"plane\" size=\"0 0 1\"";
      case Shape::Type::hull: {
        std::string points;
        for (const Vector3d& point : shape.points) points += text(point) + " ";
        assets_ += "<mesh name=\"mesh_" + name + "\" vertex=\"" + points + "\"/>\n";
        return "type=\"mesh\" mesh=\"mesh_" + name + "\"";
      }
      default:
        refuse_body(i, "shape",
                    "MuJoCo has no " + std::string(perpend::name(shape.type)) +
                        " (it replaces every mesh by its convex hull)");
    }
  }

  std::string inertial(Index i) const {
    const bool script = mjcf::scripted(at(i));
    const MassProperties uniform = script ? mass_properties(at(i).shape) : MassProperties{};
    const double mass = script ? kDensity * uniform.volume : at(i).mass;
    const Matrix3d full = script ? Matrix3d(mass * uniform.inertia) : inertia(at(i));
    const Matrix3d aside = full - Matrix3d(full.diagonal().asDiagonal());
    std::string out = "<inertial pos=\"0 0 0\" mass=\"" + text(mass) + "\" ";
    if (aside.norm() <= 1e-12 * full.norm())
      return out + "diaginertia=\"" + text(Vector3d(full.diagonal())) + "\"/>";
    return out + "fullinertia=\"" + text(Vector3d(full.diagonal())) + " " + text(full(0, 1)) + " " +
           text(full(0, 2)) + " " + text(full(1, 2)) + "\"/>";
  }

  // A body and all that hangs on it; `parent` is the frame it is given in.
  std::string body(Index i, const Pose& parent) {
    const Pose frame = frame_of(i), local = within(parent, frame);
    const Index joint = joint_[static_cast<std::size_t>(i)];
    std::string out = "<body name=\"" + body_name(i) + "\" pos=\"" + text(local.position) +
                      "\" quat=\"" + text(local.orientation) + "\">";
    if (!fixed(i)) out += joint < 0 ? "<freejoint/>" : axes(joint, i, frame);
    if (!fixed(i)) out += inertial(i);
    out += "\n";
    for (const Piece& piece : pieces_)
      if (piece.body == i) out += "<geom " + piece.attributes + "/>\n";
    for (const Index child : children_[static_cast<std::size_t>(i)]) out += body(child, frame);
    return out + "</body>\n";
  }

  static bool locked(const Joint::Limit& limit) { return limit.lower == limit.upper; }

  // What is free at a joint of the scene, as MuJoCo's joints in the order in which they turn: the
  // second body is moved, then turned about x, y, z against the first. Where the child is the first
  // body the order and the axes are reversed.
  std::string axes(Index k, Index child, const Pose& frame) {
    const Joint& joint = scene_.joints[static_cast<std::size_t>(k)];
    const Pose place = within(frame, {joint.frame.position, joint.frame.orientation.normalized()});
    const bool reversed = joint.first == child;
    const auto one = [&](Index axis, const char* type) {
      const Joint::Limit& limit = joint.limits[static_cast<std::size_t>(axis)];
      const Joint::Motor& motor = joint.motors[static_cast<std::size_t>(axis)];
      const Vector3d direction = place.orientation * Vector3d::Unit(axis % 3);
      std::string out = "<joint name=\"" + axis_name(k, axis) + "\" type=\"" + type + "\" pos=\"" +
                        text(place.position) + "\" axis=\"" +
                        text(reversed ? Vector3d(-direction) : direction) + "\"";
      if (!limit.free())
        out += " limited=\"true\" range=\"" + text(std::max(limit.lower, -kUnlimited)) + " " +
               text(std::min(limit.upper, kUnlimited)) + "\"";
      if (motor.on) {
        motors_ += "<velocity joint=\"" + axis_name(k, axis) + "\"";
        if (std::isfinite(motor.max_force))
          motors_ += " forcelimited=\"true\" forcerange=\"" + text(-motor.max_force) + " " +
                     text(motor.max_force) + "\"";
        motors_ += "/>\n";
      }
      return out + drive(k, axis) + "/>";
    };
    switch (joint.type) {
      case Joint::Type::fixed:
        return {};
      case Joint::Type::point:
        for (const Joint::Drive& drive : joint.drives)
          if (drive != Joint::Drive{})
            refuse_joint(k, "drives", "MuJoCo drives no ball; make it a generic joint");
        return ball(k, place);
      case Joint::Type::hinge:
        return one(5, "hinge");
      case Joint::Type::slider:
        return one(2, "slide");
      case Joint::Type::generic:
        break;
    }
    std::vector<Index> free;
    bool plain = true;  // turns about all axes, without limit or motor: a ball
    for (Index axis = 0; axis < 6; ++axis) {
      const Joint::Limit& limit = joint.limits[static_cast<std::size_t>(axis)];
      if (axis > 2)
        plain = plain && limit.free() && !joint.motors[static_cast<std::size_t>(axis)].on &&
                !is_driven(k, axis);
      if (locked(limit)) {
        if (limit.lower != 0) refuse_joint(k, "limits", "locks an axis away from where it starts");
      } else {
        free.push_back(axis);
      }
    }
    const auto first_turn = std::find_if(free.begin(), free.end(), [](Index a) { return a > 2; });
    if (plain) free.erase(first_turn, free.end());
    if (reversed) std::reverse(free.begin(), free.end());
    std::string out;
    if (plain && reversed) out += ball(k, place);
    for (const Index axis : free) out += one(axis, axis > 2 ? "hinge" : "slide");
    if (plain && !reversed) out += ball(k, place);
    return out;
  }

  bool is_driven(Index k, Index axis) const {
    const Joint& joint = scene_.joints[static_cast<std::size_t>(k)];
    return joint.drives[static_cast<std::size_t>(axis)] != Joint::Drive{} ||
           std::any_of(scene_.control.begin(), scene_.control.end(), [&](const Control& control) {
             return control.joint == k && (control.axis < 0 || control.axis == axis);
           });
  }

  // A drive: attributes of its joint, and actuators. The spring pulls at the end of the step, as a
  // drive's does: that is a damping h k more, which MuJoCo's implicit integrator takes there too.
  std::string drive(Index k, Index axis) {
    if (!is_driven(k, axis)) return {};
    const Joint::Drive& drive =
        scene_.joints[static_cast<std::size_t>(k)].drives[static_cast<std::size_t>(axis)];
    if (drive.stiffness > 0 || drive.damping > 0) {
      servos_ = true;
      motors_ += "<general name=\"" + mjcf::servo_name(k, axis) + "\" joint=\"" +
                 axis_name(k, axis) + "\" gainprm=\"1\" biastype=\"affine\" biasprm=\"0 " +
                 text(-drive.stiffness) + " " + text(-drive.damping - h_ * drive.stiffness) +
                 "\"/>\n";
    }
    motors_ +=
        "<motor name=\"" + mjcf::push_name(k, axis) + "\" joint=\"" + axis_name(k, axis) + "\"/>\n";
    std::string out;
    if (drive.armature > 0) out += " armature=\"" + text(drive.armature) + "\"";
    if (drive.friction > 0) out += " frictionloss=\"" + text(drive.friction) + "\"";
    return out;
  }

  // A joint that follows another one.
  void follow(Index k) {
    const Joint::Mimic& mimic = scene_.joints[static_cast<std::size_t>(k)].mimic;
    if (mimic.joint < 0) return;
    const auto coordinate = [&](Index joint) {
      if (std::find(forest_.loops.begin(), forest_.loops.end(), joint) != forest_.loops.end())
        refuse_joint(k, "mimic", "MuJoCo's couplings need joints that close no loop");
      const Joint::Type type = scene_.joints[static_cast<std::size_t>(joint)].type;
      return axis_name(joint, static_cast<Index>(free_axes(type)[0]));
    };
    equalities_ += "<joint name=\"" + mjcf::follow_name(k) + "\" joint1=\"" + coordinate(k) +
                   "\" joint2=\"" + coordinate(mimic.joint) + "\" polycoef=\"" +
                   text(mimic.offset) + " " + text(mimic.ratio) + " 0 0 0\"/>\n";
  }

  static std::string ball(Index k, const Pose& place) {
    return "<joint name=\"" + joint_name(k) + "\" type=\"ball\" pos=\"" + text(place.position) +
           "\"/>";
  }

  void close_loop(Index k) {
    const Joint& joint = scene_.joints[static_cast<std::size_t>(k)];
    const Index one = joint.first < 0 ? joint.second : joint.first;
    const Index other = joint.first < 0 ? -1 : joint.second;
    const std::string bodies = "name=\"" + joint_name(k) + "\" body1=\"" + body_name(one) + "\"" +
                               (other < 0 ? "" : " body2=\"" + body_name(other) + "\"");
    if (joint.type == Joint::Type::point)
      equalities_ += "<connect " + bodies + " anchor=\"" +
                     text(within(frame_of(one), joint.frame).position) + "\"/>\n";
    else if (joint.type == Joint::Type::fixed)
      equalities_ += "<weld " + bodies + "/>\n";
    else
      refuse_joint(
          k, "type",
          "closes a loop, which MuJoCo can do with point and fixed joints only, not with a " +
              std::string(perpend::name(joint.type)));
  }

  // Pairs that must not touch; pairs whose friction is not what MuJoCo would take: it takes the
  // larger coefficient, a scene has the square root of the product; and pairs with a plane, whose
  // contacts MuJoCo finds twice where the plane is not of the world itself. What is told as a pair
  // of shapes is excluded as a pair of bodies.
  std::string contacts_between() const {
    const std::set<std::array<Index, 2>> apart = kept_apart(scene_);
    std::set<std::array<Index, 2>> excluded = apart;
    std::string out;
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      for (std::size_t q = 0; q < p; ++q) {
        const Index a = pieces_[q].body, b = pieces_[p].body;
        const bool plain = at(a).mu == at(b).mu && at(a).shape.type != Shape::Type::plane &&
                           at(b).shape.type != Shape::Type::plane;
        if (plain || a == b || (fixed(a) && fixed(b)) ||
            apart.contains({std::min(a, b), std::max(a, b)}))
          continue;
        excluded.insert({std::min(a, b), std::max(a, b)});
        const double mu = std::sqrt(at(a).mu * at(b).mu);
        out += "<pair geom1=\"" + pieces_[q].name + "\" geom2=\"" + pieces_[p].name +
               "\" condim=\"" + (mu > 0 ? "3" : "1") + "\" friction=\"" + text(mu) + " " +
               text(mu) + " 0 0 0\" margin=\"" + text(seen_) + "\" gap=\"" + text(seen_) + "\"/>\n";
      }
    for (const auto& [a, b] : excluded)
      out += "<exclude body1=\"" + body_name(a) + "\" body2=\"" + body_name(b) + "\"/>\n";
    return out;
  }

  const Scene& scene_;
  const double h_;
  const Forest forest_;
  std::vector<std::vector<Index>> children_;
  std::vector<Index> roots_, joint_;  // bodies that hang on the world; of every body its joint
  std::vector<Piece> pieces_;
  std::string assets_, equalities_, motors_;
  double seen_ = kSeen;
  bool servos_ = false;
};

}  // namespace

std::string to_mjcf(const Scene& scene, double h) { return Text(scene, h).write(); }

}  // namespace perpend::capture::from_mujoco
