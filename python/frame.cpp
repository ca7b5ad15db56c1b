// Frames: every column of the one list (perpend/io/columns.hpp) is an array that looks into the
// record.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "bindings.hpp"
#include "perpend/io/columns.hpp"

namespace perpend::python {
namespace {

using io::Column;
using io::Type;

// Columns of one folder of the standard file.
struct Group {
  py::object frame;  // a FrameObject
  std::string name;
  FrameObject& of() const { return frame.cast<FrameObject&>(); }
};

bool is_array(const Column& column) {
  return column.type == Type::float64 || column.type == Type::int64 || column.type == Type::int8 ||
         column.type == Type::body_id;
}

const Column& find(std::string_view group, const std::string& name) {
  std::string known;
  for (const Column& column : io::columns()) {
    if (column.group() != group || !is_array(column)) continue;
    if (column.last() == name) return column;
    known.append(known.empty() ? "" : ", ").append(column.last());
  }
  throw py::attribute_error(std::string(group) + " has no column '" + name +
                            "'; choose one of: " + known);
}

py::dtype dtype(const Column& column) {
  switch (column.type) {
    case Type::float64:
      return py::dtype::of<double>();
    case Type::int8:
      return py::dtype::of<std::int8_t>();
    default:
      return py::dtype::of<std::int64_t>();
  }
}

std::vector<py::ssize_t> shape(const Column& column, Index rows) {
  std::vector<py::ssize_t> sizes{rows};
  for (const int width : column.width)
    if (width > 0) sizes.push_back(width);
  return sizes;
}

Index expected_rows(const Column& column, const io::Record& record) {
  return column.about == io::About::system ? column.view(record).rows
                                           : io::rows_of(column, record.frame);
}

py::object read(const Group& group, const std::string& name) {
  const Column& column = find(group.name, name);
  const std::shared_ptr<io::Record>& record = group.of().record;
  const Column::View view = column.view(*record);
  if (view.rows == 0 && expected_rows(column, *record) > 0) return py::none();
  return py::array(dtype(column), shape(column, view.rows), view.data, keep(record));
}

std::string text(const std::vector<py::ssize_t>& sizes) {
  std::string words = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i)
    words += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
  return words + (sizes.size() == 1 ? ",)" : ")");
}

// Writes into the rows that are there; makes those of an optional column. What looks into the
// record would point to freed memory if rows moved.
void write(FrameObject& frame, const Column& column, py::handle value, Index rows) {
  const std::string path(column.name);
  const auto resize = [&](Index to) {
    if (column.view(*frame.record).rows == to) return;
    if (frame.looked_at())
      throw py::buffer_error(path + " cannot be made or removed while arrays look into this frame");
    column.resize(*frame.record, to);
  };
  if (value.is_none()) {
    if (!column.optional()) throw io::InputError(frame.where + ": " + path + " is needed");
    return resize(0);
  }
  const py::array given = numbers(value, dtype(column), frame.where + ": " + path);
  const std::vector<py::ssize_t> wanted = shape(column, rows);
  const std::vector<py::ssize_t> had(given.shape(), given.shape() + given.ndim());
  const bool flat = had.size() == 2 && wanted.size() == 3 && had[0] == rows &&
                    had[1] == static_cast<py::ssize_t>(column.numbers());
  const bool none = rows == 0 && given.size() == 0;
  if (had != wanted && !flat && !none)
    throw io::InputError(frame.where + ": " + path + " has the shape " + text(had) + ", expected " +
                         text(wanted));
  resize(rows);
  std::memcpy(const_cast<void*>(column.view(*frame.record).data), given.data(),
              static_cast<std::size_t>(given.nbytes()));
}

// Rows of a frame from those of its arrays: the first given column of each group tells.
Index rows_given(const std::string& where, const py::dict& columns, const char* name,
                 const char* other) {
  const auto rows = [&](py::handle key, py::handle value) {
    if (const py::ssize_t count = PyObject_Length(value.ptr()); count >= 0)
      return static_cast<Index>(count);
    PyErr_Clear();
    throw io::InputError(where + "/" + std::string(py::str(key)) + " is no array of rows");
  };
  for (const char* key : {name, other})
    if (columns.contains(key)) return rows(py::str(key), columns[key]);
  for (const auto& [key, value] : columns)
    if (!value.is_none()) return rows(key, value);
  return 0;
}

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<FrameObject> from_arrays(double step, double time, const std::string& stepper,
                                         const py::dict& bodies, const py::dict& contacts,
                                         const py::dict& constraints, const py::dict& solution,
                                         const std::string& name) {
  auto frame = std::make_shared<FrameObject>();
  if (!name.empty()) frame->where = name;
  if (std::isnan(step)) throw io::InputError(frame->where + ": step is missing");
  constexpr std::int64_t kMostRows = 10'000'000;  // of all joints: more is a mistake
  Integers rows;
  if (constraints.contains("rows")) {
    const std::string where = frame->where + ": constraints/rows";
    const py::array given = numbers(constraints["rows"], py::dtype::of<std::int64_t>(), where);
    const auto* first = static_cast<const std::int64_t*>(given.data());
    rows.assign(first, first + given.size());
    std::int64_t left = kMostRows;
    for (const std::int64_t count : rows)
      if (count < 0 || (left -= count) < 0)
        throw io::InputError(where + " has " + std::to_string(count));
  }
  io::Record& record = *frame->record;
  record.frame =
      make_frame(rows_given(frame->where + ": bodies", bodies, "masses", "positions"),
                 rows_given(frame->where + ": contacts", contacts, "gap", "normals"), rows);
  record.frame.step = step;
  record.frame.time = time;
  record.name = name;
  if (stepper != "st" && stepper != "ap")
    throw io::InputError(frame->where + ": stepper '" + stepper + "' is neither st nor ap");
  record.frame.stepper = stepper == "ap" ? Stepper::ap : Stepper::st;
  for (const auto& [group, columns] : {std::pair<const char*, const py::dict&>{"bodies", bodies},
                                       {"contacts", contacts},
                                       {"constraints", constraints},
                                       {"solution", solution}}) {
    for (const auto& [key, value] : columns) {
      const Column& column = find(group, py::str(key));
      write(*frame, column, value, io::rows_of(column, record.frame));
    }
    const bool any = py::len(columns) > 0;
    for (const Column& column : io::columns())
      if (any && column.group() == group && column.needed == io::Needed::always &&
          !columns.contains(py::str(std::string(column.last()))))
        throw io::InputError(frame->where + ": " + std::string(column.name) + " is missing");
  }
  expect_valid(*frame);
  return frame;
}

// What a pickle has: every column as it is in memory, and the texts.
py::tuple pickled(const FrameObject& frame) {
  io::Record& record = *frame.record;
  py::dict all;
  for (const auto& list : {io::columns(), io::file_columns()})
    for (const Column& column : list) {
      const Column::View view = column.view(record);
      if (column.type == Type::answerer || view.rows == 0) continue;
      const std::size_t size = static_cast<std::size_t>(view.rows) * column.row_bytes();
      all[py::str(std::string(column.name))] =
          py::make_tuple(view.rows, py::bytes(static_cast<const char*>(view.data), size));
    }
  return py::make_tuple(frame.where, record.name, record.derivation, record.tags,
                        record.answer.answered, all);
}
std::shared_ptr<FrameObject> unpickled(const py::tuple& all) {
  auto frame = std::make_shared<FrameObject>();
  frame->where = all[0].cast<std::string>();
  io::Record& record = *frame->record;
  record.name = all[1].cast<std::string>();
  record.derivation = all[2].cast<std::string>();
  record.tags = all[3].cast<std::vector<std::string>>();
  record.answer.answered = all[4].cast<std::string>();
  const auto given = all[5].cast<py::dict>();
  for (const auto& list : {io::columns(), io::file_columns()})
    for (const Column& column : list) {
      const py::str name{std::string(column.name)};
      if (!given.contains(name)) continue;
      const auto [rows, bytes] = given[name].cast<std::pair<Index, std::string>>();
      if (bytes.size() != static_cast<std::size_t>(rows) * column.row_bytes())
        throw io::InputError("a pickled frame of another version: " + std::string(column.name));
      std::memcpy(column.resize(record, rows), bytes.data(), bytes.size());
    }
  return frame;
}

std::shared_ptr<FrameObject> duplicate(const FrameObject& frame) {
  return std::make_shared<FrameObject>(
      FrameObject{std::make_shared<io::Record>(*frame.record), frame.where});
}

std::vector<std::string> column_names(const Group& group) {
  std::vector<std::string> all;
  for (const Column& column : io::columns())
    if (column.group() == group.name && is_array(column)) all.emplace_back(column.last());
  return all;
}

void assign(const Group& group, const std::string& name, py::handle value) {
  const Column& column = find(group.name, name);
  write(group.of(), column, value, expected_rows(column, *group.of().record));
}

}  // namespace

void expect_valid(const FrameObject& frame) {
  if (const std::string why = io::invalid(*frame.record); !why.empty())
    throw io::InputError(frame.where + ": " + why);
}

void bind_frame(py::module_& m) {
  py::class_<Group>(m, "Columns", "Columns of a frame, by name: arrays that look into it.")
      .def("__getattr__", [](const Group& g, const std::string& name) { return read(g, name); })
      .def("__setattr__", &assign)
      .def(
          "__getitem__", [](const Group& g, const std::string& name) { return read(g, name); },
          py::arg("name"))
      .def("__setitem__", &assign, py::arg("name"), py::arg("value"))
      .def("__contains__",
           [](const Group& g, const std::string& name) {
             const std::vector<std::string> all = column_names(g);
             return std::find(all.begin(), all.end(), name) != all.end();
           })
      .def("__iter__", [](const Group& g) { return py::iter(py::cast(column_names(g))); })
      .def("__len__", [](const Group& g) { return column_names(g).size(); })
      .def("keys", &column_names,
           "Names of the columns, also of those that this frame does not have.")
      .def("__dir__", &column_names)
      .def("__repr__", [](const Group& g) {
        std::string words;
        for (const Column& column : io::columns()) {
          if (column.group() != g.name || !is_array(column)) continue;
          const Column::View view = column.view(*g.of().record);
          if (view.rows > 0)
            words += (words.empty() ? "" : ", ") + std::string(column.last()) + " " +
                     text(shape(column, view.rows));
        }
        return g.name + ": " + (words.empty() ? "no rows" : words);
      });

  py::class_<FrameObject, std::shared_ptr<FrameObject>> frame(
      m, "Frame", R"(A contact problem: bodies, contacts and joints at one time step.

`bodies`, `contacts`, `constraints` (joints), `solution`, `timing` and `system` have the columns of
docs/format.md as arrays that look into the frame: what is written there is solved. A column that
the frame does not have is None; assign an array to make it.)");
  frame
      .def(py::init(&from_arrays), py::kw_only(), py::arg("step") = kMissing, py::arg("time") = 0.0,
           py::arg("stepper") = "st", py::arg("bodies") = py::dict(),
           py::arg("contacts") = py::dict(), py::arg("constraints") = py::dict(),
           py::arg("solution") = py::dict(), py::arg("name") = "",
           "A frame from arrays. The columns and their units are those of docs/format.md.")
      .def_property(
          "step", [](const FrameObject& f) { return f.record->frame.step; },
          [](FrameObject& f, double h) { f.record->frame.step = h; }, "length of the step, s")
      .def_property(
          "time", [](const FrameObject& f) { return f.record->frame.time; },
          [](FrameObject& f, double t) { f.record->frame.time = t; }, "s")
      .def_property_readonly(
          "stepper",
          [](const FrameObject& f) { return std::string(name(f.record->frame.stepper)); },
          "st: contacts at a distance take part; ap: only those that touch")
      .def_property_readonly("name", [](const FrameObject& f) { return f.record->name; })
      .def_property_readonly("tags", [](const FrameObject& f) { return f.record->tags; })
      .def_property_readonly(
          "answered", [](const FrameObject& f) { return f.record->answer.answered; },
          "which of the engine's solvers gave the recorded answer")
      .def_property_readonly(
          "counts",
          [](const FrameObject& f) {
            const io::FrameCounts c = io::counts_of(*f.record);
            py::dict counts;
            counts["bodies"] = c.bodies;
            counts["contacts"] = c.contacts;
            counts["joints"] = c.joints;
            counts["joint_rows"] = c.joint_rows;
            return counts;
          },
          "bodies, contacts, joints, joint_rows")
      .def("check", &expect_valid,
           "Raises InputError if the frame cannot be solved; solve() checks by itself.")
      .def(
          "to_json", [](const FrameObject& f) { return io::to_json_line(*f.record); },
          "The frame as one JSON line (docs/json.md).")
      .def("copy", &duplicate, "A frame of its own: arrays of this one do not look into it.")
      .def("__copy__", &duplicate)
      .def("__deepcopy__", [](const FrameObject& f, const py::dict&) { return duplicate(f); })
      .def(py::pickle(&pickled, &unpickled));
  for (const char* group : {"bodies", "contacts", "constraints", "solution", "timing", "system"})
    frame.def_property_readonly(
        group,
        [group](const py::object& self) {
          return Group{self, group};
        },
        ("columns /" + std::string(group) + " of docs/format.md").c_str());
  frame.def_property_readonly(
      "joints",
      [](const py::object& self) {
        return Group{self, "constraints"};
      },
      "the same as constraints");
}

}  // namespace perpend::python
