#include "view/token.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "perpend/view.hpp"

namespace token_test {

using namespace perpend::view;

// A folder of this test's own.
std::string folder() {
  const std::filesystem::path out =
      std::filesystem::path(testing::TempDir()) / ("perpend_token_" + std::to_string(getpid()));
  std::filesystem::remove_all(out);
  std::filesystem::create_directory(out);
  return out;
}

TEST(ViewToken, IsKeptForAPortWhereNobodyElseReadsIt) {
  const std::string place = folder();
  const std::string first = kept_token(place, 8000);
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(kept_token(place, 8000), first);
  EXPECT_NE(kept_token(place, 8001), first);
  struct stat about {};
  ASSERT_EQ(stat((place + "/perpend-view-8000").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
}

TEST(ViewToken, IsNewWhereTheFileIsNotOurs) {
  const std::string place = folder(), file = place + "/perpend-view-8000";
  const std::string theirs(32, 'a');
  std::ofstream(file) << theirs;
  chmod(file.c_str(), 0644);  // others may know it
  EXPECT_NE(kept_token(place, 8000), theirs);
  std::filesystem::remove(file);
  std::ofstream(place + "/other") << theirs;
  chmod((place + "/other").c_str(), 0600);
  std::filesystem::create_symlink(place + "/other", file);
  EXPECT_NE(kept_token(place, 8000), theirs);
  std::filesystem::remove(file);
  std::ofstream(file) << "not a token";
  chmod(file.c_str(), 0600);
  const std::string made = kept_token(place, 8000);
  EXPECT_EQ(made.size(), 32u);
  EXPECT_EQ(kept_token(place, 8000), made);
  EXPECT_EQ(kept_token(place + "/missing", 8000).size(), 32u);
}

}  // namespace token_test
