#include "draw/matters.hpp"

#include "perpend/base.hpp"

namespace perpend::draw {
namespace {

constexpr double kRare = 0.05;  // of bodies and moments, to each side

void unite(Bounds& all, const Bounds& one) {
  all.add(one.lower);
  all.add(one.upper);
}

// What is together: boxes more than five times as far from their middle as the nearest four fifths
// are left out.
Bounds together(const std::vector<Bounds>& boxes) {
  Vector3d middle;
  for (Index k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const Bounds& box : boxes) values.push_back(box.centre()[k]);
    middle[k] = quantile(values, 0.5);
  }
  std::vector<double> far;
  for (const Bounds& box : boxes) far.push_back((box.centre() - middle).norm() + box.radius());
  const double most = 5 * quantile(far, 0.8);
  Bounds out;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (far[i] <= most) unite(out, boxes[i]);
  return out;
}

}  // namespace

Bounds what_matters(const std::vector<Seen>& runs, const Matrix3d& axes, double much_larger) {
  std::vector<Bounds> all, first;
  for (const Seen& run : runs) {
    if (run.states.empty()) continue;
    const std::vector<Bounds> at_start = body_bounds(*run.scene, {run.states.front()}, axes);
    first.insert(first.end(), at_start.begin(), at_start.end());
    const std::vector<Bounds> later = body_bounds(*run.scene, run.states, axes);
    all.insert(all.end(), later.begin(), later.end());
  }
  if (all.empty() || first.empty()) return bounds(*runs.front().scene, runs.front().states, axes);
  Bounds whole, most = together(first);
  for (const Bounds& box : all) unite(whole, box);
  Vector3d lower, upper;
  for (Index k = 0; k < 3; ++k) {
    std::vector<double> low, high;
    for (const Bounds& box : all) {
      low.push_back(box.lower[k]);
      high.push_back(box.upper[k]);
    }
    lower[k] = quantile(low, kRare);
    upper[k] = quantile(high, 1 - kRare);
  }
  unite(most, {lower, upper});
  return whole.radius() <= much_larger * most.radius() ? whole : most;
}

}  // namespace perpend::draw
