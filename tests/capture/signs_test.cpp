// The table of engines' signs: what it makes of numbers, and that docs/capture.md shows it.
#include "capture/signs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace perpend::capture {
namespace signs_test {

using Eigen::Vector3d;
using Eigen::Vector4d;

// A box (the engine's first body) lies on a floor (its second): whatever the engine says, the
// normal of the file points from its first body to its second.
TEST(Signs, NormalPointsFromTheFirstBodyOfTheFileToTheSecond) {
  const Vector3d up = Vector3d::UnitZ();
  const int box = 7, floor = 3;
  for (const Signs& engine : kSigns) {
    const Vector3d its = engine.normal_to == Signs::Body::first ? up : Vector3d(-up);
    const bool box_is_second = engine.second(box, floor) == box;
    EXPECT_NE(engine.first(box, floor), engine.second(box, floor)) << engine.engine;
    EXPECT_EQ(engine.direction(its), box_is_second ? up : Vector3d(-up)) << engine.engine;
  }
}

TEST(Signs, OnlySiconosSwapsThePairAndOnlyMujocoKeepsBoth) {
  EXPECT_EQ(signs_of("bullet").direction(), -1);
  EXPECT_EQ(signs_of("dart").direction(), -1);
  EXPECT_EQ(signs_of("ode").direction(), -1);
  EXPECT_EQ(signs_of("mujoco").direction(), 1);
  EXPECT_EQ(signs_of("siconos").direction(), 1);
  EXPECT_EQ(signs_of("siconos").first(1, 2), 2);
  EXPECT_EQ(signs_of("siconos").second(1, 2), 1);
  EXPECT_EQ(signs_of("mujoco").first(1, 2), 1);
  EXPECT_THROW(signs_of("chrono"), std::logic_error);
}

// What pushes bodies apart is positive in the file: on ODE's first body it acts against n.
TEST(Signs, ImpulsesThatPushApartArePositive) {
  for (const Signs& engine : kSigns)
    EXPECT_EQ(engine.z(engine.impulse == Signs::Impulse::on_first ? -2.5 : 2.5), 2.5)
        << engine.engine;
  EXPECT_EQ(signs_of("ode").z(-2.5), 2.5);
}

TEST(Signs, GapsAreNegativeWhereBodiesOverlap) {
  EXPECT_EQ(signs_of("bullet").gap(-0.01), -0.01);
  EXPECT_EQ(signs_of("dart").gap(0.01), -0.01);
  EXPECT_EQ(signs_of("mujoco").gap(-0.01), -0.01);
  EXPECT_EQ(signs_of("ode").gap(0.01), -0.01);
  EXPECT_EQ(signs_of("siconos").gap(-0.01), -0.01);
}

TEST(Signs, NumbersComeInTheOrderOfTheFile) {
  const double four[] = {1, 2, 3, 4};
  EXPECT_EQ(signs_of("mujoco").wxyz(four), Vector4d(1, 2, 3, 4));
  EXPECT_EQ(signs_of("bullet").wxyz(four), Vector4d(4, 1, 2, 3));
  Signs::Vector6 six;
  six << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(signs_of("siconos").linear(six), Vector3d(1, 2, 3));
  EXPECT_EQ(signs_of("siconos").angular(six), Vector3d(4, 5, 6));
  EXPECT_EQ(signs_of("dart").linear(six), Vector3d(4, 5, 6));
  EXPECT_EQ(signs_of("dart").angular(six), Vector3d(1, 2, 3));
}

template <class Word>
std::string row(const std::string& title, Word&& word) {
  std::string out = "| " + title + " |";
  for (const Signs& engine : kSigns) out += " " + std::string(word(engine)) + " |";
  return out + "\n";
}

TEST(Signs, AreThoseOfTheDocument) {
  std::ostringstream read;
  read << std::ifstream(PERPEND_SOURCE_DIR "/docs/capture.md").rdbuf();
  const std::string text = read.str();
  const auto shows = [&](const std::string& line) {
    EXPECT_NE(text.find(line), std::string::npos) << "docs/capture.md lacks\n" << line;
  };
  shows("| | the file | Bullet | DART | MuJoCo | ODE | Siconos |\n");
  shows(row("its normal points to its | second body", [](const Signs& s) {
    return s.normal_to == Signs::Body::first ? "first body" : "second body";
  }));
  shows(row("its pair in the file |",
            [](const Signs& s) { return s.pair == Signs::Order::kept ? "kept" : "swapped"; }));
  shows(row("impulses are | of rows", [](const Signs& s) {
    return s.impulse == Signs::Impulse::of_row ? "of rows" : "on the first body";
  }));
  shows(row("distances are | gaps",
            [](const Signs& s) { return s.distance == Signs::Distance::gap ? "gaps" : "depths"; }));
  shows(row("quaternions | w, x, y, z", [](const Signs& s) {
    return s.quaternion == Signs::Quaternion::wxyz ? "w, x, y, z" : "x, y, z, w";
  }));
  shows(row("vectors of six | linear first", [](const Signs& s) {
    return s.six == Signs::Six::linear ? "linear first" : "angular first";
  }));
}

}  // namespace signs_test
}  // namespace perpend::capture
