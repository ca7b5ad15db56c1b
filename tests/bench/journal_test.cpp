#include "bench/journal.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "bench/folder.hpp"
#include "bench/records.hpp"
#include "perpend/base.hpp"

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
  EXPECT_NE(complaint([&] { Journal(folder.path("j")); }).find("is using it"), std::string::npos);
}

TEST(Journal, LeavesSomebodyElsesFileAlone) {
  const Folder folder;
  const std::string text = "The diary of a traveller.";
  std::ofstream(folder.path("j")) << text;
  EXPECT_NE(complaint([&] { Journal(folder.path("j")); }).find("is not a journal"),
            std::string::npos);
  EXPECT_EQ(contents(folder.path("j")), text);
}

// A record of any bytes whose checksum is right.
void append_raw(const std::string& path, const std::string& content) {
  const std::uint32_t head[] = {0x4a425050U, static_cast<std::uint32_t>(content.size())};
  const std::uint64_t hash = fnv(content.data(), content.size());
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(head), sizeof head);
  file.write(reinterpret_cast<const char*>(&hash), sizeof hash);
  file << content;
}

TEST(Journal, ARecordThatNoMemoryOrStackHoldsEndsItThere) {
  const Folder folder;
  // A million lists inside each other; a list of 2^64 - 1 items.
  for (const std::string& hostile :
       {std::string(1000000, '\x81') + '\0', '\x9b' + std::string(8, '\xff')}) {
    const std::string path = folder.path("j" + std::to_string(hostile.size()));
    written(path, some_records());
    append_raw(path, hostile);
    EXPECT_EQ(Journal(path).take_records().size(), 3U);
  }
}

Json row_record(const Row& row) { return {{"record", "row"}, {"row", record_of(row)}}; }

TEST(Past, RowsOutsideOfTheCampaignAreRefused) {
  const Results results = campaign(2);
  const std::vector<Json> begin = {
      {{"record", "machine"}, {"machine", record_of(results.machines[0])}},
      {{"record", "problem"}, {"index", 1}, {"problem", record_of(results.problems[1])}}};
  const auto past = [&](const Json& last) {
    std::vector<Json> records = begin;
    records.push_back(last);
    return past_of(records, 2, 2, 4);
  };
  EXPECT_EQ(past(row_record(solved(1, 1))).rows[3]->iterations, solved(1, 1).iterations);
  // 2^63 problems of 2 solvers are none, modulo 2^64.
  const std::size_t wraps = std::size_t{1} << 63;
  EXPECT_THROW(past(row_record(solved(wraps, 1))), std::out_of_range);
  EXPECT_THROW(past(row_record(solved(1, 2))), std::out_of_range);
  EXPECT_THROW(past(row_record(solved(0, 0))), std::out_of_range);  // nothing is known of problem 0
  Row row = solved(1, 0);
  row.machine = 1;
  EXPECT_THROW(past(row_record(row)), std::out_of_range);
  Json unknown = row_record(solved(1, 0));
  unknown["row"]["status"] = 99;
  EXPECT_THROW(past(unknown), std::out_of_range);
  Json endless = row_record(solved(1, 0));
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> bytes(7 * sizeof infinite);
  std::memcpy(bytes.data(), &infinite, sizeof infinite);
  endless["row"]["history"] = Json::binary(bytes);
  EXPECT_THROW(past(endless), std::out_of_range);
  Json torn = row_record(solved(1, 0));
  torn["row"]["history"] = Json::binary(std::vector<std::uint8_t>(6 * sizeof infinite));
  EXPECT_THROW(past(torn), std::out_of_range);
}

}  // namespace journal_test
}  // namespace perpend::bench::test
