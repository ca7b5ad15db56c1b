// Solutions stored beside the frames come back as they were; the frames stay untouched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace solutions_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Record> records() {
  return {full_record(3, 4, {2}, 1), bare_record(2, 0, {}, 2), bare_record(4, 3, {1, 1}, 3)};
}

void write(const std::string& path) {
  FrameWriter writer(path, {}, 8);
  for (const Record& record : records()) writer.append(record);
  writer.close();
}

// Covers frames 2 and 0, in this order; the second with a history.
StoredSolution sample(const std::string& name, std::uint64_t seed) {
  Numbers numbers(seed);
  StoredSolution s;
  s.name = name;
  s.facets = 8;
  for (std::int64_t frame : {2, 0}) {
    const Frame f = records()[static_cast<std::size_t>(frame)].frame;
    s.frames.push_back(frame);
    s.z.push_back(numbers.fill<Rows3>(f.contacts.count(), 3));
    s.z_joints.push_back(numbers.fill<VectorXd>(f.joints.row_count(), 1));
    Result result;
    result.status = frame ? Status::stalled : Status::converged;
    result.message = frame ? "step below 1e-14 after 212 iterations" : "";
    result.path = name;
    result.formulation = name.substr(0, name.find('/'));
    result.iterations = 212 + frame;
    result.work = {1, 2, 3, 4 + frame};
    result.seconds = numbers.next();
    result.formulation_seconds = numbers.next();
    result.transfer_seconds = numbers.next();
    result.reproducible = frame == 0;
    result.z = numbers.fill<VectorXd>(7 * (frame + 1), 1);
    result.errors[Measure::velocity_error] = numbers.next();  // the others stay unknown
    for (long i = 0; frame == 0 && i < 3; ++i) {
      HistoryPoint point;
      point.iteration = i;
      point.seconds = numbers.next();
      point.restart = i == 1;
      point.errors[Measure::own_error] = numbers.next();
      point.iterate[Measure::pgs_merit] = numbers.next();
      result.history.push_back(point);
    }
    s.results.push_back(result);
  }
  return s;
}

void expect_errors(const Errors& a, const Errors& b) {
  for (const MeasureInfo& info : measures()) {
    EXPECT_EQ(a.has(info.measure), b.has(info.measure)) << info.name;
    if (a.has(info.measure)) {
      EXPECT_EQ(a[info.measure], b[info.measure]) << info.name;
    }
  }
}

void expect_solution(const StoredSolution& a, const StoredSolution& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.z_joints, b.z_joints);
  EXPECT_EQ(a.facets, b.facets);
  ASSERT_EQ(a.results.size(), b.results.size());
  for (std::size_t i = 0; i < a.results.size(); ++i) {
    const Result &x = a.results[i], &y = b.results[i];
    EXPECT_EQ(x.status, y.status);
    EXPECT_EQ(x.message, y.message);
    EXPECT_EQ(x.path, y.path);
    EXPECT_EQ(x.formulation, y.formulation);
    EXPECT_EQ(x.iterations, y.iterations);
    EXPECT_EQ(x.work, y.work);
    EXPECT_EQ(x.seconds, y.seconds);
    EXPECT_EQ(x.formulation_seconds, y.formulation_seconds);
    EXPECT_EQ(x.transfer_seconds, y.transfer_seconds);
    EXPECT_EQ(x.reproducible, y.reproducible);
    EXPECT_EQ(x.z, y.z);
    expect_errors(x.errors, y.errors);
    ASSERT_EQ(x.history.size(), y.history.size());
    for (std::size_t k = 0; k < x.history.size(); ++k) {
      EXPECT_EQ(x.history[k].iteration, y.history[k].iteration);
      EXPECT_EQ(x.history[k].seconds, y.history[k].seconds);
      EXPECT_EQ(x.history[k].restart, y.history[k].restart);
      expect_errors(x.history[k].errors, y.history[k].errors);
      expect_errors(x.history[k].iterate, y.history[k].iterate);
    }
  }
}

void expect_frames(const std::string& path) {
  const FrameReader reader(path);
  ASSERT_EQ(reader.frames(), 3);
  std::vector<Record> expected = records();
  for (Index i = 0; i < 3; ++i)
    expect_same(expected[static_cast<std::size_t>(i)], reader.read(i), std::to_string(i));
}

TEST(Solutions, ComeBackAsTheyWereStored) {
  const TemporaryFile file;
  write(file);
  EXPECT_THAT(FrameReader(file).solutions(), ElementsAre());
  const StoredSolution lemke = sample("lcp/lemke", 1), pgs = sample("ncp/pgs", 2),
                       nncg = sample("ncp/nncg", 3);
  for (const StoredSolution& s : {lemke, pgs, nncg}) add_solution(file, s);
  EXPECT_THAT(FrameReader(file).solutions(), ElementsAre("lcp/lemke", "ncp/nncg", "ncp/pgs"));
  expect_solution(read_solution(file, "lcp/lemke"), lemke);
  expect_solution(read_solution(file, "ncp/pgs"), pgs);
  expect_solution(read_solution(file, "ncp/nncg"), nncg);
  expect_frames(file);
  EXPECT_THAT(validate(file), ElementsAre());
}

TEST(Solutions, ANewerOneReplacesTheOlder) {
  const TemporaryFile file;
  write(file);
  add_solution(file, sample("ncp/pgs", 1));
  add_solution(file, sample("ncp/pgs", 2));
  EXPECT_THAT(FrameReader(file).solutions(), ElementsAre("ncp/pgs"));
  expect_solution(read_solution(file, "ncp/pgs"), sample("ncp/pgs", 2));
}

TEST(Solutions, EveryStatusHasAName) {
  const TemporaryFile file;
  write(file);
  for (int i = 0; i <= static_cast<int>(Status::invalid_input); ++i) {
    StoredSolution s = sample("ncp/pgs", 1);
    s.results[0].status = static_cast<Status>(i);
    add_solution(file, s);
    EXPECT_EQ(read_solution(file, "ncp/pgs").results[0].status, static_cast<Status>(i));
  }
}

TEST(Solutions, LieInTheFramesLayoutToo) {
  const TemporaryFile file, frames_file;
  write(file);
  add_solution(file, sample("ncp/pgs", 1));
  write_frames_layout(FrameReader(file), frames_file);
  add_solution(frames_file, sample("mlcp/path", 2));
  EXPECT_THAT(FrameReader(frames_file).solutions(), ElementsAre("mlcp/path", "ncp/pgs"));
  expect_solution(read_solution(frames_file, "ncp/pgs"), sample("ncp/pgs", 1));
  expect_solution(read_solution(frames_file, "mlcp/path"), sample("mlcp/path", 2));
  expect_frames(frames_file);
  EXPECT_THAT(validate(frames_file), ElementsAre());
}

TEST(Solutions, KeepTheRightsOfTheFile) {
  const TemporaryFile file;
  write(file);
  using std::filesystem::perms;
  const perms rights = perms::owner_read | perms::owner_write | perms::group_read;
  std::filesystem::permissions(file.path(), rights);
  add_solution(file, sample("ncp/pgs", 1));
  EXPECT_EQ(std::filesystem::status(file.path()).permissions(), rights);
}

TEST(Solutions, AreRefusedBeforeAnythingIsTouched) {
  const TemporaryFile file;
  write(file);
  const std::string before = test::contents(file);
  StoredSolution wrong = sample("ncp/pgs", 1);
  wrong.frames[0] = 3;
  EXPECT_EQ(test::complaint([&] { add_solution(file, wrong); }),
            file.path() + ": /solutions/ncp/pgs: covers frame 3, which the file does not have");
  wrong = sample("ncp/pgs", 1);
  wrong.z[1].resize(1, 3);
  EXPECT_THAT(test::complaint([&] { add_solution(file, wrong); }),
              HasSubstr("does not fit frame 0 with 4 contacts and 2 joint rows"));
  for (const char* name : {"pgs", "/pgs", "ncp/", "a/b/c", "../x"}) {
    wrong = sample("ncp/pgs", 1);
    wrong.name = name;
    EXPECT_THAT(test::complaint([&] { add_solution(file, wrong); }),
                HasSubstr("the name of a solution is formulation/method"));
  }
  EXPECT_EQ(test::complaint([&] { read_solution(file, "ncp/pgs"); }),
            file.path() + ": /solutions/ncp/pgs: is missing");
  EXPECT_EQ(test::contents(file), before);
}

TEST(Solutions, DamagedOnesAreNamed) {
  const TemporaryFile file;
  write(file);
  add_solution(file, sample("ncp/pgs", 1));
  {
    const h5::File opened = h5::File::open_for_writing(file);
    const h5::Dataset offsets(opened, "/solutions/ncp/pgs/offsets");
    std::vector<std::int64_t> numbers =
        h5::read_all<std::int64_t>(opened, "/solutions/ncp/pgs/offsets", {8});
    numbers[4] = 1000;
    ASSERT_GE(H5Dwrite(offsets, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
              0);
  }
  const std::string line = file.path() + ": /solutions/ncp/pgs/offsets: row 0 is out of range";
  EXPECT_EQ(test::complaint([&] { read_solution(file, "ncp/pgs"); }), line);
  EXPECT_THAT(validate(file), ElementsAre(line));
}

}  // namespace solutions_test
}  // namespace perpend::io
