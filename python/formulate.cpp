// The problems of a system, each with its own unknowns.
#include "perpend/formulate.hpp"

#include "bindings.hpp"
#include "perpend/solve.hpp"

namespace perpend::python {
namespace {

struct ProblemObject {
  std::shared_ptr<System> system;  // which the problem looks into
  std::shared_ptr<Problem> problem;
};

VectorXd unknowns(const Problem& problem, py::handle given) {
  VectorXd z = vector(given, "z");
  if (z.size() != problem.size())
    throw std::invalid_argument("z has " + std::to_string(z.size()) + " numbers, expected " +
                                std::to_string(problem.size()));
  return z;
}

// The columns of the problems that have their own matrix; the others have the system's.
template <class Found>
py::object column(const ProblemObject& p, Found found) {
  if (auto* linear = dynamic_cast<LinearProblem*>(p.problem.get())) return found(*linear);
  if (auto* normal = dynamic_cast<NormalProblem*>(p.problem.get())) return found(*normal);
  return py::none();
}

}  // namespace

void bind_formulate(py::module_& m) {
  py::class_<ProblemObject>(m, "Problem", "A system in one formulation (docs/formulations.md).")
      .def_property_readonly(
          "formulation",
          [](const ProblemObject& p) { return std::string(p.problem->formulation()); })
      .def_property_readonly(
          "size", [](const ProblemObject& p) { return p.problem->size(); }, "unknowns")
      .def_property_readonly(
          "b",
          [](const ProblemObject& p) {
            return column(p, [&](auto& of) -> py::object { return look(of.b, p.problem); });
          },
          "of lcp, mlcp and normal: y = A z + b")
      .def("_matrix",
           [](const ProblemObject& p) {
             return column(p, [&](auto& of) -> py::object { return look(of.A, p.problem); });
           })
      .def(
          "own_error",
          [](const ProblemObject& p, py::handle z) {
            return p.problem->own_error(unknowns(*p.problem, z));
          },
          py::arg("z"), "The largest row of this problem's natural map at z, m/s.")
      .def(
          "impulses",
          [](const ProblemObject& p, py::handle z) {
            return array(p.problem->impulses(unknowns(*p.problem, z)));
          },
          py::arg("z"), "The impulses that the unknowns z stand for.")
      .def(
          "unknowns",
          [](const ProblemObject& p, py::handle impulses) {
            const VectorXd x = vector(impulses, "impulses");
            const Index rows = p.system ? p.system->rows() : p.problem->size();
            if (x.size() != rows)
              throw std::invalid_argument("impulses have " + std::to_string(x.size()) +
                                          " numbers, expected " + std::to_string(rows));
            return array(p.problem->unknowns(x));
          },
          py::arg("impulses"), "The unknowns that stand for these impulses.");
  m.def(
      "formulate",
      [](py::handle given, const std::string& formulation, Index facets) {
        ProblemObject p{system_of(given), nullptr};
        FormulationOptions how;
        how.facets = facets;
        std::string why;
        if (const std::string memory = too_large(*p.system, formulation, how, {}); !memory.empty())
          throw io::InputError(formulation + " " + memory);
        p.problem = formulate(*p.system, formulation, how, why);
        if (!p.problem) throw io::InputError(why);
        return p;
      },
      py::arg("frame"), py::arg("formulation"), py::arg("facets") = 8,
      "A frame or system as a problem of one formulation; `facets` of lcp and mlcp.");
  m.def(
      "formulations",
      [] {
        std::vector<std::string> all;
        for (const std::string_view one : formulations()) all.emplace_back(one);
        return all;
      },
      "Names of the formulations (docs/formulations.md).");
  m.def(
      "read_raw_problem",
      [](const std::filesystem::path& path) {
        return ProblemObject{nullptr, std::shared_ptr<Problem>(io::read_raw_problem(path))};
      },
      py::arg("path"), "A raw LCP or MLCP (docs/json.md).");
}

}  // namespace perpend::python
