// What `perpend forces` tells: lines of a CSV file, a table of means, a plot, one JSON document.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "perpend/io/forces.hpp"

namespace perpend::app {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// One force of one frame, on the second body by the first; of a body by all its contacts.
struct ForceLine {
  enum class Kind { contact, pair, body, joint };
  Kind kind = Kind::contact;
  std::string name, first, second;
  Vector3d point = Vector3d::Constant(kUnknown);  // m; NaN: it has none
  Vector3d force = Vector3d::Zero();              // N
  Vector3d torque = Vector3d::Constant(kUnknown);
  double normal = kUnknown, friction = kUnknown;

  ForceLine() = default;
  ForceLine(Kind k, std::string called, std::string by, std::string on)
      : kind(k), name(std::move(called)), first(std::move(by)), second(std::move(on)) {}
  void add_normal(double of_contact) { normal = (normal == normal ? normal : 0) + of_contact; }
  std::string what() const;  // "box", "box by floor"
};

// Everything told so far: the text of the CSV file, and sums by name.
class ForceTable {
 public:
  // `series`: keep the forces of every frame.
  ForceTable(bool csv, bool series);
  void add(Index frame, double time, const ForceLine&);
  void energy(Index frame, double time, const io::StepForces&, double potential);

  struct Sum {
    ForceLine::Kind kind;
    std::string name;
    Index frames = 0;
    Vector3d sum = Vector3d::Zero();
    double largest = 0, largest_torque = kUnknown;
    Index largest_frame = -1;
    std::vector<double> times;
    std::vector<Vector3d> forces, torques;
    std::vector<double> normals;
  };
  struct Energies {
    std::vector<double> times, kinetic, potential, applied, contacts_took, joints_took;
  };
  const std::vector<Sum>& sums() const { return sums_; }
  const Energies& energies() const { return energies_; }
  std::size_t frames() const { return energies_.times.size(); }
  const std::string& csv() const { return csv_; }

 private:
  bool writes_, series_;
  std::string csv_;
  std::vector<Sum> sums_;
  std::map<std::pair<ForceLine::Kind, std::string>, std::size_t> places_;
  Energies energies_;
};

enum class Along { x, y, z, norm, normal };
std::optional<Along> along_named(const std::string&);

void print_table(const ForceTable&, const Globals&);
// `few`: the bodies with the largest forces alone.
std::string plot(const ForceTable&, const std::string& title, Along, bool few);
// `series`: with the forces of every frame.
Json document(const ForceTable&, const std::string& file, const std::string& solver, bool series);

}  // namespace perpend::app
