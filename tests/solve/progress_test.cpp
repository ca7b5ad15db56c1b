#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "perpend/solve.hpp"

namespace perpend {
namespace progress_test {

// A problem without content: the error of z is |z_0|, and a clock that only its user moves.
class Bench {
 public:
  Bench() {
    options.clock = [this] { return now; };
    options.tolerance = 1e-3;
    info.name = "test/none";
  }
  Progress progress(double start = 1) {
    Progress::Judge judge;
    judge.error = [this](const VectorXd& z) {
      now += measuring;
      ++measured;
      return std::abs(z[0]);
    };
    judge.all = [this](const VectorXd& z) {
      now += 10 * measuring;
      Errors e;
      e[Measure::own_error] = std::abs(z[0]);
      return e;
    };
    if (hidden)
      judge.bounded = [this](const VectorXd& z) { return Bounded{std::abs(z[0]), hidden(z[0])}; };
    return Progress(options, info, VectorXd::Constant(1, start), judge);
  }
  // Works for a second, then reports z.
  bool work(Progress& p, double z, double estimate = Progress::kNone) {
    now += 1;
    return p.next(VectorXd::Constant(1, z), estimate);
  }

  Options options;
  SolverInfo info;
  double now = 100, measuring = 0.25;
  int measured = 0;
  std::function<double(double)> hidden;  // by rounding, at z
};

TEST(Progress, TheBestIterateIsNotMeasuredAgainWhenItIsOffered) {
  Bench bench;
  Progress p = bench.progress();
  bench.work(p, 0.5);
  const int before = bench.measured;
  p.offer(VectorXd::Constant(1, 0.5));
  EXPECT_EQ(bench.measured, before);
  p.offer(VectorXd::Constant(1, 0.25));
  EXPECT_EQ(bench.measured, before + 1);
}

// Two calls of 0.1 s each, each with a second around it.
TEST(Progress, BillsASolverInAnotherProcessWhatItMeasuredAndShowsTheRestApart) {
  Bench bench;
  bench.options.history = true;
  bench.options.time_limit = 0.25;  // of its own time: the seconds around it do not count
  Progress p = bench.progress();
  p.bill(0);
  for (const double z : {0.5, 0.25}) {
    p.bill(0.1);
    EXPECT_TRUE(bench.work(p, z));
  }
  EXPECT_DOUBLE_EQ(p.time_left(), 0.05);
  EXPECT_DOUBLE_EQ(p.transfer(), 1.8);
  p.bill(0.1);
  EXPECT_FALSE(bench.work(p, 0.125));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_DOUBLE_EQ(r.seconds, 0.3);
  EXPECT_DOUBLE_EQ(r.transfer_seconds, 2.7);
  EXPECT_DOUBLE_EQ(r.history[1].seconds, 0.1);

  Progress ours = bench.progress();
  bench.work(ours, 0.5);
  EXPECT_EQ(ours.take_result().transfer_seconds, 0);
}

TEST(Progress, BillsTheSolverItsOwnTimeAndNothingElse) {
  for (const bool watched : {false, true}) {
    Bench bench;
    bench.options.history = watched;
    if (watched)
      bench.options.observer = [&](const Iteration&) {
        bench.now += 7;  // an observer that takes its time
        return true;
      };
    Progress p = bench.progress();
    EXPECT_TRUE(bench.work(p, 0.5));
    EXPECT_TRUE(bench.work(p, 0.1));
    EXPECT_FALSE(bench.work(p, 1e-4));
    bench.now += 2;  // a direct method works on after its last report
    const Result r = p.take_result();
    EXPECT_EQ(r.seconds, 5);  // whole seconds and quarters: exact in binary
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_EQ(r.message, "own_error 0.0001 after 3 iterations");
    if (!watched) continue;
    ASSERT_EQ(r.history.size(), 4u);
    EXPECT_EQ(r.history[0].seconds, 0);
    EXPECT_EQ(r.history[3].seconds, 3);
    EXPECT_EQ(r.history[2].errors[Measure::own_error], 0.1);
  }
}

// The tolerance is 1e-3.
TEST(Progress, GoesOnWhileRoundingMayHideMoreThanTheTolerance) {
  Bench bench;
  bench.hidden = [](double z) { return z > 1e-4 ? 1e-3 : 1e-9; };
  Progress p = bench.progress();
  EXPECT_TRUE(bench.work(p, 5e-4));
  EXPECT_FALSE(p.met());
  EXPECT_FALSE(bench.work(p, 1e-5));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.message, "own_error 1e-05 after 2 iterations");  // without what rounding may hide
  EXPECT_EQ(r.errors[Measure::own_error], 1e-5);
}

TEST(Progress, StallsWithBothNumbersWhereOnlyRoundingIsInTheWay) {
  for (const Status said : {Status::stalled, Status::failed, Status::converged}) {
    Bench bench;
    bench.hidden = [](double) { return 0.25; };
    Progress p = bench.progress();
    EXPECT_TRUE(bench.work(p, 0));
    EXPECT_TRUE(bench.work(p, 0.125));  // no error is hidden in it that it does not say
    p.finish(said, "no step goes on");
    const Result r = p.take_result();
    EXPECT_EQ(r.status, Status::stalled);
    EXPECT_EQ(r.message, "own_error 0, but rounding may hide 0.25 (no step goes on)");
    EXPECT_EQ(r.z[0], 0.125);
  }
  Bench bench;
  bench.hidden = [](double) { return 0.25; };
  bench.options.max_iterations = 1;
  Progress p = bench.progress();
  EXPECT_FALSE(bench.work(p, 0));
  EXPECT_EQ(p.take_result().status, Status::stalled);
}

TEST(Progress, TimeLimitCountsBilledTimeOnly) {
  Bench bench;
  bench.measuring = 1000;
  bench.options.time_limit = 2.5;
  Progress p = bench.progress();
  EXPECT_TRUE(bench.work(p, 0.5));
  EXPECT_TRUE(bench.work(p, 0.5));
  EXPECT_FALSE(bench.work(p, 0.5));  // one iteration past the limit, no more
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_FALSE(r.reproducible);
  EXPECT_EQ(r.seconds, 3);
}

TEST(Progress, IterationLimitEndsWithTheBestIterateSeen) {
  Bench bench;
  bench.options.max_iterations = 3;
  Progress p = bench.progress();
  EXPECT_TRUE(bench.work(p, 0.2));
  EXPECT_TRUE(bench.work(p, 0.9));
  EXPECT_FALSE(bench.work(p, 0.7));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.z[0], 0.2);
  EXPECT_TRUE(r.reproducible);
}

TEST(Progress, AStartBetterThanEveryIterateIsReturned) {
  Bench bench;
  bench.options.max_iterations = 1;
  Progress p = bench.progress(0.01);
  EXPECT_FALSE(bench.work(p, 5));
  EXPECT_EQ(p.take_result().z[0], 0.01);
}

TEST(Progress, NotANumberIsAFailureAndIsNeverReturned) {
  Bench bench;
  Progress p = bench.progress();
  EXPECT_TRUE(bench.work(p, 0.5));
  EXPECT_FALSE(bench.work(p, std::numeric_limits<double>::quiet_NaN()));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_EQ(r.message, "iterate 2 is not finite");
  EXPECT_EQ(r.z[0], 0.5);
  EXPECT_EQ(r.seconds, 2);
}

TEST(Progress, ExactErrorIsComputedNearTheToleranceAndAtPowersOfTwo) {
  Bench bench;
  Progress p = bench.progress();
  const int at_start = bench.measured;
  for (int k = 1; k <= 8; ++k) EXPECT_TRUE(bench.work(p, 0.5, 0.5));
  EXPECT_EQ(bench.measured, at_start + 4);  // iterations 1, 2, 4, 8
  EXPECT_TRUE(bench.work(p, 0.3, 1e-9));    // an estimate is never a verdict
  EXPECT_EQ(bench.measured, at_start + 5);
  EXPECT_FALSE(bench.work(p, 1e-4, 9e-3));
}

TEST(Progress, AGuessThatWasNeverMeasuredIsMeasuredAtTheEnd) {
  Bench bench;
  bench.options.max_iterations = 4;
  Progress p = bench.progress();
  for (double z : {0.9, 0.8, 0.3}) EXPECT_TRUE(bench.work(p, z, z));
  EXPECT_FALSE(bench.work(p, 0.6, 0.6));
  EXPECT_EQ(p.take_result().z[0], 0.3);  // the third, which only its estimate recommended
}

TEST(Progress, EstimatesOfAnotherErrorAreNotTrusted) {
  Bench bench;
  bench.options.error = Measure::natural_map_error;
  Progress p = bench.progress();
  const int at_start = bench.measured;
  EXPECT_TRUE(bench.work(p, 0.5, 0.5));
  EXPECT_EQ(bench.measured, at_start + 1);
}

TEST(Progress, ObserverAndCancelStop) {
  Bench bench;
  bench.options.observer = [](const Iteration& i) { return i.iteration < 2; };
  Progress p = bench.progress();
  EXPECT_TRUE(bench.work(p, 0.5));
  EXPECT_FALSE(bench.work(p, 0.4));
  EXPECT_EQ(p.take_result().status, Status::stopped);

  Bench other;
  other.options.cancelled = [] { return true; };
  Progress q = other.progress();
  EXPECT_FALSE(other.work(q, 0.5));
  EXPECT_EQ(q.take_result().status, Status::stopped);
}

TEST(Progress, TheFirstVerdictCountsButASolvedProblemIsConverged) {
  Bench bench;
  Progress p = bench.progress();
  bench.work(p, 0.5);
  p.finish(Status::stalled, "step below 1e-14 after 1 iterations");
  p.finish(Status::failed, "later");
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_EQ(r.message, "step below 1e-14 after 1 iterations");

  Progress q = bench.progress(1e-5);
  q.finish(Status::stalled, "no step");
  EXPECT_EQ(q.take_result().status, Status::converged);
}

TEST(Progress, AMethodThatReturnsWithoutAVerdictHasFailed) {
  Bench bench;
  EXPECT_EQ(bench.progress().take_result().status, Status::failed);
}

TEST(Progress, TooLargeNamesBothNumbers) {
  Bench bench;
  bench.options.memory_limit = 1e6;
  Progress p = bench.progress();
  EXPECT_FALSE(p.too_large(1e6));
  EXPECT_TRUE(p.too_large(2.5e9));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::too_large);
  EXPECT_EQ(r.message, "needs 2.5e+09 bytes, the memory limit is 1e+06");
}

TEST(Progress, RestartsAreMarkedInTheHistory) {
  Bench bench;
  bench.options.history = true;
  Progress p = bench.progress();
  bench.work(p, 0.5);
  p.restarted();
  bench.work(p, 0.4);
  bench.work(p, 0.3);
  p.finish(Status::stalled, "");
  const Result r = p.take_result();
  ASSERT_EQ(r.history.size(), 4u);
  EXPECT_FALSE(r.history[1].restart);
  EXPECT_TRUE(r.history[2].restart);
  EXPECT_FALSE(r.history[3].restart);
}

TEST(Options, EveryMisfitIsSaidInWords) {
  SolverInfo info;
  info.name = "test/none";
  info.options = {{"omega", "relaxation", "1", {}, 0.1, 1.9}, {"kind", "", "a", {"a", "b"}}};
  const auto reason = [&](auto change) {
    Options o;
    change(o);
    return invalid(o, info);
  };
  EXPECT_EQ(reason([](Options&) {}), "");
  EXPECT_EQ(reason([](Options& o) { o.tolerance = -1; }), "tolerance must not be negative");
  EXPECT_EQ(reason([](Options& o) { o.tolerance = std::numeric_limits<double>::quiet_NaN(); }),
            "tolerance must not be negative");
  EXPECT_EQ(reason([](Options& o) { o.facets = 2; }), "facets must be at least 3");
  EXPECT_EQ(reason([](Options& o) { o.error = Measure::energy_change; }),
            "energy_change can be negative, so it has no tolerance");
  EXPECT_EQ(reason([](Options& o) { o.set["omga"] = "1"; }),
            "test/none has no option 'omga'; it has omega, kind");
  EXPECT_EQ(reason([](Options& o) { o.set["omega"] = "2"; }),
            "test/none option 'omega' must be a number from 0.1 to 1.9");
  EXPECT_EQ(reason([](Options& o) { o.set["omega"] = "1x"; }),
            "test/none option 'omega' must be a number from 0.1 to 1.9");
  EXPECT_EQ(reason([](Options& o) { o.set["kind"] = "c"; }),
            "test/none option 'kind' must be one of a, b");
  EXPECT_EQ(reason([](Options& o) { o.set["kind"] = "b"; }), "");
}

TEST(Progress, ASpacedHistoryHasIterationsAFactorApartAndTheLastOne) {
  Bench bench;
  bench.options.history = true;
  bench.options.history_ratio = 1.5;
  bench.options.history_measures = {Measure::own_error};
  Progress p = bench.progress();
  for (int k = 1; k <= 11; ++k) {
    if (k == 6) p.restarted();
    bench.work(p, k < 11 ? 1.0 / k : 1e-4);
  }
  const Result r = p.take_result();
  std::vector<long> iterations;
  for (const HistoryPoint& point : r.history) iterations.push_back(point.iteration);
  EXPECT_EQ(iterations, (std::vector<long>{0, 1, 2, 3, 5, 8, 11}));
  EXPECT_EQ(r.history[4].seconds, 5);
  EXPECT_EQ(r.history[4].errors[Measure::own_error], 0.2);
  // The restart at iteration 6 is seen at the next point.
  EXPECT_TRUE(r.history[5].restart);
  EXPECT_FALSE(r.history[6].restart);
}

TEST(Progress, AHistoryHasTheMeasuresAtTheJudgedIterateAndAtTheOneItGoesOnFrom) {
  Bench bench;
  bench.options.history = true;
  bench.options.history_ratio = 2;
  bench.options.history_measures = {Measure::own_error, HistoryMeasure(Measure::own_error, true)};
  Progress p = bench.progress();
  EXPECT_TRUE(p.wants_iterates());
  bench.work(p, 0.5);
  p.iterate(VectorXd::Constant(1, 0.75));
  bench.work(p, 0.4);  // says nothing: there is only one iterate
  bench.work(p, 0.3);  // is not kept, nor is what follows it
  p.iterate(VectorXd::Constant(1, 0.7));
  bench.work(p, 1e-4);
  const Result r = p.take_result();
  ASSERT_EQ(r.history.size(), 4U);
  std::vector<double> judged, iterate;
  for (const HistoryPoint& point : r.history) {
    judged.push_back(point[Measure::own_error]);
    iterate.push_back(point[HistoryMeasure(Measure::own_error, true)]);
  }
  EXPECT_EQ(judged, (std::vector<double>{1, 0.5, 0.4, 1e-4}));
  EXPECT_EQ(iterate, (std::vector<double>{1, 0.75, 0.4, 1e-4}));
  EXPECT_EQ(r.z[0], 1e-4);  // what is only measured never becomes the answer
  EXPECT_EQ(r.seconds, 4);
  bench.options.history_measures = {Measure::own_error};
  EXPECT_FALSE(bench.progress().wants_iterates());
}

TEST(Progress, MeasuresOfAHistoryHaveNames) {
  for (const MeasureInfo& info : measures())
    for (const bool at_iterate : {false, true}) {
      const HistoryMeasure one(info.measure, at_iterate);
      EXPECT_EQ(history_measure_named(name(one)), one);
    }
  EXPECT_EQ(name(HistoryMeasure(Measure::pgs_merit, true)), "pgs_merit@iterate");
  for (const char* none : {"", "all", "@iterate", "pgs_merit@", "pgs_merit@swept"})
    EXPECT_FALSE(history_measure_named(none)) << none;
}

TEST(Progress, AHistoryWithoutMeasuresIsACheapListOfMoments) {
  Bench bench;
  bench.options.history = true;
  bench.options.history_measures = std::vector<HistoryMeasure>();
  Progress p = bench.progress();
  bench.work(p, 0.5, 0.5);
  bench.work(p, 0.4, 0.4);
  const int measured = bench.measured;
  bench.work(p, 0.3, 0.3);  // its estimate is far above the tolerance: nothing is measured
  EXPECT_EQ(bench.measured, measured);
  const Result r = p.take_result();
  ASSERT_EQ(r.history.size(), 4U);
  EXPECT_EQ(r.history[3].seconds, 3);
  EXPECT_FALSE(r.history[3].errors.has(Measure::own_error));
}

// The error of z is |z_0|, its energy (z_0 - 3)^2 - 9: lowest at 3, and zero has 0.
Progress::Judge weighed() {
  Progress::Judge judge;
  judge.error = [](const VectorXd& z) { return std::abs(z[0]); };
  judge.energy = [](const VectorXd& z) { return z[0] * (z[0] - 6); };
  judge.costs.sweeps = {1, 0.5, 4, 0};
  return judge;
}

TEST(Progress, TakesTheLowestEnergyOfIteratesThatFallShort) {
  for (const bool by_energy : {false, true}) {
    Bench bench;
    bench.options.by_energy = by_energy;
    bench.options.max_iterations = 3;
    Progress p(bench.options, bench.info, VectorXd::Constant(1, 0.5), weighed());
    for (const double z : {2.0, 3.5, 1.0}) bench.work(p, z);
    const Result r = p.take_result();
    EXPECT_EQ(r.status, Status::iteration_limit);
    EXPECT_EQ(r.z[0], by_energy ? 3.5 : 0.5);
    EXPECT_EQ(r.errors[Measure::own_error], r.z[0]);
  }
}

TEST(Progress, WhereEnergiesDecideAndAreKnownNothingIsMeasuredOnTheWay) {
  // At the start, and the one that is taken; the energy is what the solver says.
  Bench bench;
  bench.options.by_energy = true;
  bench.options.max_iterations = 4;
  int errors = 0, energies = 0;
  Progress::Judge judge = weighed();
  judge.error = [&](const VectorXd& z) {
    ++errors;
    return std::abs(z[0]);
  };
  judge.energy = [&](const VectorXd&) {
    ++energies;
    return 0.0;
  };
  Progress p(bench.options, bench.info, VectorXd::Constant(1, 0.5), judge);
  for (const double z : {2.0, 3.5, 1.0, 4.0})
    p.next(VectorXd::Constant(1, z), z, z == 1.0 ? -2.0 : -1.0);
  const Result r = p.take_result();
  EXPECT_EQ(r.z[0], 1.0);
  EXPECT_EQ(r.errors[Measure::own_error], 1.0);
  EXPECT_EQ(errors, 2);
  EXPECT_EQ(energies, 1);
}

TEST(Progress, AnIterateOfKnownEnergyNeedNotBeSeen) {
  Bench bench;
  bench.options.by_energy = true;
  bench.options.max_iterations = 3;
  const double far = 1e3 * bench.options.tolerance;
  Progress p(bench.options, bench.info, VectorXd::Constant(1, 0.5), weighed());
  EXPECT_TRUE(p.energy_decides(far, -1));
  EXPECT_FALSE(p.energy_decides(bench.options.tolerance, -1)) << "it may meet the tolerance";
  EXPECT_FALSE(p.energy_decides(far, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(p.next_unseen());
  EXPECT_TRUE(p.next_unseen());
  EXPECT_FALSE(p.next_unseen());
  p.offer(VectorXd::Constant(1, 3.5), -7.0);
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 3);
  EXPECT_EQ(r.z[0], 3.5);
  EXPECT_EQ(r.errors[Measure::own_error], 3.5);

  Bench seen;
  Progress plain(seen.options, seen.info, VectorXd::Constant(1, 0.5), weighed());
  EXPECT_FALSE(plain.energy_decides(far, -1)) << "errors decide";
  seen.options.by_energy = seen.options.history = true;
  Progress::Judge judge = weighed();
  judge.all = [](const VectorXd&) { return Errors{}; };
  Progress recorded(seen.options, seen.info, VectorXd::Constant(1, 0.5), judge);
  EXPECT_FALSE(recorded.energy_decides(far, -1)) << "each iterate is a point of the history";
}

TEST(Progress, WhoTakesTheLowestEnergyMayMeasureItHimself) {
  for (const bool measured : {false, true}) {
    Bench bench;
    bench.options.by_energy = true;
    bench.options.measure_all = measured;
    bench.options.max_iterations = 1;
    int errors = 0;
    Progress::Judge judge = weighed();
    judge.error = [&](const VectorXd& z) {
      ++errors;
      return std::abs(z[0]);
    };
    Progress p(bench.options, bench.info, VectorXd::Constant(1, 0.5), judge);
    EXPECT_FALSE(p.next_unseen());
    p.offer(VectorXd::Constant(1, 3.5), -7.0);
    const Result r = p.take_result();
    EXPECT_EQ(r.status, Status::iteration_limit);
    EXPECT_EQ(r.z[0], 3.5);
    EXPECT_EQ(r.errors.has(Measure::own_error), measured);
    EXPECT_EQ(errors, measured ? 2 : 1) << "the start, too";
  }
}

TEST(Progress, TakesWhatConvergedWhateverItsEnergy) {
  Bench bench;
  bench.options.by_energy = true;
  Progress p(bench.options, bench.info, VectorXd::Constant(1, 0.5), weighed());
  EXPECT_TRUE(bench.work(p, 3));
  EXPECT_FALSE(bench.work(p, 1e-4));
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.z[0], 1e-4);
}

TEST(Progress, EndsBeforeTheIterationThatItsEffortDoesNotPay) {
  Bench bench;
  bench.options.effort = 10;
  Progress p(bench.options, bench.info, VectorXd::Constant(1, 1), weighed());
  p.count(Work::factorization);
  EXPECT_TRUE(bench.work(p, 0.9));  // 4 sweeps
  p.count(Work::factorization);
  EXPECT_FALSE(bench.work(p, 0.8)) << "8, and the next one would make it 12";
  const Result r = p.take_result();
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.sweeps, 8);
  EXPECT_NE(r.message.find("effort of 10 sweeps"), std::string::npos) << r.message;
  EXPECT_TRUE(r.reproducible);
}

TEST(Progress, MakesAsManySweepsAsItsEffort) {
  Bench bench;
  bench.options.effort = 5;
  Progress p(bench.options, bench.info, VectorXd::Constant(1, 1), weighed());
  int sweeps = 0;
  do {
    p.count(Work::sweep);
    ++sweeps;
  } while (bench.work(p, 0.9));
  EXPECT_EQ(sweeps, 5);
}

}  // namespace progress_test
}  // namespace perpend
