// What is measured in every frame: cheap, and from its numbers alone.
#pragma once

#include <map>
#include <memory>

#include "perpend/doctor.hpp"

namespace perpend::doctor {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The largest of something: how much, and the contact, joint row or body of the frame.
struct Peak {
  double value = 0;
  Index row = -1;
  void raise(double v, Index at) {
    if (v > value) {
      value = v;
      row = at;
    }
  }
};

// How many were looked at, how many of them showed it, and the worst.
struct Share {
  Index looked = 0, showed = 0;
  double sum = 0;  // of the values of all that were looked at
  Peak worst;
};

inline constexpr double kTurned = 0.035;  // rad: friction that is off by 2 degrees is off

// The friction of two bodies that slide on each other in a step, as work, J. Contacts that strain
// against each other and do not hinder the motion cancel.
struct Slide {
  std::pair<std::int64_t, std::int64_t> ids;  // the smaller first
  double back = 0, aside = 0;                 // against the sliding velocity, and across it
  double coulomb = 0;                         // mu lambda_n s
  double way = 0;  // in sizes of the smaller body, the mean by mu lambda_n
  Peak heaviest;   // contact
  // Friction beside the way back, and force outside of the cone or too little of it as an angle:
  // sqrt(2) times is 9.7 degrees. The larger of both, rad.
  double turned() const;
};

struct Vitals {
  Index frame = -1;
  double h = 0;
  std::string refused;    // why it cannot be examined; begins with the dataset
  bool answered = false;  // it has impulses
  Index contacts = 0, joint_rows = 0;
  double gravity = kUnknown;  // m/s^2: median of |f|/m
  double speed = 0;           // m/s, fastest body

  // Of the answer, in m/s.
  double own = kUnknown;     // the engine's own problem, by the friction law that fits best
  double told = kUnknown;    // own_error as the file has it
  double rigid = kUnknown;   // velocity_error
  double demand = kUnknown;  // velocity_error of no impulses at all, in the engine's problem
  double round = kUnknown;   // the same by the best law that has a round cone
  Peak own_row;              // contact, or number of contacts + joint row
  Peak ratio;                // of masses: mass_ratio()
  double momentum = kUnknown;
  Index momentum_body = -1;

  Index bearing = 0;  // contacts that push
  Share creep;        // m/s, of loaded contacts inside their cones
  Share lift;         // m, of sliding contacts: h mu v where they lift by it
  Share turned;       // rad, of slides
  std::vector<Slide> slides;
  Share jumps;          // rad, of contacts followed from the frame before
  Index flips = 0;      // of them those that turned round
  Share ghosts;         // m, of contacts in the plane of a support: the way through them
  Share flicker;        // pairs at rest whose contacts came or went
  Share twins;          // contacts at the place of another
  Share beside;         // all but there
  Peak push;            // m/s: bodies driven apart at a contact or joint row by no motor
  double injected = 0;  // J: work of contacts and hard joints, where it is positive
  double energy = 0;    // J: of moving bodies, kinetic and m g L
  Peak turn;            // rad in a step, of bodies that touch or hang on joints
  Peak surprise;        // overlap that the frame before did not predict, in body sizes
  Peak inside;          // overlap, in body sizes
  Peak limit;           // m or rad: a joint limit that is violated
  Peak soft;            // m, overlap kept by compliance, of contacts that push, in body sizes
};

// Sizes, m, of the bodies of a frame: half of the largest extent, as far as contacts, shapes and
// inertia tell.
class Sizes {
 public:
  explicit Sizes(const io::ModelColumns& model) { add(model); }
  void add(const io::ModelColumns&);  // of bodies that come later
  double of(const Frame&, Index body) const;
  double smaller(const Frame&, Index, Index) const;  // of two bodies, of those that move
  double of_shapes(std::int64_t id) const;           // 0: the recording has none of it
  // Inertia per kilogram in the axes of the body, if its shapes are solid and centred at its centre
  // of mass, m^2. Null: not so.
  const Matrix3d* solid(std::int64_t id) const;

 private:
  std::vector<std::pair<std::int64_t, double>> by_id_;  // sorted
  std::map<std::int64_t, Matrix3d> solid_;
};

// `before`: the record of the frame before, or null.
Vitals vitals(const io::Record&, const io::Record* before, const Sizes&);

// Two contacts that are all but one. `size` of the smaller body.
bool beside(const Frame&, Index, Index, double size);

// Parts of it.
void examine_answer(const io::Record&, const System& rigid, const System& engine, Vitals&);
void examine_friction(const io::Record&, const System& rigid, const System& engine, const Sizes&,
                      Vitals&);
void examine_energy(const io::Record&, const System& rigid, const Sizes&, Vitals&);
void examine_geometry(const io::Record&, const Sizes&, Vitals&);
void follow(const io::Record& before, const io::Record& now, const Sizes&, Vitals&);

// The largest ratio of masses across a contact, or number of contacts + joint, of moving bodies.
Peak mass_ratio(const Frame&);

// Residuals of the engine's problem, m/s: the smallest over the friction laws that engines use
// (Coulomb's cone, two boxes, the convex cone, the convex pyramid), and where it is largest.
// `round`: the smallest over the laws of a round cone.
double own_residual(const System& engine, const Impulses&, Peak&, double& round);

// The impulses of a record for a system of its frame. Empty: it has none.
Impulses answer_of(const io::Record&, const System&);

}  // namespace perpend::doctor
