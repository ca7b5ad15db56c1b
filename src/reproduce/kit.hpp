// What the experiments share: scenes and their frames, histories of a solver, curves.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "perpend/reproduce.hpp"
#include "perpend/sim.hpp"
#include "perpend/solve.hpp"

namespace perpend::reproduce {

inline constexpr const char* kNncgPaper = "Silcowitz-Hansen et al. 2010";
inline constexpr const char* kTalk = "Silcowitz et al. 2010 (talk)";
inline constexpr const char* kInterfacePaper = "Lu et al. 2013";
inline constexpr const char* kSimplePaper = "Preda and Florian 2005";
inline constexpr const char* kDvcPaper = "Nguyen and Trinkle 2010";

// Throws Stopped if the settings say so.
void go_on(const Settings&);
// Runs item(i) for i = 0 ... count - 1 on the executor of the settings.
void for_each(const Settings&, std::size_t count, const std::function<void(std::size_t i)>& item);
// The solver that runs where the paper has this one.
std::string solver(const Settings&, const std::string& name);

// A built-in scene. Precondition: it exists.
Scene built_in(const std::string& name, std::uint64_t seed = 1);
// A temporary folder that nobody else has, removed with all that is in it.
struct OwnFolder {
  OwnFolder();
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  std::filesystem::path path;
};

// The steps first, first + every, ... of a run, counted from 0: the problem and its answer.
struct RecordedStep {
  Frame frame;
  Rows3 contacts;   // N s
  VectorXd joints;  // N s
};
std::vector<RecordedStep> recorded(const Scene&, SimulateOptions, const Settings&, Index first,
                                   Index every);
// At most so many iterations a step, warm-started, and none more to correct positions after it. If
// none meets the tolerance, the answer is the
// one of lowest energy: the lowest error is often that of no impulses at all.
StepOptions limited(const std::string& solver, long iterations);
// simulate() that stops when the settings say so.
Summary simulated(const Scene&, SimulateOptions, const Settings&);

// The nine configurations of Silcowitz-Hansen et al. 2010, Fig. 4 and Table 1.
struct Configuration {
  char letter;
  const char* scene;
  Index bodies, rows, rank;  // of Table 1
  const char* arrangement;   // ours, concluded from these numbers
};
std::span<const Configuration> configurations_of_table_1();
System first_system(const Configuration&);

// How a solver of the box model goes down: |grad f|^2 = |PGS(x) - x|^2 at its iterates x = lambda^k
// (Silcowitz-Hansen et al. 2010, section 5), from zero impulses; with options of the solver by
// name.
struct Descent {
  std::vector<double> merit;  // k = 0, 1, 2, ...
  std::vector<long> restarts;
  double floor = 0;  // what rounding leaves of the merit

  // For a plot: what is below rounding is put there.
  std::vector<double> shown() const;
  // The lowest of the first `iterations`, not below the floor.
  double lowest(std::size_t iterations) const;
  // The first iteration whose merit is at most this; the number of all if there is none.
  std::size_t reaches(double merit) const;
};
Descent descent(const System&, const std::string& solver, long iterations, const Settings&,
                const std::map<std::string, std::string>& set = {});

// A curve with at most about 2 * `most` points that still shows every spike.
draw::Curve curve(std::string label, const std::vector<double>& y, std::size_t most = 200);
// The same with x of its own, all points.
draw::Curve curve(std::string label, std::vector<double> x, std::vector<double> y);

// A table with a column per series, and the row's number first.
Table series(std::string name, std::string title, const std::string& count,
             const std::vector<std::pair<std::string, std::vector<double>>>& columns);

std::string whole(double);     // without a fraction
std::string readable(double);  // three digits, and whole from a thousand to a million
// Slope of log y over log x by least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

// The order p of convergence of errors that may rise in between: p = 2^(1/n), n the iterations in
// which the digits of the lowest error so far go from half of all to all; what is below rounding
// counts as that. Convergence of order p multiplies the digits by p in every iteration.
double order_at_end(const std::vector<double>& errors, double rounding);

// The same numbers on every machine: splitmix64 (Steele, Lea, Flood 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  double uniform(double lower, double upper);
  Index below(Index count);  // 0 ... count - 1
  Vector3d direction();      // uniform over the sphere

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

}  // namespace perpend::reproduce
