// Which end of its range a limit is does not stand in a frame: its row is the same for a hinge that
// is built the other way round. It is told by what is beside it:
//
//   a motor, drive or friction row along the same coordinate, whose Jacobian is dq/dx: a limit that
//     pushes q up is the lower one;
//   how the recorder writes limits:
//     bounds_tell     DART, ODE: the Jacobian is dq/dx; (0, inf) is the lower limit, (-inf, 0) the
//                     upper one
//     first_is_lower  MuJoCo: of two limits of one coordinate the first is the lower one
//     axis_tells      perpend simulate: the same; and q turns about, or goes along, the cross
//     product
//                     of the two other rotations (translations) that the joint locks
#include "perpend/io/names.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "perpend/base.hpp"
#include "perpend/frame/rotation.hpp"
#include "perpend/io/files.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend::io {
namespace {

constexpr double kParallel = 1 - 1e-9;  // of a cosine
constexpr double kAlong = 1e-6;         // of a sine
constexpr std::int64_t kWorld = -1;
constexpr const char* kWorldName = "the world";

using Jacobian = Eigen::Matrix<double, 1, 12>;

Jacobian jacobian(const Frame& frame, Index row) { return frame.joints.jacobian.row(row); }

bool is_locked(const Frame& frame, Index row) {
  const Joints& j = frame.joints;
  return std::isinf(j.bounds(row, 0)) && std::isinf(j.bounds(row, 1)) &&
         !(j.compliance.size() > 0 && j.compliance[row] > 0);
}
bool is_one_sided(const Frame& frame, Index row) {
  return std::isinf(frame.joints.bounds(row, 0)) != std::isinf(frame.joints.bounds(row, 1));
}

double cosine(const Jacobian& a, const Jacobian& b) {
  const double size = a.norm() * b.norm();
  return size > 0 ? a.dot(b) / size : 0;
}

// Direction of a row, as the second body moves against the first; zero: it has none.
Vector3d direction(const Jacobian& j) {
  const int at = turns(j.head<6>(), j.tail<6>()) ? 3 : 0;
  const Vector3d second = j.segment<3>(6 + at).transpose();
  return second.isZero(0) ? Vector3d(-j.segment<3>(at).transpose()) : second;
}

// "x", "rotation about y", "translation".
std::string told_direction(const Jacobian& j) {
  const Vector3d d = direction(j);
  const bool rotation = turns(j.head<6>(), j.tail<6>());
  for (Index k = 0; k < 3; ++k)
    if (d.cross(Vector3d::Unit(k)).norm() <= kAlong * d.norm() && d.norm() > 0)
      return (rotation ? "rotation about " : "") + std::string(1, "xyz"[k]);
  return rotation ? "rotation" : "translation";
}

std::string word(RowKind kind) {
  static constexpr std::array<std::string_view, 7> kWords{
      "row", "lower limit", "upper limit", "limit", "drive", "motor", "friction or brake"};
  return std::string(name_in(kWords, kind));
}

}  // namespace

Names::Names(const ModelColumns& model, const Header& header) : Names(model) {
  if (header.engine == "dart" || header.engine == "ode")
    limits_ = Limits::bounds_tell;
  else if (header.engine == "mujoco")
    limits_ = Limits::first_is_lower;
  else if (header.engine == "perpend" && !header.simulate.empty())
    limits_ = Limits::axis_tells;
}

void Names::add(const ModelColumns& model) {
  add(bodies_, model.body_ids, model.body_names);
  add(joints_, model.joint_ids, model.joint_names);
}

void Names::add(Table& table, const Integers& ids, const std::vector<NameText>& names) {
  for (std::size_t i = 0; i < std::min(ids.size(), names.size()); ++i) {
    std::string text = printable(names[i].str());
    if (text.empty()) continue;
    const auto [found, first] = table.names.emplace(ids[i], std::move(text));
    if (first) ++table.uses[found->second];
  }
}

std::string Names::told(const Table& table, const char* what, std::int64_t id) {
  std::string number = what + std::to_string(id);
  const auto found = table.names.find(id);
  if (found == table.names.end()) return number;
  return table.uses.at(found->second) > 1 ? found->second + " (" + number + ")" : found->second;
}

std::string Names::body(std::int64_t id) const {
  return id == kWorld && !names_body(id) ? kWorldName : told(bodies_, "body ", id);
}

Integers Names::bodies_called(const std::string& name) const {
  Integers out = called(bodies_, "body ", name);
  if (out.empty() && name == kWorldName) out.push_back(kWorld);
  return out;
}

Integers Names::called(const Table& table, const std::string& what, const std::string& name) {
  Integers out;
  for (const auto& [id, text] : table.names)
    if (text == name || text + " (" + what + std::to_string(id) + ")" == name) out.push_back(id);
  std::sort(out.begin(), out.end());
  if (!out.empty() || !name.starts_with(what)) return out;
  std::int64_t id = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + what.size(), end, id);
  if (read.ec == std::errc() && read.ptr == end) out.push_back(id);
  return out;
}

std::string FrameNames::body(Index row) const {
  if (row < 0 || row >= static_cast<Index>(frame_.bodies.ids.size())) return "no body";
  return names_.body(frame_.bodies.ids[static_cast<std::size_t>(row)]);
}

std::string FrameNames::pair(std::int64_t first, std::int64_t second) const {
  return body(first) + " and " + body(second);
}

std::string FrameNames::contact(Index row) const {
  std::string number = "contact " + std::to_string(row);
  if (row >= frame_.contacts.count()) return number;
  return number + " of " + pair(frame_.contacts.pairs(row, 0), frame_.contacts.pairs(row, 1));
}

std::string FrameNames::joint(Index joint) const {
  const auto at = static_cast<std::size_t>(joint);
  const bool known = at < joint_ids_.size() && joint_ids_[at] >= 0;
  const std::int64_t id = known ? joint_ids_[at] : joint;
  if (known && names_.names_joint(id)) return names_.joint(id);
  std::string number = "joint " + std::to_string(id);
  if (joint >= frame_.joints.count()) return number;
  const std::int64_t first = frame_.joints.pairs(joint, 0), second = frame_.joints.pairs(joint, 1);
  const auto named = [&](std::int64_t row) {
    const auto place = static_cast<std::size_t>(row);
    return place < frame_.bodies.ids.size() && names_.names_body(frame_.bodies.ids[place]);
  };
  return named(first) || named(second) ? number + " of " + pair(first, second) : number;
}

FrameNames::Range FrameNames::rows_of(Index row) const {
  Range range;
  for (Index joint = 0; joint < frame_.joints.count(); ++joint) {
    range.count = frame_.joints.rows[static_cast<std::size_t>(joint)];
    if (row < range.first + range.count) {
      range.joint = joint;
      break;
    }
    range.first += range.count;
  }
  return range;
}

Index FrameNames::joint_of(Index row) const { return rows_of(row).joint; }

RowKind FrameNames::kind(Index row) const { return kind(rows_of(row), row); }

RowKind FrameNames::kind(const Range& range, Index row) const {
  const Joints& j = frame_.joints;
  if (is_one_sided(frame_, row)) return end_of_limit(range, row);
  if (j.compliance.size() > 0 && j.compliance[row] > 0) return RowKind::drive;
  if (is_locked(frame_, row)) return RowKind::locked;
  const bool driven = j.violation[row] != 0 || (j.rate.size() > 0 && j.rate[row] != 0);
  return driven ? RowKind::motor : RowKind::friction;
}

RowKind FrameNames::end_of_limit(const Range& range, Index row) const {
  const bool pushes_back = std::isinf(frame_.joints.bounds(row, 0));
  const Jacobian push = (pushes_back ? -1 : 1) * jacobian(frame_, row);
  const auto end = [](bool lower) { return lower ? RowKind::lower_limit : RowKind::upper_limit; };
  Index other_limit = -1;
  std::vector<Vector3d> locked;  // directions of the same sort
  for (Index r = range.first; r < range.first + range.count; ++r) {
    if (r == row) continue;
    const Jacobian other = jacobian(frame_, r);
    const double along = cosine(push, other);
    if (is_locked(frame_, r)) {
      if (turns(other.head<6>(), other.tail<6>()) == turns(push.head<6>(), push.tail<6>()))
        locked.push_back(direction(other));
    } else if (is_one_sided(frame_, r)) {
      const double against = std::isinf(frame_.joints.bounds(r, 0)) ? -along : along;
      if (against < -kParallel) other_limit = r;
    } else if (std::abs(along) > kParallel) {
      return end(along > 0);
    }
  }
  if (names_.limits() == Names::Limits::unknown) return RowKind::limit;
  if (names_.limits() == Names::Limits::bounds_tell) return end(!pushes_back);
  if (other_limit >= 0) return end(row < other_limit);
  if (names_.limits() == Names::Limits::axis_tells && locked.size() == 2)
    return end(locked[0].cross(locked[1]).dot(direction(push)) > 0);
  return RowKind::limit;
}

std::string FrameNames::joint_row(Index row) const {
  const Range range = rows_of(row);
  if (range.joint < 0) return "joint row " + std::to_string(row);
  const RowKind own = kind(range, row);
  Index number = 0, alike = 0;
  for (Index r = range.first; r < range.first + range.count; ++r) {
    if (kind(range, r) != own) continue;
    ++alike;
    if (r <= row) number = alike;
  }
  std::string out = joint(range.joint) + ", " + word(own);
  if (own == RowKind::locked || alike > 1)
    out += " " + std::to_string(number) + " of " + std::to_string(alike) + " (" +
           told_direction(jacobian(frame_, row)) + ")";
  return out;
}

std::string FrameNames::unit(const System& system, Index unit) const {
  if (unit >= system.contacts()) return joint_row(unit - system.contacts());
  const auto at = static_cast<std::size_t>(unit);
  return contact(at < system.frame_contact.size() ? system.frame_contact[at] : unit);
}

std::string FrameNames::row_of(Of what, Index row) const {
  const Joints& j = frame_.joints;
  if (row < 0) return {};
  switch (what) {
    case Of::body:
      return row < static_cast<Index>(frame_.bodies.ids.size()) ? body(row) : std::string();
    case Of::contact:
      return row < frame_.contacts.pairs.rows() ? contact(row) : std::string();
    case Of::joint:
      return row < j.pairs.rows() ? joint(row) : std::string();
    case Of::joint_row:
      break;
  }
  const Index rows = std::accumulate(j.rows.begin(), j.rows.end(), Index{0});
  const auto fits = [&](Index size) { return size == rows; };
  const bool whole = static_cast<Index>(j.rows.size()) == j.pairs.rows() && row < rows &&
                     *std::min_element(j.rows.begin(), j.rows.end()) >= 0 &&
                     fits(j.jacobian.rows()) && fits(j.bounds.rows()) && fits(j.violation.size()) &&
                     (j.rate.size() == 0 || fits(j.rate.size())) &&
                     (j.compliance.size() == 0 || fits(j.compliance.size()));
  return whole ? joint_row(row) : std::string();
}

Worst worst(const System& system, const Impulses& impulses, const FrameNames& names) {
  Worst out;
  if (system.rows() == 0 || impulses.size() != system.rows()) return out;
  const VectorXd errors = velocity_errors(system, impulses);
  out.residual = errors.maxCoeff<Eigen::PropagateNaN>(&out.unit);
  out.where = names.unit(system, out.unit);
  if (out.unit < system.contacts()) {
    const auto at = static_cast<std::size_t>(out.unit);
    out.contact = at < system.frame_contact.size() ? system.frame_contact[at] : out.unit;
    return out;
  }
  out.joint_row = out.unit - system.contacts();
  if (const auto* space = std::get_if<BodySpace>(&system.A)) {
    const auto& row = space->joints[static_cast<std::size_t>(out.joint_row)];
    if (turns(row.j1, row.j2)) out.unit_of_residual = "rad/s";
  }
  return out;
}

Worst worst(const Case& problem, const Impulses& impulses) {
  static const Record none;
  static const Names numbers;
  if (!problem.system) return {};
  return worst(*problem.system, impulses,
               problem.named ? problem.named->names() : FrameNames(numbers, none));
}

std::string with_names(const std::string& complaint, const FrameNames& names) {
  using Of = FrameNames::Of;
  static constexpr std::string_view kRow = " row ";
  const std::size_t at = complaint.find(kRow);
  if (at == std::string::npos) return complaint;
  std::size_t begin = complaint.rfind(' ', at - 1);
  begin = begin == std::string::npos ? 0 : begin + 1;
  const std::string column = complaint.substr(begin, at - begin);
  Index row = -1;
  const char* const end = complaint.data() + complaint.size();
  const auto read = std::from_chars(complaint.data() + at + kRow.size(), end, row);
  if (read.ec != std::errc()) return complaint;
  std::string name;
  if (column.starts_with("bodies/"))
    name = names.row_of(Of::body, row);
  else if (column.starts_with("contacts/"))
    name = names.row_of(Of::contact, row);
  else if (column == "constraints/pairs" || column == "constraints/pairs2" ||
           column == "constraints/ids" || column == "constraints/rows")
    name = names.row_of(Of::joint, row);
  else if (column.starts_with("constraints/"))
    name = names.row_of(Of::joint_row, row);
  return name.empty() ? complaint : complaint + " (" + name + ")";
}

}  // namespace perpend::io
