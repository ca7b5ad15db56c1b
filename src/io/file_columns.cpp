#include "io/file_columns.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace perpend::io {
namespace {

constexpr std::size_t kFirst = static_cast<std::size_t>(Count::model_body);
using FileCounts = std::array<Index, 6>;
std::size_t count_of(const Column& column) {
  return static_cast<std::size_t>(column.count) - kFirst;
}

std::vector<std::string> texts_of(const h5::File& file, const Column& column) {
  return h5::read_strings(file, column.path());
}

void read_file_column(const h5::File& file, const Column& column, Record& record) {
  if (h5::find(file, column.path()) == h5::Found::nothing) {
    column.resize(record, 0);
    return;
  }
  if (is_text(column.type)) {
    const std::vector<std::string> texts = texts_of(file, column);
    void* out = column.resize(record, static_cast<Index>(texts.size()));
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (column.type == Type::name)
        static_cast<NameText*>(out)[i] = NameText(texts[i]);
      else
        static_cast<EventText*>(out)[i] = EventText(texts[i]);
    return;
  }
  const h5::Dataset data(file, column.path());
  data.expect(column.type == Type::float64 ? h5::Element::real : h5::Element::integer,
              width(column));
  data.warrant(data.rows());
  void* out = column.resize(record, static_cast<Index>(data.rows()));
  if (data.rows() > 0) data.read(0, data.rows(), memory_type(column.type), out);
}

// Rows kept are the first ones: Eigen's resize keeps none.
template <class List>
void shorten(List& list, Index rows) {
  if constexpr (requires { list.cols(); })
    list.conservativeResize(rows, list.cols());
  else
    list.resize(static_cast<std::size_t>(rows));
}

void shorten_shapes(ModelColumns& model, Index rows) {
  shorten(model.shape_bodies, rows);
  shorten(model.shape_kinds, rows);
  shorten(model.shape_poses, rows);
  shorten(model.shape_sizes, rows);
  shorten(model.shape_meshes, rows);
}

void shorten_all(ModelColumns& model, const FileCounts& rows) {
  shorten(model.body_ids, rows[0]);
  shorten(model.body_names, rows[0]);
  shorten_shapes(model, rows[1]);
  shorten(model.joint_ids, rows[4]);
  shorten(model.joint_names, rows[4]);
  for (Index last = rows[1] - 1; last >= 0; --last) {
    const auto mesh = model.shape_meshes.row(last);
    const bool body =
        std::find(model.body_ids.begin(), model.body_ids.end(),
                  model.shape_bodies[static_cast<std::size_t>(last)]) != model.body_ids.end();
    const auto ends = [](std::int64_t first, std::int64_t count, Index have) {
      return first >= 0 && count >= 0 && first <= have && count <= have - first;
    };
    if (body && ends(mesh[0], mesh[1], model.vertices.rows()) &&
        ends(mesh[2], mesh[3], model.triangles.rows()))
      break;
    shorten_shapes(model, last);
  }
}

template <class List>
void keep_rows(List& list, const std::vector<Index>& rows) {
  if constexpr (requires { list.cols(); })
    list = List(list(rows, Eigen::all));
  else
    for (std::size_t i = 0; i < rows.size(); ++i)
      list[i] = list[static_cast<std::size_t>(rows[i])];  // rows ascend
  shorten(list, static_cast<Index>(rows.size()));
}

// The rows at which an id is there for the first time; `times`: how often it is there with the same
// name. One with another name is kept: it is refused.
std::vector<Index> first_rows(const Integers& ids, const std::vector<NameText>& names,
                              std::unordered_map<std::int64_t, std::size_t>& times) {
  std::vector<Index> rows;
  std::unordered_map<std::int64_t, std::size_t> first;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t at = first.emplace(ids[i], i).first->second;
    if (at == i || names[at].str() != names[i].str()) rows.push_back(static_cast<Index>(i));
    ++times[ids[i]];
  }
  return rows;
}

// Names and shapes that were given again in later frames. Of a body that was given n times the
// first n-th of its shapes is kept. True if anything was left out.
bool leave_out_repeated(ModelColumns& model) {
  std::unordered_map<std::int64_t, std::size_t> bodies, joints, shapes, kept;
  const std::vector<Index> first_bodies = first_rows(model.body_ids, model.body_names, bodies),
                           first_joints = first_rows(model.joint_ids, model.joint_names, joints);
  if (first_bodies.size() == model.body_ids.size() && first_joints.size() == model.joint_ids.size())
    return false;
  for (const std::int64_t body : model.shape_bodies) ++shapes[body];
  std::vector<Index> first_shapes;
  for (std::size_t i = 0; i < model.shape_bodies.size(); ++i) {
    const std::int64_t body = model.shape_bodies[i];
    const std::size_t times = std::max<std::size_t>(bodies[body], 1);
    if (kept[body]++ < (shapes[body] + times - 1) / times)
      first_shapes.push_back(static_cast<Index>(i));
  }
  keep_rows(model.body_ids, first_bodies);
  keep_rows(model.body_names, first_bodies);
  keep_rows(model.joint_ids, first_joints);
  keep_rows(model.joint_names, first_joints);
  keep_rows(model.shape_bodies, first_shapes);
  keep_rows(model.shape_kinds, first_shapes);
  keep_rows(model.shape_poses, first_shapes);
  keep_rows(model.shape_sizes, first_shapes);
  keep_rows(model.shape_meshes, first_shapes);
  return true;
}

}  // namespace

ModelColumns read_model(const h5::File& file, bool* repeated) {
  Record record;
  FileCounts rows{};
  rows.fill(std::numeric_limits<Index>::max());
  for (const Column& column : file_columns()) {
    if (column.count == Count::event) continue;
    read_file_column(file, column, record);
    rows[count_of(column)] = std::min(rows[count_of(column)], column.view(record).rows);
  }
  shorten_all(record.model, rows);
  const bool left_out = leave_out_repeated(record.model);
  if (repeated) *repeated = left_out;
  if (const std::string why = invalid(record.model); !why.empty())
    throw InputError(file.path() + ": /" + why);
  return record.model;
}

std::vector<std::string> read_events(const h5::File& file) {
  for (const Column& column : file_columns())
    if (column.count == Count::event && h5::find(file, column.path()) != h5::Found::nothing)
      return texts_of(file, column);
  return {};
}

void write_file_columns(const h5::File& file, const ModelColumns& model,
                        const std::vector<std::string>& events) {
  Record record;
  record.model = model;
  for (const std::string& event : events) record.events.emplace_back(event);
  for (const Column& column : file_columns()) {
    const Column::View view = column.view(record);
    if (view.rows == 0) continue;
    std::vector<hsize_t> shape = width(column);
    shape.insert(shape.begin(), static_cast<hsize_t>(view.rows));
    h5::write(file, column.path(), shape, memory_type(column.type), file_type(column.type),
              view.data);
  }
}

}  // namespace perpend::io
