// What a step was asked for in place of what the geometry says, and the velocity of surfaces: two
// columns that a file has only when a frame needs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"
#include "perpend/io/packed.hpp"

namespace perpend::io {
namespace asked_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Record asked(std::uint64_t seed = 5) {
  Record record = bare_record(3, 2, {1, 2}, seed);
  record.frame.contacts.push = Eigen::Vector2d(-0.01, 0.5);
  record.frame.contacts.surface_velocity = Rows3::Zero(2, 3);
  record.frame.contacts.surface_velocity.row(1) << 0.25, -1, 3e-9;
  return record;
}
Record ordinary(std::uint64_t seed) { return bare_record(3, 2, {1, 2}, seed); }

void write(const std::vector<Record>& records, const std::string& path, std::int64_t version = 1) {
  Header header;
  header.format_version = version;
  header.scene = "a scene";
  header.simulate = "{\"dt\": \"1\"}";
  FrameWriter writer(path, header, 64);
  for (const Record& record : records) writer.append(record);
  writer.close("0123456789abcdef");
}

bool has(const std::string& path, const std::string& dataset) {
  const h5::Silence quiet;
  return h5::find(h5::File::open(path), dataset) != h5::Found::nothing;
}

TEST(Asked, ComesBackInBothLayoutsWithVersionThree) {
  const test::Scratch folder;
  const std::string columns = folder.path("c.h5"), frames = folder.path("f.h5");
  const std::vector<Record> records{ordinary(1), asked(2), ordinary(3), asked(4)};
  write(records, columns, 3);
  write_frames_layout(FrameReader(columns), frames);
  for (const std::string& path : {columns, frames}) {
    const FrameReader reader(path);
    EXPECT_EQ(reader.format_version(), 3);
    ASSERT_EQ(reader.frames(), 4);
    for (std::size_t i = 0; i < records.size(); ++i)
      expect_same(reader.read(static_cast<Index>(i)), records[i], path);
    EXPECT_THAT(validate(path), IsEmpty());
  }
  EXPECT_FALSE(has(frames, "/frames/000000/contacts/push")) << "a frame without it";
}

TEST(Asked, FilesWithoutItStayAsTheyWere) {
  const test::Scratch folder;
  const std::string columns = folder.path("c.h5"), frames = folder.path("f.h5");
  write({ordinary(1)}, columns);
  write_frames_layout(FrameReader(columns), frames);
  for (const std::string& path : {columns, frames}) {
    EXPECT_EQ(FrameReader(path).format_version(), 1);
    for (const char* name : {"/contacts/push", "/contacts/surface_velocity"}) {
      EXPECT_FALSE(has(path, name));
      EXPECT_FALSE(has(path, std::string("/frames/000000") + name));
    }
  }
}

// An overlap may come at any time, and what a file will hold is made before its first frame.
TEST(Asked, MakesTheFileANewerOneWhenItIsNeeded) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  std::vector<Record> records;
  for (std::uint64_t seed = 1; seed <= 70; ++seed) records.push_back(ordinary(seed));
  records.front().model.body_ids = {1000, 993};
  records.front().model.body_names = {NameText("floor"), NameText("ball")};
  records[1].events = {EventText(R"({"step": 1, "kind": "cut"})")};
  records.push_back(asked(71));
  records.back().model.body_ids = {986};
  records.back().model.body_names = {NameText("late")};
  records.back().events = {EventText(R"({"step": 70, "kind": "cut"})")};
  records.push_back(ordinary(72));
  write(records, path);
  const FrameReader reader(path);
  EXPECT_EQ(reader.format_version(), 3);
  EXPECT_EQ(reader.header().scene, "a scene");
  EXPECT_EQ(reader.header().simulate, "{\"dt\": \"1\"}");
  EXPECT_EQ(reader.header().state_hash, "0123456789abcdef");
  EXPECT_EQ(reader.model().body_ids, (Integers{1000, 993, 986}));
  EXPECT_EQ(reader.model().body_names.back().str(), "late");
  EXPECT_THAT(reader.events(), ElementsAre(HasSubstr("\"step\": 1,"), HasSubstr("70")));
  ASSERT_EQ(reader.frames(), 72);
  for (Index i = 0; i < 72; ++i) {
    records[static_cast<std::size_t>(i)].model = {};
    records[static_cast<std::size_t>(i)].events.clear();
    expect_same(reader.read(i), records[static_cast<std::size_t>(i)], std::to_string(i));
  }
  EXPECT_THAT(validate(path), IsEmpty());
}

TEST(Asked, IsRefusedInAFileThatSaysVersionTwo) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  write({asked()}, path);
  {
    const h5::Silence quiet;
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const h5::Handle attribute(H5Aopen(file, "format_version", H5P_DEFAULT), H5Aclose);
    const std::int64_t two = 2;
    ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &two), 0);
  }
  EXPECT_THAT(test::complaint([&] { FrameReader(path).read(0); }),
              HasSubstr("/contacts/push: needs format_version 3, the file says 2"));
}

TEST(Asked, ComesBackInJsonLinesAndPages) {
  const test::Scratch folder;
  const std::string path = folder.path("c.jsonl");
  write_json_lines({ordinary(1), asked()}, path);
  const JsonLines lines(path);
  EXPECT_EQ(lines.format_version(), 3);
  expect_same(lines.read(1), asked(), "lines");
  expect_same(lines.read(0), ordinary(1), "lines");
  LoadedRecording page;
  page.records = {ordinary(1), asked(), ordinary(2)};
  page.numbers = {0, 1, 2};
  const LoadedRecording back = unpack(pack(page), "page");
  for (std::size_t i = 0; i < 3; ++i) expect_same(back.records[i], page.records[i], "page");
}

TEST(Asked, IsANumberForEachContact) {
  Record record = asked();
  record.frame.contacts.push[1] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(invalid(record), HasSubstr("contacts/push row 1 is not finite"));
  record = asked();
  record.frame.contacts.surface_velocity.resize(1, 3);
  EXPECT_THAT(invalid(record), HasSubstr("contacts/surface_velocity has 1 rows, expected 2"));
}

// ---- x1 + r1 + psi n = x2 + r2 ----

// 1000 km from the origin, where float64 has 1e-10 m and float32 0.06 m.
Record two_points(double far = 1e6) {
  Record record = ordinary(9);
  record.frame.bodies.positions.array() += far;
  Contacts& k = record.frame.contacts;
  k.points2.resize(2, 3);
  for (Index i = 0; i < 2; ++i) k.points2.row(i) = place_on_second(record.frame, i);
  return record;
}

// What is said about the file of a record, complaints before notes.
std::vector<std::string> said(const Record& record, const std::string& engine,
                              std::int64_t scalar_bytes = 8) {
  const TemporaryFile file;
  Header header;
  header.engine = engine;
  header.scalar_bytes = scalar_bytes;
  {
    FrameWriter writer(file, header, 64);
    writer.append(record);
    writer.close();
  }
  std::vector<std::string> notes, all = validate(file, &notes);
  for (std::string& note : notes) all.push_back("note: " + note);
  return all;
}

TEST(Validate, SeesThatTheTwoPointsOfAContactAreTheGapApart) {
  Record moved = two_points();
  moved.frame.contacts.points2(1, 0) += 1e-6;
  const std::string what = "contacts/points2: x2 + r2 is up to 1e-06 m from x1 + r1 + psi n";
  for (const char* engine : {"perpend", "bullet"}) {
    EXPECT_THAT(said(two_points(), engine), IsEmpty());
    EXPECT_THAT(said(moved, engine, 4), IsEmpty()) << "what float32 rounds away";
  }
  EXPECT_THAT(said(moved, "perpend"),
              ElementsAre(HasSubstr("frame 0: contacts/points2 row 1: x2 + r2 is 1e-06 m from")));
  EXPECT_THAT(said(moved, "bullet"), ElementsAre(HasSubstr("note: " + what)));
}

TEST(Validate, AllowsEnginesOnePointForBothBodiesAndNotesPointsThatDrift) {
  Record one = two_points(0), drifted = two_points(0);
  for (Index i = 0; i < 2; ++i) {
    const Tangents axes = tangents(one.frame.contacts.normals.row(i).transpose());
    one.frame.contacts.points2.row(i) -=
        one.frame.contacts.gap[i] * one.frame.contacts.normals.row(i);
    drifted.frame.contacts.points2.row(i) += 0.05 * axes.t.transpose();
  }
  EXPECT_THAT(said(one, "ode"), IsEmpty());
  EXPECT_THAT(said(drifted, "bullet"),
              ElementsAre(HasSubstr("note: contacts/points2: x2 + r2 is up to 0.05 m")));
  EXPECT_THAT(said(one, "perpend"), testing::SizeIs(2));
  EXPECT_THAT(said(drifted, "perpend"), testing::Each(HasSubstr("is 0.05 m from")));
}

}  // namespace asked_test
}  // namespace perpend::io
