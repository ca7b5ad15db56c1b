// Worlds of Gazebo: what its physics computes is recorded exactly, settings of the file are those
// in force, and what cannot be had is one line.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "capture/dart/boxed_lcp.hpp"
#include "capture/proof.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_gazebo {
namespace world_test {

class Gazebo : public testing::Test {
 protected:
  ~Gazebo() override {
    for (const std::string& path : written_) std::filesystem::remove(path);
  }
  // A file with that text; its path. Tests run beside each other.
  std::string file(const std::string& name, const std::string& text) {
    std::string own = testing::UnitTest::GetInstance()->current_test_info()->name();
    own += "_" + name;
    written_.push_back((std::filesystem::path(testing::TempDir()) / own).string());
    std::ofstream(written_.back()) << text;
    return written_.back();
  }
  // The world of the examples, with that inside its <physics>.
  std::string cart(const std::string& settings = {}) {
    std::ostringstream text;
    text << std::ifstream(PERPEND_SOURCE_DIR "/examples/capture/cart.sdf").rdbuf();
    std::string out = text.str();
    const std::string end = "</physics>";
    out.insert(out.find(end), settings);
    return file("cart.sdf", out);
  }
  // A world with a floor whose upper side is z = 0, and that.
  std::string world(const std::string& models) {
    return file("world.sdf", R"(<sdf version="1.9"><world name="w">
<gravity>0 0 -9.81</gravity><model name="floor"><static>true</static><link name="l">
<collision name="c"><geometry><box><size>10 10 1</size></box></geometry><pose>0 0 -0.5 0 0 0</pose>
</collision></link></model>)" + models +
                                 "</world></sdf>");
  }
  static std::string body(const std::string& geometry, const std::string& pose) {
    return R"(<model name="body"><pose>)" + pose + R"(</pose><link name="l"><inertial><mass>3</mass>
<inertia><ixx>0.5</ixx><iyy>0.5</iyy><izz>0.5</izz></inertia></inertial><collision name="c">
<geometry>)" +
           geometry + "</geometry></collision></link></model>";
  }
  Task task(const std::string& path, const std::string& solver = "default") const {
    Task out;
    out.file = path;
    out.solver = solver;
    return out;
  }
  std::string complaint(const Task& task) const {
    try {
      engine.make(task);
    } catch (const io::InputError& error) {
      return error.what();
    }
    return {};
  }
  const Engine engine = gazebo_engine();

 private:
  std::vector<std::string> written_;
};

// Force of all contacts on the moving body, N; there is one.
Vector3d contact_force(const io::Record& record) {
  Vector3d force = Vector3d::Zero();
  const Contacts& c = record.frame.contacts;
  for (Index i = 0; i < c.count(); ++i) {
    Matrix3d axes;
    axes << c.normals.row(i), c.tangents.row(i).head<3>(), c.tangents.row(i).tail<3>();
    const double sign = record.frame.bodies.fixed(c.pairs(i, 1)) ? -1 : 1;
    force += sign / record.frame.step * axes.transpose() * record.answer.z.row(i).transpose();
  }
  return force;
}

TEST_F(Gazebo, MomentumClosesAndItsMethodGivesItsVelocities) {
  double momentum = 0, reproduced = 0, fastest = 0;
  Index contacts = 0, joint_rows = 0;
  int frames = 0;
  run_scene(engine, task(cart()), 1500, [&](const io::Record& record) {
    ASSERT_EQ(invalid(record.frame), "");
    momentum = std::max(momentum, momentum_gap(record));
    if (++frames % 5 == 0)
      reproduced = std::max(reproduced, reproduction_gap(record, from_dart::as_dart));
    contacts = std::max(contacts, record.frame.contacts.count());
    joint_rows = std::max(joint_rows, record.frame.joints.row_count());
    fastest = std::max(fastest, record.frame.bodies.velocities.leftCols<3>().cwiseAbs().maxCoeff());
    EXPECT_EQ(record.answer.answered, from_dart::kDartDantzig);
    EXPECT_DOUBLE_EQ(record.frame.step, 0.002);  // of the file
  });
  std::cout << "cart.sdf: momentum closes to " << momentum << ", velocities reproduced to "
            << reproduced << ", at most " << contacts << " contacts, " << joint_rows
            << " joint rows, " << fastest << " m/s\n";
  EXPECT_LT(momentum, 1e-12);
  EXPECT_LT(reproduced, 1e-8);
  EXPECT_GT(contacts, 12);  // the crates on each other, too
  EXPECT_GE(joint_rows, 13);
  EXPECT_GT(fastest, 1);
}

// With Gazebo's default detector, ODE's, the order of contacts hangs on where things lie in memory:
// two equal worlds in one process part from each other, recorded or not.
TEST_F(Gazebo, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  for (const char* detector : {"bullet", "fcl"})
    expect_same_trajectory(engine,
                           task(cart(std::string("<dart><collision_detector>") + detector +
                                     "</collision_detector></dart>")),
                           600);
}

TEST_F(Gazebo, ContactsOfABodyAtRestCarryItsWeight) {
  for (const char* geometry :
       {"<box><size>1 1 1</size></box>", "<sphere><radius>0.5</radius></sphere>",
        "<cylinder><radius>0.5</radius><length>1</length></cylinder>"}) {
    const auto records = records_of(engine, task(world(body(geometry, "0 0 0.51 0 0 0"))), 2000);
    EXPECT_LT((contact_force(records.back()) - Vector3d(0, 0, 3 * 9.81)).norm(), 1e-6) << geometry;
    EXPECT_EQ(records.front().frame.contacts.count(), 0);
    EXPECT_EQ(records.front().frame.step, 0.001);  // Gazebo's default
  }
}

TEST_F(Gazebo, MeshesOfTheFileAreThere) {
  // A tetrahedron with its base at z = 0, as STL.
  std::string text = "solid t\n";
  const char* corners[] = {"-1 -1 0", "1 -1 0", "0 1 0", "0 0 1"};
  for (const auto& [a, b, c] : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int k : {a, b, c}) text += std::string("vertex ") + corners[k] + "\n";
    text += "endloop\nendfacet\n";
  }
  const std::string mesh = file("tetrahedron.stl", text + "endsolid t\n");
  const std::string name = std::filesystem::path(mesh).filename().string();
  const auto fall = [&](const std::string& uri) {
    return world(
        body("<mesh><uri>" + uri + "</uri><scale>0.5 0.5 0.5</scale></mesh>", "0 0 0.01 0 0 0"));
  };
  const auto records = records_of(engine, task(fall(name)), 1500);
  const io::Record& last = records.back();
  ASSERT_GE(last.frame.contacts.count(), 3);
  EXPECT_NEAR(contact_force(last).z(), 3 * 9.81, 1e-3);
  EXPECT_EQ(complaint(task(fall("nowhere.stl"))),
            fall("nowhere.stl") + ": collision 'body::l::c': the mesh nowhere.stl cannot be read");
}

TEST_F(Gazebo, SettingsOfTheFileAndOfTheTaskAreInForce) {
  const std::string sweeps = cart("<dart><solver><solver_type>pgs</solver_type></solver></dart>");
  EXPECT_EQ(engine.make(task(sweeps))->solver(), from_dart::kDartSweeps);
  EXPECT_EQ(engine.make(task(sweeps, "dantzig"))->solver(), from_dart::kDartDantzig);
  for (const io::Record& record : records_of(engine, task(sweeps), 400))
    EXPECT_EQ(record.answer.answered, from_dart::kDartSweeps);
  EXPECT_EQ(engine.make(task(cart(), "pgs"))->solver(), from_dart::kDartSweeps);
  Task longer = task(cart());
  longer.h = 0.01;
  EXPECT_EQ(records_of(engine, longer, 1)[0].frame.step, 0.01);
  EXPECT_EQ(engine.make(longer)->header().engine, "gazebo");
}

TEST_F(Gazebo, WhatCannotBeHadIsOneLine) {
  EXPECT_EQ(complaint(task("/nowhere/w.sdf")), "/nowhere/w.sdf: cannot be read");
  const std::string torn = file("torn.sdf", "<sdf version=\"1.9\"><world");
  EXPECT_NE(complaint(task(torn)).find(torn), std::string::npos);
  EXPECT_EQ(complaint(task(torn)).find('\n'), std::string::npos);
  const std::string model = file("model.sdf",
                                 "<sdf version=\"1.9\"><model name=\"m\"><link name=\"l\"/>"
                                 "</model></sdf>");
  EXPECT_EQ(complaint(task(model)), model + ": has no <world>; put the model into one");
  const std::string twice = world(body("<sphere><radius>1</radius></sphere>", "0 0 0 0 0 0") +
                                  body("<sphere><radius>1</radius></sphere>", "0 0 0 0 0 0"));
  EXPECT_NE(complaint(task(twice)).find("[body]"), std::string::npos) << complaint(task(twice));
  Task scene;
  scene.scene = scene_of("stack:3");
  scene.solver = "default";
  EXPECT_NE(complaint(scene).find("Gazebo reads .sdf"), std::string::npos);
}

}  // namespace world_test
}  // namespace perpend::capture::from_gazebo
