#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bench/folder.hpp"

namespace perpend::bench::test {
namespace campaign_test {

const std::string kBlocks = std::string(PERPEND_SOURCE_DIR) + "/examples/frames/blocks.jsonl";

Campaign small(std::vector<std::string> solvers, std::vector<Index> frames) {
  Campaign campaign;
  campaign.solvers = std::move(solvers);
  campaign.inputs = {{kBlocks, std::move(frames), {"block"}}};
  campaign.settings.repeat = 2;
  return campaign;
}

// All but what a clock says.
std::string without_times(Results results) {
  for (Row& row : results.rows) {
    row.seconds = row.seconds_low = row.seconds_high = row.formulation_seconds =
        row.transfer_seconds = 0;
    for (Point& point : row.history) point.seconds = 0;
  }
  results.machines = {Machine()};
  results.settings.jobs = 1;
  return to_json(results);
}

TEST(Campaign, RowsAreWhatTheSolverAnswersAtHome) {
  const Folder folder;
  const Results results = run(small({"ncp/nncg", "lcp/lemke"}, {0, 3}), folder.path());
  ASSERT_EQ(results.rows.size(), 4U);
  EXPECT_EQ(results.rows_planned, 4);
  const auto records = io::read_json_lines(kBlocks);
  for (const Row& row : results.rows) {
    const ProblemEntry& problem = results.problems[row.problem];
    const System system = io::system_of(records[static_cast<std::size_t>(problem.frame)], "blocks");
    const Result home = solve(system, results.solvers[row.solver].name);
    EXPECT_EQ(row.status, home.status);
    EXPECT_EQ(row.iterations, home.iterations);
    EXPECT_EQ(row.work, home.work);
    EXPECT_EQ(row.errors[Measure::velocity_error], home.errors[Measure::velocity_error]);
    EXPECT_EQ(row.runs.size(), 2U);
    EXPECT_LE(row.seconds_low, row.seconds);
    EXPECT_LE(row.seconds, row.seconds_high);
    EXPECT_EQ(row.history.back().errors[0], row.errors[Measure::own_error]);
    EXPECT_EQ(problem.tags.back(), "block");
  }
  EXPECT_EQ(results.solvers[0].friction, "cone");
  EXPECT_EQ(results.solvers[1].friction, "pyramid");
}

// One cube on four corners whose answer holds 0.9 of its weight, and one without an answer.
TEST(Campaign, TheRecordedAnswerIsARow) {
  const Folder folder;
  io::Record record = io::read_json_lines(kBlocks).front();
  const System system = io::system_of(record, "block");
  const Result solved = solve(system, "ncp/newton");
  record.answer.z = 0.9 * contact_rows(system, solved.impulses);
  record.timing.solver = 1e-9;
  io::Record silent = record;
  silent.answer = {};
  const std::string file = folder.path("answers.jsonl");
  io::write_json_lines({record, silent}, file);
  Campaign campaign = small({"recorded", "ncp/nncg"}, {0, 1});
  campaign.inputs[0].file = file;
  const Results results = run(campaign, folder.path("out"));
  ASSERT_EQ(results.rows.size(), 4U);
  const Row& row = results.rows[0];
  EXPECT_EQ(row.status, Status::stalled);
  EXPECT_EQ(row.seconds, 1e-9);
  EXPECT_TRUE(row.runs.empty());
  EXPECT_EQ(row.errors[Measure::velocity_error],
            measure(system, 0.9 * solved.impulses, Measure::velocity_error));
  EXPECT_EQ(results.rows[2].status, Status::invalid_input);
  EXPECT_EQ(results.solvers[0].friction, "engine");
  const Summary all = summary(results);
  EXPECT_EQ(all.solvers[0].problems, 1U);
  EXPECT_EQ(all.solvers[0].refused, 1U);
  EXPECT_TRUE(std::isnan(all.solvers[0].time_over_best));
  EXPECT_EQ(all.solvers[1].time_over_best, 1);  // what does not reach the tolerance is not the best
  EXPECT_EQ(to_json(run(campaign, folder.path("out"))), to_json(results));  // from the journal
}

// The name of the solver says what it does; 7 ms per frame from the end make later rows quicker.
Result act(const System& system, std::string_view how, const Options& options) {
  if (how == "ncp/crash") std::abort();
  while (how == "ncp/hang") ::sleep(1);
  if (how == "ncp/eat") {
    std::vector<std::vector<double>> all;
    while (true) all.emplace_back().reserve(1 << 20);
  }
  if (how == "ncp/slow-first") ::usleep(static_cast<useconds_t>(20000 / (1 + system.contacts())));
  return solve(system, "ncp/nncg", options);
}

TEST(Campaign, ACrashAHangAndAWantOfMemoryAreRowsAndTheRestGoesOn) {
  const Folder folder;
  Campaign campaign = small({"ncp/crash", "ncp/well", "ncp/hang", "ncp/eat", "ncp/fine"}, {0});
  campaign.settings.time_limit = 0.4;  // far above what a solve takes on a busy machine
  campaign.settings.memory_limit = 1e7;
  campaign.settings.jobs = 2;
  Hooks hooks;
  hooks.answering = act;
  hooks.grace = 0;
  const Results results = run(campaign, folder.path(), hooks);
  ASSERT_EQ(results.rows.size(), 5U);
  for (const Row& row : results.rows) {
    const Status expected = row.solver == 0   ? Status::crashed
                            : row.solver == 2 ? Status::time_limit
                            : row.solver == 3 ? Status::too_large
                                              : Status::converged;
    EXPECT_EQ(row.status, expected) << row.solver << ": " << row.message;
    EXPECT_EQ(row.runs.size(), expected == Status::converged ? 2U : 0U);
  }
}

// Six tenths of a second, as the solver's own clock would tell, then again: that is enough.
TEST(Campaign, ARowsRunsEndWhenTheyTookASecondTogether) {
  // The first run, which is watched, counts: after 1.2 s nothing is run again, after 0.4 s twice.
  const Folder folder;
  Campaign campaign = small({"ncp/long", "ncp/middling", "ncp/short"}, {0});
  campaign.settings.repeat = 5;
  Hooks hooks;
  hooks.answering = [](const System& system, std::string_view how, const Options& options) {
    Result result = solve(system, "ncp/nncg", options);
    result.seconds = how == "ncp/long" ? 1.2 : how == "ncp/middling" ? 0.4 : 0.001;
    return result;
  };
  const Results results = run(campaign, folder.path(), hooks);
  ASSERT_EQ(results.rows.size(), 3U);
  const std::size_t expected[] = {0, 2, 5};
  for (const Row& row : results.rows) EXPECT_EQ(row.runs.size(), expected[row.solver]);
  EXPECT_EQ(results.rows[0].seconds, 1.2);
}

TEST(Campaign, TheOrderOfRowsDoesNotDependOnTheNumberOfJobs) {
  Hooks hooks;
  hooks.answering = act;
  Campaign campaign = small({"ncp/slow-first", "ncp/well"}, {0, 1, 2, 3, 4});
  const Folder one, three;
  const Results alone = run(campaign, one.path(), hooks);
  campaign.settings.jobs = 3;
  const Results together = run(campaign, three.path(), hooks);
  EXPECT_EQ(without_times(together), without_times(alone));
}

// Solves leave a line in a file: what ran, whoever ran it.
Hooks logging(const std::string& log) {
  Hooks hooks;
  hooks.answering = [log](const System& system, std::string_view how, const Options& options) {
    const std::string line = std::string(how) + " " + std::to_string(system.contacts()) + "\n";
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (::write(file, line.data(), line.size()) < 0) std::abort();
    ::close(file);
    return solve(system, "ncp/nncg", options);
  };
  return hooks;
}

std::size_t lines(const std::string& path) {
  const std::string text = contents(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Campaign, StoppedItGoesOnAndRunsNothingTwice) {
  const Folder folder;
  const Campaign campaign = small({"ncp/a", "ncp/b", "ncp/c"}, {0, 1, 2});
  Hooks hooks = logging(folder.path("log"));
  long finished = 0;
  hooks.progress = [&](long done, long, long) { finished = done; };
  hooks.stop = [&] { return finished >= 4; };
  const Results part = run(campaign, folder.path("out"), hooks);
  EXPECT_EQ(part.rows.size(), 4U);
  EXPECT_EQ(part.rows_planned, 9);
  EXPECT_EQ(lines(folder.path("log")), 4U * 3);

  std::filesystem::remove(folder.path("log"));
  hooks.stop = nullptr;
  long before = -1;
  hooks.progress = [&](long, long b, long total) {
    before = b;
    EXPECT_EQ(total, 9);
  };
  const Results whole = run(campaign, folder.path("out"), hooks);
  EXPECT_EQ(before, 4);
  EXPECT_EQ(whole.rows.size(), 9U);
  EXPECT_EQ(lines(folder.path("log")), 5U * 3);
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(whole.rows[r].runs, part.rows[r].runs);

  // Finished, it only says again what it found.
  std::filesystem::remove(folder.path("log"));
  EXPECT_EQ(to_json(run(campaign, folder.path("out"), hooks)), to_json(whole));
  EXPECT_FALSE(std::filesystem::exists(folder.path("log")));
}

TEST(Campaign, AJournalCutAnywhereIsCompletedToTheSameResults) {
  const Folder folder;
  const Campaign campaign = small({"ncp/nncg", "box/pgs"}, {0, 1});
  const std::string whole = without_times(run(campaign, folder.path()));
  const std::string bytes = contents(folder.path("results.journal"));
  for (const double part : {0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(bytes.size()));
    std::ofstream(folder.path("results.journal"), std::ios::binary) << bytes.substr(0, size);
    EXPECT_EQ(without_times(run(campaign, folder.path())), whole) << part;
  }
}

TEST(Campaign, AnotherCampaignInTheSameFolderIsRefusedAndNamed) {
  const Folder folder;
  const std::string file = folder.path("frames.jsonl");
  std::filesystem::copy_file(kBlocks, file);
  Campaign campaign = small({"ncp/nncg"}, {0});
  campaign.inputs[0].file = file;
  run(campaign, folder.path("out"));
  const auto refused = [&](const Campaign& other) {
    return complaint([&] { run(other, folder.path("out")); });
  };
  Campaign other = campaign;
  other.settings.tolerance = 1e-6;
  EXPECT_NE(refused(other).find(
                "out: has results of another comparison: --tolerance was 1e-08, is 1e-06"),
            std::string::npos);
  other = campaign;
  other.solvers = {"box/pgs"};
  EXPECT_NE(refused(other).find("--solvers was ncp/nncg, is box/pgs"), std::string::npos);
  other = campaign;
  other.inputs[0].frames = {0, 1};
  EXPECT_NE(refused(other).find("frames of "), std::string::npos);
  other = campaign;
  other.settings.jobs = 2;  // does not change what is measured
  EXPECT_EQ(refused(other), "");
  std::ofstream(file, std::ios::app) << "\n";
  EXPECT_NE(refused(campaign).find("content of " + file + " was "), std::string::npos);
  forget(folder.path("out"));
  EXPECT_EQ(refused(campaign), "");
}

TEST(Campaign, ShardsMergedAreTheWholeCampaign) {
  const Folder folder;
  Campaign campaign = small({"ncp/nncg", "box/pgs"}, {0, 1, 2, 3, 4});
  const Results whole = run(campaign, folder.path("whole"));
  campaign.shards = 3;
  std::vector<Results> parts;
  for (campaign.shard = 1; campaign.shard <= 3; ++campaign.shard)
    parts.push_back(run(campaign, folder.path(std::to_string(campaign.shard))));
  EXPECT_EQ(parts[0].problems.size(), 2U);
  EXPECT_EQ(parts[2].problems.size(), 1U);
  EXPECT_EQ(without_times(merged(parts, {"1", "2", "3"})), without_times(whole));
}

// As when every shard makes the problems of a suite in its own folder.
TEST(Campaign, ShardsOfEqualFilesInDifferentFoldersBelongTogether) {
  const Folder folder;
  std::vector<Results> parts;
  for (const char* name : {"b", "a"}) {  // the second shard's folder sorts first
    const std::string file = folder.path(std::string(name) + "/frames.jsonl");
    std::filesystem::create_directories(folder.path(name));
    std::filesystem::copy_file(kBlocks, file);
    Campaign campaign = small({"ncp/nncg"}, {0, 1, 2, 3});
    campaign.inputs[0].file = file;
    campaign.shards = 2;
    campaign.shard = static_cast<std::int64_t>(parts.size()) + 1;
    parts.push_back(run(campaign, folder.path(name)));
  }
  const Results all = merged({parts[1], parts[0]}, {"2", "1"});
  ASSERT_EQ(all.problems.size(), 4U);
  for (Index k = 0; k < 4; ++k) EXPECT_EQ(all.problems[static_cast<std::size_t>(k)].frame, k);
}

TEST(Campaign, WarmStartsComeFromTheRecordedAnswersAndTheirWantIsTold) {
  const Folder folder;
  // The first frame knows its answer, the second does not.
  auto records = io::read_json_lines(kBlocks);
  records.resize(2);
  const System system = io::system_of(records[0], "0");
  records[0].answer.z = contact_rows(system, solve(system, "ncp/nncg").impulses);
  records[0].answer.z_joints.resize(0);
  records[1].answer = {};
  io::write_json_lines(records, folder.path("f.jsonl"));
  Campaign campaign = small({"ncp/nncg"}, {0, 1});
  campaign.inputs[0].file = folder.path("f.jsonl");
  campaign.settings.warm_start = true;
  const Results results = run(campaign, folder.path("out"));
  EXPECT_EQ(results.rows[0].path, "start");
  EXPECT_GT(results.rows[1].iterations, 0);
  EXPECT_NE(results.problems[0].tags.back(), "cold");
  EXPECT_EQ(results.problems[1].tags.back(), "cold");
}

TEST(Campaign, AFrameThatCannotBeAssembledIsARow) {
  const Folder folder;
  auto records = io::read_json_lines(kBlocks);
  {
    io::FrameWriter writer(folder.path("f.h5"), {}, 64);
    writer.append(records[0]);
    records[0].frame.bodies.masses[records[0].frame.bodies.count() - 1] = -1;
    writer.append(records[0]);
    writer.close();
  }
  Campaign campaign = small({"ncp/nncg"}, {0, 1});
  campaign.inputs[0].file = folder.path("f.h5");
  const Results results = run(campaign, folder.path("out"));
  EXPECT_EQ(results.rows.at(0).status, Status::converged);
  EXPECT_EQ(results.rows.at(1).status, Status::invalid_input);
  EXPECT_NE(results.rows.at(1).message.find("masses"), std::string::npos)
      << results.rows.at(1).message;
}

TEST(Campaign, ResultsOfAMergeAreNotOverwrittenByAccident) {
  const Folder folder;
  write_results(campaign(1), folder.path("out"));
  EXPECT_NE(complaint([&] {
              run(small({"ncp/nncg"}, {0}), folder.path("out"));
            }).find("has results without a journal"),
            std::string::npos);
}

}  // namespace campaign_test
}  // namespace perpend::bench::test
