// One time step of Siconos as plain numbers: what goes from the files that include Siconos (C++17)
// to those that know a Record (C++20).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::capture::from_siconos {

// Added to the solver's name where it found a reaction for a contact that collision detection had
// removed when the step began: no body gets it.
inline constexpr std::string_view kNotApplied = ", not applied";
inline bool is_not_applied(std::string_view solver) {
  return solver.size() > kNotApplied.size() &&
         solver.substr(solver.size() - kNotApplied.size()) == kNotApplied;
}

struct SiconosStep {
  using Vector3 = std::array<double, 3>;
  struct Body {
    std::int64_t id = 0;
    double mass = 0;                                    // kg; 0: stands still, or is moved
    std::array<double, 9> inertia{};                    // kg m^2, world axes
    Vector3 position{};                                 // m
    std::array<double, 4> quaternion{{1, 0, 0, 0}};     // w, x, y, z
    std::array<double, 6> velocity{}, force{}, plus{};  // world axes
  };
  struct Contact {
    std::size_t first = 0, second = 0;
    Vector3 normal{}, t{}, o{}, point1{}, point2{}, bias{}, z{};
    double gap = 0, mu = 0, restitution = 0;
    // Siconos' own directions, row by row, and its reactions along them: they need not be
    // orthonormal.
    std::array<double, 9> own_axes{};
    Vector3 own_z{};
    bool applied = true;
  };
  struct JointRow {
    std::array<double, 12> jacobian{};  // world axes
    double lower = 0, upper = 0, violation = 0, rate = 0, bias = 0, z = 0;
  };
  struct Joint {
    std::size_t first = 0, second = 0;
    std::int64_t id = -1;
    std::vector<JointRow> rows;
  };
  double time = 0, h = 0;
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
  // Siconos' own matrix M, row by row, and q: rows of contacts first, then those of joints.
  std::vector<std::int64_t> A_rows, A_columns;
  std::vector<double> A_values, b;
  std::string solver;
  std::int64_t iterations = -1;
  std::string error;   // why this step could not be recorded
  double solved = 0;   // s, from the free velocities to the answer
  double seconds = 0;  // what recording took
  std::chrono::steady_clock::time_point began;
};

}  // namespace perpend::capture::from_siconos
