// Solvers that are Python functions, and plugins.
#include "perpend/peers.hpp"

#include <algorithm>

#include "bindings.hpp"

namespace perpend::python {
namespace {

// What a running solver has of us; perpend/plugin.py drives it.
class HostObject {
 public:
  HostObject(const perpend_problem& problem, const perpend_host& host, Progress& progress)
      : problem_(&problem), host_(&host), progress_(&progress) {}

  bool next(const py::array_t<double>& z, double seconds, double compiled,
            const std::array<long, kWorks>& work, bool restarted, const std::string& path) {
    need(z);
    account(seconds, compiled, work, restarted, path);
    return host_->next(host_->host, z.data()) != 0;
  }
  void finish(int status, const std::string& why, double seconds, double compiled,
              const std::array<long, kWorks>& work, bool restarted, const std::string& path) {
    need();
    account(seconds, compiled, work, restarted, path);
    host_->finish(host_->host, status, why.c_str());
  }
  double own_error(const py::array_t<double>& z) {
    need(z);
    return host_->own_error(host_->host, z.data());
  }
  double time_left() const {
    need();
    return progress_->time_left();
  }
  void late() const {
    need();
    progress_->finish(Status::time_limit, "the solver did not yield before its time limit");
  }
  void end() { host_ = nullptr; }

 private:
  void need() const {
    if (!host_) throw std::runtime_error("the solve is over");
  }
  void need(const py::array_t<double>& z) const {
    need();
    if (z.size() != problem_->size)
      throw std::invalid_argument("an iterate has " + std::to_string(z.size()) +
                                  " numbers, expected " + std::to_string(problem_->size));
  }
  void account(double seconds, double compiled, const std::array<long, kWorks>& work,
               bool restarted, const std::string& path) {
    progress_->bill(seconds);
    seconds_ += seconds;
    in_python_ += std::max(0.0, seconds - compiled);
    progress_->path(peers::python_path(in_python_, seconds_, path));
    for (std::size_t w = 0; w < kWorks; ++w)
      if (work[w] > 0) progress_->count(static_cast<Work>(w), work[w]);
    if (restarted) progress_->restarted();
  }

  const perpend_problem* problem_;
  const perpend_host* host_;
  Progress* progress_;
  double seconds_ = 0, in_python_ = 0;
};

// Copies: a generator may keep them longer than the solve lasts.
template <class Scalar>
py::object copied(const Scalar* values, std::int64_t count) {
  if (!values) return py::none();
  return py::array_t<Scalar>(static_cast<py::ssize_t>(count), values);
}
py::object copied(const perpend_matrix& m) {
  if (!m.row_start) return py::none();
  const std::int64_t entries = m.row_start[m.rows];
  return py::make_tuple(copied(m.value, entries), copied(m.column, entries),
                        copied(m.row_start, m.rows + 1), m.rows, m.columns);
}

py::dict columns(const SolverInfo& info, const perpend_problem& p, const perpend_host& host) {
  const bool of_contacts = p.contacts + p.joint_rows > 0;
  const std::int64_t bounds = of_contacts ? p.joint_rows : p.size;
  py::dict all;
  all["formulation"] = p.formulation;
  all["size"] = p.size;
  all["contacts"] = p.contacts;
  all["joint_rows"] = p.joint_rows;
  all["A"] = copied(p.A);
  all["b"] = copied(p.b, p.A.rows);
  all["mu"] = copied(p.mu, p.contacts);
  all["lower"] = copied(p.lower, bounds);
  all["upper"] = copied(p.upper, bounds);
  all["friction_bounds"] = copied(p.friction_bounds, 2 * p.contacts);
  all["step"] = p.step;
  all["mass"] = copied(p.mass);
  all["jacobian"] = copied(p.jacobian);
  all["free_velocity"] = copied(p.free_velocity, p.mass.rows);
  all["start"] = copied(host.start, p.size);
  all["tolerance"] = host.tolerance;
  all["seed"] = host.seed;
  py::dict options;
  for (const OptionInfo& option : info.options)
    options[py::str(option.name)] =
        option.choices.empty() ? py::object(py::float_(host.number(host.host, option.name.c_str())))
                               : py::object(py::str(host.choice(host.host, option.name.c_str())));
  all["options"] = options;
  return all;
}

OptionInfo option_of(const py::dict& d) {
  OptionInfo o;
  o.name = py::str(d["name"]);
  o.meaning = py::str(d["meaning"]);
  o.fallback = py::str(d["fallback"]);
  o.choices = d["choices"].cast<std::vector<std::string>>();
  o.lowest = d["lowest"].cast<double>();
  o.highest = d["highest"].cast<double>();
  return o;
}

// `drive(columns, host)` runs the generator. A second registration of a name replaces the first:
// in a notebook a cell is run again.
void add(const std::string& name, const std::string& title, const std::string& reference,
         bool joints, const std::vector<py::dict>& options, const std::string& origin,
         const py::object& drive) {
  SolverInfo info;
  info.name = name;
  info.title = title;
  info.reference = reference;
  info.joints = joints;
  info.origin = origin;
  for (const py::dict& option : options) info.options.push_back(option_of(option));
  // Never freed: the table outlives the interpreter.
  auto* kept = new py::object(drive);
  info.make = peers::plugin_solver(
      [info, kept](const perpend_problem& problem, const perpend_host& host, Progress& progress) {
        const py::gil_scoped_acquire lock;
        progress.bill(0);
        const auto object = std::make_shared<HostObject>(problem, host, progress);
        try {
          (*kept)(columns(info, problem, host), object);
        } catch (const py::error_already_set& error) {
          object->end();
          if (!Interrupts::keep(error)) throw;
          progress.finish(Status::stopped, "stopped from outside");
        } catch (...) {
          object->end();
          throw;
        }
        object->end();
      });
  for (const SolverInfo& there : solvers())
    if (there.name == name && there.origin == origin) {
      const_cast<SolverInfo&>(there) = std::move(info);
      return;
    }
  if (const std::string why = peers::unfit(info); !why.empty()) throw std::invalid_argument(why);
  if (const std::string why = add_solver(std::move(info)); !why.empty())
    throw std::invalid_argument(why);
}

}  // namespace

void bind_peers(py::module_& m) {
  py::class_<HostObject, std::shared_ptr<HostObject>>(m, "_Host")
      .def("next", &HostObject::next)
      .def("finish", &HostObject::finish)
      .def("own_error", &HostObject::own_error)
      .def("time_left", &HostObject::time_left)
      .def("late", &HostObject::late);
  m.def("_add_solver", &add);
  m.def(
      "load_plugin",
      [](const std::filesystem::path& file) {
        const peers::Plugin plugin = peers::load_plugin(file);
        if (!plugin.refused.empty()) throw io::InputError(plugin.refused);
        return plugin.solvers;
      },
      py::arg("file"), "Adds the solvers of a shared library or a Python file (docs/plugins.md).");
  m.def(
      "_product",
      [](const py::array_t<double>& values, const py::array_t<std::int64_t>& columns,
         const py::array_t<std::int64_t>& starts, const py::array_t<double>& x) {
        const py::ssize_t rows = starts.size() - 1,
                          entries = std::min(values.size(), columns.size());
        if (rows < 0) throw std::invalid_argument("a matrix has no starts of rows");
        py::array_t<double> y(rows);
        double* out = y.mutable_data();
        const double* const a = values.data();
        const double* const in = x.data();
        const std::int64_t* const at = columns.data();
        const std::int64_t* const start = starts.data();
        for (py::ssize_t r = 0; r < rows; ++r) {
          double sum = 0;
          if (start[r] < 0 || start[r + 1] > entries)
            throw std::invalid_argument("row " + std::to_string(r) + " is not in the matrix");
          for (std::int64_t k = start[r]; k < start[r + 1]; ++k) {
            if (at[k] < 0 || at[k] >= x.size())
              throw std::invalid_argument("row " + std::to_string(r) + " has column " +
                                          std::to_string(at[k]) + " of " +
                                          std::to_string(x.size()));
            sum += a[k] * in[at[k]];
          }
          out[r] = sum;
        }
        return y;
      },
      "A x of a sparse matrix by rows.");
}

}  // namespace perpend::python
