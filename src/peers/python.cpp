// A solver in Python as one of ours: each iterate comes over the wire, is judged here like that of
// every solver, and the answer to it says whether to go on. Its time is what Python measured of its
// own generator.
#include "peers/python.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "peers/plugin.hpp"
#include "peers/python_process.hpp"
#include "perpend/base.hpp"

namespace perpend::peers {
namespace {

constexpr double kGrace = 0.5;  // s beyond its limit that a solver gets to yield

PlainMatrix plain(const perpend_matrix& m) {
  PlainMatrix out;
  if (!m.row_start) return out;
  out.rows = m.rows;
  out.columns = m.columns;
  out.row_start.assign(m.row_start, m.row_start + m.rows + 1);
  out.column.assign(m.column, m.column + out.row_start.back());
  out.values.assign(m.value, m.value + out.row_start.back());
  return out;
}

std::vector<double> list(const double* values, std::int64_t count) {
  return values ? std::vector<double>(values, values + count) : std::vector<double>();
}

PythonTask task_of(const SolverInfo& info, const perpend_problem& p, const perpend_host& host) {
  PythonTask t;
  t.solver = info.name;
  t.formulation = p.formulation;
  t.size = p.size;
  t.contacts = p.contacts;
  t.joint_rows = p.joint_rows;
  t.step = p.step;
  t.tolerance = host.tolerance;
  t.seed = host.seed;
  t.A = plain(p.A);
  t.mass = plain(p.mass);
  t.jacobian = plain(p.jacobian);
  const bool of_contacts = p.mu != nullptr && p.contacts + p.joint_rows > 0;
  const std::int64_t bounds = of_contacts ? p.joint_rows : p.size;
  t.b = list(p.b, p.A.rows);
  t.mu = list(p.mu, p.contacts);
  t.lower = list(p.lower, bounds);
  t.upper = list(p.upper, bounds);
  t.friction_bounds = list(p.friction_bounds, 2 * p.contacts);
  t.free_velocity = list(p.free_velocity, p.mass.rows);
  t.start = list(host.start, p.size);
  for (const OptionInfo& option : info.options)
    t.options[option.name] = option.choices.empty()
                                 ? full_number(host.number(host.host, option.name.c_str()))
                                 : host.choice(host.host, option.name.c_str());
  return t;
}

class PythonRun {
 public:
  PythonRun(SolverInfo info, std::shared_ptr<PythonProcesses> processes)
      : info_(std::move(info)), processes_(std::move(processes)) {}

  void operator()(const perpend_problem& problem, const perpend_host& host,
                  Progress& progress) const {
    progress.bill(0);  // only what Python measures is its own
    std::string why;
    const Waiting::Stop stop = [&] { return progress.cancelled(); };
    std::unique_ptr<PythonProcess> process;
    const Bytes task = to_bytes(task_of(info_, problem, host));
    for (int attempt = 0; attempt < 2 && !process; ++attempt) {  // one may have died meanwhile
      process = processes_->take(why, stop);
      if (!process) break;
      Waiting waiting(progress.time_left() + kGrace, stop);
      if (process->send(Message::python_task, task, waiting)) break;
      if (given_up(*process, waiting, progress)) return;
      process.reset();
    }
    if (!process && progress.cancelled()) return progress.finish(Status::stopped, kStopped);
    if (!process) return progress.finish(Status::crashed, "Python cannot be started: " + why);
    if (talk(*process, host, progress, problem.size)) processes_->give(std::move(process));
  }

 private:
  static constexpr const char* kStopped = "stopped within an iteration, which was not waited for";

  // Whether waiting for it is over; then so are the process and the solve.
  static bool given_up(PythonProcess& process, const Waiting& waiting, Progress& progress) {
    if (!waiting.late() && !waiting.stopped()) return false;
    process.end(true);
    if (waiting.late())
      progress.finish(Status::time_limit, "Python was killed at the time limit");
    else
      progress.finish(Status::stopped, kStopped);
    return true;
  }

  // False: the process cannot be used again.
  bool talk(PythonProcess& process, const perpend_host& host, Progress& progress,
            std::int64_t size) const {
    double seconds = 0, in_python = 0;
    while (true) {
      Bytes bytes;
      PythonStep step;
      // What is billed grows with each iterate alone: the time until the next one has its own
      // limit.
      Waiting waiting(progress.time_left() + kGrace, [&] { return progress.cancelled(); });
      const bool said = process.receive(Message::python_step, bytes, waiting);
      if (given_up(process, waiting, progress)) return false;
      if (!said || !from_bytes(bytes, step)) {
        progress.finish(Status::crashed, "Python ended its process: " + process.end(false));
        return false;
      }
      const bool sized = step.z.size() == size;
      PythonReply reply;
      if (step.kind == PythonStep::own_error) {
        reply.error = sized ? host.own_error(host.host, step.z.data())
                            : std::numeric_limits<double>::quiet_NaN();
      } else {
        const double own = std::max(0.0, step.seconds);
        progress.bill(own);
        seconds += own;
        in_python += std::max(0.0, own - step.compiled);
        progress.path(python_path(in_python, seconds, step.path));
        for (std::size_t w = 0; w < kWorks; ++w)
          if (step.work[w] > 0) progress.count(static_cast<Work>(w), step.work[w]);
        if (step.restarted) progress.restarted();
        if (step.kind == PythonStep::finish) {
          host.finish(host.host, static_cast<int>(step.status), step.words.c_str());
          return true;
        }
        if (!sized)
          progress.finish(Status::failed, "an iterate has " + std::to_string(step.z.size()) +
                                              " numbers, expected " + std::to_string(size));
        reply.go_on = sized && progress.next(step.z);
      }
      if (!process.send(Message::python_reply, to_bytes(reply), waiting)) {
        given_up(process, waiting, progress);
        return false;
      }
      if (step.kind == PythonStep::iterate && !reply.go_on) return true;
    }
  }

  SolverInfo info_;
  std::shared_ptr<PythonProcesses> processes_;
};

}  // namespace

std::string python_path(double python_seconds, double seconds, const std::string& path) {
  const double share = seconds > 0 ? python_seconds / seconds : 1;
  return (path.empty() ? "" : path + ", ") + "Python (" +
         std::to_string(10 * std::lround(10 * share)) + " % of the time)";
}

Plugin load_python(const std::string& file) {
  const std::string path = std::filesystem::absolute(file).string();
  const auto processes = std::make_shared<PythonProcesses>(path);
  auto process = std::make_unique<PythonProcess>(path);
  PythonTable table = process->begin();
  if (table.refused.empty() && table.solvers.empty())
    table.refused = "has no solvers: put @perpend.solver(\"ncp/my-method\") before a generator";
  if (!table.refused.empty()) return {{}, file + ": " + table.refused};
  processes->give(std::move(process));
  std::vector<SolverInfo> infos;
  for (PythonSolver& solver : table.solvers) {
    SolverInfo info;
    info.name = solver.name;
    info.title = solver.title;
    info.reference = solver.reference;
    info.joints = solver.joints;
    info.options = solver.options;
    info.make = plugin_solver(PythonRun(info, processes));
    infos.push_back(std::move(info));
  }
  return add_plugin(file, std::move(infos));
}

}  // namespace perpend::peers
