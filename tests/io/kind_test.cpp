#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace kind_test {

using testing::EndsWith;

Kind kind_of_text(const std::string& text) {
  const test::Scratch scratch;
  return kind_of(scratch.write("any.name", text));
}

TEST(Kind, AFirstObjectWithoutTypeIsAFrame) {
  EXPECT_EQ(kind_of_text(R"({"step": 0.01, "bodies": {"type": 3}})"), Kind::json_lines);
  EXPECT_EQ(kind_of_text("# words\n\n  {\"step\": 1}\n{\"type\": \"lcp\"}"), Kind::json_lines);
}

TEST(Kind, AFirstObjectWithTypeIsARawProblem) {
  EXPECT_EQ(kind_of_text("{\n  \"n\": 2,\n  \"b\": [1, 2],\n  \"type\": \"mlcp\"\n}"),
            Kind::raw_problem);
  EXPECT_EQ(kind_of_text(R"({"A": [)"), Kind::raw_problem);
}

TEST(Kind, AFirstObjectWithTheFormatOfScenesIsAScene) {
  EXPECT_EQ(kind_of_text(R"({"format": "perpend-scene", "bodies": []})"), Kind::scene);
  EXPECT_EQ(kind_of_text(R"({"name": "box", "format": "perpend-scene", "type": 1})"), Kind::scene);
  EXPECT_EQ(kind_of_text(R"({"bodies": {"format": "perpend-scene"}})"), Kind::json_lines);
  EXPECT_EQ(kind_of_text(R"({"format": 3, "name": "perpend-scene"})"), Kind::json_lines);
}

TEST(Kind, AFormatOfOthersIsNamed) {
  for (const char* format : {"perpend-snapshot", "perpend-results", "glTF"}) {
    std::string text = R"({"title": "x", "format": ")";
    text.append(format).append(R"(", "type": 1})");
    EXPECT_THAT(test::complaint([&] { kind_of_text(text); }),
                testing::HasSubstr("its format is \"" + std::string(format) + "\""));
  }
}

TEST(Kind, AFormatOfOthersIsToldInOneLine) {
  EXPECT_THAT(test::complaint([&] { kind_of_text(R"({"format": "glTF\n\u001b[2J"})"); }),
              testing::AllOf(testing::HasSubstr(R"(its format is "glTF\n\x1b[2J")"),
                             testing::Not(testing::HasSubstr("\n"))));
}

TEST(Kind, BrokenJsonIsLeftToItsReader) {
  EXPECT_EQ(kind_of_text("{\"step\": oops"), Kind::json_lines);
  std::string deep = "{\"a\": ";
  deep.append(1000000, '[');
  EXPECT_EQ(kind_of_text(deep), Kind::json_lines);
}

TEST(Kind, Hdf5IsTheStandardFileByItsAttribute) {
  const test::Scratch scratch;
  const std::string path = scratch.path("standard.txt");
  {
    const h5::File file = h5::File::create(path, false);
    h5::write_attribute(file, "/", "format", std::string("perpend"));
  }
  EXPECT_EQ(kind_of(path), Kind::standard);
}

TEST(Kind, Hdf5WithFclibGroupsIsFclib) {
  const test::Scratch scratch;
  for (const char* group : {"/fclib_local", "/fclib_global"}) {
    const std::string path = scratch.path("fclib.txt");
    {
      const h5::File file = h5::File::create(path, false);
      h5::make_group(file, group);
    }
    EXPECT_EQ(kind_of(path), Kind::fclib);
  }
}

TEST(Kind, OtherFilesAreNamed) {
  const test::Scratch scratch;
  const auto said = [&](const std::string& path) {
    return test::complaint([&] { kind_of(path); });
  };
  EXPECT_EQ(said("/nowhere/x"), "/nowhere/x: no such file");
  EXPECT_EQ(said(scratch.path("")), scratch.path("") + ": is a directory");
  EXPECT_EQ(said("/dev/null"), "/dev/null: is a device, not a plain file");
  EXPECT_THAT(said(scratch.write("empty", "")), EndsWith("empty: is empty"));
  EXPECT_THAT(said(scratch.write("text", "hello\n")),
              EndsWith("text: neither HDF5 nor JSON that starts with an object"));
  EXPECT_THAT(said(scratch.write("list", "[1, 2]\n")),
              EndsWith("list: neither HDF5 nor JSON that starts with an object"));
  EXPECT_THAT(said(scratch.write("comment", "# nothing more")),
              EndsWith("comment: neither HDF5 nor JSON that starts with an object"));
  {
    const h5::File file = h5::File::create(scratch.path("other.h5"), false);
    h5::make_group(file, "/data");
  }
  EXPECT_THAT(said(scratch.path("other.h5")),
              EndsWith("neither the attribute format nor /fclib_local nor /fclib_global"));
  const std::string truncated = test::contents(scratch.path("other.h5")).substr(0, 300);
  EXPECT_NE(said(scratch.write("truncated.h5", truncated)), "");
  if (geteuid() != 0) {
    const std::string path = scratch.write("secret", "{}");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_EQ(said(path), path + ": cannot be opened");
  }
}

}  // namespace kind_test
}  // namespace perpend::io
