// Recordings in the viewer: any frame is shown, solved again and saved, errors that a file lacks
// are computed beside that, and every question has an answer.
#include "view/playback.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "perpend/io/columns.hpp"
#include "perpend/sim.hpp"
#include "support/scratch.hpp"
#include "view/record_run.hpp"

namespace playback_test {

using namespace perpend;
using namespace perpend::view;
using Json = nlohmann::json;

// A playback and what it tells the client 1. HDF5 is not made for threads: while one lives, nobody
// else reads a file.
class Watched {
 public:
  explicit Watched(std::vector<std::string> files)
      : playback_(files, [this](Client, SharedBytes bytes) {
          std::string why;
          const std::lock_guard lock(mutex_);
          heard_.push_back(decoded(bytes->data(), bytes->size(), why));
          news_.notify_all();
        }) {
    playback_.joined(1);
  }
  void ask(Message message) { playback_.heard(1, std::move(message)); }
  // The next message of a kind that fits.
  template <class What>
  What next(const std::function<bool(const What&)>& fits = [](const What&) { return true; }) {
    std::unique_lock lock(mutex_);
    What out;
    const bool came = news_.wait_for(lock, std::chrono::seconds(60), [&] {
      for (auto at = heard_.begin(); at != heard_.end(); ++at)
        if (const What* one = std::get_if<What>(&*at); one && fits(*one)) {
          out = *one;
          heard_.erase(at);
          return true;
        }
      return false;
    });
    EXPECT_TRUE(came) << What::kName;
    return out;
  }
  FrameMessage frame(double number) {
    ShowFrame show;
    show.frame = number;
    ask(show);
    return next<FrameMessage>([&](const FrameMessage& one) { return one.frame == number; });
  }
  // What is seen of each recording in a frame.
  std::vector<StateMessage> states(double number) {
    const FrameMessage seen = frame(number);
    std::vector<StateMessage> out;
    const std::uint8_t* at = seen.states.data();
    for (const std::uint32_t size : seen.sizes) {
      std::string why;
      out.push_back(std::get<StateMessage>(decoded(at, size, why)));
      at += size;
    }
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<Message> heard_;
  Playback playback_;
};

// Cubes on a floor: by any solver, so many steps.
class Recorded {
 public:
  explicit Recorded(const std::string& solver = "ncp/auto", Index steps = 6) {
    std::string why;
    SimulateOptions options;
    options.step.solver = solver;
    if (solver != "ncp/auto") options.step.solve.max_iterations = 3;
    options.steps = steps;
    options.out = path();
    simulate(*scene_named("stack:3", 1, why), options);
  }
  std::string path() const { return folder_.path("run.h5"); }

 private:
  scratch::Folder folder_;
};

TEST(Playback, TellsOfTheRecordingAndShowsAnyFrame) {
  const Recorded recorded;
  const auto [bodies_named, record] = [&] {
    const io::FrameReader reader(recorded.path());
    return std::pair(reader.model().body_ids.size(), reader.read(4));
  }();
  Watched watched({recorded.path()});
  const auto told = watched.next<RecordingMessage>();
  const Json about = Json::parse(told.json);
  EXPECT_EQ(about["recordings"][0]["file"], "run.h5");
  EXPECT_EQ(about["recordings"][0]["frames"], 6);
  EXPECT_EQ(about["recordings"][0]["shapes"], "model");
  EXPECT_GT(about["solvers"].size(), 30u);
  const Json scenes = Json::parse(told.scenes);
  EXPECT_EQ(scenes[0]["bodies"].size(), bodies_named);
  const auto timeline = watched.next<TimelineMessage>();
  EXPECT_EQ(timeline.errors.size(), 6u);
  EXPECT_EQ(timeline.left, 0);

  watched.next<FrameMessage>();
  const StateMessage seen = watched.states(4).front();
  const Bodies& bodies = record.frame.bodies;
  ASSERT_EQ(seen.poses.size(), static_cast<std::size_t>(7 * bodies.count()));
  for (Index i = 0; i < bodies.count(); ++i)
    EXPECT_EQ(seen.poses[static_cast<std::size_t>(7 * i + 2)],
              static_cast<float>(bodies.positions(i, 2)));
  EXPECT_EQ(seen.frictions.size(), static_cast<std::size_t>(record.frame.contacts.count()));
  // The floor carries everything: its contacts' forces are the weight of all cubes.
  double up = 0, weight = 0;
  for (std::size_t i = 0; i < seen.frictions.size(); ++i)
    if (seen.pairs[2 * i] == 0 || seen.pairs[2 * i + 1] == 0)
      up += std::abs(seen.forces[3 * i + 2]);
  for (Index i = 0; i < bodies.count(); ++i) weight += 9.81 * bodies.masses[i];
  EXPECT_NEAR(up, weight, 1e-3 * weight);
}

// Of single contacts: the largest is the frame's own error, before and after it is solved again.
TEST(Playback, EachContactHasItsPartOfTheError) {
  const Recorded recorded("box/pgs");
  const double expected = io::FrameReader(recorded.path()).numbers("solution/velocity_error")[4];
  Watched watched({recorded.path()});
  const auto largest = [](const std::vector<float>& errors) {
    return static_cast<double>(*std::max_element(errors.begin(), errors.end()));
  };
  const StateMessage seen = watched.states(4).front();
  ASSERT_EQ(seen.errors.size(), seen.frictions.size());
  EXPECT_GT(expected, 1e-6);
  EXPECT_NEAR(largest(seen.errors), expected, 1e-6 * expected);
  SolveFrame solve;
  solve.frame = 4;
  solve.solver = "ncp/auto";
  solve.iterations = 1e5;
  solve.tolerance = 1e-10;
  watched.ask(solve);
  const auto solved = watched.next<SolvedMessage>();
  ASSERT_EQ(solved.contact_errors.size(), seen.frictions.size());
  EXPECT_LE(largest(solved.contact_errors), 1e-10);
  EXPECT_GE(*std::min_element(solved.contact_errors.begin(), solved.contact_errors.end()), 0);
}

TEST(Playback, ErrorsThatAFileLacksAreComputed) {
  const Recorded recorded("box/pgs");
  scratch::Folder folder;
  std::vector<double> expected;
  {
    const io::FrameReader reader(recorded.path());
    expected = reader.numbers("solution/velocity_error");
    io::FrameWriter writer(folder.path("bare.h5"), reader.header(), 64);
    for (Index i = 0; i < reader.frames(); ++i) {
      io::Record record = reader.read(i);
      record.answer.errors = {};
      writer.append(record);
    }
  }
  Watched watched({folder.path("bare.h5")});
  const auto timeline =
      watched.next<TimelineMessage>([](const TimelineMessage& one) { return one.left == 0; });
  ASSERT_EQ(timeline.errors.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(timeline.errors[i], static_cast<float>(expected[i])) << i;
  // No model, but the scene: its shapes are drawn.
  EXPECT_EQ(Json::parse(watched.next<RecordingMessage>().json)["recordings"][0]["shapes"], "scene");
}

TEST(Playback, WithoutShapesBodiesAreDrawnAsFrames) {
  const Recorded recorded;
  scratch::Folder folder;
  {
    io::FrameWriter writer(folder.path("bare.h5"), {}, 64);
    writer.append(io::FrameReader(recorded.path()).read(0));
  }
  Watched watched({folder.path("bare.h5")});
  const auto told = watched.next<RecordingMessage>();
  EXPECT_EQ(Json::parse(told.json)["recordings"][0]["shapes"], "");
  const Json body = Json::parse(told.scenes)[0]["bodies"][1];
  EXPECT_EQ(body["shape"]["parts"].size(), 3u);
  EXPECT_EQ(body["name"], "body 2");
}

TEST(Playback, AFrameIsSolvedAgainAndItsIteratesAreThere) {
  const Recorded recorded("box/pgs");
  Watched watched({recorded.path()});
  SolveFrame ask;
  ask.frame = 3;
  ask.solver = "ncp/prox-newton";
  ask.iterations = 500;
  ask.tolerance = 1e-6;
  watched.ask(ask);
  const auto solved = watched.next<SolvedMessage>();
  EXPECT_EQ(Json::parse(solved.json)["status"], "converged");
  EXPECT_LT(Json::parse(solved.json)["error"], 1e-5);
  EXPECT_EQ(solved.frame, 3);
  ASSERT_GT(solved.errors.size(), 3u);
  EXPECT_EQ(solved.restarts.size(), solved.errors.size());
  EXPECT_LT(solved.errors.back(), solved.errors.front());

  ShowIterate walk;
  walk.point = 0;
  watched.ask(walk);
  const auto first = watched.next<IterateMessage>();
  EXPECT_EQ(first.iteration, solved.iterations[0]);
  EXPECT_EQ(first.forces.size(), solved.forces.size());
  EXPECT_NE(first.forces, solved.forces);
  walk.point = 1e9;  // the last one
  watched.ask(walk);
  EXPECT_EQ(watched.next<IterateMessage>().forces, solved.forces);
}

TEST(Playback, FindsTheFirstDifferenceOfTwo) {
  const Recorded exact, loose("box/pgs");
  const auto known = [](const TimelineMessage& one) { return one.difference != -2; };
  {
    Watched same({exact.path(), exact.path()});
    EXPECT_EQ(same.next<TimelineMessage>(known).difference, -1);
  }
  Watched other({exact.path(), loose.path()});
  // They begin alike; after the first step velocities differ.
  const auto timeline = other.next<TimelineMessage>(known);
  EXPECT_EQ(timeline.difference, 1);
  EXPECT_THAT(timeline.words, testing::HasSubstr("differ"));
  const std::vector<StateMessage> both = other.states(2);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].poses.size(), both[1].poses.size());
}

// An engine that counts its bodies from 100, backwards, is compared all the same.
TEST(Playback, ComparesEnginesThatNumberBodiesInTheirOwnWay) {
  const Recorded recorded;
  scratch::Folder folder;
  {
    const io::FrameReader reader(recorded.path());
    io::Header header = reader.header();
    header.engine = "another";
    io::FrameWriter writer(folder.path("other.h5"), header, 64);
    for (Index i = 0; i < reader.frames(); ++i) {
      io::Record record = reader.read(i);
      for (std::int64_t& id : record.frame.bodies.ids) id = 100 - id;
      if (i == 0) {
        record.model = reader.model();
        for (std::int64_t& id : record.model.body_ids) id = 100 - id;
        for (std::int64_t& id : record.model.shape_bodies) id = 100 - id;
      }
      if (i == 4) record.frame.bodies.positions(1, 2) += 0.25;
      writer.append(record);
    }
  }
  Watched watched({recorded.path(), folder.path("other.h5")});
  const auto timeline = watched.next<TimelineMessage>(
      [](const TimelineMessage& one) { return one.difference != -2 && one.apart.size() == 6; });
  EXPECT_EQ(timeline.difference, 4);
  EXPECT_EQ(timeline.words, "positions differ");
  EXPECT_NEAR(timeline.apart[4], 0.25, 1e-6);
}

TEST(Playback, AFrameIsSavedAsAFileOfItsOwn) {
  const Recorded recorded;
  const auto saved = [&](const char* form) {
    Watched watched({recorded.path()});
    SaveFrame save;
    save.frame = 2;
    save.form = form;
    watched.ask(save);
    return watched.next<SavedMessage>();
  };
  const SavedMessage file = saved("h5"), line = saved("jsonl");
  scratch::Folder folder;
  EXPECT_EQ(file.name, "run-frame2.h5");
  std::ofstream(folder.path("one.h5"), std::ios::binary)
      .write(reinterpret_cast<const char*>(file.content.data()),
             static_cast<std::streamsize>(file.content.size()));
  const io::FrameReader one(folder.path("one.h5")), all(recorded.path());
  EXPECT_THAT(io::validate(one.path()), testing::IsEmpty());
  ASSERT_EQ(one.frames(), 1);
  EXPECT_FALSE(io::difference(one.read(0), all.read(2)));
  EXPECT_EQ(one.model().body_ids, all.model().body_ids);
  EXPECT_TRUE(Json::parse(std::string(line.content.begin(), line.content.end())).contains("model"));
}

TEST(Playback, EveryQuestionHasAnAnswer) {
  const Recorded recorded;
  Watched watched({recorded.path()});
  const auto refused = [&](Message message, const std::string& why) {
    watched.ask(std::move(message));
    EXPECT_THAT(watched.next<NoticeMessage>().words, testing::HasSubstr(why));
  };
  SolveFrame solve;
  solve.recording = 7;
  refused(solve, "recording 7: there are 1");
  solve.recording = 0;
  solve.frame = 1e300;
  refused(solve, "there is no such frame");
  SaveFrame save;
  save.form = "../../etc/passwd";
  refused(save, "neither h5 nor jsonl");
  refused(ShowIterate{}, "no frame was solved yet");
  refused(Play{}, "play: not with a recording");
  refused(Drag{}, "drag: not with a recording");
  EXPECT_EQ(watched.frame(5).frame, 5);
  ShowFrame far;  // the nearest one
  far.frame = -3;
  watched.ask(far);
  EXPECT_EQ(watched.next<FrameMessage>([](const auto& one) { return one.frame == 0; }).frame, 0);
  solve.frame = 0;
  solve.solver = "no/such";
  watched.ask(solve);
  EXPECT_EQ(Json::parse(watched.next<SolvedMessage>().json)["message"],
            "no solver is called 'no/such'");
}

TEST(Playback, WhatIsNoRecordingIsRefused) {
  scratch::Folder folder;
  { io::FrameWriter writer(folder.path("empty.h5"), {}, 64); }
  EXPECT_EQ(scratch::complaint([&] { frames_of_file(folder.path("empty.h5")); }),
            folder.path("empty.h5") + ": has no frames");
}

TEST(RecordRun, ABallThatWasThrownHasItsShapeAndTheRunItsEvents) {
  std::string why;
  const Scene scene = *scene_named("stack:2", 1, why);
  scratch::Folder folder;
  Throw ball;
  ball.position = {-3, 0, 1};
  ball.velocity = {8, 0, 0};
  ball.radius = 0.3;
  ball.mass = 2;
  Hand hand;
  hand.scene = scene.name;
  hand.events = {{3, ball}};
  const HandRun run =
      record_run(scene, {}, 1, hand, 8, folder.path("run.h5"), [] { return false; });
  EXPECT_EQ(run.steps, 8);
  const io::FrameReader reader(folder.path("run.h5"));
  const io::ModelColumns model = reader.model();
  ASSERT_EQ(model.body_ids.size(), scene.bodies.size() + 1);
  EXPECT_EQ(model.body_names.back().str(), "ball 1");
  EXPECT_EQ(model.shape_kinds.back(), io::ModelColumns::Kind::sphere);
  EXPECT_EQ(model.shape_sizes(model.shape_sizes.rows() - 1, 0), 0.3);
  EXPECT_EQ(reader.counts(2).bodies + 1, reader.counts(3).bodies);
  EXPECT_EQ(reader.events().size(), 1u);
  EXPECT_TRUE(view::rerun(folder.path("run.h5")).same());
  EXPECT_THAT(scratch::complaint([&] { perpend::rerun(folder.path("run.h5")); }),
              testing::HasSubstr("a hand was in this run"));
}

}  // namespace playback_test
