// What bodies, contacts, joints and rows are called, with names and without; which end of its range
// a limit is, and when that cannot be told.
#include "perpend/io/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "perpend/frame/rotation.hpp"

namespace perpend::io {
namespace names_test {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ModelColumns model() {
  ModelColumns out;
  out.body_ids = {7, 9, 4, 11};
  out.body_names = {NameText("crate3"), NameText("floor"), NameText("box"), NameText("box")};
  out.joint_ids = {20, 30};
  out.joint_names = {NameText("knee2"), NameText("")};
  return out;
}

// Bodies 7, 9, 4, 11 and 5; contacts 7-9 and 4-5; a hinge of id 20 between 7 and 9, a joint of id
// 30 between 4 and 11, one without an id between 5 and 9.
struct Example {
  Names names{model()};
  Record record;

  explicit Example(Index rows = 5) {
    Frame& f = record.frame;
    f = make_frame(5, 2, {rows, 1, 1});
    f.bodies.ids = {7, 9, 4, 11, 5};
    f.contacts.pairs << 0, 1, 2, 4;
    f.contacts.normals.col(2).setOnes();
    f.joints.pairs << 0, 1, 2, 3, 4, 1;
    f.joints.jacobian.setZero();
    record.joint_ids = {20, 30, -1};
    for (Index k = 0; k < 3; ++k) translation(k, Vector3d::Unit(k));
    rotation(3, Vector3d::UnitX());
    rotation(4, Vector3d::UnitY());
    for (Index k : {rows, rows + 1}) translation(k, Vector3d(1, 1, 0).normalized());
  }
  Joints& joints() { return record.frame.joints; }
  void translation(Index row, const Vector3d& d) {
    joints().jacobian.row(row).setZero();
    joints().jacobian.row(row).segment<3>(0) = -d.transpose();
    joints().jacobian.row(row).segment<3>(6) = d.transpose();
    joints().jacobian(row, 11) = 0.25;  // a lever
  }
  void rotation(Index row, const Vector3d& d) {
    joints().jacobian.row(row).setZero();
    joints().jacobian.row(row).segment<3>(3) = -d.transpose();
    joints().jacobian.row(row).segment<3>(9) = d.transpose();
  }
  void bounds(Index row, double lower, double upper) { joints().bounds.row(row) << lower, upper; }
  void recorded_by(const std::string& engine, const std::string& simulate = {}) {
    Header header;
    header.engine = engine;
    header.simulate = simulate;
    names = Names(model(), header);
  }
  FrameNames of() const { return FrameNames(names, record); }
  std::string row(Index k) const { return of().joint_row(k); }
};

TEST(Names, TheBodyThatAnEngineHasNotIsTheWorld) {
  EXPECT_EQ(Names(model()).body(-1), "the world");
  EXPECT_THAT(Names(model()).bodies_called("the world"), ElementsAre(-1));
  EXPECT_THAT(Names(model()).bodies_called("body -1"), ElementsAre(-1));
  ModelColumns named = model();
  named.body_ids.push_back(-1);
  named.body_names.emplace_back("ground");
  EXPECT_EQ(Names(named).body(-1), "ground");
}

TEST(Names, BodiesAndJointsAreToldByNameOrElseById) {
  const Names names(model());
  EXPECT_EQ(names.body(7), "crate3");
  EXPECT_EQ(names.body(5), "body 5");
  EXPECT_EQ(names.joint(20), "knee2");
  EXPECT_EQ(names.joint(30), "joint 30");  // its name is empty
  EXPECT_EQ(names.body(4), "box (body 4)");
  EXPECT_EQ(Names().body(7), "body 7");
}

TEST(Names, WhatIsToldFindsTheBodyAgain) {
  const Names names(model());
  for (const std::int64_t id : {7, 9, 4, 11, 5})
    EXPECT_THAT(names.bodies_called(names.body(id)), ElementsAre(id));
  EXPECT_THAT(names.bodies_called("box"), ElementsAre(4, 11));
  EXPECT_THAT(names.bodies_called("nobody"), ElementsAre());
  EXPECT_THAT(names.bodies_called("body x"), ElementsAre());
  EXPECT_THAT(names.joints_called("knee2"), ElementsAre(20));
}

TEST(Names, LineEndsInNamesDoNotReachTheTerminal) {
  ModelColumns bad;
  bad.body_ids = {1};
  bad.body_names = {NameText("a\nb\x1b[2J")};
  EXPECT_EQ(Names(bad).body(1), "a\\nb\\x1b[2J");
}

TEST(Names, ABodyThatComesLaterKeepsTheFirstName) {
  Names names(model());
  ModelColumns later;
  later.body_ids = {7, 5};
  later.body_names = {NameText("other"), NameText("late")};
  names.add(later);
  EXPECT_EQ(names.body(7), "crate3");
  EXPECT_EQ(names.body(5), "late");
}

TEST(Names, ContactsAndJointsAreToldWithTheirBodies) {
  const Example e;
  EXPECT_EQ(e.of().contact(0), "contact 0 of crate3 and floor");
  EXPECT_EQ(e.of().contact(1), "contact 1 of box (body 4) and body 5");
  EXPECT_EQ(e.of().joint(0), "knee2");
  EXPECT_EQ(e.of().joint(1), "joint 30 of box (body 4) and box (body 11)");
  EXPECT_EQ(e.of().joint(2), "joint 2 of body 5 and floor");
}

TEST(Names, WithoutNamesThereAreNumbersAlone) {
  Example e;
  e.names = Names();
  EXPECT_EQ(e.of().joint(0), "joint 20");
  e.record.joint_ids.clear();
  EXPECT_EQ(e.of().joint(0), "joint 0");
  EXPECT_EQ(e.of().contact(1), "contact 1 of body 4 and body 5");
  EXPECT_EQ(e.row(4), "joint 0, row 5 of 5 (rotation about y)");
}

TEST(Names, LockedRowsTellTheirPlaceAndDirection) {
  const Example e;
  EXPECT_EQ(e.row(1), "knee2, row 2 of 5 (y)");
  EXPECT_EQ(e.row(3), "knee2, row 4 of 5 (rotation about x)");
  EXPECT_EQ(e.row(5), "joint 30 of box (body 4) and box (body 11), row 1 of 1 (translation)");
}

TEST(Names, TheRowsOfASystemAreContactsAndThenJointRows) {
  const Example e;
  System system;
  system.mu = VectorXd::Zero(1);
  system.frame_contact = {1};  // `ap` left out the first
  EXPECT_EQ(e.of().unit(system, 0), "contact 1 of box (body 4) and body 5");
  EXPECT_EQ(e.of().unit(system, 2), "knee2, row 2 of 5 (y)");
}

TEST(Names, ASystemWithoutAFrameHasNumbers) {
  const Record none;
  const Names names;
  System system;
  system.mu = VectorXd::Zero(2);
  EXPECT_EQ(FrameNames(names, none).unit(system, 1), "contact 1");
  EXPECT_EQ(FrameNames(names, none).unit(system, 3), "joint row 1");
}

TEST(Names, BoundsAndComplianceTellMotorsBrakesAndDrives) {
  Example e(8);
  e.joints().rate = VectorXd::Zero(10);
  e.joints().compliance = VectorXd::Zero(10);
  for (Index k : {5, 6, 7}) e.rotation(k, Vector3d::UnitZ());
  e.bounds(5, -2, 2);
  e.joints().rate[5] = -3;
  e.bounds(6, -1, 1);
  e.joints().compliance[7] = 0.5;
  EXPECT_EQ(e.row(5), "knee2, motor");
  EXPECT_EQ(e.row(6), "knee2, friction or brake");
  EXPECT_EQ(e.row(7), "knee2, drive");
  EXPECT_EQ(e.row(4), "knee2, row 5 of 5 (rotation about y)");  // of those it locks
}

TEST(Names, SeveralMotorsOfAJointAreCounted) {
  Example e(8);
  for (Index k = 5; k < 8; ++k) {
    e.rotation(k, Vector3d::Unit(k - 5));
    e.bounds(k, -2, 2);
    e.joints().violation[k] = 0.1;
  }
  EXPECT_EQ(e.row(6), "knee2, motor 2 of 3 (rotation about y)");
}

// The hinge turns about z: a lower limit pushes along +z.
TEST(Names, TheMotorOfAJointTellsWhichEndALimitIs) {
  Example e(7);
  e.rotation(5, Vector3d::UnitZ());
  e.bounds(5, -2, 2);
  for (const auto& [direction, name] :
       {std::pair{1, "knee2, lower limit"}, std::pair{-1, "knee2, upper limit"}}) {
    e.rotation(6, direction * Vector3d::UnitZ());
    e.bounds(6, 0, kInfinity);
    EXPECT_EQ(e.row(6), name);
    e.rotation(6, -direction * Vector3d::UnitZ());  // the same limit, written the other way round
    e.bounds(6, -kInfinity, 0);
    EXPECT_EQ(e.row(6), name);
  }
  e.rotation(6, Vector3d::UnitX());  // another coordinate
  EXPECT_EQ(e.row(6), "knee2, limit");
}

TEST(Names, ALimitAloneIsALimitUnlessItsRecorderTellsTheEnd) {
  Example e(6);
  e.rotation(5, Vector3d::UnitZ());
  e.bounds(5, 0, kInfinity);
  EXPECT_EQ(e.row(5), "knee2, limit");
  for (const char* engine : {"bullet", "mujoco", "perpend"}) {
    e.recorded_by(engine);
    EXPECT_EQ(e.row(5), "knee2, limit") << engine;
  }
  for (const char* engine : {"dart", "ode"}) {
    e.recorded_by(engine);
    e.bounds(5, 0, kInfinity);
    EXPECT_EQ(e.row(5), "knee2, lower limit") << engine;
    e.bounds(5, -kInfinity, 0);
    EXPECT_EQ(e.row(5), "knee2, upper limit") << engine;
  }
}

// A hinge of ours locks rotations about x and y, in this order: it turns about +z.
TEST(Names, TheAxisOfOurHingesTellsTheEnd) {
  Example e(6);
  e.recorded_by("perpend", "{}");
  e.bounds(5, 0, kInfinity);
  e.rotation(5, Vector3d::UnitZ());
  EXPECT_EQ(e.row(5), "knee2, lower limit");
  e.rotation(5, -Vector3d::UnitZ());
  EXPECT_EQ(e.row(5), "knee2, upper limit");
}

TEST(Names, OfTwoLimitsOfACoordinateTheFirstIsTheLower) {
  Example e(7);
  e.recorded_by("mujoco");
  for (Index k : {5, 6}) e.bounds(k, 0, kInfinity);
  e.rotation(5, Vector3d::UnitX());
  e.rotation(6, -Vector3d::UnitX());
  EXPECT_EQ(e.row(5), "knee2, lower limit");
  EXPECT_EQ(e.row(6), "knee2, upper limit");
}

TEST(Names, ComplaintsAboutARowTellItsName) {
  const Example e;
  EXPECT_EQ(with_names("frame 4: contacts/mu row 0 is negative", e.of()),
            "frame 4: contacts/mu row 0 is negative (contact 0 of crate3 and floor)");
  EXPECT_EQ(with_names("bodies/masses row 3 is negative", e.of()),
            "bodies/masses row 3 is negative (box (body 11))");
  EXPECT_EQ(with_names("constraints/pairs row 0: joint between two fixed bodies", e.of()),
            "constraints/pairs row 0: joint between two fixed bodies (knee2)");
  EXPECT_EQ(with_names("constraints/bounds row 1 is not a range", e.of()),
            "constraints/bounds row 1 is not a range (knee2, row 2 of 5 (y))");
  for (const char* text : {"step is not a positive number", "contacts/mu row 2 is negative",
                           "system/b row 1 is not finite", "bodies/ids row x"})
    EXPECT_EQ(with_names(text, e.of()), text);
}

// What is wrong with a frame may be what its names are told from.
TEST(Names, OfAFrameThatDoesNotFitTogetherAreToldAsFarAsTheyGo) {
  Example e;
  e.record.frame.contacts.pairs << 0, 99, -1, 2;
  EXPECT_EQ(with_names("contacts/pairs row 0 names an unknown body", e.of()),
            "contacts/pairs row 0 names an unknown body (contact 0 of crate3 and no body)");
  e.joints().bounds.resize(2, 2);
  const char* text = "constraints/bounds row 1 is not a range";
  EXPECT_EQ(with_names(text, e.of()), text);
  e.joints().rows = {5, -1, 1};
  EXPECT_EQ(with_names(text, e.of()), text);
}

TEST(Names, TheWorstRowIsTheOneWithTheLargestResidual) {
  Example e;
  Frame& f = e.record.frame;
  f.step = 0.5;
  for (Index i = 0; i < 2; ++i) f.contacts.normals.row(i) << 0, 0, 1;
  f.bodies.velocities(0, 3) = -2;  // turns the hinge about x
  f.bodies.velocities(2, 2) = 1;   // sinks into body 5 at 1 m/s
  const System system = assemble(f);
  Impulses none = Impulses::Zero(system.rows());
  Worst found = worst(system, none, e.of());
  EXPECT_EQ(found.where, "knee2, row 4 of 5 (rotation about x)");
  EXPECT_EQ(found.joint_row, 3);
  EXPECT_EQ(found.contact, -1);
  EXPECT_DOUBLE_EQ(found.residual, 2);
  EXPECT_EQ(found.unit_of_residual, "rad/s");
  f.bodies.velocities.row(0).setZero();
  found = worst(assemble(f), none, e.of());
  EXPECT_EQ(found.contact, 1);
  EXPECT_EQ(found.where, "contact 1 of box (body 4) and body 5");
  EXPECT_EQ(found.unit_of_residual, "m/s");
  EXPECT_EQ(worst(System(), {}, e.of()).unit, -1);
}

TEST(Names, RotationsHaveNoLinearPartOfEitherBody) {
  Example e;
  const auto turning = [&](Index row) {
    return turns(e.joints().jacobian.row(row).head<6>(), e.joints().jacobian.row(row).tail<6>());
  };
  EXPECT_FALSE(turning(0));
  EXPECT_TRUE(turning(3));
  e.joints().jacobian(3, 8) = 1e-300;
  EXPECT_FALSE(turning(3));
}

}  // namespace names_test
}  // namespace perpend::io
