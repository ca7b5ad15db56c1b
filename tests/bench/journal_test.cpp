#include "bench/journal.hpp"

#include <gtest/gtest.h>

#include "bench/folder.hpp"

namespace perpend::bench::test {
namespace journal_test {

std::vector<Json> some_records() {
  return {{{"record", "campaign"}, {"identity", {{"--tolerance", "1e-08"}}}},
          {{"record", "row"}, {"seconds", 0.1}, {"error", std::nan("")}},
          {{"record", "row"}, {"history", Json::binary({1, 2, 3, 255})}}};
}

std::size_t written(const std::string& path, const std::vector<Json>& records) {
  Journal journal(path);
  for (const Json& record : records) journal.append(record);
  return static_cast<std::size_t>(std::filesystem::file_size(path));
}

TEST(Journal, ComesBackAsItWasWritten) {
  const Folder folder;
  written(folder.path("j"), some_records());
  const std::vector<Json> read = Journal(folder.path("j")).take_records();
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0], some_records()[0]);
  EXPECT_EQ(read[1].at("seconds"), 0.1);
  EXPECT_TRUE(std::isnan(read[1].at("error").get<double>()));
  EXPECT_EQ(read[2], some_records()[2]);
}

TEST(Journal, CutAtAnyByteItKeepsTheRecordsBeforeTheCutAndGoesOn) {
  const Folder folder;
  const std::string whole = folder.path("whole"), cut = folder.path("cut");
  std::vector<std::size_t> ends{0};
  for (std::size_t n = 1; n <= 3; ++n) {
    const auto all = some_records();
    std::filesystem::remove(whole);
    ends.push_back(written(whole, {all.begin(), all.begin() + static_cast<long>(n)}));
  }
  const std::string bytes = contents(whole);
  ASSERT_EQ(bytes.size(), ends.back());
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::ofstream(cut, std::ios::binary) << bytes.substr(0, size);
    std::size_t safe = 0;
    while (safe < 3 && ends[safe + 1] <= size) ++safe;
    {
      Journal journal(cut);
      EXPECT_EQ(journal.take_records().size(), safe) << size;
      journal.append({{"record", "later"}});
    }
    const std::vector<Json> read = Journal(cut).take_records();
    ASSERT_EQ(read.size(), safe + 1) << size;
    EXPECT_EQ(read.back().at("record"), "later");
  }
}

TEST(Journal, ADamagedByteEndsItThere) {
  const Folder folder;
  const std::size_t first = written(folder.path("one"), {some_records()[0]});
  written(folder.path("j"), some_records());
  const std::string bytes = contents(folder.path("j"));
  for (std::size_t at = first; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    std::ofstream(folder.path("d"), std::ios::binary) << damaged;
    const std::size_t kept = Journal(folder.path("d")).take_records().size();
    EXPECT_GE(kept, 1U);
    EXPECT_LT(kept, 3U) << at;
  }
}

TEST(Journal, IsOpenedByOneAtATime) {
  const Folder folder;
  const Journal journal(folder.path("j"));
  EXPECT_NE(complaint([&] { Journal(folder.path("j")); }).find("at work"), std::string::npos);
}

TEST(Journal, LeavesSomebodyElsesFileAlone) {
  const Folder folder;
  const std::string text = "The diary of a traveller.";
  std::ofstream(folder.path("j")) << text;
  EXPECT_NE(complaint([&] { Journal(folder.path("j")); }).find("is not a journal"),
            std::string::npos);
  EXPECT_EQ(contents(folder.path("j")), text);
}

}  // namespace journal_test
}  // namespace perpend::bench::test
