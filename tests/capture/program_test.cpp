// The program of every recorder, run with an engine made of a few numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "capture/proof.hpp"
#include "io/files.hpp"
#include "perpend/capture.hpp"
#include "perpend/io/inputs.hpp"

namespace perpend::capture {
namespace program_test {

using Json = nlohmann::json;

// A ball of 1 kg that falls: v+ = v + h g. Every third step somebody else answers.
class Falling : public Run {
 public:
  explicit Falling(const Task& task) : task_(task) {}
  io::Header header() const override {
    io::Header out;
    out.engine = "falling";
    out.engine_version = "1";
    out.answerers = {"exact", "by hand"};
    return out;
  }
  double h() const override { return task_.h > 0 ? task_.h : 0.5; }
  RecordedStep step() override {
    const double before = v_;
    v_ -= 10 * h();
    ++steps_;
    if (!task_.recorded) return {};
    io::Record record;
    record.frame = make_frame(1, 0);
    record.frame.step = h();
    record.frame.bodies.masses << 1;
    record.frame.bodies.velocities(0, 2) = before;
    record.frame.bodies.forces(0, 2) = -10;
    record.answer.velocities_plus = Rows6::Zero(1, 6);
    record.answer.velocities_plus(0, 2) = v_;
    record.answer.answered = steps_ % 3 == 0 ? "by hand" : "exact";
    return {std::move(record), 0, {}};
  }
  std::uint64_t hash() const override { return task_.recorded && task_.solver == "biased"; }

 private:
  Task task_;
  double v_ = 0;
  int steps_ = 0;
};

Engine falling() {
  Engine out;
  out.name = "falling";
  out.title = "an engine of one ball";
  out.solvers = {{"exact", "exact"}, {"biased", "changed by recording"}};
  out.files = {".ball"};
  out.make = [](const Task& task) -> std::unique_ptr<Run> {
    for (const Body& body : task.scene.bodies)
      if (body.shape.type == Shape::Type::cone)
        throw io::InputError(task.scene.name + ": body '" + body.name + "': no cones here");
    return std::make_unique<Falling>(task);
  };
  return out;
}

struct Said {
  int code;
  std::vector<Json> lines;
  const Json& last() const { return lines.back(); }
};
Said run_program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "perpend-capture-falling");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  testing::internal::CaptureStdout();
  Said out{program(falling(), static_cast<int>(argv.size()), argv.data()), {}};
  std::istringstream text(testing::internal::GetCapturedStdout());
  for (std::string line; std::getline(text, line);) out.lines.push_back(Json::parse(line));
  return out;
}

class Program : public testing::Test {
 protected:
  std::string scene(Shape::Type type = Shape::Type::sphere) const {
    Scene ball;
    ball.name = "ball";
    ball.bodies.resize(1);
    ball.bodies[0].name = "the ball";
    ball.bodies[0].shape.type = type;
    ball.bodies[0].mass = 1;
    ball.steps = 9;
    io::release(folder_.path("ball.json"));  // an input of the program that ran before
    io::write_scene(ball, folder_.path("ball.json"));
    return folder_.path("ball.json");
  }
  std::string out() const { return folder_.path("run.h5"); }
  io::test::Scratch folder_;
};

TEST_F(Program, RunsTheSceneAndSumsItUp) {
  const Said said = run_program({scene(), "--out", out()});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.lines.front(), Json::parse(R"({"step": 0, "steps": 9})"));
  const Json& summary = said.last().at("summary");
  EXPECT_EQ(summary.at("engine"), "falling");
  EXPECT_EQ(summary.at("steps"), 9);
  EXPECT_EQ(summary.at("answered"), Json::parse(R"({"exact": 6, "by hand": 3})"));
  EXPECT_EQ(summary.at("fallbacks"), 3);
  EXPECT_LT(summary.at("momentum_gap"), 1e-15);
  EXPECT_TRUE(summary.at("max_iterations").is_null());
  EXPECT_FALSE(summary.contains("same_without_recording"));
  const io::FrameReader reader(out());
  EXPECT_EQ(reader.frames(), 9);
  EXPECT_EQ(reader.read(2).answer.answered, "by hand");
  EXPECT_EQ(reader.header().scene, "ball");
  EXPECT_EQ(io::recipe_of(reader.header(), "file").at("solver"), "exact");
  EXPECT_EQ(io::validate(out()), std::vector<std::string>{});
}

TEST_F(Program, RefusesALimitOfIterationsThatTheSolverDoesNotHave) {
  const Said said = run_program({scene(), "--out", out(), "--max-iterations", "40"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.last().at("error"),
            "--max-iterations: solver 'exact' of an engine of one ball has no limit of iterations");
  EXPECT_FALSE(std::ifstream(out()).good());
}

TEST_F(Program, ComparesWithARunThatIsNotRecorded) {
  EXPECT_EQ(run_program({scene(), "--out", out(), "--compare"})
                .last()
                .at("summary")
                .at("same_without_recording"),
            true);
  const Said biased = run_program({scene(), "--out", out(), "--compare", "--solver", "biased"});
  EXPECT_EQ(biased.last().at("summary").at("same_without_recording"), false);
  EXPECT_TRUE(biased.last().at("summary").contains("plain_step_ms"));
}

TEST_F(Program, GivesTheEngineAFileItReadsItself) {
  const std::string own = folder_.path("mine.ball");
  std::ofstream(own) << "whatever it likes";
  const Said said = run_program({own, "--out", out(), "--steps", "4"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.last().at("summary").at("scene"), "mine.ball");
  EXPECT_EQ(said.last().at("summary").at("dt"), 0.5);
  const io::Header header = io::FrameReader(out()).header();
  EXPECT_EQ(header.scene_json, "");
  EXPECT_EQ(io::recipe_of(header, "file").at("file"), own);
}

TEST_F(Program, SaysInOneLineWhatTheEngineCannotExpress) {
  const Said said = run_program({scene(Shape::Type::cone), "--out", out()});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.last(), Json::parse(R"({"error": "ball: body 'the ball': no cones here"})"));
  EXPECT_FALSE(std::ifstream(out()).good());
}

TEST_F(Program, RefusesWrongUsage) {
  const auto why = [](const Said& said) {
    EXPECT_EQ(said.code, 2);
    return said.last().at("error").get<std::string>();
  };
  EXPECT_THAT(why(run_program({scene()})), testing::HasSubstr("--out"));
  EXPECT_THAT(why(run_program({"--out", out()})), testing::HasSubstr("SCENE"));
  EXPECT_THAT(why(run_program({scene(), "--out", out(), "--solver", "lemke"})),
              testing::HasSubstr("lemke"));
  EXPECT_THAT(why(run_program({folder_.path("none.json"), "--out", out()})),
              testing::HasSubstr("none.json"));
  EXPECT_THAT(why(run_program({scene(), "--out", "/nowhere/run.h5"})),
              testing::HasSubstr("/nowhere/run.h5"));
}

TEST_F(Program, DescribesTheEngine) {
  const Said said = run_program({"--describe"});
  EXPECT_EQ(said.code, 0);
  const Json& engine = said.last().at("engine");
  EXPECT_EQ(engine.at("name"), "falling");
  EXPECT_EQ(engine.at("files"), Json::parse(R"([".ball"])"));
  EXPECT_EQ(engine.at("solvers")[1].at("name"), "biased");
}

}  // namespace program_test
}  // namespace perpend::capture
