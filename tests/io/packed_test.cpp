// Recordings as the bytes of a page: every bit comes back, and bytes that are none are refused.
#include "perpend/io/packed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "io/sample_records.hpp"

namespace perpend::io {
namespace packed_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

LoadedRecording recording_of(std::vector<Record> records) {
  LoadedRecording out;
  out.name = "run </script>.h5";
  out.header.engine = "an engine";
  out.header.scene_json = "{}";
  out.header.answerers = {"ncp/pgs", "box/pgs"};
  out.header.stepper = Stepper::ap;
  out.model.body_ids = {1000, 993};
  out.model.body_names = {NameText("floor"), NameText("<b>\xff")};
  out.records = std::move(records);
  for (std::size_t i = 0; i < out.records.size(); ++i)
    out.numbers.push_back(static_cast<std::int64_t>(3 * i));
  return out;
}

void expect_round_trip(const LoadedRecording& recording) {
  const LoadedRecording back = unpack(pack(recording), "page");
  EXPECT_EQ(back.name, recording.name);
  EXPECT_EQ(back.numbers, recording.numbers);
  EXPECT_EQ(back.header.engine, recording.header.engine);
  EXPECT_EQ(back.header.scene_json, recording.header.scene_json);
  EXPECT_EQ(back.header.answerers, recording.header.answerers);
  EXPECT_EQ(back.header.stepper, recording.header.stepper);
  EXPECT_EQ(back.model.body_ids, recording.model.body_ids);
  EXPECT_EQ(back.model.body_names, recording.model.body_names);
  ASSERT_EQ(back.records.size(), recording.records.size());
  for (std::size_t i = 0; i < back.records.size(); ++i) {
    expect_same(back.records[i], recording.records[i], "frame " + std::to_string(i));
    EXPECT_EQ(back.records[i].name, recording.records[i].name);
  }
}

TEST(Packed, EveryColumnComesBackBitForBit) {
  std::vector<Record> records;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    records.push_back(full_record(5, 7, {3, 1}, seed, 3));
  records[1].answer.answered = "box/pgs";
  records[2].name = "the third";
  expect_round_trip(recording_of(records));
}

TEST(Packed, FramesNeedNotBeAlike) {
  // Bodies and contacts come, go and change places; columns are there and not.
  std::vector<Record> records = {full_record(5, 7, {3}, 1, 3), bare_record(3, 0, {}, 2),
                                 full_record(6, 2, {}, 3, 3),  bare_record(6, 9, {2, 2}, 4),
                                 full_record(4, 9, {1}, 5, 3), Record(),
                                 full_record(5, 7, {3}, 6, 3)};
  Bodies& bodies = records[6].frame.bodies;
  std::reverse(bodies.ids.begin(), bodies.ids.end());
  std::reverse(records[6].frame.contacts.ids.begin(), records[6].frame.contacts.ids.end());
  records[4].frame.contacts.ids.assign(9, 7);  // nobody says that ids differ
  expect_round_trip(recording_of(records));
  expect_round_trip(recording_of({bare_record(2, 1, {}, 1)}));
  expect_round_trip(recording_of({}));
}

TEST(Packed, NumbersThatAreNoneStayAsTheyAre) {
  Record record = full_record(3, 2, {1}, 1, 3);
  record.frame.bodies.forces(1, 2) = kNaN;
  record.frame.bodies.positions(0, 0) = -0.0;
  record.frame.bodies.velocities(2, 5) = std::numeric_limits<double>::infinity();
  record.frame.contacts.normals.setZero();  // no tangents follow from these
  record.frame.contacts.gap[0] = std::numeric_limits<double>::denorm_min();
  record.frame.time = kNaN;
  expect_round_trip(recording_of({record, record}));
}

TEST(Packed, WhatStaysTheSameBecomesZeros) {
  const std::vector<Record> records(50, full_record(20, 60, {}, 1, 3));
  const std::string bytes = pack(recording_of(records));
  EXPECT_GT(std::count(bytes.begin(), bytes.end(), '\0'),
            static_cast<std::ptrdiff_t>(bytes.size()) * 95 / 100);
}

TEST(Packed, ATrajectoryHasPosesAndNothingToSolve) {
  LoadedRecording recording = recording_of(
      {full_record(5, 7, {3}, 1, 3), full_record(4, 2, {}, 2, 3), full_record(5, 0, {}, 3, 3)});
  const std::size_t whole = pack(recording).size();
  const Rows3 positions = recording.records[1].frame.bodies.positions;
  keep_trajectory(recording);
  const std::string bytes = pack(recording);
  EXPECT_LT(bytes.size(), whole);
  const LoadedRecording back = unpack(bytes, "page");
  EXPECT_TRUE(back.trajectory);
  const Frame& frame = back.records[1].frame;
  EXPECT_EQ(frame.bodies.positions, positions.cast<float>().cast<double>());
  EXPECT_EQ(frame.bodies.velocities, Rows6::Zero(4, 6));
  EXPECT_EQ(frame.contacts.count(), 0);
  EXPECT_EQ(frame.time, recording.records[1].frame.time);
}

TEST(Packed, DamagedBytesAreRefused) {
  const std::string bytes =
      pack(recording_of({full_record(3, 2, {1}, 1, 3), full_record(3, 4, {}, 2, 3)}));
  EXPECT_THROW(unpack("", "page"), InputError);
  EXPECT_THROW(unpack("perpend packed 2", "page"), InputError);
  for (std::size_t size = 0; size < bytes.size(); size += 13)
    EXPECT_THROW(unpack(std::string_view(bytes).substr(0, size), "page"), InputError) << size;
  // Any byte may be wrong: another recording, or an error that says so.
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(~wrong[at]);
    try {
      unpack(wrong, "page");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("page: "));
    }
  }
}

TEST(Packed, AnUnknownColumnIsNamedInOneLine) {
  std::string bytes = pack(recording_of({full_record(3, 2, {1}, 1, 3)}));
  bytes[bytes.find("bodies/masses")] = '\n';
  try {
    unpack(bytes, "page");
    FAIL() << "it was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "page: has the unknown column \\nodies/masses");
  }
}

TEST(Packed, JsonLinesBringTheirShapes) {
  Record first = bare_record(2, 1, {}, 1), second = bare_record(3, 1, {}, 2);
  const auto describe = [](Record& record, std::vector<std::int64_t> ids) {
    for (const std::int64_t id : ids) {
      record.model.body_ids.push_back(id);
      record.model.body_names.emplace_back("body " + std::to_string(id));
    }
  };
  describe(first, {1000, 993});
  describe(second, {1000, 993, 986});
  std::istringstream text(to_json_line(first) + "\n# a comment\n" + to_json_line(second) + "\n");
  const LoadedRecording loaded = load_json_lines(text, "two.jsonl");
  EXPECT_EQ(loaded.model.body_ids, (Integers{1000, 993, 986}));
  EXPECT_EQ(loaded.numbers, (Integers{0, 1}));
  EXPECT_EQ(loaded.model.body_names[2].str(), "body 986");
}

}  // namespace packed_test
}  // namespace perpend::io
