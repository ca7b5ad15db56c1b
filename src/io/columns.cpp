// The list of what a record holds: HDF5, JSON lines, perpend_record.h, info, validate, rerun and
// docs/format.md follow it. scripts/columns.py is run after a change.
#include "perpend/io/columns.hpp"

#include <type_traits>
#include <utility>

namespace perpend::io {
namespace {

// ---- how a line of the list is made ----

struct Cells {
  Type type;
  std::array<int, 2> width{};
};
constexpr Cells real(int a = 0, int b = 0) { return {Type::float64, {a, b}}; }
constexpr Cells whole(int a = 0) { return {Type::int64, {a, 0}}; }
constexpr Cells kWhole = whole(), kByte{Type::int8}, kBodyIds{Type::body_id, {2, 0}};

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

constexpr auto kFrame = &Record::frame;
constexpr auto kAnswer = &Record::answer;
constexpr auto kTiming = &Record::timing;
constexpr auto kSystem = &Record::system;

template <auto First>
constexpr About about_of() {
  if constexpr (std::is_same_v<decltype(First), Answer Record::*>)
    return About::answer;
  else if constexpr (std::is_same_v<decltype(First), Timing Record::*>)
    return About::clock;
  else if constexpr (std::is_same_v<decltype(First), SystemColumns Record::*>)
    return About::system;
  else if constexpr (std::is_same_v<decltype(First), ModelColumns Record::*> ||
                     std::is_same_v<decltype(First), std::vector<EventText> Record::*>)
    return About::file;
  else
    return About::asked;
}

template <auto... Path>
Column::View look_at(const Column&, const Record& record) {
  const auto& column = follow<Path...>(record);
  if constexpr (kSingle<decltype(column)>)
    return {&column, 1};
  else if constexpr (requires { column.rows(); })
    return {column.data(), column.rows()};
  else
    return {column.data(), static_cast<Index>(column.size())};
}

template <auto... Path>
void* make_at(const Column&, Record& record, Index rows) {
  auto& column = follow<Path...>(record);
  if constexpr (kSingle<decltype(column)>) {
    return &column;
  } else if constexpr (requires { column.cols(); }) {
    column.resize(rows, column.cols());
    return column.data();
  } else {
    column.resize(static_cast<std::size_t>(rows));
    return column.data();
  }
}

// A column with a member of its own; the path leads to it from the Record.
template <auto First, auto... Rest>
struct At {
  constexpr Column operator()(std::string_view name, Cells cells, Count count, Needed needed,
                              Values values, std::string_view unit, std::string_view meaning,
                              Order order = {}) const {
    return {name,
            cells.type,
            cells.width,
            count,
            needed,
            values,
            unit,
            meaning,
            order,
            about_of<First>(),
            look_at<First, Rest...>,
            make_at<First, Rest...>};
  }
};
template <auto... Path>
constexpr At<Path...> at{};
template <auto Member>
constexpr At<kFrame, &Frame::bodies, Member> body{};
template <auto Member>
constexpr At<kFrame, &Frame::contacts, Member> contact{};
template <auto Member>
constexpr At<kFrame, &Frame::joints, Member> joint{};
template <auto Member>
constexpr At<kAnswer, Member> answer{};
template <auto Member>
constexpr At<kTiming, Member> timing{};
template <auto... Path>
constexpr At<kSystem, Path...> system{};
template <auto Member>
constexpr At<&Record::model, Member> model{};

// An optional column of numbers that is recorded and handed on, and that nothing computes with.
[[maybe_unused]] constexpr Column kept(std::string_view name, Cells cells, Count count,
                                       Values values, std::string_view unit,
                                       std::string_view meaning) {
  return {
      name,
      cells.type,
      cells.width,
      count,
      Needed::never,
      values,
      unit,
      meaning,
      {},
      About::asked,
      [](const Column& column, const Record& record) -> Column::View {
        const auto found = record.more.find(column.name);
        if (found == record.more.end()) return {nullptr, 0};
        return {found->second.data(), found->second.size() / static_cast<Index>(column.numbers())};
      },
      [](const Column& column, Record& record, Index rows) -> void* {
        if (rows == 0) return record.more.erase(std::string(column.name)), nullptr;
        VectorXd& numbers = record.more[std::string(column.name)];
        numbers.resize(rows * static_cast<Index>(column.numbers()));
        return numbers.data();
      }};
}

// Who answered is a name in memory: layouts and JSON lines know it by its type.
constexpr Column answered(std::string_view meaning, Order order) {
  return {"solution/answered",
          Type::answerer,
          {},
          Count::frame,
          Needed::never,
          Values::any,
          "",
          meaning,
          order,
          About::answer,
          [](const Column&, const Record&) -> Column::View {
            return {nullptr, 1};
          },
          [](const Column&, Record&, Index) -> void* { return nullptr; }};
}

constexpr Needed always = Needed::always, in_files = Needed::in_files, never = Needed::never;
using enum Values;
constexpr Count n = Count::body, k = Count::joint, r = Count::joint_row, m = Count::contact,
                f = Count::frame;
using Matrix = SystemColumns::Matrix;

// ---- the list, in the order of the datasets ----
// clang-format off

constexpr std::array kFrameAndAnswer{
    body<&Bodies::forces>("bodies/forces", real(6), n, in_files, moving, "N, N m",
        "external force and torque, gravity and gyroscopic terms included", {7, 7}),
    body<&Bodies::ids>("bodies/ids", kWhole, n, in_files, any, "",
        "unique in the frame; `pairs` name bodies by it", {1, 1}),
    body<&Bodies::inertia>("bodies/inertia", real(3, 3), n, always, moving, "kg m^2",
        "world axes, about the centre of mass", {3, 3}),
    body<&Bodies::masses>("bodies/masses", real(), n, always, size, "kg",
        "0: fixed; its force and inertia are not read", {2, 2}),
    body<&Bodies::positions>("bodies/positions", real(3), n, always, finite, "m",
        "centre of mass", {4, 4}),
    body<&Bodies::quaternions>("bodies/quaternions", real(4), n, in_files, finite, "",
        "orientation w, x, y, z; unit", {5, 5}),
    body<&Bodies::velocities>("bodies/velocities", real(6), n, in_files, finite, "m/s, rad/s",
        "before the step; linear, angular", {6, 6}),
    answer<&Answer::velocities_plus>("bodies/velocities_plus", real(6), n, never, finite,
        "m/s, rad/s", "after the step: the engine's result", {0, 1}),

    joint<&Joints::jacobian>("constraints/jacobian", real(12), r, always, finite, "",
        "six columns for the first body of the joint, six for the second", {3, 3}),
    joint<&Joints::bounds>("constraints/bounds", real(2), r, always, range, "N s",
        "lowest and highest impulse; -inf, inf bilateral; 0, inf a limit; -tau h, tau h a motor",
        {4, 4}),
    joint<&Joints::pairs>("constraints/pairs", kBodyIds, k, always, any, "",
        "ids of the first and second body", {1, 1}),
    joint<&Joints::rows>("constraints/rows", kWhole, k, always, any, "",
        "number of rows of the joint; joint rows are stored joint by joint", {2, 2}),
    joint<&Joints::violation>("constraints/violation", real(), r, always, finite, "m or rad",
        "Phi; for a limit the distance to it", {5, 5}),
    joint<&Joints::rate>("constraints/rate", real(), r, never, finite, "m/s or rad/s",
        "dPhi/dt; a motor's target speed is -rate; else 0"),
    joint<&Joints::compliance>("constraints/compliance", real(), r, never, size, "1/kg or 1/(kg m^2)",
        "of springs, dampers and servos: compliance * lambda is part of the row's velocity; else 0"),
    joint<&Joints::cfm>("constraints/cfm", real(), r, never, size, "1/kg",
        "compliance the engine adds to the diagonal"),
    joint<&Joints::bias>("constraints/bias", real(), r, never, finite, "m/s",
        "the engine's c of the row"),
    at<&Record::joint_ids>("constraints/ids", kWhole, k, never, any, "",
        "which joint it is: one of `/model/joint_ids`; negative: none of them"),
    joint<&Joints::pairs2>("constraints/pairs2", kBodyIds, k, never, any, "",
        "second pair of bodies, of a joint that follows another; else as in `pairs`"),
    joint<&Joints::jacobian2>("constraints/jacobian2", real(12), r, never, finite, "",
        "of `pairs2`: six columns for each body; else 0"),

    contact<&Contacts::gap>("contacts/gap", real(), m, always, finite, "m",
        "psi: signed distance", {4, 4}),
    contact<&Contacts::mu>("contacts/mu", real(), m, always, size, "",
        "coefficient of friction", {5, 5}),
    contact<&Contacts::normals>("contacts/normals", real(3), m, always, finite, "",
        "n: unit, away from the surface of the first body", {2, 2}),
    contact<&Contacts::pairs>("contacts/pairs", kBodyIds, m, always, any, "",
        "ids of the first and second body", {1, 1}),
    contact<&Contacts::points>("contacts/points", real(3), m, always, finite, "m",
        "r1: from the centre of mass of the first body", {3, 3}),
    contact<&Contacts::points2>("contacts/points2", real(3), m, never, finite, "m",
        "r2: from the centre of mass of the second body; else r2 = x1 + r1 + psi n - x2", {6, 6}),
    contact<&Contacts::tangents>("contacts/tangents", real(6), m, never, finite, "",
        "t and o, unit, orthogonal; always there when z is", {7, 7}),
    contact<&Contacts::restitution>("contacts/restitution", real(), m, never, share, "",
        "e, 0 to 1; else 0", {8, 8}),
    contact<&Contacts::cfm>("contacts/cfm", real(3), m, never, size, "1/kg",
        "compliance the engine adds to rows n, t, o", {9, 14}),
    contact<&Contacts::bias>("contacts/bias", real(3), m, never, finite, "m/s",
        "the engine's c of rows n, t, o", {10, 13}),
    contact<&Contacts::friction_bounds>("contacts/friction_bounds", real(2), m, never, bound, "N s",
        "the engine's fixed bounds of friction along t and o; inf: mu lambda_n", {11, 15}),
    contact<&Contacts::ids>("contacts/ids", kWhole, m, never, any, "",
        "to follow a contact from frame to frame", {12, 10}),
    contact<&Contacts::group>("contacts/group", kWhole, m, never, group, "",
        "contacts that share a group >= 0 are alternatives; negative: ordinary", {13, 9}),
    contact<&Contacts::rolling_mu>("contacts/rolling_mu", real(), m, never, size, "m",
        "recorded, not modelled", {14, 11}),
    contact<&Contacts::torsional_mu>("contacts/torsional_mu", real(), m, never, size, "m",
        "recorded, not modelled", {15, 12}),
    contact<&Contacts::push>("contacts/push", real(), m, never, finite, "m",
        "the gap that the step was asked for in place of psi"),
    contact<&Contacts::surface_velocity>("contacts/surface_velocity", real(3), m, never, finite,
        "m/s", "s: of the second surface relative to the first, beside the bodies' motion (a belt); else 0"),
#ifdef PERPEND_TEST_COLUMN  // tests/record/columns_test.py
    kept("contacts/wear", real(2), m, size, "kg", "a column of the tests: recorded, not modelled"),
#endif

    answer<&Answer::z>("solution/z", real(3), m, never, finite, "N s",
        "impulses along n, t, o on the second body", {1, 2}),
    answer<&Answer::z_joints>("solution/z_joints", real(), r, never, finite, "N s",
        "impulses of the joint rows", {2, 3}),
    answer<&Answer::slide_or_stick>("solution/slide_or_stick", kByte, m, never, state, "",
        "0 open, 1 stick, 2 slide", {3, 6}),
    answer<&Answer::iterations>("solution/iterations", kWhole, f, never, any, "",
        "of the engine's solver; negative: unknown", {4, 4}),
    answered("who answered: a line of the root attribute `answerers`, from 0; negative: unknown",
        {5, 5}),
};
// Here come the errors: one for each of measures().
constexpr std::array kTimesAndSystem{
    timing<&Timing::collision>("timing/collision", real(), f, never, any, "s",
        "finding the contacts"),
    timing<&Timing::formulation>("timing/formulation", real(), f, never, any, "s",
        "building the problem"),
    timing<&Timing::solver>("timing/solver", real(), f, never, any, "s", "solving it"),
    timing<&Timing::total>("timing/total", real(), f, never, any, "s", "the whole step"),
    at<kFrame, &Frame::step>("step", real(), f, always, any, "s", "h"),
    at<kFrame, &Frame::time>("time", real(), f, in_files, finite, "s",
        "at the beginning of the step"),
    at<kFrame, &Frame::stepper>("stepper", Cells{Type::stepper}, f, never, any, "",
        "0 st, 1 ap; else the root attribute `stepper`"),

    system<&SystemColumns::M, &Matrix::rows>("system/M_rows", kWhole, Count::coordinate, never, any,
        "", "number of entries of each row", {1, 0}),
    system<&SystemColumns::M, &Matrix::columns>("system/M_columns", kWhole, Count::mass_entry,
        never, any, "", "column of each entry, from 0", {2, 0}),
    system<&SystemColumns::M, &Matrix::values>("system/M_values", real(), Count::mass_entry, never,
        finite, "kg, kg m^2", "mass matrix of the generalized coordinates", {7, 0}),
    system<&SystemColumns::J, &Matrix::rows>("system/J_rows", kWhole, Count::system_row, never, any,
        "", "number of entries of each row", {3, 0}),
    system<&SystemColumns::J, &Matrix::columns>("system/J_columns", kWhole, Count::jacobian_entry,
        never, any, "", "column of each entry, from 0", {4, 0}),
    system<&SystemColumns::J, &Matrix::values>("system/J_values", real(), Count::jacobian_entry,
        never, finite, "", "Jacobian: rows n, t, o of each contact, then joint rows", {8, 0}),
    system<&SystemColumns::A, &Matrix::rows>("system/A_rows", kWhole, Count::system_row, never, any,
        "", "number of entries of each row", {5, 0}),
    system<&SystemColumns::A, &Matrix::columns>("system/A_columns", kWhole, Count::matrix_entry,
        never, any, "", "column of each entry, from 0", {6, 0}),
    system<&SystemColumns::A, &Matrix::values>("system/A_values", real(), Count::matrix_entry,
        never, finite, "1/kg", "J M^-1 J^T, where M and J are not known", {9, 0}),
    system<&SystemColumns::v>("system/v", real(), Count::coordinate, never, finite, "m/s, rad/s",
        "generalized velocities before the step"),
    system<&SystemColumns::f>("system/f", real(), Count::coordinate, never, finite, "N, N m",
        "generalized forces"),
    system<&SystemColumns::b>("system/b", real(), Count::system_row, never, finite, "m/s",
        "y = A lambda + b"),
    system<&SystemColumns::mu>("system/mu", real(), Count::system_contact, never, size, "",
        "coefficient of friction"),
    system<&SystemColumns::bounds>("system/bounds", real(2), Count::system_joint_row, never, range,
        "N s", "lowest and highest impulse of the joint rows"),
};

using Mc = ModelColumns;
constexpr std::array kOfTheFile{
    model<&Mc::body_ids>("model/body_ids", kWhole, Count::model_body, never, any, "",
        "as in `/bodies/ids`"),
    model<&Mc::body_names>("model/body_names", Cells{Type::name}, Count::model_body, never, any, "",
        "of at most 64 bytes"),
    model<&Mc::vertices>("model/vertices", real(3), Count::vertex, never, finite, "m",
        "of hulls and meshes, in the frame of the shape"),
    model<&Mc::triangles>("model/triangles", whole(3), Count::triangle, never, any, "",
        "three vertices, from 0 for the first one of the shape; counter-clockwise from outside"),
    model<&Mc::shape_bodies>("model/shape_bodies", kWhole, Count::shape, never, any, "",
        "id of its body, which may have several"),
    model<&Mc::shape_kinds>("model/shape_kinds", Cells{Type::kind}, Count::shape, never, any, "",
        "0 box, 1 sphere, 2 cylinder, 3 cone, 4 capsule, 5 hull, 6 mesh, 7 plane"),
    model<&Mc::shape_poses>("model/shape_poses", real(7), Count::shape, never, finite, "m",
        "position and quaternion w, x, y, z relative to the body's"),
    model<&Mc::shape_sizes>("model/shape_sizes", real(3), Count::shape, never, size, "m",
        "half extents of a box; radius; radius and height, of a capsule between its caps; else 0"),
    model<&Mc::shape_meshes>("model/shape_meshes", whole(4), Count::shape, never, any, "",
        "hull, mesh: first vertex, their number, first triangle, their number; else 0"),
    model<&Mc::joint_ids>("model/joint_ids", kWhole, Count::model_joint, never, any, "",
        "as in `/constraints/ids`"),
    model<&Mc::joint_names>("model/joint_names", Cells{Type::name}, Count::model_joint, never, any,
        "", "of at most 64 bytes"),
    at<&Record::events>("events", Cells{Type::event}, Count::event, never, any, "",
        "what hands did, in order: JSON objects as in a hand file, of at most 512 bytes"),
};

// clang-format on
static_assert(sizeof(Stepper) == 1 && sizeof(ModelColumns::Kind) == 1);
static_assert(sizeof(NameText) == 64 && sizeof(EventText) == 512);

template <std::size_t I>
Column error_column() {
  static const std::string kName = "solution/" + std::string(measures()[I].name);
  constexpr Measure kMeasure = static_cast<Measure>(I);
  return {kName,
          Type::float64,
          {},
          Count::frame,
          Needed::never,
          Values::any,
          measures()[I].unit,
          measures()[I].question,
          {},
          About::error,
          [](const Column&, const Record& record) -> Column::View {
            // Errors keeps its numbers in a row, so that the address of one may be handed on.
            return {&const_cast<Errors&>(record.answer.errors)[kMeasure], 1};
          },
          [](const Column&, Record& record, Index) -> void* {
            return &record.answer.errors[kMeasure];
          }};
}

template <std::size_t... I>
std::vector<Column> joined(std::index_sequence<I...>) {
  std::vector<Column> list(kFrameAndAnswer.begin(), kFrameAndAnswer.end());
  (list.push_back(error_column<I>()), ...);
  list.insert(list.end(), kTimesAndSystem.begin(), kTimesAndSystem.end());
  return list;
}

}  // namespace

std::span<const Column> columns() {
  static const std::vector<Column> kColumns = joined(std::make_index_sequence<kMeasures>());
  return kColumns;
}

std::span<const Column> file_columns() { return kOfTheFile; }

}  // namespace perpend::io
