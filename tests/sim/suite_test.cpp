#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"

namespace perpend {
namespace suite_test {

TEST(Suites, HaveAHundredAThousandAndTenThousandFramesOfExistingScenes) {
  ASSERT_EQ(suites().size(), 3u);
  EXPECT_EQ(suite_named("small")->frames(), 100);
  EXPECT_EQ(suite_named("medium")->frames(), 1000);
  EXPECT_EQ(suite_named("large")->frames(), 10000);
  EXPECT_EQ(suite_named("tiny"), nullptr);
  for (const Suite& suite : suites()) {
    std::set<std::string> tags;
    for (const SuiteScene& scene : suite.scenes) {
      std::string why;
      EXPECT_TRUE(scene_named(scene.scene, 1, why)) << why;
      tags.insert(scene.tags.begin(), scene.tags.end());
    }
    EXPECT_EQ(tags, (std::set<std::string>{"groups", "impact", "joints", "mass-ratio", "resting",
                                           "sliding"}));
  }
}

class SuiteFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = testing::TempDir() + "/perpend-suite-" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(SuiteFiles, OfTheSmallSuiteHoldWhatTheirTagsSay) {
  const Suite& suite = *suite_named("small");
  const std::vector<SuiteFile> files = write_suite(suite, folder_);
  ASSERT_EQ(files.size(), suite.scenes.size());
  Index frames = 0, largest = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const io::FrameReader reader(files[i].path);
    EXPECT_EQ(reader.frames(), suite.scenes[i].count) << files[i].path;
    EXPECT_EQ(files[i].frames, reader.frames());
    frames += reader.frames();
    const auto has = [&](const char* tag) {
      return std::find(files[i].tags.begin(), files[i].tags.end(), tag) != files[i].tags.end();
    };
    for (Index k = 0; k < reader.frames(); ++k) {
      const Frame frame = reader.read(k).frame;
      EXPECT_EQ(invalid(frame), "");
      largest = std::max(largest, frame.contacts.count());
      EXPECT_GT(frame.contacts.count() + frame.joints.row_count(), 0) << files[i].path << k;
      EXPECT_EQ(has("groups"), !frame.contacts.group.empty()) << files[i].path << ' ' << k;
      if (has("joints")) {
        EXPECT_GT(frame.joints.row_count(), 0) << files[i].path;
      }
      if (has("mass-ratio")) {
        double light = 1e300, heavy = 0;
        for (Index b = 0; b < frame.bodies.count(); ++b)
          if (!frame.bodies.fixed(b)) {
            light = std::min(light, frame.bodies.masses[b]);
            heavy = std::max(heavy, frame.bodies.masses[b]);
          }
        EXPECT_GE(heavy / light, 100) << files[i].path;
      }
    }
  }
  EXPECT_EQ(frames, 100);
  EXPECT_LE(largest, 250);
}

}  // namespace suite_test
}  // namespace perpend
