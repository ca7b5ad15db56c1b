// One step of Bullet as its own thread gathers it, and the record that is made of it later.
#pragma once

#include "capture/bullet/rows.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {

struct JointOfBullet {
  Index first, second;
  std::int64_t rows, id;
};

// A group that was solved as an MLCP: bounds of friction of its rows along t and o, which Bullet
// may have scaled, N s.
struct MixedGroup {
  BulletGroup group;
  std::vector<Eigen::Vector2d> bounds;
};

class BulletStepRecord : public StepRecord {
 public:
  void clear();  // keeps the memory
  void fill(io::Record&) override;
  std::size_t bytes() const override;
  bool fell_back() const;
  std::int64_t iterations() const;  // the most of any group; -1 where one of them counts none

  std::vector<std::int64_t> ids;  // of the bodies
  std::vector<EngineBody> bodies;
  std::vector<EngineContact> contacts;
  std::vector<EngineFriction>
      along_o;  // of the contacts; of fewer where the rest has one direction
  std::vector<JointOfBullet> joints;
  std::vector<EngineJoint> joint_rows;
  std::vector<BulletGroup> groups;
  std::vector<MixedGroup> mixed;
  double mixed_cfm = 0;  // on the diagonal of every row of an MLCP, in place of their own
  std::string answered;
  double h = 0, time = 0;  // s

  // Impulses that the rows of contacts started from, where they are wanted; and once more along n,
  // t, o, which fill() finds out.
  std::vector<Vector3d> started;
  Impulses start;

 private:
  void fill_mixed(const std::vector<Eigen::Vector2d>& scales, Frame&) const;
};

}  // namespace perpend::capture::from_bullet
