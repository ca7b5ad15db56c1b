// Robots of URDF files: one with every kind of joint that such a file has, meshes in packages, and
// what is wrong in a file said in one line that names it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "capture/dart/boxed_lcp.hpp"
#include "capture/robots.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace urdf_test {

namespace fs = std::filesystem;

// An arm that falls on the floor: a hinge with a damper, a fixed plate, a slider, two fingers of
// which one mimics the other. The joint that mimics makes no row in the first step, and DART then
// asks no solver; with a row of another joint beside it, an assertion would end DART.
const char kArm[] = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <joint name="mount" type="fixed"><parent link="world"/><child link="base"/>
    <origin xyz="0 0 0.05"/></joint>
  <link name="base"><inertial><mass value="5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1" rpy="0 0.9 0"/><axis xyz="0 1 0"/>
    <limit lower="-0.4" upper="1.5" effort="20" velocity="9"/>
    <dynamics damping="0.1"/></joint>
  <link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><box size="0.05 0.05 0.3"/></geometry></collision>
  </link>
  <joint name="stiff" type="fixed"><parent link="upper"/><child link="plate"/>
    <origin xyz="0 0 0.4"/></joint>
  <link name="plate"><inertial><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="reach" type="prismatic"><parent link="plate"/><child link="tip"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.1" effort="50" velocity="5"/></joint>
  <link name="tip"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <joint name="left" type="revolute"><parent link="tip"/><child link="finger_l"/>
    <origin xyz="0 0.05 0.25"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="2" velocity="20"/></joint>
  <link name="finger_l"><inertial><origin xyz="0 0.01 0.05"/><mass value="0.1"/>
    <inertia ixx="0.0002" iyy="0.0002" izz="0.00002" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.02 0.02 0.1"/></geometry></collision>
  </link>
  <joint name="right" type="revolute"><parent link="tip"/><child link="finger_r"/>
    <origin xyz="0 -0.05 0.25"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="2" velocity="20"/>
    <mimic joint="left" multiplier="-1" offset="0"/></joint>
  <link name="finger_r"><inertial><origin xyz="0 -0.02 0.05"/><mass value="0.2"/>
    <inertia ixx="0.0004" iyy="0.0004" izz="0.00004" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.02 0.02 0.1"/></geometry></collision>
  </link>
</robot>
)";

// The arm with the first occurrence of a text replaced.
std::string arm(const std::string& old, const std::string& by) {
  std::string out = kArm;
  const std::size_t at = out.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return out.replace(at, old.size(), by);
}

class Urdf : public testing::Test {
 protected:
  ~Urdf() override { fs::remove_all(folder_); }
  Task task(const std::string& text, const std::string& name = "robot.urdf") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    Task out;
    out.file = (folder_ / name).string();
    out.solver = "dantzig";
    return out;
  }
  std::string complaint(const std::string& text) const {
    const Task wrong = task(text);
    try {
      engine.make(wrong);
    } catch (const io::InputError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find(wrong.file + ": "), 0u) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      return what.substr(std::min(what.size(), wrong.file.size() + 2));
    }
    return "nothing";
  }
  Momentum closes(const Task& given, int steps) const {
    Momentum out;
    double reproduced = 0;
    run_scene(engine, given, steps, [&](const io::Record& record) {
      ASSERT_EQ(invalid(record.frame), "");
      out.worst = std::max(out.worst, momentum_gap(record));
      out.contacts = std::max(out.contacts, record.frame.contacts.count());
      out.joint_rows = std::max(out.joint_rows, record.frame.joints.row_count());
      reproduced = std::max(reproduced, reproduction_gap(record, as_dart));
    });
    std::cout << "momentum closes to " << out.worst << ", velocities reproduced to " << reproduced
              << ", at most " << out.contacts << " contacts, " << out.joint_rows << " joint rows\n";
    EXPECT_LT(out.worst, 1e-12);
    EXPECT_LT(reproduced, 1e-8);
    return out;
  }

  const Engine engine = dart_engine();
  // Tests run beside each other.
  const fs::path folder_ = fs::path(testing::TempDir()) /
                           (std::string("perpend_urdf_") +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Rows: 5 of each of the shoulder, the slider and the fingers, 6 of the plate, and then those of
// limits and of the finger that mimics.
TEST_F(Urdf, ArmWithEveryKindOfJointIsRecordedAsItFalls) {
  const Task given = task(kArm);
  const Momentum found = closes(given, 600);
  EXPECT_GT(found.contacts, 0);
  EXPECT_GT(found.joint_rows, 4 * 5 + 6 + 1);
  expect_same_trajectory(engine, given, 600);
}

TEST_F(Urdf, NamesOfLinksAndJointsAreInTheRecording) {
  const std::vector<io::Record> records = records_of(engine, task(kArm), 2);
  expect_names(records[0], {"floor", "base", "upper", "finger_l"}, {"shoulder", "reach", "left"});
  EXPECT_TRUE(records[1].model.empty());  // told once
}

TEST_F(Urdf, FloatingAndPlanarJointsAreRecorded) {
  for (const char* type : {"floating", "planar"}) {
    const Task given = task(arm("type=\"prismatic\"", "type=\"" + std::string(type) + "\""));
    EXPECT_GT(closes(given, 300).joint_rows, 0) << type;
    expect_same_trajectory(engine, given, 300);
  }
}

TEST_F(Urdf, LinkWithoutInertiaIsTold) {
  const auto omitted = [&](const std::string& text) {
    return engine.make(task(text))->header().omitted;
  };
  const std::string told =
      "inertia of link 'plate' (the file has none: DART uses 1 kg and 1 kg m2)";
  EXPECT_EQ(omitted(kArm).find(told), std::string::npos);
  const std::string inertial = R"(<inertial><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const std::string without = arm(inertial, "");
  EXPECT_NE(omitted(without).find(told), std::string::npos) << omitted(without);
  const io::Record record = records_of(engine, task(without), 1).front();
  EXPECT_NEAR(record.frame.bodies.masses.sum(), 2 + 1 + 1 + 0.1 + 0.2, 1e-12);  // the base is fixed
}

TEST_F(Urdf, WhatIsWrongIsOneLineThatNamesItsPlace) {
  EXPECT_EQ(complaint(arm("<mass value=\"1\"/>", "<mass value=\"0\"/>")),
            "link 'tip': mass is 0, but must be positive");
  EXPECT_EQ(complaint(arm("<mass value=\"1\"/>", "<mass value=\"-1\"/>")),
            "link 'tip': mass is -1, but must be positive");
  EXPECT_EQ(complaint(arm("<mass value=\"1\"/>", "<mass value=\"heavy\"/>")),
            "DART cannot read this robot: Inertial: mass [heavy] is not a float");
  EXPECT_EQ(complaint(arm("izz=\"0.002\"", "izz=\"-0.002\"")),
            "link 'upper': least principal moment of inertia is -0.002, but must be positive");
  EXPECT_EQ(complaint(arm("<sphere radius=\"0.05\"/>", "<sphere radius=\"-0.05\"/>")),
            "link 'tip': radius of a sphere is -0.05, but must be positive");
  EXPECT_EQ(complaint(arm("<box size=\"0.02 0.02 0.1\"/>", "<box size=\"0.02 0 0.1\"/>")),
            "link 'finger_l': size of a box is 0, but must be positive");
  EXPECT_EQ(complaint(arm("<sphere radius=\"0.05\"/>", "<cylinder radius=\"0.05\" length=\"0\"/>")),
            "link 'tip': length of a cylinder is 0, but must be positive");
  EXPECT_EQ(complaint(arm("axis xyz=\"0 0 1\"", "axis xyz=\"0 0 0\"")),
            "joint 'reach': axis is 0 0 0");
  EXPECT_EQ(complaint(arm("lower=\"0\" upper=\"0.1\"", "lower=\"0.1\" upper=\"0\"")),
            "joint 'reach': lower limit 0.1 is above the upper one, 0");
  EXPECT_EQ(complaint(arm("damping=\"0.1\"", "damping=\"-0.1\"")),
            "joint 'shoulder': damping is -0.1, but must not be negative");
  EXPECT_EQ(complaint(arm("velocity=\"5\"", "velocity=\"-5\"")),
            "joint 'reach': limit of velocity is -5, but must not be negative");
  EXPECT_EQ(complaint(arm("mimic joint=\"left\"", "mimic joint=\"middle\"")),
            "joint 'right': mimics 'middle', which is not a joint");
  EXPECT_EQ(complaint(arm("type=\"prismatic\"", "type=\"screw\"")),
            "DART cannot read this robot: Joint [reach] has no known type [screw]");
  EXPECT_EQ(complaint(std::string(kArm).substr(0, 500)).find("DART cannot read this robot: "), 0u);
  EXPECT_EQ(complaint("").find("DART cannot read this robot: "), 0u);
  fs::create_directories(folder_ / "folder.urdf");
  Task wrong = task(kArm);
  wrong.file = (folder_ / "folder.urdf").string();
  EXPECT_THROW(engine.make(wrong), io::InputError);
}

// A tetrahedron below the tip, in the package that the file itself is in.
TEST_F(Urdf, MeshesOfPackagesAreFoundAndMissingOnesNamed) {
  const std::string ball = "<sphere radius=\"0.05\"/>";
  EXPECT_EQ(complaint(arm(ball, "<mesh filename=\"tip.stl\" scale=\"1 -1 1\"/>")),
            "link 'tip': scale of a mesh is -1, but must be positive");
  EXPECT_EQ(complaint(arm(ball, "<mesh filename=\"gone/tip.stl\"/>")),
            "link 'tip': mesh 'gone/tip.stl' cannot be read");
  EXPECT_EQ(complaint(arm(ball, "<mesh filename=\"package://gripper/tip.stl\"/>")),
            "link 'tip': mesh 'package://gripper/tip.stl': there is no folder 'gripper' above the "
            "file or "
            "beside one");
  fs::create_directories(folder_ / "gripper" / "meshes");
  std::ofstream(folder_ / "gripper" / "meshes" / "tip.stl") << R"(solid tip
facet normal 0 0 -1 outer loop vertex 0 0 -0.1 vertex 0 0.1 0.1 vertex 0.1 0 0.1 endloop endfacet
facet normal 0 0 -1 outer loop vertex 0 0 -0.1 vertex 0.1 0 0.1 vertex -0.1 -0.1 0.1 endloop endfacet
facet normal 0 0 -1 outer loop vertex 0 0 -0.1 vertex -0.1 -0.1 0.1 vertex 0 0.1 0.1 endloop endfacet
facet normal 0 0 1 outer loop vertex 0 0.1 0.1 vertex -0.1 -0.1 0.1 vertex 0.1 0 0.1 endloop endfacet
endsolid tip
)";
  const Task given = task(arm(ball, "<mesh filename=\"package://gripper/meshes/tip.stl\"/>"),
                          "gripper/urdf/arm.urdf");
  EXPECT_GT(closes(given, 300).contacts, 0);
}

}  // namespace urdf_test
}  // namespace perpend::capture::from_dart
