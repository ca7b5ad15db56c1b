// The convergence laboratory: what halving the step does to a trajectory.
//
// Runs k = 0..N have the step h/2^k and are compared at the times of the coarsest one. With a
// method of order p the runs k and k+1 are C (1 - 2^-p) h_k^p apart, so that the distances of
// successive pairs fall by 2^p from level to level whatever the exact solution is; distances to the
// finest run would fall too fast on the last levels, because that run has an error of its own.
//
// The order is the slope of a straight line through (log h, log distance), by least squares. Two
// things may hide it, and are told apart: runs that agree to what the tolerance of the solver adds
// up to have nothing left to converge, and where a trajectory depends on its start without bound
// (an impact on an edge, a pile), distances stop falling at some time. `until` is the last common
// time up to which the slope of the largest distances so far is always at least a half, and the
// order is then the median of those slopes.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "perpend/base.hpp"
#include "perpend/sim.hpp"

namespace perpend {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kSlope = 0.5;  // at least this: it converges

using Poses = std::vector<Pose>;  // of the moving bodies

struct Run {
  std::vector<Poses> moments;
  std::vector<double> energies;
};

struct Mover {
  Index row;
  double radius;
};

std::vector<Mover> movers(const Scene& scene) {
  std::vector<Mover> out;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].mass > 0) out.push_back({static_cast<Index>(i), radius(scene.bodies[i])});
  return out;
}

Poses moment_of(const State& state, const std::vector<Mover>& moving) {
  Poses out;
  out.reserve(moving.size());
  for (const Mover& body : moving) {
    const auto q = state.quaternions.row(body.row);
    out.push_back({state.positions.row(body.row), {q[0], q[1], q[2], q[3]}});
  }
  return out;
}

// Not a number counts as infinitely far.
double known(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

Apart apart(const Poses& a, const Poses& b, const std::vector<Mover>& moving) {
  Apart out;
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const double position = known((a[i].position - b[i].position).norm());
    const Eigen::Quaterniond between = a[i].orientation * b[i].orientation.conjugate();
    const double angle = 2 * std::atan2(between.vec().norm(), std::abs(between.w()));
    const double turn = known(angle * moving[i].radius);
    out.position = std::max(out.position, position);
    out.turn = std::max(out.turn, turn);
    out.distance = std::max(out.distance, position + turn);
  }
  return out;
}

void raise(Apart& largest, const Apart& one) {
  largest.position = std::max(largest.position, one.position);
  largest.turn = std::max(largest.turn, one.turn);
  largest.distance = std::max(largest.distance, one.distance);
}

// Slope of log2 distance over log2 h, h halved from one to the next; NaN with fewer than two that
// are above the floor.
double slope(const std::vector<double>& distances, double floor) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    if (!(distances[k] > floor)) break;  // below it there is only noise
    if (!std::isfinite(distances[k])) return 0;
    const double x = -static_cast<double>(k), y = std::log2(distances[k]);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return n < 2 ? kNone : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void judge(Refinement& result, double floor) {
  const std::size_t pairs = result.levels.size() - 1;
  std::vector<double> largest(pairs, 0), slopes;
  bool ended = false;
  double last = kNone;
  for (std::size_t t = 0; t < result.times.size(); ++t) {
    for (std::size_t k = 0; k < pairs; ++k)
      largest[k] = std::max(largest[k], result.levels[k].distance_to_next[t]);
    last = slope(largest, floor);
    ended = ended || last < kSlope;
    if (std::isnan(last) || ended) continue;
    slopes.push_back(last);
    result.until = result.times[t];
  }
  result.order = kNone;
  if (std::isnan(last)) {
    result.verdict = Refinement::Verdict::same;
  } else if (last >= kSlope) {
    result.verdict = Refinement::Verdict::converges;
    result.order = last;
    result.until = result.times.back();
  } else if (slopes.empty()) {
    result.verdict = Refinement::Verdict::none;
  } else {
    result.verdict = Refinement::Verdict::until;
    std::sort(slopes.begin(), slopes.end());
    result.order = slopes[slopes.size() / 2];
  }
}

}  // namespace

Refinement refine(const Scene& scene, const SimulateOptions& options, int halvings,
                  Index most_kept) {
  const double h = options.h > 0 ? options.h : scene.step;
  const Index steps = options.steps >= 0 ? options.steps : scene.steps;
  const std::vector<Mover> moving = movers(scene);
  const Index most =
      std::max<Index>(16, most_kept / (static_cast<Index>(moving.size() + 1) * (halvings + 1)));
  const Index stride = std::max<Index>(1, (steps + most - 1) / most);

  Refinement result;
  std::vector<Run> runs;
  Index done_before = 0;
  const Index all = steps * ((Index{2} << halvings) - 1);
  for (int k = 0; k <= halvings; ++k) {
    const Index fine = Index{1} << k;
    SimulateOptions one = options;
    one.h = h / static_cast<double>(fine);
    one.steps = steps * fine;
    if (options.progress)
      one.progress = [&](Index done, Index) { return options.progress(done_before + done, all); };
    Run run;
    Index step = 0;
    std::optional<Trajectory> trajectory;
    one.observe = [&](const State& state) {
      if (step++ % (stride * fine) != 0) return;
      if (trajectory)
        trajectory->add(state);
      else
        trajectory.emplace(scene, state);
      run.moments.push_back(moment_of(state, moving));
      run.energies.push_back(trajectory->energy());
      if (k == 0) result.times.push_back(state.time);
    };
    RefineLevel level;
    level.summary = simulate(scene, one);
    if (level.summary.stopped) {
      result.verdict = Refinement::Verdict::stopped;
      break;
    }
    done_before += one.steps;
    level.h = one.h;
    level.steps = one.steps;
    level.energy = run.energies.back();
    level.ratio = kNone;
    result.levels.push_back(std::move(level));
    runs.push_back(std::move(run));
  }

  for (std::size_t k = 0; k + 1 < runs.size(); ++k) {
    RefineLevel& level = result.levels[k];
    for (std::size_t t = 0; t < result.times.size(); ++t) {
      const Apart next = apart(runs[k].moments[t], runs[k + 1].moments[t], moving);
      raise(level.to_next, next);
      level.distance_to_next.push_back(next.distance);
      raise(level.to_finest, apart(runs[k].moments[t], runs.back().moments[t], moving));
      level.energy_to_next = std::max(
          level.energy_to_next, known(std::abs(runs[k].energies[t] - runs[k + 1].energies[t])));
    }
    if (k > 0)
      result.levels[k - 1].ratio =
          result.levels[k - 1].to_next.distance / result.levels[k].to_next.distance;
  }
  // What solves to this tolerance may add up to over the run; rounding for runs that are exact.
  const double duration = h * static_cast<double>(steps);
  const double floor = 10 * options.step.solve.tolerance * duration + 1e-12;
  if (result.levels.size() == static_cast<std::size_t>(halvings) + 1) judge(result, floor);
  return result;
}

std::string Refinement::words() const {
  switch (verdict) {
    case Verdict::converges:
      return formatted("the distance falls with the step: order %.2f", order);
    case Verdict::until:
      return "the distance falls with the step until " + short_number(until) + " s (order " +
             formatted("%.2f", order) +
             "), and no longer after that: the motion amplifies small differences";
    case Verdict::none:
      return "no order is visible: the distance does not fall with the step";
    case Verdict::same:
      return "all runs agree to the solver's tolerance: nothing is left to converge";
    case Verdict::stopped:
      return "stopped after " + std::to_string(levels.size()) + " complete levels";
  }
  return {};
}

}  // namespace perpend
