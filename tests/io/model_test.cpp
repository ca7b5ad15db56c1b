// Names and shapes of recordings, and what hands did: they come back from both layouts and from
// JSON lines, a killed writer keeps them, and what does not fit is refused with one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace model_test {

using testing::ElementsAre;
using testing::IsEmpty;

// Body 1000 is a ball and a tetrahedron, body 993 a plane; joint 20 has a name.
ModelColumns model() {
  ModelColumns out;
  out.body_ids = {1000, 993};
  out.body_names = {NameText("ball & tip"), NameText("floor")};
  out.shape_bodies = {1000, 1000, 993};
  out.shape_kinds = {ModelColumns::Kind::sphere, ModelColumns::Kind::hull,
                     ModelColumns::Kind::plane};
  out.shape_poses = Rows<7>::Zero(3, 7);
  out.shape_poses.col(3).setOnes();
  out.shape_poses(1, 2) = 0.25;
  out.shape_sizes = Rows3::Zero(3, 3);
  out.shape_sizes(0, 0) = 0.5;
  out.shape_meshes = Rows<4, std::int64_t>::Zero(3, 4);
  out.shape_meshes.row(1) << 0, 4, 0, 4;
  out.vertices = Rows3::Zero(4, 3);
  out.vertices.bottomRows(3).setIdentity();
  out.triangles.resize(4, 3);
  out.triangles << 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3;
  out.joint_ids = {20};
  out.joint_names = {NameText("hinge")};
  return out;
}

void expect_same_model(const ModelColumns& a, const ModelColumns& b) {
  Record x, y;
  x.model = a;
  y.model = b;
  for (const Column& column : file_columns()) {
    const Column::View u = column.view(x), v = column.view(y);
    ASSERT_EQ(u.rows, v.rows) << column.name;
    if (u.rows > 0) {
      EXPECT_EQ(std::memcmp(u.data, v.data, static_cast<std::size_t>(u.rows) * column.row_bytes()),
                0)
          << column.name;
    }
  }
}

Record record(std::uint64_t seed) { return full_record(3, 4, {2}, seed); }

void write(const std::string& path) {
  FrameWriter writer(path, {}, 4);
  Record first = record(1);
  first.model = model();
  first.events = {EventText(R"({"step":0,"kind":"release","body":1})")};
  writer.append(first);
  Record second = record(2);
  second.events = {EventText(R"({"step":1,"kind":"cut","joint":0})")};
  writer.append(second);
  writer.close();
}

TEST(Model, ComesBackFromBothLayouts) {
  const TemporaryFile columns_file, frames_file;
  write(columns_file);
  write_frames_layout(FrameReader(columns_file), frames_file);
  for (const std::string& path : {columns_file.path(), frames_file.path()}) {
    const FrameReader reader(path);
    expect_same_model(reader.model(), model());
    EXPECT_THAT(reader.events(), ElementsAre(R"({"step":0,"kind":"release","body":1})",
                                             R"({"step":1,"kind":"cut","joint":0})"));
    EXPECT_THAT(validate(path), IsEmpty());
  }
}

TEST(Model, IsEmptyInFilesThatHaveNone) {
  const TemporaryFile file;
  {
    FrameWriter writer(file, {}, 4);
    writer.append(record(1));
  }
  EXPECT_TRUE(FrameReader(file).model().empty());
  EXPECT_THAT(FrameReader(file).events(), IsEmpty());
  EXPECT_THAT(validate(file), IsEmpty());
  EXPECT_TRUE(FrameReader(PERPEND_SOURCE_DIR "/tests/io/data/version1.h5").model().empty());
}

TEST(Model, GrowsByBodiesThatComeLaterAndTakesEachOnce) {
  const TemporaryFile file;
  ModelColumns later = model();  // another body, with a mesh of its own; the others again
  later.body_ids.push_back(5);
  later.body_names.emplace_back("late");
  for (std::int64_t& body : later.shape_bodies)
    if (body == 1000) body = 5;
  {
    FrameWriter writer(file, {}, 4);
    Record one = record(1);
    one.model = model();
    writer.append(one);
    one.model = later;
    writer.append(one);
    writer.append(one);
  }
  const ModelColumns read = FrameReader(file).model();
  EXPECT_THAT(read.body_ids, ElementsAre(1000, 993, 5));
  EXPECT_THAT(read.shape_bodies, ElementsAre(1000, 1000, 993, 5, 5));
  EXPECT_EQ(read.vertices.rows(), 8);
  const std::array<std::int64_t, 4> counted_on{4, 4, 4, 4};
  EXPECT_TRUE(std::equal(counted_on.begin(), counted_on.end(), read.shape_meshes.row(4).begin()));
  EXPECT_THAT(read.joint_ids, ElementsAre(20));
  EXPECT_EQ(invalid(read), "");
}

TEST(Model, ComesBackFromJsonLines) {
  Record wrote = record(1);
  wrote.model = model();
  wrote.events = {EventText(R"({"step":0,"kind":"release","body":1})")};
  wrote.system = {};
  std::istringstream line(to_json_line(wrote));
  const Record read = read_json_lines(line, "line").front();
  expect_same_model(read.model, model());
  EXPECT_EQ(read.events, wrote.events);
}

TEST(Model, OfAKilledWriterIsThere) {
  const TemporaryFile file;
  const pid_t child = fork();
  if (child == 0) {
    FrameWriter writer(file, {}, 64);
    Record one = record(1);
    one.model = model();
    writer.append(one);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  expect_same_model(FrameReader(file).model(), model());
  EXPECT_EQ(repair(file), 1);
  expect_same_model(FrameReader(file).model(), model());
}

TEST(Model, NamesAreCutBetweenTwoLetters) {
  std::string name(63, 'a');
  name += "é";
  EXPECT_EQ(NameText(name).str(), std::string(63, 'a'));
  EXPECT_EQ(NameText(std::string(64, 'b')).str(), std::string(64, 'b'));
}

TEST(Model, OfASceneHasEveryShapeWhereTheBodyIs) {
  Scene scene;
  Body body;
  body.name = "hammer";
  body.mass = 2;
  body.shape.type = Shape::Type::compound;
  Part head, handle;
  head.shape.half_extents = {0.1, 0.2, 0.3};
  head.pose.position = {0, 0, 1};
  handle.shape.type = Shape::Type::capsule;
  handle.shape.radius = 0.05;
  handle.shape.height = 0.8;
  body.shape.parts = {head, handle};
  body.pose.position = {1, 2, 3};
  body.pose.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Vector3d::UnitX()));
  body.id = 7;
  Body field;
  field.name = "ground";
  field.shape.type = Shape::Type::height_field;
  field.shape.rows = 2;
  field.shape.columns = 3;
  field.shape.heights = {0, 1, 0, 0, 1, 0};
  scene.bodies = {body, field};

  // An engine whose body has another origin and other axes.
  Frame frame = make_frame(2, 0);
  frame.bodies.ids = body_ids(scene);
  EXPECT_EQ(frame.bodies.ids[0], 7);
  frame.bodies.positions.row(0) << 1.5, 2, 3;
  const Eigen::Quaterniond q(Eigen::AngleAxisd(-1.2, Vector3d(1, 2, 3).normalized()));
  frame.bodies.quaternions.row(0) << q.w(), q.x(), q.y(), q.z();
  const ModelColumns made = model_of(scene, frame.bodies.ids, frame.bodies, 0);
  EXPECT_EQ(invalid(made), "");
  ASSERT_EQ(made.shape_kinds.size(), 3u);
  EXPECT_EQ(made.body_names[0].str(), "hammer");
  // Seen from the world the head is where the scene puts it.
  const auto pose = made.shape_poses.row(0);
  const Vector3d at = frame.bodies.positions.row(0).transpose() + q * pose.head<3>().transpose();
  const Vector3d expected = body.pose.position + body.pose.orientation * Vector3d(0, 0, 1);
  EXPECT_LT((at - expected).norm(), 1e-14);
  const Eigen::Quaterniond turned = q * Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]);
  EXPECT_LT(turned.angularDistance(body.pose.orientation), 1e-7);
  EXPECT_EQ(made.shape_kinds[2], ModelColumns::Kind::mesh);
  EXPECT_EQ(made.vertices.rows(), 6);
  EXPECT_EQ(made.triangles.rows(), 4);

  const Scene drawn = scene_of(made);
  ASSERT_EQ(drawn.bodies.size(), 2u);
  EXPECT_EQ(drawn.bodies[0].shape.parts.size(), 2u);
  EXPECT_EQ(drawn.bodies[1].shape.parts[0].shape.points.size(), 6u);
}

// Spoils a sound model; the complaint of a reader and of validate, without the name of the file.
void expect_refused(const std::function<void(ModelColumns&)>& spoil, const std::string& what) {
  ModelColumns spoilt = model();
  spoil(spoilt);
  EXPECT_EQ(invalid(spoilt), what);
  const TemporaryFile file;
  Record one = record(1);
  one.model = spoilt;
  EXPECT_EQ(test::complaint([&] { FrameWriter(file, {}, 4).append(one); }),
            file.path() + ": frame 0: /" + what);
}

TEST(Model, IsRefusedWhereItDoesNotFit) {
  expect_refused([](ModelColumns& m) { m.body_ids[1] = 1000; },
                 "model/body_ids row 1 repeats id 1000");
  expect_refused([](ModelColumns& m) { m.body_names.pop_back(); },
                 "model/body_names has 1 rows, expected 2");
  expect_refused([](ModelColumns& m) { m.shape_bodies[2] = 4; },
                 "model/shape_bodies row 2 names body id 4, which body_ids lacks");
  expect_refused([](ModelColumns& m) { m.shape_kinds[0] = static_cast<ModelColumns::Kind>(8); },
                 "model/shape_kinds row 0 is not 0 to 7");
  expect_refused([](ModelColumns& m) { m.shape_poses(1, 3) = 0.5; },
                 "model/shape_poses row 1 has no unit quaternion");
  expect_refused([](ModelColumns& m) { m.shape_sizes(0, 0) = -1; },
                 "model/shape_sizes row 0 is negative");
  expect_refused([](ModelColumns& m) { m.shape_meshes(1, 1) = 5; },
                 "model/shape_meshes row 1 names vertices that are not there");
  expect_refused([](ModelColumns& m) { m.triangles(3, 0) = 4; },
                 "model/triangles row 3 names a vertex that its shape does not have");
}

void replace(const h5::File& file, const std::string& name, const std::vector<std::int64_t>& v,
             const std::vector<hsize_t>& shape) {
  ASSERT_GE(H5Ldelete(file, name.c_str(), H5P_DEFAULT), 0);
  h5::write(file, name, shape, v.data());
}

TEST(Model, OfAHostileFileIsRefusedWithOneLine) {
  const auto refused = [](const std::string& name, const std::vector<std::int64_t>& values,
                          const std::vector<hsize_t>& shape, const std::string& what) {
    const TemporaryFile file;
    write(file);
    {
      const h5::Silence quiet;
      replace(h5::File::open_for_writing(file), name, values, shape);
    }
    const std::string said = test::complaint([&] { FrameReader(file).model(); });
    EXPECT_EQ(said, file.path() + ": " + what);
    EXPECT_THAT(validate(file), testing::Contains(said));
  };
  refused("/model/body_ids", {1, 1}, {2}, "/model/body_ids row 1 repeats id 1");
  refused("/model/shape_kinds", {1, 5, 99}, {3}, "/model/shape_kinds row 2 is not 0 to 7");
  refused("/model/body_names", {1, 2}, {2},
          "/model/body_names: holds signed integers, expected text");
  refused("/model/triangles", std::vector<std::int64_t>(8), {4, 2},
          "/model/triangles: has shape (4, 2), expected (rows, 3)");
  refused("/model/shape_meshes", {0, 0, 0, 0, -1, 4, 0, 4, 0, 0, 0, 0}, {3, 4},
          "/model/shape_meshes row 1 names vertices that are not there");
}

TEST(Events, ThatAreNoneAreToldByValidate) {
  const TemporaryFile file;
  {
    FrameWriter writer(file, {}, 4);
    Record one = record(1);
    one.events = {EventText("{\"step\": 0, \"kind\": \"release\"}"), EventText("{\"step\": -1}")};
    writer.append(one);
  }
  EXPECT_THAT(
      validate(file),
      ElementsAre(file.path() + ": /events: row 1 is not a JSON object with a step and a kind"));
}

}  // namespace model_test
}  // namespace perpend::io
