// The visits table of results/: what one contact costs in a sweep. Compares sweeps of one contact
// at a time, the wide sweeps of large islands (solve/kit/wide_sweep.hpp) with PGS and NNCG, and
// Bullet's sequential impulses on the same contacts, and the memory bandwidth that they use. Times
// are processor times of one thread, the least of several. With --orders it also prints to standard
// error how many sweeps each order of contacts needs.
//
//   perpend_visits_bench FILE.h5 FRAME [FILE.h5 FRAME...] [--orders]
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <btBulletDynamicsCommon.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "solve/kit/nncg_step.hpp"
#include "solve/kit/wide_sweep.hpp"

namespace {

using namespace perpend;

constexpr int kRounds = 9;
constexpr double kSecondsOfRound = 0.05;
constexpr int kWallCalls = 2000;

double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Seconds of one call, the least of several rounds.
template <class Function>
double seconds(const Function& f) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const double began = now(CLOCK_THREAD_CPUTIME_ID);
    long calls = 0;
    do {
      f();
      ++calls;
    } while (now(CLOCK_THREAD_CPUTIME_ID) - began < kSecondsOfRound);
    best = std::min(best, (now(CLOCK_THREAD_CPUTIME_ID) - began) / static_cast<double>(calls));
  }
  return best;
}
// The same in wall-clock time, for single calls.
template <class Function>
double wall_seconds(const Function& f) {
  double best = std::numeric_limits<double>::infinity();
  for (int call = 0; call < kWallCalls; ++call) {
    const double began = now(CLOCK_MONOTONIC);
    f();
    best = std::min(best, now(CLOCK_MONOTONIC) - began);
  }
  return best;
}

// Bytes per second of a = b + s c over three arrays of so many doubles.
double triad(std::size_t count) {
  std::vector<double> a(count, 0), b(count, 1), c(count, 2);
  double factor = 0.5;
  const double took = seconds([&] {
    for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + factor * c[i];
    factor = 1 - factor + 1e-9 * a[count / 2];
  });
  return 24 * static_cast<double>(count) / took;
}

// Bullet's solver with two friction directions on these contacts: seconds of one iteration.
class BulletRows {
 public:
  explicit BulletRows(const Frame& frame) {
    for (Index i = 0; i < frame.bodies.count(); ++i) {
      const bool fixed = frame.bodies.fixed(i);
      const double mass = fixed ? 0 : frame.bodies.masses[i];
      const double inertia = fixed ? 0
                                   : (frame.bodies.inertia(i, 0) + frame.bodies.inertia(i, 4) +
                                      frame.bodies.inertia(i, 8)) /
                                         3;
      bodies_.push_back(std::make_unique<btRigidBody>(mass, nullptr, &shape_,
                                                      btVector3(inertia, inertia, inertia)));
      btRigidBody& body = *bodies_.back();
      body.setWorldTransform(
          btTransform(btQuaternion::getIdentity(), vector(frame.bodies.positions, i)));
      body.setLinearVelocity(vector(frame.bodies.velocities, i));
      body.updateInertiaTensor();
      objects_.push_back(&body);
    }
    const Contacts& k = frame.contacts;
    for (Index i = 0; i < k.count(); ++i) {
      const Index one = k.pairs(i, 0), two = k.pairs(i, 1);
      if (manifolds_.empty() || one != first_ || two != second_ ||
          manifolds_.back()->getNumContacts() == MANIFOLD_CACHE_SIZE) {
        manifolds_.push_back(std::make_unique<btPersistentManifold>(
            objects_[static_cast<std::size_t>(one)], objects_[static_cast<std::size_t>(two)], 0, 1,
            1));
        first_ = one;
        second_ = two;
      }
      const btVector3 r = vector(k.points, i), at = r + vector(frame.bodies.positions, one);
      btManifoldPoint point(r, at - vector(frame.bodies.positions, two), -vector(k.normals, i),
                            k.gap[i]);
      point.m_positionWorldOnA = point.m_positionWorldOnB = at;
      point.m_combinedFriction = k.mu[i];
      manifolds_.back()->addManifoldPoint(point);
      ++contacts_;
    }
    for (const auto& m : manifolds_) list_.push_back(m.get());
  }

  Index contacts() const { return contacts_; }
  double iteration() {
    const int many = 60, few = 10;
    return (seconds([&] { solve(many); }) - seconds([&] { solve(few); })) / (many - few);
  }

 private:
  template <class Rows>
  static btVector3 vector(const Rows& rows, Index i) {
    return {rows(i, 0), rows(i, 1), rows(i, 2)};
  }
  void solve(int iterations) {
    btContactSolverInfo info;
    info.m_numIterations = iterations;
    info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_SIMD;
    info.m_timeStep = 1.0 / 60;
    info.m_leastSquaresResidualThreshold = 0;
    solver_.solveGroup(objects_.data(), static_cast<int>(objects_.size()), list_.data(),
                       static_cast<int>(list_.size()), nullptr, 0, info, nullptr, nullptr);
  }

  btSphereShape shape_{0.1};
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btCollisionObject*> objects_;
  std::vector<std::unique_ptr<btPersistentManifold>> manifolds_;
  std::vector<btPersistentManifold*> list_;
  Index first_ = -1, second_ = -1, contacts_ = 0;
};

// Sweeps until velocity_error is below the limit, at most `kMost`.
constexpr long kMost = 3000;
template <class Sweep, class Advance>
std::string sweeps_to(const System& s, double error, const Sweep& sweep, const Advance& advance) {
  for (long k = 1; k <= kMost; ++k) {
    const auto [estimate, lambda] = sweep();
    // Compute the exact error only if it may be small enough.
    if (estimate < 3 * error && measure(s, *lambda, Measure::velocity_error) < error)
      return std::to_string(k);
    advance();
  }
  return "> " + std::to_string(kMost);
}

template <class State>
struct Narrow {
  Narrow(const System& s, State& of)
      : sweep(s), state(of), step((of.set(VectorXd::Zero(s.rows())), of)) {}
  std::pair<double, const VectorXd*> operator()() {
    const double estimate = sweep(state, Local::coulomb);
    return {estimate, &state.lambda()};
  }
  void advance() {
    step.advance([&](const VectorXd& g) { return sweep.scaled_norm2(g); });
  }
  ConeSweep sweep;
  State& state;
  NncgStep<State> step;
};

// Rows named `pile`.
void visits(const std::string& pile, const System& s, const Frame& frame) {
  const double contacts = static_cast<double>(s.contacts());
  const auto row = [&](const std::string& what, double took, double bytes, double of) {
    std::printf("%s,%s,%.1f,", pile.c_str(), what.c_str(), 1e9 * took / contacts);
    if (bytes > 0) std::printf("%.2f", 1e-9 * bytes / took);
    if (of > 0)
      std::printf(",%.0f\n", 100 * bytes / took / of);
    else
      std::printf(",\n");
  };
  Executor serial;
  const VectorXd zero = VectorXd::Zero(s.rows());
  with_state(s, [&](auto& state) {
    Narrow narrow(s, state);
    const double bytes = contacts * (sizeof(BodySpace::Contact) + sizeof(LocalContact) + 48);
    const double rate = triad(static_cast<std::size_t>(bytes / 24));
    row("one by one PGS", seconds([&] { narrow(); }), bytes, rate);
    state.set(zero);
    row("one by one NNCG", seconds([&] {
          narrow();
          narrow.advance();
        }),
        bytes + contacts * 240, rate);
  });
  for (const Kernel kernel : {Kernel::base, Kernel::avx2}) {
    if (kernel == Kernel::avx2 && best_kernel() != kernel) continue;
    std::optional<WideSweep> wide = WideSweep::of(s, serial, kernel);
    if (!wide) return;
    const double rate = triad(static_cast<std::size_t>(wide->bytes() / 24));
    const std::string of = kernel == Kernel::base ? "four SSE2 " : "four AVX2 ";
    wide->set(zero);
    row(of + "PGS", seconds([&] { wide->sweep(Local::coulomb); }), wide->bytes(), rate);
    wide->set(zero);
    row(of + "NNCG", seconds([&] {
          wide->sweep(Local::coulomb);
          wide->advance();
        }),
        wide->bytes(), rate);
    if (kernel == best_kernel()) {
      row("four NNCG with impulses in the order of contacts", seconds([&] {
            wide->sweep(Local::coulomb);
            wide->advance();
            wide->lambda();
          }),
          0, 0);
      row("set-up", seconds([&] { WideSweep::of(s, serial, kernel); }), 0, 0);
      row("set", seconds([&] { wide->set(zero); }), 0, 0);
      std::fprintf(stderr, "%s: %zu colours, %.0f %% of lanes used\n", pile.c_str(),
                   wide->colours(), 100 * wide->filled());
    }
  }
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    std::optional<WideSweep> wide = WideSweep::of(s, pool);
    wide->set(zero);
    double took = 0;
    wide->together([&] {
      took = wall_seconds([&] {
        wide->sweep(Local::coulomb);
        wide->advance();
      });
    });
    row("four NNCG by the wall clock threads " + std::to_string(threads), took, 0, 0);
  }
  BulletRows bullet(frame);
  row("Bullet", bullet.iteration() * contacts / static_cast<double>(bullet.contacts()), 0, 0);
}

void orders(const System& s) {
  Executor serial;
  const VectorXd zero = VectorXd::Zero(s.rows());
  std::fprintf(stderr, "  %-34s %10s %10s\n", "sweeps to velocity_error, m/s", "1e-2", "1e-4");
  for (const bool nncg : {false, true}) {
    std::string in_order[2], coloured[2];
    for (int e = 0; e < 2; ++e) {
      const double error = e == 0 ? 1e-2 : 1e-4;
      with_state(s, [&](auto& state) {
        Narrow narrow(s, state);
        in_order[e] = sweeps_to(
            s, error, [&] { return narrow(); },
            [&] {
              if (nncg) narrow.advance();
            });
      });
      if (std::optional<WideSweep> wide = WideSweep::of(s, serial)) {
        wide->set(zero);
        coloured[e] = sweeps_to(
            s, error,
            [&] {
              const double r = wide->sweep(Local::coulomb);
              return std::pair(r, &wide->lambda());
            },
            [&] {
              if (nncg) wide->advance();
            });
      }
    }
    std::fprintf(stderr, "  %-34s %10s %10s\n", nncg ? "NNCG, in order" : "PGS, in order",
                 in_order[0].c_str(), in_order[1].c_str());
    std::fprintf(stderr, "  %-34s %10s %10s\n", nncg ? "NNCG, coloured" : "PGS, coloured",
                 coloured[0].c_str(), coloured[1].c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("pile,sweep,ns_per_visit,GB_per_s,percent_of_triad\n");
  std::fprintf(stderr, "triad over 96 MB: %.1f GB/s\n", 1e-9 * triad(4'000'000));
  std::unique_ptr<io::FrameReader> reader;
  bool with_orders = false;
  for (int k = 1; k < argc; ++k) {
    if (argv[k] == std::string_view("--orders")) {
      with_orders = true;
      continue;
    }
    char* end;
    const long at = std::strtol(argv[k], &end, 10);
    if (*end || !reader) {
      reader = std::make_unique<io::FrameReader>(argv[k]);
      continue;
    }
    const io::Record record = reader->read(at);
    const System s = assemble(record.frame);
    std::fprintf(stderr, "%s, frame %ld: %ld contacts, %ld joint rows\n", reader->path().c_str(),
                 at, static_cast<long>(s.contacts()), static_cast<long>(s.joint_rows()));
    visits(std::filesystem::path(reader->path()).stem().string(), s, record.frame);
    if (with_orders) orders(s);
  }
  return 0;
}
