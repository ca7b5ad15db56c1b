// The two sides of the border that perpend/peers/plugin.h draws: problems go over it as plain
// columns, iterates come back, and the host keeps clock, limits, errors and verdicts as for every
// solver.
#include "perpend/peers/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>
#include <variant>

#include "peers/plugin.hpp"
#include "peers/python.hpp"

namespace perpend::peers {
namespace {

class Columns {
 public:
  Columns() = default;
  explicit Columns(const SparseMatrix& matrix) : matrix_(matrix) {
    matrix_.makeCompressed();
    start_.assign(matrix_.outerIndexPtr(), matrix_.outerIndexPtr() + matrix_.outerSize() + 1);
    column_.assign(matrix_.innerIndexPtr(), matrix_.innerIndexPtr() + matrix_.nonZeros());
  }
  perpend_matrix view() const {
    if (start_.empty()) return {};
    return {matrix_.rows(), matrix_.cols(), start_.data(), column_.data(), matrix_.valuePtr()};
  }

 private:
  SparseMatrix matrix_;
  std::vector<std::int64_t> start_, column_;
};

// What a perpend_problem points to.
struct Held {
  Columns A, mass, jacobian;
  VectorXd lower, upper;
  std::string formulation;
};

void fill(const System& s, Held& held, perpend_problem& p) {
  p.contacts = s.contacts();
  p.joint_rows = s.joint_rows();
  held.A = Columns(to_sparse(s));
  p.b = s.b.data();
  p.mu = s.mu.data();
  p.lower = s.lower.data();
  p.upper = s.upper.data();
  if (s.friction_bounds.rows()) p.friction_bounds = s.friction_bounds.data();
  p.step = s.step;
  if (!s.dynamics) return;
  held.mass = Columns(s.dynamics->mass);
  held.jacobian = Columns(jacobian(s));
  p.free_velocity = s.dynamics->free_velocity.data();
}
void fill(const ImpulseProblem& problem, Held& held, perpend_problem& p) {
  fill(problem.system(), held, p);
}
void fill(const MixedConeProblem& problem, Held& held, perpend_problem& p) {
  fill(problem.system(), held, p);
}
void fill(const LinearProblem& problem, Held& held, perpend_problem& p) {
  held.A = Columns(problem.A);
  p.b = problem.b.data();
  p.lower = problem.lower.data();
  p.upper = problem.upper.data();
}
void fill(const NormalProblem& problem, Held& held, perpend_problem& p) {
  held.A = Columns(problem.A);
  held.lower = VectorXd::Zero(problem.size());
  held.upper = VectorXd::Constant(problem.size(), std::numeric_limits<double>::infinity());
  p.b = problem.b.data();
  p.lower = held.lower.data();
  p.upper = held.upper.data();
}

struct PluginHost {
  const Problem& problem;
  Progress& progress;
  std::string word;  // the last choice asked for
};
PluginHost& host_of(void* of) { return *static_cast<PluginHost*>(of); }

int next(void* of, const double* z) {
  PluginHost& h = host_of(of);
  return h.progress.next(Eigen::Map<const VectorXd>(z, h.problem.size())) ? 1 : 0;
}
void finish(void* of, int status, const char* why) {
  const Status verdict = status == PERPEND_STALLED      ? Status::stalled
                         : status == PERPEND_INFEASIBLE ? Status::infeasible
                                                        : Status::failed;
  host_of(of).progress.finish(verdict, why ? why : "no reason given");
}
void count(void* of, int work, std::int64_t times) {
  if (work >= 0 && work < static_cast<int>(kWorks) && times > 0)
    host_of(of).progress.count(static_cast<Work>(work), times);
}
void path(void* of, const char* text) { host_of(of).progress.path(text ? text : ""); }
void restarted(void* of) { host_of(of).progress.restarted(); }
double own_error(void* of, const double* z) {
  const PluginHost& h = host_of(of);
  return h.problem.own_error(Eigen::Map<const VectorXd>(z, h.problem.size()));
}
double number(void* of, const char* option) { return host_of(of).progress.number(option); }
const char* choice(void* of, const char* option) {
  PluginHost& h = host_of(of);
  h.word = h.progress.choice(option);
  return h.word.c_str();
}

class PluginSolver final : public Solver {
 public:
  explicit PluginSolver(PluginRun run) : run_(std::move(run)) {}

  void run(const Problem& problem, Progress& progress) override {
    Held held;
    held.formulation = problem.formulation();
    perpend_problem p{};
    p.formulation = held.formulation.c_str();
    p.size = problem.size();
    std::visit([&](const auto* concrete) { fill(*concrete, held, p); }, problem.concrete());
    p.A = held.A.view();
    p.mass = held.mass.view();
    p.jacobian = held.jacobian.view();

    PluginHost h{problem, progress, {}};
    const perpend_host services{&h,
                                progress.start().data(),
                                progress.tolerance(),
                                progress.seed(),
                                next,
                                finish,
                                count,
                                path,
                                restarted,
                                own_error,
                                number,
                                choice};
    run_(p, services, progress);
  }

 private:
  PluginRun run_;
};

std::vector<std::string> words(const char* list) {
  std::vector<std::string> all;
  std::istringstream text(list ? list : "");
  for (std::string word; std::getline(text, word, ',');) all.push_back(word);
  return all;
}

std::string describe(const perpend_solver& solver, SolverInfo& info) {
  for (const char* text : {solver.name, solver.title, solver.reference})
    if (!text || !*text) return "a solver has no name, title or reference";
  info.name = solver.name;
  info.title = solver.title;
  info.reference = solver.reference;
  info.joints = solver.joints != 0;
  if (!solver.run) return info.name + " has no function run";
  if (solver.option_count < 0 || (solver.option_count > 0 && !solver.options))
    return info.name + " has an option_count, but no options";
  for (std::int64_t k = 0; k < solver.option_count; ++k) {
    const perpend_option& o = solver.options[k];
    for (const char* text : {o.name, o.meaning, o.fallback})
      if (!text || !*text) return info.name + ": an option has no name, meaning or fallback";
    info.options.push_back({o.name, o.meaning, o.fallback, words(o.choices), o.lowest, o.highest});
  }
  return {};
}

}  // namespace

std::function<std::unique_ptr<Solver>()> plugin_solver(PluginRun run) {
  return [run = std::move(run)] { return std::make_unique<PluginSolver>(run); };
}

std::string unfit(const SolverInfo& info) {
  const auto known = formulations();
  const std::string_view formulation = info.formulation();
  if (std::find(known.begin(), known.end(), formulation) == known.end() ||
      info.name.size() <= formulation.size() + 1) {
    std::string list;
    for (const std::string_view f : known) list.append(list.empty() ? "" : ", ").append(f);
    return "'" + info.name + "' is not FORMULATION/METHOD; formulations are " + list;
  }
  if (solver_named(info.name)) return "there is already a solver called " + info.name;
  for (const OptionInfo& option : info.options) {
    Options fallback;
    fallback.set[option.name] = option.fallback;
    if (std::string why = invalid(fallback, info); !why.empty()) return "the fallback: " + why;
  }
  return {};
}

Plugin add_plugin(const std::string& file, std::vector<SolverInfo> infos) {
  Plugin plugin;
  const auto refuse = [&](const std::string& why) {
    plugin.solvers.clear();
    plugin.refused = file + ": " + why;
    return plugin;
  };
  // All or none: the table can only grow.
  std::set<std::string> names;
  for (const SolverInfo& info : infos) {
    if (std::string why = unfit(info); !why.empty()) return refuse(why);
    if (!names.insert(info.name).second) return refuse("has " + info.name + " twice");
  }
  for (SolverInfo& info : infos) {
    info.origin = std::filesystem::absolute(file).string();  // what no other origin looks like
    plugin.solvers.push_back(info.name);
    if (std::string why = add_solver(std::move(info)); !why.empty()) return refuse(why);
  }
  return plugin;
}

Plugin load_plugin(const std::string& file) {
  Plugin plugin;
  const auto refuse = [&](const std::string& why) {
    plugin.solvers.clear();
    plugin.refused = file + ": " + why;
    return plugin;
  };
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return refuse("no such plugin");
  if (file.ends_with(".py")) return load_python(file);
  // Without a slash dlopen would look in the system's folders.
  const std::string path = std::filesystem::absolute(file).string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string why = dlerror();
    if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
    return refuse("cannot be loaded: " + why);
  }
  void* const symbol = dlsym(library, "perpend_plugin");
  if (!symbol) return refuse("has no function perpend_plugin");
  const auto entry = reinterpret_cast<const perpend_plugin_table* (*)()>(symbol);
  const perpend_plugin_table* table = entry();
  if (!table) return refuse("perpend_plugin returned nothing");
  if (table->abi != PERPEND_PLUGIN_ABI)
    return refuse("has ABI " + std::to_string(table->abi) + ", this program has " +
                  std::to_string(PERPEND_PLUGIN_ABI) + "; rebuild it with the plugin.h of perpend");
  if (table->solver_count <= 0 || !table->solvers) return refuse("has no solvers");

  std::vector<SolverInfo> infos(static_cast<std::size_t>(table->solver_count));
  for (std::int64_t k = 0; k < table->solver_count; ++k) {
    const perpend_solver* solver = table->solvers + k;
    SolverInfo& info = infos[static_cast<std::size_t>(k)];
    if (std::string why = describe(*solver, info); !why.empty()) return refuse(why);
    info.make = plugin_solver([solver](const perpend_problem& problem, const perpend_host& host,
                                       Progress&) { solver->run(&problem, &host); });
  }
  return add_plugin(file, std::move(infos));
}

}  // namespace perpend::peers
