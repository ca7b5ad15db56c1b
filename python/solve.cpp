// solve(): options and results follow the tables of their fields (perpend/solve/fields.hpp).
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>

#include "bindings.hpp"
#include "perpend/measure.hpp"
#include "perpend/solve/fields.hpp"

namespace perpend::python {
namespace {

// An answer, and the system that it is for.
struct ResultObject {
  std::shared_ptr<Result> result;
  std::shared_ptr<System> system;  // null: unpickled, or of a raw problem
};

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// ---- options ----

template <class T>
requires std::is_arithmetic_v<T>
void take(const std::string& name, py::handle given, T& value) { value = expect<T>(name, given); }
Measure measure_called(const std::string& name, py::handle given) {
  const auto found = measure_named(std::string(py::str(given)));
  if (found) return *found;
  std::string known;
  for (const MeasureInfo& one : measures())
    known.append(known.empty() ? "" : ", ").append(one.name);
  throw std::invalid_argument(name + ": unknown error '" + std::string(py::str(given)) +
                              "'; choose one of: " + known);
}
void take(const std::string& name, py::handle given, Measure& value) {
  value = measure_called(name, given);
}
void take(const std::string& name, py::handle given, VectorXd& value) {
  value = given.is_none() ? VectorXd() : vector(given, name);
}
void take(const std::string& name, py::handle given, std::map<std::string, std::string>& value) {
  if (!py::isinstance<py::dict>(given)) throw std::invalid_argument(name + ": expected a dict");
  for (const auto& [key, to] : py::reinterpret_borrow<py::dict>(given))
    value[py::str(key)] = py::str(to);
}
void take(const std::string& name, py::handle given,
          std::optional<std::vector<HistoryMeasure>>& value) {
  value.emplace();
  const bool single = py::isinstance<py::str>(given);
  for (const py::handle one : single ? py::make_tuple(given) : py::tuple(py::iter(given))) {
    const auto found = history_measure_named(std::string(py::str(one)));
    value->push_back(found ? *found : HistoryMeasure(measure_called(name, one)));
  }
}

// A keyword is a field of Options or one of the solver's own options.
Options options_of(const SolverInfo& info, const py::kwargs& given) {
  Options options;
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    if (!set_option(options, info, name, value))
      throw py::type_error("solve() has no option '" + name + "' with " + info.name +
                           "; choose one of: " + option_names(info));
  }
  return options;
}

std::string described(const auto& field) {
  std::string words(field.name);
  if (!field.unit.empty()) words.append(" [").append(field.unit).append("]");
  return words.append(": ").append(field.meaning);
}

const SolverInfo& solver_called(const std::string& name) {
  if (const SolverInfo* info = solver_named(name)) return *info;
  throw std::invalid_argument("unknown solver '" + name + "' (perpend.solvers() lists them)");
}

// ---- solving ----

// A solve in a thread of its own: a factorization cannot be left in the middle, and Ctrl-C does not
// wait for its end. What is left behind is joined when the interpreter ends.
class Solving {
 public:
  Solving(std::shared_ptr<const System> system, std::string solver, Options options)
      : job_(std::make_shared<Job>()) {
    options.cancelled = [job = job_.get()] { return job->stop.load(); };
    thread_ = std::thread([job = job_, system = std::move(system), solver = std::move(solver),
                           options = std::move(options)] {
      Result result;
      std::exception_ptr error;
      try {
        result = solve(*system, solver, options);
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(job->mutex);
      job->result = std::move(result);
      job->error = error;
      job->done = true;
      job->changed.notify_all();
    });
  }
  ~Solving() {
    if (!thread_.joinable()) return;
    job_->stop = true;
    left().remove_if([](auto& one) {
      const bool ended = one.first->done;
      if (ended) one.second.join();
      return ended;
    });
    left().emplace_back(job_, std::move(thread_));
  }
  Solving(const Solving&) = delete;
  Solving& operator=(const Solving&) = delete;

  // False: Ctrl-C came, and the iteration of then has not ended.
  bool wait(Interrupts& interrupts, Result& result) {
    constexpr auto kTick = std::chrono::milliseconds(20);
    constexpr int kTicks = 3;
    std::unique_lock lock(job_->mutex);
    for (int ticks = 0; !job_->done && ticks < kTicks;) {
      job_->changed.wait_for(lock, kTick);
      lock.unlock();
      if (job_->stop) ++ticks;
      if (interrupts.raised()) job_->stop = true;
      lock.lock();
    }
    if (!job_->done) return false;
    lock.unlock();
    thread_.join();
    if (job_->error) std::rethrow_exception(job_->error);
    result = std::move(job_->result);
    return true;
  }

  static void join_those_left() {
    for (auto& [job, thread] : left()) thread.join();
  }

 private:
  struct Job {
    std::atomic<bool> stop = false;
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> done = false;
    Result result;
    std::exception_ptr error;
  };
  using Left = std::list<std::pair<std::shared_ptr<Job>, std::thread>>;
  static Left& left() {  // with the interpreter's lock
    static auto* all = new Left;
    return *all;
  }
  std::shared_ptr<Job> job_;
  std::thread thread_;
};

// Whether a solve may take longer than 0.1 s between two looks at Ctrl-C.
bool is_long(const System& system, const SolverInfo& info) {
  constexpr Index kLong = 1000;  // rows
  return system.rows() >= kLong && info.origin == "perpend";
}

// "name [unit]: meaning" of every field.
template <class Fields>
std::string described() {
  std::string all;
  for_each_field<Fields>([&](const auto& field) { all += "\n  " + described(field); });
  return all;
}

ResultObject solve_system(py::handle given, const std::string& solver, const py::kwargs& keywords) {
  const SolverInfo& info = solver_called(solver);
  Options options = options_of(info, keywords);
  ResultObject answer{std::make_shared<Result>(), system_of(given)};
  Interrupts interrupts;
  if (is_long(*answer.system, info)) {
    if (py::isinstance<SystemObject>(given))  // which may be written while it is left behind
      answer.system = std::make_shared<System>(*answer.system);
    Solving solving(answer.system, info.name, options);
    const py::gil_scoped_release free;
    if (!solving.wait(interrupts, *answer.result)) {
      answer.result->status = Status::stopped;
      answer.result->impulses = VectorXd::Zero(answer.system->rows());
      answer.result->message = "stopped within an iteration, which was not waited for";
    }
  } else {
    options.cancelled = [&] { return interrupts.raised(); };
    const py::gil_scoped_release free;
    *answer.result = solve(*answer.system, info.name, options);
  }
  interrupts.check([&] { return py::cast(answer); });
  if (answer.result->status == Status::invalid_input)
    throw io::InputError(info.name + ": " + answer.result->message);
  return answer;
}

// ---- results ----

py::object told(const std::string& text) { return py::str(text); }
py::object told(Status status) { return py::str(std::string(name(status))); }
py::object told(const Errors& e) { return errors(e); }
py::object told(const VectorXd& v) { return array(v); }
template <class T>
requires std::is_arithmetic_v<T> py::object told(T value) { return py::cast(value); }
py::object told(const std::array<long, kWorks>& work) {
  py::dict all;
  for (std::size_t w = 0; w < kWorks; ++w)
    all[py::str(std::string(name(static_cast<Work>(w))))] = work[w];
  return all;
}
// Columns: an array for each number of a point.
py::object told(const std::vector<HistoryPoint>& history) {
  py::dict all;
  if (history.empty()) return all;
  const auto column = [&](const std::string& called, auto zero, auto&& get) {
    py::array_t<decltype(zero)> numbers(static_cast<py::ssize_t>(history.size()));
    for (std::size_t i = 0; i < history.size(); ++i)
      numbers.mutable_at(static_cast<py::ssize_t>(i)) = get(history[i]);
    all[py::str(called)] = numbers;
  };
  column("iteration", std::int64_t{}, [](const HistoryPoint& p) { return p.iteration; });
  column("seconds", double{}, [](const HistoryPoint& p) { return p.seconds; });
  column("restart", bool{}, [](const HistoryPoint& p) { return p.restart; });
  for (const MeasureInfo& one : measures())
    for (const bool at_iterate : {false, true}) {
      const HistoryMeasure m(one.measure, at_iterate);
      bool there = false;
      for (const HistoryPoint& p : history) there = there || p[m] == p[m];
      if (there) column(name(m), double{}, [&](const HistoryPoint& p) { return p[m]; });
    }
  return all;
}

py::dict state(const ResultObject& r) {
  py::dict all;
  for_each_field(*r.result, [&](const auto& field, const auto& value) {
    all[py::str(std::string(field.name))] = told(value);
  });
  all["system"] = r.system ? py::cast(SystemObject{r.system}) : py::none();
  return all;
}

void put(py::handle from, std::string& to) { to = py::str(from); }
void put(py::handle from, Status& to) {
  for (int s = 0; s <= static_cast<int>(Status::crashed); ++s)
    if (name(static_cast<Status>(s)) == std::string(py::str(from))) to = static_cast<Status>(s);
}
void put(py::handle from, Errors& to) {
  for (const auto& [key, value] : from.cast<py::dict>())
    if (const auto m = measure_named(std::string(py::str(key)))) to[*m] = value.cast<double>();
}
void put(py::handle from, VectorXd& to) { to = vector(from, "a pickled result"); }
template <class T>
requires std::is_arithmetic_v<T>
void put(py::handle from, T& to) { to = from.cast<T>(); }
void put(py::handle from, std::array<long, kWorks>& to) {
  std::size_t w = 0;
  for (const auto& [key, value] : from.cast<py::dict>()) to.at(w++) = value.cast<long>();
}
void put(py::handle from, std::vector<HistoryPoint>& to) {
  for (const auto& [key, value] : from.cast<py::dict>()) {
    const VectorXd numbers = vector(value, "history");
    to.resize(static_cast<std::size_t>(numbers.size()));
    const std::string called = py::str(key);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double x = numbers[static_cast<Index>(i)];
      if (called == "iteration") to[i].iteration = static_cast<long>(x);
      if (called == "seconds") to[i].seconds = x;
      if (called == "restart") to[i].restart = x != 0;
      if (const auto m = history_measure_named(called))
        (m->at_iterate ? to[i].iterate : to[i].errors)[m->measure] = x;
    }
  }
}

ResultObject from_state(const py::dict& all) {
  ResultObject r{std::make_shared<Result>(), nullptr};
  for_each_field(*r.result, [&](const auto& field, auto& value) {
    put(all[py::str(std::string(field.name))], value);
  });
  if (!all["system"].is_none()) r.system = all["system"].cast<const SystemObject&>().system;
  return r;
}

}  // namespace

bool set_option(Options& options, const SolverInfo& info, const std::string& name, py::handle value,
                bool of_one_problem) {
  bool known = false;
  for_each_field(options, [&](const auto& field, auto& into) {
    if (field.name != name || (field.role != Role::compared && !of_one_problem)) return;
    known = true;
    take(name, value, into);
  });
  for (const OptionInfo& own : info.options)
    if (own.name == name) {
      known = true;
      options.set[name] = py::str(value);
    }
  return known;
}
std::string option_names(const SolverInfo& info, bool of_one_problem) {
  std::string all;
  for_each_field<Options>([&](const auto& field) {
    if (field.role == Role::compared || of_one_problem)
      all.append(all.empty() ? "" : ", ").append(field.name);
  });
  for (const OptionInfo& own : info.options) all += ", " + own.name;
  return all;
}

thread_local Interrupts* Interrupts::newest_ = nullptr;
Interrupts::Interrupts() : last_(seconds()) { newest_ = this; }
Interrupts::~Interrupts() { newest_ = before_; }
bool Interrupts::keep(const py::error_already_set& error) {
  if (!newest_ || error.matches(PyExc_Exception)) return false;
  newest_->error_ = std::make_shared<py::error_already_set>(error);
  newest_->raised_ = true;
  return true;
}
bool Interrupts::raised() {
  constexpr double kEvery = 0.02;
  if (raised_ || std::this_thread::get_id() != thread_) return raised_;
  const double now = seconds();
  if (now - last_ < kEvery) return false;
  last_ = now;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    error_ = std::make_shared<py::error_already_set>();
    raised_ = true;
  }
  return raised_;
}
void Interrupts::check(const std::function<py::object()>& result) {
  if (!error_) return;
  if (result) error_->value().attr("result") = result();
  throw py::error_already_set(*error_);
}

void bind_solve(py::module_& m) {
  Py_AtExit(&Solving::join_those_left);
  py::class_<ResultObject> result(m, "Result", "The answer of a solver, and how it came about.");
  for_each_field<Result>([&](const auto& field) {
    result.def_property_readonly(
        std::string(field.name).c_str(),
        [field](const ResultObject& r) -> py::object {
          const auto& value = field(*r.result);
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, VectorXd>)
            return look(const_cast<VectorXd&>(value), r.result);
          else
            return told(value);
        },
        py::return_value_policy::move, described(field).c_str());
  });
  result
      .def_property_readonly(
          "contact_impulses",
          [](const ResultObject& r) -> py::object {
            if (!r.system) return py::none();
            const auto rows = std::make_shared<Rows3>(contact_rows(*r.system, r.result->impulses));
            return look(*rows, rows);
          },
          "(m, 3) n, t, o of the frame's contacts, N s")
      .def_property_readonly(
          "joint_impulses",
          [](const ResultObject& r) -> py::object {
            if (!r.system) return py::none();
            return array(r.result->impulses.tail(r.system->joint_rows()));
          },
          "(r) of the frame's joint rows, N s or N m s")
      .def("_state", &state)
      .def(py::pickle(&state, &from_state));

  m.def(
      "solve", &solve_system, py::arg("frame"), py::arg("solver") = "ncp/auto",
      ("Solves a frame or a system; perpend.solvers() lists the solvers. A solver that does not\n"
       "converge has a status, bad input raises InputError. Keywords are the solver's own options\n"
       "and:\n" +
       described<Options>())
          .c_str());

  py::class_<OptionInfo>(m, "Option", "An option of one solver: a keyword of solve().")
      .def_readonly("name", &OptionInfo::name)
      .def_readonly("meaning", &OptionInfo::meaning)
      .def_readonly("fallback", &OptionInfo::fallback, "its value if it is not given")
      .def_readonly("choices", &OptionInfo::choices, "words it may be; empty: a number")
      .def_readonly("lowest", &OptionInfo::lowest)
      .def_readonly("highest", &OptionInfo::highest)
      .def("__repr__", [](const OptionInfo& o) {
        return "<Option " + o.name + "=" + o.fallback + ": " + o.meaning + ">";
      });
  py::class_<SolverInfo>(m, "SolverInfo", "A solver of the table (docs/solvers.md).")
      .def_readonly("name", &SolverInfo::name)
      .def_readonly("title", &SolverInfo::title)
      .def_readonly("reference", &SolverInfo::reference)
      .def_readonly("joints", &SolverInfo::joints, "whether it takes joints")
      .def_readonly("options", &SolverInfo::options)
      .def_readonly("origin", &SolverInfo::origin, "perpend, another project, a file, or Python")
      .def_property_readonly("formulation",
                             [](const SolverInfo& s) { return std::string(s.formulation()); })
      .def("__repr__",
           [](const SolverInfo& s) { return "<solver " + s.name + ": " + s.title + ">"; });
  m.def(
      "solvers",
      [] {
        py::list all;
        for (const SolverInfo& info : solvers())
          all.append(py::cast(&info, py::return_value_policy::reference));
        return all;
      },
      "Every solver, with its options.");
  m.def(
      "options",
      [] {
        py::list all;
        for_each_field<Options>([&](const auto& field) {
          all.append(py::make_tuple(std::string(field.name), std::string(field.unit),
                                    std::string(field.meaning)));
        });
        return all;
      },
      "Name, unit and meaning of the keywords of solve() that all solvers share.");
}

}  // namespace perpend::python
