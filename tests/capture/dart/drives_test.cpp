// Drives, joints that follow others and filters of scenes in DART.
#include "capture/dart/scene.hpp"
#include "capture/robots.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace drives_test {

const Engine kEngine = dart_engine();

TEST(DartDrives, AreImplicit) { expect_implicit_drives(kEngine); }

TEST(DartDrives, AJointThatFollowsPushesTheOneItFollows) { expect_mimic(kEngine, 1e-6); }

TEST(DartDrives, DryFrictionHoldsAndBrakes) { expect_dry_friction(kEngine, 1e-6); }

TEST(DartDrives, FiltersKeepBodiesApart) { expect_filters(kEngine); }

TEST(DartDrives, WhatDartCannotDriveIsNamed) {
  Scene scene = sliders(1);
  scene.joints[0].drives[2].armature = 1;
  try {
    DartScene inside(scene, scene.step);
    FAIL();
  } catch (const io::InputError& why) {
    EXPECT_NE(std::string(why.what()).find("joint 0 ('slider 0')"), std::string::npos)
        << why.what();
    EXPECT_NE(std::string(why.what()).find("armature"), std::string::npos);
  }
}

TEST(DartNames, JointsOfASceneHaveItsIds) {
  for (const char* scene : {"snake", "ragdolls"}) expect_joint_ids(kEngine, scene);
}

}  // namespace drives_test
}  // namespace perpend::capture::from_dart
