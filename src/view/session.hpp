// A run that a person has a hand in: steps forward and back, settings, pulls; without clock, thread
// or network. The state after any number of steps follows from the scene and the events alone.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "view/hand.hpp"
#include "view/world.hpp"

namespace perpend::view {

// Which one of several runs with the same events this is (panes.hpp).
struct PaneRole {
  std::size_t number = 1, of = 1;
  Engine engine = Engine::perpend;
};

class Session {
 public:
  // The events of `hand` happen when their steps come. Throws io::InputError where one does not fit
  // the scene.
  Session(Scene, const StepOptions&, Executor&, Hand hand = {}, PaneRole = {});
  ~Session();

  // One step. Returns why it was not made.
  std::string step();
  // To the state after so many steps: one that was kept, and steps made again from there, hands
  // included. Precondition: not ahead of steps().
  void go_back(Index to);
  // To the start. A hand that was given is followed again; otherwise the run begins anew with the
  // settings as they are.
  void reset();
  // The same without the settings: those that would bring them back, as a hand sets them.
  std::vector<Set> start_again();
  // A hand does something now: what hands did later in the run, before it went back, is forgotten.
  // Returns why it cannot; then nothing has changed.
  std::string act(const Message&);
  std::string why_not(const Message&) const;
  bool holds(std::uint32_t body) const;
  // Steps keep the history of their iterations. Changes no bits.
  void watch(bool on);

  Index steps() const { return steps_; }
  double time() const { return time_; }
  double h() const { return settings_.h; }
  const Scene& scene() const { return scene_; }
  std::uint32_t run() const { return run_; }  // changes when bodies come or go
  const StepReport& report() const { return world_->report(); }
  const StepProblem& problem() const { return world_->problem(); }
  Hand hand() const { return {{}, scene_.name, events_}; }
  std::uint64_t hash() const { return world_->hash(); }
  Pose pose(std::size_t body) const { return world_->pose(body); }
  PaneSettings settings() const { return {settings_, role_.engine == Engine::bullet}; }
  const std::vector<Setting>& settings_list() const { return list_; }
  std::string title() const;  // "box/pgs, 50 iterations"

  // For the page. What depends on time or on several steps is left to the caller.
  SceneMessage scene_message() const;
  SettingsMessage settings_message() const;
  EventsMessage events_message() const;
  StateMessage state_message() const;
  CurveMessage curve_message() const;

  // States are kept for going back while they take less memory than this.
  void keep_within(std::size_t bytes) { most_kept_ = bytes; }
  std::size_t kept() const { return kept_.size(); }

 private:
  // Times are multiples of h, as in perpend simulate, counted from where h was set.
  struct Since {
    double time = 0;
    Index step = 0;
  };
  struct Kept {
    Index step = 0;
    double time = 0;
    Since since;
    std::size_t next = 0;  // event
    Settings settings;
    std::vector<Hold> holds;
    std::size_t thrown = 0;
    std::optional<Snapshot> snapshot;  // none: stock Bullet at the start
    std::size_t bytes = 0;
  };

  void build();
  void go_on_from(const Snapshot&);
  void rewind(Index to);
  void keep();
  void thin_out();
  void restore(const Kept&);
  void happen();  // what the next step finds
  void take(const Message&);
  void take(const Drag&);
  void take(const Release&);
  void take(const Twist&);
  void take(const Cut&);
  void take(const Throw&);
  void take(const Set&);
  Hold& hold_of(std::uint32_t body);

  Scene scene_;  // with the balls that were thrown
  std::size_t own_bodies_ = 0;
  Executor& executor_;
  PaneRole role_;
  std::vector<Setting> list_;
  Settings start_, settings_;
  std::unique_ptr<World> world_;
  Index steps_ = 0;
  double time_ = 0;
  Since since_;
  std::uint32_t run_ = 1;
  std::vector<Hold> holds_;  // by body
  std::vector<Event> events_;
  std::size_t next_ = 0;   // of events_
  bool followed_ = false;  // the events are a hand file's
  bool watched_ = false;
  std::deque<Kept> kept_;  // by steps
  std::size_t kept_bytes_ = 0, most_kept_ = std::size_t{128} << 20;
};

}  // namespace perpend::view
