// Campaigns: the same rows, worker processes and report as `perpend bench`.
#include "perpend/bench.hpp"

#include "bindings.hpp"
#include "perpend/base.hpp"

namespace perpend::python {
namespace {

bench::Settings settings_of(const py::dict& given) {
  bench::Settings s;
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    if (name == "tolerance") {
      s.tolerance = expect<double>(name, value);
    } else if (name == "error") {
      const auto found = measure_named(std::string(py::str(value)));
      if (!found)
        throw std::invalid_argument("error: unknown error '" + std::string(py::str(value)) + "'");
      s.error = *found;
    } else if (name == "max_iterations") {
      s.max_iterations = expect<long>(name, value);
    } else if (name == "time_limit") {
      s.time_limit = expect<double>(name, value);
    } else if (name == "memory_limit") {
      s.memory_limit = expect<double>(name, value);
    } else if (name == "warm_start") {
      s.warm_start = expect<bool>(name, value);
    } else if (name == "repeat") {
      s.repeat = expect<long>(name, value);
    } else if (name == "facets") {
      s.facets = expect<Index>(name, value);
    } else if (name == "seed") {
      s.seed = expect<std::uint64_t>(name, value);
    } else if (name == "jobs") {
      s.jobs = expect<long>(name, value);
    } else if (name == "set") {
      if (!py::isinstance<py::dict>(value)) throw std::invalid_argument("set: expected a dict");
      for (const auto& [option, to] : py::reinterpret_borrow<py::dict>(value))
        s.set[py::str(option)] = py::str(to);
    } else {
      throw py::type_error(
          "bench() has no option '" + name +
          "'; choose one of: out, title, tolerance, error, "
          "max_iterations, time_limit, memory_limit, warm_start, repeat, facets, seed, jobs, set");
    }
  }
  const auto expect_least = [](const char* name, double value, double least) {
    if (!(value >= least))
      throw std::invalid_argument(std::string(name) + ": expected at least " + short_number(least));
  };
  expect_least("tolerance", s.tolerance, 0);
  expect_least("max_iterations", static_cast<double>(s.max_iterations), 0);
  expect_least("time_limit", s.time_limit, 0);
  expect_least("memory_limit", s.memory_limit, 0);
  expect_least("repeat", static_cast<double>(s.repeat), 0);
  expect_least("facets", static_cast<double>(s.facets), 3);
  expect_least("jobs", static_cast<double>(s.jobs), 1);
  s.command = "perpend.bench() in Python";
  return s;
}

}  // namespace

void bind_bench(py::module_& m) {
  // Called in a child process without other threads, which keeps the interpreter lock: the workers
  // are forks of it, and one that runs a solver in Python needs the lock.
  m.def("_bench",
        [](const std::vector<std::string>& files, const std::vector<std::string>& solvers,
           const py::dict& settings, const std::string& title, const std::string& folder) {
          bench::Campaign campaign;
          campaign.title = title;
          campaign.solvers = solvers;
          campaign.settings = settings_of(settings);
          for (const std::string& file : files) {
            bench::Input input{file, {}, {}};
            const Index frames = io::open_source(file)->frames();
            for (Index i = 0; i < frames; ++i) input.frames.push_back(i);
            campaign.inputs.push_back(std::move(input));
          }
          bench::Hooks hooks;
          hooks.stop = [] { return PyErr_CheckSignals() != 0; };
          bench::forget(folder);
          const bench::Results results = bench::run(campaign, folder, hooks);
          if (PyErr_Occurred()) throw py::error_already_set();
          bench::write_results(results, folder);
          bench::write_report(results, folder);
        });
  m.def("_check_bench", [](const py::dict& settings) { settings_of(settings); });
  m.def("read_results",
        [](const std::string& path) { return bench::to_json(bench::read_results(path)); });
  m.def("report_markdown",
        [](const std::string& path) { return bench::report_markdown(bench::read_results(path)); });
}

}  // namespace perpend::python
