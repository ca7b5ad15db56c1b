#include "doctor/infeasible_frames.hpp"

#include <algorithm>
#include <cmath>

namespace perpend::doctor {
namespace {

constexpr std::size_t kTried = 6;   // frames
constexpr double kPart = 5e-3;      // of a body's size, or rad: less is rounding of geometry
constexpr double kTakesPart = 0.1;  // of the largest violation

void locate(const Examination& e, Contradiction& out) {
  const Frame& frame = out.record.frame;
  const System rigid = assemble(frame);
  const auto& space = std::get<BodySpace>(rigid.A);
  const VectorXd broken = out.proof.violation.cwiseAbs();
  double first = 0, second = 0, joint = 0;
  for (Index i = 0; i < rigid.contacts(); ++i) {
    const auto& c = space.contacts[static_cast<std::size_t>(i)];
    const double v = broken[i];
    out.part = std::max(out.part, v * frame.step / e.sizes.smaller(frame, c.first, c.second));
    if (v < kTakesPart * out.proof.worst) continue;
    if (v > first) {
      second = first;
      out.other = out.contact;
      first = v;
      out.contact = rigid.frame_contact[static_cast<std::size_t>(i)];
    } else if (v > second) {
      second = v;
      out.other = rigid.frame_contact[static_cast<std::size_t>(i)];
    }
  }
  for (Index j = 0; j < rigid.joint_rows(); ++j) {
    const auto& row = space.joints[static_cast<std::size_t>(j)];
    const double v = broken[rigid.contacts() + j];
    const bool turns = row.j1.head<3>().isZero(0) && row.j2.head<3>().isZero(0);
    const double size = turns ? 1 : e.sizes.smaller(frame, row.first, row.second);
    out.part = std::max(out.part, v * frame.step / size);
    if (v < kTakesPart * out.proof.worst || v <= joint) continue;
    joint = v;
    if (v == out.proof.worst) out.unit = unit_of(frame.joints, j);
    out.joint_row = j;
    out.limit =
        std::isfinite(frame.joints.bounds(j, 0)) || std::isfinite(frame.joints.bounds(j, 1));
  }
  out.apart = out.proof.worst * frame.step;
}

}  // namespace

std::optional<Contradiction> contradiction(const Examination& e) {
  std::vector<const Vitals*> order;
  for (const Vitals& v : e.frames) {
    if (!v.refused.empty() || v.contacts + v.joint_rows == 0) continue;
    // What the answer satisfies is possible.
    if (v.answered && !(v.rigid > 0.05 * e.scale(v))) continue;
    order.push_back(&v);
  }
  std::stable_sort(order.begin(), order.end(), [](const Vitals* a, const Vitals* b) {
    const auto key = [](const Vitals* v) { return v->answered ? v->rigid : 0.0; };
    return key(a) > key(b);
  });
  // The worst, and some spread over the others: a contradiction need not be the largest error.
  std::vector<const Vitals*> tried;
  for (std::size_t i = 0; i < order.size() && tried.size() < kTried / 2; ++i)
    tried.push_back(order[i]);
  for (std::size_t i = 1; i <= kTried / 2 && order.size() > kTried; ++i)
    tried.push_back(order[i * (order.size() - 1) / (kTried / 2)]);
  std::optional<Contradiction> best;
  for (const Vitals* v : tried) {
    if (e.settings.cancelled && e.settings.cancelled()) break;
    Contradiction out;
    out.record = e.read(v->frame);
    if (out.record.frame.bodies.count() == 0) continue;
    out.frame = v->frame;
    out.proof = infeasible(assemble(out.record.frame));
    if (!out.proof.certain) continue;
    locate(e, out);
    if (out.part > kPart && (!best || out.part > best->part)) best = std::move(out);
  }
  return best;
}

}  // namespace perpend::doctor
