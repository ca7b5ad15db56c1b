#include "solve/kit/wide_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "measure/natural_map.hpp"
#include "solve/kit/wide_kernel.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace perpend {
namespace {

using wide::kLanes;
using wide::Stored;
using Lanes = wide::Two4;  // of what is done once
using Three = wide::Three<Lanes>;

constexpr Index kStride = 8;  // doubles of a body in z
// z is made anew from lambda at the first restart after this many sweeps, so that the rounding of
// extrapolations does not add up.
constexpr long kRenew = 32;
// Empty lanes for each contact that are worth it.
constexpr std::size_t kMostEmpty = 1;

// C of four bodies.
struct ScaleOf4 {
  Lanes heft, c00, c01, c11, c02, c12, c22;

  ScaleOf4(const std::vector<WideSweep::Scale>& scales,
           const std::array<std::int32_t, kLanes>& bodies) {
    std::array<const WideSweep::Scale*, kLanes> of;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      of[lane] =
          bodies[lane] < 0 ? &scales.back() : &scales[static_cast<std::size_t>(bodies[lane])];
    const auto lanes = [&](double WideSweep::Scale::*part) {
      return Lanes::of(of[0]->*part, of[1]->*part, of[2]->*part, of[3]->*part);
    };
    heft = lanes(&WideSweep::Scale::heft);
    c00 = lanes(&WideSweep::Scale::c00);
    c01 = lanes(&WideSweep::Scale::c01);
    c11 = lanes(&WideSweep::Scale::c11);
    c02 = lanes(&WideSweep::Scale::c02);
    c12 = lanes(&WideSweep::Scale::c12);
    c22 = lanes(&WideSweep::Scale::c22);
  }

  // A row of J C, from six numbers at `at` of each.
  void apply(const std::array<const double*, kLanes>& j, int at, Stored (&h)[6]) const {
    const auto lanes = [&](int k) {
      return Lanes::of(j[0][at + k], j[1][at + k], j[2][at + k], j[3][at + k]);
    };
    for (int k = 0; k < 3; ++k) (heft * lanes(k)).store(h[k]);
    const Lanes x = lanes(3), y = lanes(4), z = lanes(5);
    (x * c00).store(h[3]);
    (x * c01 + y * c11).store(h[4]);
    (x * c02 + y * c12 + z * c22).store(h[5]);
  }
};

std::array<double, 6> scaled(const Vector6& j, const WideSweep::Scale& c) {
  return {c.heft * j[0],
          c.heft * j[1],
          c.heft * j[2],
          j[3] * c.c00,
          j[3] * c.c01 + j[4] * c.c11,
          j[3] * c.c02 + j[4] * c.c12 + j[5] * c.c22};
}

WideSweep::Sums sweep_base(const wide::ChunkOfQuads& chunk, const WideSweep::Step& with, bool steps,
                           Local local) {
  return wide::sweep_quads<wide::Two4>(chunk, with, steps, local);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) WideSweep::Sums sweep_avx2(const wide::ChunkOfQuads& chunk,
                                                           const WideSweep::Step& with, bool steps,
                                                           Local local) {
  return wide::sweep_quads<wide::One4>(chunk, with, steps, local);
}
#else
constexpr auto sweep_avx2 = sweep_base;
#endif

}  // namespace

Kernel best_kernel() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") ? Kernel::avx2 : Kernel::base;
#else
  return Kernel::base;
#endif
}

struct WideSweep::Joint {
  Index row;                   // of the system
  std::int32_t first, second;  // slots of z
  std::array<double, 6> h1, h2;
  double b, diagonal, lower, upper;
  double y = 0, x = 0, p = 0;
};

// The local problems, from the rows of H and b, which are turned with their tangents.
void WideSweep::prepare(Visit& k, Stored& cosine, Stored& sine) {
  const Lanes zero = Lanes::all(0), one = Lanes::all(1), half = Lanes::all(0.5);
  const auto dot = [&](int r, int q) {
    const auto product = [&](int c) {
      return Lanes::load(k.h1[r][c]) * Lanes::load(k.h1[q][c]) +
             Lanes::load(k.h2[r][c]) * Lanes::load(k.h2[q][c]);
    };
    Lanes sum = product(0);
    for (int c = 1; c < 6; ++c) sum = sum + product(c);
    return sum;
  };
  const Lanes nn_given = dot(0, 0), tt = dot(1, 1), oo = dot(2, 2), w_t = dot(0, 1),
              w_o = dot(0, 2), to = dot(1, 2);
  const Lanes trace = nn_given + tt + oo;
  const Lanes::Mask real = trace > zero;
  // A contact whose normal or tangents move nothing (a rank-deficient block) gets a tiny diagonal.
  const Lanes tiny = Lanes::all(1e-12) * trace;
  const Lanes nn = Lanes::choose(real, larger(nn_given, tiny), one);
  const Lanes inverse = Lanes::choose(real, one / nn, zero);
  inverse.store(k.inverse_nn);
  (trace / Lanes::all(3)).store(k.weight);
  // Half the angle whose tangent is 2 S_to/(S_tt - S_oo).
  const Lanes s_tt = tt - w_t * w_t / nn, s_oo = oo - w_o * w_o / nn, s_to = to - w_t * w_o / nn;
  const Lanes middle = half * (s_tt + s_oo), apart = half * (s_tt - s_oo);
  const Lanes spread = (apart * apart + s_to * s_to).root();
  const Lanes along = apart.magnitude() + spread;
  const Lanes length = (along * along + s_to * s_to).root();
  const Lanes::Mask turns = length > zero, first = apart >= zero;
  const Lanes safe = Lanes::choose(turns, length, one);
  const Lanes c = Lanes::choose(turns, along / safe, one);
  const Lanes s_first = Lanes::choose(turns, s_to / safe, zero);
  const Lanes s = Lanes::choose(first, s_first, -s_first);
  const Lanes large = larger(middle + spread, tiny), small = larger(middle - spread, tiny);
  const Lanes s0 = Lanes::choose(real, Lanes::choose(first, large, small), one);
  const Lanes s1 = Lanes::choose(real, Lanes::choose(first, small, large), one);
  s0.store(k.s[0]);
  s1.store(k.s[1]);
  Lanes::choose(real, one / s0, zero).store(k.inverse_s[0]);
  Lanes::choose(real, one / s1, zero).store(k.inverse_s[1]);
  ((c * w_t + s * w_o) * inverse).store(k.v[0]);
  ((c * w_o - s * w_t) * inverse).store(k.v[1]);
  const auto turn = [&](Stored& t_row, Stored& o_row) {
    const Lanes t = Lanes::load(t_row), o = Lanes::load(o_row);
    (c * t + s * o).store(t_row);
    (c * o - s * t).store(o_row);
  };
  for (int column = 0; column < 6; ++column) {
    turn(k.h1[1][column], k.h1[2][column]);
    turn(k.h2[1][column], k.h2[2][column]);
  }
  turn(k.b[1], k.b[2]);
  c.store(cosine);
  s.store(sine);
}

WideSweep::WideSweep(WideSweep&&) noexcept = default;
WideSweep::~WideSweep() = default;

WideSweep::WideSweep(const System& s, Executor& executor, Kernel kernel)
    : s_(s), kernel_(kernel), team_(std::make_unique<Team>(executor)) {}

std::optional<WideSweep> WideSweep::of(const System& s, Executor& executor, Kernel kernel) {
  const BodySpace* a = std::get_if<BodySpace>(&s.A);
  if (!a || s.contacts() < kLeastContacts || a->cfm.size() || !a->others.empty() || !s.dynamics)
    return std::nullopt;
  WideSweep sweep(s, executor, kernel);
  if (!sweep.scale_bodies(*a)) return std::nullopt;

  std::vector<ContactOfPair> contacts;
  contacts.reserve(a->contacts.size());
  for (Index i = 0; i < s.contacts(); ++i) {
    const BodySpace::Contact& c = a->contacts[static_cast<std::size_t>(i)];
    if (sweep.moves_[static_cast<std::size_t>(c.first)] ||
        sweep.moves_[static_cast<std::size_t>(c.second)])
      contacts.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(c.first),
                          static_cast<std::int32_t>(c.second)});
    else
      sweep.immovable_.push_back(i);
  }
  sweep.order_ = colour_pairs(contacts, sweep.moves_);
  if (kLanes * sweep.order_.visits.size() > (1 + kMostEmpty) * contacts.size()) return std::nullopt;
  sweep.visited_ = static_cast<Index>(contacts.size());
  sweep.pack(*a);
  return sweep;
}

// C with M^-1 = C C^T: 1/sqrt(m), and L^-T of the inertia L L^T. False: the mass is of another
// form.
bool WideSweep::scale_bodies(const BodySpace& a) {
  const Dynamics& d = *s_.dynamics;
  const auto bodies = static_cast<std::size_t>(a.bodies);
  if (d.body_column.size() != bodies) return false;
  moves_.assign(bodies, false);
  scales_.assign(bodies + 1, Scale{});  // the last one of nobody
  for (std::size_t i = 0; i < bodies; ++i) {
    const Index at = d.body_column[i];
    if (at < 0) continue;
    moves_[i] = true;
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();
    for (Index row = 0; row < 6; ++row)
      for (SparseMatrix::InnerIterator e(d.mass, at + row); e; ++e) {
        const Index column = e.col() - at;
        if (row < 3 && column == row)
          mass = e.value();
        else if (row >= 3 && column >= 3 && column < 6)
          inertia(row - 3, column - 3) = e.value();
        else if (e.value() != 0)
          return false;
      }
    Matrix3d lower = Matrix3d::Zero();
    for (Index j = 0; j < 3; ++j)
      for (Index k = j; k < 3; ++k) {
        double rest = inertia(k, j);
        for (Index l = 0; l < j; ++l) rest -= lower(k, l) * lower(j, l);
        if (k == j && !(rest > 0)) return false;
        lower(k, j) = k == j ? std::sqrt(rest) : rest / lower(j, j);
      }
    Matrix3d inverse = Matrix3d::Zero();  // of the factor, lower
    for (Index j = 0; j < 3; ++j) {
      inverse(j, j) = 1 / lower(j, j);
      for (Index k = j + 1; k < 3; ++k) {
        double sum = 0;
        for (Index l = j; l < k; ++l) sum += lower(k, l) * inverse(l, j);
        inverse(k, j) = -sum / lower(k, k);
      }
    }
    if (!(mass > 0)) return false;
    scales_[i] = {1 / std::sqrt(mass), inverse(0, 0), inverse(1, 0), inverse(1, 1),
                  inverse(2, 0),       inverse(2, 1), inverse(2, 2)};
  }
  return true;
}

void WideSweep::pack(const BodySpace& a) {
  // Bodies that do not move have no velocity to share: each chunk has a slot for them.
  std::int32_t chunks_at_once = 1;
  for (std::size_t c = 0; c < order_.colours(); ++c)
    chunks_at_once = std::max(chunks_at_once, order_.colour_start[c + 1] - order_.colour_start[c]);
  const auto bodies = static_cast<std::int32_t>(a.bodies);
  const std::size_t slots = static_cast<std::size_t>(bodies + chunks_at_once) * kStride;
  z_.assign(slots, 0);
  z_x_.assign(slots, 0);
  z_p_.assign(slots, 0);
  slot_first_.resize(kLanes * order_.quads.size());
  slot_second_.resize(kLanes * order_.quads.size());
  sums_.resize(order_.chunks.size());
  for (std::size_t colour = 0; colour < order_.colours(); ++colour)
    for (std::int32_t c = order_.colour_start[colour]; c < order_.colour_start[colour + 1]; ++c) {
      const ColouredPairs::Chunk& chunk = order_.chunks[static_cast<std::size_t>(c)];
      const std::int32_t spare = bodies + c - order_.colour_start[colour];
      const auto slot = [&](std::int32_t body) {
        return body >= 0 && moves_[static_cast<std::size_t>(body)] ? body : spare;
      };
      for (auto q = static_cast<std::size_t>(chunk.begin); q < static_cast<std::size_t>(chunk.end);
           ++q)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          slot_first_[kLanes * q + lane] = slot(order_.quads[q].first[lane]);
          slot_second_[kLanes * q + lane] = slot(order_.quads[q].second[lane]);
        }
    }

  turns_.resize(static_cast<std::size_t>(s_.contacts()));
  visits_.resize(order_.visits.size());
  static constexpr std::array<double, 18> kNothing{};
  for (const ColouredPairs::Quad& quad : order_.quads) {
    const ScaleOf4 scale1(scales_, quad.first), scale2(scales_, quad.second);
    for (auto i = static_cast<std::size_t>(quad.begin); i < static_cast<std::size_t>(quad.end);
         ++i) {
      Visit& k = visits_[i];
      std::array<const double*, kLanes> j1, j2;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Index contact = order_.visits[i][lane];
        j1[lane] = j2[lane] = kNothing.data();
        if (contact < 0) continue;
        const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(contact)];
        const bool turned = c.first != quad.first[lane];
        j1[lane] = (turned ? c.j2 : c.j1).data();
        j2[lane] = (turned ? c.j1 : c.j2).data();
        for (Index row = 0; row < 3; ++row) k.b[row].lane[lane] = s_.b[3 * contact + row];
        k.mu.lane[lane] = s_.mu[contact];
      }
      for (int row = 0; row < 3; ++row) {
        scale1.apply(j1, 6 * row, k.h1[row]);
        scale2.apply(j2, 6 * row, k.h2[row]);
      }
      Stored cosine, sine;
      prepare(k, cosine, sine);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        if (const Index contact = order_.visits[i][lane]; contact >= 0)
          turns_[static_cast<std::size_t>(contact)] = {cosine.lane[lane], sine.lane[lane]};
    }
  }

  for (Index j = 0; j < s_.joint_rows(); ++j) {
    const BodySpace::JointRow& q = a.joints[static_cast<std::size_t>(j)];
    const Index row = 3 * s_.contacts() + j;
    Joint joint{row, bodies, bodies, {}, {}, s_.b[row], 0, s_.lower[j], s_.upper[j]};
    if (moves_[static_cast<std::size_t>(q.first)]) joint.first = static_cast<std::int32_t>(q.first);
    if (moves_[static_cast<std::size_t>(q.second)])
      joint.second = static_cast<std::int32_t>(q.second);
    joint.h1 = scaled(q.j1, scales_[static_cast<std::size_t>(q.first)]);
    joint.h2 = scaled(q.j2, scales_[static_cast<std::size_t>(q.second)]);
    for (std::size_t k = 0; k < 6; ++k)
      joint.diagonal += joint.h1[k] * joint.h1[k] + joint.h2[k] * joint.h2[k];
    if (joint.diagonal > 0)
      joints_.push_back(joint);
    else
      immovable_.push_back(row);
  }
}

void WideSweep::set(const VectorXd& lambda) {
  lambda_ = lambda;
  x_.resize(0);
  lambda_is_new_ = true;
  x_is_new_ = false;
  last_ = {};
  constant_residual_ = constant_work_ = 0;
  for (const Index i : immovable_) {
    const bool contact = i < s_.contacts();
    const Index joint = i - 3 * s_.contacts();
    constant_residual_ = std::max(
        constant_residual_,
        contact
            ? coulomb_error(lambda.segment<3>(3 * i), s_.b.segment<3>(3 * i), s_.mu[i], 1)
            : std::abs(bounded_residual(lambda[i], s_.b[i], 1, s_.lower[joint], s_.upper[joint])));
    constant_work_ +=
        contact ? lambda.segment<3>(3 * i).dot(s_.b.segment<3>(3 * i)) : lambda[i] * s_.b[i];
  }
  last_.work = lambda.dot(s_.b);
  for (std::size_t i = 0; i < visits_.size(); ++i)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (const Index contact = order_.visits[i][lane]; contact >= 0) {
        const Turn& turn = turns_[static_cast<std::size_t>(contact)];
        const double t = lambda[3 * contact + 1], o = lambda[3 * contact + 2];
        visits_[i].y[0].lane[lane] = lambda[3 * contact];
        visits_[i].y[1].lane[lane] = turn.cosine * t + turn.sine * o;
        visits_[i].y[2].lane[lane] = turn.cosine * o - turn.sine * t;
      }
  for (Visit& k : visits_)
    for (int r = 0; r < 3; ++r) {
      k.x[r] = k.y[r];
      k.p[r] = {};
    }
  for (Joint& j : joints_) {
    j.x = j.y = lambda[j.row];
    j.p = 0;
  }
  respond();
  z_x_ = z_;
  std::fill(z_p_.begin(), z_p_.end(), 0.0);
  step_ = {};
  previous_ = -1;
}

void WideSweep::keep_lowest(double energy) {
  if (!(energy < kept_energy_)) return;
  kept_energy_ = energy;
  kept_.resize(visits_.size());
  for (std::size_t i = 0; i < visits_.size(); ++i)
    std::copy(std::begin(visits_[i].y), std::end(visits_[i].y), kept_[i].begin());
  kept_joints_.resize(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) kept_joints_[j] = joints_[j].y;
}

void WideSweep::respond() {
  since_set_ = 0;
  std::fill(z_.begin(), z_.end(), 0.0);
  for (const Joint& j : joints_)
    for (std::size_t k = 0; k < 6; ++k) {
      z_[static_cast<std::size_t>(j.first) * kStride + k] += j.h1[k] * j.y;
      z_[static_cast<std::size_t>(j.second) * kStride + k] += j.h2[k] * j.y;
    }
  for (std::size_t q = 0; q < order_.quads.size(); ++q) {
    Lanes z1[6], z2[6];
    wide::gather(z_.data(), slot_first_.data() + kLanes * q, z1);
    wide::gather(z_.data(), slot_second_.data() + kLanes * q, z2);
    for (std::int32_t i = order_.quads[q].begin; i < order_.quads[q].end; ++i) {
      const Visit& k = visits_[static_cast<std::size_t>(i)];
      const Three y = Three::load(k.y);
      wide::push(k.h1, y, z1);
      wide::push(k.h2, y, z2);
    }
    wide::scatter(z_.data(), slot_first_.data() + kLanes * q, z1);
    wide::scatter(z_.data(), slot_second_.data() + kLanes * q, z2);
  }
}

void WideSweep::visit_joints(Sums& sums) {
  for (Joint& j : joints_) {
    const double e = step_.beta * j.p;
    j.p = e + step_.keep * (j.y - j.x);
    j.x = j.y + e;
    double* one = z_.data() + static_cast<std::ptrdiff_t>(j.first) * kStride;
    double* two = z_.data() + static_cast<std::ptrdiff_t>(j.second) * kStride;
    double u = j.b;
    for (std::size_t k = 0; k < 6; ++k) u += j.h1[k] * one[k] + j.h2[k] * two[k];
    j.y = std::clamp(j.x - u / j.diagonal, j.lower, j.upper);
    const double d = j.y - j.x;
    for (std::size_t k = 0; k < 6; ++k) {
      one[k] += j.h1[k] * d;
      two[k] += j.h2[k] * d;
    }
    sums.residual = std::max(sums.residual, std::abs(d) * j.diagonal);
    sums.norm2 += d * d * j.diagonal;
    sums.work += j.y * j.b;
  }
}

double WideSweep::sweep(Local local) {
  last_ = {constant_residual_, 0, constant_work_};
  visit_joints(last_);
  const bool steps = step_.beta != 0 || step_.keep != 0 || previous_ >= 0;
  const auto run = kernel_ == Kernel::avx2 ? sweep_avx2 : sweep_base;
  team_->run(order_.colour_start, [&](std::int32_t c) {
    const ColouredPairs::Chunk& chunk = order_.chunks[static_cast<std::size_t>(c)];
    sums_[static_cast<std::size_t>(c)] =
        run({order_.quads.data() + chunk.begin, order_.quads.data() + chunk.end,
             slot_first_.data() + kLanes * chunk.begin, slot_second_.data() + kLanes * chunk.begin,
             visits_.data(), z_.data()},
            step_, steps, local);
  });
  for (const Sums& sums : sums_) {
    last_.residual = std::max(last_.residual, sums.residual);
    last_.norm2 += sums.norm2;
    last_.work += sums.work;
  }
  ++since_set_;
  step_ = {};
  lambda_is_new_ = x_is_new_ = false;
  return last_.residual;
}

bool WideSweep::advance() {
  const double now = last_.norm2;
  const double beta = previous_ > 0 ? now / previous_ : 0;
  previous_ = now;
  if (beta > 1) {
    if (since_set_ >= kRenew) respond();
    std::fill(z_p_.begin(), z_p_.end(), 0.0);
    z_x_ = z_;
    step_ = {0, 0};
    return true;
  }
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double e = beta * z_p_[i], g = z_[i] - z_x_[i];
    z_p_[i] = e + g;
    z_[i] += e;
    z_x_[i] = z_[i];
  }
  step_ = {beta, 1};
  return false;
}

double WideSweep::energy() const {
  double sum = 0;
  for (const double z : z_) sum += z * z;
  return 0.5 * sum + last_.work;
}

double WideSweep::filled() const {
  return static_cast<double>(visited_) / static_cast<double>(kLanes * visits_.size());
}

double WideSweep::bytes() const {
  return static_cast<double>(visits_.size() * sizeof(Visit) + 4 * z_.size() * sizeof(double) +
                             order_.quads.size() * (sizeof(ColouredPairs::Quad) + 32));
}

template <class Triple, class OfJoint>
void WideSweep::copy(VectorXd& to, const Triple& triple, const OfJoint& of) const {
  if (to.size() != s_.rows()) to = lambda_;
  for (std::size_t i = 0; i < visits_.size(); ++i) {
    const Stored* from = triple(i);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (const Index contact = order_.visits[i][lane]; contact >= 0) {
        const Turn& turn = turns_[static_cast<std::size_t>(contact)];
        const double t = from[1].lane[lane], o = from[2].lane[lane];
        to[3 * contact] = from[0].lane[lane];
        to[3 * contact + 1] = turn.cosine * t - turn.sine * o;
        to[3 * contact + 2] = turn.sine * t + turn.cosine * o;
      }
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) to[joints_[j].row] = of(j);
}

const VectorXd& WideSweep::lambda() const {
  if (!lambda_is_new_)
    copy(
        lambda_, [&](std::size_t i) { return visits_[i].y; },
        [&](std::size_t j) { return joints_[j].y; });
  lambda_is_new_ = true;
  return lambda_;
}

const VectorXd& WideSweep::x() const {
  if (!x_is_new_)
    copy(
        x_, [&](std::size_t i) { return visits_[i].x; },
        [&](std::size_t j) { return joints_[j].x; });
  x_is_new_ = true;
  return x_;
}

const VectorXd& WideSweep::kept_lambda() const {
  copy(
      kept_lambda_, [&](std::size_t i) { return kept_[i].data(); },
      [&](std::size_t j) { return kept_joints_[j]; });
  return kept_lambda_;
}

}  // namespace perpend
