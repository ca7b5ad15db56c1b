#include "view/recordings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace perpend::view {
namespace {

using OrderedJson = nlohmann::ordered_json;
constexpr double kNotYet = -2;  // difference_

std::string text_of(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// Farthest distance of a body's centre from where the other recording has it, and the first column
// of the bodies' states that differs in a bit.
struct Compared {
  double apart = 0;
  std::string column;
};
// `alike`: of one engine; two have axes of their own.
Compared compare_bodies(const Bodies& a, const Bodies& b, bool alike) {
  Compared out;
  if (a.ids != b.ids) {
    out.column = "bodies";
    return out;
  }
  out.apart = a.count() > 0 ? (a.positions - b.positions).rowwise().norm().maxCoeff() : 0;
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) ==
               0;
  };
  if (!same(a.positions, b.positions))
    out.column = "positions";
  else if (alike && !same(a.quaternions, b.quaternions))
    out.column = "orientations";
  else if (!same(a.velocities, b.velocities))
    out.column = "velocities";
  return out;
}

}  // namespace

Recordings::Recordings(std::vector<std::unique_ptr<Recording>> files)
    : files_(std::move(files)),
      next_(files_.size(), 0),
      difference_(files_.size() > 1 ? kNotYet : -1) {
  for (const auto& file : files_) {
    times_.push_back(file->times());
    errors_.push_back(file->errors());
    left_.push_back(file->solvable() ? static_cast<double>(std::count_if(
                                           errors_.back().begin(), errors_.back().end(),
                                           [](double e) { return std::isnan(e); }))
                                     : 0);
  }
}

RecordingMessage Recordings::about() const {
  RecordingMessage out;
  OrderedJson recordings = OrderedJson::array(), methods = OrderedJson::array();
  out.scenes = "[";
  for (const auto& file : files_) {
    recordings.push_back(file->about());
    if (out.scenes.size() > 1) out.scenes += ",";
    out.scenes += io::to_json(file->scene());
  }
  out.scenes += "]";
  const auto add = [&](const SolverInfo& info) {
    methods.push_back({{"name", info.name}, {"title", info.title}, {"joints", info.joints}});
  };
  add(io::recorded_solver());
  for (const SolverInfo& info : solvers()) add(info);
  out.json = text_of({{"recordings", recordings}, {"solvers", methods}});
  return out;
}

TimelineMessage Recordings::timeline() {
  news_ = urgent_ = false;
  TimelineMessage out;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    out.frames.push_back(static_cast<std::uint32_t>(files_[i]->frames()));
    for (const double time : times_[i]) out.times.push_back(static_cast<float>(time));
    for (const double error : errors_[i]) out.errors.push_back(static_cast<float>(error));
    out.left += left_[i];
  }
  out.apart = apart_;
  out.difference = difference_;
  out.words = words_;
  return out;
}

FrameMessage Recordings::frame(double asked) const {
  FrameMessage out;
  Index longest = 0;
  for (const auto& file : files_) longest = std::max(longest, file->frames());
  const auto frame = static_cast<Index>(std::clamp(asked, 0.0, static_cast<double>(longest - 1)));
  out.frame = static_cast<double>(frame);
  OrderedJson told = OrderedJson::array();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Index own = std::min(frame, files_[i]->frames() - 1);
    const double error = errors_[i][static_cast<std::size_t>(own)];
    const io::Record record = files_[i]->read(own);
    add_state(files_[i]->state(record, error), out);
    told.push_back(files_[i]->told(record, error));
  }
  out.json = text_of(told);
  return out;
}

const Recording& Recordings::recording(std::uint32_t which, double frame) const {
  if (which >= files_.size())
    throw io::InputError("recording " + std::to_string(which) + ": there are " +
                         std::to_string(files_.size()));
  if (!(frame >= 0 && frame < static_cast<double>(files_[which]->frames())))
    throw io::InputError("there is no such frame: recording " + std::to_string(which) + " has " +
                         std::to_string(files_[which]->frames()));
  return *files_[which];
}

io::Record Recordings::to_solve(const SolveFrame& asked) const {
  const Recording& from = recording(asked.recording, asked.frame);
  if (!from.solvable())
    throw io::InputError("this page has the trajectory only: there is nothing to solve");
  return from.read(static_cast<Index>(asked.frame));
}

SavedMessage Recordings::saved(const SaveFrame& asked) const {
  const Recording& from = recording(asked.recording, asked.frame);
  if (asked.form != "h5" && asked.form != "jsonl")
    throw io::InputError("save_frame: form is neither h5 nor jsonl");
  return from.save(static_cast<Index>(asked.frame), asked.form);
}

std::optional<Recordings::Place> Recordings::next_unmeasured() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!files_[i]->solvable()) continue;
    for (; next_[i] < files_[i]->frames(); ++next_[i])
      if (std::isnan(errors_[i][static_cast<std::size_t>(next_[i])])) return Place{i, next_[i]++};
  }
  return {};
}

void Recordings::measured(Place place, double error) {
  errors_[place.recording][static_cast<std::size_t>(place.frame)] = error;
  left_[place.recording] -= 1;
  news_ = true;
}

bool Recordings::compare_next() {
  if (files_.size() < 2) return false;
  if (compared_ < std::min(files_[0]->frames(), files_[1]->frames())) {
    const Index frame = compared_++;
    const io::Record a = files_[0]->read(frame), b = files_[1]->read(frame);
    const Compared found =
        compare_bodies(files_[0]->in_order(a.frame.bodies), files_[1]->in_order(b.frame.bodies),
                       files_[0]->engine() == files_[1]->engine());
    apart_.push_back(static_cast<float>(found.apart));
    news_ = true;
    if (difference_ != kNotYet || found.column.empty()) return true;
    difference_ = static_cast<double>(frame);
    words_ = found.column + " differ";
    urgent_ = true;
    return true;
  }
  if (difference_ == kNotYet) {
    difference_ = -1;
    if (files_[0]->frames() != files_[1]->frames()) {
      difference_ = static_cast<double>(compared_);
      words_ = "one of them ends";
    }
    news_ = true;
  }
  return false;
}

bool Recordings::complete() const {
  return std::all_of(left_.begin(), left_.end(), [](double left) { return left <= 0; });
}

}  // namespace perpend::view
