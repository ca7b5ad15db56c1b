// What the readers of all formats hand on: links with shapes, joints between them, in world
// coordinates at the start. `build` makes the scene of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/mesh.hpp"
#include "perpend/model.hpp"

namespace perpend::model {

// Whom a shape touches: (type of one & affinity of the other), either way round, is not 0.
struct Touches {
  std::uint32_t type = 1, affinity = 1;
  bool operator==(const Touches&) const = default;
};

struct LinkShape {
  std::string name;  // of the body if it is fixed; empty: the link's
  Shape shape;       // a mesh: its triangles, or the hull of `build`
  Pose pose;         // in the link
  double mu = 1, restitution = 0;
  Touches touches;
  Place place;
  std::string tag;  // of complaints
};

struct Link {
  std::string name;
  Pose pose;                           // in the world
  double mass = 0;                     // kg; 0: none given
  Vector3d centre = Vector3d::Zero();  // m, in the link
  std::optional<Matrix3d> inertia;     // kg m^2, about the centre, axes of the link
  bool shape_inertia = false;          // mass is given and inertia is not: it is the shapes'
  bool fixed = false;                  // does not move
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  // of the centre
  std::vector<LinkShape> shapes;
  bool between = false;  // two joints of one body: it has no mass and needs one
  int robot = -1;        // links of one robot touch each other only if it says so
  Place place;
};

struct LinkJoint {
  std::string name;
  Joint::Type type = Joint::Type::hinge;
  Index first = -1, second = -1;  // links; -1: the world
  Pose frame;                     // in the world
  std::array<Joint::Limit, 6> limits;
  std::array<Joint::Motor, 6> motors;
  std::array<Joint::Drive, 6> drives;
  Index mimics = -1;  // a joint of the list
  double ratio = 1, offset = 0;
  bool collide = false;
  Place place;
};

struct Robot {
  std::string name;
  bool self_collide = false;
};

struct Assembly {
  std::string name;
  Vector3d gravity{0, 0, -9.81};
  double step = 1.0 / 60;
  std::vector<Link> links;
  std::vector<LinkJoint> joints;
  std::vector<Robot> robots;
  std::vector<std::array<Index, 2>> apart;  // links
  bool floor = false;                       // put one below
};

// Losses and findings while a model is read.
struct Report {
  std::vector<Loss> lost;
  std::vector<Finding> findings;
  std::vector<std::string> files;  // that the model names
  void lose(const Place& place, std::string tag, Loss::Kind kind, std::string why) {
    lost.push_back({place, std::move(tag), kind, std::move(why)});
  }
  void find(std::string check, std::string where, const Place& place, double value,
            std::string unit, std::string why) {
    findings.push_back(
        {std::move(check), std::move(where), place, value, std::move(unit), std::move(why)});
  }
};

Pose operator*(const Pose&, const Pose&);
Pose inverse(const Pose&);
Vector3d at(const Pose&, const Vector3d&);
// A frame whose z axis is this direction.
Eigen::Quaterniond towards(const Vector3d& axis);

using BodyPairs = std::set<std::pair<Index, Index>>;
struct Built {
  Scene scene;
  std::vector<Place> places;  // of its bodies
  BodyPairs meant;            // bodies that the file keeps apart
};
Built build(Assembly, const Options&, Report&);

// Masses and inertia of the links, limits, mimics.
void check_links(Assembly&, Report&);
// In the pose of the start.
void check_overlaps(const Built&, Report&);

// The shapes of a mesh: triangles if it never moves, else its hull or HACD's pieces. Tells of
// meshes that are not closed. `scale` may be negative.
std::vector<Shape> shapes_of(const Mesh&, const Vector3d& scale, bool fixed, const Options&,
                             const Place&, Report&);

}  // namespace perpend::model
