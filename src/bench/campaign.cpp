// A campaign: every problem to every solver, in worker processes that one parent without threads
// waits for. Rows are taken in order, problem by problem, by whichever worker is free; each is
// written to the journal when its last run has ended.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>

#include "bench/identity.hpp"
#include "bench/journal.hpp"
#include "bench/options.hpp"
#include "bench/records.hpp"
#include "bench/row.hpp"
#include "perpend/base.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"

namespace perpend::bench {
namespace {

constexpr const char* kJournal = "results.journal";
// A solve that ignores its time limit is killed after this many limits of the wall clock, and some
// grace: measuring is not billed, and takes about as long as solving.
constexpr double kLimits = 5;
// What a worker may use beyond the solver's memory limit: the problem, its formulation, the answer.
constexpr double kRoom = 256.0 * 1024 * 1024;
// How often the caller is asked whether to stop, and the journal made safe from power failures; s.
constexpr double kAsk = 0.2, kSync = 2;

double half_of_the_memory() {
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct PlanItem {
  std::size_t input;
  Index frame;
  std::int64_t ordinal;
};

std::vector<PlanItem> plan(const Campaign& campaign) {
  std::vector<PlanItem> list;
  std::int64_t ordinal = 0;
  for (std::size_t i = 0; i < campaign.inputs.size(); ++i)
    for (const Index frame : campaign.inputs[i].frames) {
      if (ordinal % campaign.shards == campaign.shard - 1) list.push_back({i, frame, ordinal});
      ++ordinal;
    }
  return list;
}

std::string made_up_title(const Campaign& campaign) {
  std::int64_t problems = 0;
  std::string names;
  for (std::size_t i = 0; i < campaign.inputs.size(); ++i) {
    problems += static_cast<std::int64_t>(campaign.inputs[i].frames.size());
    if (i < 3)
      names +=
          (i > 0 ? ", " : "") + std::filesystem::path(campaign.inputs[i].file).filename().string();
  }
  if (campaign.inputs.size() > 3) names += ", ...";
  const auto counted = [](std::size_t n, const char* word) {
    return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
  };
  return counted(campaign.solvers.size(), "solver") + ", " +
         counted(static_cast<std::size_t>(problems), "problem") + " of " + names;
}

// A problem in memory, as long as somebody works on it.
struct LoadedProblem {
  std::optional<System> system;
  std::string refusal;
  Impulses warm_start;
  Result recorded;  // the file's own answer, where it is a row
};

// One worker and the row it works on.
struct Job {
  explicit Job(peers::Worker w) : worker(std::move(w)) {}
  peers::Worker worker;
  std::shared_ptr<const LoadedProblem> given;  // the problem that the worker has
  bool busy = false;
  std::size_t solver = 0, problem = 0;
  Options options;
  std::optional<Result> first;
  std::vector<Result> repeats;
};

class Runner {
 public:
  Runner(const Campaign&, const std::string& folder, const Hooks&);
  Results run();

 private:
  void resume(const Identity&);
  std::shared_ptr<const LoadedProblem> load(std::size_t problem);
  bool begin(Job&);
  void start(Job&);
  void answered(Job&, Result);
  void finish(Row, std::size_t solver, std::size_t problem);
  void wait_for_some();
  bool stopped() const { return hooks_.stop && hooks_.stop(); }
  std::size_t total() const { return plan_.size() * campaign_.solvers.size(); }

  const Campaign& campaign_;
  const std::string& folder_;
  const Hooks& hooks_;
  Journal journal_;
  std::vector<PlanItem> plan_;
  std::vector<std::optional<ProblemEntry>> problems_;  // known so far
  std::vector<std::optional<Row>> rows_;               // by problem, then by solver
  std::vector<Machine> machines_;
  std::size_t machine_ = 0;  // this one
  long done_ = 0, before_ = 0;
  std::size_t next_ = 0;  // row to be begun
  std::string hash_;

  std::unique_ptr<io::Source> source_;
  std::size_t source_input_ = 0;
  std::shared_ptr<const LoadedProblem> loaded_;
  std::size_t loaded_problem_ = 0;
  double limit_ = 0;  // wall clock of a solve; 0: none
  std::vector<Job> jobs_;
};

Runner::Runner(const Campaign& campaign, const std::string& folder, const Hooks& hooks)
    : campaign_(campaign),
      folder_(folder),
      hooks_(hooks),
      journal_((std::filesystem::path(folder) / kJournal).string()),
      plan_(plan(campaign)),
      problems_(plan_.size()),
      rows_(total()) {
  hash_ = campaign_hash(campaign);
  resume(identity(campaign));
  const Settings& s = campaign.settings;
  if (s.time_limit > 0) limit_ = kLimits * s.time_limit + hooks.grace;
  const double memory = (s.memory_limit > 0 ? s.memory_limit : half_of_the_memory()) + kRoom;
  const auto jobs = static_cast<std::size_t>(std::max(1L, s.jobs));
  for (std::size_t j = 0; j < std::min(jobs, std::max<std::size_t>(1, total())); ++j)
    jobs_.emplace_back(peers::Worker(memory, hooks.answering, hooks.stop));
}

// What the journal holds; a new one begins with what the campaign is.
void Runner::resume(const Identity& now) {
  const std::vector<Json> records = journal_.take_records();
  if (records.empty()) {
    journal_.append({{"record", "campaign"}, {"identity", now}});
  } else {
    const auto was = records.front().at("identity").get<Identity>();
    if (const std::string why = difference(was, now); !why.empty())
      throw io::InputError(folder_ + ": has results of another comparison: " + why +
                           "; choose another folder, or delete them with --overwrite");
  }
  Past past = past_of(records, plan_.size(), campaign_.solvers.size(),
                      campaign_.settings.history_measures.size());
  machines_ = std::move(past.machines);
  problems_ = std::move(past.problems);
  rows_ = std::move(past.rows);
  before_ = static_cast<long>(
      std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); }));
  done_ = before_;
  Machine here = this_machine();
  here.commit = campaign_.commit;
  const auto known = std::find_if(machines_.begin(), machines_.end(),
                                  [&](const Machine& m) { return m.same_as(here); });
  machine_ = static_cast<std::size_t>(known - machines_.begin());
  if (known != machines_.end()) return;
  journal_.append({{"record", "machine"}, {"machine", record_of(here)}});
  machines_.push_back(here);
}

std::shared_ptr<const LoadedProblem> Runner::load(std::size_t problem) {
  if (loaded_ && loaded_problem_ == problem) return loaded_;
  const PlanItem& planned = plan_[problem];
  const Input& input = campaign_.inputs[planned.input];
  if (!source_ || source_input_ != planned.input) {
    source_ = io::open_source(input.file);
    source_input_ = planned.input;
  }
  io::Case read;
  try {
    read = source_->read(planned.frame);
  } catch (const io::InputError& error) {
    read.refusal = error.what();
  }
  auto loaded = std::make_shared<LoadedProblem>();
  if (campaign_.settings.warm_start) loaded->warm_start = io::recorded(read);
  if (!problems_[problem]) {
    ProblemEntry entry;
    entry.file = input.file;
    entry.frame = planned.frame;
    entry.title = read.title.empty() ? source_->title() : read.title;
    entry.tags = read.tags;
    entry.tags.insert(entry.tags.end(), input.tags.begin(), input.tags.end());
    // A warm start that could not be had is told where the report can see it.
    if (campaign_.settings.warm_start && loaded->warm_start.size() == 0)
      entry.tags.emplace_back("cold");
    entry.counts = read.counts;
    entry.hash = hexadecimal(read.system ? peers::fingerprint(*read.system)
                                         : fnv(read.refusal.data(), read.refusal.size()));
    entry.ordinal = planned.ordinal;
    journal_.append({{"record", "problem"}, {"index", problem}, {"problem", record_of(entry)}});
    problems_[problem] = std::move(entry);
  }
  const std::string& recorded = io::recorded_solver().name;
  if (std::find(campaign_.solvers.begin(), campaign_.solvers.end(), recorded) !=
      campaign_.solvers.end())
    loaded->recorded = io::recorded_result(
        read, watched(options_for(campaign_.settings, recorded), campaign_.settings));
  loaded->system = std::move(read.system);
  loaded->refusal = std::move(read.refusal);
  loaded_ = loaded;
  loaded_problem_ = problem;
  return loaded;
}

// Gives the job the next row that is to be done; false: there is none.
bool Runner::begin(Job& job) {
  const std::size_t solvers = campaign_.solvers.size();
  for (; next_ < rows_.size(); ++next_) {
    if (rows_[next_]) continue;
    job.problem = next_ / solvers;
    job.solver = next_ % solvers;
    const std::shared_ptr<const LoadedProblem> problem = load(job.problem);
    if (!problem->system) {
      Row row;
      row.status = Status::invalid_input;
      row.message = problem->refusal;
      finish(std::move(row), job.solver, job.problem);
      continue;
    }
    if (campaign_.solvers[job.solver] == io::recorded_solver().name) {
      finish(make_row(problem->recorded, {}, campaign_.settings), job.solver, job.problem);
      continue;
    }
    if (job.given != problem) {
      job.worker.give(*problem->system);
      job.given = problem;
    }
    job.options = options_for(campaign_.settings, campaign_.solvers[job.solver]);
    job.options.warm_start = problem->warm_start;
    job.first.reset();
    job.repeats.clear();
    ++next_;
    start(job);
    return true;
  }
  return false;
}

// Repeating tells the noise of short runs from their time. A row's runs end when they took so long
// together: of long ones the first is as good as three.
constexpr double kEnoughSeconds = 1;

void Runner::start(Job& job) {
  job.busy = true;
  job.worker.start(campaign_.solvers[job.solver],
                   job.first ? timed(job.options) : watched(job.options, campaign_.settings),
                   limit_);
}

void Runner::answered(Job& job, Result result) {
  job.busy = false;
  const Status status = result.status;
  if (!job.first)
    job.first = std::move(result);
  else
    job.repeats.push_back(std::move(result));
  const auto repeats = static_cast<long>(job.repeats.size());
  double run_for = job.first->seconds;
  for (const Result& one : job.repeats) run_for += one.seconds;
  const bool again = repeats == 0 ? worth_repeating(status) : status != Status::crashed;
  if (again && repeats < campaign_.settings.repeat && run_for < kEnoughSeconds)
    start(job);
  else
    finish(make_row(*job.first, job.repeats, campaign_.settings), job.solver, job.problem);
}

void Runner::finish(Row row, std::size_t solver, std::size_t problem) {
  row.solver = solver;
  row.problem = problem;
  row.machine = machine_;
  journal_.append({{"record", "row"}, {"row", record_of(row)}});
  rows_[problem * campaign_.solvers.size() + solver] = std::move(row);
  ++done_;
  if (hooks_.progress) hooks_.progress(done_, before_, static_cast<long>(total()));
}

void Runner::wait_for_some() {
  std::vector<pollfd> waiting;
  std::vector<Job*> whose;
  double patience = kAsk;
  for (Job& job : jobs_) {
    if (!job.busy) continue;
    waiting.push_back({job.worker.descriptor(), POLLIN, 0});
    whose.push_back(&job);
    if (limit_ > 0) patience = std::min(patience, std::max(0.0, limit_ - job.worker.running()));
  }
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(1e3 * patience) + 1) < 0) return;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    Job& job = *whose[i];
    const bool late = limit_ > 0 && job.worker.running() >= limit_;
    // Without a process to wait for, wait() tells why.
    if (waiting[i].revents == 0 && !late && waiting[i].fd >= 0) continue;
    Result result = job.worker.wait(limit_);
    if (stopped()) return;  // it may be no answer
    answered(job, std::move(result));
  }
}

Results Runner::run() {
  using Clock = std::chrono::steady_clock;
  if (hooks_.progress) hooks_.progress(done_, before_, static_cast<long>(total()));
  auto synced = Clock::now();
  while (!stopped()) {
    bool busy = false;
    for (Job& job : jobs_) busy = (job.busy || begin(job)) || busy;
    if (!busy) break;
    wait_for_some();
    if (Clock::now() - synced > std::chrono::duration<double>(kSync)) {
      journal_.sync();
      synced = Clock::now();
    }
  }
  for (Job& job : jobs_)
    if (job.busy) job.worker.kill();
  journal_.sync();

  Results results;
  results.title = campaign_.title.empty() ? made_up_title(campaign_) : campaign_.title;
  results.campaign = hash_;
  results.machines = machines_;
  results.settings = campaign_.settings;
  results.rows_planned = static_cast<std::int64_t>(total());
  for (int power = -12; power <= 0; ++power)
    results.tolerances.push_back(std::strtod(("1e" + std::to_string(power)).c_str(), nullptr));
  for (const std::string& solver : campaign_.solvers)
    results.solvers.push_back(solver_entry(solver));
  std::vector<std::size_t> number(problems_.size());
  for (std::size_t p = 0; p < problems_.size(); ++p) {
    number[p] = results.problems.size();
    if (problems_[p]) results.problems.push_back(*problems_[p]);
  }
  for (std::optional<Row>& row : rows_) {
    if (!row) continue;
    row->problem = number[row->problem];
    results.rows.push_back(std::move(*row));
  }
  return results;
}

}  // namespace

SolverEntry solver_entry(std::string_view solver) {
  SolverEntry entry;
  entry.name = solver;
  entry.formulation = solver.substr(0, solver.find('/'));
  const bool recorded = solver == io::recorded_solver().name;
  if (const SolverInfo* info = recorded ? &io::recorded_solver() : solver_named(solver)) {
    entry.title = info->title;
    entry.reference = info->reference;
    entry.origin = info->origin;
  }
  const std::string& f = entry.formulation;
  entry.friction = recorded                    ? "engine"
                   : f == "ncp" || f == "mncp" ? "cone"
                   : f == "lcp" || f == "mlcp" ? "pyramid"
                   : f == "box"                ? "box"
                                               : "none";
  return entry;
}

Results run(const Campaign& campaign, const std::string& folder, const Hooks& hooks) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw io::InputError(folder + ": cannot make this folder" +
                         (error ? ": " + error.message() : ""));
  const std::filesystem::path path(folder);
  if (!std::filesystem::exists(path / kJournal) && std::filesystem::exists(path / "results.h5"))
    throw io::InputError(folder + ": has results without a journal (merged ones?); choose " +
                         "another folder, or delete them with --overwrite");
  try {
    return Runner(campaign, folder, hooks).run();
  } catch (const Json::exception& damage) {
    throw io::InputError(folder + "/" + kJournal + ": damaged: " + damage.what());
  } catch (const std::out_of_range&) {
    throw io::InputError(folder + "/" + kJournal + ": damaged: a row outside of the campaign");
  }
}

void forget(const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code ignored;
  constexpr std::array kFiles{"results.h5", "results.json", "results.csv"};
  for (const char* file : kFiles)  // one of them may be an input
    if (std::filesystem::exists(path / file, ignored)) io::plain_target((path / file).string());
  // Not removed: somebody may be at work on it, which is noticed when it is opened.
  if (std::filesystem::exists(path / kJournal, ignored))
    Journal((path / kJournal).string()).clear();
  for (const char* file : kFiles) std::filesystem::remove(path / file, ignored);
}

}  // namespace perpend::bench
