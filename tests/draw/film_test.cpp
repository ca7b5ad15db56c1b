// Moving pictures: one camera that looks at what matters, the same bytes for any order of drawing,
// and marks of contacts where and as large as they ought to be.
#include <gtest/gtest.h>

#include <cmath>

#include "draw/contact_marks.hpp"
#include "draw/render.hpp"
#include "perpend/draw.hpp"
#include "perpend/host.hpp"

namespace perpend::draw {
namespace film_test {

Body box_at(const Vector3d& position, double mass = 1) {
  Body body;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

// Boxes in a row, one of them 100 m away.
Scene row_and_straggler(int count) {
  Scene scene;
  for (int i = 0; i < count; ++i) scene.bodies.push_back(box_at({1.1 * i, 0, 0.5}));
  scene.bodies.push_back(box_at({0, 100, 0.5}));
  return scene;
}

Clip clip_of(const Scene& scene, std::size_t frames) {
  Clip clip{scene, {"", {}, {}}};
  for (std::size_t i = 0; i < frames; ++i) {
    clip.run.states.push_back(start_state(scene));
    clip.run.states.back().time = 0.1 * static_cast<double>(i);
  }
  return clip;
}

long inked(const Image& image) {
  long count = 0;
  for (int y = 40; y < image.height; ++y)  // below the words
    for (int x = 0; x < image.width; ++x) count += image.at(x, y) != kGround;
  return count;
}

TEST(Film, SizesAreEvenAndTheLongestClipDecides) {
  const Scene scene = row_and_straggler(3);
  FilmOptions options;
  options.width = 301;
  const Film film({clip_of(scene, 3), clip_of(scene, 5)}, options);
  EXPECT_EQ(film.width() % 2, 0);
  EXPECT_EQ(film.height() % 2, 0);
  EXPECT_EQ(film.frames(), 5u);
  EXPECT_EQ(film.frame(4).rgb.size(),
            static_cast<std::size_t>(film.width()) * static_cast<std::size_t>(film.height()) * 3);
}

TEST(Film, WhatIsFarAwayDoesNotMakeTheRestSmall) {
  // Forty boxes fill the picture although one is 100 m away; of two bodies both are seen.
  const Film many({clip_of(row_and_straggler(40), 1)}, {});
  const Film without({[] {
                       Clip clip = clip_of(row_and_straggler(40), 1);
                       clip.scene.bodies.pop_back();
                       clip.run.states = {start_state(clip.scene)};
                       return clip;
                     }()},
                     {});
  EXPECT_GT(inked(many.frame(0)), 0.8 * static_cast<double>(inked(without.frame(0))));
  const Film two({clip_of(row_and_straggler(1), 1)}, {});
  EXPECT_LT(inked(two.frame(0)), 0.05 * two.width() * two.height());
}

TEST(Film, TheCameraStandsStill) {
  // A body that rests looks the same in every frame, whatever another one does.
  Clip clip = clip_of(row_and_straggler(4), 6);
  for (std::size_t i = 0; i < 6; ++i)
    clip.run.states[i].positions(4, 1) = -3 - 0.1 * static_cast<double>(i);
  FilmOptions options;
  options.view = {-90, 80};
  options.width = 200;
  const Film film({clip}, options);
  const Image first = film.frame(0), last = film.frame(5);
  long same = 0, drawn = 0;
  for (int y = 40; y < film.height(); ++y)
    for (int x = 0; x < film.width(); ++x) {
      if (first.at(x, y) == kGround && last.at(x, y) == kGround) continue;
      ++drawn;
      same += first.at(x, y) == last.at(x, y);
    }
  EXPECT_GT(drawn, 0);
  EXPECT_GT(same, drawn / 2);
  EXPECT_LT(same, drawn);
}

TEST(Film, FramesAreTheSameWhoeverDrawsThem) {
  const Film film({clip_of(row_and_straggler(5), 8)}, {});
  std::vector<Image> alone(8), shared(8);
  for (std::size_t i = 0; i < 8; ++i) alone[i] = film.frame(i);
  ThreadPool pool(4);
  pool.for_each(8, [&](std::ptrdiff_t i, int) {
    shared[static_cast<std::size_t>(7 - i)] = film.frame(static_cast<std::size_t>(7 - i));
  });
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(alone[i].rgb, shared[i].rgb) << i;
}

TEST(Film, TheTimeIsTold) {
  const Film film({clip_of(row_and_straggler(2), 2)}, {});
  const Image first = film.frame(0), second = film.frame(1);
  long differ = 0;
  for (int y = 0; y < 34; ++y)
    for (int x = film.width() / 2; x < film.width(); ++x)
      differ += first.at(x, y) != second.at(x, y);
  EXPECT_GT(differ, 10);  // 0.00 and 0.10
}

// ---- contacts ----

// White, seen from the front: 4 m wide, 200 pixels.
struct Marked {
  Scene scene;
  Camera camera;
  Image image{200, 200, std::vector<std::uint8_t>(200 * 200 * 3, 255)};
  Marked() {
    scene.bodies = {box_at({0, 0, 0}, 2)};
    camera.view = {-90, 0};
    camera.half_width = 2;
  }
  void mark(const ContactForce& contact, const Show& show) {
    mark_contacts(image, scene, {contact}, show, camera);
  }
  // Pixels of about this colour: how many, and the highest and lowest row.
  struct Found {
    long count = 0;
    int top = 1000, bottom = -1, left = 1000, right = -1;
  };
  Found like(const std::array<int, 3>& colour, int slack = 60) const {
    Found out;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const auto here = image.at(x, y);
        int off = 0;
        for (std::size_t k = 0; k < 3; ++k) off = std::max(off, std::abs(here[k] - colour[k]));
        if (off > slack) continue;
        ++out.count;
        out.top = std::min(out.top, y);
        out.bottom = std::max(out.bottom, y);
        out.left = std::min(out.left, x);
        out.right = std::max(out.right, x);
      }
    return out;
  }
};

const std::array<int, 3> kMagenta{0xc2, 0x18, 0x7a};
constexpr Show kForces{true, false, false}, kCones{false, true, false}, kErrors{false, false, true};

ContactForce pushing(double newtons) {
  ContactForce contact;
  contact.force = {0, 0, newtons};
  contact.mu = 0.5;
  contact.mode = 1;
  return contact;
}

TEST(ContactMarks, AForceOfTheWeightIsThreeQuartersOfABodyLong) {
  // A box of half edge 0.5 m: 1.5 * 0.5 m = 0.75 m, 37.5 of 50 pixels a metre, from the middle up.
  Marked marked;
  marked.mark(pushing(2 * 9.81), kForces);
  const Marked::Found arrow = marked.like(kMagenta);
  EXPECT_NEAR(arrow.bottom, 100, 1.5);
  EXPECT_NEAR(arrow.bottom - arrow.top, 37.5, 2.5);
  EXPECT_NEAR((arrow.left + arrow.right) / 2.0, 100, 1.5);
}

TEST(ContactMarks, BeyondTheWeightLengthGrowsWithTheSquareRoot) {
  Marked marked;
  marked.mark(pushing(4 * 2 * 9.81), kForces);
  const Marked::Found arrow = marked.like(kMagenta);
  EXPECT_NEAR(arrow.bottom - arrow.top, 75, 2.5);
  Marked weak;
  weak.mark(pushing(0.5 * 2 * 9.81), kForces);
  const Marked::Found shorter = weak.like(kMagenta);
  EXPECT_NEAR(shorter.bottom - shorter.top, 18.75, 3);  // its tip is thin
}

TEST(ContactMarks, AConeIsAsWideAsItsFriction) {
  // 0.75 m high, open by 0.5 * 0.75 m to each side: 37.5 pixels from rim to rim.
  Marked marked;
  marked.mark(pushing(2 * 9.81), kCones);
  int left = 1000, right = -1;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      if (marked.image.at(x, y)[2] < 250) {
        left = std::min(left, x);
        right = std::max(right, x);
      }
  EXPECT_NEAR(right - left, 37.5, 2.5);
  EXPECT_EQ(marked.like(kMagenta).count, 0);
}

TEST(ContactMarks, ALargeErrorIsRedASmallOneBlueAnUnknownOneGrey) {
  const auto of = [](double error) {
    Marked marked;
    ContactForce contact = pushing(10);
    contact.error = error;
    marked.mark(contact, kErrors);
    return marked.image.at(100, 100);
  };
  const auto red = of(0.5), blue = of(1e-12), grey = of(-1);
  EXPECT_GT(red[0], red[2] + 80);
  EXPECT_GT(blue[2], blue[0] + 80);
  EXPECT_LT(std::abs(grey[0] - grey[2]), 30);
}

TEST(ContactMarks, ContactsThatAreNoNumbersAreLeftOut) {
  Marked marked;
  ContactForce contact = pushing(10);
  contact.point.x() = std::nan("");
  marked.mark(contact, {true, true, true});
  EXPECT_EQ(marked.image.rgb, Marked().image.rgb);
}

TEST(ContactMarks, APictureShowsThemThroughTheBodies) {
  Scene scene;
  scene.bodies = {box_at({0, 0, 0.5}, 2)};
  Row row{"", {start_state(scene)}, {{pushing(2 * 9.81)}}};
  PictureOptions options;
  options.width = 300;
  const Image without = picture(scene, {row}, options);
  options.show.forces = true;
  const Image with = picture(scene, {row}, options);
  ASSERT_EQ(with.rgb.size(), without.rgb.size());
  long magenta = 0;
  for (int y = 0; y < with.height; ++y)
    for (int x = 0; x < with.width; ++x) {
      const auto c = with.at(x, y);
      magenta += c[0] > 120 && c[1] < 60 && c[2] > 60;
    }
  EXPECT_GT(magenta, 100);
}

}  // namespace film_test
}  // namespace perpend::draw
