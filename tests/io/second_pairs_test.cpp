// Joint rows over two pairs of bodies are another law: files that have them say format_version 3,
// all others stay as they were, and nobody reads one for the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"
#include "perpend/io/packed.hpp"

namespace perpend::io {
namespace second_pairs_test {

using testing::HasSubstr;

Record coupled() {
  Record record = bare_record(4, 2, {1, 2}, 5);
  record.frame.joints.pairs2 = record.frame.joints.pairs;
  record.frame.joints.pairs2.row(1) << 2, 1;
  record.frame.joints.jacobian2 = Numbers(9).fill<Rows<12>>(3, 12);
  return record;
}

std::string written(const Record& record, std::int64_t version, const std::string& path) {
  Header header;
  header.format_version = version;
  return test::complaint([&] {
    FrameWriter writer(path, header, 64);
    writer.append(bare_record(4, 2, {1, 2}, 6));
    writer.append(record);
    writer.close();
  });
}

TEST(SecondPairs, ComeBackInBothLayoutsWithVersionThree) {
  const test::Scratch folder;
  const std::string columns = folder.path("c.h5"), frames = folder.path("f.h5");
  ASSERT_EQ(written(coupled(), 3, columns), "");
  write_frames_layout(FrameReader(columns), frames);
  for (const std::string& path : {columns, frames}) {
    const FrameReader reader(path);
    EXPECT_EQ(reader.format_version(), 3);
    EXPECT_EQ(reader.read(0).frame.joints.pairs2.rows(), 0);
    EXPECT_EQ(reader.read(1).frame.joints.pairs2, coupled().frame.joints.pairs2);
    EXPECT_EQ(reader.read(1).frame.joints.jacobian2, coupled().frame.joints.jacobian2);
    EXPECT_THAT(validate(path), testing::IsEmpty());
  }
}

TEST(SecondPairs, RaiseTheVersionOfAFileThatHasNoPlaceForThem) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  EXPECT_EQ(written(coupled(), 2, path), "");
  EXPECT_EQ(FrameReader(path).format_version(), 3);
  EXPECT_EQ(FrameReader(path).read(1).frame.joints.pairs2, coupled().frame.joints.pairs2);
  EXPECT_THAT(validate(path), testing::IsEmpty());
  ASSERT_EQ(written(bare_record(4, 2, {1, 2}, 5), 2, path), "");
  const h5::Silence quiet;
  EXPECT_EQ(h5::find(h5::File::open(path), "/constraints/pairs2"), h5::Found::nothing);
}

TEST(SecondPairs, AreRefusedInAFileThatSaysVersionTwo) {
  const test::Scratch folder;
  const std::string path = folder.path("c.h5");
  ASSERT_EQ(written(coupled(), 3, path), "");
  {
    const h5::Silence quiet;
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const h5::Handle attribute(H5Aopen(file, "format_version", H5P_DEFAULT), H5Aclose);
    const std::int64_t two = 2;
    ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &two), 0);
  }
  EXPECT_THAT(test::complaint([&] { FrameReader(path).read(1); }),
              HasSubstr("/constraints/pairs2: needs format_version 3, the file says 2"));
}

TEST(SecondPairs, ComeBackInJsonLinesAndInPackedRecordings) {
  const test::Scratch folder;
  const std::string path = folder.path("c.jsonl");
  write_json_lines({coupled()}, path);
  EXPECT_EQ(JsonLines(path).format_version(), 3);
  LoadedRecording recording;
  recording.name = "c";
  recording.records = {coupled()};
  recording.numbers = {0};
  for (const Record& back :
       {JsonLines(path).read(0), unpack(pack(recording), "here").records.at(0)}) {
    EXPECT_EQ(back.frame.joints.pairs2, coupled().frame.joints.pairs2);
    EXPECT_EQ(back.frame.joints.jacobian2, coupled().frame.joints.jacobian2);
  }
}

TEST(SecondPairs, NeedEachOtherAndBodiesThatAreThere) {
  Record record = coupled();
  EXPECT_EQ(invalid(record), "");
  record.frame.joints.pairs2(1, 0) = 7;
  EXPECT_THAT(invalid(record), HasSubstr("constraints/pairs2 row 1 names an unknown body"));
  record = coupled();
  record.frame.joints.jacobian2(2, 3) = 1e78;
  EXPECT_THAT(invalid(record), HasSubstr("constraints/jacobian2 row 2 has an entry above 1e70"));
  record.frame.joints.jacobian2.resize(0, 12);
  EXPECT_THAT(invalid(record),
              HasSubstr("constraints/pairs2 and constraints/jacobian2 need each other"));
}

}  // namespace second_pairs_test
}  // namespace perpend::io
