// Wrong arguments in one line: "solve() takes (frame: object, solver: str = 'ncp/auto', **kwargs),
// not (Frame, int)". pybind11 tells them in several lines, with all that was given.
#include <string>
#include <string_view>

#include "bindings.hpp"

namespace perpend::python {
namespace {

PyCFunctionWithKeywords of_pybind = nullptr;  // calls any function that it has made

std::string kind(PyObject* value) {  // "Frame" of perpend._perpend.Frame
  const std::string_view name = Py_TYPE(value)->tp_name;
  return std::string(name.substr(name.rfind('.') + 1));
}

// Types as users know them.
std::string plain(std::string text) {
  for (const std::string_view prefix : {"perpend._perpend.", "perpend::python::"})
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
  for (const auto& [ours, said] : {std::pair{"handle", "object"}, {"FrameObject", "Frame"}})
    for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos;)
      text.replace(at, std::string_view(ours).size(), said);
  return text;
}

std::string given(PyObject* arguments, PyObject* keywords, bool of_object) {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? "" : ", ") + word; };
  for (Py_ssize_t i = of_object ? 1 : 0; i < PyTuple_Size(arguments); ++i)
    add(kind(PyTuple_GetItem(arguments, i)));
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; keywords && PyDict_Next(keywords, &at, &key, &value);)
    add(std::string(py::str(key)) + "=" + kind(value));
  return "(" + words + ")";
}

// "f(): incompatible function arguments. The ... supported:\n    1. (a: int) -> None\n\nInvoked
// ..."
std::string in_one_line(const std::string& text, PyObject* arguments, PyObject* keywords) {
  const std::size_t named = text.find("(): incompatible "), first = text.find("\n    1. ");
  if (named == std::string::npos || first == std::string::npos) return text;
  std::string takes = text.substr(first + 8, text.find('\n', first + 8) - first - 8);
  std::string name = text.substr(0, named);
  const bool makes = name == "__init__";
  if (const std::size_t result = takes.rfind(" -> "); result != std::string::npos)
    takes.erase(result);
  const std::size_t open = takes.find('(');
  if (makes) name = plain(takes.substr(0, open));
  takes = plain(takes.substr(open));
  bool of_object = makes;
  for (const std::string_view self : {"(self: ", "(arg0: "}) {  // of a method, of a property
    if (!takes.starts_with(self) || (self[1] == 'a' && !name.empty())) continue;
    of_object = true;
    const std::size_t end = takes.find(", ");
    takes = end == std::string::npos ? "()" : "(" + takes.substr(end + 2);
    if (takes.starts_with("(arg1: ")) takes.erase(1, 6);
  }
  const std::string what = given(arguments, keywords, of_object);
  if (name.empty()) return "this property takes " + takes + ", not " + what;
  return name.substr(name.starts_with('_') && !name.starts_with("__")) + "() takes " + takes +
         ", not " + what;
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* result = of_pybind(self, arguments, keywords);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  py::error_scope raised;
  PyErr_NormalizeException(&raised.type, &raised.value, &raised.trace);
  const std::string text = py::str(raised.value);
  const std::string line = in_one_line(text, arguments, keywords);
  if (line == text) return nullptr;
  py::object told = py::reinterpret_borrow<py::object>(PyExc_TypeError)(line);
  Py_XDECREF(raised.value);
  raised.value = told.release().ptr();
  return nullptr;
}

// A function of pybind11, or a property or method that holds some.
void tell_in_one_line(py::handle one) {
  if (py::isinstance(one, reinterpret_cast<PyObject*>(&PyProperty_Type))) {
    for (const char* half : {"fget", "fset"}) tell_in_one_line(one.attr(half));
  } else if (PyInstanceMethod_Check(one.ptr())) {
    tell_in_one_line(PyInstanceMethod_Function(one.ptr()));
  } else if (PyCFunction_Check(one.ptr())) {
    PyMethodDef& of = *reinterpret_cast<PyCFunctionObject*>(one.ptr())->m_ml;
    const auto was =
        reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(of.ml_meth));
    if (was == &call || of.ml_flags != (METH_VARARGS | METH_KEYWORDS)) return;
    of_pybind = was;
    of.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call));
  }
}

}  // namespace

void tell_arguments_in_one_line(const py::module_& m) {
  for (const auto& [name, member] : py::reinterpret_borrow<py::dict>(m.attr("__dict__"))) {
    tell_in_one_line(member);
    if (!PyType_Check(member.ptr())) continue;
    for (const auto& [of, part] : py::dict(member.attr("__dict__"))) tell_in_one_line(part);
  }
}

}  // namespace perpend::python
