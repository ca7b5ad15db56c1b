// Columns as files have them: rows counted, body ids and answerers in place of rows and names, and
// the root attributes.
#include <unordered_map>

#include "io/columns.hpp"

namespace perpend::io {
namespace {

std::string rows_text(Index rows) {
  std::string text = std::to_string(rows);
  text += rows == 1 ? " row" : " rows";
  return text;
}

}  // namespace

Counts count(const Record& record, const std::string& where) {
  Counts counts{};
  counts[static_cast<std::size_t>(Count::body)] = record.frame.bodies.count();
  counts[static_cast<std::size_t>(Count::joint)] = record.frame.joints.count();
  counts[static_cast<std::size_t>(Count::joint_row)] = record.frame.joints.row_count();
  counts[static_cast<std::size_t>(Count::contact)] = record.frame.contacts.count();
  for (const Column& column : columns()) {
    const std::size_t by = static_cast<std::size_t>(column.count);
    if (column.count == Count::frame) continue;
    const Index rows = column.view(record).rows;
    if (by >= kFrameCounts && counts[by] == 0) counts[by] = rows;
    if (rows != counts[by] && !(column.optional() && rows == 0))
      throw InputError(where + ": " + column.path() + ": has " + rows_text(rows) + ", expected " +
                       std::to_string(counts[by]));
  }
  return counts;
}

Rows6 needed_tangents(const Record& record) {
  const Contacts& contacts = record.frame.contacts;
  Rows6 both(0, 6);
  if (record.answer.z.rows() == 0 || contacts.tangents.rows() != 0) return both;
  both.resize(contacts.count(), 6);
  for (Index i = 0; i < contacts.count(); ++i) {
    const Tangents axes = tangents(contacts.normals.row(i));
    both.row(i) << axes.t.transpose(), axes.o.transpose();
  }
  return both;
}

Integers ids_of_pairs(const Record& record, const std::string& where, const Column& column) {
  const Bodies& bodies = record.frame.bodies;
  const Column::View pairs = column.view(record);
  Integers ids(static_cast<std::size_t>(2 * pairs.rows));
  for (Index i = 0; i < 2 * pairs.rows; ++i) {
    const std::int64_t body = static_cast<const std::int64_t*>(pairs.data)[i];
    if (body < 0 || body >= static_cast<std::int64_t>(bodies.ids.size()))
      throw InputError(where + ": " + column.path() + ": row " + std::to_string(i / 2) +
                       " names body " + std::to_string(body) + " of " +
                       std::to_string(bodies.ids.size()));
    ids[static_cast<std::size_t>(i)] = bodies.ids[static_cast<std::size_t>(body)];
  }
  return ids;
}

void indices_of_pairs(Record& record, const std::string& where, const Column& column) {
  const Bodies& bodies = record.frame.bodies;
  const Index size = 2 * column.view(record).rows;
  auto* pairs = static_cast<std::int64_t*>(column.resize(record, size / 2));
  const std::int64_t n = static_cast<std::int64_t>(bodies.ids.size());
  // Engines mostly number their bodies in a row, and then no table is needed.
  bool in_a_row = true;
  for (std::int64_t i = 0; in_a_row && i < n; ++i)
    in_a_row = bodies.ids[static_cast<std::size_t>(i)] == i;
  std::unordered_map<std::int64_t, std::int64_t> row;
  if (!in_a_row && size > 0)
    for (std::int64_t i = 0; i < n; ++i) row.emplace(bodies.ids[static_cast<std::size_t>(i)], i);
  for (Index i = 0; i < size; ++i) {
    std::int64_t& body = pairs[i];
    if (in_a_row && body >= 0 && body < n) continue;
    const auto found = row.find(body);
    if (found == row.end())
      throw InputError(where + ": " + column.path() + ": row " + std::to_string(i / 2) +
                       " names body id " + std::to_string(body) +
                       ", which the frame does not have");
    body = found->second;
  }
}

std::int64_t place_of_answerer(const Answer& answer, const std::vector<std::string>& names,
                               const std::string& where) {
  if (answer.answered.empty()) return -1;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == answer.answered) return static_cast<std::int64_t>(i);
  throw InputError(where + ": /solution/answered: '" + answer.answered +
                   "' is not among the answerers of the header");
}

void name_answerer(Answer& answer, std::int64_t place, const std::vector<std::string>& names,
                   const std::string& where) {
  answer.answered.clear();
  if (place < 0 || names.empty()) return;  // without the attribute nobody knows who it was
  if (place >= static_cast<std::int64_t>(names.size()))
    throw InputError(where + ": /solution/answered: is " + std::to_string(place) +
                     ", but the attribute answerers has " + std::to_string(names.size()) +
                     (names.size() == 1 ? " name" : " names"));
  answer.answered = names[static_cast<std::size_t>(place)];
}

std::span<const Attribute> attributes() {
  static const std::array<Attribute, 7> kAttributes{{
      {"engine", &Header::engine, "the engine"},
      {"engine_version", &Header::engine_version, "its version"},
      {"scene", &Header::scene, "what was simulated"},
      {"created", &Header::created, "when, ISO 8601"},
      {"units", &Header::units, "always \"SI\""},
      {"friction_model", &Header::friction_model, "what the engine solves, e.g. \"coulomb\""},
      {"omitted", &Header::omitted, "what the engine could not record"},
  }};
  return kAttributes;
}

std::span<const Attribute> recipe_attributes() {
  static const std::array<Attribute, 3> kAttributes{{
      {"scene_json", &Header::scene_json, "the scene that was simulated, as JSON"},
      {"simulate", &Header::simulate, "the options of the run by name, as a JSON object of texts"},
      {"state_hash", &Header::state_hash, "of all poses and velocities after the last step"},
  }};
  return kAttributes;
}

}  // namespace perpend::io
