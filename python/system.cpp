// Systems: y = A lambda + b, and what is measured of impulses.
#include "perpend/system.hpp"

#include <span>

#include "bindings.hpp"
#include "perpend/measure.hpp"
#include "perpend/peers.hpp"

namespace perpend::python {
namespace {

// A column of a list of structs, without a copy.
template <class Struct>
py::array look_across(std::vector<Struct>& list, double* first, std::vector<py::ssize_t> shape,
                      const std::shared_ptr<System>& owner) {
  std::vector<py::ssize_t> strides(shape.size(), sizeof(double));
  if (shape.size() == 3) strides[1] = static_cast<py::ssize_t>(sizeof(double)) * shape[2];
  strides[0] = sizeof(Struct);
  shape[0] = static_cast<py::ssize_t>(list.size());
  return py::array(py::dtype::of<double>(), std::move(shape), std::move(strides), first,
                   keep(owner));
}

py::dict body_space(const std::shared_ptr<System>& s) {
  py::dict views;
  auto* A = std::get_if<BodySpace>(&s->A);
  if (!A) return views;
  if (!A->contacts.empty()) {
    auto& first = A->contacts.front();
    for (const auto& [name, at] :
         {std::pair{"j1", &first.j1}, {"j2", &first.j2}, {"w1", &first.w1}, {"w2", &first.w2}})
      views[name] = look_across(A->contacts, at->data(), {0, 3, 6}, s);
  }
  // `other_`: of the second pairs of joint rows, in the order of those that have one.
  for (const auto& [prefix, list] : {std::pair{"joint_", &A->joints}, {"other_", &A->others}}) {
    if (list->empty()) continue;
    auto& first = list->front();
    for (const auto& [name, at] :
         {std::pair{"j1", &first.j1}, {"j2", &first.j2}, {"w1", &first.w1}, {"w2", &first.w2}})
      views[py::str(std::string(prefix) + name)] = look_across(*list, at->data(), {0, 6}, s);
  }
  return views;
}

// A x and the like of a vector of the system's rows.
VectorXd sized(const System& s, py::handle x) {
  VectorXd v = vector(x, "x");
  if (v.size() != s.rows())
    throw std::invalid_argument("x has " + std::to_string(v.size()) + " numbers, expected " +
                                std::to_string(s.rows()));
  return v;
}

}  // namespace

py::array read_only(py::array numbers) {
  py::detail::array_proxy(numbers.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return numbers;
}

py::array array(const VectorXd& v) {
  return py::array_t<double>(std::vector<py::ssize_t>{v.size()}, v.data());
}

py::array numbers(py::handle given, const py::dtype& wanted, const std::string& name) {
  const auto refuse = [&](const char* why) { throw io::InputError(name + why); };
  const auto numpy = py::module_::import("numpy");
  try {
    py::array there = numpy.attr("asarray")(given);
    const char kind = there.dtype().kind();
    if (std::string_view("biufO").find(kind) == std::string_view::npos)
      refuse(kind == 'c' ? " has complex numbers" : " is no array of numbers");
    if (numpy.attr("ma").attr("is_masked")(given).cast<bool>()) refuse(" has masked numbers");
    if (there.dtype().equal(wanted)) return numpy.attr("ascontiguousarray")(there);
    constexpr const char* kOther = " has a number that is not whole, or too large";
    const bool whole = wanted.kind() == 'i';
    if (whole && kind == 'f' &&
        !numpy.attr("all")(numpy.attr("abs")(there).attr("__lt__")(9e18)).cast<bool>())
      refuse(kOther);
    const py::array taken = numpy.attr("ascontiguousarray")(there, wanted);
    const auto shape = there.attr("shape");
    if (whole && !numpy.attr("array_equal")(there, taken.attr("reshape")(shape)).cast<bool>())
      refuse(kOther);
    return taken;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    refuse(" is no array of numbers");
  }
  return {};
}

VectorXd vector(py::handle given, const std::string& name, py::ssize_t width) {
  const py::array all = numbers(given, py::dtype::of<double>(), name);
  py::ssize_t sides = 0;  // of more than one number
  for (py::ssize_t i = 0; i < all.ndim(); ++i) sides += all.shape(i) != 1;
  if (sides > 1 && all.shape(all.ndim() - 1) != width)
    throw io::InputError(name + " has the shape " + std::string(py::str(all.attr("shape"))) +
                         ", expected rows of " + std::to_string(width));
  return Eigen::Map<const VectorXd>(static_cast<const double*>(all.data()), all.size());
}

py::dict errors(const Errors& e) {
  py::dict all;
  for (const MeasureInfo& one : measures())
    if (e.has(one.measure)) all[py::str(std::string(one.name))] = e[one.measure];
  return all;
}

std::shared_ptr<System> system_of(py::handle given) {
  if (py::isinstance<SystemObject>(given)) return given.cast<const SystemObject&>().system;
  if (!py::isinstance<FrameObject>(given))
    throw py::type_error("expected a Frame or a System, not " +
                         std::string(py::str(py::type::of(given).attr("__name__"))));
  const auto& frame = given.cast<const FrameObject&>();
  return std::make_shared<System>(io::system_of(*frame.record, frame.where));
}

Impulses impulses_of(const System& s, py::handle impulses, py::handle joints) {
  const VectorXd given = vector(impulses, "impulses");
  const VectorXd rows = joints.is_none() ? VectorXd() : vector(joints, "joint_impulses");
  if (rows.size() == 0 && given.size() == s.rows()) return given;
  const bool joints_fit = rows.size() == s.joint_rows() || rows.size() == 0;
  if (given.size() != 3 * s.frame_contacts || !joints_fit)
    throw std::invalid_argument(
        "impulses have " + std::to_string(given.size()) + " numbers and joint_impulses " +
        std::to_string(rows.size()) + ", expected " + std::to_string(s.rows()) + ", or " +
        std::to_string(3 * s.frame_contacts) + " and " + std::to_string(s.joint_rows()));
  const Rows3 contacts = Eigen::Map<const Rows3>(given.data(), s.frame_contacts, 3);
  return from_rows(s, contacts, rows.size() ? rows : VectorXd::Zero(s.joint_rows()).eval());
}

void bind_system(py::module_& m) {
  const auto view = [](auto member) {
    return [member](const SystemObject& s) { return look((*s.system).*member, s.system); };
  };
  py::class_<SystemObject>(m, "System",
                           "y = A lambda + b with the friction and bounds of its rows.")
      .def_property_readonly("b", view(&System::b), "(3m + r) m/s")
      .def_property_readonly("mu", view(&System::mu), "(m)")
      .def_property_readonly("lower", view(&System::lower), "(r) bounds of joint impulses, N s")
      .def_property_readonly("upper", view(&System::upper), "(r) N s")
      .def_property_readonly("gap", view(&System::gap), "(m) m; empty: unknown")
      .def_property_readonly("c", view(&System::c), "(3m + r) m/s; empty: unknown")
      .def_property_readonly(
          "step", [](const SystemObject& s) { return s.system->step; }, "h, s")
      .def_property_readonly(
          "contacts", [](const SystemObject& s) { return s.system->contacts(); }, "m")
      .def_property_readonly(
          "joint_rows", [](const SystemObject& s) { return s.system->joint_rows(); }, "r")
      .def_property_readonly(
          "rows", [](const SystemObject& s) { return s.system->rows(); }, "3m + r")
      .def_property_readonly(
          "body_space", [](const SystemObject& s) { return body_space(s.system); },
          "J and M^-1 J^T as arrays that look into the system; empty for a "
          "system in explicit blocks.")
      .def_property_readonly(
          "blocks",
          [](const SystemObject& s) {
            py::dict views;
            auto* A = std::get_if<Blocks>(&s.system->A);
            if (!A) return views;
            views["values"] = look(A->values.data(), {static_cast<py::ssize_t>(A->values.size())},
                                   keep(s.system));
            return views;
          },
          "The 3x3 blocks of A; empty for a system in body space.")
      .def("_matrix",
           [](const SystemObject& s) {
             const auto A = std::make_shared<SparseMatrix>(to_sparse(*s.system));
             return look(*A, A);
           })
      .def(
          "apply",
          [](const SystemObject& s, py::handle x) {
            return array(apply(*s.system, sized(*s.system, x)));
          },
          py::arg("x"), "A x")
      .def(
          "relative_velocity",
          [](const SystemObject& s, py::handle x) {
            return array(relative_velocity(*s.system, sized(*s.system, x)));
          },
          py::arg("impulses"), "y = A impulses + b, m/s")
      .def(
          "effective_masses",
          [](const SystemObject& s) { return array(effective_masses(*s.system)); },
          "The mass that makes impulse and velocity of each row comparable, kg.")
      .def(py::pickle(
          [](const SystemObject& s) {
            const std::vector<std::byte> all = peers::to_bytes(*s.system);
            return py::bytes(reinterpret_cast<const char*>(all.data()), all.size());
          },
          [](const py::bytes& given) {
            const auto all = std::string_view(given);
            SystemObject s{std::make_shared<System>()};
            if (!peers::from_bytes(std::as_bytes(std::span(all)), *s.system))
              throw io::InputError("a pickled system of another version");
            return s;
          }));

  m.def(
      "assemble", [](py::handle given) { return SystemObject{system_of(given)}; }, py::arg("frame"),
      "The rigid system of a frame.");
  m.def(
      "measure",
      [](py::handle given, py::handle impulses, py::handle joints) {
        const std::shared_ptr<System> s = system_of(given);
        return errors(measure(*s, impulses_of(*s, impulses, joints)));
      },
      py::arg("frame"), py::arg("impulses"), py::arg("joint_impulses") = py::none(),
      "The errors of impulses that came from anywhere, by name (docs/errors.md).");
  m.def(
      "impulse_energy",
      [](py::handle given, py::handle impulses) {
        const std::shared_ptr<System> s = system_of(given);
        return impulse_energy(*s, impulses_of(*s, impulses, py::none()));
      },
      py::arg("frame"), py::arg("impulses"), "1/2 x A x + x b of impulses x, J (docs/errors.md).");
  m.def(
      "measures",
      [] {
        py::list all;
        for (const MeasureInfo& one : measures())
          all.append(py::make_tuple(std::string(one.name), std::string(one.unit),
                                    std::string(one.question)));
        return all;
      },
      "Name, unit and question of each error (docs/errors.md).");
}

}  // namespace perpend::python
