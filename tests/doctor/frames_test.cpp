// Verdicts on forces, contacts, masses and steps: a sound frame is spoilt in one place.
#include <gtest/gtest.h>

#include "doctor/records.hpp"

namespace perpend::doctor {
namespace frames_test {

io::Record sound() {
  io::Record record = cube(2);
  answer(record);
  return record;
}

std::vector<std::string> only(const char* word) { return {word}; }

TEST(Sound, IsAFrameThatIsSolved) {
  const Diagnosis d = diagnose(ten(sound()), {});
  EXPECT_EQ(d.verdict(), only("sound"));
  ASSERT_EQ(d.numbers.at(0).name, "gravity");
  EXPECT_NEAR(d.numbers[0].value, std::hypot(kGravity, 1), 1e-12);
}

TEST(CannotTell, NamesTheDatasetThatIsMissing) {
  io::Record record = sound();
  record.answer.z.resize(0, 3);
  Diagnosis d = diagnose(ten(record), {});
  EXPECT_EQ(d.verdict(), only("cannot_tell"));
  ASSERT_EQ(d.missing.size(), 1u);
  EXPECT_EQ(d.missing[0].dataset, "/solution/z");
  record = sound();
  record.answer.velocities_plus.resize(0, 6);
  d = diagnose(ten(record), {});
  EXPECT_EQ(d.verdict(), only("cannot_tell"));
  EXPECT_EQ(d.missing.at(0).dataset, "/bodies/velocities_plus");
}

TEST(CannotTell, NamesWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<io::Record> all(20, sound());
  all[5].frame.bodies.velocities(1, 0) = nan;
  Diagnosis d = diagnose(recording(all), {});
  EXPECT_EQ(d.verdict(), only("cannot_tell"));
  ASSERT_EQ(d.missing.size(), 1u);
  EXPECT_EQ(d.missing[0].dataset, "/bodies/velocities");
  EXPECT_EQ(d.missing[0].without.find("1 of 20 frames cannot be examined; frame 5: "), 0u);
  all.assign(20, sound());
  all[7].answer.z(2, 0) = nan;
  d = diagnose(recording(all), {});
  EXPECT_EQ(d.verdict(), only("cannot_tell"));
  EXPECT_EQ(d.missing.at(0).dataset, "/solution/z");
}

TEST(CannotTell, WithoutFrames) {
  const Diagnosis d = diagnose(recording({}), {});
  EXPECT_EQ(d.verdict(), only("cannot_tell"));
  EXPECT_EQ(d.missing.at(0).dataset, "/frames/offsets");
}

// Solvers refuse such a frame, and it is examined all the same.
TEST(Diagnosis, OfSpeedsWhoseSquaresAreInfinite) {
  io::Record record = sound();
  record.frame.bodies.velocities.row(1).setConstant(1e300);
  EXPECT_TRUE(named(diagnose(ten(record), {}), "step_too_large"));
}

// Impulses of half the size leave half of g h.
TEST(SolverStoppedEarly, ByHalfOfTheImpulses) {
  io::Record record = cube();
  answer(record);
  record.answer.z *= 0.5;
  const System system = assemble(record.frame);
  record.answer.velocities_plus =
      velocity_plus(record.frame, system, from_rows(system, record.answer.z, VectorXd()));
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "solver_stopped_early");
  ASSERT_TRUE(found);
  EXPECT_EQ(d.verdict(), only("solver"));
  EXPECT_GT(found->value, 0.2 * kGravity * kStep);
  EXPECT_LT(found->value, kGravity * kStep);
  EXPECT_LT(found->predicted_value, 0.02 * kGravity * kStep);
}

// Frames that nobody can solve, though worse, do not hide those that a solver can.
TEST(SolverStoppedEarly, BesideFramesWithoutASolution) {
  io::Record half = cube();
  answer(half);
  half.answer.z *= 0.5;
  io::Record wedge = cube();
  Contacts& k = wedge.frame.contacts;
  k.normals.row(0) << 1, 0, 0;
  k.normals.row(1) << -1, 0, 0;
  k.points.row(0) << -kHalf, 0, kHalf;
  k.points.row(1) << kHalf, 0, kHalf;
  k.gap.head<2>().setConstant(-0.02);
  k.tangents.resize(0, 6);
  wedge.answer.z = Rows3::Zero(4, 3);
  std::vector<io::Record> all(20, half);
  all[15] = wedge;
  for (io::Record& record : all) {
    const System system = assemble(record.frame);
    record.answer.velocities_plus =
        velocity_plus(record.frame, system, from_rows(system, record.answer.z, VectorXd()));
  }
  const Diagnosis d = diagnose(recording(all), {});
  const Finding* found = named(d, "solver_stopped_early");
  ASSERT_TRUE(found);
  EXPECT_NE(found->frame, 15);
  ASSERT_TRUE(named(d, "no_solution"));
  EXPECT_EQ(named(d, "no_solution")->frame, 15);
}

// Sweeps that leave out friction while a contact has no normal impulse leave there what they found:
// no number of sweeps changes it.
TEST(SolverStoppedEarly, NotByFrictionThatWaitsForANormalImpulse) {
  io::Record record = cube();
  record.frame.contacts.gap[3] = 0.1;
  const double held = 0.3 * kMass * kGravity * kStep;
  const Vector3d t = record.frame.contacts.tangents.row(3).head<3>();
  const Vector3d arm =
      record.frame.contacts.points.row(3).transpose() - Vector3d(0, 0, kHalf - 0.1);
  Eigen::Matrix<double, 1, 6> force;
  force << t.transpose(), arm.cross(t).transpose();
  record.frame.bodies.forces.row(1) += held / kStep * force;
  answer(record, "box/pgs");
  ASSERT_EQ(record.answer.z(3, 0), 0);
  record.frame.bodies.forces.row(1) -= held / kStep * force;
  record.answer.z(3, 1) = held;
  const Diagnosis d = diagnose(ten(record), {});
  EXPECT_FALSE(named(d, "solver_stopped_early"));
  EXPECT_FALSE(named(d, "forces_do_not_add_up"));
}

// A tenth of gravity that nobody recorded is missing as 0.1 g h.
TEST(ForcesDoNotAddUp, ByTheForceThatIsMissing) {
  io::Record record = sound();
  record.frame.bodies.forces(1, 2) *= 0.9;
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "forces_do_not_add_up");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.1 * kGravity * kStep, 1e-9);
  EXPECT_NE(found->proof.find("-1.96"), std::string::npos) << found->proof;  // N, 0.1 m g
}

TEST(NormalsJump, AndAreTurnedRoundByTheDoctor) {
  io::Record record = sound();
  record.frame.contacts.normals *= -1;
  const Diagnosis all = diagnose(ten(record), {});
  ASSERT_TRUE(named(all, "normals_jump"));
  EXPECT_EQ(named(all, "normals_jump")->value, 180);
  std::vector<io::Record> some(10, sound());
  some[5] = record;
  const Finding* found = nullptr;
  const Diagnosis one = diagnose(recording(some), {});
  found = named(one, "normals_jump");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 180, 1e-6);
}

TEST(NormalsJump, AndThoseOfOnePairAreTurnedRound) {
  io::Record record = two_cubes();
  answer(record);
  record.frame.contacts.normals.bottomRows(4) *= -1;
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "normals_jump");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where.find("contact 4"), 0u) << found->where;
  EXPECT_EQ(found->says.find("4 normals"), 0u) << found->says;
}

// Seen from the cube, whose corners an engine rounds off, the edge is 13 mm above the floor; on the
// floor it is in its plane. What the edge throws up rests on nothing in the next frame.
TEST(NormalsJump, AtAGhostEdgeInThePlaneOfTheFloor) {
  for (const double impulse : {0.0, 1.0}) {
    io::Record first = cube(0, 4), second = first;
    Contacts& k = first.frame.contacts;
    const Vector3d normal(0.745, 0, -std::sqrt(1 - 0.745 * 0.745));
    k.pairs.row(3) << 1, 0;
    k.normals.row(3) = normal;
    k.gap[3] = 0.02;
    k.points.row(3) << kHalf, 0, -kHalf - 0.02 * normal.z();
    k.tangents.resize(0, 6);
    first.answer.z = Rows3::Zero(4, 3);
    first.answer.z.col(0) << 0.05, 0.05, 0.05, impulse;
    second.frame.bodies.positions(1, 0) += 4 * kStep;
    second.answer.z = Rows3::Zero(4, 3);
    for (io::Record* record : {&first, &second}) {
      const System system = assemble(record->frame);
      record->answer.velocities_plus =
          velocity_plus(record->frame, system, from_rows(system, record->answer.z, VectorXd()));
    }
    const Diagnosis d = diagnose(recording({first, second}), {});
    const Finding* found = named(d, "normals_jump");
    ASSERT_EQ(found != nullptr, impulse > 0);
    if (!found) continue;
    EXPECT_EQ(found->says.find("a ghost edge"), 0u) << found->says;
    EXPECT_EQ(found->frame, 0);
    EXPECT_EQ(found->value, impulse);
  }
}

// A contact that turns round and bears nothing, in one frame of ten or of 700.
TEST(NormalsJump, NotByOneInAThousand) {
  io::Record turned = sound();
  turned.frame.contacts.normals.row(0) *= -1;
  answer(turned);
  ASSERT_EQ(turned.answer.z(0, 0), 0);
  for (const std::size_t frames : {10, 700}) {
    std::vector<io::Record> all(frames, sound());
    all[5] = turned;
    EXPECT_EQ(named(diagnose(recording(all), {}), "normals_jump") != nullptr, frames == 10);
  }
}

TEST(DuplicateContacts, AreCounted) {
  io::Record record = cube(2);
  Contacts& k = record.frame.contacts;
  k.points.row(3) = k.points.row(2);
  answer(record);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "duplicate_contacts");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 1);
  EXPECT_EQ(d.verdict(), only("geometry"));
}

// 0.1 mm beside each other: all of them are a doubled shape, one is what engines leave.
TEST(DuplicateContacts, AreThoseBesideAllOthers) {
  io::Record one = cube(2);
  one.frame.contacts.points.row(3) = one.frame.contacts.points.row(2);
  one.frame.contacts.points(3, 0) += 1e-4;
  answer(one);
  EXPECT_FALSE(named(diagnose(ten(one), {}), "duplicate_contacts"));
  io::Record all = two_cubes(true);
  all.frame.contacts.pairs.col(0).setZero();
  all.frame.contacts.points.bottomRows(4).col(0).array() += 1e-4;
  answer(all);
  const Diagnosis d = diagnose(ten(all), {});
  const Finding* found = named(d, "duplicate_contacts");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 4);
}

TEST(DuplicateContacts, AreThoseOnASecondFloor) {
  io::Record record = two_cubes(true);
  answer(record);
  Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "duplicate_contacts");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 4);
  // A seam: only an edge lies on both.
  record.frame.contacts.points.row(6)[1] = record.frame.contacts.points.row(7)[1] = 0;
  answer(record);
  EXPECT_FALSE(named(diagnose(ten(record), {}), "duplicate_contacts"));
}

// A contact and its impulse are missing in every tenth frame: in one step of ten of two pairs.
TEST(DuplicateContacts, FlickerWhereForcesAreMissingWithThem) {
  io::Record whole = two_cubes();
  answer(whole);
  io::Record part = whole;
  Contacts& k = part.frame.contacts;
  for (auto* rows : {&k.normals, &k.points}) rows->conservativeResize(7, 3);
  k.pairs.conservativeResize(7, 2);
  k.gap.conservativeResize(7);
  k.mu.conservativeResize(7);
  k.tangents.conservativeResize(7, 6);
  part.answer.z.conservativeResize(7, 3);
  std::vector<io::Record> all(60, whole);
  EXPECT_FALSE(named(diagnose(recording(all), {}), "duplicate_contacts"));
  for (std::size_t i = 5; i < all.size(); i += 10) all[i] = part;
  const Diagnosis d = diagnose(recording(all), {});
  const Finding* found = named(d, "duplicate_contacts");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 100.0 * 12 / 118, 1e-9);
}

// Ten times the inertia of its shape on a hinge, where a shape may be a part of the body.
TEST(MassesAndInertia, AreNoMultipleOfThoseOfTheShape) {
  for (const double times : {1.0, 10.0}) {
    io::Record record = cube();
    io::ModelColumns& m = record.model;
    m.shape_bodies = {7};
    m.shape_kinds = {io::ModelColumns::Kind::box};
    m.shape_poses.setZero(1, 7);
    m.shape_poses(0, 3) = 1;
    m.shape_sizes.setConstant(1, 3, kHalf);
    m.shape_meshes.setZero(1, 4);
    m.body_ids = {0, 7};
    m.body_names.resize(2);
    record.frame.bodies.inertia.row(1) *= times;
    const Frame hinged = make_frame(2, 0, {1});
    record.frame.joints = hinged.joints;
    record.frame.joints.pairs.row(0) << 0, 1;
    record.frame.joints.jacobian(0, 3) = -1;
    record.frame.joints.jacobian(0, 9) = 1;
    answer(record);
    Recording all = ten(record);
    all.model = m;
    const Diagnosis d = diagnose(all, {});
    const Finding* found = named(d, "masses_and_inertia");
    EXPECT_EQ(found != nullptr, times > 1);
    if (found) {
      EXPECT_NEAR(found->value, times, 1e-9);
      EXPECT_EQ(found->predicted_value, 1);
    }
  }
}

// A brick whose moments are those of its shape, about x and z swapped.
TEST(MassesAndInertia, AboutOtherAxesThanThoseOfTheShape) {
  const Vector3d half(0.5, 0.4, 0.3), square = 4 * half.cwiseAbs2();
  const Vector3d moments =
      kMass / 12 * (square.sum() * Vector3d::Ones() - square);  // m (b^2 + c^2)/12
  for (const bool swapped : {false, true}) {
    io::Record record = cube();
    io::ModelColumns m;
    m.shape_bodies = {7};
    m.shape_kinds = {io::ModelColumns::Kind::box};
    m.shape_poses.setZero(1, 7);
    m.shape_poses(0, 3) = 1;
    m.shape_sizes = half.transpose();
    m.shape_meshes.setZero(1, 4);
    m.body_ids = {0, 7};
    m.body_names.resize(2);
    record.frame.bodies.inertia.row(1).setZero();
    for (Index i = 0; i < 3; ++i)
      record.frame.bodies.inertia(1, 4 * i) = moments[swapped ? 2 - i : i];
    answer(record);
    Recording all = ten(record);
    all.model = m;
    const Diagnosis d = diagnose(all, {});
    const Finding* found = named(d, "masses_and_inertia");
    EXPECT_EQ(found != nullptr, swapped);
    if (found) {
      EXPECT_EQ(found->unit, "times");
    }
  }
}

TEST(MassesAndInertia, BreakTheTriangleInequalityByTheirExcess) {
  io::Record record = cube();
  record.frame.bodies.inertia.row(1) << 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.7;
  answer(record);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "masses_and_inertia");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.1, 1e-12);
  EXPECT_EQ(found->unit, "kg m^2");
  EXPECT_EQ(found->where, "body 7");
}

// A robot's foot may be all of a leg that has a collision shape.
TEST(MassesAndInertia, OfALinkMayBeLargerThanItsShape) {
  for (const bool joined : {false, true}) {
    io::Record record = cube();
    io::ModelColumns& m = record.model;
    m.shape_bodies = {7};
    m.shape_kinds = {io::ModelColumns::Kind::box};
    m.shape_poses.setZero(1, 7);
    m.shape_poses(0, 3) = 1;
    m.shape_sizes.setConstant(1, 3, kHalf);
    m.shape_meshes.setZero(1, 4);
    m.body_ids = {0, 7};
    m.body_names.resize(2);
    record.frame.bodies.inertia.row(1) *= 16;  // radius of gyration 1.8 m, and not 0.5
    record.frame.bodies.inertia(1, 8) /= 2;
    if (joined) {  // a hinge that turns about z
      const Frame hinged = make_frame(2, 0, {1});
      record.frame.joints = hinged.joints;
      record.frame.joints.pairs.row(0) << 0, 1;
      record.frame.joints.jacobian(0, 3) = -1;
      record.frame.joints.jacobian(0, 9) = 1;
    }
    answer(record);
    Recording all = ten(record);
    all.model = m;
    const Diagnosis d = diagnose(all, {});
    EXPECT_EQ(named(d, "masses_and_inertia") != nullptr, !joined);
  }
}

// An engine that takes its time to part bodies, which begin inside each other.
TEST(EnergyFromNowhere, LiesInAnOverlapAtTheStart) {
  for (const double depth : {0.0, 0.2}) {
    io::Record record = cube();
    record.frame.contacts.gap.setConstant(-depth);
    record.frame.contacts.bias = Rows3::Zero(4, 3);
    answer(record);
    const Diagnosis d = diagnose(ten(record), {});
    const Finding* found = named(d, "energy_from_nowhere");
    EXPECT_EQ(found != nullptr, depth > 0);
    if (!found) continue;
    EXPECT_EQ(found->value, depth);
    EXPECT_EQ(found->frame, 0);
  }
}

TEST(StepTooLarge, WhereABodyTurnsByMoreThanARadianInAStep) {
  io::Record record = cube();
  record.frame.bodies.velocities(1, 5) = 1.2 / kStep;
  answer(record);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "step_too_large");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 1.2, 1e-12);
}

// Two fixed walls, each 0.02 m inside the cube: no motion clears both.
TEST(NoSolution, OfAWedgeIsCertifiedWithItsDepth) {
  io::Record record = cube();
  Contacts& k = record.frame.contacts;
  k.normals.row(0) << 1, 0, 0;
  k.normals.row(1) << -1, 0, 0;
  k.points.row(0) << -kHalf, 0, kHalf;
  k.points.row(1) << kHalf, 0, kHalf;
  k.gap.head<2>().setConstant(-0.02);
  k.tangents.resize(0, 6);
  Options few;
  few.max_iterations = 200;
  answer(record, "ncp/auto", few);
  const Diagnosis d = diagnose(ten(record), {});
  const Finding* found = named(d, "no_solution");
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.02, 1e-4);
  EXPECT_FALSE(named(d, "solver_stopped_early"));
}

// The same with one wall alone has a solution.
TEST(NoSolution, NotOfOneWall) {
  io::Record record = cube();
  record.frame.contacts.gap.head<2>().setConstant(-0.02);
  answer(record);
  EXPECT_FALSE(named(diagnose(ten(record), {}), "no_solution"));
}

TEST(RunsPart, AtTheFirstFrameBodyAndTerm) {
  std::vector<io::Record> first(5, sound()), second = first;
  second[3].frame.bodies.velocities(1, 1) += 1e-6;
  second[3].answer.z(2, 0) += 1;
  const auto found = compare(recording(first), recording(second), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->frame, 3);
  EXPECT_EQ(found->where, "body 7");
  EXPECT_NEAR(found->value, 1e-6, 1e-15);
  EXPECT_NE(found->says.find("velocities"), std::string::npos);
  EXPECT_FALSE(compare(recording(first), recording(first), {}));
}

TEST(Page, ShowsEveryFindingAndEscapesNames) {
  io::Record record = sound();
  record.frame.bodies.forces(1, 2) *= 0.9;
  Recording given = ten(record);
  io::ModelColumns model;
  model.body_ids = {7};
  model.body_names = {io::NameText("<b>cube</b>")};
  given.names = io::Names(model);
  const std::string page = html(diagnose(given, {}), "run.h5");
  EXPECT_NE(page.find("forces_do_not_add_up"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;cube"), std::string::npos);
  EXPECT_EQ(page.find("<b>cube"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

// The same findings with any number of workers: a stand-in runs the items backwards.
class Backwards final : public Executor {
 public:
  int workers() const override { return 2; }
  void for_each(std::ptrdiff_t count,
                const std::function<void(std::ptrdiff_t, int)>& item) override {
    for (std::ptrdiff_t i = count; i-- > 0;) item(i, 1);
  }
};
TEST(Diagnosis, DoesNotDependOnTheOrderOfWork) {
  std::vector<io::Record> all(100, sound());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].answer.z *= 1 - 0.001 * double(i);
  Backwards executor;
  Settings settings;
  const std::string one = html(diagnose(recording(all), settings), "f");
  settings.executor = &executor;
  EXPECT_EQ(html(diagnose(recording(all), settings), "f"), one);
}

}  // namespace frames_test
}  // namespace perpend::doctor
