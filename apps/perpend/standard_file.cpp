#include "standard_file.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::app {
namespace {

// Rows of the longest table that all frames together fill.
template <class Counts>
std::int64_t longest_table(Index frames, Counts counts_of_frame) {
  std::int64_t bodies = 0, contacts = 0, joint_rows = 0;
  for (Index frame = 0; frame < frames; ++frame) {
    const io::FrameCounts counts = counts_of_frame(frame);
    bodies += counts.bodies;
    contacts += counts.contacts;
    joint_rows += counts.joint_rows;
  }
  return std::max({bodies, contacts, joint_rows});
}

// One frame without bodies that holds the problem as /system/.
Frames open_fclib(const std::string& path) {
  const io::FclibProblem problem = io::read_fclib(path);
  const auto record = std::make_shared<io::Record>();
  record->system = io::to_columns(problem.system);
  record->frame = make_frame(0, 0);
  record->frame.step = problem.system.step;
  Frames frames;
  frames.names = std::make_shared<io::Names>();
  frames.header.engine = "fclib";
  frames.header.scene = problem.title;
  frames.header.created = timestamp();
  frames.header.omitted =
      problem.global ? "bodies, contacts, step" : "bodies, contacts, step, M, J";
  frames.count = 1;
  frames.rows = std::max(record->system.A.values.size(), record->system.J.values.size());
  frames.read = [record](Index) { return *record; };
  return frames;
}

}  // namespace

Frames open_frames(const std::string& path, io::Kind kind) {
  Frames frames;
  if (kind == io::Kind::standard) {
    const auto reader = std::make_shared<io::FrameReader>(path);
    frames.header = reader->header();
    frames.count = reader->frames();
    frames.rows = longest_table(frames.count, [&](Index frame) { return reader->counts(frame); });
    frames.model = reader->model();
    frames.names = std::make_shared<io::Names>(frames.model, frames.header);
    for (const std::string& event : reader->events()) frames.events.emplace_back(event);
    frames.read = [reader](Index frame) { return reader->read(frame); };
    return frames;
  }
  if (kind == io::Kind::fclib) return open_fclib(path);
  const auto lines = std::make_shared<io::JsonLines>(path);
  frames.header.engine.clear();
  frames.header.stepper = lines->stepper();
  frames.header.scene = std::filesystem::path(as_named(path)).stem().string();
  frames.header.created = timestamp();
  frames.header.answerers = lines->answerers();
  frames.names = lines->names();
  frames.header.format_version = lines->format_version();
  frames.count = lines->frames();
  frames.rows = longest_table(frames.count, [&](Index frame) { return lines->counts(frame); });
  frames.read = [lines](Index frame) { return lines->read(frame); };
  return frames;
}

void write_standard(const Frames& frames, const std::vector<Index>& chosen, const std::string& path,
                    bool (*stop)()) {
  // A dataset in use takes at least one chunk: small files get small ones.
  constexpr std::int64_t kSmallest = 64, kUsual = 4096;
  io::FrameWriter writer(path, frames.header, std::clamp(frames.rows, kSmallest, kUsual));
  for (const Index frame : chosen) {
    if (stop != nullptr && stop()) break;
    writer.append(read_frame(frames, frame, frame == chosen.front()));
  }
  writer.close();
}

io::Record read_frame(const Frames& frames, Index frame, bool first) {
  io::Record record = frames.read(frame);
  if (first && !frames.model.empty()) record.model = frames.model;
  if (first && !frames.events.empty()) record.events = frames.events;
  return record;
}

void copy_solutions(const std::string& from, const std::vector<Index>& chosen,
                    const std::string& to) {
  for (const std::string& solver : io::FrameReader(from).solutions()) {
    const io::StoredSolution all = io::read_solution(from, solver);
    io::StoredSolution kept;
    kept.name = all.name;
    kept.facets = all.facets;
    for (std::size_t i = 0; i < all.frames.size(); ++i) {
      const auto found = std::lower_bound(chosen.begin(), chosen.end(), all.frames[i]);
      if (found == chosen.end() || *found != all.frames[i]) continue;
      kept.frames.push_back(found - chosen.begin());
      kept.z.push_back(all.z[i]);
      kept.z_joints.push_back(all.z_joints[i]);
      kept.results.push_back(all.results[i]);
    }
    if (!kept.frames.empty()) io::put_solution(to, kept);
  }
}

void write_standard_copy(const std::string& path, io::Kind kind, Output& out) {
  if (kind == io::Kind::standard) {
    out.copy(path);
    io::repair(out.path());  // solutions are added to closed files only; the copy is ours to mend
    return;
  }
  const Frames frames = open_frames(path, kind);
  std::vector<Index> all(static_cast<std::size_t>(frames.count));
  std::iota(all.begin(), all.end(), Index{0});
  write_standard(frames, all, out.path());
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

}  // namespace perpend::app
