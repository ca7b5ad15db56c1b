// Damaged and hostile files give one line that names the file and the dataset: no crash, no hang,
// no allocation larger than the file warrants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5.hpp"
#include "io/probe.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace hostile_file_test {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::vector<Record> records() { return {full_record(3, 4, {2}, 1), full_record(2, 3, {1}, 2)}; }

void write_sound(const std::string& path) {
  FrameWriter writer(path, {}, 4);
  for (const Record& record : records()) writer.append(record);
  writer.close();
}

// Opens and reads everything there is to read.
void read_all(const std::string& path) {
  const FrameReader reader(path);
  for (Index i = 0; i < reader.frames(); ++i) {
    reader.counts(i);
    const Record record = reader.read(i);
    invalid(record.frame);
  }
  for (const std::string& name : reader.solutions()) read_solution(path, name);
}

// A sound file, spoilt by `damage`, must be refused with one line "FILE: WHAT".
void expect_refused(const std::function<void(const h5::File&)>& damage, const std::string& what) {
  const TemporaryFile file;
  write_sound(file);
  {
    const h5::Silence quiet;
    damage(h5::File::open_for_writing(file));
  }
  const std::string said = test::complaint([&] { read_all(file); });
  EXPECT_EQ(said, file.path() + ": " + what);
  EXPECT_THAT(validate(file), testing::Contains(said));
}

void remove(const h5::File& file, const std::string& name) {
  ASSERT_GE(H5Ldelete(file, name.c_str(), H5P_DEFAULT), 0);
}

template <class T>
void replace(const h5::File& file, const std::string& name, const std::vector<hsize_t>& shape) {
  remove(file, name);
  hsize_t size = 1;
  for (hsize_t n : shape) size *= n;
  const std::vector<T> values(static_cast<std::size_t>(size), T{});
  h5::write(file, name, shape, values.data());
}

template <class T>
void expect_replacement_refused(const std::string& name, const std::vector<hsize_t>& shape,
                                const std::string& what) {
  expect_refused([&](const h5::File& f) { replace<T>(f, name, shape); }, what);
}

void set_offset(const h5::File& file, std::size_t frame, std::size_t column, std::int64_t value) {
  const h5::Dataset offsets(file, "/frames/offsets");
  auto numbers = h5::read_all<std::int64_t>(file, "/frames/offsets", {8});
  numbers[8 * frame + column] = value;
  ASSERT_GE(H5Dwrite(offsets, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
}

void expect_offset_refused(std::size_t frame, std::size_t column, std::int64_t value,
                           const std::string& what) {
  expect_refused([&](const h5::File& f) { set_offset(f, frame, column, value); },
                 "/frames/offsets: frame " + std::to_string(frame) + ": " + what);
}

// The name of a dataset is the file's own text: a line end in it would make two lines of one.
TEST(HostileFile, NamesOfDatasetsStayOneLine) {
  const TemporaryFile file;
  std::string said;
  {
    const h5::Silence quiet;
    const h5::File f = h5::File::create(file, false);
    said = test::complaint([&] { h5::Dataset(f, "/a\n\x1b[31mb"); });
  }
  EXPECT_EQ(said, file.path() + ": /a\\n\\x1b[31mb: is missing");
}

TEST(HostileFile, MissingGroupsAndDatasetsAreNamed) {
  expect_refused([](const h5::File& f) { remove(f, "/contacts"); }, "/contacts/gap: is missing");
  expect_refused([](const h5::File& f) { remove(f, "/contacts/normals"); },
                 "/contacts/normals: is missing");
  expect_refused([](const h5::File& f) { remove(f, "/frames"); },
                 "/frames: is missing or not a group");
  expect_refused([](const h5::File& f) { remove(f, "/step"); }, "/step: is missing");
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/bodies/masses");
        h5::make_group(f, "/bodies/masses");
      },
      "/bodies/masses: is not a dataset");
  // A link that leads nowhere.
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/bodies/masses");
        H5Lcreate_soft("/nowhere", f, "/bodies/masses", H5P_DEFAULT, H5P_DEFAULT);
      },
      "/bodies/masses: is missing");
}

TEST(HostileFile, OptionalDatasetsMayBeMissing) {
  const TemporaryFile file;
  write_sound(file);
  {
    const h5::File opened = h5::File::open_for_writing(file);
    for (const Column& column : columns())
      if (column.optional() && column.since() == 1) remove(opened, column.path());
  }
  const FrameReader reader(file);
  std::vector<Record> expected = records();
  EXPECT_EQ(reader.read(1).frame.contacts.normals, expected[1].frame.contacts.normals);
  EXPECT_EQ(reader.read(1).frame.contacts.tangents.rows(), 0);
  EXPECT_EQ(reader.read(1).answer.iterations, -1);
}

// Attributes may be stripped: verdicts and measures do not need them.
TEST(HostileFile, AnAnswererIsUnknownWithoutTheAttribute) {
  const TemporaryFile file;
  {
    Header header;
    header.answerers = {"somebody"};
    FrameWriter writer(file, header);
    Record record = records().front();
    record.answer.answered = "somebody";
    writer.append(record);
    writer.close();
  }
  EXPECT_EQ(FrameReader(file).read(0).answer.answered, "somebody");
  {
    const h5::File opened = h5::File::open_for_writing(file);
    ASSERT_GE(H5Adelete(opened, "answerers"), 0);
  }
  EXPECT_EQ(FrameReader(file).read(0).answer.answered, "");
}

TEST(HostileFile, WrongTypesAreNamed) {
  expect_replacement_refused<std::int64_t>(
      "/contacts/gap", {7}, "/contacts/gap: holds signed integers, expected real numbers");
  expect_replacement_refused<double>("/bodies/ids", {5},
                                     "/bodies/ids: holds real numbers, expected signed integers");
  expect_replacement_refused<double>(
      "/frames/offsets", {2, 8}, "/frames/offsets: holds real numbers, expected signed integers");
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/contacts/mu");
        h5::write_strings(f, "/contacts/mu", std::vector<std::string>(7, "x"));
      },
      "/contacts/mu: holds text, expected real numbers");
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/contacts/group");
        const std::array<std::uint64_t, 7> values{};
        h5::write(f, "/contacts/group", {7}, H5T_NATIVE_UINT64, H5T_STD_U64LE, values.data());
      },
      "/contacts/group: holds something else, expected signed integers");
}

TEST(HostileFile, WrongShapesAreNamed) {
  expect_replacement_refused<double>("/contacts/normals", {7, 4},
                                     "/contacts/normals: has shape (7, 4), expected (rows, 3)");
  expect_replacement_refused<double>("/contacts/normals", {21},
                                     "/contacts/normals: has shape (21), expected (rows, 3)");
  expect_replacement_refused<double>("/bodies/inertia", {5, 9},
                                     "/bodies/inertia: has shape (5, 9), expected (rows, 3, 3)");
  expect_replacement_refused<double>("/step", {}, "/step: has shape (), expected (rows)");
  expect_replacement_refused<double>("/time", {1}, "/time: has 1 rows for 2 frames");
  expect_replacement_refused<double>(
      "/contacts/points", {6, 3},
      "/frames/offsets: frame 1: contacts 4 to 4 + 3 lie outside /contacts/points "
      "(6 rows)");
}

TEST(HostileFile, OffsetsOutOfOrderOrRangeAreNamed) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  expect_offset_refused(1, 3, -4, "contacts have a negative offset or count");
  expect_offset_refused(0, 4, -1, "bodies have a negative offset or count");
  expect_offset_refused(1, 0, 2, "bodies begin at row 2, inside the frame before");
  expect_offset_refused(1, 2, kMost,
                        "joint rows 9223372036854775807 to 9223372036854775807 + 1 lie outside "
                        "/constraints/jacobian (3 rows)");
  expect_offset_refused(1, 7, kMost,
                        "contacts 4 to 4 + 9223372036854775807 lie outside /contacts/gap (7 rows)");
}

TEST(HostileFile, UnknownBodiesAreNamed) {
  const TemporaryFile file;
  write_sound(file);
  {
    const h5::File opened = h5::File::open_for_writing(file);
    auto ids = h5::read_all<std::int64_t>(opened, "/contacts/pairs", {2});
    ids[3] = 123;
    const h5::Dataset pairs(opened, "/contacts/pairs");
    ASSERT_GE(H5Dwrite(pairs, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data()), 0);
  }
  EXPECT_EQ(test::complaint([&] { read_all(file); }),
            file.path() +
                ": frame 0: /contacts/pairs: row 1 names body id 123, which the frame does not "
                "have");
}

// A few kilobytes that claim terabytes: chunks that were never written take no room in the file, so
// the shapes are legal. To allocate what they say would end in bad_alloc, not in these lines.
TEST(HostileFile, HugeDeclaredSizesAreNotBelieved) {
  constexpr hsize_t kHuge = hsize_t{1} << 40;
  const auto extend = [](const h5::File& file, const std::string& name) {
    const h5::Dataset data(file, name);
    std::vector<hsize_t> extent = data.shape();
    extent[0] = kHuge;
    ASSERT_GE(H5Dset_extent(data, extent.data()), 0);
  };
  expect_refused(
      [&](const h5::File& f) {
        for (const Column& column : columns())
          if (column.count == Count::contact && h5::find(f, column.path()) == h5::Found::dataset)
            extend(f, column.path());
        set_offset(f, 1, 7, std::int64_t{1} << 39);
      },
      "/frames/offsets: frame 1: contacts 549755813888 rows are more than /contacts/gap stores");
  expect_refused([&](const h5::File& f) { extend(f, "/frames/offsets"); },
                 "/frames/offsets: stores 256 bytes, too few for 1099511627776 rows");
}

TEST(HostileFile, HeadersOfOtherFormatsAndVersionsAreRefused) {
  const auto without = [](const char* attribute) {
    return [=](const h5::File& f) { H5Adelete(f, attribute); };
  };
  const auto with = [](const char* attribute, const auto& value) {
    return [=](const h5::File& f) { h5::write_attribute(f, "/", attribute, value); };
  };
  const char* const kOther = "not a standard file: its attribute format is not \"perpend\"";
  expect_refused(without("format"), kOther);
  expect_refused(with("format", std::string("fclib")), kOther);
  expect_refused(with("format_version", std::int64_t{4}),
                 "attribute format_version is 4, this program reads 1 to 3");
  expect_refused(without("format_version"), "attribute format_version is missing");
  expect_refused(with("format_version", std::string("1")),
                 "attribute format_version is not a signed integer");
  expect_refused(without("stepper"), "attribute stepper is missing");
  expect_refused(with("stepper", std::string("euler")),
                 "attribute stepper is neither \"st\" nor \"ap\"");
  expect_refused(with("units", std::string("cm")), "attribute units is not \"SI\"");
}

// Without any attribute a file is known by its datasets, and not sound.
TEST(HostileFile, WithoutAttributesIsReadAllTheSame) {
  const TemporaryFile file;
  write_sound(file);
  {
    const h5::File open = h5::File::open_for_writing(file);
    std::vector<std::string> needed{"format", "format_version", "stepper", "scalar_bytes"};
    for (const Attribute& attribute : attributes()) needed.emplace_back(attribute.name);
    for (const std::string& name : needed)
      if (H5Aexists(open, name.c_str()) > 0) {
        ASSERT_GE(H5Adelete(open, name.c_str()), 0) << name;
      }
  }
  EXPECT_EQ(kind_of(file), Kind::standard);
  const FrameReader reader(file.path());
  ASSERT_EQ(reader.frames(), 2);
  EXPECT_EQ(reader.read(1).frame.bodies.velocities, records()[1].frame.bodies.velocities);
  EXPECT_THAT(validate(file),
              testing::Contains(file.path() + ": attribute format_version is missing"));
}

// A dataset that is not there is told as data too.
TEST(HostileFile, TellsWhichDatasetIsMissing) {
  const TemporaryFile file;
  write_sound(file);
  remove(h5::File::open_for_writing(file), "/bodies/forces");
  try {
    read_all(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.missing(), "/bodies/forces");
  }
}

// /contacts/mu with seven rows, of at most `most`.
h5::Handle make_mu(const h5::File& file, const h5::Handle& creation,
                   const hsize_t* most = nullptr) {
  const hsize_t seven = 7;
  const h5::Handle space(H5Screate_simple(1, &seven, most), H5Sclose);
  return h5::Handle(
      H5Dcreate2(file, "/contacts/mu", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose);
}

TEST(HostileFile, DataInOtherFilesIsNotFollowed) {
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/contacts/mu");
        const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_external(creation, "/etc/passwd", 0, 56);
        ASSERT_TRUE(make_mu(f, creation).valid());
      },
      "/contacts/mu: keeps its data in another file");
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/contacts");
        H5Lcreate_external("/tmp/other.h5", "/contacts", f, "/contacts", H5P_DEFAULT, H5P_DEFAULT);
      },
      "/contacts: is a link to another file");
}

TEST(HostileFile, OtherFiltersAreNamed) {
  expect_refused(
      [](const h5::File& f) {
        remove(f, "/contacts/mu");
        const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        const hsize_t seven = 7;
        H5Pset_chunk(creation, 1, &seven);
        H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 2);
        ASSERT_TRUE(make_mu(f, creation).valid());
      },
      "/contacts/mu: uses filter 6; only deflate, shuffle and fletcher32 can be read");
}

// A column of seven compressed rows in one chunk that declares `rows` of them, of at most `most`.
void declare_rows(const std::string& path, hsize_t rows, hsize_t most) {
  const h5::File file = h5::File::open_for_writing(path);
  remove(file, "/contacts/mu");
  const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = 64;
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 6);
  const h5::Handle data = make_mu(file, creation, &most);
  const std::array<double, 7> values{};
  ASSERT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  ASSERT_GE(H5Dset_extent(data, &rows), 0);
}

// To unpack all of the terabytes that one stored chunk declares would take hours.
TEST(HostileFile, ACompressedColumnIsReadNoFurtherThanItsBytesReach) {
  const TemporaryFile file;
  write_sound(file);
  declare_rows(file, hsize_t{1} << 40, H5S_UNLIMITED);
  EXPECT_EQ(test::complaint([&] { read_all(file); }), "");
}

// An index of 2^34 chunks, nearly all of it a hole of 256 GB: HDF5 goes through all of it.
TEST(HostileFile, AHoleGivesNoTimeToAFileThatKeepsHdf5Busy) {
  const TemporaryFile file;
  write_sound(file);
  declare_rows(file, hsize_t{1} << 40, hsize_t{1} << 40);
  EXPECT_EQ(test::complaint([&] { read_all(file); }),
            file.path() + ": damaged file (reading it takes too long)");
}

TEST(HostileFile, WhatIsNoFileIsSaidSo) {
  const TemporaryFile file;
  EXPECT_EQ(test::complaint([&] { FrameReader reader(file); }),
            file.path() + ": No such file or directory");
  std::ofstream(file.path()) << "";
  EXPECT_EQ(test::complaint([&] { FrameReader reader(file); }), file.path() + ": not an HDF5 file");
  const std::string folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(test::complaint([&] { FrameReader reader(folder); }), folder + ": not a regular file");
  // Opening a pipe that nobody writes to would wait for ever.
  const TemporaryFile pipe;
  ASSERT_EQ(mkfifo(pipe.path().c_str(), 0600), 0);
  EXPECT_EQ(test::complaint([&] { FrameReader reader(pipe); }),
            pipe.path() + ": not a regular file");
}

// The frames layout, with chunks or without checksums: as many ways to be damaged as there are
// formats inside HDF5.
std::vector<std::string> sound_contents() {
  const TemporaryFile columns_file, frames_file;
  {
    FrameWriter writer(columns_file, {}, 2);
    writer.append(bare_record(2, 1, {1}, 1));
    writer.append(full_record(2, 2, {}, 2));
    writer.close();
  }
  write_frames_layout(FrameReader(columns_file), frames_file);
  return {test::contents(columns_file), test::contents(frames_file)};
}

// Whatever is said about a damaged file is one line that begins with its name.
void expect_survived(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
  const std::string said = test::complaint([&] { read_all(path); });
  if (!said.empty()) {
    EXPECT_THAT(said, testing::StartsWith(path + ": "));
    EXPECT_THAT(said, Not(HasSubstr("\n")));
  }
}

TEST(HostileFile, TruncatedFilesAreRefused) {
  for (const std::string& contents : sound_contents())
    for (std::size_t k = 0; k < 40; ++k) {
      const TemporaryFile file;
      const std::string part = contents.substr(0, contents.size() * k / 40);
      SCOPED_TRACE(part.size());
      expect_survived(file, part);
      EXPECT_THAT(test::complaint([&] { FrameReader reader(file); }),
                  MatchesRegex(".*: (not an HDF5 file|cannot be opened as HDF5.*)"));
    }
}

TEST(HostileFile, SurvivesAnyByte) {
  for (const std::string& contents : sound_contents())
    for (std::size_t k = 0; k < 200; ++k) {
      // Two thirds of the positions in the first sixteen kilobytes, where the structure lies.
      const std::size_t range =
          k % 3 ? std::min<std::size_t>(contents.size(), 16384) : contents.size();
      const std::size_t position = k * 7919 % range;
      SCOPED_TRACE(position);
      const TemporaryFile file;
      std::string damaged = contents;
      damaged[position] = static_cast<char>(damaged[position] ^ (k % 2 ? 0xff : 1 << k % 8));
      expect_survived(file, damaged);
    }
}

}  // namespace hostile_file_test
}  // namespace perpend::io
