// Block sweeps of cone_sweep.hpp over large systems in body space: four contacts at once, in an
// order of coloured pairs that threads may share (pair_colours.hpp), and the step of nncg_step.hpp
// taken on the way.
//
// With M^-1 = C C^T by body, H = J C and z = H^T lambda, u = H z + b: one matrix serves both ways,
// and lambda' A lambda = |z|^2. The tangents of each contact are turned so that
// S = A_TT - w w'/A_NN is diagonal; with v = w/A_NN, the local problem of LocalContact::coulomb is
//   sticking  x_T - (u_T - v u_N)/S,   sliding  -(u_T - v u_N - S x_T)/(S + a)
//   x_N + v.x_T - u_N/A_NN - v.y_T     the new normal impulse; open where it is <= 0 with y_T = 0
// The residual of a contact is |y - x|/rho, its change in m/s: zero where that of velocity_error
// is, and of its size.
//
// The bits depend on the system alone: neither on the threads nor on the kernel.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "perpend/base.hpp"
#include "solve/kit/cone_sweep.hpp"
#include "solve/kit/pair_colours.hpp"
#include "solve/kit/team.hpp"

namespace perpend {

// The same operations compiled for base x86-64 and for AVX2.
enum class Kernel { base, avx2 };
Kernel best_kernel();  // of this machine

class WideSweep {
 public:
  // Systems of fewer contacts keep the order of their contacts.
  static constexpr Index kLeastContacts = 256;
  // Nothing where a system is not in body space, is small, has compliance or rows over two pairs of
  // bodies, or hangs so much together that most lanes would be empty.
  static std::optional<WideSweep> of(const System&, Executor&, Kernel = best_kernel());

  // Calls method() once, in this thread; other threads of the executor share the sweeps in it.
  template <class Method>
  void together(const Method& method) {
    team_->together(method);
  }

  // One sweep; the residual at x (m/s), as that of ConeSweep.
  double sweep(Local);
  const VectorXd& lambda() const;  // after the sweep: y
  const VectorXd& x() const;       // before it
  double energy() const;           // impulse_energy of lambda

  // Keeps lambda if its energy is lower than that of the one kept before.
  void keep_lowest(double energy);
  bool kept() const { return kept_energy_ < std::numeric_limits<double>::infinity(); }
  double kept_energy() const { return kept_energy_; }
  const VectorXd& kept_lambda() const;

  void set(const VectorXd& lambda);
  // The Fletcher-Reeves step: from y = sweep(x) to the next x. True: restarted.
  bool advance();

  // Contacts that are visited, and bytes that a sweep reads and writes, for benchmarks.
  Index visited() const { return visited_; }
  double bytes() const;
  std::size_t colours() const { return order_.colours(); }
  double filled() const;  // part of the lanes that have a contact

  struct Visit;
  struct Joint;
  struct Step {
    double beta = 0, keep = 0;  // x = y + beta p, p = beta p + keep (y - x_before)
  };
  struct Scale {  // C of a body: a number, and an upper triangle for what turns; zero: it is fixed
    double heft = 0, c00 = 0, c01 = 0, c11 = 0, c02 = 0, c12 = 0, c22 = 0, unused = 0;
  };
  struct Sums {
    double residual = 0, norm2 = 0, work = 0;  // largest; |y - x|^2 scaled; y.b
  };

  WideSweep(WideSweep&&) noexcept;
  ~WideSweep();

 private:
  WideSweep(const System&, Executor&, Kernel);
  bool scale_bodies(const BodySpace&);
  void pack(const BodySpace&);
  static void prepare(Visit&, wide::Stored& cosine, wide::Stored& sine);
  void respond();  // z from lambda
  // `triple(visit)`: the three impulses of its lanes; `of(joint)`: of a joint row.
  template <class Triple, class OfJoint>
  void copy(VectorXd& to, const Triple& triple, const OfJoint& of) const;
  void visit_joints(Sums&);

  const System& s_;
  Kernel kernel_;
  std::unique_ptr<Team> team_;
  ColouredPairs order_;
  std::vector<std::int32_t> slot_first_, slot_second_;  // (4 x quads) of z: bodies, or unused ones
  std::vector<Visit> visits_;
  std::vector<Joint> joints_;
  struct Turn {
    double cosine = 1, sine = 0;
  };
  std::vector<Turn> turns_;            // of each contact's tangents
  std::vector<Index> immovable_;       // contacts and joint rows (3m + j) that no impulse moves
  std::vector<Scale> scales_;          // of each body
  std::vector<bool> moves_;            // bodies
  std::vector<double> z_, z_x_, z_p_;  // (8 x bodies) now, before the sweep, along p
  std::vector<Sums> sums_;             // of chunks
  Step step_;
  Sums last_;
  double constant_residual_ = 0;  // of what is immovable
  double constant_work_ = 0;
  double previous_ = -1;  // |g|^2 of the step before; negative: none
  long since_set_ = 0;    // sweeps since z was made from lambda
  Index visited_ = 0;
  std::vector<std::array<wide::Stored, 3>> kept_;  // of visits
  std::vector<double> kept_joints_;
  double kept_energy_ = std::numeric_limits<double>::infinity();
  mutable VectorXd lambda_, x_, kept_lambda_;
  mutable bool lambda_is_new_ = false, x_is_new_ = false;
};

// Calls f with a WideSweep of the system where there is one, else with a state of gauss_seidel.hpp.
template <class Function>
auto with_swept_state(const System& s, Executor& executor, Function&& f) {
  using Outcome = decltype(f(std::declval<WideSweep&>()));
  std::optional<WideSweep> wide = WideSweep::of(s, executor);
  if (!wide) return with_state(s, std::forward<Function>(f));
  if constexpr (std::is_void_v<Outcome>) {
    wide->together([&] { f(*wide); });
  } else {
    Outcome outcome;
    wide->together([&] { outcome = f(*wide); });
    return outcome;
  }
}

// What methods that are templates over states need beside one: a sweep over it, the step of NNCG
// (nncg_step.hpp), and the energy where it is known.
struct WideCones {
  explicit WideCones(const System&) {}
  double operator()(WideSweep& state, Local local) { return state.sweep(local); }
};
template <class State>
using SweepOver = std::conditional_t<std::is_same_v<State, WideSweep>, WideCones, ConeSweep>;

inline std::optional<double> known_energy(const WideSweep& state) { return state.energy(); }
template <class State>
std::optional<double> known_energy(const State&) {
  return std::nullopt;
}

}  // namespace perpend
