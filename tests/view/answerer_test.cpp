// What runs inside a page that carries its recording: it answers as the program that reads the file
// does.
#include "view/answerer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "perpend/sim.hpp"
#include "support/scratch.hpp"

namespace answerer_test {

using namespace perpend;
using namespace perpend::view;
using Json = nlohmann::json;

std::vector<std::unique_ptr<Recording>> one(std::unique_ptr<Frames> frames) {
  std::vector<std::unique_ptr<Recording>> out;
  out.push_back(std::make_unique<Recording>(std::move(frames)));
  return out;
}

// A stack that a poor solver holds, as a file and as a page has it.
class Carried {
 public:
  Carried() {
    std::string why;
    SimulateOptions options;
    options.step.solver = "box/pgs";
    options.step.solve.max_iterations = 3;
    options.steps = 6;
    options.out = path();
    simulate(*scene_named("stack:3", 1, why), options);
  }
  std::string path() const { return folder_.path("run.h5"); }
  Answerer answerer(const std::vector<Index>* frames = nullptr, bool trajectory = false) const {
    io::LoadedRecording loaded = load_recording(path(), frames);
    if (trajectory) io::keep_trajectory(loaded);
    return Answerer(one(frames_in_memory(io::unpack(io::pack(loaded), "page"))));
  }

 private:
  scratch::Folder folder_;
};

template <class What>
What message(const Bytes& bytes) {
  std::string why;
  return std::get<What>(decoded(bytes.data(), bytes.size(), why));
}
template <class What>
What answer(Answerer& answerer, const Message& question) {
  const Bytes bytes = encoded(question);
  return message<What>(answerer.heard(bytes.data(), bytes.size()).at(0));
}

TEST(Answerer, ShowsTheFramesOfTheFile) {
  const Carried carried;
  Answerer answerer = carried.answerer();
  const Answerer::Answers first = answerer.joined();
  ASSERT_EQ(first.size(), 3u);
  const Json about = Json::parse(message<RecordingMessage>(first[0]).json);
  EXPECT_EQ(about["recordings"][0]["frames"], 6);
  EXPECT_EQ(about["recordings"][0]["forms"], Json({"jsonl"}));
  EXPECT_EQ(about["solvers"][0]["name"], "recorded");
  Recordings read(one(frames_of_file(carried.path())));
  ShowFrame show;
  for (show.frame = 0; show.frame < 6; ++show.frame)
    EXPECT_EQ(encoded(answer<FrameMessage>(answerer, show)), encoded(read.frame(show.frame)));
}

TEST(Answerer, ChosenFramesKeepTheirNumbers) {
  const Carried carried;
  const std::vector<Index> frames = {2, 5};
  Answerer answerer = carried.answerer(&frames);
  const Json about = Json::parse(message<RecordingMessage>(answerer.joined()[0]).json);
  EXPECT_EQ(about["recordings"][0]["numbers"], Json({2, 5}));
  EXPECT_EQ(answer<SavedMessage>(answerer, SaveFrame{0, 1, "jsonl"}).name, "run-frame5.jsonl");
}

TEST(Answerer, SolvesAndMeasuresWhatIsRecorded) {
  const Carried carried;
  Answerer answerer = carried.answerer();
  const auto solved = answer<SolvedMessage>(answerer, SolveFrame{0, 5, "ncp/auto", 1000, 1e-8});
  EXPECT_EQ(Json::parse(solved.json)["status"], "converged");
  EXPECT_EQ(answer<IterateMessage>(answerer, ShowIterate{0}).forces.size(), solved.forces.size());
  const Json recorded =
      Json::parse(answer<SolvedMessage>(answerer, SolveFrame{0, 4, "recorded", 1, 1e-8}).json);
  EXPECT_EQ(recorded["status"], "stalled");
  EXPECT_EQ(recorded["errors"]["velocity_error"],
            recorded_error(io::FrameReader(carried.path()).read(4)));
}

TEST(Answerer, FindsOutWhatNobodyAskedFor) {
  const Carried carried;
  io::LoadedRecording loaded = load_recording(carried.path(), nullptr);
  for (io::Record& record : loaded.records)
    record.answer.errors[Measure::velocity_error] = std::numeric_limits<double>::quiet_NaN();
  Answerer answerer(one(frames_in_memory(loaded)));
  answerer.joined();
  TimelineMessage last;
  for (bool more = true; more;)
    for (const Bytes& bytes : answerer.look_ahead(more)) last = message<TimelineMessage>(bytes);
  EXPECT_EQ(last.left, 0);
  ASSERT_EQ(last.errors.size(), 6u);
  EXPECT_EQ(last.errors[4],
            static_cast<float>(recorded_error(io::FrameReader(carried.path()).read(4))));
}

TEST(Answerer, ATrajectoryPlaysAndSolvesNothing) {
  const Carried carried;
  Answerer answerer = carried.answerer(nullptr, true);
  const Json about = Json::parse(message<RecordingMessage>(answerer.joined()[0]).json);
  EXPECT_EQ(about["recordings"][0]["solvable"], false);
  EXPECT_EQ(about["recordings"][0]["forms"], Json::array());
  EXPECT_EQ(answer<FrameMessage>(answerer, ShowFrame{3}).frame, 3);
  EXPECT_EQ(answer<NoticeMessage>(answerer, SolveFrame{0, 3, "ncp/auto", 10, 1e-8}).words,
            "this page has the trajectory only: there is nothing to solve");
  bool more = true;
  EXPECT_TRUE(answerer.look_ahead(more).empty());
  EXPECT_FALSE(more);
}

TEST(Answerer, EveryQuestionHasAnAnswer) {
  const Carried carried;
  Answerer answerer = carried.answerer();
  const auto refused = [&](const Message& question) {
    return answer<NoticeMessage>(answerer, question).words;
  };
  EXPECT_EQ(refused(ShowIterate{0}), "show_iterate: no frame was solved yet");
  EXPECT_EQ(refused(SolveFrame{1, 0, "ncp/auto", 10, 1e-8}), "recording 1: there are 1");
  EXPECT_EQ(refused(SolveFrame{0, 6, "ncp/auto", 10, 1e-8}),
            "there is no such frame: recording 0 has 6");
  EXPECT_EQ(refused(SaveFrame{0, 0, "h5"}),
            "no standard file can be written here: save the frame as a JSON line");
  EXPECT_EQ(refused(Play{}), "play: not with a recording");
  const std::uint8_t nonsense[] = {63, 1};
  EXPECT_EQ(message<NoticeMessage>(answerer.heard(nonsense, 2).at(0)).words,
            "an unknown kind of message");
}

TEST(Answerer, JsonLinesAreARecordingToo) {
  const Carried carried;
  io::Record record = io::FrameReader(carried.path()).read(3);
  record.name = "the fourth";
  std::istringstream text(io::to_json_line(record));
  Answerer answerer(one(frames_in_memory(io::load_json_lines(text, "one.jsonl"))));
  const Json about = Json::parse(message<RecordingMessage>(answerer.joined()[0]).json);
  EXPECT_EQ(about["recordings"][0]["file"], "one.jsonl");
  EXPECT_EQ(Json::parse(answer<FrameMessage>(answerer, ShowFrame{0}).json)[0]["title"],
            "the fourth");
}

}  // namespace answerer_test
