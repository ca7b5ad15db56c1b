// Links and joints as a scene. Fixed joints are merged unless they shall be kept; what is fixed to
// the world becomes a fixed body for each shape.
//
// Bodies of the scene have masses and joints few axes. Links without a mass, which stand between
// two joints of a robot (and which the reader of MJCF makes where a body has several joints), get a
// thousandth of the mass and inertia of the body behind them, which loses as much: at the start
// the model's mass, centre and inertia are those of the file.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "model/assembly.hpp"
#include "model/weight.hpp"
#include "model/xml.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {

namespace {

constexpr double kShare = 1e-3;  // of the mass behind it, to a link without one

class Builder {
 public:
  Builder(Assembly& given, const Options& options, Report& report)
      : given_(given), options_(options), report_(report), groups_(size(given.links)) {}

  Built scene() {
    fill_weights();
    merge();
    give_masses();
    scene_.name = given_.name;
    scene_.title = given_.name;
    scene_.gravity = given_.gravity;
    scene_.step = given_.step;
    bodies();
    joints();
    filters();
    apart();
    if (given_.floor) floor();
    unique_names();
    if (const std::string why = invalid(scene_); !why.empty()) refuse(why);
    return {std::move(scene_), std::move(places_), std::move(meant_)};
  }

 private:
  template <class List>
  static Index size(const List& list) {
    return static_cast<Index>(list.size());
  }
  // What is wrong begins with "body 3" or "joint 3".
  [[noreturn]] void refuse(const std::string& why) const {
    Place place = given_.links.empty() ? Place{given_.name, 0} : given_.links.front().place;
    place.line = 0;
    const auto at = [&](const std::string& kind, const std::vector<Place>& places) {
      if (!why.starts_with(kind)) return;
      const auto index = static_cast<std::size_t>(std::stoul(why.substr(kind.size())));
      if (index < places.size()) place = places[index];
    };
    at("body ", places_);
    at("joint ", joint_places_);
    refuse_at(place, why);
  }

  Link& link(Index i) { return given_.links[static_cast<std::size_t>(i)]; }
  Weight& weight(Index i) { return weights_[static_cast<std::size_t>(i)]; }
  // The group of a link; -1: it does not move.
  Index group(Index i) {
    if (i < 0) return -1;
    const Index of = groups_.of(i);
    return still_[static_cast<std::size_t>(of)] ? -1 : of;
  }

  // Of each link in the world. What its shapes must tell, they do.
  void fill_weights() {
    weights_.resize(given_.links.size());
    for (Index i = 0; i < size(given_.links); ++i) {
      Link& one = link(i);
      if (!(one.mass > 0)) continue;
      if (!one.inertia) {
        const Weight shape = weight_of(one.shapes, 1);
        if (shape.mass > 0) {
          one.inertia = one.mass / shape.mass * shape.inertia;
          if (one.shape_inertia) one.centre = shape.centre;
        } else {
          one.inertia = 0.4 * one.mass * kBallRadius * kBallRadius * Matrix3d::Identity();
        }
      }
      weight(i) = {one.mass, at(one.pose, one.centre), turned(*one.inertia, one.pose.orientation)};
    }
  }

  void merge() {
    for (LinkJoint& joint : given_.joints) {
      if (joint.type != Joint::Type::fixed) continue;
      if (joint.first < 0 || joint.second < 0) {
        const Index held = std::max(joint.first, joint.second);
        if (held >= 0) link(held).fixed = true;
        gone_.insert(&joint);
        continue;
      }
      const bool weightless = !(link(joint.first).mass > 0) || !(link(joint.second).mass > 0);
      const bool still = link(joint.first).fixed || link(joint.second).fixed;
      if (options_.keep_fixed && !weightless && !still) continue;
      groups_.join(joint.first, joint.second);
      gone_.insert(&joint);
    }
    settle();
  }

  void settle() {
    still_.assign(given_.links.size(), false);
    for (Index i = 0; i < size(given_.links); ++i)
      if (link(i).fixed) still_[static_cast<std::size_t>(groups_.of(i))] = true;
    total_.assign(given_.links.size(), Weight());
    for (Index i = 0; i < size(given_.links); ++i) {
      Weight& all = total_[static_cast<std::size_t>(groups_.of(i))];
      all = sum(all, weight(i));
    }
  }

  bool has_mass(Index of) { return of < 0 || total_[static_cast<std::size_t>(of)].mass > 0; }

  // The link with a mass behind this group; -1: none.
  Index donor(Index of, std::set<Index>& seen) {
    if (!seen.insert(of).second) return -1;
    Index best = -1;
    const auto mass = [&](Index i) { return total_[static_cast<std::size_t>(i)].mass; };
    for (const LinkJoint& joint : given_.joints) {
      if (gone_.contains(&joint) || group(joint.first) != of || joint.first < 0) continue;
      Index behind = group(joint.second);
      if (behind < 0) continue;
      if (!has_mass(behind)) behind = donor(behind, seen);
      if (behind >= 0 && (best < 0 || mass(behind) > mass(best))) best = behind;
    }
    return best;
  }

  // Of all shapes of a group, in the world.
  Weight shapes_of_group(Index of) {
    Weight out;
    for (Index i = 0; i < size(given_.links); ++i) {
      if (group(i) != of) continue;
      Weight one = weight_of(link(i).shapes, options_.density);
      one.centre = at(link(i).pose, one.centre);
      one.inertia = turned(one.inertia, link(i).pose.orientation);
      out = sum(out, one);
    }
    return out;
  }

  // The joint that carries a group; null: it is a root.
  const LinkJoint* carrier(Index of) {
    const LinkJoint* found = nullptr;
    for (const LinkJoint& joint : given_.joints)
      if (!gone_.contains(&joint) && joint.second >= 0 && group(joint.second) == of &&
          group(joint.first) != of)
        found = &joint;
    return found;
  }
  bool carries(Index of) {
    return std::any_of(given_.joints.begin(), given_.joints.end(), [&](const LinkJoint& joint) {
      return !gone_.contains(&joint) && joint.first >= 0 && group(joint.first) == of;
    });
  }

  // Groups without a mass: roots are held, shapes tell the mass of others.
  void weigh() {
    for (Index of = 0; of < size(given_.links); ++of) {
      if (group(of) != of || has_mass(of)) continue;
      const Link& one = link(of);
      if (!carrier(of) && carries(of)) {
        report_.lose(one.place, "link", Loss::Kind::changed,
                     "'" + one.name + "' has no mass and carries the others: held fixed");
        still_[static_cast<std::size_t>(of)] = true;
        continue;
      }
      const Weight shape = shapes_of_group(of);
      if (!(shape.mass > 0)) continue;
      report_.lose(one.place, "link", Loss::Kind::changed,
                   "'" + one.name + "' has no mass: " + short_number(shape.mass) +
                       " kg of its shape at " + short_number(options_.density) + " kg/m3");
      total_[static_cast<std::size_t>(of)] = shape;
    }
  }

  void give_masses() {
    weigh();
    for (bool again = true; again;) {
      again = false;
      for (Index of = 0; of < size(given_.links) && !again; ++of) {
        if (group(of) != of || has_mass(of)) continue;
        std::set<Index> seen;
        const Index from = donor(of, seen);
        const LinkJoint* before = carrier(of);
        if (from >= 0 && before) {
          share(of, from);
        } else if (before) {
          report_.lose(before->place, "joint", Loss::Kind::physics,
                       "'" + before->name + "' is locked: nothing behind it has a mass");
          lock(*before, of);
          again = true;
        } else {
          report_.lose(link(of).place, "link", Loss::Kind::physics,
                       "'" + link(of).name + "' has neither mass nor shape: left out");
          still_[static_cast<std::size_t>(of)] = true;
        }
      }
    }
  }

  void share(Index of, Index from) {
    Weight& rich = total_[static_cast<std::size_t>(from)];
    Weight& poor = total_[static_cast<std::size_t>(of)];
    poor = {kShare * rich.mass, rich.centre, kShare * rich.inertia};
    rich.mass -= poor.mass;
    rich.inertia -= poor.inertia;
    if (!link(of).between)
      report_.lose(link(of).place, "link", Loss::Kind::changed,
                   "'" + link(of).name + "' has no mass: it takes a thousandth of '" +
                       link(from).name + "'");
  }

  void lock(const LinkJoint& joint, Index of) {
    if (joint.first < 0)
      link(of).fixed = true;
    else
      groups_.join(joint.first, of);
    gone_.insert(&joint);
    rejoin();
  }

  // After a joint was locked: the weights of the groups as they are now.
  void rejoin() {
    const std::vector<Weight> kept = total_;
    const std::vector<bool> still = still_;
    still_.assign(still.size(), false);
    total_.assign(kept.size(), Weight());
    for (Index i = 0; i < size(given_.links); ++i) {
      const auto of = static_cast<std::size_t>(groups_.of(i));
      if (still[static_cast<std::size_t>(i)] || link(i).fixed) still_[of] = true;
      total_[of] = sum(total_[of], kept[static_cast<std::size_t>(i)]);
    }
  }

  Body body_with(const std::string& name, const Place& place) {
    Body body;
    body.name = name;
    places_.push_back(place);
    return body;
  }

  void bodies() {
    body_of_.assign(given_.links.size(), -1);
    for (Index i = 0; i < size(given_.links); ++i) {
      if (group(i) < 0) fixed_bodies(i);
      if (group(i) == i) moving_body(i);
    }
  }

  void fixed_bodies(Index i) {
    const Link& one = link(i);
    for (std::size_t s = 0; s < one.shapes.size(); ++s) {
      const LinkShape& shape = one.shapes[s];
      Body body = body_with(shape.name.empty() ? one.name : shape.name, one.place);
      body.shape = shape.shape;
      body.pose = one.pose * shape.pose;
      body.mu = shape.mu;
      body.restitution = shape.restitution;
      touches_.push_back(shape.touches);
      links_of_.push_back({i});
      scene_.bodies.push_back(std::move(body));
    }
  }

  void moving_body(Index of) {
    Body body = body_with(link(of).name, link(of).place);
    std::vector<Index> members;
    std::vector<const LinkShape*> shapes;
    std::vector<Pose> poses;
    for (Index i = 0; i < size(given_.links); ++i) {
      if (group(i) != of) continue;
      members.push_back(i);
      body_of_[static_cast<std::size_t>(i)] = size(scene_.bodies);
      for (const LinkShape& shape : link(i).shapes) {
        if (endless(shape.shape.type)) {
          report_.lose(shape.place, shape.tag, Loss::Kind::physics,
                       "a " + std::string(perpend::name(shape.shape.type)) + " cannot move");
          continue;
        }
        shapes.push_back(&shape);
        poses.push_back(link(i).pose * shape.pose);
      }
    }
    const Weight& weight = total_[static_cast<std::size_t>(of)];
    if (shapes.size() == 1) {
      body.shape = shapes.front()->shape;
      body.pose = poses.front();
    } else if (!shapes.empty()) {
      body.shape.type = Shape::Type::compound;
      body.pose = link(of).pose;
      for (std::size_t s = 0; s < shapes.size(); ++s)
        body.shape.parts.push_back({shapes[s]->shape, inverse(body.pose) * poses[s]});
    } else if (link(of).between) {
      constexpr double kKnot = 0.005;  // m
      body.shape.type = Shape::Type::sphere;
      body.shape.radius = kKnot;
      body.pose = link(of).pose;
    } else {
      stand_in(weight, body);
    }
    surface(shapes, body);
    body.mass = weight.mass;
    body.centre_of_mass = at(inverse(body.pose), weight.centre);
    body.inertia = turned(weight.inertia, body.pose.orientation.conjugate());
    body.inertia = Matrix3d(0.5 * (*body.inertia + body.inertia->transpose()));
    velocity(of, weight, body);
    links_of_.push_back(members);
    scene_.bodies.push_back(std::move(body));
  }

  // A body that touches nothing, as a box of its mass and inertia.
  static void stand_in(const Weight& weight, Body& body) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(weight.inertia);
    const Vector3d moment = axes.eigenvalues().cwiseMax(0) / weight.mass;
    const double most = std::max(moment.maxCoeff(), 1e-12);
    for (int k = 0; k < 3; ++k)
      body.shape.half_extents[k] =
          std::sqrt(std::max(1.5 * (moment.sum() - 2 * moment[k]), 1e-4 * most));
    Matrix3d turn = axes.eigenvectors();
    if (turn.determinant() < 0) turn.col(0) *= -1;
    body.pose = {weight.centre, Eigen::Quaterniond(turn).normalized()};
  }

  void surface(const std::vector<const LinkShape*>& shapes, Body& body) {
    Touches all{0, 0};
    bool first = true;
    for (const LinkShape* shape : shapes) {
      const bool differs = !first && !(shape->touches == all);
      all = {all.type | shape->touches.type, all.affinity | shape->touches.affinity};
      if (first) {
        body.mu = shape->mu;
        body.restitution = shape->restitution;
      }
      if (!first && (shape->mu != body.mu || shape->restitution != body.restitution))
        report_.lose(shape->place, shape->tag, Loss::Kind::changed,
                     "a body has one friction and restitution: those of its first shape");
      if (differs)
        report_.lose(shape->place, shape->tag, Loss::Kind::changed,
                     "a body has one collision filter: that of all its shapes together");
      first = false;
    }
    touches_.push_back(all);
  }

  void velocity(Index of, const Weight& weight, Body& body) {
    const Link& one = link(of);
    const Vector3d arm = weight.centre - at(one.pose, one.centre);
    const Vector3d turning = one.velocity.tail<3>();
    body.velocity << one.velocity.head<3>() + turning.cross(arm), turning;
  }

  // A joint that holds nothing: the floating one of URDF.
  static bool free(const LinkJoint& joint) {
    return joint.type == Joint::Type::generic && joint.drives == LinkJoint().drives &&
           std::all_of(joint.limits.begin(), joint.limits.end(),
                       [](const Joint::Limit& limit) { return limit.free(); });
  }

  void joints() {
    std::map<const LinkJoint*, Index> places;
    for (const LinkJoint& given : given_.joints) {
      const Index a = group(given.first), b = group(given.second);
      if (gone_.contains(&given)) continue;
      if (a == b) {
        report_.lose(given.place, "joint", Loss::Kind::physics,
                     "'" + given.name + "' joins what does not move against each other");
        continue;
      }
      if (free(given)) continue;
      Joint joint;
      joint.name = given.name;
      joint.type = given.type;
      joint.first = a < 0 ? -1 : body_of_[static_cast<std::size_t>(given.first)];
      joint.second = b < 0 ? -1 : body_of_[static_cast<std::size_t>(given.second)];
      joint.frame = given.frame;
      joint.limits = given.limits;
      joint.motors = given.motors;
      joint.drives = given.drives;
      joint.collide = given.collide;
      places[&given] = size(scene_.joints);
      scene_.joints.push_back(joint);
      joint_places_.push_back(given.place);
    }
    for (const LinkJoint& given : given_.joints) {
      if (given.mimics < 0 || !places.contains(&given)) continue;
      const auto other = places.find(&given_.joints[static_cast<std::size_t>(given.mimics)]);
      if (other == places.end()) {
        report_.lose(given.place, "mimic", Loss::Kind::physics,
                     "'" + given.name + "' follows a joint that is not in the scene");
        continue;
      }
      Joint& joint = scene_.joints[static_cast<std::size_t>(places[&given])];
      joint.mimic = {other->second, given.ratio, given.offset};
    }
  }

  // A bit for each kind of shape: exact for any masks of the file, as long as there are 32 kinds.
  void filters() {
    std::vector<Touches> kinds;
    std::vector<std::size_t> kind_of;
    for (const Touches& one : touches_) {
      const auto found = std::find(kinds.begin(), kinds.end(), one);
      kind_of.push_back(static_cast<std::size_t>(found - kinds.begin()));
      if (found == kinds.end()) kinds.push_back(one);
    }
    const auto meet = [](const Touches& a, const Touches& b) {
      return (a.type & b.affinity) != 0 || (b.type & a.affinity) != 0;
    };
    constexpr std::size_t kMost = 32;
    if (kinds.size() > kMost) {
      const auto beyond = std::find(kind_of.begin(), kind_of.end(), kMost);
      report_.lose(
          places_[static_cast<std::size_t>(beyond - kind_of.begin())], "filters",
          Loss::Kind::physics,
          std::to_string(kinds.size()) + " kinds of collision filters, at most 32: all touch");
      return;
    }
    if (kinds.empty() || (kinds.size() == 1 && meet(kinds[0], kinds[0]))) return;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      Body& body = scene_.bodies[i];
      body.group = std::uint32_t{1} << kind_of[i];
      body.mask = 0;
      for (std::size_t k = 0; k < kinds.size(); ++k)
        if (meet(kinds[kind_of[i]], kinds[k])) body.mask |= std::uint32_t{1} << k;
    }
  }

  void apart() {
    std::set<std::pair<Index, Index>> linked, pairs;
    for (const Joint& joint : scene_.joints)
      if (!joint.collide) linked.insert(std::minmax(joint.first, joint.second));
    const auto add = [&](Index a, Index b) {
      const auto fixed = [&](Index i) {
        return scene_.bodies[static_cast<std::size_t>(i)].mass == 0;
      };
      if (a == b || (fixed(a) && fixed(b)) || linked.contains(std::minmax(a, b))) return;
      if (pairs.insert(std::minmax(a, b)).second) {
        const auto [low, high] = std::minmax(a, b);
        scene_.apart.push_back({low, high});
      }
    };
    std::map<Index, std::vector<Index>> bodies_of;  // a link
    for (Index b = 0; b < size(links_of_); ++b)
      for (const Index i : links_of_[static_cast<std::size_t>(b)]) bodies_of[i].push_back(b);
    for (const auto& [first, second] : given_.apart)
      for (const Index a : bodies_of[first])
        for (const Index b : bodies_of[second]) {
          meant_.insert(std::minmax(a, b));
          add(a, b);
        }
    // Links of a robot; links that a joint to a fixed body holds.
    std::map<int, std::set<Index>> robots;
    for (Index b = 0; b < size(links_of_); ++b)
      for (const Index i : links_of_[static_cast<std::size_t>(b)])
        if (const int robot = link(i).robot; robot >= 0) robots[robot].insert(b);
    for (const auto& [robot, members] : robots) {
      if (given_.robots[static_cast<std::size_t>(robot)].self_collide) continue;
      for (const Index a : members)
        for (const Index b : members)
          if (a < b) add(a, b);
    }
    for (const LinkJoint& joint : given_.joints) {
      if (joint.collide || joint.first < 0 || joint.second < 0 || gone_.contains(&joint)) continue;
      for (const Index a : bodies_of[joint.first])
        for (const Index b : bodies_of[joint.second]) add(a, b);
    }
  }

  void floor() {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Body& body : scene_.bodies)
      if (body.mask != 0) lowest = std::min(lowest, lowest_of(body.shape, body.pose));
    if (!std::isfinite(lowest)) return;
    Body floor = body_with("floor", {given_.name, 0});
    floor.shape.type = Shape::Type::plane;
    floor.mu = 1;
    floor.pose.position.z() = lowest;
    // Whatever touches anything touches the floor.
    const bool filtered = std::any_of(
        scene_.bodies.begin(), scene_.bodies.end(),
        [](const Body& body) { return body.group != 1 || body.mask != ~std::uint32_t{0}; });
    if (filtered) {
      constexpr std::uint32_t kFloor = std::uint32_t{1} << 31;
      floor.group = kFloor;
      for (Body& body : scene_.bodies)
        if (body.mask != 0) body.mask |= kFloor;
    }
    scene_.bodies.push_back(floor);
  }

  // Names are how people find bodies in tables.
  void unique_names() {
    std::map<std::string, int> seen;
    for (Body& body : scene_.bodies)
      if (const int count = ++seen[body.name]; count > 1) body.name += "#" + std::to_string(count);
    seen.clear();
    for (Joint& joint : scene_.joints)
      if (const int count = ++seen[joint.name]; count > 1)
        joint.name += "#" + std::to_string(count);
  }

  Assembly& given_;
  const Options& options_;
  Report& report_;
  DisjointSets groups_;
  std::vector<Weight> weights_, total_;  // of links; of groups
  std::vector<bool> still_;              // groups that do not move
  std::set<const LinkJoint*> gone_;
  Scene scene_;
  std::vector<Index> body_of_;                // of links that move
  std::vector<Touches> touches_;              // of bodies
  std::vector<std::vector<Index>> links_of_;  // of bodies
  BodyPairs meant_;
  std::vector<Place> joint_places_;
  std::vector<Place> places_;  // of bodies
};

}  // namespace

Built build(Assembly assembly, const Options& options, Report& report) {
  check_links(assembly, report);
  return Builder(assembly, options, report).scene();
}

std::vector<Shape> shapes_of(const Mesh& given, const Vector3d& scale, bool fixed,
                             const Options& options, const Place& place, Report& report) {
  Mesh mesh = joined(given);
  for (Vector3d& point : mesh.points) point = point.cwiseProduct(scale);
  if (scale.prod() < 0)
    for (auto& corners : mesh.triangles) std::swap(corners[1], corners[2]);
  if (const Index open = open_edges(mesh); open > 0)
    report.find("mesh", "mesh", place, static_cast<double>(open), "edges",
                "the mesh is not closed: " + std::to_string(open) +
                    " of its edges are not shared "
                    "by two triangles that turn the same way");
  std::vector<Shape> out;
  if (fixed && !mesh.triangles.empty()) {
    Shape shape;
    shape.type = Shape::Type::mesh;
    shape.points = mesh.points;
    shape.triangles = mesh.triangles;
    out.push_back(shape);
    return out;
  }
  std::vector<std::vector<Vector3d>> pieces;
  if (options.decompose) pieces = convex_pieces(mesh);
  if (options.decompose && pieces.empty())
    report.lose(place, "mesh", Loss::Kind::changed, "HACD does not decompose it: its convex hull");
  if (pieces.empty()) pieces.push_back(mesh.points);
  for (const std::vector<Vector3d>& piece : pieces) {
    double off = 0;
    Shape shape;
    shape.type = Shape::Type::hull;
    shape.points = hull_corners(piece, options.hull_points, off);
    if (shape.points.empty()) {
      report.lose(place, "mesh", Loss::Kind::physics, "is flat: a hull needs a volume");
      continue;
    }
    if (off > 0)
      report.lose(place, "mesh", Loss::Kind::changed,
                  "its hull is cut to " + std::to_string(options.hull_points) +
                      " corners, at most " + short_number(1e3 * off) + " mm away");
    out.push_back(shape);
  }
  return out;
}

}  // namespace perpend::model
