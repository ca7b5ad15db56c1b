// What the files of this folder share: arrays that look into memory of ours, and the parts of the
// module. Every file binds one room and adds nothing to it.
#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <concepts>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"

namespace perpend::python {

namespace py = pybind11;

// A frame with the answer to it, as Python holds it. Every array that looks into the record shares
// it: the record outlives the frame, and does not move while such an array is there.
struct FrameObject {
  std::shared_ptr<io::Record> record = std::make_shared<io::Record>();
  std::string where = "frame";  // in messages
  bool looked_at() const { return record.use_count() > 1; }
};
void expect_valid(const FrameObject&);  // throws io::InputError

// A system, and the frame that it was made of: impulses can be told as rows of its contacts.
struct SystemObject {
  std::shared_ptr<System> system;
};

// An array without a copy. `owner` is kept as long as the array is there.
template <class Owner>
py::capsule keep(std::shared_ptr<Owner> owner) {
  return py::capsule(new std::shared_ptr<Owner>(std::move(owner)),
                     [](void* kept) { delete static_cast<std::shared_ptr<Owner>*>(kept); });
}
template <class Scalar>
py::array look(Scalar* data, std::vector<py::ssize_t> shape, py::object owner) {
  return py::array_t<Scalar>(std::move(shape), data, std::move(owner));
}
template <class Scalar, int Columns, int Options, class Owner>
py::array look(Eigen::Matrix<Scalar, Eigen::Dynamic, Columns, Options>& matrix,
               const std::shared_ptr<Owner>& owner) {
  std::vector<py::ssize_t> shape{matrix.rows()};
  if (Columns != 1) shape.push_back(matrix.cols());
  return look(matrix.data(), std::move(shape), keep(owner));
}
template <class Owner>
py::array look(Integers& list, const std::shared_ptr<Owner>& owner) {
  return look(list.data(), {static_cast<py::ssize_t>(list.size())}, keep(owner));
}
py::array read_only(py::array);
// Of a sparse matrix: values, columns, where rows start, and the two sizes. Where the values are
// cannot be written: a wrong place would be one outside of the matrix.
template <class Owner>
py::tuple look(SparseMatrix& matrix, const std::shared_ptr<Owner>& owner) {
  matrix.makeCompressed();
  return py::make_tuple(
      look(matrix.valuePtr(), {matrix.nonZeros()}, keep(owner)),
      read_only(look(matrix.innerIndexPtr(), {matrix.nonZeros()}, keep(owner))),
      read_only(look(matrix.outerIndexPtr(), {matrix.outerSize() + 1}, keep(owner))), matrix.rows(),
      matrix.cols());
}

// A value of Python as a T, or "NAME: expected a number".
template <class T>
T expect(const std::string& name, py::handle value) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    throw std::invalid_argument(name + ": expected " +
                                (std::same_as<T, bool> ? "True or False"
                                 : std::integral<T>    ? "a whole number"
                                                       : "a number"));
  }
}

// What is given as numbers of this kind, row by row. Throws io::InputError with `name` in front
// where some of it would be lost: parts of complex or other than whole numbers, masks, texts.
py::array numbers(py::handle, const py::dtype&, const std::string& name);
py::array array(const VectorXd&);  // a copy
// A vector, or rows of `width` numbers. Rows and columns are not taken for each other.
VectorXd vector(py::handle, const std::string& name, py::ssize_t width = 3);
py::dict errors(const Errors&);

// The system of a frame or system, assembled if need be. Throws io::InputError.
std::shared_ptr<System> system_of(py::handle);
// Impulses of a system: a vector as of System, or rows of the frame's contacts.
Impulses impulses_of(const System&, py::handle impulses, py::handle joints);

// Sets an option of solve() by its name: a field of Options or the solver's own. Worlds do not take
// those that are about one problem, as its warm start. False: there is none.
bool set_option(Options&, const SolverInfo&, const std::string& name, py::handle value,
                bool of_one_problem = true);
std::string option_names(const SolverInfo&, bool of_one_problem = true);

// Whether Python's signal handlers have raised something, which then waits in this object. The
// thread that made it asks them, every 20 ms at most; others learn what it has found. To be called
// without the interpreter lock.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  bool raised();
  // Keeps what was raised within a solver of Python, if it is none of its errors but Ctrl-C or the
  // like, and if there is such an object of this thread. With the interpreter lock.
  static bool keep(const py::error_already_set&);
  // Throws what was raised, with the `result` that there was.
  void check(const std::function<py::object()>& result = {});

 private:
  static thread_local Interrupts* newest_;
  Interrupts* const before_ = newest_;
  const std::thread::id thread_ = std::this_thread::get_id();
  double last_;
  std::shared_ptr<py::error_already_set> error_;
  std::atomic<bool> raised_ = false;
};

void bind_frame(py::module_&);
void bind_system(py::module_&);
void bind_formulate(py::module_&);
void bind_solve(py::module_&);
void bind_io(py::module_&);
void bind_sim(py::module_&);
void bind_bench(py::module_&);
void bind_peers(py::module_&);
void tell_arguments_in_one_line(const py::module_&);  // of all functions that are there

}  // namespace perpend::python
