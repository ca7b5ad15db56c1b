// Every frame is measured, then each verdict is looked for.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr std::size_t kBatch = 64;  // frames in memory

void learn_bodies(const io::Record& record, Index frame, const Sizes& sizes,
                  std::map<std::int64_t, BodyFacts>& all) {
  const Bodies& b = record.frame.bodies;
  const Contacts& k = record.frame.contacts;
  for (Index i = 0; i < b.count(); ++i) {
    if (b.fixed(i)) continue;
    BodyFacts& one = all[b.ids[static_cast<std::size_t>(i)]];
    if (one.frame >= 0) continue;
    one.frame = frame;
    one.mass = b.masses[i];
    one.half = sizes.of_shapes(b.ids[static_cast<std::size_t>(i)]);
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const auto q = b.quaternions.row(i);
    const Matrix3d turn =
        Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    one.inertia = turn.transpose() * inertia * turn;
    if (inertia.allFinite())
      one.moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(0.5 * (inertia + inertia.transpose()))
                        .eigenvalues();
  }
  for (Index i = 0; i < k.count(); ++i) {
    const Index first = k.pairs(i, 0), second = k.pairs(i, 1);
    const Vector3d place = b.positions.row(first) + k.points.row(i);
    for (const Index body : {first, second})
      if (const auto found = all.find(b.ids[static_cast<std::size_t>(body)]); found != all.end())
        found->second.arm =
            std::max(found->second.arm, (place - b.positions.row(body).transpose()).norm());
  }
  const Joints& joints = record.frame.joints;
  for (const Pairs* pairs : {&joints.pairs, &joints.pairs2})
    for (const std::int64_t body : pairs->reshaped())
      if (const auto found = all.find(b.ids[static_cast<std::size_t>(body)]); found != all.end())
        found->second.joined = true;
}

void note_missing(const io::Record& record, std::vector<Missing>& out) {
  const Frame& frame = record.frame;
  const auto add = [&](const char* dataset, const char* without) {
    for (const Missing& one : out)
      if (one.dataset == dataset) return;
    out.push_back({dataset, without});
  };
  if (frame.contacts.count() > 0 && record.answer.z.rows() == 0)
    add("/solution/z", "the engine's answer cannot be judged");
  if (frame.joints.row_count() > 0 && record.answer.z_joints.size() == 0)
    add("/solution/z_joints", "the engine's answer at joints cannot be judged");
  if (frame.bodies.count() > 0 && record.answer.velocities_plus.rows() == 0)
    add("/bodies/velocities_plus", "whether the forces add up cannot be told");
  if (frame.bodies.count() == 0)
    add("/bodies", "only the answer of the solver can be judged, not model and geometry");
}

// Frames with numbers that are none are no sound frames.
void note_refused(const std::vector<Vitals>& frames, std::vector<Missing>& out) {
  Index count = 0;
  const Vitals* first = nullptr;
  for (const Vitals& v : frames) {
    if (v.refused.empty()) continue;
    if (!first) first = &v;
    ++count;
  }
  if (first)
    out.push_back({"/" + first->refused.substr(0, first->refused.find_first_of(" :")),
                   std::to_string(count) + " of " + std::to_string(frames.size()) +
                       " frames cannot be examined; frame " + std::to_string(first->frame) + ": " +
                       first->refused});
}

void add_courses(const Vitals& v, Courses& out) {
  out.frame.push_back(static_cast<double>(v.frame));
  out.own_error.push_back(v.own);
  out.velocity_error.push_back(v.rigid);
  out.momentum.push_back(v.momentum);
  out.creep.push_back(v.creep.looked > 0 ? v.creep.sum / static_cast<double>(v.creep.looked)
                                         : kUnknown);
  out.turn.push_back(v.turn.value);
  out.depth.push_back(v.surprise.value);
}

std::vector<Number> numbers_of(const Examination& e) {
  std::vector<Number> out{{"gravity", "m/s^2", e.gravity}};
  const auto largest = [&](const char* name, const char* unit, auto value) {
    double most = kUnknown;
    for (const Vitals& v : e.frames) most = std::fmax(most, value(v));
    out.push_back({name, unit, most});
  };
  const auto share = [&](const char* name, Share Vitals::*which) {
    Index looked = 0, showed = 0;
    for (const Vitals& v : e.frames) {
      looked += (v.*which).looked;
      showed += (v.*which).showed;
    }
    if (looked > 0)
      out.push_back({name, "", static_cast<double>(showed) / static_cast<double>(looked)});
  };
  largest("own_error", "m/s", [](const Vitals& v) { return v.own; });
  largest("unsolved", "", [&](const Vitals& v) { return v.answered ? e.short_by(v) : kUnknown; });
  largest("velocity_error", "m/s", [](const Vitals& v) { return v.rigid; });
  largest("momentum", "m/s", [](const Vitals& v) { return v.momentum; });
  largest("creep", "m/s", [](const Vitals& v) {
    return v.creep.looked > 0 ? v.creep.sum / static_cast<double>(v.creep.looked) : kUnknown;
  });
  largest("sunk", "body sizes", [](const Vitals& v) { return v.soft.value; });
  largest("turn", "rad", [](const Vitals& v) { return v.turn.value; });
  largest("overlap_not_predicted", "body sizes", [](const Vitals& v) { return v.surprise.value; });
  largest("energy_given", "",
          [](const Vitals& v) { return v.energy > 0 ? v.injected / v.energy : kUnknown; });
  largest("pushed_apart", "m/s", [](const Vitals& v) { return v.push.value; });
  largest("mass_ratio", "", [](const Vitals& v) { return v.ratio.value; });
  share("lifting", &Vitals::lift);
  share("turned_friction", &Vitals::turned);
  share("jumping_normals", &Vitals::jumps);
  share("ghost_contacts", &Vitals::ghosts);
  share("flickering_pairs", &Vitals::flicker);
  share("duplicates", &Vitals::twins);
  return out;
}

}  // namespace

Diagnosis diagnose(const Recording& recording, const Settings& settings) {
  Diagnosis out;
  std::vector<Index> chosen = settings.frames;
  if (chosen.empty()) {
    chosen.resize(static_cast<std::size_t>(recording.frames));
    std::iota(chosen.begin(), chosen.end(), Index{0});
  }
  Examination examination{recording, settings, Sizes(recording.model), {}, {}, 0, 0};
  Executor serial;
  Executor& executor = settings.executor ? *settings.executor : serial;
  const auto stopped = [&] { return settings.cancelled && settings.cancelled(); };

  std::vector<io::Record> batch;  // the frame before, then those of the batch
  std::vector<double> gravities;
  for (std::size_t begin = 0; begin < chosen.size() && !stopped(); begin += kBatch) {
    const std::size_t end = std::min(chosen.size(), begin + kBatch);
    io::Record before = batch.empty() ? io::Record() : std::move(batch.back());
    batch.clear();
    batch.push_back(std::move(before));
    for (std::size_t i = begin; i < end; ++i) {
      batch.push_back(recording.read(chosen[i]));
      examination.sizes.add(batch.back().model);
      learn_bodies(batch.back(), chosen[i], examination.sizes, examination.bodies);
      note_missing(batch.back(), out.missing);
    }
    std::vector<Vitals> made(end - begin);
    executor.for_each(static_cast<std::ptrdiff_t>(made.size()), [&](std::ptrdiff_t i, int) {
      const auto at = begin + static_cast<std::size_t>(i);
      const bool follows = at > 0 && chosen[at] == chosen[at - 1] + 1;
      const auto in_batch = static_cast<std::size_t>(i);
      made[in_batch] =
          vitals(batch[in_batch + 1], follows ? &batch[in_batch] : nullptr, examination.sizes);
      made[in_batch].frame = chosen[at];
    });
    for (Vitals& v : made) {
      if (std::isfinite(v.gravity)) gravities.push_back(v.gravity);
      examination.speed = std::max(examination.speed, v.speed);
      add_courses(v, out.courses);
      examination.frames.push_back(std::move(v));
    }
    if (settings.progress) settings.progress(static_cast<Index>(end));
  }
  out.stopped = stopped();
  note_refused(examination.frames, out.missing);
  if (recording.frames == 0) out.missing.push_back({"/frames/offsets", "there is no frame"});
  out.frames = static_cast<Index>(examination.frames.size());
  if (!gravities.empty()) examination.gravity = median(gravities);
  out.numbers = numbers_of(examination);
  out.answers = std::any_of(examination.frames.begin(), examination.frames.end(),
                            [](const Vitals& v) { return v.answered; });
#define VERDICT(function)                                                \
  if (static const Judge judge = function(); judge.find && !out.stopped) \
    if (std::optional<Finding> found = judge.find(examination)) {        \
      found->verdict = verdict_named(judge.id);                          \
      out.findings.push_back(std::move(*found));                         \
    }
#include "doctor/verdicts.inc"
#undef VERDICT
  return out;
}

std::vector<std::string> Diagnosis::verdict() const {
  std::vector<std::string> out;
  for (const Blame blame : {Blame::solver, Blame::model, Blame::geometry})
    for (const Finding& finding : findings)
      if (finding.verdict->blame == blame) {
        out.emplace_back(name(blame));
        break;
      }
  if (!out.empty()) return out;
  return {answers && missing.empty() && frames > 0 ? "sound" : "cannot_tell"};
}

}  // namespace perpend::doctor
