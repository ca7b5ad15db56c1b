#include "view/live.hpp"

#include <algorithm>
#include <cmath>

#include "view/record_run.hpp"
#include "view/scratch.hpp"

namespace perpend::view {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;

constexpr auto kBetweenStates = std::chrono::milliseconds(8);  // screens show no more

std::vector<PaneOptions> stoppable(std::vector<PaneOptions> panes,
                                   const std::atomic<bool>& ending) {
  for (PaneOptions& pane : panes) pane.step.solve.cancelled = [&ending] { return ending.load(); };
  return panes;
}

}  // namespace

Live::Live(const Scene& scene, std::vector<PaneOptions> panes, int threads, const Hand& hand,
           Send send)
    : Clients(std::move(send)),
      scene_(scene),
      options_(panes),
      threads_(threads),
      pool_(threads),
      panes_(scene, stoppable(std::move(panes), ending_), pool_, hand),
      worst_(panes_.count()),
      thread_([this] { run(); }) {}

Live::~Live() { finish(); }

std::pair<Hand, Index> Live::finish() {
  ending_ = true;
  {
    const std::lock_guard lock(mutex_);
    news_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  if (recorder_.joinable()) recorder_.join();
  return {panes_.first().hand(), panes_.first().steps()};
}

void Live::run() {
  std::vector<Item> items;
  while (!ending_) {
    {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return ending_ || !queue_.empty(); };
      if (playing_)
        news_.wait_until(lock, due_, ready);
      else
        news_.wait(lock, ready);
      items.clear();
      std::swap(items, queue_);
    }
    for (const Item& item : items) guarded([&] { take(item); });
    if (ending_) break;
    if (playing_ && Clock::now() >= due_) {
      playing_ = false;
      guarded([&] { playing_ = step(); });
      // What cannot be made up for is not.
      const auto h = duration_cast<Clock::duration>(duration<double>(panes_.first().h() / speed_));
      due_ = std::max(due_ + h, Clock::now() - h);
      changed_ = true;
    }
    if (changed_ && (!playing_ || Clock::now() - told_ >= kBetweenStates))
      guarded([&] { tell_state(); });
  }
}

// What goes wrong in one thing leaves the others: no memory for a step is no reason to be gone.
void Live::guarded(const std::function<void()>& task) {
  try {
    task();
  } catch (const std::exception& error) {
    playing_ = changed_ = false;
    notice(kEverybody, std::string("internal error: ") + error.what());
  }
}

void Live::take(const Item& item) {
  switch (item.what) {
    case Item::What::joined:
      clients_.insert(item.client);
      send(item.client, panes_.first().scene_message());
      send(item.client, panes_.settings_message());
      changed_ = true;
      break;
    case Item::What::left:
      clients_.erase(item.client);
      if (watching_.contains(item.client)) watch(item.client, false);
      for (auto at = holders_.begin(); at != holders_.end();) {
        if (at->second != item.client) {
          ++at;
          continue;
        }
        Release release;
        release.body = at->first;
        if (panes_.first().holds(at->first)) panes_.act(release);
        at = holders_.erase(at);
        changed_ = true;
      }
      break;
    case Item::What::heard:
      from(item.message) == From::hand ? act(item) : control(item);
      break;
  }
}

void Live::act(const Item& item) {
  changed_ = true;
  if (std::string why = panes_.act(item.message); !why.empty()) {
    notice(item.client, std::string(name(item.message)) + ": " + why);
    send(item.client, panes_.settings_message());
    return;
  }
  if (const Drag* drag = std::get_if<Drag>(&item.message)) holders_[drag->body] = item.client;
  if (const Twist* twist = std::get_if<Twist>(&item.message)) holders_[twist->body] = item.client;
  if (const Release* release = std::get_if<Release>(&item.message)) holders_.erase(release->body);
  if (std::holds_alternative<Set>(item.message)) send(kEverybody, panes_.settings_message());
}

void Live::control(const Item& item) {
  changed_ = true;
  const Message& message = item.message;
  if (std::holds_alternative<Play>(message)) {
    if (!playing_) due_ = pace_since_ = Clock::now();
    pace_time_ = panes_.first().time();
    pace_ = 0;
    playing_ = true;
  } else if (std::holds_alternative<Pause>(message)) {
    playing_ = false;
  } else if (const Steps* steps = std::get_if<Steps>(&message)) {
    playing_ = false;
    const auto count = static_cast<Index>(std::clamp(steps->count, -1e6, 1e3));
    if (count < 0) {
      panes_.go_back(panes_.first().steps() + count);
      send(kEverybody, panes_.settings_message());
    }
    for (Index i = 0; i < count && !ending_ && step(); ++i) {
    }
  } else if (std::holds_alternative<Reset>(message)) {
    panes_.reset();
    playing_ = false;
    send(kEverybody, panes_.settings_message());
  } else if (const Speed* speed = std::get_if<Speed>(&message)) {
    speed_ = std::clamp(speed->factor, 0.01, 100.0);
  } else if (std::holds_alternative<AskEvents>(message)) {
    send(item.client, panes_.first().events_message());
  } else if (std::holds_alternative<AskRecording>(message)) {
    record(item.client);
  } else if (const Watch* asked = std::get_if<Watch>(&message)) {
    watch(item.client, asked->on);
  } else {
    notice(item.client, std::string(name(message)) + ": is sent by the program, not to it");
  }
}

// The run so far, of the first pane that is ours, is made again beside this one, which goes on.
void Live::record(Client client) {
  const std::optional<PaneRole> role = recorded_pane(options_);
  if (recording_) return notice(client, "a recording is being made");
  if (!role) return notice(client, "runs of Bullet's own world are not recorded");
  if (panes_.first().steps() == 0) return notice(client, "there is no step yet");
  if (recorder_.joinable()) recorder_.join();
  recording_ = true;
  recorder_ = std::thread(
      [this, client, role = *role, hand = panes_.first().hand(), steps = panes_.first().steps()] {
        try {
          const ScratchFile file;
          const HandRun made = record_run(
              scene_, options_[role.number - 1].step, threads_, hand, steps, file.path(),
              [this] { return ending_.load(); }, role);
          SavedMessage out;
          out.name = scene_.name + ".h5";
          out.type = "application/x-hdf5";
          const std::string bytes = io::read_text(file.path());
          out.content.assign(bytes.begin(), bytes.end());
          if (made.steps == steps)
            send(client, out);
          else if (!ending_)
            notice(client, made.message);
        } catch (const std::exception& error) {
          notice(client, error.what());
        }
        recording_ = false;
      });
}

bool Live::step() {
  const std::string why = panes_.step();
  if (!why.empty()) {
    if (!ending_) notice(kEverybody, why + "; the run stands before this step");
    return false;
  }
  for (std::size_t k = 0; k < panes_.count(); ++k) {
    const StepReport& report = panes_[k].report();
    for (const std::string& note : report.notes) notice(kEverybody, note);
    worst_[k].error = std::max(worst_[k].error, report.errors[Measure::velocity_error]);
    worst_[k].milliseconds = std::max(worst_[k].milliseconds, 1e3 * report.total_seconds);
  }
  return true;
}

// The step that was made before somebody watches is made again, for its curve.
void Live::watch(Client client, bool on) {
  const bool before = !watching_.empty();
  on ? (void)watching_.insert(client) : (void)watching_.erase(client);
  if (before == !watching_.empty()) return;
  panes_.watch(!before);
  if (!before && !playing_ && panes_.first().steps() > 0) panes_.go_back(panes_.first().steps());
}

void Live::tell_state() {
  const auto now = Clock::now();
  changed_ = false;
  told_ = now;
  if (const double passed = duration<double>(now - pace_since_).count(); passed > 0.5) {
    pace_ = (panes_.first().time() - pace_time_) / passed;
    pace_since_ = now;
    pace_time_ = panes_.first().time();
  }
  if (told_run_ != panes_.first().run()) send(kEverybody, panes_.first().scene_message());
  told_run_ = panes_.first().run();
  if (!clients_.empty()) {
    std::vector<StateMessage> states;
    for (std::size_t k = 0; k < panes_.count(); ++k) {
      StateMessage& state = states.emplace_back(panes_[k].state_message());
      state.playing = playing_;
      state.pace = playing_ ? pace_ : 0;
      state.error = std::max(state.error, worst_[k].error);
      state.milliseconds = std::max(state.milliseconds, worst_[k].milliseconds);
    }
    if (states.size() == 1)
      send(kEverybody, states.front());
    else
      send(kEverybody, panes_.panes_message(states));
    if (!watching_.empty()) send(kEverybody, panes_.curve_message());
  }
  for (Worst& worst : worst_) worst = {};
}

}  // namespace perpend::view
