// MJCF, with the values of libmujoco and the lines of the text.
//
// The start is the first keyframe, else qpos0; coordinates of the scene's joints are 0 there. Where
// a body has several joints, links without a mass stand between it and its parent (build.cpp),
// unless all of them are slides at right angles, which one generic joint is.
#include <mujoco/mujoco.h>

#include <cmath>
#include <memory>
#include <regex>
#include <set>

#include "model/mjcf_text.hpp"
#include "model/readers.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {
namespace {

using Kind = Loss::Kind;

Vector3d vector(const mjtNum* at) { return {at[0], at[1], at[2]}; }
Eigen::Quaterniond quaternion(const mjtNum* at) {
  return Eigen::Quaterniond(at[0], at[1], at[2], at[3]).normalized();
}

std::string one_line(std::string text) {
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// "XML Error: ... Element 'geom', line 3, column 5" as FILE:3: ...
[[noreturn]] void complain(const MjcfText& text, const std::string& path, const char* words) {
  const std::string what = one_line(words);
  std::smatch found;
  static const std::regex line(
      R"((?:Element '([^']*)', )?line (?:= )?(\d+),? ?(?:column (?:= )?-?\d+)?)");
  Place place{path, 0};
  if (std::regex_search(what, found, line)) {
    place.line = std::stoi(found[2].str().substr(0, 9));
    place.file = text.file_at(found[1], place.line);
  } else if (static const std::regex key(R"(key (\d{1,6}):)");
             std::regex_search(what, found, key)) {
    place = text.nth("key", std::stoi(found[1]));
  }
  throw io::InputError(place.words() + ": MuJoCo: " + what);
}

class Mjcf {
 public:
  Mjcf(const std::string& text, const std::string& path, const Options& options, Report& report)
      : text_(text, path, options, report), path_(path), options_(options), report_(report) {
    mju_user_error = [](const char* why) { throw io::InputError(one_line(why)); };
    mju_user_warning = [](const char*) {};
    char why[1000] = "";
    model_.reset(mj_loadXML(path.c_str(), nullptr, why, sizeof why));
    if (!model_) complain(text_, path, why);
    data_.reset(mj_makeData(model_.get()));
    if (model_->nkey > 0) mj_resetDataKeyframe(model_.get(), data_.get(), 0);
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
  }

  Assembly read() {
    const mjModel& m = *model_;
    out_.name = text_.name().empty() ? path_.substr(path_.rfind('/') + 1) : text_.name();
    if (!(m.opt.timestep > 0 && std::isfinite(m.opt.timestep)))
      refuse_at(text_.last_with("timestep"), "<option>: timestep is not positive");
    if (!vector(m.opt.gravity).allFinite())
      refuse_at(text_.last_with("gravity"), "<option>: gravity is not finite");
    for (int i = 0; i < (m.nkey > 0 ? m.nq : 0); ++i)
      if (!std::isfinite(data_->qpos[i]))
        refuse_at(text_.nth("key", 0), "<key>: qpos is not finite");
    out_.step = m.opt.timestep;
    out_.gravity = off(mjDSBL_GRAVITY) ? Vector3d::Zero() : vector(m.opt.gravity);
    for (int b = 0; b < m.nbody; ++b) body(b);
    for (int b = 1; b < m.nbody; ++b) joints(b);
    for (int g = 0; g < m.ngeom; ++g) geom(g);
    friction_of_pairs();
    for (int e = 0; e < m.nexclude; ++e)
      out_.apart.push_back(
          {(m.exclude_signature[e] >> 16) - 1, (m.exclude_signature[e] & 0xffff) - 1});
    // What is locked needs no coupling.
    for (const bool locks : {true, false})
      for (int e = 0; e < m.neq && !off(mjDSBL_EQUALITY | mjDSBL_CONSTRAINT); ++e)
        if (locks == (m.eq_type[e] == mjEQ_JOINT && m.eq_obj2id[e] < 0)) equality(e);
    for (int u = 0; u < m.nu && !off(mjDSBL_ACTUATION); ++u) actuator(u);
    if (m.ntendon > text_.count_in("tendon"))
      report_.lose(composite(), "composite", Kind::physics,
                   "what holds its parts together, as tendons: " +
                       std::to_string(m.ntendon - text_.count_in("tendon")));
    for (int k = 1; k < m.nkey; ++k)
      report_.lose(text_.nth("key", k), "key", Kind::changed, "the start is the first keyframe");
    walk(text_.root(), Format::mjcf, report_, text_.included());
    return std::move(out_);
  }

 private:
  // One of these flags is disabled.
  bool off(int flags) const { return (model_->opt.disableflags & flags) != 0; }

  static std::size_t place_of(Index i) { return static_cast<std::size_t>(i); }
  std::string name(int type, int id, const std::string& otherwise) const {
    const char* given = mj_id2name(model_.get(), type, id);
    return given && *given ? given : otherwise + " " + std::to_string(id);
  }
  std::string body_name(int b) const { return b == 0 ? "world" : name(mjOBJ_BODY, b, "body"); }

  void body(int b) {
    const mjModel& m = *model_;
    Link link;
    link.name = body_name(b);
    link.place = text_.body(b, m.nbody, link.name);
    if (link.place.line == 0 && b > 0) {  // a composite made it
      const int parent = m.body_parentid[b];
      link.place = parent > 0 ? out_.links[place_of(parent)].place : composite();
    }
    link.pose = {vector(data_->xpos + 3 * b), quaternion(data_->xquat + 4 * b)};
    link.fixed = m.body_weldid[b] == 0;
    if (b > 0) {
      link.mass = m.body_mass[b];
      link.centre = vector(m.body_ipos + 3 * b);
      const Matrix3d axes = quaternion(m.body_iquat + 4 * b).toRotationMatrix();
      link.inertia = axes * vector(m.body_inertia + 3 * b).asDiagonal() * axes.transpose();
      mjtNum velocity[6];
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_BODY, b, velocity, 0);
      link.velocity << vector(velocity + 3), vector(velocity);
    }
    out_.links.push_back(link);
  }

  // Of what composites make, which the text does not name.
  Place composite() const { return text_.nth("composite", 0); }

  void joints(int b) {
    const mjModel& m = *model_;
    const int first = m.body_jntadr[b], count = m.body_jntnum[b], parent = m.body_parentid[b];
    if (m.body_weldid[b] == 0) return;
    const bool still = m.body_weldid[parent] == 0;
    if (count == 0) {
      LinkJoint joint;
      joint.type = Joint::Type::fixed;
      joint.name = body_name(b);
      joint.first = parent;
      joint.second = b;
      joint.frame = out_.links[place_of(b)].pose;
      joint.place = out_.links[place_of(b)].place;
      out_.joints.push_back(joint);
      return;
    }
    if (m.jnt_type[first] == mjJNT_FREE) {
      for (int k = 0; k < 6; ++k)
        if (const int dof = m.jnt_dofadr[first] + k;
            m.jnt_stiffness[first] != 0 || m.dof_damping[dof] != 0 || m.dof_armature[dof] != 0 ||
            m.dof_frictionloss[dof] != 0) {
          report_.lose(joint_place(first, b), "joint", Kind::physics,
                       "spring, damping, armature and friction of a free body");
          break;
        }
      return;
    }
    // Parents do not touch their children, unless they stand still.
    const bool meets = still || off(mjDSBL_FILTERPARENT);
    if (!meets && count > 1) out_.apart.push_back({parent, b});
    const Index root = still ? -1 : parent;
    if (slides(first, count)) {
      generic(b, root, first, count, meets);
      return;
    }
    Index below = root;
    for (int k = 0; k < count; ++k) {
      const bool last = k == count - 1;
      Index above = b;
      if (!last) {
        Link between;
        between.between = true;
        between.name = body_name(b) + "." + joint_name(first + k);
        between.pose = out_.links[place_of(b)].pose;
        between.place = joint_place(first + k, b);
        above = static_cast<Index>(out_.links.size());
        out_.links.push_back(between);
      }
      single(first + k, b, below, above, meets);
      below = above;
    }
    if (count < 2) return;
    const bool named = text_.body(b, m.nbody, body_name(b)).line > 0;
    report_.lose(joint_place(first, b), "joint", Kind::changed,
                 (named ? "body '" + body_name(b) + "' has " : "bodies of a composite have ") +
                     std::to_string(count) +
                     " joints: links of a thousandth of the mass stand between them");
  }

  std::string joint_name(int j) const { return name(mjOBJ_JOINT, j, "joint"); }
  Place joint_place(int j, int b) const {
    Place found = text_.place("joint", joint_name(j));
    if (found.line == 0)
      found = text_.in_body("joint", b, j - model_->body_jntadr[b], model_->nbody);
    return found.line > 0 ? found : out_.links[place_of(b)].place;
  }

  // Along a hinge or slide. Also of the start: the scene's coordinate is 0 there.
  void along(int j, Joint::Limit& limit, Joint::Drive& drive) {
    const mjModel& m = *model_;
    const int dof = m.jnt_dofadr[j];
    const double q = data_->qpos[m.jnt_qposadr[j]];
    if (m.jnt_limited[j] && !off(mjDSBL_LIMIT | mjDSBL_CONSTRAINT)) {
      limit.lower = m.jnt_range[2 * j] - q;
      limit.upper = m.jnt_range[2 * j + 1] - q;
    }
    if (!off(mjDSBL_PASSIVE)) {
      drive.stiffness = m.jnt_stiffness[j];
      if (drive.stiffness > 0) drive.position = m.qpos_spring[m.jnt_qposadr[j]] - q;
      drive.damping = m.dof_damping[dof];
    }
    if (!off(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT)) drive.friction = m.dof_frictionloss[dof];
    drive.armature = m.dof_armature[dof];
  }

  void single(int j, int b, Index below, Index above, bool meets) {
    const mjModel& m = *model_;
    LinkJoint joint;
    joint.name = joint_name(j);
    joint.place = joint_place(j, b);
    joint.first = below;
    joint.second = above;
    joint.collide = meets;
    joint.frame = {vector(data_->xanchor + 3 * j),
                   towards(vector(data_->xaxis + 3 * j).normalized())};
    if (m.jnt_type[j] == mjJNT_BALL) {
      joint.type = Joint::Type::point;
      joint.frame.orientation = out_.links[place_of(b)].pose.orientation;
      for (int k = 0; k < 3; ++k) {
        const int dof = m.jnt_dofadr[j] + k;
        Joint::Drive& drive = joint.drives[place_of(3 + k)];
        if (!off(mjDSBL_PASSIVE)) drive.damping = m.dof_damping[dof];
        if (!off(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT)) drive.friction = m.dof_frictionloss[dof];
        drive.armature = m.dof_armature[dof];
      }
      if (m.jnt_limited[j])
        report_.lose(joint.place, "joint@range", Kind::physics, "the limit of a ball joint");
      if (m.jnt_stiffness[j] > 0)
        report_.lose(joint.place, "joint@stiffness", Kind::physics, "the spring of a ball joint");
    } else {
      const bool slide = m.jnt_type[j] == mjJNT_SLIDE;
      joint.type = slide ? Joint::Type::slider : Joint::Type::hinge;
      const std::size_t axis = slide ? 2 : 5;
      along(j, joint.limits[axis], joint.drives[axis]);
      joint_of_[j] = {static_cast<Index>(out_.joints.size()), axis};
    }
    out_.joints.push_back(joint);
  }

  bool slides(int first, int count) const {
    if (count < 2 || count > 3) return false;
    for (int j = first; j < first + count; ++j) {
      if (model_->jnt_type[j] != mjJNT_SLIDE) return false;
      for (int k = first; k < j; ++k)
        if (std::abs(vector(data_->xaxis + 3 * j).dot(vector(data_->xaxis + 3 * k))) > 1e-9)
          return false;
    }
    return true;
  }

  void generic(int b, Index root, int first, int count, bool meets) {
    LinkJoint joint;
    joint.type = Joint::Type::generic;
    joint.name = joint_name(first);
    joint.place = joint_place(first, b);
    joint.first = root;
    joint.second = b;
    joint.collide = meets;
    const auto axis = [&](int k) { return vector(data_->xaxis + 3 * (first + k)).normalized(); };
    // Which joint each axis of the frame is: right-handed, in whatever order they are.
    std::array<int, 3> order{0, 1, 2};
    if (count == 3 && axis(0).cross(axis(1)).dot(axis(2)) < 0) std::swap(order[0], order[1]);
    Matrix3d axes;
    axes.col(0) = axis(order[0]);
    axes.col(1) = axis(order[1]);
    axes.col(2) = axes.col(0).cross(axes.col(1));
    joint.frame.position = vector(data_->xanchor + 3 * first);
    joint.frame.orientation = Eigen::Quaterniond(axes).normalized();
    for (std::size_t k = 0; k < 6; ++k) joint.limits[k] = {0, 0};
    for (int k = 0; k < count; ++k) {
      const int j = first + order[place_of(k)];
      joint.limits[place_of(k)] = {1, -1};
      along(j, joint.limits[place_of(k)], joint.drives[place_of(k)]);
      joint_of_[j] = {static_cast<Index>(out_.joints.size()), place_of(k)};
    }
    out_.joints.push_back(joint);
  }

  void geom(int g) {
    const mjModel& m = *model_;
    const int b = m.geom_bodyid[g];
    const Link& link = out_.links[place_of(b)];
    LinkShape one;
    one.place = text_.place("geom", name(mjOBJ_GEOM, g, "geom"));
    if (one.place.line == 0) one.place = text_.in_body("geom", b, g - m.body_geomadr[b], m.nbody);
    if (one.place.line == 0) one.place = link.place;
    one.tag = "geom";
    if (const char* given = mj_id2name(model_.get(), mjOBJ_GEOM, g)) one.name = given;
    one.pose = {vector(m.geom_pos + 3 * g), quaternion(m.geom_quat + 4 * g)};
    one.mu = m.geom_friction[3 * g];
    one.touches = {static_cast<std::uint32_t>(m.geom_contype[g]),
                   static_cast<std::uint32_t>(m.geom_conaffinity[g])};
    if (off(mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) one.touches = {0, 0};
    if (one.touches == Touches{0, 0}) {
      report_.lose(one.place, "geom", Kind::appearance, "touches nothing");
      return;
    }
    for (Shape& shape : shapes(g, one)) {
      one.shape = std::move(shape);
      out_.links[place_of(b)].shapes.push_back(one);
    }
  }

  std::vector<Shape> shapes(int g, const LinkShape& one) {
    const mjModel& m = *model_;
    const mjtNum* size = m.geom_size + 3 * g;
    Shape shape;
    shape.radius = size[0];
    shape.height = 2 * size[1];
    switch (m.geom_type[g]) {
      case mjGEOM_PLANE:
        shape.type = Shape::Type::plane;
        break;
      case mjGEOM_SPHERE:
        shape.type = Shape::Type::sphere;
        break;
      case mjGEOM_CAPSULE:
        shape.type = Shape::Type::capsule;
        break;
      case mjGEOM_CYLINDER:
        shape.type = Shape::Type::cylinder;
        break;
      case mjGEOM_BOX:
        shape.half_extents = vector(size);
        break;
      case mjGEOM_ELLIPSOID:
        report_.lose(one.place, "geom@type", Kind::changed, "an ellipsoid: a hull of 200 points");
        shape.type = Shape::Type::hull;
        shape.points = ellipsoid(vector(size));
        break;
      case mjGEOM_MESH:
        return mesh(m.geom_dataid[g], one);
      case mjGEOM_HFIELD:
        return height_field(m.geom_dataid[g], one);
      default:
        report_.lose(one.place, "geom@type", Kind::physics, "is no shape that a scene has");
        return {};
    }
    return {shape};
  }

  // The surface alone: MuJoCo's has a bottom and sides too.
  std::vector<Shape> height_field(int id, const LinkShape& one) {
    const mjModel& m = *model_;
    const mjtNum* size = m.hfield_size + 4 * id;
    Shape shape;
    shape.type = Shape::Type::height_field;
    shape.rows = m.hfield_nrow[id];
    shape.columns = m.hfield_ncol[id];
    shape.spacing = 2 * size[0] / static_cast<double>(shape.columns - 1);
    const double along_y = 2 * size[1] / static_cast<double>(shape.rows - 1);
    if (std::abs(along_y / shape.spacing - 1) > 1e-9) {
      report_.lose(one.place, "geom@hfield", Kind::physics,
                   "its points are " + short_number(shape.spacing) + " m apart along x and " +
                       short_number(along_y) +
                       " m along y; those of a scene are as far along both");
      return {};
    }
    const float* data = m.hfield_data + m.hfield_adr[id];
    for (Index k = 0; k < shape.rows * shape.columns; ++k)
      shape.heights.push_back(size[2] * static_cast<double>(data[k]));
    return {shape};
  }

  std::vector<Shape> mesh(int id, const LinkShape& one) {
    const mjModel& m = *model_;
    if (id < 0) return {};
    Mesh out;
    for (int v = m.mesh_vertadr[id]; v < m.mesh_vertadr[id] + m.mesh_vertnum[id]; ++v)
      out.points.emplace_back(m.mesh_vert[3 * v], m.mesh_vert[3 * v + 1], m.mesh_vert[3 * v + 2]);
    for (int f = m.mesh_faceadr[id]; f < m.mesh_faceadr[id] + m.mesh_facenum[id]; ++f)
      out.triangles.push_back({m.mesh_face[3 * f], m.mesh_face[3 * f + 1], m.mesh_face[3 * f + 2]});
    return shapes_of(out, Vector3d::Ones(), false, options_, one.place, report_);
  }

  // MuJoCo takes the larger one of two frictions; frictionless is what condim 1 says.
  void friction_of_pairs() {
    std::set<double> frictions;
    std::set<int> dimensions;
    for (int g = 0; g < model_->ngeom; ++g) {
      if (model_->geom_contype[g] == 0 && model_->geom_conaffinity[g] == 0) continue;
      frictions.insert(model_->geom_friction[3 * g]);
      dimensions.insert(model_->geom_condim[g]);
    }
    if (dimensions == std::set<int>{1}) {
      for (Link& link : out_.links)
        for (LinkShape& shape : link.shapes) shape.mu = 0;
      return;
    }
    if (frictions.size() > 1)
      report_.lose(with_friction(), "geom@friction", Kind::changed,
                   "MuJoCo takes the larger friction of a pair, a scene the root of the product");
    for (const Element& element : text_.with("condim")) {
      const std::string value = element.text("condim");
      if (value == "1")
        report_.lose(element.place(), element.tag() + "@condim", Kind::changed,
                     "frictionless only where both geoms are: here it has its friction");
      else if (value != "3")
        report_.lose(element.place(), element.tag() + "@condim", Kind::physics,
                     "torsional and rolling friction");
    }
  }

  Place with_friction() const {
    for (const Element& element : text_.with("friction"))
      if (element.tag() == "geom") return element.place();
    return {path_, 0};
  }

  void equality(int e) {
    const mjModel& m = *model_;
    const mjtNum* data = m.eq_data + mjNEQDATA * e;
    const int a = m.eq_obj1id[e], b = m.eq_obj2id[e];
    static constexpr const char* kTags[] = {"connect", "weld", "joint", "tendon", "distance"};
    const std::string tag = kTags[m.eq_type[e]];
    // Those of composites come first.
    const Element* element = text_.nth_in("equality", e - (m.neq - text_.count_in("equality")));
    const Place place = element ? element->place() : composite();
    if (!m.eq_active[e]) {
      report_.lose(place, tag, Kind::physics, "is not active at the start");
      return;
    }
    if (m.eq_type[e] == mjEQ_JOINT) {
      couple(a, b, data, place);
      return;
    }
    if (m.eq_type[e] != mjEQ_CONNECT && m.eq_type[e] != mjEQ_WELD) return;  // the walk lists them
    const bool weld = m.eq_type[e] == mjEQ_WELD;
    const auto pose = [&](int body) {
      return Pose{vector(data_->xpos + 3 * body), quaternion(data_->xquat + 4 * body)};
    };
    const Vector3d on_a = at(pose(a), vector(data + (weld ? 3 : 0)));
    const Vector3d on_b = at(pose(b), vector(data + (weld ? 0 : 3)));
    double off = (on_a - on_b).norm();
    if (weld)
      off += pose(b).orientation.angularDistance(pose(a).orientation * quaternion(data + 6));
    if (off > 1e-6) {
      report_.lose(place, tag, Kind::physics, "is open at the start by " + short_number(off));
      return;
    }
    const bool still_a = m.body_weldid[a] == 0, still_b = m.body_weldid[b] == 0;
    if (still_a && still_b) return;
    LinkJoint joint;
    joint.name = name(mjOBJ_EQUALITY, e, tag);
    joint.type = weld ? Joint::Type::fixed : Joint::Type::point;
    joint.first = still_a ? -1 : a;
    joint.second = still_b ? -1 : b;
    if (joint.second < 0) std::swap(joint.first, joint.second);
    joint.frame.position = on_a;
    joint.place = place;
    joint.collide = true;
    // A weld is a joint of the scene with no freedom: it closes loops, and so is never merged.
    if (weld) {
      joint.type = Joint::Type::generic;
      for (Joint::Limit& limit : joint.limits) limit = {0, 0};
    }
    out_.joints.push_back(joint);
  }

  // joint1 = c0 + c1 joint2 + ..., both from qpos0.
  void couple(int a, int b, const mjtNum* c, const Place& place) {
    const mjModel& m = *model_;
    const auto lose = [&](const char* why) { report_.lose(place, "joint", Kind::physics, why); };
    if (c[2] != 0 || c[3] != 0 || c[4] != 0) return lose("a coupling that is not linear");
    const auto start = [&](int j) {
      const int at = m.jnt_qposadr[j];
      return data_->qpos[at] - m.qpos0[at];
    };
    const auto one = joint_of_.find(a);
    if (one == joint_of_.end()) return lose("a coupling of a joint that is part of another");
    LinkJoint& joint = out_.joints[place_of(one->second.first)];
    if (b < 0) {
      joint.limits[one->second.second] = {c[0] - start(a), c[0] - start(a)};
      return;
    }
    const auto other = joint_of_.find(b);
    const bool single = other != joint_of_.end() && joint.type != Joint::Type::generic &&
                        out_.joints[place_of(other->second.first)].type != Joint::Type::generic;
    if (!single) return lose("a coupling of a joint that is part of another");
    const auto locked = [&](const auto& of) {
      const Joint::Limit& limit = out_.joints[place_of(of->second.first)].limits[of->second.second];
      return limit.lower == limit.upper;
    };
    if (locked(one) && locked(other)) return;  // they cannot move, and need no row more
    if (joint.mimics >= 0) return lose("a second coupling: a joint follows one other");
    joint.mimics = other->second.first;
    joint.ratio = c[1];
    joint.offset = c[0] + c[1] * start(b) - start(a);
  }

  void actuator(int u) {
    const mjModel& m = *model_;
    const Element* element = text_.nth_in("actuator", u);
    const Place place = element ? element->place() : Place{path_, 0};
    const std::string tag = element ? element->tag() : "actuator";
    if (tag == "muscle" || tag == "adhesion" || tag == "intvelocity" || tag == "damper" ||
        tag == "cylinder")
      return;  // the walk lists them
    const auto lose = [&](const char* why) { report_.lose(place, tag, Kind::physics, why); };
    const int transmission = m.actuator_trntype[u];
    const auto found = joint_of_.find(m.actuator_trnid[2 * u]);
    if ((transmission != mjTRN_JOINT && transmission != mjTRN_JOINTINPARENT) ||
        found == joint_of_.end())
      return lose("does not drive a hinge or slide");
    if (m.actuator_dyntype[u] != mjDYN_NONE || m.actuator_gaintype[u] != mjGAIN_FIXED ||
        (m.actuator_biastype[u] != mjBIAS_NONE && m.actuator_biastype[u] != mjBIAS_AFFINE))
      return lose("is no force, servo or damper");
    const int j = m.actuator_trnid[2 * u];
    const double gear = m.actuator_gear[6 * u], q = data_->qpos[m.jnt_qposadr[j]];
    const double* bias = m.actuator_biasprm + mjNBIAS * u;
    const bool affine = m.actuator_biastype[u] == mjBIAS_AFFINE;
    double control = data_->ctrl[u];
    if (m.actuator_ctrllimited[u] && !off(mjDSBL_CLAMPCTRL))
      control = std::clamp(control, m.actuator_ctrlrange[2 * u], m.actuator_ctrlrange[2 * u + 1]);
    double input = m.actuator_gainprm[mjNGAIN * u] * control + (affine ? bias[0] : 0);
    const double stiffness = affine ? -bias[1] * gear * gear : 0;
    const double damping = affine ? -bias[2] * gear * gear : 0;
    if (stiffness < 0 || damping < 0) return lose("pushes away from where it should go");
    Joint::Drive& drive = out_.joints[place_of(found->second.first)].drives[found->second.second];
    const bool alone = drive.stiffness == 0 && drive.damping == 0;
    const double range = m.actuator_forcelimited[u] ? std::min(-m.actuator_forcerange[2 * u],
                                                               m.actuator_forcerange[2 * u + 1]) *
                                                          std::abs(gear)
                                                    : Joint::kUnlimited;
    if (m.actuator_forcelimited[u] && stiffness + damping > 0) {
      if (alone && range > 0)
        drive.max_force = range;
      else
        report_.lose(place, tag + "@forcerange", Kind::physics,
                     "a limit of the servo alone, beside a spring or damper of the joint");
    }
    if (stiffness > 0) {
      const double push = drive.stiffness * drive.position + gear * input - stiffness * q;
      drive.position = push / (drive.stiffness + stiffness);
    } else if (damping > 0) {
      drive.speed = gear * input / (drive.damping + damping);
    } else {
      if (m.actuator_forcelimited[u])
        input = std::clamp(input, m.actuator_forcerange[2 * u], m.actuator_forcerange[2 * u + 1]);
      drive.force += gear * input;
    }
    drive.stiffness += stiffness;
    drive.damping += damping;
  }

  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  MjcfText text_;
  std::string path_;
  const Options& options_;
  Report& report_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  Assembly out_;
  std::map<int, std::pair<Index, std::size_t>> joint_of_;  // the joint and axis of a hinge or slide
};

}  // namespace

Assembly read_mjcf(const std::string& text, const std::string& path, const Options& options,
                   Report& report) {
  return Mjcf(text, path, options, report).read();
}

}  // namespace perpend::model
