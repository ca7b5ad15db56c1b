// Pictures: what is in front hides what is behind, sizes are right, every shape is there.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>

#include "draw/render.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace picture_test {

Body body_of(Shape::Type type, double mass, const Vector3d& position) {
  Body body;
  body.shape.type = type;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

// Colours go by the order of bodies: the first that moves is blue, the second orange.
Scene two_boxes(double first_y, double second_y) {
  Scene scene;
  scene.bodies = {body_of(Shape::Type::box, 1, {0, first_y, 0}),
                  body_of(Shape::Type::box, 1, {0, second_y, 0})};
  return scene;
}

Camera from_front(double half_width) {
  Camera camera;
  camera.view = {-90, 0};  // from -y: x to the right, z up
  camera.half_width = half_width;
  return camera;
}

Image seen(const Scene& scene, const Camera& camera, int width = 200, int height = 200,
           bool glass = true) {
  return snapshot(scene, start_state(scene), camera, width, height, glass);
}

bool is_blue(const std::array<std::uint8_t, 3>& c) { return c[2] > c[0] + 30; }
bool is_orange(const std::array<std::uint8_t, 3>& c) { return c[0] > c[2] + 30; }
bool is_grey(const std::array<std::uint8_t, 3>& c) { return std::abs(c[0] - c[2]) < 12; }

long drawn(const Image& image) {
  long count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) count += image.at(x, y) != kGround;
  return count;
}

TEST(Picture, WhatIsInFrontHidesWhatIsBehind) {
  const Image orange_first = seen(two_boxes(2, -2), from_front(2));
  EXPECT_TRUE(is_orange(orange_first.at(100, 100)));
  const Image blue_first = seen(two_boxes(-2, 2), from_front(2));
  EXPECT_TRUE(is_blue(blue_first.at(100, 100)));
}

TEST(Picture, BoxesThatCrossAreEachSeenWhereTheyAreNearer) {
  // Two planks crossing like scissors, seen from above: no order of whole bodies is right.
  Scene scene = two_boxes(0, 0);
  for (const std::size_t i : {0u, 1u}) {
    scene.bodies[i].shape.half_extents = {1, 0.2, 0.02};
    const double tilt = i == 0 ? 0.2 : -0.2;
    scene.bodies[i].pose.orientation = Eigen::AngleAxisd(tilt, Vector3d::UnitY());
  }
  Camera camera;
  camera.view = {-90, 90};
  camera.half_width = 2;
  const Image image = seen(scene, camera);
  // A turn about y by +0.2 lowers +x: the first is on top at -x, the second at +x.
  EXPECT_TRUE(is_blue(image.at(70, 100)));
  EXPECT_TRUE(is_orange(image.at(130, 100)));
}

TEST(Picture, ASpheresSilhouetteIsACircleOfItsRadius) {
  // 1 m in a window of +-2 m over 200 pixels: 50 pixels of radius. The outline is a pixel wide and
  // lies over the border: half a pixel more, and half of one for the pixels that it only touches.
  Scene scene;
  scene.bodies = {body_of(Shape::Type::sphere, 1, {0, 0, 0})};
  scene.bodies[0].shape.radius = 1;
  const Image image = seen(scene, from_front(2));
  const double area = static_cast<double>(drawn(image));
  const double radius = std::sqrt(area / std::numbers::pi);
  EXPECT_NEAR(radius, 50.5, 0.75);
  for (int x = 0; x < 200; ++x)
    for (int y = 0; y < 200; ++y) {
      const double r = std::hypot(x + 0.5 - 100, y + 0.5 - 100);
      if (r > 51.5) {
        EXPECT_EQ(image.at(x, y), kGround) << x << " " << y;
      }
      if (r < 47) {
        EXPECT_TRUE(is_blue(image.at(x, y))) << x << " " << y;
      }
    }
}

TEST(Picture, UpIsAgainstGravity) {
  Scene scene = two_boxes(0, 0);
  scene.bodies[0].pose.position = {0, 0, 1};
  scene.bodies[1].pose.position = {0, 0, -1};
  EXPECT_TRUE(is_blue(seen(scene, from_front(2)).at(100, 50)));
  scene.gravity = {0, 0, 9.81};
  EXPECT_TRUE(is_orange(seen(scene, from_front(2)).at(100, 50)));
}

TEST(Picture, AzimuthTurnsFromXTowardsY) {
  Scene scene = two_boxes(0, 0);
  scene.bodies[0].pose.position = {2, 0, 0};
  scene.bodies[1].pose.position = {0, 2, 0};
  Camera camera = from_front(1);
  camera.view = {0, 0};  // from +x
  EXPECT_TRUE(is_blue(seen(scene, camera).at(100, 100)));
  camera.view = {90, 0};  // from +y
  EXPECT_TRUE(is_orange(seen(scene, camera).at(100, 100)));
}

TEST(Picture, AWallInFrontIsGlassUnlessItShallBeSolid) {
  Scene scene;
  scene.bodies = {body_of(Shape::Type::box, 1, {0, 0, 0}),
                  body_of(Shape::Type::box, 0, {0, -0.7, 0})};
  scene.bodies[1].shape.half_extents = {1.5, 0.1, 1.5};
  EXPECT_TRUE(is_blue(seen(scene, from_front(2)).at(100, 100)));
  EXPECT_TRUE(is_grey(seen(scene, from_front(2), 200, 200, false).at(100, 100)));
  // Behind it, it hides nothing and stays solid.
  scene.bodies[1].pose.position.y() = 0.7;
  EXPECT_TRUE(is_blue(seen(scene, from_front(2)).at(100, 100)));
  EXPECT_EQ(seen(scene, from_front(2)).rgb, seen(scene, from_front(2), 200, 200, false).rgb);
}

TEST(Picture, ABodyThrowsItsShadowAwayFromTheSun) {
  // The sun is at the upper left of who looks: the floor right of the box is darker than left of
  // it.
  Scene scene;
  scene.bodies = {body_of(Shape::Type::box, 1, {0, 0, 0.5}),
                  body_of(Shape::Type::plane, 0, {0, 0, 0})};
  Camera camera;
  camera.view = {-90, 30};
  camera.centre = {0, 0, 0.3};
  camera.half_width = 2;
  const Image image = seen(scene, camera);
  const int y = 112;
  EXPECT_LT(image.at(100 + 38, y)[1] + 20, image.at(100 - 38, y)[1]);
}

Shape shape_of(Shape::Type type) {
  Shape shape;
  shape.type = type;
  switch (type) {
    case Shape::Type::hull:
      shape.points = {{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}, {0, 0, 0}};
      break;
    case Shape::Type::compound: {
      Part part;
      part.pose.position = {0.5, 0, 0};
      shape.parts = {part, part};
      shape.parts[1].shape.type = Shape::Type::sphere;
      break;
    }
    case Shape::Type::height_field:
      shape.rows = 3;
      shape.columns = 4;
      shape.spacing = 0.5;
      shape.heights = {0, 1, 0, 0, 1, 0, 0, 0.5, 0, 0, 1, 0};
      break;
    case Shape::Type::mesh:
      shape.points = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}};
      shape.triangles = {{0, 1, 2}};
      break;
    default:
      break;
  }
  return shape;
}

class EveryShape : public testing::TestWithParam<Shape::Type> {};
TEST_P(EveryShape, IsSeenFromBothSides) {
  Scene scene;
  const bool fixed = GetParam() == Shape::Type::height_field || GetParam() == Shape::Type::mesh ||
                     GetParam() == Shape::Type::plane;
  scene.bodies = {body_of(GetParam(), fixed ? 0 : 1, {0, 0, 0})};
  scene.bodies[0].shape = shape_of(GetParam());
  for (const View view : {View{-60, 25}, View{120, -25}}) {
    Camera camera;
    camera.view = view;
    camera.half_width = 3;
    EXPECT_GT(drawn(seen(scene, camera, 60, 60)), 60);
    PictureOptions options;
    options.view = view;
    options.width = 120;
    EXPECT_GT(drawn(picture(scene, {{"", {start_state(scene)}}}, options)), 300);
  }
}
INSTANTIATE_TEST_SUITE_P(Picture, EveryShape,
                         testing::Values(Shape::Type::box, Shape::Type::sphere,
                                         Shape::Type::cylinder, Shape::Type::cone,
                                         Shape::Type::capsule, Shape::Type::hull,
                                         Shape::Type::compound, Shape::Type::height_field,
                                         Shape::Type::mesh, Shape::Type::plane),
                         [](const auto& which) { return std::string(name(which.param)); });

TEST(Picture, TheCentreOfMassIsNotTheShapesOrigin) {
  // A cone's centre of mass is height/4 above its base: the base is where the pose says.
  Scene scene;
  scene.bodies = {body_of(Shape::Type::cone, 1, {0, 0, 0})};
  scene.bodies[0].shape.radius = 0.5;
  const Image image = seen(scene, from_front(1));
  EXPECT_TRUE(is_blue(image.at(100, 145)));  // base at z = -0.5, 150 pixels from above
  EXPECT_EQ(image.at(100, 155), kGround);
  EXPECT_EQ(image.at(100, 45), kGround);
}

std::vector<State> moments(const Scene& scene, int count) {
  std::vector<State> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(start_state(scene));
    out.back().time = 0.5 * i;
    out.back().positions.col(0).array() += 2.0 * i;
  }
  return out;
}

TEST(Picture, AStroboscopeIsOnePanelWithEarlierMomentsPaler) {
  Scene scene;
  scene.bodies = {body_of(Shape::Type::box, 1, {0, 0, 0})};
  PictureOptions options;
  options.strobe = true;
  options.view = {-90, 0};
  options.width = 600;
  const Image image = picture(scene, {{"", moments(scene, 3)}}, options);
  // Three boxes of 1 m, 2 m apart, in the middle of a strip.
  std::vector<int> saturation;
  const auto row = [&](int x) {
    int most = 0;
    for (int y = 0; y < image.height; ++y) {
      const auto c = image.at(x, y);
      most = std::max(most, c[2] - c[0]);
    }
    return most;
  };
  int boxes = 0;
  for (int x = 1; x < image.width; ++x) boxes += row(x) > 12 && row(x - 1) <= 12;
  EXPECT_EQ(boxes, 3);
  const int middle = image.width / 2;
  EXPECT_GT(row(middle + 180), row(middle));
  EXPECT_GT(row(middle), row(middle - 180));
}

TEST(Picture, MomentsStandInRowsUnderOneWidth) {
  Scene scene;
  scene.bodies = {body_of(Shape::Type::box, 1, {0, 0, 0})};
  PictureOptions options;
  options.width = 500;
  const Image one = picture(scene, {{"", moments(scene, 2)}}, options);
  const Image two = picture(scene, {{"a", moments(scene, 2)}, {"b", moments(scene, 2)}}, options);
  EXPECT_EQ(one.width, 500);
  EXPECT_EQ(two.width, 500);
  EXPECT_GT(two.height, 3 * one.height / 2);
}

TEST(Picture, ABodyThatIsNowhereIsLeftOut) {
  const Scene scene = two_boxes(-2, 2);
  State state = start_state(scene);
  state.positions.row(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  const Image image = snapshot(scene, state, from_front(2), 100, 100);
  EXPECT_TRUE(is_orange(image.at(50, 50)));
  state.positions.row(1).setConstant(std::numeric_limits<double>::infinity());
  PictureOptions options;
  options.width = 100;
  EXPECT_GT(picture(scene, {{"", {state}}}, options).height, 0);
}

TEST(Picture, SameInputSameBytesAndTheSvgHoldsThePicture) {
  const Scene scene = two_boxes(-2, 2);
  PictureOptions options;
  options.width = 160;
  const std::vector<Row> rows{{"a & b", {start_state(scene)}}};
  const std::string first = png(picture(scene, rows, options));
  EXPECT_EQ(first, png(picture(scene, rows, options)));
  EXPECT_EQ(first.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const std::string text = picture_svg(scene, rows, options);
  EXPECT_EQ(text, picture_svg(scene, rows, options));
  EXPECT_NE(text.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
  EXPECT_NE(text.find("a &amp; b"), std::string::npos);
  EXPECT_NE(text.find("t = 0 s"), std::string::npos);
}

// The same picture as libpng reads it.
Image read_back(const std::string& bytes) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0)
    throw std::runtime_error(header.message);
  EXPECT_EQ(header.format, PNG_FORMAT_RGB);  // eight bits, no palette, no alpha
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(header));
  if (png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr) == 0)
    throw std::runtime_error(header.message);
  return image;
}

TEST(Picture, ThePngHoldsEveryPixel) {
  std::mt19937 random(1);
  Image noise{37, 23, {}};  // hardly compressible
  for (int i = 0; i < 3 * noise.width * noise.height; ++i)
    noise.rgb.push_back(static_cast<std::uint8_t>(random()));
  const Scene scene = two_boxes(-2, 2);
  for (const Image& image : {noise, Image{1, 1, {1, 2, 3}}, seen(scene, from_front(2))}) {
    const Image read = read_back(png(image));
    EXPECT_EQ(read.width, image.width);
    EXPECT_EQ(read.height, image.height);
    EXPECT_EQ(read.rgb, image.rgb);
  }
}

TEST(Picture, AnImageWithoutPixelsIsAnErrorOfLibpng) {
  EXPECT_THROW(png(Image{}), std::runtime_error);
}

TEST(Picture, LettersAreSeen) {
  Scene scene = two_boxes(0, 0);
  PictureOptions options;
  options.width = 200;
  const Image plain = picture(scene, {{" ", {start_state(scene)}}}, options);
  const Image titled = picture(scene, {{"a title", {start_state(scene)}}}, options);
  ASSERT_EQ(plain.height, titled.height);
  EXPECT_GT(drawn(titled), drawn(plain) + 60);
}

}  // namespace picture_test
}  // namespace perpend::draw
