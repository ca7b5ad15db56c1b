// Recordings that are looked at. One thread reads the files and answers pages; another one works at
// what takes long: frames that are solved again, and errors that a file lacks. No page waits for
// those.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <thread>

#include "view/clients.hpp"
#include "view/recordings.hpp"
#include "view/resolve.hpp"

namespace perpend::view {

class Playback : public Clients {
 public:
  // One or two files. Throws io::InputError. `send` is called from both threads.
  Playback(const std::vector<std::string>& files, Send send);
  ~Playback();

 private:
  // For the thread that works: a frame to be solved for a client, or to be measured.
  struct Job {
    Client client = kEverybody;
    SolveFrame solve;
    Recordings::Place place{};
    io::Record record;
  };
  struct Measured {
    Recordings::Place place;
    double error;
  };

  void read_files();  // the threads
  void work();
  void answer(const Item&);
  void solve(Client, const SolveFrame&);
  bool look_ahead();  // something that nobody asked for; false: there is nothing to do now
  bool measure_next();
  void tell_timeline(Client);

  std::atomic<bool> ending_ = false;

  std::condition_variable jobs_;
  // Guarded by mutex_.
  std::deque<Job> waiting_;
  std::vector<Measured> measured_;
  std::optional<Client> solving_;       // for whom
  bool cancel_ = false, idle_ = false;  // idle: a job is done
  std::map<Client, std::shared_ptr<const Resolved>> solved_;

  // Of the reading thread.
  Recordings recordings_;
  bool untold_ = false;  // of the timeline, to everybody
  std::chrono::steady_clock::time_point told_{};

  std::thread reader_, worker_;  // last: they use the others
};

}  // namespace perpend::view
