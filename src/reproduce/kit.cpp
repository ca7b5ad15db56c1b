#include "reproduce/kit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include "perpend/io.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

OwnFolder::OwnFolder() {
  std::random_device dice;
  do {
    const std::uint64_t number = (static_cast<std::uint64_t>(dice()) << 32) | dice();
    path = std::filesystem::temp_directory_path() / ("perpend-" + hexadecimal(number));
  } while (!std::filesystem::create_directory(path));
}

OwnFolder::~OwnFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

void go_on(const Settings& settings) {
  if (settings.cancelled && settings.cancelled()) throw Stopped{};
}

void for_each(const Settings& settings, std::size_t count,
              const std::function<void(std::size_t)>& item) {
  Executor serial;
  Executor& executor = settings.executor ? *settings.executor : serial;
  executor.for_each(static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t i, int) {
    if (!settings.cancelled || !settings.cancelled()) item(static_cast<std::size_t>(i));
  });
  go_on(settings);
}

std::string solver(const Settings& settings, const std::string& name) {
  const auto other = settings.replaced.find(name);
  return other == settings.replaced.end() ? name : other->second;
}

Scene built_in(const std::string& name, std::uint64_t seed) {
  std::string why;
  std::optional<Scene> scene = scene_named(name, seed, why);
  if (!scene) throw std::logic_error(why);
  return *scene;
}

Summary simulated(const Scene& scene, SimulateOptions options, const Settings& settings) {
  options.progress = [&](Index, Index) { return !settings.cancelled || !settings.cancelled(); };
  Summary sum = simulate(scene, options);
  go_on(settings);
  return sum;
}

StepOptions limited(const std::string& solver, long iterations) {
  StepOptions out;
  out.solver = solver;
  out.solve.max_iterations = iterations;
  out.solve.by_energy = true;
  out.correct = 0;
  return out;
}

std::vector<RecordedStep> recorded(const Scene& scene, SimulateOptions options,
                                   const Settings& settings, Index first, Index every) {
  const OwnFolder folder;
  options.out = folder.path / "run.h5";
  options.record = [&](Index step, const Frame&) {
    return step >= first && (step - first) % every == 0;
  };
  simulated(scene, options, settings);
  const io::FrameReader reader(options.out);
  std::vector<RecordedStep> out;
  for (Index i = 0; i < reader.frames(); ++i) {
    io::Record record = reader.read(i);
    out.push_back({std::move(record.frame), record.answer.z, record.answer.z_joints});
  }
  return out;
}

std::span<const Configuration> configurations_of_table_1() {
  static constexpr std::array<Configuration, 9> kTable{
      {{'a', "slope", 14, 171, 54,
        "Eight boxes on the incline, five touching pairs in rows of 3, 3, 2, and five contacts of "
        "the ninth, which lies turned by 45° on another: 57."},
       {'b', "friction-stack", 30, 519, 157,
        "33 patches of cross-laid planks, ten planks that lean by two edges, and one contact more "
        "where a plank is turned by 8°: 173."},
       {'c', "stack", 14, 156, 54, "Five shifted layers with 13 patches of four contacts."},
       {'d', "gears-small", 11, 216, 36,
        "A pyramid of six gears has 36 contacts; the table has exactly twice as many, so that "
        "every "
        "gear is two wheels on one axle: 72."},
       {'e', "gears", 15, 198, 60,
        "64 contacts in a pyramid of ten gears, and two where a tooth touches a low wall: 66."},
       {'f', "stack-small", 9, 51, 24,
        "A column, whose top box is turned by 45° and has a pentagon in common with the next: 17."},
       {'g', "arch", 11, 42, 36, "Five hinges at their limits, and two feet on an edge each."},
       {'h', "heavy-top", 15, 168, 62, "The stack of (c) and a box on top: 14 patches of four."},
       {'i', "snake", 11, 30, 30, "Five hinges at their limits."}}};
  return kTable;
}

System first_system(const Configuration& one) { return assemble(first_frame(built_in(one.scene))); }

std::vector<double> Descent::shown() const {
  std::vector<double> out = merit;
  for (double& one : out) one = std::max(one, floor / 100);
  return out;
}

double Descent::lowest(std::size_t iterations) const {
  double out = merit.empty() ? kNaN : merit.front();
  for (std::size_t k = 0; k < std::min(iterations, merit.size()); ++k)
    out = std::min(out, merit[k]);
  return std::max(out, floor);
}

std::size_t Descent::reaches(double level) const {
  const auto found = std::find_if(merit.begin(), merit.end(), [&](double m) { return m <= level; });
  return static_cast<std::size_t>(found - merit.begin());
}

Descent descent(const System& system, const std::string& name, long iterations,
                const Settings& settings, const std::map<std::string, std::string>& set) {
  constexpr double kRounding = 1e-13;  // of a sweep, relative to all impulses
  constexpr HistoryMeasure kMerit(Measure::pgs_merit, true);
  Options options;
  options.tolerance = 0;
  options.max_iterations = iterations;
  options.set = set;
  options.measure_all = false;
  options.history = true;
  options.history_measures = {kMerit};
  options.cancelled = settings.cancelled;
  const Result result = solve(system, name, options);
  Descent out;
  for (const HistoryPoint& point : result.history) {
    out.merit.push_back(point[kMerit]);
    if (point.restart) out.restarts.push_back(point.iteration);
  }
  // After the last sweep there is no lambda^k more.
  out.merit.resize(std::min(out.merit.size(), static_cast<std::size_t>(iterations)));
  out.floor = kRounding * kRounding * result.impulses.squaredNorm();
  return out;
}

draw::Curve curve(std::string label, const std::vector<double>& y, std::size_t most) {
  draw::Curve out;
  out.label = std::move(label);
  const std::size_t each = std::max<std::size_t>(1, (y.size() + most - 1) / most);
  const auto add = [&](std::size_t k) {
    out.x.push_back(static_cast<double>(k));
    out.y.push_back(y[k]);
  };
  for (std::size_t first = 0; first < y.size(); first += each) {
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = y.begin() + static_cast<std::ptrdiff_t>(std::min(first + each, y.size()));
    const auto [low, high] = std::minmax_element(begin, end);
    const auto one = static_cast<std::size_t>(std::min(low, high) - y.begin());
    const auto other = static_cast<std::size_t>(std::max(low, high) - y.begin());
    add(one);
    if (other != one) add(other);
  }
  return out;
}

draw::Curve curve(std::string label, std::vector<double> x, std::vector<double> y) {
  draw::Curve out;
  out.label = std::move(label);
  out.x = std::move(x);
  out.y = std::move(y);
  return out;
}

Table series(std::string name, std::string title, const std::string& count,
             const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  Table out{std::move(name), std::move(title), {count}, {}, false};
  std::size_t longest = 0;
  for (const auto& [label, values] : columns) {
    out.columns.push_back(label);
    longest = std::max(longest, values.size());
  }
  for (std::size_t k = 0; k < longest; ++k) {
    std::vector<std::string> row{std::to_string(k)};
    for (const auto& [label, values] : columns)
      row.push_back(k < values.size() ? formatted("%.6g", values[k]) : "");
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string whole(double x) { return std::isfinite(x) ? formatted("%.0f", x) : "–"; }

std::string readable(double x) {
  const double size = std::abs(x);
  return size < 1e6 && (size >= 1e3 || x == std::round(x)) ? formatted("%.0f", x) : short_number(x);
}

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double order_at_end(const std::vector<double>& errors, double rounding) {
  if (errors.empty()) return kNaN;
  double lowest = std::max(errors.front(), rounding);
  const double last = std::max(*std::min_element(errors.begin(), errors.end()), rounding);
  const double half = std::sqrt(lowest * last);
  double n = 0;
  for (const double error : errors) {
    if (lowest <= last) break;
    n += lowest <= half;
    lowest = std::min(lowest, std::max(error, rounding));
  }
  return std::pow(2.0, 1 / std::max(1.0, n));
}

std::uint64_t Dice::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double Dice::uniform(double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(next() >> 11) * 0x1p-53);
}

Index Dice::below(Index count) {
  return static_cast<Index>(next() % static_cast<std::uint64_t>(count));
}

Vector3d Dice::direction() {
  const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi);
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace perpend::reproduce
