// The table of the standard file's datasets (docs/format.md).
#include "io/columns.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace perpend::io {
namespace {

using Width = std::vector<hsize_t>;

template <auto First, auto... Rest>
auto& follow(auto& object) {
  if constexpr (sizeof...(Rest) == 0)
    return object.*First;
  else
    return follow<Rest...>(object.*First);
}

template <class T>
constexpr bool kSingle =
    std::is_arithmetic_v<std::remove_cvref_t<T>> || std::is_enum_v<std::remove_cvref_t<T>>;

// Where a column lives in a Record: a path of members.
template <auto... Path>
Column at(std::string name, Width width, Type type, Count count, bool optional,
          std::string_view unit, std::string_view meaning) {
  return {std::move(name),
          std::move(width),
          type,
          count,
          optional,
          unit,
          meaning,
          [](const Record& record) -> Column::View {
            const auto& column = follow<Path...>(record);
            if constexpr (kSingle<decltype(column)>)
              return {&column, 1};
            else if constexpr (requires { column.rows(); })
              return {column.data(), column.rows()};
            else
              return {column.data(), static_cast<Index>(column.size())};
          },
          [](Record& record, Index rows) -> void* {
            auto& column = follow<Path...>(record);
            if constexpr (kSingle<decltype(column)>)
              return &column;
            else if constexpr (requires { column.cols(); }) {
              column.resize(rows, column.cols());
              return column.data();
            } else {
              column.resize(static_cast<std::size_t>(rows));
              return column.data();
            }
          }};
}

template <std::size_t I>
Column error_column() {
  constexpr Measure kMeasure = static_cast<Measure>(I);
  const MeasureInfo& info = measures()[I];
  return {"solution/" + std::string(info.name),
          {},
          Type::float64,
          Count::frame,
          true,
          info.unit,
          info.question,
          [](const Record& record) -> Column::View {
            // Errors keeps its numbers in a row, so that the address of one may be handed on.
            return {&const_cast<Errors&>(record.answer.errors)[kMeasure], 1};
          },
          [](Record& record, Index) -> void* { return &record.answer.errors[kMeasure]; }};
}

template <std::size_t... I>
void add_errors(std::vector<Column>& list, std::index_sequence<I...>) {
  (list.push_back(error_column<I>()), ...);
}

constexpr auto kBodies = &Frame::bodies;
constexpr auto kContacts = &Frame::contacts;
constexpr auto kJoints = &Frame::joints;
constexpr auto kFrame = &Record::frame;
constexpr auto kAnswer = &Record::answer;
constexpr auto kTiming = &Record::timing;
constexpr auto kSystem = &Record::system;
constexpr bool kOptional = true, kMandatory = false;

void add_bodies(std::vector<Column>& list) {
  constexpr Count n = Count::body;
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add(at<kFrame, kBodies, &Bodies::forces>(
      "bodies/forces", {6}, Type::float64, n, kMandatory, "N, N m",
      "external force and torque, gravity and gyroscopic terms included"));
  add(at<kFrame, kBodies, &Bodies::ids>("bodies/ids", {}, Type::int64, n, kMandatory, "",
                                        "unique in the frame; `pairs` name bodies by it"));
  add(at<kFrame, kBodies, &Bodies::inertia>("bodies/inertia", {3, 3}, Type::float64, n, kMandatory,
                                            "kg m^2", "world axes, about the centre of mass"));
  add(at<kFrame, kBodies, &Bodies::masses>("bodies/masses", {}, Type::float64, n, kMandatory, "kg",
                                           "0: fixed; its force and inertia are not read"));
  add(at<kFrame, kBodies, &Bodies::positions>("bodies/positions", {3}, Type::float64, n, kMandatory,
                                              "m", "centre of mass"));
  add(at<kFrame, kBodies, &Bodies::quaternions>("bodies/quaternions", {4}, Type::float64, n,
                                                kMandatory, "", "orientation w, x, y, z; unit"));
  add(at<kFrame, kBodies, &Bodies::velocities>("bodies/velocities", {6}, Type::float64, n,
                                               kMandatory, "m/s, rad/s",
                                               "before the step; linear, angular"));
  add(at<kAnswer, &Answer::velocities_plus>("bodies/velocities_plus", {6}, Type::float64, n,
                                            kOptional, "m/s, rad/s",
                                            "after the step: the engine's result"));
}

void add_constraints(std::vector<Column>& list) {
  constexpr Count k = Count::joint, r = Count::joint_row;
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add(at<kFrame, kJoints, &Joints::jacobian>(
      "constraints/jacobian", {12}, Type::float64, r, kMandatory, "",
      "six columns for the first body of the joint, six for the second"));
  add(at<kFrame, kJoints, &Joints::bounds>(
      "constraints/bounds", {2}, Type::float64, r, kMandatory, "N s",
      "lowest and highest impulse; -inf, inf bilateral; 0, inf a limit; -tau h, tau h a motor"));
  add(at<kFrame, kJoints, &Joints::pairs>("constraints/pairs", {2}, Type::body_id, k, kMandatory,
                                          "", "ids of the first and second body"));
  add(at<kFrame, kJoints, &Joints::rows>(
      "constraints/rows", {}, Type::int64, k, kMandatory, "",
      "number of rows of the joint; joint rows are stored joint by joint"));
  add(at<kFrame, kJoints, &Joints::violation>("constraints/violation", {}, Type::float64, r,
                                              kMandatory, "m or rad",
                                              "Phi; for a limit the distance to it"));
  add(at<kFrame, kJoints, &Joints::rate>("constraints/rate", {}, Type::float64, r, kOptional,
                                         "m/s or rad/s",
                                         "dPhi/dt; a motor's target speed is -rate; else 0"));
  add(at<kFrame, kJoints, &Joints::cfm>("constraints/cfm", {}, Type::float64, r, kOptional, "1/kg",
                                        "compliance the engine adds to the diagonal"));
  add(at<kFrame, kJoints, &Joints::bias>("constraints/bias", {}, Type::float64, r, kOptional, "m/s",
                                         "the engine's c of the row"));
}

void add_contacts(std::vector<Column>& list) {
  constexpr Count m = Count::contact;
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add(at<kFrame, kContacts, &Contacts::gap>("contacts/gap", {}, Type::float64, m, kMandatory, "m",
                                            "psi: signed distance"));
  add(at<kFrame, kContacts, &Contacts::mu>("contacts/mu", {}, Type::float64, m, kMandatory, "",
                                           "coefficient of friction"));
  add(at<kFrame, kContacts, &Contacts::normals>(
      "contacts/normals", {3}, Type::float64, m, kMandatory, "",
      "n: unit, away from the surface of the first body"));
  add(at<kFrame, kContacts, &Contacts::pairs>("contacts/pairs", {2}, Type::body_id, m, kMandatory,
                                              "", "ids of the first and second body"));
  add(at<kFrame, kContacts, &Contacts::points>("contacts/points", {3}, Type::float64, m, kMandatory,
                                               "m",
                                               "r1: from the centre of mass of the first body"));
  add(at<kFrame, kContacts, &Contacts::points2>(
      "contacts/points2", {3}, Type::float64, m, kOptional, "m",
      "r2: from the centre of mass of the second body; else r2 = x1 + r1 + psi n - x2"));
  add(at<kFrame, kContacts, &Contacts::tangents>(
      "contacts/tangents", {6}, Type::float64, m, kOptional, "",
      "t and o, unit, orthogonal; always there when z is"));
  add(at<kFrame, kContacts, &Contacts::restitution>("contacts/restitution", {}, Type::float64, m,
                                                    kOptional, "", "e, 0 to 1; else 0"));
  add(at<kFrame, kContacts, &Contacts::cfm>("contacts/cfm", {3}, Type::float64, m, kOptional,
                                            "1/kg", "compliance the engine adds to rows n, t, o"));
  add(at<kFrame, kContacts, &Contacts::bias>("contacts/bias", {3}, Type::float64, m, kOptional,
                                             "m/s", "the engine's c of rows n, t, o"));
  add(at<kFrame, kContacts, &Contacts::friction_bounds>(
      "contacts/friction_bounds", {2}, Type::float64, m, kOptional, "N s",
      "the engine's fixed bounds of friction along t and o; inf: mu lambda_n"));
  add(at<kFrame, kContacts, &Contacts::ids>("contacts/ids", {}, Type::int64, m, kOptional, "",
                                            "to follow a contact from frame to frame"));
  add(at<kFrame, kContacts, &Contacts::group>(
      "contacts/group", {}, Type::int64, m, kOptional, "",
      "contacts that share a group >= 0 are alternatives; negative: ordinary"));
  add(at<kFrame, kContacts, &Contacts::rolling_mu>("contacts/rolling_mu", {}, Type::float64, m,
                                                   kOptional, "m", "recorded, not modelled"));
  add(at<kFrame, kContacts, &Contacts::torsional_mu>("contacts/torsional_mu", {}, Type::float64, m,
                                                     kOptional, "m", "recorded, not modelled"));
}

void add_solution(std::vector<Column>& list) {
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add(at<kAnswer, &Answer::z>("solution/z", {3}, Type::float64, Count::contact, kOptional, "N s",
                              "impulses along n, t, o on the second body"));
  add(at<kAnswer, &Answer::z_joints>("solution/z_joints", {}, Type::float64, Count::joint_row,
                                     kOptional, "N s", "impulses of the joint rows"));
  add(at<kAnswer, &Answer::slide_or_stick>("solution/slide_or_stick", {}, Type::int8,
                                           Count::contact, kOptional, "",
                                           "0 open, 1 stick, 2 slide"));
  add(at<kAnswer, &Answer::iterations>("solution/iterations", {}, Type::int64, Count::frame,
                                       kOptional, "", "of the engine's solver; negative: unknown"));
  add({"solution/answered",
       {},
       Type::answerer,
       Count::frame,
       kOptional,
       "",
       "who answered: a line of the root attribute `answerers`, from 0; negative: unknown",
       [](const Record&) -> Column::View {
         return {nullptr, 1};
       },
       [](Record&, Index) -> void* { return nullptr; }});
  add_errors(list, std::make_index_sequence<kMeasures>());
}

void add_frame_values(std::vector<Column>& list) {
  constexpr Count f = Count::frame;
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add(at<kTiming, &Timing::collision>("timing/collision", {}, Type::float64, f, kOptional, "s",
                                      "finding the contacts"));
  add(at<kTiming, &Timing::formulation>("timing/formulation", {}, Type::float64, f, kOptional, "s",
                                        "building the problem"));
  add(at<kTiming, &Timing::solver>("timing/solver", {}, Type::float64, f, kOptional, "s",
                                   "solving it"));
  add(at<kTiming, &Timing::total>("timing/total", {}, Type::float64, f, kOptional, "s",
                                  "the whole step"));
  add(at<kFrame, &Frame::step>("step", {}, Type::float64, f, kMandatory, "s", "h"));
  add(at<kFrame, &Frame::time>("time", {}, Type::float64, f, kMandatory, "s",
                               "at the beginning of the step"));
  static_assert(sizeof(Stepper) == 1);
  add(at<kFrame, &Frame::stepper>("stepper", {}, Type::int8, f, kOptional, "",
                                  "0 st, 1 ap; else the root attribute `stepper`"));
}

template <auto Which>
void add_matrix(std::vector<Column>& list, const std::string& letter, Count rows, Count entries,
                std::string_view unit, std::string_view meaning) {
  using Matrix = SystemColumns::Matrix;
  list.push_back(at<kSystem, Which, &Matrix::rows>("system/" + letter + "_rows", {}, Type::int64,
                                                   rows, kOptional, "",
                                                   "number of entries of each row"));
  list.push_back(at<kSystem, Which, &Matrix::columns>("system/" + letter + "_columns", {},
                                                      Type::int64, entries, kOptional, "",
                                                      "column of each entry, from 0"));
  list.push_back(at<kSystem, Which, &Matrix::values>(
      "system/" + letter + "_values", {}, Type::float64, entries, kOptional, unit, meaning));
}

void add_system(std::vector<Column>& list) {
  const auto add = [&](Column column) { list.push_back(std::move(column)); };
  add_matrix<&SystemColumns::M>(list, "M", Count::coordinate, Count::mass_entry, "kg, kg m^2",
                                "mass matrix of the generalized coordinates");
  add_matrix<&SystemColumns::J>(list, "J", Count::system_row, Count::jacobian_entry, "",
                                "Jacobian: rows n, t, o of each contact, then joint rows");
  add_matrix<&SystemColumns::A>(list, "A", Count::system_row, Count::matrix_entry, "1/kg",
                                "J M^-1 J^T, where M and J are not known");
  add(at<kSystem, &SystemColumns::v>("system/v", {}, Type::float64, Count::coordinate, kOptional,
                                     "m/s, rad/s", "generalized velocities before the step"));
  add(at<kSystem, &SystemColumns::f>("system/f", {}, Type::float64, Count::coordinate, kOptional,
                                     "N, N m", "generalized forces"));
  add(at<kSystem, &SystemColumns::b>("system/b", {}, Type::float64, Count::system_row, kOptional,
                                     "m/s", "y = A lambda + b"));
  add(at<kSystem, &SystemColumns::mu>("system/mu", {}, Type::float64, Count::system_contact,
                                      kOptional, "", "coefficient of friction"));
  add(at<kSystem, &SystemColumns::bounds>("system/bounds", {2}, Type::float64,
                                          Count::system_joint_row, kOptional, "N s",
                                          "lowest and highest impulse of the joint rows"));
}

std::string rows_text(Index rows) {
  std::string text = std::to_string(rows);
  text += rows == 1 ? " row" : " rows";
  return text;
}

}  // namespace

std::string_view name(Type type) {
  switch (type) {
    case Type::float64:
      return "float64";
    case Type::int8:
      return "int8";
    default:
      return "int64";
  }
}

std::size_t bytes(Type type) { return type == Type::int8 ? 1 : 8; }

hid_t file_type(Type type) {
  return type == Type::float64 ? H5T_IEEE_F64LE : type == Type::int8 ? H5T_STD_I8LE : H5T_STD_I64LE;
}

hid_t memory_type(Type type) {
  return type == Type::float64 ? H5T_NATIVE_DOUBLE
         : type == Type::int8  ? H5T_NATIVE_INT8
                               : H5T_NATIVE_INT64;
}

const void* absent_value(Type type) {
  static constexpr double kReal = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::int64_t kInteger = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int8_t kByte = -1;
  if (type == Type::float64) return &kReal;
  if (type == Type::int8) return &kByte;
  return &kInteger;
}

std::size_t Column::numbers() const {
  std::size_t n = 1;
  for (hsize_t w : width) n *= static_cast<std::size_t>(w);
  return n;
}

std::string Column::shape() const {
  constexpr std::string_view kLetters[] = {"N", "K", "R",  "M",  "V",  "S",
                                           "C", "Q", "Em", "Ej", "Ea", "F"};
  std::string text = "(";
  text += kLetters[static_cast<std::size_t>(count)];
  for (hsize_t w : width) text += ", " + std::to_string(w);
  return text + ")";
}

std::span<const Column> columns() {
  static const std::vector<Column> kColumns = [] {
    std::vector<Column> list;
    add_bodies(list);
    add_constraints(list);
    add_contacts(list);
    add_solution(list);
    add_frame_values(list);
    add_system(list);
    return list;
  }();
  return kColumns;
}

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
    if (rows != counts[by] && !(column.optional && rows == 0))
      throw InputError(where + ": /" + column.name + ": has " + rows_text(rows) + ", expected " +
                       std::to_string(counts[by]));
  }
  return counts;
}

bool is_absent(const Column& column, const void* data, Index rows) {
  const std::size_t size = static_cast<std::size_t>(rows) * column.numbers();
  const auto all = [&](const auto* values, auto absent) {
    for (std::size_t i = 0; i < size; ++i)
      if (!absent(values[i])) return false;
    return true;
  };
  switch (column.type) {
    case Type::float64:
      return all(static_cast<const double*>(data), [](double x) { return std::isnan(x); });
    case Type::int8:
      return all(static_cast<const std::int8_t*>(data), [](std::int8_t x) { return x == -1; });
    default:
      return all(static_cast<const std::int64_t*>(data),
                 [](std::int64_t x) { return x == std::numeric_limits<std::int64_t>::min(); });
  }
}

bool lacks(const Column& column, const Column::View& view, const Record& record, Stepper stepper) {
  if (!column.optional) return false;
  if (column.count != Count::frame) return view.rows == 0;
  if (column.type == Type::answerer) return record.answer.answered.empty();
  if (column.type == Type::int64) return *static_cast<const std::int64_t*>(view.data) < 0;
  if (column.type == Type::int8) return record.frame.stepper == stepper;
  return is_absent(column, view.data, view.rows);
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

Integers ids_of_pairs(const Bodies& bodies, const Pairs& pairs, const std::string& where,
                      const Column& column) {
  Integers ids(static_cast<std::size_t>(pairs.size()));
  for (Index i = 0; i < pairs.size(); ++i) {
    const std::int64_t body = pairs.data()[i];
    if (body < 0 || body >= static_cast<std::int64_t>(bodies.ids.size()))
      throw InputError(where + ": /" + column.name + ": row " + std::to_string(i / 2) +
                       " names body " + std::to_string(body) + " of " +
                       std::to_string(bodies.ids.size()));
    ids[static_cast<std::size_t>(i)] = bodies.ids[static_cast<std::size_t>(body)];
  }
  return ids;
}

void indices_of_pairs(const Bodies& bodies, Pairs& pairs, const std::string& where,
                      const Column& column) {
  const std::int64_t n = static_cast<std::int64_t>(bodies.ids.size());
  // Engines mostly number their bodies in a row, and then no table is needed.
  bool in_a_row = true;
  for (std::int64_t i = 0; in_a_row && i < n; ++i)
    in_a_row = bodies.ids[static_cast<std::size_t>(i)] == i;
  std::unordered_map<std::int64_t, std::int64_t> row;
  if (!in_a_row && pairs.size())
    for (std::int64_t i = 0; i < n; ++i) row.emplace(bodies.ids[static_cast<std::size_t>(i)], i);
  for (Index i = 0; i < pairs.size(); ++i) {
    std::int64_t& body = pairs.data()[i];
    if (in_a_row && body >= 0 && body < n) continue;
    const auto found = row.find(body);
    if (found == row.end())
      throw InputError(where + ": /" + column.name + ": row " + std::to_string(i / 2) +
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
  if (place < 0) return;
  if (place >= static_cast<std::int64_t>(names.size()))
    throw InputError(where + ": /solution/answered: is " + std::to_string(place) +
                     ", but the attribute answerers has " + std::to_string(names.size()) +
                     (names.size() == 1 ? " name" : " names"));
  answer.answered = names[static_cast<std::size_t>(place)];
}

std::span<const Attribute> attributes() {
  static const std::array<Attribute, 7> kAttributes{{
      {"engine", &Header::engine, "who made the frames"},
      {"engine_version", &Header::engine_version, "its version"},
      {"scene", &Header::scene, "what was simulated"},
      {"created", &Header::created, "when, ISO 8601"},
      {"units", &Header::units, "always \"SI\""},
      {"friction_model", &Header::friction_model, "what the engine solves, e.g. \"coulomb\""},
      {"omitted", &Header::omitted, "what the engine could not tell"},
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
