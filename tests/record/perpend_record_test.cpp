// Any engine's recordings: what perpend_record.h, compiled as C, writes is the standard file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <perpend_record.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "io/sample_records.hpp"
#include "perpend/record/columns.h"

namespace perpend::io {
namespace perpend_record_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Column>
auto* data_or_null(const Column& column) {
  return column.size() ? column.data() : nullptr;
}

// Column `index` of the frame, from the list of the header: its numbers and how many there are.
struct ColumnOfFrame {
  const void* numbers;
  std::int64_t count;
  char type;
};
ColumnOfFrame column_of(const perpend_record_frame& frame, std::size_t index) {
  const perpend_record_column& column = perpend_record_columns[index];
  const std::map<int, std::int64_t> counts{
      {PERPEND_RECORD_BODY, frame.bodies.count},
      {PERPEND_RECORD_JOINT, frame.constraints.count},
      {PERPEND_RECORD_JOINT_ROW, frame.constraints.row_count},
      {PERPEND_RECORD_CONTACT, frame.contacts.count},
      {PERPEND_RECORD_COORDINATE, frame.system.coordinates},
      {PERPEND_RECORD_SYSTEM_ROW, 3 * frame.system.contacts + frame.system.joint_rows},
      {PERPEND_RECORD_SYSTEM_CONTACT, frame.system.contacts},
      {PERPEND_RECORD_SYSTEM_JOINT_ROW, frame.system.joint_rows},
      {PERPEND_RECORD_M_ENTRY, frame.system.M_entries},
      {PERPEND_RECORD_J_ENTRY, frame.system.J_entries},
      {PERPEND_RECORD_A_ENTRY, frame.system.A_entries}};
  const auto rows = counts.find(column.counted_by);
  ColumnOfFrame list{nullptr, 0, column.type};
  if (rows == counts.end() || (column.optional != 'm' && column.optional != 'o')) return list;
  std::memcpy(&list.numbers, reinterpret_cast<const char*>(&frame) + column.member,
              sizeof list.numbers);
  list.count = rows->second * std::max(column.width, 1) * std::max(column.width2, 1);
  return list;
}

// The record as a C program would give it; pairs become ids.
struct Given {
  perpend_record_frame frame{};
  Integers contact_pairs, joint_pairs, joint_pairs2;

  explicit Given(const Record& record) {
    const Bodies& b = record.frame.bodies;
    const Contacts& k = record.frame.contacts;
    const Joints& j = record.frame.joints;
    const Answer& a = record.answer;
    const SystemColumns& s = record.system;
    frame.step = record.frame.step;
    frame.time = record.frame.time;
    frame.bodies = {b.count(),
                    data_or_null(b.ids),
                    data_or_null(b.masses),
                    data_or_null(b.inertia),
                    data_or_null(b.positions),
                    data_or_null(b.quaternions),
                    data_or_null(b.velocities),
                    data_or_null(b.forces),
                    data_or_null(a.velocities_plus)};
    const auto ids = [&](const Pairs& pairs, Integers& out) {
      for (Index i = 0; i < pairs.size(); ++i)
        out.push_back(b.ids[static_cast<std::size_t>(pairs.data()[i])]);
      return data_or_null(out);
    };
    frame.contacts = {k.count(),
                      ids(k.pairs, contact_pairs),
                      data_or_null(k.normals),
                      data_or_null(k.points),
                      data_or_null(k.gap),
                      data_or_null(k.mu),
                      data_or_null(k.points2),
                      data_or_null(k.tangents),
                      data_or_null(k.restitution),
                      data_or_null(k.cfm),
                      data_or_null(k.bias),
                      data_or_null(k.friction_bounds),
                      data_or_null(k.ids),
                      data_or_null(k.group),
                      data_or_null(k.rolling_mu),
                      data_or_null(k.torsional_mu),
                      data_or_null(k.push),
                      data_or_null(k.surface_velocity)};
    frame.constraints = {j.count(),
                         j.row_count(),
                         ids(j.pairs, joint_pairs),
                         data_or_null(j.rows),
                         data_or_null(j.jacobian),
                         data_or_null(j.bounds),
                         data_or_null(j.violation),
                         data_or_null(j.rate),
                         data_or_null(j.compliance),
                         data_or_null(j.cfm),
                         data_or_null(j.bias),
                         data_or_null(record.joint_ids),
                         ids(j.pairs2, joint_pairs2),
                         data_or_null(j.jacobian2)};
    frame.solution = {data_or_null(a.z), data_or_null(a.z_joints), data_or_null(a.slide_or_stick),
                      a.iterations < 0 ? nullptr : &a.iterations, nullptr};
    const auto seconds = [](double s_known) { return std::isnan(s_known) ? 0 : s_known; };
    frame.timing = {seconds(record.timing.collision), seconds(record.timing.formulation),
                    seconds(record.timing.solver), seconds(record.timing.total)};
    frame.system.coordinates = s.v.size();
    frame.system.contacts = s.mu.size();
    frame.system.joint_rows = s.bounds.rows();
    const auto matrix = [](const SystemColumns::Matrix& m, std::int64_t& entries, auto*& rows,
                           auto*& columns, auto*& values) {
      entries = m.values.size();
      rows = data_or_null(m.rows);
      columns = data_or_null(m.columns);
      values = data_or_null(m.values);
    };
    auto& to = frame.system;
    matrix(s.M, to.M_entries, to.M_rows, to.M_columns, to.M_values);
    matrix(s.J, to.J_entries, to.J_rows, to.J_columns, to.J_values);
    matrix(s.A, to.A_entries, to.A_rows, to.A_columns, to.A_values);
    to.v = data_or_null(s.v);
    to.f = data_or_null(s.f);
    to.b = data_or_null(s.b);
    to.mu = data_or_null(s.mu);
    to.bounds = data_or_null(s.bounds);
  }
};

// Frame i: sizes change, optional columns come and go. What a solver of ours would measure is not
// an engine's to give.
Record numbered(Index i) {
  const Index bodies = 2 + i % 11, contacts = i * 37 % 50;
  const std::uint64_t seed = static_cast<std::uint64_t>(i);
  Record record = i % 3 == 0 ? bare_record(bodies, contacts, {2, i % 4}, seed)
                             : full_record(bodies, contacts, {1, i % 3}, seed, 3);
  record.answer.errors = {};
  return record;
}

class Recording {
 public:
  explicit Recording(const std::string& path, std::int64_t version = 3) {
    perpend_record_header header{};
    header.format_version = version;
    header.engine = "engine";
    header.engine_version = "1.2";
    header.scene = "scène";
    header.omitted = "nothing";
    header.stepper = "ap";
    header.scalar_bytes = 4;
    header.answerers = "Dantzig\nsequential impulses";
    code = perpend_record_open(&file, path.c_str(), &header);
  }
  ~Recording() { perpend_record_close(&file); }
  int add(const Record& record) {
    const Given given(record);
    return perpend_record_add(&file, &given.frame);
  }
  std::string message() const { return file.message; }
  perpend_record file{};
  int code;
};

TEST(PerpendRecord, EveryColumnComesBackBitForBit) {
  const TemporaryFile path;
  {
    Recording recording(path);
    ASSERT_EQ(recording.message(), "");
    for (Index i = 0; i < 40; ++i) {
      ASSERT_EQ(recording.add(numbered(i)), PERPEND_RECORD_OK) << recording.message();
      if (i % 7 == 0) {
        ASSERT_EQ(perpend_record_flush(&recording.file), PERPEND_RECORD_OK);
      }
    }
    EXPECT_EQ(perpend_record_close(&recording.file), PERPEND_RECORD_OK) << recording.message();
  }
  EXPECT_THAT(validate(path), IsEmpty());
  const FrameReader reader(path);
  ASSERT_EQ(reader.frames(), 40);
  for (Index i = 0; i < 40; ++i) {
    Record expected = numbered(i);
    expected.frame.stepper = Stepper::ap;
    expect_same(expected, reader.read(i), "frame " + std::to_string(i));
  }
  const Header header = reader.header();
  EXPECT_EQ(header.engine, "engine");
  EXPECT_EQ(header.engine_version, "1.2");
  EXPECT_EQ(header.scene, "scène");
  EXPECT_EQ(header.friction_model, "coulomb");
  EXPECT_EQ(header.omitted, "nothing");
  EXPECT_EQ(header.units, "SI");
  EXPECT_EQ(header.scalar_bytes, 4);
  EXPECT_EQ(header.stepper, Stepper::ap);
  EXPECT_THAT(header.created, testing::MatchesRegex("2.*T.*Z"));
}

TEST(PerpendRecord, HasTheDatasetsOfTheFormatButTheErrors) {
  const TemporaryFile path;
  { const Recording recording(path); }
  const hid_t file = H5Fopen(path.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (const Column& column : columns()) {
    if (column.about != About::error && column.type != Type::stepper) {
      EXPECT_GT(H5Lexists(file, column.path().c_str(), H5P_DEFAULT), 0) << column.name;
    }
  }
  H5Fclose(file);
}

TEST(PerpendRecord, FilesOfVersionOneHaveNoNewerColumnsAndTakeNone) {
  for (const std::int64_t version : {0, 1}) {
    const TemporaryFile path;
    {
      Recording recording(path, version);
      EXPECT_EQ(recording.add(full_record(2, 2, {2}, 1)), PERPEND_RECORD_OK) << recording.message();
      EXPECT_EQ(recording.add(full_record(2, 2, {2}, 1, 2)), PERPEND_RECORD_INVALID);
      EXPECT_THAT(recording.message(),
                  EndsWith("frame 1: constraints/compliance needs format_version 2 in the header"));
      Record asked = full_record(2, 2, {2}, 1);
      asked.frame.contacts.push = Eigen::Vector2d::Zero();
      EXPECT_EQ(recording.add(asked), PERPEND_RECORD_INVALID);
      EXPECT_THAT(recording.message(),
                  EndsWith("frame 1: contacts/push needs format_version 3 in the header"));
      EXPECT_EQ(recording.add(full_record(2, 2, {2}, 3)), PERPEND_RECORD_OK);
    }
    const hid_t file = H5Fopen(path.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    EXPECT_EQ(H5Lexists(file, "/constraints/compliance", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Lexists(file, "/contacts/push", H5P_DEFAULT), 0);
    H5Fclose(file);
    EXPECT_EQ(FrameReader(path).frames(), 2);
    EXPECT_EQ(FrameReader(path).format_version(), 1);
    EXPECT_THAT(validate(path), IsEmpty());
  }
  const TemporaryFile path;
  EXPECT_THAT(Recording(path, 4).message(), EndsWith("format_version is not 1, 2 or 3"));
}

TEST(PerpendRecord, SecondPairsNeedVersionThreeAndEachOther) {
  const TemporaryFile path;
  Recording recording(path, 2);
  EXPECT_EQ(recording.add(full_record(2, 2, {2}, 1, 3)), PERPEND_RECORD_INVALID);
  EXPECT_THAT(recording.message(),
              EndsWith("constraints/pairs2 needs format_version 3 in the header"));
  const TemporaryFile other;
  Recording newer(other, 3);
  Record record = full_record(2, 2, {2}, 1, 3);
  record.frame.joints.jacobian2.resize(0, 12);
  EXPECT_EQ(newer.add(record), PERPEND_RECORD_INVALID);
  EXPECT_THAT(newer.message(),
              EndsWith("constraints/pairs2 and constraints/jacobian2 need each other"));
}

// A box, then a tetrahedron that comes later; meshes are counted on in the file.
TEST(PerpendRecord, NamesAndShapesComeBack) {
  const TemporaryFile path;
  const std::int64_t box = 1000, late = 993, joint = 20, no_mesh[4] = {0, 0, 0, 0},
                     mesh[4] = {0, 4, 0, 1}, face[3] = {0, 1, 3};
  const std::int8_t kinds[2] = {0, 5};
  const std::string long_name = std::string(63, 'a') + "é";
  const char *names[2] = {"box", long_name.c_str()}, *joints[1] = {"hinge"};
  const double pose[7] = {0, 0, 0.5, 1, 0, 0, 0}, half[3] = {1, 2, 3}, none[3] = {0, 0, 0};
  const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  {
    Recording recording(path);
    const Record record = bare_record(2, 1, {}, 1);
    Given first(record);
    auto& model = first.frame.model;
    model.body_count = model.shape_count = model.joint_count = 1;
    model.body_ids = model.shape_bodies = &box;
    model.body_names = names;
    model.shape_kinds = kinds;
    model.shape_poses = pose;
    model.shape_sizes = half;
    model.shape_meshes = no_mesh;
    model.joint_ids = &joint;
    model.joint_names = joints;
    ASSERT_EQ(perpend_record_add(&recording.file, &first.frame), 0) << recording.message();
    model.body_ids = model.shape_bodies = &late;
    model.body_names = names + 1;
    model.shape_kinds = kinds + 1;
    model.shape_sizes = none;
    model.shape_meshes = mesh;
    model.vertex_count = 4;
    model.vertices = corners;
    model.triangle_count = 1;
    model.triangles = face;
    model.joint_count = 0;
    ASSERT_EQ(perpend_record_add(&recording.file, &first.frame), 0) << recording.message();
    const std::int64_t third = 5;
    model.body_ids = model.shape_bodies = &third;
    ASSERT_EQ(perpend_record_add(&recording.file, &first.frame), 0) << recording.message();
    model.shape_bodies = &late;
    EXPECT_EQ(perpend_record_add(&recording.file, &first.frame), PERPEND_RECORD_INVALID);
    EXPECT_EQ(recording.message(), path.path() +
                                       ": frame 3: model/shape_bodies row 0 names none "
                                       "of model/body_ids");
    model.shape_bodies = &third;
    model.vertex_count = 3;
    EXPECT_EQ(perpend_record_add(&recording.file, &first.frame), PERPEND_RECORD_INVALID);
    EXPECT_EQ(recording.message(),
              path.path() + ": frame 3: model/shape_meshes row 0 names more than there is");
    model.vertices = nullptr;
    EXPECT_EQ(perpend_record_add(&recording.file, &first.frame), PERPEND_RECORD_INVALID);
    EXPECT_EQ(recording.message(),
              path.path() + ": frame 3: model/vertices is NULL, expected 3 rows");
  }
  const ModelColumns read = FrameReader(path).model();
  EXPECT_EQ(read.body_ids, (Integers{1000, 993, 5}));
  EXPECT_EQ(read.body_names[0].str(), "box");
  EXPECT_EQ(read.body_names[1].str(), std::string(63, 'a'));
  EXPECT_EQ(read.joint_names[0].str(), "hinge");
  EXPECT_EQ(read.vertices.rows(), 8);
  EXPECT_EQ(read.shape_meshes(2, 0), 4);
  EXPECT_EQ(read.shape_meshes(2, 2), 1);
  EXPECT_EQ(read.shape_sizes(0, 2), 3);
  EXPECT_THAT(validate(path), IsEmpty());
}

// Two boxes and a joint with their names in each of 100 frames, and a third box from frame 50 on.
struct GivenAlways {
  std::int64_t ids[3] = {1000, 993, 5}, shape_ids[4] = {1000, 993, 993, 5}, joint = 7;
  std::int64_t no_mesh[16] = {};
  std::int8_t kinds[4] = {};
  const char *names[3] = {"box", "block", "late"}, *joints[1] = {"hinge"};
  double poses[28] = {}, half[12] = {};

  GivenAlways() {
    for (int i = 0; i < 4; ++i)
      poses[7 * i + 3] = half[3 * i] = half[3 * i + 1] = half[3 * i + 2] = 1;
  }
  void put(perpend_record_frame& frame, std::int64_t bodies) const {
    auto& model = frame.model;
    model.body_count = bodies;
    model.shape_count = bodies + 1;
    model.joint_count = 1;
    model.body_ids = ids;
    model.body_names = names;
    model.shape_bodies = shape_ids;
    model.shape_kinds = kinds;
    model.shape_poses = poses;
    model.shape_sizes = half;
    model.shape_meshes = no_mesh;
    model.joint_ids = &joint;
    model.joint_names = joints;
  }
};

TEST(PerpendRecord, NamesGivenInEveryFrameAreWrittenOnce) {
  const TemporaryFile path;
  {
    Recording recording(path);
    const GivenAlways always;
    for (int i = 0; i < 100; ++i) {
      const Record record = bare_record(2, 1, {}, 1);
      Given given(record);
      always.put(given.frame, i < 50 ? 2 : 3);
      ASSERT_EQ(perpend_record_add(&recording.file, &given.frame), 0) << recording.message();
    }
  }
  EXPECT_THAT(validate(path), IsEmpty());
  const FrameReader reader(path);
  EXPECT_EQ(reader.frames(), 100);
  EXPECT_EQ(reader.model().body_ids, (Integers{1000, 993, 5}));
  EXPECT_EQ(reader.model().body_names[2].str(), "late");
  EXPECT_EQ(reader.model().shape_bodies, (Integers{1000, 993, 993, 5}));
  EXPECT_EQ(reader.model().joint_ids, (Integers{7}));
}

// Writes the rows of a dataset `times` over.
void repeat_rows(hid_t file, const char* name, hsize_t times) {
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(data);
  hid_t space = H5Dget_space(data);
  hsize_t shape[3] = {};
  const int rank = H5Sget_simple_extent_dims(space, shape, nullptr);
  const hsize_t rows = shape[0];
  std::vector<char> bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) *
                          H5Tget_size(type));
  H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  const std::vector<char> once = bytes;
  for (hsize_t i = 1; i < times; ++i) bytes.insert(bytes.end(), once.begin(), once.end());
  shape[0] = times * rows;
  ASSERT_GE(H5Dset_extent(data, shape), 0) << rank;
  ASSERT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(data);
}

// What 0.5.0 wrote of the same: no command could read it.
TEST(PerpendRecord, NamesThatAnOlderVersionGaveInEveryFrameAreReadOnce) {
  const TemporaryFile path;
  {
    Recording recording(path);
    const GivenAlways always;
    const Record record = bare_record(2, 1, {}, 1);
    Given given(record);
    always.put(given.frame, 3);
    ASSERT_EQ(perpend_record_add(&recording.file, &given.frame), 0) << recording.message();
  }
  const hid_t file = H5Fopen(path.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const char* name : {"body_ids", "body_names", "shape_bodies", "shape_kinds", "shape_poses",
                           "shape_sizes", "shape_meshes", "joint_ids", "joint_names"})
    repeat_rows(file, (std::string("/model/") + name).c_str(), 100);
  H5Fclose(file);
  EXPECT_THAT(validate(path), testing::ElementsAre(HasSubstr("perpend repair")));
  const FrameReader reader(path);
  EXPECT_EQ(reader.frames(), 1);
  EXPECT_EQ(reader.model().body_ids, (Integers{1000, 993, 5}));
  EXPECT_EQ(reader.model().shape_bodies, (Integers{1000, 993, 993, 5}));
  EXPECT_EQ(reader.model().shape_poses.rows(), 4);
  EXPECT_EQ(reader.model().joint_names.size(), 1u);
}

TEST(PerpendRecord, HostileCountsAreRefused) {
  const TemporaryFile path;
  Recording recording(path);
  const Record record = full_record(4, 5, {2, 1}, 3);
  using Frame = perpend_record_frame;
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::function<std::int64_t&(Frame&)> counts[] = {
      [](Frame & f) -> auto& {return f.bodies.count;
}
, [](Frame& f) -> auto& { return f.contacts.count; }
, [](Frame& f) -> auto& { return f.constraints.count; }
, [](Frame& f) -> auto& { return f.constraints.row_count; }
, [](Frame& f) -> auto& { return f.system.coordinates; }
, [](Frame& f) -> auto& { return f.system.contacts; }
, [](Frame& f) -> auto& { return f.system.joint_rows; }
, [](Frame& f) -> auto& { return f.system.M_entries; }
, [](Frame& f) -> auto& { return f.system.J_entries; }
, [](Frame& f) -> auto& { return f.system.A_entries; }
, [](Frame& f) -> auto& { return f.model.body_count; }
, [](Frame& f) -> auto& { return f.model.shape_count; }
, [](Frame& f) -> auto& { return f.model.vertex_count; }
, [](Frame& f) -> auto& { return f.model.triangle_count; }
, [](Frame& f) -> auto& { return f.model.joint_count; }
};  // namespace perpend_record_test
for (std::size_t i = 0; i < std::size(counts); ++i)
  for (const std::int64_t value : {least, least + 1, std::int64_t{-1}}) {
    Given given(record);
    counts[i](given.frame) = value;
    EXPECT_EQ(perpend_record_add(&recording.file, &given.frame), PERPEND_RECORD_INVALID) << i;
  }
for (const std::size_t i : {4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u}) {  // nothing there
  const Record bare = bare_record(2, 1, {}, 1);
  for (const std::int64_t value : {least, -(least + 1), std::int64_t{1} << 62, std::int64_t{1}}) {
    Given given(bare);
    counts[i](given.frame) = value;
    EXPECT_EQ(perpend_record_add(&recording.file, &given.frame), PERPEND_RECORD_INVALID) << i;
  }
}
EXPECT_EQ(recording.add(record), PERPEND_RECORD_OK) << recording.message();
EXPECT_EQ(perpend_record_close(&recording.file), PERPEND_RECORD_OK);
EXPECT_THAT(validate(path), IsEmpty());
}  // namespace perpend::io

TEST(PerpendRecord, GivesIdsAndTangentsThatWereNotGiven) {
  const TemporaryFile path;
  Record record = bare_record(3, 2, {}, 5);
  record.frame.bodies.ids = {0, 1, 2};
  record.answer.z = Rows3::Constant(2, 3, 0.5);
  {
    Recording recording(path);
    Given given(record);
    given.frame.bodies.ids = nullptr;
    ASSERT_EQ(perpend_record_add(&recording.file, &given.frame), PERPEND_RECORD_OK)
        << recording.message();
  }
  const Record back = FrameReader(path).read(0);
  EXPECT_EQ(back.frame.bodies.ids, record.frame.bodies.ids);
  for (Index i = 0; i < 2; ++i) {
    const Tangents axes = tangents(record.frame.contacts.normals.row(i));
    EXPECT_NEAR((back.frame.contacts.tangents.row(i).head<3>().transpose() - axes.t).norm(), 0,
                1e-15);
    EXPECT_NEAR((back.frame.contacts.tangents.row(i).tail<3>().transpose() - axes.o).norm(), 0,
                1e-15);
  }
}

TEST(PerpendRecord, SaysWhoAnswered) {
  const TemporaryFile path;
  const Record record = bare_record(3, 2, {}, 5);
  {
    Recording recording(path);
    for (const std::int64_t who : {1, 0, 2, -1}) {
      Given given(record);
      given.frame.solution.answered = &who;
      const int code = perpend_record_add(&recording.file, &given.frame);
      EXPECT_EQ(code, who == 0 || who == 1 ? PERPEND_RECORD_OK : PERPEND_RECORD_INVALID);
      if (who == 2) {
        EXPECT_THAT(recording.message(),
                    EndsWith("frame 2: solution/answered is 2, but the header has 2 answerers"));
      }
    }
    ASSERT_EQ(recording.add(record), PERPEND_RECORD_OK);
  }
  const FrameReader reader(path);
  ASSERT_EQ(reader.frames(), 3);
  EXPECT_EQ(reader.read(0).answer.answered, "sequential impulses");
  EXPECT_EQ(reader.read(1).answer.answered, "Dantzig");
  EXPECT_EQ(reader.read(2).answer.answered, "");
  EXPECT_THAT(validate(path), IsEmpty());
}

// What is refused leaves no trace: the frames before and after it are in the file.
TEST(PerpendRecord, NamesTheFieldAndTheRowOfWhatItRefuses) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, std::function<void(Record&)>>> mistakes{
      {"step is not a positive number", [](Record& r) { r.frame.step = 0; }},
      {"time row 0 is not finite", [](Record& r) { r.frame.time = nan; }},
      {"bodies/masses row 1 is negative", [](Record& r) { r.frame.bodies.masses[1] = -1; }},
      {"bodies/ids has 993 twice", [](Record& r) { r.frame.bodies.ids[0] = 993; }},
      {"bodies/inertia row 2 is not symmetric positive definite",
       [](Record& r) { r.frame.bodies.inertia(2, 8) = -1; }},
      {"bodies/quaternions row 1 is not a unit quaternion",
       [](Record& r) { r.frame.bodies.quaternions(1, 0) += 1; }},
      {"bodies/velocities row 2 is not finite",
       [](Record& r) { r.frame.bodies.velocities(2, 3) = nan; }},
      {"bodies/forces row 2 is not finite", [](Record& r) { r.frame.bodies.forces(2, 5) = nan; }},
      {"contacts/normals row 3 is not a unit vector",
       [](Record& r) { r.frame.contacts.normals.row(3) *= 1.001; }},
      {"contacts/tangents row 1 is not orthonormal to the normal",
       [](Record& r) {
         r.frame.contacts.tangents.row(1).head<3>() = r.frame.contacts.normals.row(1);
       }},
      {"contacts/mu row 0 is negative", [](Record& r) { r.frame.contacts.mu[0] = -0.1; }},
      {"contacts/gap row 2 is not finite",
       [](Record& r) { r.frame.contacts.gap[2] = std::numeric_limits<double>::infinity(); }},
      {"contacts/friction_bounds row 1 is negative or NaN",
       [](Record& r) { r.frame.contacts.friction_bounds(1, 1) = nan; }},
      {"contacts/restitution row 0 is above 1",
       [](Record& r) { r.frame.contacts.restitution[0] = 1.5; }},
      {"contacts/pairs row 0 names the same body twice",
       [](Record& r) { r.frame.contacts.pairs.row(0).setConstant(1); }},
      {"contacts/pairs row 0 names two fixed bodies",
       [](Record& r) { r.frame.bodies.masses.setZero(); }},
      {"constraints/rows add up to 4, but there are 3 joint rows",
       [](Record& r) { r.frame.joints.rows[0] = 3; }},
      {"constraints/bounds row 1 is not a range",
       [](Record& r) { r.frame.joints.bounds.row(1) << 1, 0; }},
      {"solution/z row 2 is not finite", [](Record& r) { r.answer.z(2, 1) = nan; }},
      {"solution/slide_or_stick row 0 is not 0, 1 or 2",
       [](Record& r) { r.answer.slide_or_stick[0] = 3; }},
      {"system/M_rows do not add up to the 2 entries there are",
       [](Record& r) { r.system.M.rows[0] = 2; }},
      {"contacts/points row 4 is farther than 1e70 m from the centre of mass",
       [](Record& r) { r.frame.contacts.points(4, 1) = 1e71; }},
      {"contacts/points2 row 2 is farther than 1e70 m from the centre of mass",
       [](Record& r) { r.frame.contacts.points2(2, 0) = -1e71; }},
      {"contacts/points row 0 is farther than 1e70 m from the centre of mass",
       [](Record& r) {
         r.frame.contacts.points2.resize(0, 3);
         r.frame.contacts.gap[0] = 1e300;
       }},
      {"bodies/masses row 2 is outside 1e-140 to 1e140 kg",
       [](Record& r) { r.frame.bodies.masses[2] = 1e-300; }},
      {"bodies/inertia row 2 is outside 1e-140 to 1e140 kg m^2",
       [](Record& r) { r.frame.bodies.inertia.row(2) *= 1e200; }},
      {"constraints/jacobian row 1 has an entry above 1e70",
       [](Record& r) { r.frame.joints.jacobian(1, 3) = 1e100; }},
      {"constraints/rows row 0 is negative",
       [](Record& r) { r.frame.joints.rows[0] = std::numeric_limits<std::int64_t>::min(); }},
      {"system/bounds row 0 is not a range", [](Record& r) { r.system.bounds.row(0) << 1, 0; }},
      {"system/J_rows do not add up to the 4 entries there are",  // but for their overflow
       [](Record& r) {
         r.system.J.rows[0] = r.system.J.rows[1] = std::int64_t{1} << 62;
         r.system.J.rows[2] = r.system.J.rows[3] = std::int64_t{1} << 62;
         r.system.J.rows[0] += 2;
       }},
      {"system/A_columns row 1 is out of range", [](Record& r) { r.system.A.columns[1] = 4; }},
  };
  const TemporaryFile path;
  Recording recording(path);
  Index frames = 0;
  for (const auto& [words, spoil] : mistakes) {
    Record record = full_record(4, 5, {2, 1}, 3);
    record.answer.errors = {};
    spoil(record);
    EXPECT_EQ(recording.add(record), PERPEND_RECORD_INVALID) << words;
    EXPECT_EQ(recording.message(),
              path.path() + ": frame " + std::to_string(frames) + ": " + words);
    EXPECT_EQ(recording.add(numbered(frames)), PERPEND_RECORD_OK) << recording.message();
    EXPECT_EQ(recording.message(), "");
    ++frames;
  }
  EXPECT_EQ(perpend_record_close(&recording.file), PERPEND_RECORD_OK);
  EXPECT_THAT(validate(path), IsEmpty());
  EXPECT_EQ(FrameReader(path).frames(), frames);
}

// Two to four numbers of a frame are replaced by hostile ones: what the writer takes, the reader
// takes.
TEST(PerpendRecord, WhatItTakesValidates) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double reals[] = {0,      -0.0,   1,     -1,     1e-300,    1e300,      -1e300, 1e71,
                          1e-141, 1e141,  9e69,  -2e70,  5e-324,    1e154,      1e308,  1 + 1e-6,
                          0.5,    1e-140, 1e140, 1.0e70, kInfinity, -kInfinity, NAN};
  const std::int64_t wholes[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 1000,
                                 std::int64_t{1} << 62,
                                 std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()};
  std::mt19937_64 random(36);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int taken = 0;
  for (int file = 0; file < 8; ++file) {
    const TemporaryFile path;
    Recording recording(path);
    for (int i = 0; i < 250; ++i) {
      Record record = full_record(4, 5, {2, 1}, 3);
      record.answer.errors = {};
      if (i % 2 == 0) record.frame.contacts.points2.resize(0, 3);
      Given given(record);
      for (std::size_t change = 2 + below(3); change > 0; --change) {
        const ColumnOfFrame list = column_of(given.frame, below(PERPEND_RECORD_SYSTEM_OFFSETS));
        if (!list.numbers || list.count == 0) continue;
        void* at = const_cast<void*>(list.numbers);
        const std::size_t place = below(static_cast<std::size_t>(list.count));
        if (list.type == 'd') static_cast<double*>(at)[place] = reals[below(std::size(reals))];
        if (list.type == 'i')
          static_cast<std::int64_t*>(at)[place] = wholes[below(std::size(wholes))];
      }
      taken += perpend_record_add(&recording.file, &given.frame) == PERPEND_RECORD_OK;
    }
    EXPECT_EQ(perpend_record_close(&recording.file), PERPEND_RECORD_OK) << recording.message();
    EXPECT_THAT(validate(path), IsEmpty());
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 1900);
}

TEST(PerpendRecord, NamesWhatIsNotThere) {
  const TemporaryFile path;
  Recording recording(path);
  const Record record = bare_record(3, 2, {1}, 5);
  const auto refusal = [&](auto spoil) {
    Given given(record);
    spoil(given.frame);
    EXPECT_EQ(perpend_record_add(&recording.file, &given.frame), PERPEND_RECORD_INVALID);
    return recording.message();
  };
  EXPECT_THAT(refusal([](auto& f) { f.bodies.masses = nullptr; }),
              EndsWith("bodies/masses is NULL, expected 3 rows"));
  EXPECT_THAT(refusal([](auto& f) { f.contacts.pairs = nullptr; }),
              EndsWith("contacts/pairs is NULL, expected 2 rows"));
  EXPECT_THAT(refusal([](auto& f) { f.contacts.count = -1; }), HasSubstr("its count is negative"));
  const std::int64_t stranger[] = {1000, 5, 1000, 993};
  EXPECT_THAT(refusal([&](auto& f) { f.contacts.pairs = stranger; }),
              EndsWith("contacts/pairs row 0 names body id 5, which the frame does not have"));
  EXPECT_THAT(refusal([](auto& f) { f.system.contacts = 1; }),
              EndsWith("system/b is NULL, expected 3 rows"));
}

TEST(PerpendRecord, SaysWhyItCannotOpen) {
  perpend_record file{};
  perpend_record_header header{};
  EXPECT_EQ(perpend_record_open(&file, "/nowhere/run.h5", &header), PERPEND_RECORD_FILE);
  EXPECT_STREQ(file.message, "/nowhere/run.h5: cannot be written: No such file or directory");
  EXPECT_EQ(perpend_record_close(&file), PERPEND_RECORD_OK);
  const TemporaryFile path;
  header.stepper = "euler";
  EXPECT_EQ(perpend_record_open(&file, path.path().c_str(), &header), PERPEND_RECORD_INVALID);
  EXPECT_THAT(file.message, EndsWith("stepper is neither \"st\" nor \"ap\""));
  const perpend_record_frame frame{};
  EXPECT_EQ(perpend_record_add(&file, &frame), PERPEND_RECORD_INVALID);
  EXPECT_THAT(file.message, EndsWith("not open"));
}

TEST(PerpendRecord, LeavesHdf5sPrinterAsItWas) {
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  const TemporaryFile path;
  {
    Recording recording(path);
    recording.add(numbered(1));
  }
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

// A child that adds frames until it is killed; every `flush_every`th is flushed by hand, 0: none.
// Its last words are the number of frames it knew to be safe.
Index killed(const std::string& path, Index flush_every, useconds_t pause, Index frames) {
  int line[2];
  if (pipe(line) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    Recording recording(path);
    Index safe = 0;
    for (Index i = 0; i < frames; ++i) {
      recording.add(numbered(i));
      if (flush_every && i % flush_every == flush_every - 1 &&
          perpend_record_flush(&recording.file) == PERPEND_RECORD_OK)
        safe = i + 1;
      usleep(pause);
    }
    if (write(line[1], &safe, sizeof safe) != sizeof safe) _exit(1);
    kill(getpid(), SIGKILL);
  }
  Index safe = -1;
  close(line[1]);
  EXPECT_EQ(read(line[0], &safe, sizeof safe), static_cast<ssize_t>(sizeof safe));
  close(line[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return safe;
}

TEST(PerpendRecord, AKilledProgramLeavesWhatWasFlushed) {
  for (const Index frames : {3, 10, 26}) {
    const TemporaryFile path;
    const Index safe = killed(path, 4, 0, frames);
    EXPECT_EQ(safe, frames / 4 * 4);
    const FrameReader reader(path);
    ASSERT_GE(reader.frames(), safe);
    for (Index i = 0; i < reader.frames(); ++i) {
      Record expected = numbered(i);
      expected.frame.stepper = Stepper::ap;
      expect_same(expected, reader.read(i), "frame " + std::to_string(i));
    }
  }
}

TEST(PerpendRecord, FlushesByItselfWhenTheSecondChanges) {
  const TemporaryFile path;
  killed(path, 0, 50'000, 30);  // one second and a half: at least one change in its first second
  EXPECT_GE(FrameReader(path).frames(), 1);
}

TEST(PerpendRecord, DoesNotReplaceWhatAKilledProgramLeft) {
  const TemporaryFile path;
  killed(path, 1, 0, 5);
  {
    const Recording refused(path);
    EXPECT_EQ(refused.code, PERPEND_RECORD_FILE);
    EXPECT_THAT(refused.message(),
                HasSubstr("another program is writing it, or its writer was killed"));
  }
  EXPECT_EQ(repair(path), 5);
  const Recording accepted(path);
  EXPECT_EQ(accepted.code, PERPEND_RECORD_OK) << accepted.message();
}

// As a disk that is full: no file of this process may grow beyond 2 MB.
class SmallDisk {
 public:
  SmallDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = 2'000'000;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, signal_before_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  // Plain C99 has no means to hold the signal back.
  void (*signal_before_)(int) = signal(SIGXFSZ, SIG_IGN);
  rlimit before_{};
};

TEST(PerpendRecord, AFullDiskIsAnErrorThatStaysAndLosesNothing) {
  const TemporaryFile path;
  const Record record = bare_record(20, 20, {}, 1);
  const Given given(record);
  int flushed = 0;
  {
    const SmallDisk full;
    perpend_record file{};
    perpend_record_header header{};
    ASSERT_EQ(perpend_record_open(&file, path.path().c_str(), &header), PERPEND_RECORD_OK);
    int code = PERPEND_RECORD_OK;
    while (!code && flushed < 1000) {
      code = perpend_record_add(&file, &given.frame);
      if (!code) code = perpend_record_flush(&file);
      if (!code) ++flushed;
    }
    EXPECT_EQ(code, PERPEND_RECORD_FILE);
    const std::string said = file.message;
    EXPECT_EQ(said, path.path() + ": cannot be written (File too large)");
    EXPECT_EQ(perpend_record_add(&file, &given.frame), PERPEND_RECORD_FILE);
    EXPECT_EQ(said, file.message);
    EXPECT_EQ(perpend_record_close(&file), PERPEND_RECORD_FILE);
  }
  EXPECT_GT(flushed, 3);
  EXPECT_GE(FrameReader(path).frames(), flushed);
  EXPECT_GE(repair(path), flushed);
  const FrameReader reader(path);
  for (Index i = 0; i < flushed; ++i)
    EXPECT_EQ(reader.read(i).frame.bodies.velocities, record.frame.bodies.velocities);
}

}  // namespace perpend_record_test
}  // namespace perpend::io
