#include "source.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "interrupt.hpp"
#include "progress_bar.hpp"

namespace perpend::app {
namespace {

class StandardSource final : public Source {
 public:
  explicit StandardSource(const std::string& path) : reader_(path) {}
  Index frames() const override { return reader_.frames(); }
  io::FrameCounts counts(Index frame) const override {
    const io::FrameCounts counts = reader_.counts(frame);
    // A system without bodies is counted by its columns.
    return counts.bodies > 0 ? counts : app::counts(reader_.read(frame));
  }
  Case read(Index frame) const override { return make_case(frame, reader_.read(frame)); }

 private:
  io::FrameReader reader_;
};

class JsonLinesSource final : public Source {
 public:
  explicit JsonLinesSource(const std::string& path) : records_(io::read_json_lines(path)) {}
  Index frames() const override { return static_cast<Index>(records_.size()); }
  io::FrameCounts counts(Index frame) const override {
    return app::counts(records_[static_cast<std::size_t>(frame)]);
  }
  Case read(Index frame) const override {
    return make_case(frame, records_[static_cast<std::size_t>(frame)]);
  }

 private:
  std::vector<io::Record> records_;
};

class FclibSource final : public Source {
 public:
  explicit FclibSource(const std::string& path) : problem_(io::read_fclib(path)) {}
  Index frames() const override { return 1; }
  io::FrameCounts counts(Index) const override {
    const System& system = problem_.system;
    return {0, system.joint_rows(), system.joint_rows(), system.contacts()};
  }
  Case read(Index frame) const override {
    Case problem;
    problem.title = problem_.title;
    problem.counts = counts(frame);
    problem.system = problem_.system;
    return problem;
  }

 private:
  io::FclibProblem problem_;
};

std::optional<Index> whole_number(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

// The frames with the n largest values (the earlier frame when equal), ascending.
std::vector<Index> largest(const std::vector<double>& values, Index n) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)];
  });
  if (n < static_cast<Index>(order.size())) order.resize(static_cast<std::size_t>(n));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<Index> most_contacts(const Source& source, Index n) {
  std::vector<double> contacts;
  for (Index frame = 0; frame < source.frames(); ++frame)
    contacts.push_back(static_cast<double>(source.counts(frame).contacts));
  return largest(contacts, n);
}

// By the velocity_error of the recorded answers, measured here, not as the file claims it.
std::vector<Index> worst(const std::string& path, const Source& source, Index n,
                         const Globals& globals) {
  std::vector<double> values;
  bool any = false;
  ProgressBar bar(globals, "recorded answers measured", source.frames());
  for (Index frame = 0; frame < source.frames() && !interrupted(); ++frame) {
    const Case problem = source.read(frame);
    const Impulses answer = recorded(problem);
    const bool has = problem.system && answer.size() == problem.system->rows() &&
                     (problem.answer.z.rows() > 0 || problem.system->rows() == 0);
    any = any || (has && answer.size() > 0);
    values.push_back(has ? measure(*problem.system, answer, Measure::velocity_error) : -1.0);
    bar.show(frame + 1);
  }
  if (!any)
    throw UsageError("--frames worst: " + path + " has no recorded answer (z) to be measured");
  return largest(values, n);
}

}  // namespace

std::string_view name(io::Kind kind) {
  switch (kind) {
    case io::Kind::standard:
      return "perpend";
    case io::Kind::fclib:
      return "fclib";
    case io::Kind::json_lines:
      return "json-lines";
    case io::Kind::raw_problem:
      return "raw-problem";
    case io::Kind::scene:
      return "scene";
  }
  return "unknown";
}

std::unique_ptr<Source> open_source(const std::string& path, io::Kind kind) {
  switch (kind) {
    case io::Kind::standard:
      return std::make_unique<StandardSource>(path);
    case io::Kind::json_lines:
      return std::make_unique<JsonLinesSource>(path);
    case io::Kind::scene:
      throw UsageError(path + ": a scene has no frames yet; simulate it with --out first");
    default:
      return std::make_unique<FclibSource>(path);
  }
}

io::FrameCounts counts(const io::Record& record) {
  const Frame& frame = record.frame;
  if (frame.bodies.count() == 0 && record.system.b.size() > 0)
    return {0, record.system.bounds.rows(), record.system.bounds.rows(), record.system.mu.size()};
  return {frame.bodies.count(), frame.joints.count(), frame.joints.row_count(),
          frame.contacts.count()};
}

Case make_case(Index frame, const io::Record& record) {
  Case problem;
  problem.frame = frame;
  problem.title = record.name;
  problem.counts = counts(record);
  problem.answer = record.answer;
  try {
    problem.system = io::system_of(record, "frame " + std::to_string(frame));
  } catch (const io::InputError& error) {
    problem.refusal = error.what();
  }
  return problem;
}

Impulses recorded(const Case& problem) {
  if (!problem.system) return {};
  const io::Answer& answer = problem.answer;
  const Index rows = problem.system->joint_rows();
  const bool contacts = answer.z.rows() == problem.counts.contacts;
  const bool joints = answer.z_joints.size() == rows;
  const bool any = answer.z.rows() > 0 || answer.z_joints.size() > 0;
  if (!any || !contacts || !(joints || answer.z_joints.size() == 0)) return {};
  return from_rows(*problem.system, answer.z, joints ? answer.z_joints : VectorXd::Zero(rows));
}

std::vector<Index> select_frames(const std::string& selection, const std::string& path,
                                 const Source& source, const Globals& globals) {
  const Index frames = source.frames();
  Index first = 0, last = frames - 1;
  if (!selection.empty()) {
    const std::size_t colon = selection.find(':'), dash = selection.find('-');
    const std::string word = selection.substr(0, colon);
    if (colon != std::string::npos && (word == "most-contacts" || word == "worst")) {
      const auto n = whole_number(std::string_view(selection).substr(colon + 1));
      if (!n || *n < 1) throw UsageError("--frames " + selection + ": " + word + ":N needs N >= 1");
      return word == "worst" ? worst(path, source, *n, globals) : most_contacts(source, *n);
    }
    const auto from = whole_number(selection.substr(0, dash));
    const auto to = dash == std::string::npos ? from : whole_number(selection.substr(dash + 1));
    if (!from || !to || *from > *to)
      throw UsageError("--frames " + selection +
                       ": is none of K, A-B (A <= B), most-contacts:N, worst:N");
    if (*to >= frames)
      throw UsageError("--frames " + selection + ": " + path + " has " + std::to_string(frames) +
                       " frame" + (frames == 1 ? "" : "s") + ", counted from 0");
    first = *from;
    last = *to;
  }
  std::vector<Index> list(static_cast<std::size_t>(last - first + 1));
  std::iota(list.begin(), list.end(), first);
  return list;
}

}  // namespace perpend::app
