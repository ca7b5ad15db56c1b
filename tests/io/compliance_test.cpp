// Joint rows with a compliance are another law: files that have them say format_version 2, all
// others stay as they were, and nobody reads one for the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace compliance_test {

using testing::HasSubstr;

Record springs() {
  Record record = bare_record(3, 2, {1, 2}, 5);
  record.frame.joints.compliance = Eigen::Vector3d(0.5, 0, 3e-7);
  return record;
}

std::string written(const Record& record, std::int64_t version, const std::string& path) {
  Header header;
  header.format_version = version;
  return test::complaint([&] {
    FrameWriter writer(path, header, 64);
    writer.append(record);
    writer.close();
  });
}

bool has_dataset(const std::string& path) {
  const h5::Silence quiet;
  return h5::find(h5::File::open(path), "/constraints/compliance") != h5::Found::nothing;
}

TEST(Compliance, ComesBackInBothLayoutsWithVersionTwo) {
  const test::Scratch folder;
  const std::string columns = folder.path("c.h5"), frames = folder.path("f.h5");
  ASSERT_EQ(written(springs(), 2, columns), "");
  write_frames_layout(FrameReader(columns), frames);
  for (const std::string& path : {columns, frames}) {
    const FrameReader reader(path);
    EXPECT_EQ(reader.format_version(), 2);
    EXPECT_EQ(reader.header().format_version, 2);
    EXPECT_EQ(reader.read(0).frame.joints.compliance, springs().frame.joints.compliance);
    EXPECT_THAT(validate(path), testing::IsEmpty());
  }
}

TEST(Compliance, FilesWithoutItStayAsTheyWere) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  ASSERT_EQ(written(bare_record(3, 2, {1, 2}, 5), 1, path), "");
  EXPECT_EQ(FrameReader(path).format_version(), 1);
  EXPECT_FALSE(has_dataset(path));
}

TEST(Compliance, MakesAFileOfVersionOneOneOfVersionTwo) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  ASSERT_EQ(written(springs(), 1, path), "");
  EXPECT_EQ(FrameReader(path).format_version(), 2);
  EXPECT_EQ(FrameReader(path).read(0).frame.joints.compliance, springs().frame.joints.compliance);
}

// Somebody else's file, or a damaged one.
void set_version(const std::string& path, std::int64_t version) {
  const h5::Silence quiet;
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const h5::Handle attribute(H5Aopen(file, "format_version", H5P_DEFAULT), H5Aclose);
  ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &version), 0);
}

TEST(Compliance, IsRefusedInAFileThatSaysVersionOne) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5"), frames = folder.path("f.h5");
  ASSERT_EQ(written(springs(), 2, path), "");
  write_frames_layout(FrameReader(path), frames);
  for (const std::string& one : {path, frames}) {
    set_version(one, 1);
    EXPECT_THAT(test::complaint([&] { FrameReader(one).read(0); }),
                HasSubstr("constraints/compliance: needs format_version 2, the file says 1"));
  }
  set_version(path, 4);
  EXPECT_THAT(test::complaint([&] { FrameReader reader(path); }),
              HasSubstr("format_version is 4, this program reads 1 to 3"));
}

TEST(Compliance, ComesBackInJsonLinesWhichTellTheVersion) {
  const test::Scratch folder;
  const std::string path = folder.path("c.jsonl");
  write_json_lines({bare_record(3, 2, {1, 2}, 4), springs()}, path);
  const JsonLines lines(path);
  EXPECT_EQ(lines.format_version(), 2);
  EXPECT_EQ(lines.read(1).frame.joints.compliance, springs().frame.joints.compliance);
  EXPECT_EQ(lines.read(0).frame.joints.compliance.size(), 0);
  write_json_lines({bare_record(3, 2, {1, 2}, 4)}, path);
  EXPECT_EQ(JsonLines(path).format_version(), 1);
}

TEST(Compliance, IsNotNegative) {
  Record record = springs();
  record.frame.joints.compliance[1] = -1;
  EXPECT_THAT(invalid(record), HasSubstr("constraints/compliance row 1 is negative"));
}

}  // namespace compliance_test
}  // namespace perpend::io
