#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/files.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace engine_file_test {

using testing::HasSubstr;
using testing::StartsWith;

std::string words(std::string_view text) {
  const auto found = engine_file(text);
  return found ? found->words : "";
}

TEST(EngineFile, IsToldByTheRootElement) {
  EXPECT_THAT(words("<robot name='r'>"), StartsWith("this is URDF: perpend capture dart "));
  EXPECT_THAT(words("<sdf version='1.6'/>"), StartsWith("this is SDF: perpend capture gazebo "));
  EXPECT_THAT(words("<mujoco>"), StartsWith("this is MJCF: perpend capture mujoco "));
  EXPECT_THAT(words("<html>"), HasSubstr("<html>"));
  EXPECT_THAT(words("BULLETd_v285"), HasSubstr("Bullet"));
}

TEST(EngineFile, WhatStandsBeforeTheRootIsSkipped) {
  EXPECT_THAT(words("\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- <sdf> -->\n<!DOCTYPE a>\r\n<robot>"),
              StartsWith("this is URDF"));
  EXPECT_THAT(words("<!DOCTYPE a [<!ENTITY b \"c\">]><robot/>"), StartsWith("this is URDF"));
}

TEST(EngineFile, OtherTextIsNone) {
  for (const char* text :
       {"", " ", "<", "< robot>", "{\"a\": 1}", "robot", "<!--", "<!", "<?", "</"})
    EXPECT_EQ(words(text), "") << text;
}

TEST(EngineFile, BelongsToAnEngineByEndingOrContent) {
  const test::Scratch scratch;
  const std::string path = scratch.write("robot.txt", "<robot/>");
  EXPECT_TRUE(is_engine_file(path, {".urdf"}));
  EXPECT_FALSE(is_engine_file(path, {".xml"}));
  EXPECT_FALSE(is_engine_file(path, {}));
  EXPECT_TRUE(is_engine_file("/nowhere/robot.urdf", {".urdf"}));
  EXPECT_FALSE(is_engine_file("/nowhere/robot", {".urdf"}));
}

}  // namespace engine_file_test
}  // namespace perpend::io
