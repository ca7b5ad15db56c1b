#include "forces_show.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numeric>

#include "perpend/base.hpp"
#include "perpend/base/csv_text.hpp"
#include "perpend/draw.hpp"
#include "perpend/io/files.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"contact", "pair", "body", "joint"};
constexpr std::array<std::string_view, 4> kLists{"contacts", "pairs", "bodies", "joints"};
constexpr std::string_view kTitles =
    "frame,time,kind,name,first,second,x,y,z,force_x,force_y,force_z,torque_x,torque_y,torque_z,"
    "normal,friction,kinetic,potential,applied,contacts_took,joints_took\n";

std::string cell(double value) { return std::isnan(value) ? "" : full_number(value); }

std::string cells(const Vector3d& v) {
  return "," + cell(v[0]) + "," + cell(v[1]) + "," + cell(v[2]);
}

double part(const ForceTable::Sum& sum, std::size_t i, Along along) {
  switch (along) {
    case Along::norm:
      return sum.forces[i].norm();
    case Along::normal:
      return sum.normals[i];
    default:
      return sum.forces[i][static_cast<Index>(along)];
  }
}

// Those of a kind, the largest first.
std::vector<const ForceTable::Sum*> largest(const ForceTable& table, ForceLine::Kind kind) {
  std::vector<const ForceTable::Sum*> out;
  for (const ForceTable::Sum& sum : table.sums())
    if (sum.kind == kind) out.push_back(&sum);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return a->largest > b->largest; });
  return out;
}

Json triple(const Vector3d& v) { return Json::array({number(v[0]), number(v[1]), number(v[2])}); }

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

std::string ForceLine::what() const {
  if (kind == Kind::pair) return second + " by " + first;
  return name;
}

ForceTable::ForceTable(bool csv, bool series) : writes_(csv), series_(series) {
  if (csv) csv_ = kTitles;
}

void ForceTable::add(Index frame, double time, const ForceLine& line) {
  if (writes_)
    csv_ += std::to_string(frame) + "," + cell(time) + "," +
            std::string(name_in(kKinds, line.kind)) + "," + csv_text(line.name) + "," +
            csv_text(line.first) + "," + csv_text(line.second) + cells(line.point) +
            cells(line.force) + cells(line.torque) + "," + cell(line.normal) + "," +
            cell(line.friction) + ",,,,,\n";
  if (line.kind == ForceLine::Kind::contact) return;  // comes and goes: its pair is told
  const auto [place, fresh] = places_.emplace(std::pair{line.kind, line.what()}, sums_.size());
  if (fresh) {
    Sum& made = sums_.emplace_back();
    made.kind = line.kind;
    made.name = line.what();
  }
  Sum& sum = sums_[place->second];
  ++sum.frames;
  sum.sum += line.force;
  if (const double force = line.force.norm(); sum.largest_frame < 0 || force > sum.largest) {
    sum.largest = force;
    sum.largest_frame = frame;
  }
  if (const double torque = line.torque.norm(); !(torque <= sum.largest_torque))
    sum.largest_torque = torque;
  if (!series_) return;
  sum.times.push_back(time);
  sum.forces.push_back(line.force);
  sum.torques.push_back(line.torque);
  sum.normals.push_back(line.normal);
}

void ForceTable::energy(Index frame, double time, const io::StepForces& forces, double potential) {
  energies_.times.push_back(time);
  energies_.kinetic.push_back(forces.kinetic);
  energies_.potential.push_back(potential);
  energies_.applied.push_back(forces.applied);
  energies_.contacts_took.push_back(forces.contacts_took);
  energies_.joints_took.push_back(forces.joints_took);
  if (!writes_) return;
  csv_ += std::to_string(frame) + "," + cell(time) + ",energy,,,,,,,,,,,,,,";
  for (const double value :
       {forces.kinetic, potential, forces.applied, forces.contacts_took, forces.joints_took})
    csv_ += "," + cell(value);
  csv_ += "\n";
}

std::optional<Along> along_named(const std::string& word) {
  constexpr std::array<std::string_view, 5> kNames{"x", "y", "z", "norm", "normal"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == word) return static_cast<Along>(i);
  return std::nullopt;
}

void print_table(const ForceTable& table, const Globals& globals) {
  constexpr std::size_t kMost = 20;  // rows of a kind
  Table forces;
  forces.column("force on", Table::Align::left);
  forces.column("", Table::Align::left);
  forces.column("frames");
  for (const char* axis : {"x", "y", "z"}) forces.column(std::string("mean ") + axis + " [N]");
  forces.column("largest [N]");
  forces.column("in frame");
  forces.column("largest torque [N m]");
  std::size_t left = 0;
  for (const auto kind : {ForceLine::Kind::body, ForceLine::Kind::pair, ForceLine::Kind::joint}) {
    const auto list = largest(table, kind);
    left += list.size() - std::min(list.size(), kMost);
    for (std::size_t i = 0; i < std::min(list.size(), kMost); ++i) {
      const ForceTable::Sum& sum = *list[i];
      const Vector3d mean = sum.sum / static_cast<double>(sum.frames);
      forces.row({std::string(name_in(kKinds, kind)), sum.name, std::to_string(sum.frames),
                  brief(mean[0]), brief(mean[1]), brief(mean[2]), brief(sum.largest),
                  std::to_string(sum.largest_frame), brief(sum.largest_torque)});
    }
  }
  forces.print(std::cout);
  if (table.frames() == 0) return;
  const ForceTable::Energies& e = table.energies();
  Table energies;
  energies.column("energy", Table::Align::left);
  energies.column("first frame [J]");
  energies.column("last frame [J]");
  energies.column("all frames [J]");
  energies.row({"kinetic", brief(e.kinetic.front()), brief(e.kinetic.back()), "-"});
  energies.row({"potential", brief(e.potential.front()), brief(e.potential.back()), "-"});
  const auto flow = [&](const char* name, const std::vector<double>& values) {
    energies.row({name, brief(values.front()), brief(values.back()), brief(total(values))});
  };
  flow("given by external forces", e.applied);
  flow("taken by contacts", e.contacts_took);
  flow("taken by joints", e.joints_took);
  std::cout << "\n";
  energies.print(std::cout);
  if (left > 0)
    note(globals, std::to_string(left) + " smaller rows are not shown; --json and --out have them");
}

std::string plot(const ForceTable& table, const std::string& title, Along along, bool few) {
  constexpr std::size_t kMost = 8;  // colours
  std::vector<const ForceTable::Sum*> shown;
  for (const auto kind : {ForceLine::Kind::body, ForceLine::Kind::pair, ForceLine::Kind::joint}) {
    if (few && kind == ForceLine::Kind::pair) continue;
    for (const ForceTable::Sum* sum : largest(table, kind))
      if (!few || shown.size() < kMost) shown.push_back(sum);
  }
  const auto times = [&](const std::vector<double>& given) {
    // Frames without a time of their own are counted.
    const std::vector<double>& all = table.energies().times;
    if (std::is_sorted(all.begin(), all.end()) && (all.size() < 2 || all.front() < all.back()))
      return given;
    std::vector<double> counted(given.size());
    std::iota(counted.begin(), counted.end(), 0.0);
    return counted;
  };
  constexpr std::array<std::string_view, 5> kLabels{"force along x [N]", "force along y [N]",
                                                    "force along z [N]", "force [N]",
                                                    "normal force [N]"};
  draw::Plot forces{io::printable(title), {"t [s]", false}, {}, {}};
  forces.y.label = std::string(name_in(kLabels, along));
  for (const ForceTable::Sum* sum : shown) {
    draw::Curve curve{io::printable(sum->name), times(sum->times), {}, false, false};
    for (std::size_t i = 0; i < sum->forces.size(); ++i) curve.y.push_back(part(*sum, i, along));
    // What no frame tells, such as the normal force of a joint, is left out.
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); }))
      forces.curves.push_back(std::move(curve));
  }
  const ForceTable::Energies& e = table.energies();
  draw::Plot energies{"energy", {"t [s]", false}, {"energy [J]", false}, {}};
  energies.curves.push_back({"kinetic", times(e.times), e.kinetic, false, false});
  if (!e.potential.empty() && std::isfinite(e.potential.front()))
    energies.curves.push_back({"potential", times(e.times), e.potential, false, false});
  const auto so_far = [&](const char* name, const std::vector<double>& values) {
    std::vector<double> sums(values.size());
    std::partial_sum(values.begin(), values.end(), sums.begin());
    energies.curves.push_back({name, times(e.times), sums, false, false});
  };
  so_far("taken by contacts so far", e.contacts_took);
  if (std::any_of(e.joints_took.begin(), e.joints_took.end(), [](double j) { return j != 0; }))
    so_far("taken by joints so far", e.joints_took);
  return draw::svg({forces, energies}, 1100, 460);
}

Json document(const ForceTable& table, const std::string& file, const std::string& solver,
              bool series) {
  Json out{{"format_version", kJsonVersion},
           {"file", file},
           {"solver", solver},
           {"frames", table.frames()}};
  for (const auto kind : {ForceLine::Kind::body, ForceLine::Kind::pair, ForceLine::Kind::joint}) {
    Json& list = out[std::string(name_in(kLists, kind))] = Json::array();
    for (const ForceTable::Sum& sum : table.sums()) {
      if (sum.kind != kind) continue;
      Json one{{"name", sum.name},
               {"frames", sum.frames},
               {"mean_force", triple(sum.sum / static_cast<double>(sum.frames))},
               {"largest_force", number(sum.largest)},
               {"largest_frame", sum.largest_frame}};
      if (!std::isnan(sum.largest_torque)) one["largest_torque"] = number(sum.largest_torque);
      if (series) {
        one["time"] = sum.times;
        for (const Vector3d& force : sum.forces) one["force"].push_back(triple(force));
        if (!std::isnan(sum.largest_torque))
          for (const Vector3d& torque : sum.torques) one["torque"].push_back(triple(torque));
      }
      list.push_back(std::move(one));
    }
  }
  const ForceTable::Energies& e = table.energies();
  const auto ends = [](const std::vector<double>& values) {
    if (values.empty()) return Json(nullptr);
    return Json{{"first", number(values.front())}, {"last", number(values.back())}};
  };
  out["energy"] = {{"kinetic", ends(e.kinetic)},
                   {"potential", ends(e.potential)},
                   {"applied", number(total(e.applied))},
                   {"contacts_took", number(total(e.contacts_took))},
                   {"joints_took", number(total(e.joints_took))}};
  return out;
}

}  // namespace perpend::app
