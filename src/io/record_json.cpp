// A record as a JSON object, column by column of the list (perpend/io/columns.hpp).
//
// Numbers are written with the shortest digits that read back to the same bits. null stands for
// what JSON has no word for: an infinite bound, and the inertia and force of fixed bodies, which
// nobody reads.
#include "io/record_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "io/json_fields.hpp"
#include "perpend/io/columns.hpp"

namespace perpend::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The object in which a column stands; empty: the line itself. Lines have no "system".
std::string_view object_of(const Column& column) {
  switch (column.about) {
    case About::asked:
      return column.group();
    case About::answer:
      return "expected";
    case About::error:
      return "errors";
    case About::clock:
      return "timing";
    case About::file:
      return column.group();
    case About::system:
      break;
  }
  return "system";
}

using Fields = std::vector<const Column*>;
// The columns of an object in the order in which they are written.
const Fields& fields_of(std::string_view object) {
  static const std::map<std::string_view, Fields> kObjects = [] {
    std::map<std::string_view, Fields> objects;
    for (const auto& list : {columns(), file_columns()})
      for (const Column& column : list) objects[object_of(column)].push_back(&column);
    const auto place = [](const Column* column) {
      return column->order.json > 0 ? column->order.json : std::numeric_limits<int>::max();
    };
    for (auto& [name, fields] : objects)
      std::stable_sort(fields.begin(), fields.end(),
                       [&](const Column* a, const Column* b) { return place(a) < place(b); });
    return objects;
  }();
  return kObjects.at(object);
}

// ---- reading ----

// What null stands for in each number of a row; empty: nothing.
std::vector<double> nulls(const Column& column) {
  if (column.values == Values::range) return {-kInf, kInf};
  if (column.values == Values::bound) return std::vector<double>(column.numbers(), kInf);
  if (column.values == Values::moving) return std::vector<double>(column.numbers(), kNaN);
  return {};
}

void read_single(JsonFields& fields, const Column& column, Record& record) {
  const std::string field(column.last());
  if (column.type == Type::answerer) {
    record.answer.answered = fields.text(field);
  } else if (column.type == Type::stepper) {
    const std::string stepper = fields.text(field);
    if (stepper.empty()) return;
    if (stepper != "st" && stepper != "ap") fields.fail(field, "expected \"st\" or \"ap\"");
    record.frame.stepper = stepper == "st" ? Stepper::st : Stepper::ap;
  } else if (column.type == Type::float64) {
    double& value = *static_cast<double*>(column.resize(record, 1));
    value = column.needed == Needed::always ? fields.number(field) : fields.number(field, value);
  } else {
    std::int64_t& value = *static_cast<std::int64_t*>(column.resize(record, 1));
    value = fields.integer(field, value);
  }
}

void read_bytes(JsonFields& fields, const Column& column, std::int8_t* out) {
  const std::string field(column.last());
  Integers values(fields.rows(field) * column.numbers());
  fields.wholes(field, column.numbers(), values.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (column.values == Values::state && (values[i] < 0 || values[i] > 2))
      fields.fail(field, i / column.numbers(), "expected 0, 1 or 2");
    if (values[i] < -1 || values[i] > 127)
      fields.fail(field, i / column.numbers(), "does not fit into a byte");
    out[i] = static_cast<std::int8_t>(values[i]);
  }
}

// Pairs hold body ids in files, row indices in memory.
void find_bodies(const JsonFields& fields, const Column& column, const Bodies& bodies,
                 std::int64_t* ids, std::size_t count) {
  std::unordered_map<std::int64_t, std::int64_t> index;
  for (std::size_t i = 0; i < bodies.ids.size(); ++i)
    index.emplace(bodies.ids[i], static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = index.find(ids[i]);
    if (found == index.end())
      fields.fail(std::string(column.last()), i / column.numbers(),
                  "no body has the id " + std::to_string(ids[i]));
    ids[i] = found->second;
  }
}

void read_rows(JsonFields& fields, const Column& column, Record& record) {
  const std::string field(column.last());
  const std::size_t rows = fields.rows(field);
  void* out = column.resize(record, static_cast<Index>(rows));
  if (is_text(column.type)) {
    const std::vector<std::string> texts = fields.texts(field);
    for (std::size_t i = 0; i < rows; ++i)
      if (column.type == Type::name)
        static_cast<NameText*>(out)[i] = NameText(texts[i]);
      else
        static_cast<EventText*>(out)[i] = EventText(texts[i]);
  } else if (column.type == Type::float64) {
    fields.reals(field, column.numbers(), nulls(column), static_cast<double*>(out));
  } else if (bytes(column.type) == 1) {
    read_bytes(fields, column, static_cast<std::int8_t*>(out));
  } else {
    const auto numbers = static_cast<std::int64_t*>(out);
    fields.wholes(field, column.numbers(), numbers);
    if (column.type == Type::body_id)
      find_bodies(fields, column, record.frame.bodies, numbers, rows * column.numbers());
  }
}

void read_object(JsonFields& fields, std::string_view object, Record& record) {
  for (const Column* column : fields_of(object))
    if (column->needed == Needed::always) fields.get(std::string(column->last()));
  for (const Column* column : fields_of(object))
    if (column->count == Count::frame)
      read_single(fields, *column, record);
    else
      read_rows(fields, *column, record);
}

// What was left out of the bodies is 0 or a unit, ids count from 0.
void complete_bodies(JsonFields& fields, Record& record) {
  Record defaults;
  defaults.frame = make_frame(record.frame.bodies.count(), 0);
  for (const Column* column : fields_of("bodies"))
    if (column->needed == Needed::in_files && !fields.find(std::string(column->last()))) {
      const Column::View view = column->view(defaults);
      void* out = column->resize(record, view.rows);
      if (view.rows > 0)
        std::memcpy(out, view.data, static_cast<std::size_t>(view.rows) * column->row_bytes());
    }
}

void read_part(JsonFields& line, std::string_view object, Record& record) {
  JsonFields fields = line.object(std::string(object));
  read_object(fields, object, record);
  if (object == "bodies") complete_bodies(fields, record);
  if (object == "expected") {
    JsonFields errors = fields.object("errors");
    read_object(errors, "errors", record);
    errors.done();
    for (const Column* column : fields_of(object))
      if (const Index rows = column->view(record).rows, expected = rows_of(*column, record.frame);
          rows != 0 && rows != expected)
        fields.fail(std::string(column->last()),
                    std::to_string(rows) + " rows, expected " + std::to_string(expected));
  }
  fields.done();
}

// ---- writing ----

OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

OrderedJson one_number(const Column& column, const void* data, std::size_t i,
                       const Integers& body_ids) {
  if (column.type == Type::float64) return number(static_cast<const double*>(data)[i]);
  if (column.type == Type::name) return static_cast<const NameText*>(data)[i].str();
  if (column.type == Type::event) return static_cast<const EventText*>(data)[i].str();
  if (bytes(column.type) == 1) return static_cast<const std::int8_t*>(data)[i];
  const std::int64_t value = static_cast<const std::int64_t*>(data)[i];
  return column.type == Type::body_id ? body_ids[static_cast<std::size_t>(value)] : value;
}

OrderedJson rows_json(const Column& column, const Column::View& view, const Integers& body_ids) {
  OrderedJson rows = OrderedJson::array();
  const std::size_t per_row = column.numbers();
  for (std::size_t i = 0; i < static_cast<std::size_t>(view.rows); ++i) {
    if (per_row == 1) {
      rows.push_back(one_number(column, view.data, i, body_ids));
      continue;
    }
    OrderedJson row = OrderedJson::array();
    for (std::size_t k = 0; k < per_row; ++k)
      row.push_back(one_number(column, view.data, i * per_row + k, body_ids));
    rows.push_back(std::move(row));
  }
  return rows;
}

void add_object(OrderedJson& object, std::string_view name, const Record& record) {
  for (const Column* column : fields_of(name)) {
    const std::string field(column->last());
    const Column::View view = column->view(record);
    if (column->count != Count::frame) {
      if (view.rows > 0 || !column->optional())
        object[field] = rows_json(*column, view, record.frame.bodies.ids);
    } else if (column->type == Type::answerer) {
      if (!record.answer.answered.empty()) object[field] = record.answer.answered;
    } else if (column->type == Type::stepper) {
      object[field] = std::string(perpend::name(record.frame.stepper));
    } else if (column->type == Type::float64) {
      const double value = *static_cast<const double*>(view.data);
      if (std::isfinite(value) || !column->optional()) object[field] = value;
    } else if (const std::int64_t value = *static_cast<const std::int64_t*>(view.data);
               value >= 0) {
      object[field] = value;
    }
  }
}

OrderedJson object_json(std::string_view name, const Record& record) {
  OrderedJson object = OrderedJson::object();
  add_object(object, name, record);
  return object;
}

}  // namespace

Record record_from_json(const std::string& line, const std::string& where) {
  const Json document = parse_json(line, where, Text::line);
  if (!document.is_object()) throw InputError(where + ": expected one object per line");
  JsonFields fields(document, where);
  Record record;
  record.name = fields.text("name");
  record.derivation = fields.text("derivation");
  record.tags = fields.texts("tags");
  record.frame = make_frame(0, 0);
  read_object(fields, "", record);
  fields.get("bodies");
  read_part(fields, "bodies", record);
  for (const char* object : {"contacts", "constraints", "model"})
    if (fields.find(object)) read_part(fields, object, record);
  if (const std::string reason = invalid(record.model); !reason.empty())
    throw InputError(where + ": " + reason);
  // Before the lengths of the answer are compared with those of a frame that may be wrong.
  if (const std::string reason = invalid(record); !reason.empty())
    throw InputError(where + ": " + reason);
  read_part(fields, "expected", record);
  read_part(fields, "timing", record);
  fields.done();
  return record;
}

std::string to_json_line(const Record& record) {
  const Frame& frame = record.frame;
  OrderedJson o;
  if (!record.name.empty()) o["name"] = record.name;
  if (!record.derivation.empty()) o["derivation"] = record.derivation;
  if (!record.tags.empty()) o["tags"] = record.tags;
  add_object(o, "", record);
  o["bodies"] = object_json("bodies", record);
  if (frame.contacts.count()) o["contacts"] = object_json("contacts", record);
  if (frame.joints.count()) o["constraints"] = object_json("constraints", record);
  if (!record.model.empty()) o["model"] = object_json("model", record);
  OrderedJson expected = object_json("expected", record);
  if (OrderedJson errors = object_json("errors", record); !errors.empty())
    expected["errors"] = std::move(errors);
  if (!expected.empty()) o["expected"] = std::move(expected);
  if (OrderedJson timing = object_json("timing", record); !timing.empty())
    o["timing"] = std::move(timing);
  // Names come from anywhere: bytes that are not UTF-8 are replaced, not thrown about.
  return o.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace perpend::io
