// The file an ODE program gets when it is recorded.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "capture/ode/answerers.hpp"
#include "capture/ode/runs.hpp"
#include "perpend/base.hpp"

namespace perpend::capture::from_ode {
namespace file_test {

TEST(OdeFile, IsASoundStandardFile) {
  const std::string path = temporary_path("ode_file_test.h5");
  OdeScene inside(scene_of("stack:10"), 1.0 / 60);
  OdeFile file(path, inside.world(), inside.space(), "stack:10");
  inside.record(&file);
  for (int k = 0; k < 20; ++k) inside.step(OdeMethod::quick_step);
  EXPECT_EQ(file.error(), "");
  file.close();

  expect_sound_file(path, "ode", "box", "seed", 20);
  const io::FrameReader reader(path);
  EXPECT_EQ(reader.header().engine_version, "0.16.2");
  for (Index k = 0; k < reader.frames(); ++k) {
    const io::Record record = reader.read(k);
    EXPECT_LT(momentum_gap(record), 1e-12);
    EXPECT_EQ(record.answer.iterations, 20);
    EXPECT_EQ(record.answer.answered, kQuickStep);
    EXPECT_TRUE(record.answer.errors.has(Measure::own_error));
    EXPECT_GT(record.timing.solver, 0);
    EXPECT_EQ(record.frame.contacts.bias.rows(), record.frame.contacts.count());
  }
  std::filesystem::remove(path);
}

TEST(OdeFile, ThatCannotBeMadeSaysSo) {
  OdeScene inside(scene_of("creep"), 1.0 / 60);
  EXPECT_THROW(OdeFile("/nowhere/run.h5", inside.world(), inside.space()), io::InputError);
}

// Somebody else's program: a chain of two boxes that is thrown on a floor. It knows no recorder;
// two places where it can be listened to are all it has.
class Foreign {
 public:
  std::function<void(dJointID, const dContact&)> made;  // a contact joint
  std::function<void()> before, after;                  // its step

  Foreign() {
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    dBodyID last = nullptr;
    for (int i = 0; i < 2; ++i) {
      const dBodyID body = dBodyCreate(world);
      dMass mass;
      dMassSetBoxTotal(&mass, 1 + i, 0.4, 0.2, 0.1);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, 0.5 * i, 0, 0.2);
      dBodySetLinearVel(body, 1, 0.3, -1);
      dGeomSetBody(dCreateBox(space, 0.4, 0.2, 0.1), body);
      bodies_.push_back(body);
      if (last) {
        const dJointID joint = dJointCreateHinge(world, nullptr);
        dJointAttach(joint, last, body);
        dJointSetHingeAnchor(joint, 0.25, 0, 0.2);
        dJointSetHingeAxis(joint, 0, 1, 0);
      }
      last = body;
    }
  }
  ~Foreign() {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
  std::uint64_t run(int steps) {
    dRandSetSeed(7);
    for (int k = 0; k < steps; ++k) {
      dSpaceCollide(space, this, [](void* self, dGeomID a, dGeomID b) {
        static_cast<Foreign*>(self)->touch(a, b);
      });
      if (before) before();
      dWorldQuickStep(world, 0.01);
      if (after) after();
      dJointGroupEmpty(group_);
    }
    StateHash hash;
    for (const dBodyID body : bodies_)
      for (int i = 0; i < 3; ++i) hash.add(dBodyGetPosition(body)[i]);
    return hash.value();
  }

 private:
  void touch(dGeomID a, dGeomID b) {
    std::array<dContact, 8> contacts{};
    const int found = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < found; ++i) {
      dContact& contact = contacts[static_cast<std::size_t>(i)];
      contact.surface.mode = dContactApprox1 | dContactBounce;
      contact.surface.mu = 0.4;
      contact.surface.bounce = 0.2;
      contact.surface.bounce_vel = 0.1;
      const dJointID joint = dJointCreateContact(world, group_, &contact);
      dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
      if (made) made(joint, contact);
    }
  }

  OdeLibrary library_;

 public:
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);

 private:
  dJointGroupID group_ = dJointGroupCreate(0);
  std::vector<dBodyID> bodies_;
};

void is_recorded_around_its_step(bool told) {
  Foreign plain, listened;
  Index contacts = 0, frames = 0;
  OdeRecorder recorder(
      listened.world, listened.space,
      [&](OdeStep& step) {
        EXPECT_EQ(invalid(step.record.frame), "");
        EXPECT_LT(momentum_gap(step.record), 1e-13);
        EXPECT_EQ(step.opaque, 0);
        EXPECT_EQ(step.record.frame.joints.row_count(), 5);
        contacts = std::max(contacts, step.record.frame.contacts.count());
        ++frames;
      },
      false);
  if (told)
    listened.made = [&](dJointID joint, const dContact& made) { recorder.contact(joint, made); };
  listened.before = [&] { recorder.before(OdeMethod::quick_step, 0.01); };
  listened.after = [&] { recorder.after(); };
  const std::uint64_t hash = listened.run(100);
  EXPECT_EQ(hash, plain.run(100));
  EXPECT_EQ(frames, 100);
  EXPECT_GE(contacts, 4);
}

TEST(OdeRecorder, WorldOfSomebodyElseIsRecordedAroundItsStep) { is_recorded_around_its_step(true); }
TEST(OdeRecorder, WorldOfSomebodyElseNeedNotTellItsContacts) { is_recorded_around_its_step(false); }

}  // namespace file_test
}  // namespace perpend::capture::from_ode
