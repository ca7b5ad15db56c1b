// One to four runs of the same scene under one hand: the same events in different solvers, or in
// Bullet's own world. They make their steps together.
//
// They part at the first step that leaves some body farther from its place in the first pane than a
// tenth of its radius.
#pragma once

#include "perpend/view.hpp"
#include "view/session.hpp"

namespace perpend::view {

class Panes {
 public:
  // Throws io::InputError where an event of the hand does not fit. Precondition: there are panes.
  Panes(const Scene&, const std::vector<PaneOptions>&, Executor&, const Hand& hand = {});

  // As those of Session, of all panes. What one cannot do none does.
  std::string step();
  void go_back(Index to);
  void reset();
  std::string act(const Message&);
  void watch(bool on);

  std::size_t count() const { return sessions_.size(); }
  const Session& operator[](std::size_t pane) const { return *sessions_[pane]; }
  const Session& first() const { return *sessions_.front(); }
  void keep_within(std::size_t bytes);

  SettingsMessage settings_message() const;
  CurveMessage curve_message() const;
  PanesMessage panes_message(const std::vector<StateMessage>&) const;

  static constexpr double kApart = 0.1;  // of a body's radius
  struct Parting {
    Index step = -1;  // steps made then; -1: not yet
    std::size_t pane = 0, body = 0;
    double distance = 0;  // m
  };
  const Parting& parting() const { return parting_; }
  std::string words() const;  // about it; empty: not yet

 private:
  void compare();

  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<double> apart_;  // m, largest distance of a body of each pane
  Parting parting_;
};

}  // namespace perpend::view
