#include "view/record_run.hpp"

#include "perpend/sim/recording.hpp"

namespace perpend::view {
namespace {

// "2 of 3": settings of a hand may be about one pane alone.
std::string written(const PaneRole& role) {
  return std::to_string(role.number) + " of " + std::to_string(role.of);
}
PaneRole role_of(const std::string& text, const std::string& path) {
  for (std::size_t of = 1; of <= kMostPanes; ++of)
    for (std::size_t number = 1; number <= of; ++number)
      if (const PaneRole role{number, of, Engine::perpend}; written(role) == text) return role;
  throw io::InputError(path + ": attribute simulate: hand: '" + text + "' is no pane");
}

// Writes frames of a session, each with the events that came before it and the bodies that came
// with them.
class Recorder {
 public:
  Recorder(const Scene& scene, const StepOptions& step, const Hand& hand, Index steps,
           const std::string& out, const PaneRole& role)
      : writer_(out, header(scene, step, steps, role), 1024), hand_(hand) {}

  // `time` and `steps` are those before the step that was made.
  void add(const Session& session, double time, Index steps) {
    io::Record record = recorded_step(time, session.problem(), session.report());
    if (run_ != session.run()) record.model = model_of(session.scene(), record.frame.bodies, time);
    run_ = session.run();
    for (; next_ < hand_.events.size() && hand_.events[next_].step <= steps; ++next_)
      record.events.emplace_back(to_json(hand_.events[next_]));
    writer_.append(record);
  }
  void close(const std::string& hash) { writer_.close(hash); }

 private:
  static io::Header header(const Scene& scene, const StepOptions& step, Index steps,
                           const PaneRole& role) {
    SimulateOptions options;
    options.step = step;
    return recording_header(scene, options, scene.step, steps, written(role));
  }
  io::FrameWriter writer_;
  const Hand& hand_;
  std::size_t next_ = 0;
  std::uint32_t run_ = 0;
};

}  // namespace

std::optional<PaneRole> recorded_pane(const std::vector<PaneOptions>& panes) {
  for (std::size_t i = 0; i < panes.size(); ++i)
    if (!panes[i].stock) return PaneRole{i + 1, panes.size(), Engine::perpend};
  return {};
}

HandRun record_run(const Scene& scene, const StepOptions& options, int threads, const Hand& hand,
                   Index steps, const std::string& out, const std::function<bool()>& stop,
                   PaneRole role) {
  ThreadPool pool(threads);
  Session session(scene, options, pool, hand, role);
  session.keep_within(0);
  Recorder recorder(scene, options, hand, steps, out, role);
  HandRun done;
  while (session.steps() < steps && !stop()) {
    const double time = session.time();
    const Index before = session.steps();
    done.message = session.step();
    if (!done.message.empty()) break;
    recorder.add(session, time, before);
  }
  done.steps = session.steps();
  done.time = session.time();
  done.panes.push_back({session.title(), session.hash()});
  recorder.close(done.steps < steps ? "" : hexadecimal(session.hash()));
  return done;
}

Rerun rerun(const std::string& path, int threads,
            const std::function<bool(Index done, Index of)>& progress) {
  Repetition repetition(path);
  if (repetition.hand().empty()) return perpend::rerun(path, threads, progress);
  std::string events;
  for (const std::string& event : repetition.events())
    events += (events.empty() ? "" : ",") + event;
  const Hand hand = hand_from_json(
      R"({"format": "perpend-hand", "format_version": 1, "events": [)" + events + "]}",
      path + ": /events");
  ThreadPool pool(threads);
  Session session(repetition.scene(), repetition.options().step, pool, hand,
                  role_of(repetition.hand(), path));
  session.keep_within(0);
  while (repetition.goes_on()) {
    const double time = session.time();
    if (const std::string why = session.step(); !why.empty())
      throw io::InputError(path + ": step " + std::to_string(session.steps()) + ": " + why);
    repetition.add(time, session.problem(), session.report());
    if (!repetition.made(progress)) break;
  }
  return repetition.result(session.hash());
}

}  // namespace perpend::view
