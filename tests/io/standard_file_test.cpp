// The standard file: what is written comes back bit for bit, in both layouts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace standard_file_test {

using testing::HasSubstr;
using testing::IsEmpty;

// What tests/io/data/version1.h5 holds: do not change.
// Frames with everything, with nothing optional, and empty in every way a frame can be.
std::vector<Record> mixed_records() {
  std::vector<Record> records{bare_record(3, 4, {2, 1}, 1), full_record(4, 5, {3}, 2),
                              bare_record(2, 1, {}, 3),     full_record(2, 3, {1, 0, 2}, 4),
                              full_record(3, 0, {}, 5),     bare_record(0, 0, {}, 6),
                              full_record(5, 2, {6}, 7)};
  // An optional column on its own, after frames that lacked it.
  records.push_back(bare_record(3, 2, {1}, 8));
  records.back().frame.contacts.restitution = VectorXd::Constant(2, 0.5);
  records.back().frame.stepper = Stepper::ap;
  return records;
}

void write(const std::string& path, const std::vector<Record>& records, const Header& header = {},
           Index chunk_rows = 4) {
  FrameWriter writer(path, header, chunk_rows);
  for (const Record& record : records) writer.append(record);
  writer.close();
}

void expect_records(const std::string& path, const std::vector<Record>& records) {
  const FrameReader reader(path);
  ASSERT_EQ(reader.frames(), static_cast<Index>(records.size()));
  for (Index i = 0; i < reader.frames(); ++i) {
    const Record& expected = records[static_cast<std::size_t>(i)];
    expect_same(expected, reader.read(i), path + " frame " + std::to_string(i));
    const FrameCounts counts = reader.counts(i);
    EXPECT_EQ(counts.bodies, expected.frame.bodies.count());
    EXPECT_EQ(counts.joints, expected.frame.joints.count());
    EXPECT_EQ(counts.joint_rows, expected.frame.joints.row_count());
    EXPECT_EQ(counts.contacts, expected.frame.contacts.count());
  }
}

TEST(StandardFile, GivesBackEveryColumnBitForBit) {
  const TemporaryFile file;
  const std::vector<Record> records = mixed_records();
  write(file, records);
  expect_records(file, records);
}

TEST(StandardFile, DoesNotCareHowManyRowsAChunkHas) {
  const std::vector<Record> records = mixed_records();
  for (Index rows : {1, 3, 4096}) {
    const TemporaryFile file;
    write(file, records, {}, rows);
    expect_records(file, records);
  }
}

TEST(StandardFile, FramesLayoutSaysTheSame) {
  const TemporaryFile columns_file, frames_file, again;
  const std::vector<Record> records = mixed_records();
  Header header;
  header.stepper = Stepper::ap;
  write(columns_file, records, header);
  write_frames_layout(FrameReader(columns_file), frames_file);
  const FrameReader reader(frames_file);
  EXPECT_EQ(reader.layout(), "frames");
  EXPECT_EQ(FrameReader(columns_file).layout(), "columns");
  expect_records(frames_file, records);
  // And back again.
  std::vector<Record> read;
  for (Index i = 0; i < reader.frames(); ++i) read.push_back(reader.read(i));
  write(again, read, reader.header());
  expect_records(again, records);
}

TEST(StandardFile, FramesLayoutIsThePapersHierarchy) {
  const TemporaryFile columns_file, frames_file;
  write(columns_file, {full_record(3, 2, {2}, 1), full_record(3, 1, {}, 2)});
  write_frames_layout(FrameReader(columns_file), frames_file);
  const h5::File file = h5::File::open(frames_file);
  EXPECT_EQ(h5::Dataset(file, "/frames/000000/bodies/forces").shape(),
            (std::vector<hsize_t>{3, 6}));
  EXPECT_EQ(h5::Dataset(file, "/frames/000000/bodies/inertia").shape(),
            (std::vector<hsize_t>{3, 3, 3}));
  EXPECT_EQ(h5::Dataset(file, "/frames/000000/constraints/jacobian").shape(),
            (std::vector<hsize_t>{2, 12}));
  EXPECT_EQ(h5::Dataset(file, "/frames/000001/contacts/normals").shape(),
            (std::vector<hsize_t>{1, 3}));
  EXPECT_TRUE(h5::Dataset(file, "/frames/000001/solution/total_error").shape().empty());
  EXPECT_TRUE(h5::Dataset(file, "/frames/000001/step").shape().empty());
}

TEST(StandardFile, HoldsEveryDatasetOfTheFormatEvenWhenNothingFillsIt) {
  const TemporaryFile file;
  write(file, {});
  const h5::File opened = h5::File::open(file);
  for (const Column& column : columns())
    if (column.since() == 1) {
      EXPECT_EQ(h5::Dataset(opened, column.path()).rows(), 0u) << column.name;
    }
  EXPECT_EQ(h5::Dataset(opened, "/frames/offsets").shape(), (std::vector<hsize_t>{0, 8}));
  EXPECT_EQ(FrameReader(file).frames(), 0);
  EXPECT_THAT(validate(file), IsEmpty());
  const TemporaryFile frames_file;
  write_frames_layout(FrameReader(file), frames_file);
  EXPECT_EQ(FrameReader(frames_file).frames(), 0);
  EXPECT_THAT(validate(frames_file), IsEmpty());
}

TEST(StandardFile, KeepsItsHeader) {
  const TemporaryFile file, frames_file;
  Header header;
  header.engine = "bullet";
  header.engine_version = "3.24";
  header.scalar_bytes = 4;
  header.stepper = Stepper::ap;
  header.friction_model = "pyramid";
  header.scene = "stack:10 µ=½";
  header.created = "2026-01-02T03:04:05Z";
  header.omitted = "joint impulses; iterations";
  write(file, {bare_record(2, 1, {}, 1)}, header);
  write_frames_layout(FrameReader(file), frames_file);
  for (const std::string& path : {file.path(), frames_file.path()}) {
    const FrameReader reader(path);
    const Header& read = reader.header();
    for (const Attribute& attribute : attributes())
      EXPECT_EQ(read.*attribute.text, header.*attribute.text) << attribute.name;
    EXPECT_EQ(read.scalar_bytes, 4);
    EXPECT_EQ(read.stepper, Stepper::ap);
    EXPECT_EQ(reader.format_version(), 1);
  }
}

TEST(StandardFile, KeepsWhoAnsweredEachFrame) {
  const TemporaryFile file, frames_file;
  Header header;
  header.answerers = {"Dantzig", "sequential impulses"};
  std::vector<Record> records{bare_record(2, 1, {}, 1), bare_record(2, 1, {}, 2),
                              bare_record(2, 1, {}, 3), bare_record(2, 1, {}, 4)};
  records[0].answer.answered = "sequential impulses";
  records[2].answer.answered = "Dantzig";  // of the second and the last it is not known
  write(file, records, header);
  EXPECT_EQ(h5::read_all<std::int64_t>(h5::File::open(file), "/solution/answered", {})[2], 0);
  write_frames_layout(FrameReader(file), frames_file);
  for (const std::string& path : {file.path(), frames_file.path()}) {
    expect_records(path, records);
    EXPECT_EQ(FrameReader(path).header().answerers, header.answerers);
    EXPECT_THAT(validate(path), IsEmpty());
  }
  {
    FrameWriter writer(file, header);
    records[0].answer.answered = "Lemke";
    EXPECT_EQ(test::complaint([&] { writer.append(records[0]); }),
              file.path() +
                  ": frame 0: /solution/answered: 'Lemke' is not among the answerers of "
                  "the header");
    writer.append(records[2]);
  }
  EXPECT_EQ(FrameReader(file).frames(), 1);
  header.answerers = {"two\nlines"};
  EXPECT_THAT(test::complaint([&] { FrameWriter(frames_file, header); }),
              HasSubstr("attribute answerers: a name is empty or has two lines"));
}

// Scenes of many bodies are longer than the 64 KiB that HDF5 gives an attribute by itself.
TEST(StandardFile, SaysHowItWasMadeHoweverLongTheScene) {
  const TemporaryFile file, frames_file;
  Header header;
  header.scene_json = std::string(300000, 's');
  header.simulate = recipe_json({{"dt", "0.01"}, {"set:precondition", "none"}});
  {
    FrameWriter writer(file, header);
    writer.append(bare_record(2, 1, {}, 1));
    EXPECT_EQ(header.state_hash, "");
    writer.close("0123456789abcdef");
  }
  EXPECT_TRUE(validate(file).empty());
  const FrameReader reader(file);
  EXPECT_EQ(reader.frames(), 1);
  EXPECT_EQ(reader.header().scene_json, header.scene_json);
  EXPECT_EQ(reader.header().state_hash, "0123456789abcdef");
  EXPECT_EQ(recipe_of(reader.header(), "file").at("set:precondition"), "none");
  // The frames layout has no room for it.
  write_frames_layout(reader, frames_file);
  EXPECT_EQ(FrameReader(frames_file).header().simulate, "");
}

TEST(StandardFile, StepperOfTheHeaderHoldsWhereAFrameSaysNothing) {
  const TemporaryFile file;
  Header header;
  header.stepper = Stepper::ap;
  std::vector<Record> records{bare_record(2, 1, {}, 1), bare_record(2, 1, {}, 2)};
  for (Record& record : records) record.frame.stepper = Stepper::ap;
  write(file, records, header);
  EXPECT_EQ(h5::Dataset(h5::File::open(file), "/stepper").rows(), 0u);
  EXPECT_EQ(FrameReader(file).read(1).frame.stepper, Stepper::ap);
}

TEST(StandardFile, NamesBodiesByIdInTheFileAndByRowInMemory) {
  const TemporaryFile file;
  const Record record = bare_record(3, 2, {1}, 1);
  write(file, {record});
  const auto ids = h5::read_all<std::int64_t>(h5::File::open(file), "/contacts/pairs", {2});
  EXPECT_EQ(ids, (std::vector<std::int64_t>{1000, 986, 993, 986}));
  EXPECT_EQ(FrameReader(file).read(0).frame.contacts.pairs, record.frame.contacts.pairs);
}

TEST(StandardFile, ImpulsesNeverComeWithoutTheirDirections) {
  const TemporaryFile file;
  Record record = bare_record(2, 3, {}, 1);
  record.answer.z = Rows3::Ones(3, 3);
  write(file, {record});
  const Record read = FrameReader(file).read(0);
  ASSERT_EQ(read.frame.contacts.tangents.rows(), 3);
  for (Index i = 0; i < 3; ++i) {
    const Tangents axes = tangents(record.frame.contacts.normals.row(i));
    EXPECT_EQ(Vector3d(read.frame.contacts.tangents.row(i).head<3>()), axes.t);
    EXPECT_EQ(Vector3d(read.frame.contacts.tangents.row(i).tail<3>()), axes.o);
  }
}

TEST(StandardFile, RowsBeyondTheOffsetsAreIgnored) {
  const TemporaryFile file;
  const std::vector<Record> records{full_record(3, 4, {1}, 1), full_record(3, 2, {2}, 2)};
  write(file, records);
  {
    // As if the writer had been killed between the columns and the offsets of the second frame.
    const h5::File opened = h5::File::open_for_writing(file);
    const h5::Dataset offsets(opened, "/frames/offsets");
    const std::array<hsize_t, 2> one{1, 8};
    ASSERT_GE(H5Dset_extent(offsets, one.data()), 0);
  }
  expect_records(file, {records[0]});
}

// Offsets are 64 bits wide. The columns are declared longer than 2^31 rows without storing them:
// chunks that were never written take no room.
TEST(StandardFile, ReadsAFrameThatBeginsBeyondTwoToTheThirtyOne) {
  const TemporaryFile file;
  const Record record = bare_record(3, 4, {2}, 1);
  write(file, {record}, {}, 4096);
  constexpr hsize_t kFar = (hsize_t{1} << 31) + 5;
  {
    const h5::File opened = h5::File::open_for_writing(file);
    for (const Column& column : columns()) {
      if (static_cast<std::size_t>(column.count) >= kFrameCounts || column.optional()) continue;
      const h5::Dataset data(opened, column.path());
      const hsize_t rows = data.rows();
      std::vector<char> bytes(static_cast<std::size_t>(rows) * column.row_bytes());
      data.read(0, rows, memory_type(column.type), bytes.data());
      std::vector<hsize_t> extent = data.shape(), start(extent.size(), 0), count = extent;
      extent[0] = start[0] = kFar;
      extent[0] += rows;
      ASSERT_GE(H5Dset_extent(data, extent.data()), 0);
      const h5::Handle space(H5Dget_space(data), H5Sclose);
      const h5::Handle memory(
          H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      ASSERT_GE(H5Dwrite(data, memory_type(column.type), memory, space, H5P_DEFAULT, bytes.data()),
                0);
    }
    const h5::Dataset offsets(opened, "/frames/offsets");
    std::array<std::int64_t, 8> row;
    offsets.read(0, 1, H5T_NATIVE_INT64, row.data());
    for (std::size_t k = 0; k < 4; ++k) row[k] = static_cast<std::int64_t>(kFar);
    ASSERT_GE(H5Dwrite(offsets, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, row.data()), 0);
  }
  expect_records(file, {record});
}

TEST(StandardFile, ReadsFilesOfVersion1) {
  // Written by version 1 of the format; never regenerated.
  const std::string path = PERPEND_SOURCE_DIR "/tests/io/data/version1.h5";
  EXPECT_EQ(FrameReader(path).format_version(), 1);
  std::vector<Record> records = mixed_records();
  for (Record& record : records) {  // columns of later
    record.joint_ids.clear();
    if (Contacts& k = record.frame.contacts; k.points2.rows() > 0)  // any numbers
      k.points2 = Numbers(static_cast<std::uint64_t>(64 * record.frame.time) + 1000)
                      .fill<Rows3>(k.count(), 3);
    for (const Measure later : {Measure::joint_error, Measure::joint_turn_error})
      record.answer.errors[later] = std::numeric_limits<double>::quiet_NaN();
  }
  expect_records(path, records);
  EXPECT_THAT(validate(path), testing::Each(HasSubstr(" m from x1 + r1 + psi n")));
}

// Written by perpend 0.1.0 from the file above; never regenerated.
TEST(StandardFile, BecomesTheSameJsonLinesAsIn0_1_0) {
  std::string text;
  const FrameReader reader(PERPEND_SOURCE_DIR "/tests/io/data/version1.h5");
  for (Index i = 0; i < reader.frames(); ++i) text += to_json_line(reader.read(i)) + "\n";
  EXPECT_EQ(text, test::contents(PERPEND_SOURCE_DIR "/tests/io/data/version1.jsonl"));
}

// perpend 0.1.0: simulate stack:2 --steps 3 --out, converted to a file of small chunks.
TEST(StandardFile, ReadsARecordingOf0_1_0) {
  const TemporaryFile frames_file;
  const FrameReader reader(PERPEND_SOURCE_DIR "/tests/io/data/perpend_0.1.0.h5");
  EXPECT_THAT(validate(reader.path()), IsEmpty());
  ASSERT_EQ(reader.frames(), 3);
  EXPECT_EQ(reader.header().scene, "stack:2");
  EXPECT_EQ(reader.header().engine_version, "");  // recordings tell theirs since
  EXPECT_EQ(reader.header().state_hash, "7647eb6efb9372fa");
  EXPECT_EQ(recipe_of(reader.header(), "file").at("steps"), "3");
  std::vector<Record> records;
  for (Index i = 0; i < reader.frames(); ++i) records.push_back(reader.read(i));
  write_frames_layout(reader, frames_file);
  expect_records(frames_file, records);
  EXPECT_THAT(validate(frames_file), IsEmpty());
}

TEST(StandardFile, SoundFilesHaveNoComplaints) {
  const TemporaryFile file, frames_file;
  std::vector<Record> records = mixed_records();
  write(file, records);
  EXPECT_THAT(validate(file), IsEmpty());
  write_frames_layout(FrameReader(file), frames_file);
  EXPECT_THAT(validate(frames_file), IsEmpty());
}

TEST(StandardFile, ValidateListsEveryComplaint) {
  const TemporaryFile file;
  std::vector<Record> records{bare_record(3, 4, {}, 1), bare_record(3, 2, {}, 2),
                              full_record(3, 2, {}, 3)};
  records[0].frame.contacts.normals.row(2) *= 2;
  records[1].frame.step = 0;
  records[2].answer.slide_or_stick[1] = 7;
  records[2].system.J.columns[0] = 2;
  write(file, records);
  {
    const h5::File opened = h5::File::open_for_writing(file);
    H5Adelete(opened, "scene");
    h5::write(opened, "/contacts/normal", {1}, std::array<double, 1>{1}.data());
  }
  EXPECT_THAT(
      validate(file),
      testing::ElementsAre(
          file.path() + ": attribute scene is missing",
          file.path() + ": /contacts/normal: is not part of the format",
          file.path() + ": frame 0: contacts/normals row 2 is not a unit vector (contact 2 of "
                        "body 1000 and body 986)",
          file.path() + ": frame 1: step is not a positive number",
          file.path() + ": frame 2: solution/slide_or_stick row 1 is not 0, 1 or 2",
          file.path() + ": frame 2: system/J_columns: has column 2 of 2"));
}

TEST(StandardFile, WriterRefusesColumnsThatDisagreeAndGoesOn) {
  const TemporaryFile file;
  const std::vector<Record> good{full_record(3, 4, {1}, 1), full_record(3, 2, {1}, 2)};
  FrameWriter writer(file, {}, 4);
  writer.append(good[0]);
  Record bad = good[1];
  bad.frame.contacts.mu.resize(1);
  EXPECT_EQ(test::complaint([&] { writer.append(bad); }),
            file.path() + ": frame 1: /contacts/mu: has 1 row, expected 2");
  bad = good[1];
  bad.frame.contacts.pairs(1, 0) = 3;
  EXPECT_EQ(test::complaint([&] { writer.append(bad); }),
            file.path() + ": frame 1: /contacts/pairs: row 1 names body 3 of 3");
  writer.append(good[1]);
  writer.close();
  expect_records(file, good);
}

TEST(StandardFile, AFrameThatIsNotThereIsAnError) {
  const TemporaryFile file, frames_file;
  write(file, {bare_record(2, 1, {}, 1)});
  write_frames_layout(FrameReader(file), frames_file);
  for (const std::string& path : {file.path(), frames_file.path()}) {
    const FrameReader reader(path);
    for (Index frame : {Index{-1}, Index{1}})
      EXPECT_EQ(test::complaint([&] { reader.read(frame); }),
                path + ": has no frame " + std::to_string(frame) + " (it has 1)");
  }
}

TEST(StandardFile, ReadsWhatIsCompressed) {
  const TemporaryFile file, packed;
  const std::vector<Record> records = mixed_records();
  write(file, records, {}, 16);
  const std::string command =
      "h5repack -f SHUF -f GZIP=6 " + file.path() + " " + packed.path() + " 2>&1";
  if (std::system("command -v h5repack > /dev/null") != 0) GTEST_SKIP() << "h5repack is missing";
  ASSERT_EQ(std::system(command.c_str()), 0);
  expect_records(packed, records);
  EXPECT_THAT(validate(packed), IsEmpty());
}

TEST(StandardFile, SaysWhyAPathCannotBeWritten) {
  const std::string nowhere = "/nonexistent-directory/file.h5";
  EXPECT_EQ(test::complaint([&] { FrameWriter(nowhere, {}); }),
            nowhere + ": cannot be written: No such file or directory");
  const std::string folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(test::complaint([&] { FrameWriter(folder, {}); }),
            folder + ": cannot be written: Is a directory");
  const TemporaryFile file;
  write(file, {bare_record(2, 1, {}, 1)});
  const FrameReader reader(file);
  EXPECT_EQ(test::complaint([&] { write_frames_layout(reader, nowhere); }),
            nowhere + ": there is no folder /nonexistent-directory");
}

// A memory disk of one megabyte, in a child process with mounts of its own.
TEST(StandardFile, AFullDiskIsAnErrorAndSparesWhatWasFlushed) {
  const test::Scratch folder;
  const std::string disk = folder.path("disk"), path = disk + "/file.h5";
  std::filesystem::create_directory(disk);
  const Record record = full_record(50, 200, {3}, 1);
  constexpr int kNoMount = 77;
  const pid_t child = fork();
  if (child == 0) {
    if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
      _exit(kNoMount);
    Index flushed = 0;
    const std::string said = test::complaint([&] {
      FrameWriter writer(path, {}, 256);
      for (; flushed < 100; ++flushed) {
        writer.append(record);
        writer.flush();
      }
    });
    EXPECT_THAT(said, testing::MatchesRegex(path + ": .*\\(No space left on device\\)"));
    EXPECT_GT(flushed, 2);
    const FrameReader reader(path);
    EXPECT_GE(reader.frames(), flushed);
    for (Index i = 0; i < reader.frames(); ++i) expect_same(record, reader.read(i), "frame");
    _exit(testing::Test::HasFailure());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMount)
    GTEST_SKIP() << "no right to mount a small disk here";
  EXPECT_EQ(status, 0);
}

// Its tables of datasets are made by scripts/columns.py.
TEST(StandardFile, DocumentationListsEveryAttribute) {
  const std::string text = test::contents(PERPEND_SOURCE_DIR "/docs/format.md");
  for (const auto& list : {attributes(), recipe_attributes()})
    for (const Attribute& attribute : list)
      EXPECT_THAT(text, HasSubstr("| `" + std::string(attribute.name) + "` | text | " +
                                  std::string(attribute.meaning) + " |"));
}

}  // namespace standard_file_test
}  // namespace perpend::io
