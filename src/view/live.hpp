// The thread that simulates: it takes what pages ask for from one queue, makes steps when they are
// due, and hands messages on. It never waits for a page.
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "view/clients.hpp"
#include "view/panes.hpp"

namespace perpend::view {

class Live : public Clients {
 public:
  // `send` is called from the thread of the simulation.
  Live(const Scene&, std::vector<PaneOptions>, int threads, const Hand&, Send send);
  ~Live();  // ends the thread; a step that takes long is stopped
  // Ends it as well: what hands did, and how many steps there are.
  std::pair<Hand, Index> finish();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void guarded(const std::function<void()>& task);
  void take(const Item&);
  void control(const Item&);
  void act(const Item&);
  bool step();  // false: it was not made
  void tell_state();
  void watch(Client, bool on);
  void record(Client);  // in a thread of its own

  std::atomic<bool> ending_ = false;

  // Of the thread alone.
  const Scene scene_;  // as it began
  const std::vector<PaneOptions> options_;
  const int threads_;
  ThreadPool pool_;
  Panes panes_;
  std::set<Client> clients_, watching_;
  std::map<std::uint32_t, Client> holders_;  // of bodies
  std::uint32_t told_run_ = panes_.first().run();
  bool playing_ = false, changed_ = false;
  double speed_ = 1;
  Clock::time_point due_{}, told_{};
  struct Worst {
    double error = -1, milliseconds = 0;  // error: as in StateMessage
  };
  std::vector<Worst> worst_;  // of each pane, since the last told
  double pace_ = 0, pace_time_ = 0;
  Clock::time_point pace_since_{};

  std::atomic<bool> recording_ = false;
  std::thread recorder_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace perpend::view
