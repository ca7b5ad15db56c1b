// See path_search.hpp.
#include "solve/kit/path_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Entries of a column below this part of its largest are rounding: they do not limit the step.
constexpr double kPivot = 1e-10;
// Of tied rows those with an entry below this part of the largest among them are not chosen.
constexpr double kSafePivot = 1e-2;
// Ties: rows that a step leaves within this part of the largest |b|, or of the largest change.
constexpr double kTie = 1e-12, kTieStep = 1e-13;
// Accuracy asked of B^-1 a, relative to a: beyond it B is factorized anew, or refined.
constexpr double kColumn = 1e-11, kRounding = 4 * std::numeric_limits<double>::epsilon();
constexpr Index kMaxUpdates = 80;
constexpr int kCorrectEvery = 16;
// A variable this part of the largest away from its bound is basic at the start.
constexpr double kInside = 1e-10;
// Marks at t = 1/2, ..., 2^-kMarks.
constexpr int kMarks = 12;

double power_of_two(double x) { return x > 0 ? std::exp2(std::round(std::log2(x))) : 1; }

}  // namespace

PathSearch::PathSearch(const LinearProblem& p) : n_(p.size()), column_scale_(n_) {
  VectorXd row_scale(n_);
  for (Index i = 0; i < n_; ++i) {
    column_scale_[i] = power_of_two(1 / p.rows.weight[i]);
    row_scale[i] = power_of_two(p.rows.weight[i] * p.rows.scale[i]);
  }
  A_ = row_scale.asDiagonal() * p.A * column_scale_.asDiagonal();
  A_.makeCompressed();
  b_ = row_scale.cwiseProduct(p.b);
  lower_ = scaled(p.lower);
  upper_ = scaled(p.upper);
  largest_ = n_ ? b_.lpNorm<Eigen::Infinity>() : 0;
  for (Index i = 0; i < n_; ++i)
    for (const double bound : {lower_[i], upper_[i]})
      if (std::isfinite(bound)) largest_ = std::max(largest_, std::abs(bound));
}

double PathSearch::bytes(const LinearProblem& p) {
  // A, B and its factors with moderate fill, the eta file at its longest, some vectors.
  const double n = static_cast<double>(p.size());
  return 400 * static_cast<double>(p.A.nonZeros()) +
         n * (12 * static_cast<double>(kMaxUpdates) + 8 * (kMarks + 40));
}

VectorXd PathSearch::residual(const VectorXd& x) const {
  const VectorXd z = project(x);
  return A_ * z + b_ + x - z;
}

VectorXd PathSearch::unscaled(const VectorXd& z) const { return z.cwiseProduct(column_scale_); }

NormalPoint PathSearch::predicted(const VectorXd& given) const {
  const VectorXd z = project(given), w = A_ * z + b_;
  NormalPoint p{z, std::vector<Cell>(static_cast<std::size_t>(n_), Cell::between)};
  for (Index i = 0; i < n_; ++i) {
    const double x = z[i] - w[i];
    Cell& cell = p.cell[static_cast<std::size_t>(i)];
    if (lower_[i] == upper_[i]) {
      cell = Cell::lower;
      p.x[i] = x;
    } else if (x <= lower_[i] || (z[i] == lower_[i] && w[i] >= 0)) {
      cell = Cell::lower;
      p.x[i] = lower_[i] - std::max(0.0, w[i]);
    } else if (x >= upper_[i] || (z[i] == upper_[i] && w[i] <= 0)) {
      cell = Cell::upper;
      p.x[i] = upper_[i] + std::max(0.0, -w[i]);
    }
  }
  return p;
}

NormalPoint PathSearch::point_of(const VectorXd& given) const {
  const VectorXd z = project(given), w = A_ * z + b_;
  const double inside = kInside * (n_ ? z.lpNorm<Eigen::Infinity>() : 0);
  NormalPoint p{z, std::vector<Cell>(static_cast<std::size_t>(n_), Cell::between)};
  for (Index i = 0; i < n_; ++i) {
    Cell& cell = p.cell[static_cast<std::size_t>(i)];
    if (lower_[i] == upper_[i]) {
      cell = Cell::lower;
      p.x[i] = z[i] - w[i];
    } else if (z[i] - lower_[i] <= inside) {
      cell = Cell::lower;
      p.x[i] = lower_[i] - std::max(0.0, w[i]);
    } else if (upper_[i] - z[i] <= inside) {
      cell = Cell::upper;
      p.x[i] = upper_[i] + std::max(0.0, -w[i]);
    }
  }
  for (Index j = 0; j < n_; ++j) {
    if (p.cell[static_cast<std::size_t>(j)] != Cell::between) continue;
    Index partner = -1;
    bool alone = true;
    for (Matrix::InnerIterator it(A_, j); it && alone; ++it) {
      if (it.value() == 0) continue;
      alone = p.cell[static_cast<std::size_t>(it.row())] != Cell::between;
      if (partner < 0 || std::abs(w[it.row()]) < std::abs(w[partner])) partner = it.row();
    }
    if (!alone || partner < 0 || lower_[partner] == upper_[partner]) continue;
    p.cell[static_cast<std::size_t>(partner)] = Cell::between;
    p.x[partner] = z[partner];
  }
  return p;
}

double PathSearch::natural(const VectorXd& z) const {
  return (z - project(z - A_ * z - b_)).norm();
}

NormalPoint PathSearch::cold() const {
  NormalPoint p{project(VectorXd::Zero(n_)),
                std::vector<Cell>(static_cast<std::size_t>(n_), Cell::between)};
  for (Index i = 0; i < n_; ++i) {
    const bool below = std::isfinite(lower_[i]), above = std::isfinite(upper_[i]);
    if (!below && !above) continue;
    const bool lower = below && (!above || std::abs(lower_[i]) <= std::abs(upper_[i]));
    p.cell[static_cast<std::size_t>(i)] = lower ? Cell::lower : Cell::upper;
    p.x[i] = lower ? lower_[i] : upper_[i];
  }
  return p;
}

double PathSearch::excludes(const VectorXd& direction) const {
  constexpr double kZero = 1e-12;  // rounding of A^T y
  const double size = n_ ? direction.lpNorm<Eigen::Infinity>() : 0;
  if (!(size > 0) || !std::isfinite(size)) return 0;
  VectorXd y = direction / size;
  for (Index i = 0; i < n_; ++i) {
    const bool below = std::isfinite(lower_[i]), above = std::isfinite(upper_[i]);
    if (below && above) y[i] = 0;
    if (below && !above) y[i] = std::max(0.0, y[i]);
    if (above && !below) y[i] = std::min(0.0, y[i]);
    if (std::abs(y[i]) <= kZero) y[i] = 0;
  }
  const VectorXd g = A_.transpose() * y;
  double largest = y.dot(b_);
  for (Index i = 0; i < n_; ++i) {
    if (g[i] == 0) continue;
    const double bound = g[i] > 0 ? upper_[i] : lower_[i];
    if (std::isfinite(bound))
      largest += g[i] * bound;
    else if (std::abs(g[i]) > kZero)
      return 0;
  }
  return std::max(0.0, -largest / y.lpNorm<1>());
}

double PathSearch::s() const { return s_position_ < 0 ? s_out_ : val_[s_position_]; }

double PathSearch::t_of(double s) const {
  if (std::isinf(s)) return -kInfinity;
  return s_first_ > 0 && std::isfinite(s_first_) ? 1 - s / s_first_ : 1;
}

double PathSearch::violation() const {
  if (!std::isfinite(s())) return kInfinity;
  const double artificial = std::abs(s()) * c_.lpNorm<Eigen::Infinity>();
  if (proximal_ == 0) return artificial;
  const VectorXd z = project(point(val_).x);
  return artificial + proximal_ * (z - anchor_).lpNorm<Eigen::Infinity>();
}

void PathSearch::range(Index variable, double& low, double& high) const {
  low = 0;
  high = kInfinity;
  const Index i = variable % n_;
  if (kind(variable) == kZ) {
    low = lower_[i];
    high = upper_[i];
  } else if (kind(variable) == kW && lower_[i] == upper_[i]) {
    low = -kInfinity;  // z is fixed, w may be anything
  }
}

void PathSearch::add_column(Index variable, double factor, VectorXd& to) const {
  const Index i = variable % n_;
  switch (kind(variable)) {
    case kZ:
      for (Matrix::InnerIterator it(A_, i); it; ++it) to[it.row()] += factor * it.value();
      to[i] += factor * proximal_;
      break;
    case kW:
      to[i] -= factor;
      break;
    case kV:
      to[i] += factor;
      break;
    case kS:
      to -= factor * c_;
      break;
  }
}

VectorXd PathSearch::product(const VectorXd& val) const {
  VectorXd sum = VectorXd::Zero(n_);
  for (Index p = 0; p < n_; ++p)
    if (val[p] != 0) add_column(basic(p), val[p], sum);
  return sum;
}

VectorXd PathSearch::right_side() const {
  VectorXd sum = -b_;
  if (proximal_ > 0) sum += proximal_ * anchor_;
  for (Index i = 0; i < n_; ++i)
    if (!z_in_[static_cast<std::size_t>(i)] && z_out_[i] != 0)
      add_column(id(kZ, i), -z_out_[i], sum);
  if (s_position_ < 0 && !ray_start_) sum += s_out_ * c_;
  return sum;
}

// A number that points from a bound inwards, of a size that no other has.
double PathSearch::inward(double low, double high, double value) {
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  const double size = 0.5 + 0.5 * static_cast<double>(random_ >> 11) / 9007199254740992.0;  // 2^53
  return high - value < value - low ? -size : size;
}

void PathSearch::set_cells(const NormalPoint& start, double proximal) {
  proximal_ = proximal;
  anchor_ = project(start.x);
  basic_.assign(static_cast<std::size_t>(n_), 0);
  z_in_.assign(static_cast<std::size_t>(n_), false);
  z_out_ = VectorXd::Zero(n_);
  for (Index i = 0; i < n_; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    z_in_[k] = start.cell[k] == Cell::between;
    basic_[k] = id(start.cell[k] == Cell::lower ? kW : start.cell[k] == Cell::between ? kZ : kV, i);
    if (start.cell[k] == Cell::lower) z_out_[i] = lower_[i];
    if (start.cell[k] == Cell::upper) z_out_[i] = upper_[i];
  }
  s_position_ = -1;
  entering_ = id(kS, 0);
  since_correction_ = 0;
  degenerate_ = 0;
  random_ = 1;
  ray_.resize(0);
  marks_.clear();
  best_ = {-kInfinity, {}};
}

bool PathSearch::start_at(const NormalPoint& start, double proximal) {
  ray_start_ = false;
  set_cells(start, proximal);
  c_ = residual(start.x);
  // The nearer the start to a solution, the smaller the numbers that matter, down to rounding.
  tie_ = std::min(kTie * largest_, kTie * c_.lpNorm<Eigen::Infinity>() +
                                       kRounding * start.x.lpNorm<Eigen::Infinity>());
  s_first_ = s_out_ = c_.lpNorm<Eigen::Infinity>();
  if (s_first_ > 0) c_ /= s_first_;
  direction_ = -1;
  val_.resize(n_);
  val2_.resize(n_);
  for (Index i = 0; i < n_; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    double low, high;
    range(basic(i), low, high);
    val_[i] = start.cell[k] == Cell::lower     ? lower_[i] - start.x[i]
              : start.cell[k] == Cell::between ? start.x[i]
                                               : start.x[i] - upper_[i];
    val2_[i] = inward(low, high, val_[i]);
  }
  return refactorize();
}

bool PathSearch::start_ray(const NormalPoint& start, double proximal) {
  ray_start_ = true;
  set_cells(start, proximal);
  c_ = VectorXd::Zero(n_);
  tie_ = kTie * largest_;
  s_first_ = s_out_ = kInfinity;
  direction_ = -1;
  cover_ = VectorXd::Zero(n_);
  val_ = VectorXd::Zero(n_);
  val2_.resize(n_);
  if (!refactorize()) return false;
  val_ = right_side();
  lu_.solve(val_);
  correct();
  double low, high, worst = 0;
  const auto outside = [&](Index p) {
    range(basic(p), low, high);
    return std::max({0.0, low - val_[p], val_[p] - high});
  };
  for (Index p = 0; p < n_; ++p) worst = std::max(worst, outside(p));
  for (Index p = 0; p < n_; ++p) {
    const double violation = outside(p);
    if (std::isfinite(low) && std::isfinite(high))  // as far inside as s can lift it at its largest
      cover_[p] = violation > 0 ? (val_[p] < low ? violation : -violation) / worst : 0;
    else if (std::isfinite(low) || std::isfinite(high))
      cover_[p] = std::isfinite(low) ? 1 : -1;
    val2_[p] = inward(low, high, val_[p]);
  }
  c_ = product(cover_);
  tie_ = std::min(tie_, kTie * worst + kRounding * val_.lpNorm<Eigen::Infinity>());
  return true;
}

VectorXd PathSearch::newton() const {
  VectorXd step = s_first_ * c_;
  lu_.solve(step);
  VectorXd z = z_out_;
  for (Index i = 0; i < n_; ++i)
    if (z_in_[static_cast<std::size_t>(i)]) z[i] = val_[i] - step[i];
  return z;
}

bool PathSearch::refactorize() {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index p = 0; p < n_; ++p) {
    const Index variable = basic(p), i = variable % n_;
    const int column = static_cast<int>(p);
    switch (kind(variable)) {
      case kZ:
        for (Matrix::InnerIterator it(A_, i); it; ++it)
          if (it.value() != 0) entries.emplace_back(static_cast<int>(it.row()), column, it.value());
        if (proximal_ > 0) entries.emplace_back(static_cast<int>(i), column, proximal_);
        break;
      case kW:
      case kV:
        entries.emplace_back(static_cast<int>(i), column, kind(variable) == kW ? -1.0 : 1.0);
        break;
      case kS:
        for (Index r = 0; r < n_; ++r)
          if (c_[r] != 0) entries.emplace_back(static_cast<int>(r), column, -c_[r]);
        break;
    }
  }
  Matrix B(n_, n_);
  B.setFromTriplets(entries.begin(), entries.end());
  ++factorizations_;
  fresh_ = true;
  return lu_.factorize(B);
}

void PathSearch::correct() {
  VectorXd rest = right_side() - product(val_);
  lu_.solve(rest);
  val_ += rest;
  since_correction_ = 0;
}

bool PathSearch::solve_column(VectorXd& alpha) {
  VectorXd column = VectorXd::Zero(n_);
  add_column(entering_, 1, column);
  const double size = column.lpNorm<Eigen::Infinity>();
  alpha = column;
  lu_.solve(alpha);
  VectorXd rest = column - product(alpha);
  if (!fresh_ && !(rest.lpNorm<Eigen::Infinity>() <= kColumn * size)) {
    if (!refactorize()) return false;
    correct();
    alpha = column;
    lu_.solve(alpha);
    rest = column - product(alpha);
  }
  if (rest.lpNorm<Eigen::Infinity>() > kRounding * size) {
    lu_.solve(rest);
    alpha += rest;
  }
  return alpha.allFinite();
}

// The basic variable that meets a bound first; of those that tie s, or the first in val2.
PathSearch::Leaving PathSearch::leaving(const VectorXd& alpha) {
  const double size = alpha.lpNorm<Eigen::Infinity>(), smallest = kPivot * size;
  const auto distance = [&](Index p) {
    double low, high;
    range(basic(p), low, high);
    const double d = -direction_ * alpha[p] < 0 ? val_[p] - low : high - val_[p];
    return std::max(0.0, d);
  };
  const auto shortest = [&](double slack) {
    double ratio = kInfinity;
    for (Index p = 0; p < n_; ++p)
      if (std::abs(alpha[p]) > smallest)
        ratio = std::min(ratio, (distance(p) + slack) / std::abs(alpha[p]));
    return ratio;
  };
  Leaving result;
  double exact = shortest(0);
  double low, high;
  range(entering_, low, high);
  const bool s_enters = entering_ == id(kS, 0);
  const double own = s_enters ? s_out_ : high - low;
  const double tie = tie_ + kTieStep * std::min(exact, own) * size;
  // On ties s goes: to the end of the path, not across one more facet.
  if (std::isfinite(own) && (own < exact || (s_enters && own <= shortest(tie)))) {
    result.flip = true;
    result.step = own;
    return result;
  }
  if (!std::isfinite(exact)) return result;
  const double step = shortest(tie);
  std::vector<Index> tied;
  double largest = 0;
  for (Index p = 0; p < n_; ++p) {
    if (std::abs(alpha[p]) <= smallest || distance(p) > step * std::abs(alpha[p]) + tie) continue;
    if (p == s_position_) {
      tied.assign(1, p);
      break;
    }
    tied.push_back(p);
    largest = std::max(largest, std::abs(alpha[p]));
  }
  double best = kInfinity;
  for (const Index p : tied) {
    // Nearly redundant contacts tie with tiny entries: to pivot on those would throw the accuracy
    // away, so there the rule gives way.
    if (p != s_position_ && std::abs(alpha[p]) < kSafePivot * largest) continue;
    range(basic(p), low, high);
    const bool down = -direction_ * alpha[p] < 0;
    double distance2 = down ? val2_[p] : -val2_[p];
    // Rounding has led outside in the second solution: that variable is perturbed anew.
    if (distance2 < 0 && distance(p) <= tie)
      distance2 = std::abs(val2_[p] = down ? inward(0, kInfinity, 0) : -inward(0, kInfinity, 0));
    const double ratio2 = distance2 / std::abs(alpha[p]);
    if (ratio2 >= best) continue;
    best = ratio2;
    result.position = p;
    result.step = distance(p) / std::abs(alpha[p]);
    result.step2 = ratio2;
  }
  return result;
}

// Keeps the points of the coming step where t first is 2^-k, and the one where t turns back.
void PathSearch::mark(const VectorXd& delta, double step) {
  const double rate = s_position_ < 0 ? direction_ : delta[s_position_];
  const double now = s(), then = now + rate * step;
  if (rate > 0 || !std::isfinite(step)) {
    if (t_of(now) > best_.t) best_ = {t_of(now), point(val_)};
    return;
  }
  if (ray_start_ || rate == 0) return;
  while (static_cast<int>(marks_.size()) < kMarks) {
    const double t = std::exp2(static_cast<double>(marks_.size()) - kMarks);
    if (t_of(then) < t) break;
    const double part = std::clamp((now - (1 - t) * s_first_) / -rate, 0.0, step);
    marks_.push_back({t, point(val_ + part * delta, part)});
  }
}

void PathSearch::advance(const VectorXd& delta, const Leaving& leave) {
  val_ += leave.step * delta;
  val2_ += leave.step2 * delta;
  degenerate_ = leave.step * delta.lpNorm<Eigen::Infinity>() > tie_ ? 0 : degenerate_ + 1;
}

// s comes from infinity down to where the first basic variable would leave its bounds.
PathSearch::Move PathSearch::first_of_ray() {
  double low, high, worst = 0;
  const auto outside = [&](Index p) {
    range(basic(p), low, high);
    return cover_[p] > 0 ? low - val_[p] : val_[p] - high;
  };
  for (Index p = 0; p < n_; ++p)
    if (cover_[p] != 0) worst = std::max(worst, outside(p) / std::abs(cover_[p]));
  if (worst <= tie_) {
    s_out_ = 0;
    return Move::solved;
  }
  Index row = -1;
  double smallest2 = kInfinity;
  for (Index p = 0; p < n_; ++p) {
    if (cover_[p] == 0 || outside(p) < (worst - tie_) * std::abs(cover_[p])) continue;
    const double inward2 = val2_[p] / cover_[p];
    if (inward2 < smallest2) {
      smallest2 = inward2;
      row = p;
    }
  }
  const bool at_low = cover_[row] > 0;
  const double s = outside(row) / std::abs(cover_[row]);
  s_first_ = s;
  val_ += s * cover_;
  val2_ -= smallest2 * cover_;
  const Index left = basic(row), i = left % n_;
  basic_[static_cast<std::size_t>(row)] = id(kS, 0);
  s_position_ = row;
  val_[row] = s;
  val2_[row] = -smallest2;
  lu_.replace(row, -cover_);
  fresh_ = false;
  leave(left, i, at_low);
  return Move::pivoted;
}

// The complement of what left at its lower or upper bound is the next to enter.
void PathSearch::leave(Index left, Index i, bool at_low) {
  direction_ = 1;
  switch (kind(left)) {
    case kZ:
      z_in_[static_cast<std::size_t>(i)] = false;
      z_out_[i] = at_low ? lower_[i] : upper_[i];
      entering_ = id(at_low ? kW : kV, i);
      break;
    case kW:
      entering_ = id(kZ, i);
      break;
    default:
      entering_ = id(kZ, i);
      direction_ = -1;
  }
}

PathSearch::Move PathSearch::step() {
  if (ray_start_ && s_position_ < 0) return first_of_ray();
  if (lu_.updates() >= kMaxUpdates) {
    if (!refactorize()) return Move::singular;
    correct();
  }
  VectorXd alpha;
  if (!solve_column(alpha)) return Move::singular;
  Leaving out = leaving(alpha);
  if (out.position < 0 && !out.flip && !fresh_) {
    if (!refactorize()) return Move::singular;
    correct();
    if (!solve_column(alpha)) return Move::singular;
    out = leaving(alpha);
  }
  const VectorXd delta = -direction_ * alpha;
  const Index i = entering_ % n_;
  if (out.position < 0 && !out.flip) {
    mark(delta, kInfinity);
    ray_ = VectorXd::Zero(n_);
    for (Index p = 0; p < n_; ++p)
      if (kind(basic(p)) == kZ) ray_[basic(p)] = delta[p];
    if (kind(entering_) == kZ) ray_[i] = direction_;
    return Move::ray;
  }
  mark(delta, out.step);
  advance(delta, out);
  if (out.flip) {
    if (entering_ == id(kS, 0)) {
      s_out_ = 0;
      correct();
      return Move::solved;
    }
    z_out_[i] = direction_ > 0 ? upper_[i] : lower_[i];
    entering_ = id(direction_ > 0 ? kV : kW, i);
    direction_ = 1;
    return Move::pivoted;
  }

  const Index p = out.position, left = basic(p), j = left % n_;
  const double from = entering_ == id(kS, 0) ? s_out_ : kind(entering_) == kZ ? z_out_[i] : 0;
  basic_[static_cast<std::size_t>(p)] = entering_;
  val_[p] = from + direction_ * out.step;
  val2_[p] = direction_ * out.step2;
  lu_.replace(p, alpha);
  fresh_ = false;
  if (entering_ == id(kS, 0)) s_position_ = p;
  if (kind(entering_) == kZ) z_in_[static_cast<std::size_t>(i)] = true;
  if (left == id(kS, 0)) {
    s_position_ = -1;
    s_out_ = 0;
    ray_start_ = false;  // s has come and gone: nothing is left of it
    return Move::solved;
  }
  leave(left, j, delta[p] < 0);
  if (++since_correction_ >= kCorrectEvery) correct();
  return Move::pivoted;
}

NormalPoint PathSearch::point() const { return point(val_); }

NormalPoint PathSearch::point(const VectorXd& val, double moved) const {
  NormalPoint p{z_out_, std::vector<Cell>(static_cast<std::size_t>(n_), Cell::between)};
  // The index of the variable outside is on a facet, or has moved so far from it.
  if (kind(entering_) != kS) {
    const Index i = entering_ % n_;
    Cell& cell = p.cell[static_cast<std::size_t>(i)];
    cell = z_out_[i] == lower_[i] ? Cell::lower : Cell::upper;
    if (moved > 0 && kind(entering_) == kZ) cell = Cell::between;
    p.x[i] += (kind(entering_) == kW ? -1 : direction_) * moved;
  }
  for (Index k = 0; k < n_; ++k) {
    const Index i = basic(k) % n_;
    Cell& cell = p.cell[static_cast<std::size_t>(i)];
    switch (kind(basic(k))) {
      case kZ:
        cell = Cell::between;
        p.x[i] = std::clamp(val[k], lower_[i], upper_[i]);
        break;
      case kW:
        cell = Cell::lower;
        p.x[i] = lower_[i] - (lower_[i] == upper_[i] ? val[k] : std::max(0.0, val[k]));
        break;
      case kV:
        cell = Cell::upper;
        p.x[i] = upper_[i] + std::max(0.0, val[k]);
        break;
      case kS:
        break;
    }
  }
  return p;
}

PathSearch::Mark PathSearch::furthest() const {
  return t() >= best_.t ? Mark{t(), point(val_)} : best_;
}

}  // namespace perpend
