// The fields of Options and Result (perpend/base/fields.hpp). The functions observer, cancelled and
// clock are not fields. The warm start, the history and the effort, which only the simulator sets,
// are not compared.
#pragma once

#include "perpend/base/fields.hpp"
#include "perpend/solve.hpp"

namespace perpend {

template <>
inline constexpr auto kFields<Options> = std::tuple{
    Field{"tolerance", "", "stop when the error is this small, in its unit", &Options::tolerance},
    Field{"error", "", "the measure that must reach the tolerance", &Options::error},
    Field{"max_iterations", "", "iteration limit", &Options::max_iterations},
    Field{"effort", "sweeps", "limit of the work, in sweeps over the problem; 0: none",
          &Options::effort, Role::told},
    Field{"time_limit", "s", "limit of the solver's own time; 0: none", &Options::time_limit},
    Field{"memory_limit", "bytes", "memory limit; 0: half of the machine's",
          &Options::memory_limit},
    Field{"warm_start", "N s", "impulses to start from; empty: a cold start", &Options::warm_start,
          Role::told},
    Field{"facets", "", "directions of the friction cone in lcp and mlcp", &Options::facets},
    Field{"seed", "", "seed of random numbers", &Options::seed},
    Field{"set", "", "solvers' own options by name", &Options::set},
    Field{"history", "", "whether a history is kept", &Options::history, Role::told},
    Field{"history_ratio", "", "factor in iterations between points of the history",
          &Options::history_ratio, Role::told},
    Field{"history_measures", "", "measures of the history; absent: all",
          &Options::history_measures, Role::told},
    Field{"measure_all", "", "whether the result has all errors", &Options::measure_all,
          Role::told},
    Field{"by_energy", "", "of iterates that fall short, take the one with the lowest energy",
          &Options::by_energy, Role::told}};

template <>
inline constexpr auto kFields<HistoryPoint> = std::tuple{
    Field{"iteration", "", "number of the iteration", &HistoryPoint::iteration},
    Field{"seconds", "s", "the solver's own time until then", &HistoryPoint::seconds},
    Field{"restart", "", "the method restarted since the last point", &HistoryPoint::restart},
    Field{"errors", "", "each measure; undefined if this problem does not have it",
          &HistoryPoint::errors},
    Field{"iterate", "", "measures at lambda^k, named `NAME@iterate`", &HistoryPoint::iterate}};

template <>
inline constexpr auto kFields<Result> = std::tuple{
    Field{"status", "", "how it ended: a name of [solvers.md](solvers.md), or `crashed`",
          &Result::status},
    Field{"message", "", "why it ended so, in words", &Result::message},
    Field{"path", "", "the method that really produced the answer", &Result::path},
    Field{"impulses", "N s", "the answer", &Result::impulses, Role::stored},
    Field{"z", "", "the solver's own unknowns", &Result::z, Role::stored},
    Field{"formulation", "", "the problem that was solved", &Result::formulation, Role::stored},
    Field{"iterations", "", "iterations done", &Result::iterations},
    Field{"work", "", "how often each kind of work was done", &Result::work},
    Field{"sweeps", "", "the work in sweeps over the problem", &Result::sweeps},
    Field{"seconds", "s", "the solver's own time", &Result::seconds},
    Field{"formulation_seconds", "s", "time to formulate the problem",
          &Result::formulation_seconds},
    Field{"transfer_seconds", "s",
          "for a solver in another process: time to convert and send data, not part of `seconds`",
          &Result::transfer_seconds},
    Field{"reproducible", "", "no time limit ended it", &Result::reproducible},
    Field{"errors", "", "each measure; undefined if this problem does not have it",
          &Result::errors},
    Field{"rounding", "m/s", "bound of the rounding error of velocity_error", &Result::rounding},
    Field{"history", "", "errors of the iterations", &Result::history}};

}  // namespace perpend
